"""The houses of the demo, each made of its number alone: whoever makes it again, alone or among a
million, makes the same. Their names are words that no house has.
"""

from __future__ import annotations

import random
from datetime import date
from functools import cache
from typing import NamedTuple, TypeVar

import msgspec

from bespeak.inventory.payment_rules import PaymentRule
from bespeak.translations import merged
from bespeak.verticals.stays.demo.lists import (
    SEED,
    DemoHouseKind,
    DemoTown,
    NameWords,
    house_kinds,
    in_other_tongues,
    name_words,
    sentences,
    towns,
)
from bespeak.verticals.stays.demo.pictures import house_pictures
from bespeak.verticals.stays.demo.rates import names_in
from bespeak.verticals.stays.demo.spread import OUTSIDE, place_of_house
from bespeak.verticals.stays.demo.terms import LetPart, terms_of
from bespeak.verticals.stays.forms import NewListing, NewProperty, RatedElsewhere, ShownPicture
from bespeak.verticals.stays.words import Amenity, PropertyKind

_HOUSE_NUMBER_MAX = 180
_QUALITY = (0.0, 0.28)  # of prices: the logarithm's middle and spread
_OWN_LANGUAGE = 0.6
_AMENITY = 0.4
_RATED = 0.85
_RATING = (8.1, 0.9)
_RATINGS = (4.2, 1.3)  # the logarithm's middle and spread
RATING_SOURCE = "Guests invented for this demo"
_Said = TypeVar("_Said", NewProperty, NewListing)


class DemoLetting(NamedTuple):
    """On which terms the houses are let: what is said of paying, and the day from which on."""

    payment: PaymentRule
    today: date


class DemoHouse(NamedTuple):
    """A house and what it lets."""

    said: NewProperty
    listings: tuple[NewListing, ...]


def house(number: int, property_id: str, letting: DemoLetting) -> DemoHouse:
    """The house with this number, which counts from 1, under an id that was made for it."""
    dice = random.Random(f"{SEED} {number}")
    town = dice.choices(towns(), _weights())[0]
    kinds = house_kinds()
    kind = dice.choices([*kinds], [one.share for one in kinds.values()])[0]
    of_kind = kinds[kind]
    said = _property(house_ref(number), town, kind, dice)
    quality = dice.lognormvariate(*_QUALITY)
    if said.stars is not None:
        quality *= 0.55 + 0.15 * said.stars
    rooms = dice.sample(of_kind.rooms, min(dice.randint(*of_kind.lets), len(of_kind.rooms)))
    rooms.sort(key=of_kind.rooms.index)
    refs = [f"{said.ref}-{place}" for place in range(1, len(rooms) + 1)]
    lets = [LetPart(town, kind, of_kind, room) for room in rooms]
    listings = [
        _listing(NewPlace(property_id, ref, letting), let, quality, dice)
        for ref, let in zip(refs, lets, strict=True)
    ]
    said = msgspec.structs.replace(said, rated_elsewhere=_rated(house_ref(number)))
    shown = house_pictures(house_ref(number), kind, rooms)
    return DemoHouse(
        _with_pictures(said, shown.of_house),
        tuple(map(_with_pictures, listings, shown.of_rooms)),
    )


def _rated(ref: str) -> RatedElsewhere | None:
    """What invented guests think of a house; some have none yet."""
    dice = random.Random(f"{SEED} ratings {ref}")
    if dice.random() > _RATED:
        return None
    rating = round(min(9.9, max(4.0, dice.gauss(*_RATING))), 1)
    return RatedElsewhere(rating, 1 + int(dice.lognormvariate(*_RATINGS)), RATING_SOURCE)


def _with_pictures(said: _Said, pictures: tuple[ShownPicture, ...]) -> _Said:
    """The same with pictures, and what is to be seen in them in other languages."""
    texts = ((one.description,) for one in pictures)
    words = merged(said.translations, in_other_tongues(*texts))
    return msgspec.structs.replace(said, pictures=pictures, translations=words)


def house_ref(number: int) -> str:
    """How a house is found again; the order of references is that of numbers."""
    return f"demo-{number:07}"


class NewPlace(NamedTuple):
    """Where a listing goes, and by which reference it is found again."""

    property_id: str
    ref: str
    letting: DemoLetting


def _property(ref: str, town: DemoTown, kind: PropertyKind, dice: random.Random) -> NewProperty:
    of_kind, words = house_kinds()[kind], _words_for(town, dice)
    lat, lon = place_of_house(town, kind, dice)
    texts = sentences()
    around = texts.country if kind in OUTSIDE else texts.town
    summary = (dice.choice(of_kind.says), dice.choice(around), dice.choice(texts.invented))
    name = words.joined.format(dice.choice(words.first), dice.choice(words.second))
    street = dice.choice(words.streets).format(dice.randint(1, _HOUSE_NUMBER_MAX))
    return NewProperty(
        ref=ref,
        name=dice.choice(words.of[kind]).format(name),
        kind=kind,
        stars=None if of_kind.stars is None else dice.randint(*of_kind.stars),
        lat=lat,
        lon=lon,
        time_zone=town.time_zone,
        address=street,
        city=town.name,
        country=town.country,
        check_in_time=of_kind.arrive,
        check_out_time=of_kind.leave,
        summary=" ".join(summary),
        amenities=_amenities(of_kind, town, dice),
        languages=town.languages,
        translations=in_other_tongues(summary, (RATING_SOURCE,), town=town),
    )


def _listing(where: NewPlace, let: LetPart, quality: float, dice: random.Random) -> NewListing:
    terms = terms_of(let, quality, where.letting.today, dice)
    says = dice.choice(let.room.says)
    names = names_in(terms.plan, terms.pricing)
    texts = [(text,) for text in (let.room.name, says, *names)]
    return NewListing(
        property=where.property_id,
        ref=where.ref,
        name=let.room.name,
        guests=let.room.guests,
        plan=terms.plan,
        price=terms.price,
        currency=let.town.currency,
        beds=let.room.beds,
        square_metres=dice.randint(*let.room.metres),
        summary=says,
        payment=where.letting.payment,
        pricing=terms.pricing,
        published=True,
        translations=in_other_tongues(*texts),
    )


@cache
def _weights() -> list[int]:
    return [town.weight for town in towns()]


def _words_for(town: DemoTown, dice: random.Random) -> NameWords:
    """Those of what is spoken in the city, mostly; English is understood everywhere."""
    known = name_words()
    if town.languages[0] in known and dice.random() < _OWN_LANGUAGE:
        return known[town.languages[0]]
    return known["en"]


def _amenities(of_kind: DemoHouseKind, town: DemoTown, dice: random.Random) -> tuple[Amenity, ...]:
    """What all of the kind have, and some of the rest; the sea is seen at a coast only."""
    some = [one for one in of_kind.some if one != "sea_view" or town.land is not None]
    return of_kind.always + tuple(one for one in some if dice.random() < _AMENITY)
