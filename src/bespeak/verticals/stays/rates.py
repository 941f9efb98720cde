"""The rates of a stay in a listing: at which ones it can be had, what each costs in all, part by
part, and what it gives back. Whether rooms are free is said by the calendar.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import msgspec

from bespeak.errors import NotOnSale
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.nights.rates import NightRate
from bespeak.lines import Line
from bespeak.money import Money
from bespeak.parties import Party, of_rooms, with_party
from bespeak.translations import words_in
from bespeak.verticals.stays import views
from bespeak.verticals.stays.ages import read_ages
from bespeak.verticals.stays.errors import InvalidStay, ListingNotFound
from bespeak.verticals.stays.stay_dates import nights_between

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.pricing.quotes import Quote
    from bespeak.verticals.stays.queries import RatesQuestion


async def rates(
    engine: Engine, found: views.Listing, asked: RatesQuestion, language: str | None
) -> views.StayRates:
    """The usual rate and those to choose from, in their order. Raises InvalidStay,
    InvalidRequest, ListingNotFound."""
    start, end = _dates(asked)
    nights = nights_between(start, end, engine.clock.now())
    resource = await engine.get_resource(found.id)
    plan = resource.plan
    if not isinstance(plan, NightsPlan):
        raise ListingNotFound(listing_id=found.id)
    party = _party(found, plan, asked)
    if plan.rooms is not None and asked.rooms > len(plan.rooms):
        raise InvalidStay(
            f"the listing has {len(plan.rooms)} rooms", field="rooms", bound=len(plan.rooms)
        )
    line = with_party(
        Line(
            found.id,
            quantity=asked.rooms,
            from_=start.isoformat(),
            to=end.isoformat(),
        ),
        party,
    )
    words = words_in(language, resource.translations)
    items = []
    for rate in (None, *plan.rates):
        shown = _shown(rate, words.get(rate.name, rate.name) if rate is not None else None)
        at_rate = line if rate is None else msgspec.structs.replace(line, rate=rate.name)
        try:
            quote = await engine.quote(_lines(at_rate, plan, asked.rooms))
        except NotOnSale as refused:
            items.append(msgspec.structs.replace(shown, reasons=_reasons(refused)))
            continue
        items.append(_priced(shown, quote, nights * asked.rooms))
    return views.StayRates(items)


def _dates(asked: RatesQuestion) -> tuple[date, date]:
    """The days of arrival and departure. Raises InvalidStay."""
    if asked.start is None or asked.end is None:
        field = "start" if asked.start is None else "end"
        raise InvalidStay("a stay has a `start` and an `end`", field=field)
    return asked.start, asked.end


def _party(found: views.Listing, plan: NightsPlan, asked: RatesQuestion) -> Party:
    """The guests. Raises InvalidStay, InvalidRequest."""
    party = Party(asked.guests, read_ages(asked.ages, asked.guests))
    most = found.guests * asked.rooms
    if party.in_beds(plan.cots * asked.rooms) > most:
        raise InvalidStay(
            f"so many rooms are for {most} guests at most", field="guests", bound=most
        )
    if asked.guests < asked.rooms:
        raise InvalidStay("each room has a guest", field="guests", bound=asked.rooms)
    return party


def _lines(line: Line, plan: NightsPlan, rooms: int) -> list[Line]:
    """What is quoted: exact rooms by their names, whether or not they are the ones that are free,
    because all of them cost the same."""
    if plan.rooms is None:
        return [line]
    return [
        msgspec.structs.replace(of_rooms(line, place, 1), unit=room, quantity=None)
        for place, room in enumerate(plan.rooms[:rooms])
    ]


def _shown(rate: NightRate | None, name: str | None) -> views.StayRate:
    if rate is None:
        return views.StayRate(rate=None, name=None, meals="none", sold=False)
    return views.StayRate(rate=rate.name, name=name, meals=rate.meals, sold=False)


def _priced(shown: views.StayRate, quote: Quote, room_nights: int) -> views.StayRate:
    total = quote.total
    return msgspec.structs.replace(
        shown,
        sold=True,
        price=total,
        price_per_night=Money(round(total.amount / room_nights), total.currency),
        quote=quote,
    )


def _reasons(refused: NotOnSale) -> list[views.StayReason]:
    return msgspec.convert(refused.data["reasons"], list[views.StayReason])
