"""Ranges of time as queries, blocks and offers have them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from msgspec import UNSET

from bespeak.errors import InvalidRequest
from bespeak.inventory.line_checks import check_query
from bespeak.inventory.plans import (
    CLAIMS_MAX,
    AvailabilityQuery,
    CompiledPlan,
    SaleContext,
    ShownClaim,
    When,
)
from bespeak.inventory.timeline.instants import (
    DAY,
    day_start,
    edge_of,
    end_of,
    instant_of,
    is_date,
    local_day,
)
from bespeak.inventory.timeline.raster import NOW, Raster
from bespeak.lines import Line


class RasterPlan(CompiledPlan):
    """A plan whose claims are cells of a raster, so that what overlaps in time collides in the
    database."""

    raster: Raster
    range_kind = "times"

    def has(self, unit: str) -> bool:
        """Whether it is a cell of the raster, of a track of the plan, by its one name."""
        return self.raster.cell_of(unit) is not None

    def shown_claim(self, unit: str, zone: ZoneInfo) -> ShownClaim:
        return self.raster.shown_claim(unit, zone)

    def when(self, start: str, end: str | None, zone: ZoneInfo) -> tuple[When, When | None]:
        """The ends as times in UTC. Raises InvalidRequest."""
        first = datetime.fromtimestamp(instant_of(start, zone, "lines"), UTC)
        if end is None:
            return first, None
        return first, datetime.fromtimestamp(instant_of(end, zone, "lines"), UTC)


class AskedRange(NamedTuple):
    """What an availability is asked for: instants, as seconds since 1970, and how many."""

    first: int
    past: int
    quantity: int


def asked_range(
    query: AvailabilityQuery,
    sale: SaleContext,
    days: int,
    days_max: int,
    *,
    takes_rate: bool = False,
) -> AskedRange:
    """The range of a query: from today and for so many days, unless it says otherwise.
    Raises InvalidRequest."""
    zone = sale.zone
    check_query(query, takes_rate=takes_rate)
    if query.from_ is None:
        first = day_start(zone, local_day(sale.now.timestamp(), zone))
    else:
        first = edge_of(query.from_, zone, "from")
    if query.to is None:
        past = day_start(zone, local_day(first, zone) + days)
    else:
        past = edge_of(query.to, zone, "to")
    if past <= first:
        raise InvalidRequest("`to` is not after `from`", field="to")
    if past - first > (days_max + 1) * DAY:  # a day of grace for dates of 25 hours
        raise InvalidRequest(f"availability is of at most {days_max} days", field="to")
    return AskedRange(first, past, query.quantity)


def nearness(asked: int, zone: ZoneInfo) -> Callable[[int], tuple[bool, int, int]]:
    """A key that sorts instants by how near they are to the asked one: those of its date first, of
    two as near the earlier."""
    date = local_day(asked, zone)
    since, until = day_start(zone, date), day_start(zone, date + 1)
    return lambda start: (not since <= start < until, abs(start - asked), start)


def block_cells(raster: Raster, line: Line, sale: SaleContext, length: int | None) -> range:
    """The cells of the range of a block, dates or times in or out of hours, rounded outwards. `now`
    is a beginning, and so many seconds are its length if it does not end. Raises InvalidRequest."""
    if line.from_ is UNSET or (line.to is UNSET and length is None):
        raise InvalidRequest("this line needs `from` and `to`", field="lines")
    if line.from_ == NOW:
        start = raster.down(sale.now.timestamp()) * raster.seconds
    else:
        start = edge_of(line.from_, sale.zone, "lines.from")
    if line.to is UNSET:
        end = start + (length or 0)
    elif is_date(line.to):
        end = edge_of(line.to, sale.zone, "lines.to")
    else:
        end = end_of(line.to, start, sale.zone, "lines.to")
    if end <= start:
        raise InvalidRequest("`to` is not after `from`", field="lines.to")
    return range(raster.down(start), raster.up(end))


def check_block(tracks: int, cells: range) -> None:
    """Raises InvalidRequest for a block of more claims than one line may have."""
    claims = tracks * len(cells)
    if claims > CLAIMS_MAX:
        instead = "a shorter range" if tracks == 1 else "a shorter range, or one `unit`"
        raise InvalidRequest(
            f"a block of {claims} claims is more than {CLAIMS_MAX}: block {instead}",
            field="lines",
        )
