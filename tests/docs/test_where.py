"""The pages that say where things stand name files that exist."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, show

ROOT = DOCS.parent
PAGES = (DOCS / "explanation/where.md",)
# What is a path in a code span: with a folder, or with an ending.
_PATH = re.compile(r"`([\w./-]+(?:/|\.(?:py|sql|typ|md)))`")


def paths(page: Path) -> list[str]:
    return _PATH.findall(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=show)
def test_every_path_exists(page: Path) -> None:
    missing = [
        path
        for path in paths(page)
        if not (ROOT / path).exists() and not (ROOT / "src/bespeak" / path).exists()
    ]
    # A bare file name stands for that file of each shape.
    shapes = [one for one in (ROOT / "src/bespeak/inventory/shapes").iterdir() if one.is_dir()]
    missing = [path for path in missing if not any((shape / path).exists() for shape in shapes)]
    assert not missing, f"{show(page)}: {missing}"


def test_paths_are_found() -> None:
    assert all(len(paths(page)) > 10 for page in PAGES)
