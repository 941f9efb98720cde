"""The files and folders that the page about the architecture names are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
# Code spans that name a file or a folder, and the names of files in its diagrams.
_NAMED = re.compile(r"`([\w./-]+(?:\.py|\.sql|/))`")
_DRAWN = re.compile(r'\["([\w/]+\.py)|\{"([\w/]+\.py)')


def named() -> list[str]:
    text = PAGE.read_text()
    return sorted({*_NAMED.findall(text), *(a or b for a, b in _DRAWN.findall(text))})


def exists(name: str) -> bool:
    """From the package or the root of the repository; a bare name anywhere in the package."""
    package = ROOT / "src" / "bespeak"
    return (
        (package / name).exists()
        or (ROOT / name).exists()
        or ("/" not in name.rstrip("/") and any(package.rglob(name.rstrip("/"))))
    )


@pytest.mark.parametrize("name", named())
def test_it_is_there(name: str) -> None:
    assert exists(name), f"{PAGE.name} names {name}"


def test_names_are_found_and_wrong_ones_are_noticed() -> None:
    assert {"reservations/placement.py", "cli/", "judgement.py"} <= set(named())
    assert not exists("reservations/heart.py")
    assert not exists("heart.py")
