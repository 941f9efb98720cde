"""The resources as an operator looks at them: searched, sorted, each with what is sold, held,
blocked and free of it, and for how much.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import msgspec

from bespeak import ids
from bespeak.errors import InvalidCursor, InvalidId
from bespeak.inventory.resources import ReadyResource
from bespeak.money import Money
from bespeak.overview.figures import sold_twice
from bespeak.postgres.queries import load
from bespeak.reservations.ready_resources import ResourceCache

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record
    from bespeak.postgres.reads import Reads

_QUERIES = load("bespeak.overview", "resources.sql")
_CURSOR_LENGTH_MAX = 1000
Sort: TypeAlias = Literal["starts_at", "sold", "name"]


class ResourceFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A resource with what is taken of its units at this moment. `free` and `units_total` are null
    where units go on with time; `revenue` is the prices of its bookings that are not cancelled;
    `double_sold` is recounted from the feed."""

    id: str
    name: str
    kind: str
    state: Literal["open", "closed"]
    starts_at: datetime | None
    time_zone: str
    closes_at: datetime | None
    sold: int
    held: int
    blocked: int
    free: int | None
    units_total: int | None
    revenue: Money
    double_sold: int


class ResourceFiguresPage(msgspec.Struct, frozen=True):
    """A page of resources; `next` is the cursor of the one after, null at the end."""

    items: list[ResourceFigures]
    next: str | None


class ResourceSearch(NamedTuple):
    """Which resources: with a text in their name or attributes (or with that id), of a kind, in a
    state, starting when; in which order; and of which workspace, or of all."""

    text: str | None
    kind: str | None
    state: str | None
    since: datetime | None
    until: datetime | None
    sort: Sort
    workspace: str | None = None


class _Cursor(msgspec.Struct, frozen=True, array_like=True):
    sort: Sort
    place: str
    number: int


class ResourceLists:
    def __init__(self, reads: Reads, ready_resources: ResourceCache) -> None:
        self._reads = reads
        self._ready_resources = ready_resources

    async def page(
        self, search: ResourceSearch, after: str | None, limit: int
    ) -> ResourceFiguresPage:
        """A page of resources. Raises InvalidCursor."""
        cursor = _read_cursor(after, search.sort)
        rows = await self._reads.run(
            lambda used: used.fetch(
                _QUERIES[f"by_{search.sort}"],
                *(None if cursor is None else cursor.place, 0 if cursor is None else cursor.number),
                *(search.kind, search.state, search.since, search.until),
                *(_pattern(search.text), _number(search.text), limit + 1, search.workspace),
            )
        )
        shown = rows[:limit]
        items = await self._figures(shown)
        if len(rows) <= limit:
            return ResourceFiguresPage(items, None)
        last = shown[-1]
        return ResourceFiguresPage(
            items, _cursor(_Cursor(search.sort, last["place"], last["resource_id"]))
        )

    async def _figures(self, rows: Sequence[Record]) -> list[ResourceFigures]:
        numbers = [row["resource_id"] for row in rows]
        # Holds are judged by these too: they are the primary's, whoever answered the list.
        versions = {row["resource_id"]: row["version"] for row in rows}
        ready_resources = await self._ready_resources.at_least(versions, None)
        counts = await self._reads.run(lambda used: used.fetch(_QUERIES["taken"], numbers))
        taken = {row["resource_id"]: row for row in counts}
        twice = await self._reads.run(lambda used: sold_twice(used, numbers))
        return [_figures_of(row, ready_resources, taken, twice) for row in rows]


def _figures_of(
    row: Record,
    ready_resources: Mapping[int, ReadyResource],
    taken: Mapping[int, Record],
    twice: Mapping[int, int],
) -> ResourceFigures:
    number: int = row["resource_id"]
    counts, ready = taken[number], ready_resources.get(number)
    total = None if ready is None else ready.plan.units_total()
    used = counts["sold"] + counts["held"] + counts["blocked"]
    shown = {
        "id": ids.show_resource(number),
        "free": None if total is None else max(0, total - used),
        "units_total": total,
        "revenue": {"amount": counts["amount"], "currency": row["currency"]},
        "double_sold": twice.get(number, 0),
    }
    return msgspec.convert({**row, **counts, **shown}, ResourceFigures)


def _pattern(text: str | None) -> str | None:
    if text is None:
        return None
    for sign in ("\\", "%", "_"):
        text = text.replace(sign, f"\\{sign}")
    return f"%{text}%"


def _number(text: str | None) -> int | None:
    try:
        return None if text is None else ids.parse_resource(text)
    except InvalidId:
        return None


def _cursor(cursor: _Cursor) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(cursor)).decode("ascii").rstrip("=")


def _read_cursor(text: str | None, sort: Sort) -> _Cursor | None:
    """The place that a cursor names. Raises InvalidCursor for one that this list in this order did
    not give out."""
    if text is None:
        return None
    try:
        if len(text) > _CURSOR_LENGTH_MAX:
            raise ValueError("too long")
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        cursor = msgspec.json.decode(raw, type=_Cursor)
        if cursor.sort != sort or "\x00" in cursor.place or not _is_place(cursor):
            raise ValueError("of another list")
    except (ValueError, binascii.Error, msgspec.MsgspecError) as error:
        raise InvalidCursor(after=text[:60]) from error
    return cursor


def _is_place(cursor: _Cursor) -> bool:
    """Whether the database can read the place as what it sorts by."""
    if not 0 < cursor.number <= ids.MAX_RESOURCE_NUMBER:
        return False
    if cursor.sort == "sold":
        return cursor.place.isdecimal() and cursor.place.isascii() and len(cursor.place) < 16
    if cursor.sort == "starts_at" and cursor.place != "infinity":
        return datetime.fromisoformat(cursor.place).tzinfo is not None
    return True
