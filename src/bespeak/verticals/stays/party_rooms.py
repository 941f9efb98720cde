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
from bespeak.verticals.stays.resource_parts import cots_among
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


class RoomType(NamedTuple):
    """Rooms that are alike: for how many guests each is, and beside them how many cots; how many
    are free, and what one costs full for the whole stay."""

    guests: int
    cots: int
    free: int
    price: int


class _FreeListing(NamedTuple):
    listing: views.Listing
    rooms: RoomType


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
    found = [await _free(engine, one, dates, party) for one in page.items]
    there = [one for one in found if one is not None]
    if there:  # one hold is paid in one currency: that of the first
        there = [one for one in there if _currency(one) == _currency(there[0])]
    return await _cheapest(engine, there, dates, party)


async def _free(
    engine: Engine, listing: views.Listing, dates: tuple[str, str], party: Party
) -> _FreeListing | None:
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
    rooms = RoomType(guests, cots_among(listing.beds), min(free, ROOMS_MAX), quote.total.amount)
    return _FreeListing(listing, rooms)


async def _cheapest(
    engine: Engine, there: Sequence[_FreeListing], dates: tuple[str, str], party: Party
) -> views.PartyRooms:
    best: tuple[tuple[int, int], list[Line], Quote] | None = None
    quoted = 0
    for chosen in room_sets([one.rooms for one in there], party):
        quoted += 1
        if quoted > SETS_QUOTED:
            break
        lines = _lines(there, chosen, dates, party)
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
    names = {one.listing.id: one.listing.name for one in there}
    rooms = [views.PartyRoom(names[one.resource_id], one.quantity or 1) for one in lines]
    return views.PartyRooms(rooms=rooms, lines=lines, price=quote.total, quote=quote)


def room_sets(types: Sequence[RoomType], party: Party) -> Iterator[_Chosen]:
    """Sets of rooms that hold the party, by what they cost, those that cost least first. No room
    is without an adult, where there is one."""
    rooms = min(ROOMS_MAX, party.guests - len(party.ages) or party.guests)
    rests = _rests(types, rooms, party)
    # Types are decided one after the other. What a set will cost at least is known exactly, so only
    # ways that lead to one of the next sets are gone; of equal ones those that are nearly there.
    whole = int(rests[0][rooms, party.guests, party.small])
    ways = [_Way(whole, 0, (), 0, party.guests, party.small)]
    while ways:
        way = heapq.heappop(ways)
        if way.sure >= _NEVER:
            return
        if way.left == 0:
            yield way.chosen
            continue
        place = -way.decided
        guests, cots, free, price = types[place]
        for count in range(min(free, rooms - len(way.chosen)) + 1):
            small = max(0, way.small - count * cots)
            left = max(0, way.left - count * guests - (way.small - small))
            cost, chosen = way.cost + count * price, (*way.chosen, *[place] * count)
            rest = int(rests[place + 1][rooms - len(chosen), left, small])
            heapq.heappush(ways, _Way(cost + rest, -place - 1, chosen, cost, left, small))
            if left == 0:
                break


class _Way(NamedTuple):
    """Rooms of the first types, chosen: what a set with them costs at least, and minus how many
    types were decided, which order the ways; then what they cost, how many guests are left, and how
    many of them there may be a cot for."""

    sure: int
    decided: int
    chosen: _Chosen
    cost: int
    left: int
    small: int


def _rests(types: Sequence[RoomType], rooms: int, party: Party) -> list[NDArray[np.int64]]:
    """For each type, what it costs at least to place so many guests in so many rooms of it and of
    those behind it: by rooms, guests, and those of them who can sleep in a cot. _NEVER: they do not
    hold them."""
    import numpy as np  # noqa: PLC0415 (which servers have, and the library alone has not)

    guests, small = np.arange(party.guests + 1)[:, None], np.arange(party.small + 1)
    none = np.full((rooms + 1, party.guests + 1, party.small + 1), _NEVER, dtype=np.int64)
    none[:, 0] = 0
    found = [none]
    for places, cots, free, price in reversed(types):
        without = found[-1]
        rest = without.copy()
        for count in range(1, min(free, rooms) + 1):
            not_in_cots = np.maximum(small - count * cots, 0)
            left = np.maximum(guests - count * places - (small - not_in_cots), 0)
            with_them = without[: rooms + 1 - count, left, not_in_cots] + count * price
            rest[count:] = np.minimum(rest[count:], with_them)
        found.append(rest)
    return found[::-1]


def _lines(
    there: Sequence[_FreeListing], chosen: _Chosen, dates: tuple[str, str], party: Party
) -> list[Line]:
    """The lines of a hold of these rooms, one a listing."""
    start, end = dates
    dealt = dealt_to([there[place].rooms for place in chosen], party)
    lines = []
    for place, count in sorted(Counter(chosen).items()):
        own = [one for at, one in zip(chosen, dealt, strict=True) if at == place]
        together = Party(
            sum(one.guests for one in own),
            tuple(sorted((age for one in own for age in one.ages), reverse=True)),
        )
        line = Line(there[place].listing.id, quantity=count, from_=start, to=end)
        lines.append(with_party(line, together))
    return lines


def dealt_to(rooms: Sequence[RoomType], party: Party) -> list[Party]:
    """The guests of each room, which hold all of them: dealt out one after the other, adults first
    and then the oldest children, to each room that has a place left; who is left goes into cots."""
    everyone: list[int | None] = [*[None] * (party.guests - len(party.ages)), *party.ages]
    beds = sum(room.guests for room in rooms)
    in_beds = _dealt(everyone[:beds], [room.guests for room in rooms])
    in_cots = _dealt(everyone[beds:], [room.cots for room in rooms])
    given = [[*own, *small] for own, small in zip(in_beds, in_cots, strict=True)]
    return [Party(len(own), tuple(age for age in own if age is not None)) for own in given]


def _dealt(guests: Sequence[int | None], places: Sequence[int]) -> list[list[int | None]]:
    """The guests of each room that has so many places, one after the other."""
    left = list(guests)
    given: list[list[int | None]] = [[] for _ in places]
    while left:
        for own, most in zip(given, places, strict=True):
            if left and len(own) < most:
                own.append(left.pop(0))
    return given


def _currency(one: _FreeListing) -> str:
    return one.listing.price.currency
