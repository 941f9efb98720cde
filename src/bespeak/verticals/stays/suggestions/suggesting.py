"""Suggests prices for the nights of a listing: reads its book once, and those of others like it in
the house only where its own history is thin.
"""

from __future__ import annotations

import asyncio
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak import ids
from bespeak.verticals.stays.board.house import nights_from
from bespeak.verticals.stays.errors import PropertyNotFound
from bespeak.verticals.stays.names import check_property_id
from bespeak.verticals.stays.suggestions import views
from bespeak.verticals.stays.suggestions.forms import PriceRule
from bespeak.verticals.stays.suggestions.history import (
    QUERIES,
    Book,
    ListingNights,
    alike,
    book_of,
    listing_nights,
)
from bespeak.verticals.stays.suggestions.method import (
    Bounds,
    NightStanding,
    PriceReason,
    Suggestion,
    suggest,
)
from bespeak.verticals.stays.suggestions.pickup import (
    COMPARABLE_MIN,
    LEAD_MAX,
    Expectation,
    NightCurve,
    When,
    comparable,
    expect,
    mean_booked,
)

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection
    from bespeak.verticals.stays.suggestions.forms import CurveQuestion, SuggestionsQuestion

_USUAL_STEP = 1_000


class _Histories(NamedTuple):
    """The past nights of a listing, and of it together with others like it."""

    own: list[NightCurve]
    all: list[NightCurve]

    def like(self, day: int, lead: int) -> list[NightCurve]:
        """The nights to compare with: its own where they are enough."""
        found = comparable(day, self.own, lead)
        return found if len(found) >= COMPARABLE_MIN else comparable(day, self.all, lead)


async def rule_of(connection: Connection, number: int) -> PriceRule | None:
    """Within which bounds prices of a listing are suggested."""
    row = await connection.fetchrow(QUERIES["rule"], number)
    return None if row is None else msgspec.convert(dict(row), PriceRule)


async def listings_of(connection: Connection, workspace: str, property_id: str) -> list[str]:
    """The ids of a property's listings. Raises PropertyNotFound, InvalidId."""
    check_property_id(property_id)
    rows = await connection.fetch(QUERIES["listings_of"], workspace, property_id)
    if not rows:
        raise PropertyNotFound(property_id=property_id)
    return [ids.show_resource(row["resource_id"]) for row in rows if row["resource_id"]]


async def suggestions(
    connection: Connection, workspace: str, listing_id: str, asked: SuggestionsQuestion
) -> views.SuggestedPrices:
    """Prices for nights from today on. Raises ListingNotFound, InvalidId, InvalidRequest."""
    listing = await listing_nights(connection, workspace, listing_id)
    rule = await rule_of(connection, listing.number)
    first = max(listing.today, listing.today if asked.from_ is None else asked.from_.toordinal())
    days = asked.days or (rule or PriceRule(least=1, most=1)).days_ahead
    nights = nights_from(date.fromordinal(first), days)
    end = min(nights.last.toordinal(), listing.today + LEAD_MAX)
    book = await book_of(connection, listing, max(listing.today, end))
    histories = await _histories(connection, workspace, listing, book, range(first, end))
    # In a thread: a year of nights takes a moment that others need not wait for.
    items = await asyncio.to_thread(
        lambda: [_shown(listing, rule, book, histories, day) for day in range(first, end)]
    )
    return views.SuggestedPrices(
        listing_id=listing.id,
        version=listing.version,
        currency=listing.currency,
        from_=nights.first,
        to=date.fromordinal(max(first, end)),
        rule=rule,
        items=items,
    )


async def pick_up(
    connection: Connection, workspace: str, listing_id: str, asked: CurveQuestion
) -> views.PickUp:
    """The curve of a night beside that of comparable ones. Raises ListingNotFound, InvalidId."""
    listing = await listing_nights(connection, workspace, listing_id)
    day = listing.today if asked.date is None else asked.date.toordinal()
    if not listing.today <= day < listing.today + LEAD_MAX:
        day = max(listing.today, min(day, listing.today + LEAD_MAX - 1))
    book = await book_of(connection, listing, day + 1)
    histories = await _histories(connection, workspace, listing, book, range(day, day + 1))
    lead, night = day - listing.today, book.ahead[day]
    like = histories.like(day, lead)
    begins = max([lead, *(_begins(one) for one in (night, *like))])

    def point(before: int) -> views.PickUpPoint:
        when = When(listing.today, before, 1.0)
        expected = round(mean_booked(night.rooms, when, like), 2) if like else None
        booked = round(night.booked[before]) if before >= lead else None
        return views.PickUpPoint(before, booked, expected)

    return views.PickUp(
        listing_id=listing.id,
        date=date.fromordinal(day),
        rooms=night.rooms,
        comparable=len(like),
        points=[point(before) for before in range(begins, -1, -1)],
    )


def _begins(night: NightCurve) -> int:
    """How many days before a night its first room was booked."""
    return next((lead for lead in range(LEAD_MAX - 1, -1, -1) if night.booked[lead] > 0), 0)


async def _histories(
    connection: Connection, workspace: str, listing: ListingNights, book: Book, days: range
) -> _Histories:
    def is_thin() -> bool:
        return any(
            len(comparable(day, book.past, day - listing.today)) < COMPARABLE_MIN for day in days
        )

    thin = await asyncio.to_thread(is_thin)
    nights = list(book.past)
    if thin:
        for other in await alike(connection, workspace, listing):
            nights += (await book_of(connection, other, other.today)).past
    return _Histories(book.past, nights)


def _shown(
    listing: ListingNights, rule: PriceRule | None, book: Book, histories: _Histories, day: int
) -> views.SuggestedPrice:
    prices, night, lead = listing.prices, book.ahead[day], day - listing.today
    when = When(listing.today, lead, listing.day_share)
    like = histories.like(day, lead)
    expected = expect(night.rooms, when, like)
    booked = round(night.booked[0])
    taken = max(booked, book.taken.get(day, 0))
    standing = NightStanding(
        lead, night.rooms, taken, max(0.0, night.demand[0]), prices.usual(day), prices.now(day)
    )
    found = _suggested(listing, day, standing, expected, _bounds(rule, standing.usual))
    return views.SuggestedPrice(
        date=date.fromordinal(day),
        days_before=lead,
        now=standing.now,
        usual=standing.usual,
        price=found.price,
        bounds=list(found.bounds),
        reason=found.reason,
        rooms=night.rooms,
        booked=booked,
        expected=None if expected is None else round(expected.booked, 2),
        forecast=None if found.forecast is None else round(found.forecast, 2),
        comparable=len(like),
        applied=standing.now != standing.usual and day in prices.suggested(),
    )


def _suggested(
    listing: ListingNights,
    day: int,
    standing: NightStanding,
    expected: Expectation | None,
    bounds: Bounds,
) -> Suggestion:
    if listing.prices.rules.night(day).closed:
        return Suggestion(None, PriceReason.CLOSED)
    if listing.prices.is_by_hand(day):
        return Suggestion(None, PriceReason.SET_BY_HAND)
    return suggest(standing, expected, bounds)


def _bounds(rule: PriceRule | None, usual: int) -> Bounds:
    """Those of the rule. Where there is none, half and twice of what is usual: nothing is applied
    without a rule."""
    if rule is None:
        return Bounds(max(1, usual // 2), max(1, usual * 2), _USUAL_STEP, 1)
    return Bounds(rule.least, rule.most, rule.step, rule.multiple)
