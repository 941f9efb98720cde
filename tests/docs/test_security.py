"""What the pages about security name is there: tests, files, and the numbers of the standards."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, code, rows, show

STANDARDS = DOCS / "explanation" / "security-standards.md"
PAGES = (DOCS / "explanation" / "security.md", STANDARDS, ROOT / "SECURITY.md")
VERDICTS = {"met", "not met", "operator", "does not apply"}
_LINK = re.compile(r"\]\([^)]+\)")
# ASVS 5.0.0: of each section the levels of its lines, from the first on. Those of level 3 need not
# stand on the page. The chapters V10 and V17 stand there as a whole.
LEVELS = {
    "1.1": "22", "1.2": "1111122223", "1.3": "112222222223", "1.4": "222", "1.5": "123",
    "2.1": "122", "2.2": "112", "2.3": "12223", "2.4": "23",
    "3.1": "3", "3.2": "113", "3.3": "12223", "3.4": "11222233", "3.5": "11122333", "3.6": "3",
    "3.7": "22333",
    "4.1": "12233", "4.2": "23333", "4.3": "22", "4.4": "1222",
    "5.1": "2", "5.2": "112333", "5.3": "113", "5.4": "222",
    "6.1": "122", "6.2": "111111112222", "6.3": "11223333", "6.4": "112233", "6.5": "22222333",
    "6.6": "2223", "6.7": "33", "6.8": "2222",
    "7.1": "222", "7.2": "1111", "7.3": "22", "7.4": "11222", "7.5": "223", "7.6": "22",
    "8.1": "1233", "8.2": "1123", "8.3": "133", "8.4": "23",
    "9.1": "111", "9.2": "1222",
    "11.1": "2233", "11.2": "22233", "11.3": "11233", "11.4": "1222", "11.5": "23", "11.6": "23",
    "11.7": "33",
    "12.1": "12233", "12.2": "11", "12.3": "22223",
    "13.1": "2333", "13.2": "222223", "13.3": "2233", "13.4": "1222233",
    "14.1": "22", "14.2": "12223333", "14.3": "122",
    "15.1": "12233", "15.2": "12233", "15.3": "1222222", "15.4": "3333",
    "16.1": "2", "16.2": "22222", "16.3": "2222", "16.4": "222", "16.5": "2223",
}  # fmt: skip


@cache
def known_tests() -> frozenset[str]:
    """The names of all tests in Python."""
    return frozenset(
        node.name
        for file in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name[:5] == "test_"
    )


def unknown(text: str) -> list[str]:
    """What a text names, between backquotes, of tests and their files that is not there."""
    found = []
    for name in code(text):
        if re.fullmatch(r"test_\w+", name):
            is_there = name in known_tests()
        elif re.fullmatch(r"test_\w+\.py", name):
            is_there = any((ROOT / "tests").rglob(name))
        elif re.match(r"(tests|web|packages)/", name):
            is_there = (ROOT / name).is_file()
        else:
            continue
        if not is_there:
            found.append(name)
    return found


def requirements() -> list[list[str]]:
    """The rows of the page that begin with a number of ASVS."""
    cells = rows(STANDARDS.read_text())
    return [row for row in cells if re.fullmatch(r"\d+\.\d+\.\d+", row[0])]


@pytest.mark.parametrize("page", PAGES, ids=show)
def test_every_test_that_a_page_names_is_there(page: Path) -> None:
    assert unknown(page.read_text()) == []


def test_a_test_that_was_renamed_is_found() -> None:
    name = "test_a_test_that_was_renamed_is_found"
    assert unknown(f"`{name}`, `tests/docs/test_security.py`, `test_security.py`, `settings`") == []
    gone = [f"{name}_not", "test_none.py", "tests/docs/test_none.py", "web/src/none.test.ts"]
    assert unknown(", ".join(f"`{one}`" for one in gone)) == gone


def test_every_number_of_the_standard_stands_once_with_its_level() -> None:
    wanted = {
        f"{section}.{number}": level
        for section, levels in LEVELS.items()
        for number, level in enumerate(levels, start=1)
        if level != "3"
    }
    found = requirements()
    assert [one for one, times in Counter(row[0] for row in found).items() if times > 1] == []
    assert {row[0]: row[1] for row in found} == wanted
    assert Counter(wanted.values()) == {"1": 65, "2": 152}
    text = STANDARDS.read_text()
    assert "\n## V10 " in text and "\n## V17 " in text
    top = [row[0] for row in rows(text) if re.fullmatch(r"API\d+", row[0])]
    assert top == [f"API{number}" for number in range(1, 11)]


@pytest.mark.parametrize("row", requirements(), ids=lambda row: row[0])
def test_a_verdict_is_shown_or_explained(row: list[str]) -> None:
    """What is met names a test, or the page that the line asks for; the rest says why."""
    _number, _level, about, verdict, reason = row
    assert verdict in VERDICTS
    assert about and reason
    if verdict == "met":
        named = [one for one in code(reason) if one.startswith(("test_", "tests/", "web/"))]
        assert named or _LINK.search(reason), "neither a test nor a page shows it"
