"""The house that is asked about: whether it is there, which day it is by its clocks, its listings
with their plans, and which nights are meant.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.inventory.shapes.nights.night_rules import NightRules
from bespeak.postgres.queries import load
from bespeak.verticals.stays.errors import PropertyNotFound
from bespeak.verticals.stays.listings import LISTINGS_MAX
from bespeak.verticals.stays.names import check_property_id
from bespeak.verticals.stays.shown import plan_of
from bespeak.verticals.stored_texts import StoredTexts

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection
    from bespeak.verticals.stays.catalogue import StaysReader

QUERIES = load("bespeak.verticals.stays.board", "board.sql")


class Nights(NamedTuple):
    """The nights from `first` until before `last`."""

    first: date
    last: date

    @property
    def texts(self) -> tuple[str, str]:
        """Both ends as claims write them."""
        return self.first.isoformat(), self.last.isoformat()

    @property
    def ordinals(self) -> range:
        return range(self.first.toordinal(), self.last.toordinal())


class HouseRow(NamedTuple):
    """A listing of the house."""

    number: int
    name: str
    stored_name: str
    currency: str
    rules: NightRules

    @property
    def id(self) -> str:
        return ids.show_resource(self.number)


async def today_at(connection: Connection, reader: StaysReader, property_id: str) -> date:
    """Which day it is at a property. Raises PropertyNotFound, InvalidId."""
    check_property_id(property_id)
    today: date | None = await connection.fetchval(QUERIES["house"], reader.workspace, property_id)
    if today is None:
        raise PropertyNotFound(property_id=property_id)
    return today


def nights_from(start: date, days: int, field: str = "from") -> Nights:
    """So many nights. Raises InvalidRequest behind the last day that there is."""
    try:
        return Nights(start, start + timedelta(days=days))
    except OverflowError as error:
        raise InvalidRequest(f"{field}: no calendar goes on so long", field=field) from error


async def rows_of(
    connection: Connection,
    reader: StaysReader,
    property_id: str,
    after: tuple[str, int] | None = None,
    limit: int = LISTINGS_MAX,
) -> list[HouseRow]:
    """Its listings by name, so many at most; their names in the reader's language."""
    found = await connection.fetch(QUERIES["rows"], property_id, *(after or (None, None)), limit)
    return [
        HouseRow(
            row["resource_id"],
            StoredTexts(reader.language, row["translations"])(row["name"]),
            row["name"],
            row["currency"],
            NightRules(plan_of(row)),
        )
        for row in found
    ]


def rooms_in(row: HouseRow, day: int) -> int:
    """How many rooms a listing has in a night: those that are there, not those overbooked."""
    capacity = row.rules.night(day).capacity
    return max(0, capacity - row.rules.plan.overbooking) if capacity else 0
