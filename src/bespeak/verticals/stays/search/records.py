"""A listing of the index as bytes: what only those need that are shown or judged, and nothing of
guests. What many listings share is shared again when they are read.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import msgspec

from bespeak.verticals.stays.search.listing import FirstPicture, HouseOfListing, IndexedListing
from bespeak.verticals.stays.search.night_marks import NOT_TAKEN, NightMarks
from bespeak.verticals.stays.search.rows import (
    SHARED_MAX,
    amenities_of,
    beds_of,
    charges_of_text,
    picture_of,
    translations_of_words,
)
from bespeak.verticals.stays.search.sale_group import SaleGroup
from bespeak.verticals.stays.words import Amenity

_Words: TypeAlias = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
_HEAD = struct.Struct("<III")
_encode_charges = lru_cache(maxsize=SHARED_MAX)(msgspec.json.encode)


class ListingRecord(msgspec.Struct, frozen=True, array_like=True):
    """A listing, as `IndexedListing` has it, but for what its group says and what is taken. `beds`
    and `charges` are JSON."""

    number: int
    house: HouseOfListing
    name: str
    summary: str
    guests: int
    cots: int
    beds: str
    amenities: tuple[Amenity, ...]
    price: int
    words: _Words
    called: str
    charges: str | None
    picture: FirstPicture | None


class _HouseId(msgspec.Struct, frozen=True, array_like=True):
    """The first field of `HouseOfListing`."""

    property_id: str


class _HouseRecord(msgspec.Struct, frozen=True, array_like=True):
    """The first fields of `ListingRecord`: all others are passed over."""

    number: int
    house: _HouseId


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(ListingRecord)
_HOUSES = msgspec.msgpack.Decoder(_HouseRecord)


def frame_of(record: ListingRecord, marks: bytes) -> bytes:
    """A listing as it is kept: how long its parts are, what it and its house are called, its marks,
    and all else that no column and no group says."""
    called = f"{record.called}\n{record.house.called}".encode()
    rest = _ENCODER.encode(record)
    return b"".join((_HEAD.pack(len(called), len(marks), len(rest)), called, marks, rest))


def with_marks(frame: bytes | memoryview, marks: bytes) -> bytes:
    """The frame with other marks."""
    parts = parts_of(frame)
    head = _HEAD.pack(len(parts.called), len(marks), len(parts.record))
    return b"".join((head, parts.called, marks, parts.record))


class FrameParts(NamedTuple):
    """What `frame_of` put behind each other."""

    called: bytes | memoryview
    marks: bytes | memoryview
    record: bytes | memoryview


def parts_of(frame: bytes | memoryview) -> FrameParts:
    called, marks, _ = _HEAD.unpack_from(frame)
    begin, end = _HEAD.size + called, _HEAD.size + called + marks
    return FrameParts(frame[_HEAD.size : begin], frame[begin:end], frame[end:])


def called_of(frame: bytes | memoryview) -> bytes:
    """What a listing and its house are called, folded, as UTF-8."""
    (called, _, _) = _HEAD.unpack_from(frame)
    return bytes(frame[_HEAD.size : _HEAD.size + called])


def house_of(frame: bytes | memoryview) -> str:
    """The property of a listing, without reading the rest."""
    return _HOUSES.decode(parts_of(frame).record).house.property_id


def record_of(one: IndexedListing) -> ListingRecord:
    """What is kept of a listing."""
    return ListingRecord(
        number=one.number,
        house=one.house,
        name=one.name,
        summary=one.summary,
        guests=one.guests,
        cots=one.cots,
        beds=msgspec.json.encode(one.beds).decode(),
        amenities=tuple(one.amenities),
        price=one.price,
        words=tuple((each.language, tuple(each.words.items())) for each in one.translations),
        called=one.called,
        charges=None if one.charges is None else _encode_charges(one.charges).decode(),
        picture=one.picture,
    )


def listing_of_frame(
    frame: bytes | memoryview, group: SaleGroup, marks: NightMarks = NOT_TAKEN
) -> IndexedListing:
    """The listing of a frame, in this group and with these nights taken."""
    record, sold = _DECODER.decode(parts_of(frame).record), group.record
    return IndexedListing(
        number=record.number,
        workspace=sold.workspace,
        house=record.house,
        name=record.name,
        summary=record.summary,
        guests=record.guests,
        cots=record.cots,
        beds=beds_of(record.beds),
        amenities=amenities_of(record.amenities),
        plan=group.plan,
        price=record.price,
        currency=sold.currency,
        zone=group.zone,
        published=sold.published,
        is_open=sold.is_open,
        opens_at=sold.opens_at,
        closes_at=sold.closes_at,
        translations=translations_of_words(record.words),
        called=record.called,
        charges=None if record.charges is None else charges_of_text(record.charges),
        picture=None if record.picture is None else picture_of(*record.picture),
        taken=marks.taken,
        drawn=marks.drawn,
        full=marks.full,
    )
