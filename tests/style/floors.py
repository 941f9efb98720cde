"""The floors of the house: imports only go down.

A module may import from its own floor and from those below it. A new folder of `src/bespeak`
needs a floor here before it can be imported or import anything.
"""

import ast
from collections.abc import Iterator

from tests.style.tree import Offence, SourceFile

# From the roof to the ground.
FLOORS: tuple[tuple[str, ...], ...] = (
    ("cli",),
    ("http",),
    ("demo",),
    ("assembly",),
    ("verticals",),
    ("engine",),
    # Services around the heart, which follow its feed and know nothing of each other.
    ("payments", "ticketing", "notifications", "overview"),
    ("feed",),
    ("reservations",),
    ("inventory",),
    ("pricing",),
    ("background",),
    ("postgres",),
    ("errors", "ids", "states", "clock", "money", "settings", "cache"),
)

# `import bespeak` gives the public names, which stand on the assembly: for what is above it only.
PUBLIC = "bespeak"
EXEMPT = {"src/bespeak/__init__.py", "src/bespeak/__main__.py"}

_height = {name: -floor for floor, names in enumerate(FLOORS) for name in names}
_height[PUBLIC] = _height["assembly"]


def check_floors(file: SourceFile) -> list[Offence]:
    if file.path in EXEMPT:
        return []
    own = file.parts[2].removesuffix(".py")
    if own not in _height:
        return [
            Offence(file.path, 1, f"`{own}` has no floor: give it one in tests/style/floors.py")
        ]
    return [
        Offence(file.path, line, f"`{own}` imports `{name}`, which is not below it")
        for line, name in _imported(file)
        if not _is_allowed(own, name)
    ]


def _is_allowed(own: str, name: str) -> bool:
    if name == own:
        return True
    if name == PUBLIC:
        return _height[own] > _height["assembly"]
    return _height.get(name, 1) <= _height[own]  # what has no floor is above the roof


def _imported(file: SourceFile) -> Iterator[tuple[int, str]]:
    """Each import of ours, inside functions too: its line and the name below `bespeak`."""
    package = file.parts[1:-1]
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first, *rest = alias.name.split(".")
                if first == PUBLIC:
                    yield node.lineno, rest[0] if rest else PUBLIC
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            target = (*base, *(node.module or "").split(".")) if node.module else base
            if target[:1] != (PUBLIC,):
                continue
            for alias in node.names:
                name = target[1] if len(target) > 1 else alias.name
                yield node.lineno, name if len(target) > 1 or name in _height else PUBLIC
