"""The floors of the house: imports only go down.

A module may import from its own floor and from those below it. A new folder of `src/bespeak`
needs a floor here before it can be imported or import anything. Some folders have floors inside.
"""

import ast
from collections.abc import Iterator

from tests.style.tree import Offence, SourceFile

# From the roof to the ground.
FLOORS: tuple[tuple[str, ...], ...] = (
    ("cli",),
    ("http",),
    ("demo",),
    ("blocking",),
    ("assembly", "client"),
    ("announcements",),
    ("personal_data",),
    ("verticals",),
    # Papers of what was sold and paid: they are made of what the services below have.
    ("invoices", "reports"),
    ("engine",),
    ("admission",),
    # Services around the heart, which follow its feed and know nothing of each other.
    ("payments", "ticketing", "waitlists", "notifications", "overview", "relay", "retention"),
    ("feed",),
    ("merchants",),
    ("reservations",),
    ("inventory",),
    ("pricing",),
    ("background",),
    ("postgres",),
    (
        "errors",
        "ids",
        "check_letters",
        "states",
        "clock",
        "money",
        "locales",
        "translations",
        "settings",
        "cache",
        "companions",
        "extras",
        "formulas",
        "secret_box",
        "signed_tokens",
        "lines",
        "parties",
        "refusals",
        "details",
        "pages",
        "public_names",
        "list_cursors",
        "pictures",
        "arguments",
        "decoding",
        "timeouts",
        "actors",
    ),
)

# Inside a folder, from the roof to the ground.
INNER: dict[str, tuple[tuple[str, ...], ...]] = {
    "http": (("app", "search_app", "workers"), ("endpoints",), ("api",), ("server",)),
}

# `import bespeak` gives the public names, which stand on the assembly: for what is above it only.
PUBLIC = "bespeak"
EXEMPT = {"src/bespeak/__init__.py", "src/bespeak/__main__.py"}

_height = {name: -floor for floor, names in enumerate(FLOORS) for name in names}
_height[PUBLIC] = _height["assembly"]
_inner = {
    folder: {name: -floor for floor, names in enumerate(floors) for name in names}
    for folder, floors in INNER.items()
}


def check_floors(file: SourceFile) -> list[Offence]:
    if file.path in EXEMPT:
        return []
    own = file.parts[2].removesuffix(".py")
    if own not in _height:
        return [
            Offence(file.path, 1, f"`{own}` has no floor: give it one in tests/style/floors.py")
        ]
    imported = list(_imported(file))
    return [
        *(
            Offence(file.path, line, f"`{own}` imports `{path[0]}`, which is not below it")
            for line, path in imported
            if not _is_allowed(own, path[0])
        ),
        *_check_inside(file, own, imported),
    ]


def _check_inside(
    file: SourceFile, folder: str, imported: list[tuple[int, tuple[str, ...]]]
) -> Iterator[Offence]:
    heights = _inner.get(folder)
    if heights is None or len(file.parts) < 4 or file.parts[3] == "__init__.py":
        return
    own = file.parts[3].removesuffix(".py")
    if own not in heights:
        yield Offence(
            file.path,
            1,
            f"`{own}` has no floor in `{folder}`: give it one in tests/style/floors.py",
        )
        return
    for line, path in imported:
        inside = len(path) > 1 and path[0] == folder
        if inside and heights.get(path[1], 1) > heights[own]:
            yield Offence(file.path, line, f"`{own}` imports `{path[1]}`, which is not below it")


def _is_allowed(own: str, name: str) -> bool:
    if name == own:
        return True
    if name == PUBLIC:
        return _height[own] > _height["assembly"]
    return _height.get(name, 1) <= _height[own]  # what has no floor is above the roof


def _imported(file: SourceFile) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each import of ours, inside functions too: its line and the path below `bespeak`."""
    package = file.parts[1:-1]
    for node in file.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                first, *rest = alias.name.split(".")
                if first == PUBLIC:
                    yield node.lineno, tuple(rest) or (PUBLIC,)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            target = (*base, *(node.module or "").split(".")) if node.module else base
            if target[:1] != (PUBLIC,):
                continue
            for alias in node.names:
                path = (*target[1:], alias.name)
                yield node.lineno, path if len(path) > 1 or path[0] in _height else (PUBLIC,)
