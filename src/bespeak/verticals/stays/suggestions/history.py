"""Reads what was booked of the nights of listings: curves of past nights, and how those to come
stand now.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.postgres.queries import load
from bespeak.verticals.stays.errors import ListingNotFound
from bespeak.verticals.stays.shown import plan_of
from bespeak.verticals.stays.suggestions.pickup import LEAD_MAX, Change, NightCurve, night_of
from bespeak.verticals.stays.suggestions.priced_nights import PricedNights

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

QUERIES = load("bespeak.verticals.stays.suggestions", "suggestions.sql")
LOOK_BACK_DAYS = 730
"""How many days back nights are compared with."""
ALIKE_MAX = 20
# A booking at the double of the usual price, or more, counts as two rooms: what was paid may have
# more in it than the room.
_WORTH_MIN, _WORTH_MAX = 0.5, 2.0


class ListingNights(NamedTuple):
    """A listing as prices are suggested for it: its prices, what day it is there, which share of it
    has gone, and since when the listing is there."""

    number: int
    property_id: str
    guests: int
    currency: str
    version: int
    prices: PricedNights
    today: int
    day_share: float
    since: int
    zone: str

    @property
    def id(self) -> str:
        return ids.show_resource(self.number)

    def rooms(self, day: int) -> int:
        """How many rooms are to be sold in a night, overbooked ones too."""
        return self.prices.rules.night(day).capacity

    def worth(self, paid: float, day: int) -> float:
        """How many rooms at the usual price a room counts for which so much was paid."""
        plan, usual = self.prices.rules.plan, self.prices.usual(day)
        # What guests pay for themselves is in what was paid: no price of the room is known then.
        if usual <= 0 or plan.guest_price or any(rate.guest_amount for rate in plan.rates):
            return 1.0
        return min(_WORTH_MAX, max(_WORTH_MIN, paid / usual))


class Book(NamedTuple):
    """The nights of a listing: those of the past with their curves, and what is booked, held and
    blocked of those to come."""

    past: list[NightCurve]
    ahead: dict[int, NightCurve]
    taken: dict[int, int]
    blocked: dict[int, int]


async def listing_nights(connection: Connection, workspace: str, listing_id: str) -> ListingNights:
    """A listing by its id. Raises ListingNotFound, InvalidId."""
    number = ids.parse_resource(listing_id)
    row = await connection.fetchrow(QUERIES["listing"], workspace, number)
    if row is None:
        raise ListingNotFound(listing_id=listing_id)
    return _listing_of(row)


async def locked_listing_nights(
    connection: Connection, workspace: str, listing_id: str
) -> ListingNights:
    """The same, and its resource stays as it is until the transaction ends: who writes what was
    worked out from it overwrites nobody's change. Raises ListingNotFound, InvalidId."""
    await connection.execute(QUERIES["lock_resource"], ids.parse_resource(listing_id))
    return await listing_nights(connection, workspace, listing_id)


def _listing_of(row: Record) -> ListingNights:
    return ListingNights(
        number=row["resource_id"],
        property_id=row["property_id"],
        guests=row["guests"],
        currency=row["currency"],
        version=row["version"],
        prices=PricedNights(plan_of(row), row["price_amount"]),
        today=row["today"].toordinal(),
        day_share=row["day_share"],
        since=row["since"].toordinal(),
        zone=row["time_zone"],
    )


async def alike(
    connection: Connection, workspace: str, listing: ListingNights
) -> list[ListingNights]:
    """Other listings of the house whose rooms are for as many guests."""
    told = (listing.property_id, listing.guests, listing.currency, listing.number, ALIKE_MAX)
    rows = await connection.fetch(QUERIES["alike"], *told)
    return [
        await listing_nights(connection, workspace, ids.show_resource(row["resource_id"]))
        for row in rows
    ]


async def book_of(connection: Connection, listing: ListingNights, last: int) -> Book:
    """The nights of a listing from the look-back until before the day `last`."""
    first = max(listing.today - LOOK_BACK_DAYS, listing.since)
    names = ([listing.number], [listing.id])
    span = (date.fromordinal(first).isoformat(), date.fromordinal(last).isoformat())
    changes = await connection.fetch(
        QUERIES["changes"], *names, *span, date.fromordinal(first - LEAD_MAX), listing.zone
    )
    taken, blocked = await _taken(connection, listing, span)
    # In a thread: the curves of three years take a moment that others need not wait for.
    return await asyncio.to_thread(_made, listing, range(first, last), changes, taken, blocked)


def _made(
    listing: ListingNights,
    days: range,
    changes: Sequence[Record],
    taken: dict[int, int],
    blocked: dict[int, int],
) -> Book:
    by_night: dict[int, list[Change]] = defaultdict(list)
    for row in changes:
        day, rooms = row["night"].toordinal(), row["rooms"]
        paid = row["worth"] / rooms if rooms else 0.0
        by_night[day].append(Change(row["lead"], rooms, rooms * listing.worth(paid, day)))
    nights = [
        night_of(
            day,
            max(0, listing.rooms(day) - blocked.get(day, 0)),
            by_night.get(day, ()),
            listing.since,
        )
        for day in days
    ]
    ahead = {night.day: night for night in nights if night.day >= listing.today}
    return Book([night for night in nights if night.day < listing.today], ahead, taken, blocked)


async def _taken(
    connection: Connection, listing: ListingNights, span: Sequence[str]
) -> tuple[dict[int, int], dict[int, int]]:
    """What is taken of each night by holds and bookings, and what is blocked."""
    taken: dict[int, int] = {}
    blocked: dict[int, int] = {}
    for row in await connection.fetch(QUERIES["taken"], [listing.number], *span):
        day = date.fromisoformat(row["night"]).toordinal()
        (blocked if row["blocked"] else taken)[day] = row["rooms"]
    return taken, blocked
