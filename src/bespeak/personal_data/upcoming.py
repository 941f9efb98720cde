"""Which bookings stand and are not over: who erases their owner takes the address to which a change
of plans would be told. What has no date is not over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.inventory.resources import ReadyResource
from bespeak.postgres.queries import load
from bespeak.reservations.holds import booking_of
from bespeak.reservations.lines import BookedLine
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.states import BookingState
from bespeak.ticketing.occasions import occasion_of

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.personal_data", "upcoming.sql")


class Upcoming:
    """Tells upcoming bookings from those that are over or were cancelled."""

    def __init__(self, ready_resources: ResourceCache) -> None:
        self._ready_resources = ready_resources

    async def among(
        self, connection: Connection, rows: Sequence[Record], now: datetime
    ) -> list[Record]:
        """Those of the rows, each with a `hold` and a `booking`, that are upcoming."""
        standing = [row for row in rows if row["booking"]["state"] == BookingState.CONFIRMED]
        numbers = sorted({number for row in standing for number in row["hold"]["resources"]})
        found = await connection.fetch(_QUERIES["versions"], numbers)
        versions = {row["resource_id"]: row["version"] for row in found}
        # As they are now: a show that was put off is not over because this process has not heard.
        ready = await self._ready_resources.at_least(versions, connection)
        return [row for row in standing if _is_upcoming(row, ready, now)]


def _is_upcoming(row: Record, ready: Mapping[int, ReadyResource], now: datetime) -> bool:
    lines = booking_of(row["hold"], row["booking"]).lines
    return any(
        line.cancelled_quantity < (line.quantity or 1) and not _is_over(line, ready, now)
        for line in lines
    )


def _is_over(line: BookedLine, ready: Mapping[int, ReadyResource], now: datetime) -> bool:
    of = ready.get(ids.parse_resource(line.resource_id))
    if of is None:
        return False
    occasion = occasion_of(of, line)
    ends = occasion.end or occasion.start
    if isinstance(ends, datetime):
        return ends <= now
    # The last night ends in the morning of its second date, by the clocks of the place.
    return isinstance(ends, date) and ends < now.astimezone(of.zone).date()
