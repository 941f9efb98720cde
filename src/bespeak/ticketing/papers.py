"""Papers with columns of figures as PDFs: invoices, credit notes, reports of a day. A paper is
texts only; who makes one has worded them.
"""

from __future__ import annotations

import msgspec

from bespeak.ticketing.typesetting import typeset

_TEMPLATE = "papers.typ"


class PaperTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table: of text in the first column, of figures in the others. A cell has lines; `total` is
    the last row, or empty."""

    head: list[str]
    rows: list[list[list[str]]]
    title: str = ""
    total: list[str] = []


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on a paper. `facts` are pairs of a name and a text; `foot` is on each page."""

    title: str
    seller: list[str]
    facts: list[tuple[str, str]]
    tables: list[PaperTable]
    words: dict[str, str] = {}
    buyer: list[str] = []
    notes: list[str] = []
    foot: str = ""


def write_paper(paper: Paper, language: str) -> bytes:
    """The paper as a PDF, in the direction of this language."""
    inputs = {
        "paper": msgspec.json.encode(paper).decode(),
        "title": paper.title,
        "language": language,
    }
    return typeset("bespeak.ticketing", _TEMPLATE, inputs)
