"""The pages of the documentation, as data: their code blocks, tables, headings and links.

How blocks are marked (the first word is the language that a reader's viewer colours):

- `bash session`, and `console` with its `$ ` prompts: run, in order, in one shell a page
- `sql`: run, in order, in one psql session a page
- `python`: run; one that calls `asyncio.run` as a program, any other as a part of one
- `... output`: what the block before it prints, compared without white space, where `…` stands
  for anything and ids, times and other things that differ each time are alike
- `json`: decodes
- anything else (`sh`, `text`, `mermaid`) is shown only
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^`\n]*)$")
_HEADING = re.compile(r"^(#{1,6}) +(.+?) *$")
_LINK = re.compile(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)")
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Block:
    """A fenced block: where it begins, what its fence says, its text."""

    page: Path
    line: int
    words: tuple[str, ...]
    text: str

    @property
    def language(self) -> str:
        return self.words[0] if self.words else ""

    @property
    def is_output(self) -> bool:
        return "output" in self.words

    @property
    def is_session(self) -> bool:
        return self.language == "console" or self.words[:2] == ("bash", "session")


def pages() -> list[Path]:
    """Every page that people read."""
    return [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]


def in_reading_order() -> list[Path]:
    """Every page that people read, as they come to them: the readme, the tutorial, what the index
    names from top to bottom, and the rest."""
    index = DOCS / "index.md"
    named = [(DOCS / link).resolve() for link in _LINK.findall(index.read_text())]
    first = [ROOT / "README.md", *sorted((DOCS / "tutorial").glob("*.md"))]
    return [page for page in dict.fromkeys([*first, *named, *pages()]) if page in pages()]


def show(page: Path) -> str:
    """The page's path below the root, as the name of a test."""
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[Block]:
    """The page's fenced blocks, in order."""
    found: list[Block] = []
    opened: tuple[int, str, str] | None = None
    lines: list[str] = []
    for number, line in enumerate(page.read_text().splitlines(), start=1):
        fence = _FENCE.match(line)
        if opened is None and fence:
            opened, lines = (number, fence["info"], fence["indent"]), []
        elif opened is not None and fence and not fence["info"]:
            found.append(Block(page, opened[0], tuple(opened[1].split()), "\n".join(lines)))
            opened = None
        elif opened is not None:
            lines.append(line.removeprefix(opened[2]))
    assert opened is None, f"{show(page)}: the block of line {opened} does not end"
    return found


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    kept: list[str] = []
    inside = False
    for line in page.read_text().splitlines():
        if _FENCE.match(line):
            inside = not inside
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


def sections(page: Path) -> Iterator[tuple[str, str]]:
    """Each heading with the text below it, up to the next heading of any depth."""
    title = ""
    lines: list[str] = []
    inside = False
    for line in page.read_text().splitlines():
        inside ^= bool(_FENCE.match(line))
        heading = None if inside else _HEADING.match(line)
        if heading:
            yield title, "\n".join(lines)
            title, lines = heading[2], []
        else:
            lines.append(line)
    yield title, "\n".join(lines)


def rows(text: str) -> list[list[str]]:
    """The cells of every table row in a text, without the rules below the head."""
    found = []
    for line in text.splitlines():
        if not line.startswith("|"):
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in _CELL.split(line)[1:-1]]
        if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            found.append(cells)
    return found


def code(cell: str) -> list[str]:
    """What stands between backquotes."""
    return re.findall(r"`([^`]+)`", cell)


def table(page: Path, first: str) -> dict[str, list[str]]:
    """The rows of all tables on a page whose first column has this head, by the code of their
    first cell."""
    found: dict[str, list[str]] = {}
    inside = False
    for line in page.read_text().splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        cells = rows(line)
        if not cells:
            continue
        if cells[0][0] == first:
            inside = True
        elif inside:
            name = code(cells[0][0])[0]
            assert name not in found, f"{show(page)}: {name} stands twice"
            found[name] = cells[0][1:]
    return found


def anchors(page: Path) -> set[str]:
    """The fragments that a link may point to."""
    made: set[str] = set()
    for title, _ in sections(page):
        plain = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        number = 0
        name = plain
        while name in made:
            number += 1
            name = f"{plain}-{number}"
        made.add(name)
    return made
