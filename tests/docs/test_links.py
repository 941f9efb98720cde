"""Every relative link of a page leads to a file, and to a heading of it."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, anchors, pages, prose, show

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def links(page: Path) -> list[str]:
    """The targets that are not addresses on the web."""
    text = re.sub(r"`[^`]*`", "", prose(page).replace("[`", "[").replace("`]", "]"))
    return [target for target in _LINK.findall(text) if not re.match(r"[a-z]+:", target)]


@pytest.mark.parametrize("page", pages(), ids=show)
def test_every_link_resolves(page: Path) -> None:
    for target in links(page):
        path, _, fragment = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{show(page)}: {target}"
        if fragment:
            assert fragment in anchors(file), f"{show(page)}: {target}"


def test_links_are_found() -> None:
    assert sum(len(links(page)) for page in pages()) > 50


def test_decisions_are_numbered_one_by_one() -> None:
    text = (DOCS / "explanation" / "decisions.md").read_text()
    numbers = [int(number) for number in re.findall(r"^## (\d+)\.", text, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) == len(re.findall(r"^## ", text, re.MULTILINE))
