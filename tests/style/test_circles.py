"""No modules of the package import each other in a circle."""

from tests.style.circles import circles
from tests.style.tree import SourceFile

# They need each other for types alone; nothing joins them.
TYPES_ONLY = [
    ["bespeak.inventory.resource_checks", "bespeak.inventory.resources"],
    ["bespeak.inventory.shapes.seats.compiled", "bespeak.inventory.shapes.seats.plain"],
]


def module(name: str, text: str) -> SourceFile:
    return SourceFile(f"src/bespeak/{name}.py", text)


def test_the_tree_has_none(files: list[SourceFile]) -> None:
    found = circles(files)
    assert [circle for circle in found if circle not in TYPES_ONLY] == []


def test_a_circle_is_found_and_a_chain_is_none() -> None:
    files = [
        module("a", "from bespeak import b\n"),
        module("b", "def late():\n    import bespeak.c\n"),
        module("c", "if TYPE_CHECKING:\n    from bespeak.a import A\n"),
        module("d", "from bespeak import a\nfrom bespeak.d import D\n"),
    ]
    assert circles(files) == [["bespeak.a", "bespeak.b", "bespeak.c"]]
    assert circles(files[1:]) == []
