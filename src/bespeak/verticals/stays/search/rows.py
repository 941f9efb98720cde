"""A listing of the index from its row. What many listings share (plans, beds, words in other
languages) is kept once for all of them, and texts that no answer of the search shows are not kept.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias
from zoneinfo import ZoneInfo

import msgspec

from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.postgres.json_text import json_text
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation, merged
from bespeak.verticals.stays.forms import Beds
from bespeak.verticals.stays.search.cells import EarthPoint
from bespeak.verticals.stays.search.listing import FirstPicture, HouseOfListing, IndexedListing
from bespeak.verticals.stays.search.spoken import folded, names_of
from bespeak.verticals.stays.search.stay_cost import charges_of
from bespeak.verticals.stored_texts import translations_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bespeak.postgres.pool import Record
    from bespeak.verticals.stays.words import Amenity


class _CotsOfPlan(msgspec.Struct, frozen=True):
    """Of a plan, what a listing of the search says itself and its row does not."""

    cots: int = 0


SHARED_MAX = 20_000
_Words: TypeAlias = tuple[tuple[str, str], ...]
_BEDS: msgspec.json.Decoder[list[Beds]] = msgspec.json.Decoder(list[Beds])
_PLAN: msgspec.json.Decoder[NightsPlan] = msgspec.json.Decoder(NightsPlan)
_COTS: msgspec.json.Decoder[_CotsOfPlan] = msgspec.json.Decoder(_CotsOfPlan)
_PRICING: msgspec.json.Decoder[Pricing] = msgspec.json.Decoder(Pricing)
beds_of = lru_cache(maxsize=SHARED_MAX)(_BEDS.decode)
# The cache of `zoneinfo` keeps eight zones, and reads the file of a ninth each time.
zone_of = lru_cache(maxsize=1024)(ZoneInfo)


def listing_of(row: Record) -> IndexedListing:
    """The listing of a row of `index.sql`."""
    of_house = translations_of(row["property_translations"])
    translations = merged(of_house, translations_of(row["translations"]))
    house_names = names_of(row["property_name"], of_house)
    picture = _picture_of(row)
    shown = [row["name"], row["summary"], row["property_name"], row["city"]]
    if picture is not None:
        shown.append(picture.description)
    plan = json_text(row["plan"])
    found = IndexedListing(
        number=row["resource_id"],
        workspace=row["workspace"],
        house=HouseOfListing(
            property_id=row["property_id"],
            name=row["property_name"],
            kind=row["kind"],
            stars=row["stars"],
            city=row["city"],
            country=row["country"],
            point=EarthPoint(row["lat"], row["lon"]),
            amenities=amenities_of(tuple(row["property_amenities"])),
            called=folded(*house_names, *names_of(row["city"], of_house)),
            rating=row["rating"] or 0,
            ratings=row["ratings"],
        ),
        name=row["name"],
        summary=row["summary"],
        guests=row["guests"],
        cots=_COTS.decode(plan).cots,
        beds=beds_of(json_text(row["beds"])),
        amenities=amenities_of(tuple(row["amenities"])),
        plan=plan_of_text(plan),
        price=row["price_amount"],
        currency=row["currency"],
        zone=zone_of(row["time_zone"]),
        published=row["published"],
        is_open=row["state"] == "open",
        opens_at=row["opens_at"],
        closes_at=row["closes_at"],
        translations=_words_of(translations, shown),
        called=folded(*names_of(row["name"], translations)),
        charges=charges_of_text(json_text(row["charges"])),
        picture=picture,
    )
    found.mark_all(row["claimed"], zip(row["pools"], row["drawn"], strict=True))
    return found


@lru_cache(maxsize=SHARED_MAX)
def plan_of_text(text: str) -> NightsPlan:
    """The plan of a listing. For whom a room is, the listing says itself: so plans that differ in
    nothing else are one."""
    return msgspec.structs.replace(_PLAN.decode(text), guests_max=None, cots=0)


@lru_cache(maxsize=SHARED_MAX)
def charges_of_text(text: str) -> Pricing | None:
    """The charges of a listing from the JSON of its fees and taxes."""
    found = _PRICING.decode(text)
    return charges_of(found.fees, found.taxes)


@lru_cache(maxsize=SHARED_MAX)
def amenities_of(words: tuple[Amenity, ...]) -> frozenset[Amenity]:
    return frozenset(words)


def _picture_of(row: Record) -> FirstPicture | None:
    if row["picture"] is None:
        return None
    return picture_of(
        row["picture"], row["picture_width"], row["picture_height"], row["picture_description"]
    )


picture_of = lru_cache(maxsize=SHARED_MAX)(FirstPicture)


def _words_of(translations: Sequence[Translation], shown: Sequence[str]) -> tuple[Translation, ...]:
    """What the texts that are shown are called in other languages."""
    said = ((one.language, one.words) for one in translations)
    return translations_of_words(
        tuple(
            (language, tuple((text, words[text]) for text in shown if text in words))
            for language, words in said
        )
    )


@lru_cache(maxsize=SHARED_MAX)
def translations_of_words(said: tuple[tuple[str, _Words], ...]) -> tuple[Translation, ...]:
    return tuple(Translation(language, dict(words)) for language, words in said if words)
