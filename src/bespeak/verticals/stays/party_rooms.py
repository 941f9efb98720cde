"""Rooms of one property for a party that no room of it holds: the cheapest set of them, also of
several listings, as the lines of one hold. Sets are found by what their rooms cost full, those that
cost least first; some are quoted as a hold would be, and the cheapest of these is proposed.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bespeak.errors import InvalidRequest, Refused
from bespeak.inventory.plans import AvailabilityQuery
from bespeak.inventory.shapes.nights.availability import NightsAvailability
from bespeak.lines import Line
from bespeak.parties import Party, with_party
from bespeak.verticals.stays import catalogue, views
from bespeak.verticals.stays.ages import read_ages
from bespeak.verticals.stays.errors import InvalidStay
from bespeak.verticals.stays.queries import ListingsQuestion, PartyQuestion
from bespeak.verticals.stays.stay_dates import nights_between

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bespeak.engine import Engine
    from bespeak.pricing.quotes import Quote
    from bespeak.verticals.stays.catalogue import StaysReader

LISTINGS_TRIED = 20
"""Of a property with more, the first by name are looked at."""
ROOMS_MAX = 10
SETS_QUOTED = 12
_NEVER = 1 << 62
"""More than any rooms cost."""

_Chosen: TypeAlias = "tuple[int, ...]"


class _RoomType(NamedTuple):
    """A listing that has rooms free: for how many guests each, how many, and what one costs full
    for the whole stay."""

    listing: views.Listing
    guests: int
    free: int
    price: int


async def propose(
    engine: Engine, reader: StaysReader, property_id: str, asked: PartyQuestion
) -> views.PartyRooms:
    """The cheapest rooms for a party at the usual rates; no rooms: it cannot be placed there.
    Raises InvalidStay, InvalidRequest, InvalidId, PropertyNotFound."""
    await engine.reads.run(partial(catalogue.read_property, reader=reader, property_id=property_id))
    if asked.start is None or asked.end is None:
        field = "start" if asked.start is None else "end"
        raise InvalidStay("a stay has a `start` and an `end`", field=field)
    nights_between(asked.start, asked.end, engine.clock.now())
    party = Party(asked.guests, read_ages(asked.ages, asked.guests))
    which = ListingsQuestion(property=property_id, limit=LISTINGS_TRIED)
    page = await engine.reads.run(partial(catalogue.listings, reader=reader, asked=which))
    dates = asked.start.isoformat(), asked.end.isoformat()
    found = [await _room_type(engine, one, dates, party) for one in page.items]
    types = [one for one in found if one is not None]
    if types:  # one hold is paid in one currency: that of the first
        types = [one for one in types if _currency(one) == _currency(types[0])]
    return await _cheapest(engine, types, dates, party)


async def _room_type(
    engine: Engine, listing: views.Listing, dates: tuple[str, str], party: Party
) -> _RoomType | None:
    """Raises nothing for what cannot be had on these dates: then it is none."""
    start, end = dates
    guests = min(listing.guests, party.guests)
    query = AvailabilityQuery(from_=start, to=end)
    try:
        calendar = await engine.availability(listing.id, query, form=NightsAvailability)
        free = min((night.free for night in calendar.nights), default=0)
        if free < 1:
            return None
        full = Line(listing.id, quantity=1, from_=start, to=end, guests=guests)
        quote = await engine.quote([full])
    except (Refused, InvalidRequest):
        return None
    return _RoomType(listing, guests, min(free, ROOMS_MAX), quote.total.amount)


async def _cheapest(
    engine: Engine, types: Sequence[_RoomType], dates: tuple[str, str], party: Party
) -> views.PartyRooms:
    best: tuple[tuple[int, int], list[Line], Quote] | None = None
    quoted = 0
    for chosen in room_sets([one[1:] for one in types], party):
        quoted += 1
        if quoted > SETS_QUOTED:
            break
        lines = _lines(types, chosen, dates, party)
        try:
            quote = await engine.quote(lines)
        except (Refused, InvalidRequest):
            continue  # no rooms that stay the same all the nights, or not so many of them
        rank = quote.total.amount, len(chosen)
        if best is None or rank < best[0]:
            best = rank, lines, quote
    if best is None:
        return views.PartyRooms(rooms=[], lines=[], price=None, quote=None)
    _, lines, quote = best
    names = {one.listing.id: one.listing.name for one in types}
    rooms = [views.PartyRoom(names[one.resource_id], one.quantity or 1) for one in lines]
    return views.PartyRooms(rooms=rooms, lines=lines, price=quote.total, quote=quote)


def room_sets(types: Sequence[tuple[int, int, int]], party: Party) -> Iterator[_Chosen]:
    """Sets of rooms that hold the party, by what they cost, those that cost least first. A type
    says for how many guests a room is, how many there are, and what one costs. No room is without
    an adult, where there is one."""
    rooms = min(ROOMS_MAX, party.guests - len(party.ages) or party.guests)
    rests = _rests(types, rooms, party.guests)
    # Types are decided one after the other. What a set will cost at least is known exactly, so only
    # ways that lead to one of the next sets are gone; of equal ones those that are nearly there.
    ways = [_Way(int(rests[0][rooms, party.guests]), 0, (), 0, party.guests)]
    while ways:
        way = heapq.heappop(ways)
        if way.sure >= _NEVER:
            return
        if way.left == 0:
            yield way.chosen
            continue
        place = -way.decided
        guests, free, price = types[place]
        for count in range(min(free, rooms - len(way.chosen)) + 1):
            cost, left = way.cost + count * price, max(0, way.left - count * guests)
            chosen = (*way.chosen, *[place] * count)
            rest = int(rests[place + 1][rooms - len(chosen), left])
            heapq.heappush(ways, _Way(cost + rest, -place - 1, chosen, cost, left))
            if left == 0:
                break


class _Way(NamedTuple):
    """Rooms of the first types, chosen: what a set with them costs at least, and minus how many
    types were decided, which order the ways; then what they cost, and how many guests are left."""

    sure: int
    decided: int
    chosen: _Chosen
    cost: int
    left: int


def _rests(
    types: Sequence[tuple[int, int, int]], rooms: int, guests: int
) -> list[NDArray[np.int64]]:
    """For each type, what it costs at least to place so many guests (columns) in so many rooms
    (rows) of it and of those behind it; _NEVER: they do not hold them."""
    import numpy as np  # noqa: PLC0415 (which servers have, and the library alone has not)

    none = np.full((rooms + 1, guests + 1), _NEVER, dtype=np.int64)
    none[:, 0] = 0
    found = [none]
    for places, free, price in reversed(types):
        without = found[-1]
        rest = without.copy()
        for count in range(1, min(free, rooms) + 1):
            left = np.maximum(np.arange(guests + 1) - count * places, 0)
            with_them = without[: rooms + 1 - count, left] + count * price
            rest[count:] = np.minimum(rest[count:], with_them)
        found.append(rest)
    return found[::-1]


def _lines(
    types: Sequence[_RoomType], chosen: _Chosen, dates: tuple[str, str], party: Party
) -> list[Line]:
    """The lines of a hold of these rooms, one a listing. Guests are dealt out one after the other,
    adults first and then the oldest children, to each room that has a place left."""
    start, end = dates
    dealt = dealt_to([types[place].guests for place in chosen], party)
    lines = []
    for place, count in sorted(Counter(chosen).items()):
        own = [one for at, one in zip(chosen, dealt, strict=True) if at == place]
        together = Party(
            sum(one.guests for one in own),
            tuple(sorted((age for one in own for age in one.ages), reverse=True)),
        )
        line = Line(types[place].listing.id, quantity=count, from_=start, to=end)
        lines.append(with_party(line, together))
    return lines


def dealt_to(rooms: Sequence[int], party: Party) -> list[Party]:
    """The guests of each room, which hold all of them."""
    everyone: list[int | None] = [*[None] * (party.guests - len(party.ages)), *party.ages]
    given: list[list[int | None]] = [[] for _ in rooms]
    while everyone:
        for own, places in zip(given, rooms, strict=True):
            if everyone and len(own) < places:
                own.append(everyone.pop(0))
    return [Party(len(own), tuple(age for age in own if age is not None)) for own in given]


def _currency(one: _RoomType) -> str:
    return one.listing.price.currency
