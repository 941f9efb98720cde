"""Every named statement is asked for by its name: one that nobody asks for goes."""

import re
from pathlib import Path

from tests.style.tree import ROOT

_SOURCE = ROOT / "src/bespeak"
_NAMED = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def _asked_for(path: Path, modules: dict[Path, str]) -> str:
    """The text of the modules that may ask: those of the folder, below it, and one above, to which
    the statements are given; and those elsewhere that load the file."""
    folder = path.parent
    return "\n".join(
        text
        for module, text in modules.items()
        if folder in module.parents or module.parent == folder.parent or f'"{path.name}"' in text
    )


def _is_asked_for(name: str, text: str) -> bool:
    if f'"{name}"' in text:
        return True
    # Names that are put together: `QUERIES[f"by_{sort}"]`.
    starts = re.findall(r'f"(\w*)\{\w+(?:\.\w+)*\}(\w*)"\]', text)
    return any(
        name.startswith(start) and name.endswith(end) for start, end in starts if start + end
    )


def test_every_named_statement_is_asked_for() -> None:
    modules = {path: path.read_text() for path in sorted(_SOURCE.rglob("*.py"))}
    seen, idle = 0, []
    for path in sorted(_SOURCE.rglob("*.sql")):
        names = _NAMED.findall(path.read_text())
        text = _asked_for(path, modules) if names else ""
        seen += len(names)
        idle += [f"{path.name} {name}" for name in names if not _is_asked_for(name, text)]
    assert idle == []
    assert seen > 500


def test_one_that_nobody_asks_for_is_seen() -> None:
    text = 'QUERIES["get"], QUERIES[f"by_{search.sort}"], QUERIES[f"{verb}_as_json"]'
    wanted = {"get": True, "by_sold": True, "hold_as_json": True, "is_issued": False, "gets": False}
    assert {name: _is_asked_for(name, text) for name in wanted} == wanted
