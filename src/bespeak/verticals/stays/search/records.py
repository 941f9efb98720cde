"""A listing of the index as a snapshot keeps it: all that the search knows of it, and nothing of
guests. What many listings share is shared again when they are taken back.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import TypeAlias
from zoneinfo import ZoneInfo

import msgspec

from bespeak.verticals.stays.search.cells import EarthPoint
from bespeak.verticals.stays.search.listing import (
    FIRST_NIGHT,
    FirstPicture,
    HouseOfListing,
    IndexedListing,
)
from bespeak.verticals.stays.search.rows import (
    SHARED_MAX,
    amenities_of,
    beds_of,
    charges_of_text,
    picture_of,
    plan_of_text,
    translations_of_words,
)
from bespeak.verticals.stays.words import Amenity, PropertyKind

_Words: TypeAlias = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
_encode_plan = lru_cache(maxsize=SHARED_MAX)(msgspec.json.encode)
_encode_charges = lru_cache(maxsize=SHARED_MAX)(msgspec.json.encode)


class HouseRecord(msgspec.Struct, frozen=True, array_like=True):
    """A property, as `HouseOfListing` has it."""

    property_id: str
    name: str
    kind: PropertyKind
    stars: int | None
    city: str
    country: str | None
    lat: float
    lon: float
    amenities: tuple[Amenity, ...]
    called: str
    rating: int
    ratings: int


class ListingRecord(msgspec.Struct, frozen=True, array_like=True):
    """A listing, as `IndexedListing` has it. `plan` and `beds` are JSON; `taken` has for each room
    the nights that are taken from the first night of the snapshot on, a bit a night, as `full`;
    `charges` are JSON too."""

    number: int
    workspace: str
    house: HouseRecord
    name: str
    summary: str
    guests: int
    beds: str
    amenities: tuple[Amenity, ...]
    plan: str
    price: int
    currency: str
    zone: str
    published: bool
    is_open: bool
    opens_at: datetime | None
    closes_at: datetime | None
    words: _Words
    called: str
    taken: dict[str, bytes]
    drawn: dict[int, int]
    full: bytes
    charges: str | None
    picture: FirstPicture | None


def record_of(one: IndexedListing, first_night: int) -> ListingRecord:
    """A listing as it is kept; nights before the first are over, and left out."""
    house, over = one.house, first_night - FIRST_NIGHT
    return ListingRecord(
        number=one.number,
        workspace=one.workspace,
        house=HouseRecord(
            house.property_id,
            house.name,
            house.kind,
            house.stars,
            house.city,
            house.country,
            *house.point,
            amenities=tuple(house.amenities),
            called=house.called,
            rating=house.rating,
            ratings=house.ratings,
        ),
        name=one.name,
        summary=one.summary,
        guests=one.guests,
        beds=msgspec.json.encode(one.beds).decode(),
        amenities=tuple(one.amenities),
        plan=_encode_plan(one.plan).decode(),
        price=one.price,
        currency=one.currency,
        zone=one.zone.key,
        published=one.published,
        is_open=one.is_open,
        opens_at=one.opens_at,
        closes_at=one.closes_at,
        words=tuple((each.language, tuple(each.words.items())) for each in one.translations),
        called=one.called,
        taken={room: _bytes_of(bits >> over) for room, bits in one.taken.items() if bits >> over},
        drawn={day: drawn for day, drawn in one.drawn.items() if day >= first_night},
        full=_bytes_of(one.full >> over),
        charges=None if one.charges is None else _encode_charges(one.charges).decode(),
        picture=one.picture,
    )


def listing_of_record(record: ListingRecord, first_night: int) -> IndexedListing:
    """The listing of a record of a snapshot with this first night."""
    house, over = record.house, first_night - FIRST_NIGHT
    return IndexedListing(
        number=record.number,
        workspace=record.workspace,
        house=HouseOfListing(
            property_id=house.property_id,
            name=house.name,
            kind=house.kind,
            stars=house.stars,
            city=house.city,
            country=house.country,
            point=EarthPoint(house.lat, house.lon),
            amenities=amenities_of(house.amenities),
            called=house.called,
            rating=house.rating,
            ratings=house.ratings,
        ),
        name=record.name,
        summary=record.summary,
        guests=record.guests,
        beds=beds_of(record.beds),
        amenities=amenities_of(record.amenities),
        plan=plan_of_text(record.plan),
        price=record.price,
        currency=record.currency,
        zone=ZoneInfo(record.zone),
        published=record.published,
        is_open=record.is_open,
        opens_at=record.opens_at,
        closes_at=record.closes_at,
        translations=translations_of_words(record.words),
        called=record.called,
        taken={room: int.from_bytes(bits) << over for room, bits in record.taken.items()},
        drawn=dict(record.drawn),
        full=int.from_bytes(record.full) << over,
        charges=None if record.charges is None else charges_of_text(record.charges),
        picture=None if record.picture is None else picture_of(*record.picture),
    )


def _bytes_of(bits: int) -> bytes:
    return bits.to_bytes((bits.bit_length() + 7) // 8)
