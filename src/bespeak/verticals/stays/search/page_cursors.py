"""Cursors of the search: where the last listing of a page stands in its order, the currency in
which prices were compared, and of which question it is. So the pages of a question stay in one
order, also when most listings there come to have another currency.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

import msgspec

from bespeak.errors import InvalidCursor
from bespeak.list_cursors import read_cursor, show_cursor
from bespeak.verticals.stays.queries import SearchQuestion
from bespeak.verticals.stays.search.wanted import Found

_MARK_BYTES = 6


class PagePlace(NamedTuple):
    """The place behind which a page begins."""

    value: int
    number: int
    currency: str | None
    question: str


def read_place(asked: SearchQuestion) -> PagePlace | None:
    """The place that a question goes on from. Raises InvalidCursor, also for the cursor of another
    question."""
    place = read_cursor(asked.after, PagePlace)
    if place is not None and place.question != _mark_of(asked):
        told = "the cursor goes on with the question that it is of: the same `sort` and all else"
        raise InvalidCursor(told, after=(asked.after or "")[:60])
    return place


def show_place(last: Found, currency: str | None, asked: SearchQuestion) -> str:
    """The cursor behind the last of a page: it goes on there, whatever changes meanwhile."""
    return show_cursor(last.value, last.listing.number, currency, _mark_of(asked))


def _mark_of(asked: SearchQuestion) -> str:
    """What tells a question from others: all but how much of it is shown, and in which language."""
    same = msgspec.structs.replace(asked, after=None, limit=1, lang=None)
    return blake2b(msgspec.json.encode(same), digest_size=_MARK_BYTES).hexdigest()
