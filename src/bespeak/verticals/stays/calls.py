"""The calls of stays: reading and searching for everybody with a key, writing for the operator."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

import msgspec

from bespeak.verticals.changes import writing
from bespeak.verticals.imports import ImportQuestion
from bespeak.verticals.pictures import MEDIA_TYPE, SetPicture, draw_picture
from bespeak.verticals.stays import catalogue, party_rooms, views
from bespeak.verticals.stays import rates as stay_rates
from bespeak.verticals.stays.board import chart, guests
from bespeak.verticals.stays.board import figures as numbers
from bespeak.verticals.stays.board.views import Board, GuestsOfDay, StayFigures
from bespeak.verticals.stays.catalogue import StaysReader
from bespeak.verticals.stays.catalogue_import import import_stays as take_stays
from bespeak.verticals.stays.forms import (
    ListingChange,
    NewListing,
    NewProperty,
    PropertyChange,
)
from bespeak.verticals.stays.import_forms import StaysCatalogue
from bespeak.verticals.stays.listings import change_listing
from bespeak.verticals.stays.listings import create_listing as put_listing
from bespeak.verticals.stays.pictures import keep_picture, read_picture
from bespeak.verticals.stays.properties import change_property
from bespeak.verticals.stays.properties import create_property as put_property
from bespeak.verticals.stays.queries import (
    ArrivalsQuestion,
    BoardQuestion,
    FiguresQuestion,
    ListingQuestion,
    ListingsQuestion,
    MapQuestion,
    PartyQuestion,
    PlacesQuestion,
    PropertyQuestion,
    PropertyTextsQuestion,
    RatesQuestion,
    SearchQuestion,
    StayPictureQuestion,
)
from bespeak.verticals.stays.search import answers
from bespeak.verticals.vertical import Document, ImportReport, VerticalRequest

_YEAR_SECONDS = 31_536_000
_Query = TypeVar("_Query")
_Body = TypeVar("_Body")


def _reader(request: VerticalRequest[_Query, _Body]) -> StaysReader:
    return StaysReader(request.workspace, request.published_only, request.sells, request.language)


async def list_properties(
    request: VerticalRequest[PropertyQuestion, None],
) -> views.Properties:
    """A page of properties, by name."""
    # The shop asks so whether there are any stays: the search is ready when it is used.
    answers.prepare(request.engine)
    return await request.engine.reads.run(
        partial(catalogue.properties, reader=_reader(request), asked=request.query)
    )


async def get_property(
    request: VerticalRequest[PropertyTextsQuestion, None],
) -> views.Property:
    """Reads a property."""
    property_id = request.path["property_id"]
    return await request.engine.reads.run(
        partial(catalogue.read_property, reader=_reader(request), property_id=property_id)
    )


async def create_property(request: VerticalRequest[None, NewProperty]) -> views.Property:
    """Adds a property. Guests see it once one of its listings is published."""
    async with writing(request.engine) as connection:
        property_id, replayed = await put_property(
            connection, request.workspace, request.body, request.idempotency_key
        )
        found = await catalogue.read_property(connection, _reader(request), property_id)
    return msgspec.structs.replace(found, replayed=replayed)


async def update_property(request: VerticalRequest[None, PropertyChange]) -> views.Property:
    """Changes a property, and what its listings take from it."""
    property_id = request.path["property_id"]
    async with writing(request.engine) as connection:
        await change_property(
            request.engine, connection, request.workspace, property_id, request.body
        )
        return await catalogue.read_property(connection, _reader(request), property_id)


async def get_board(request: VerticalRequest[BoardQuestion, None]) -> Board:
    """The board of a property: which stays and blocks are in its rooms, and how many are free."""
    asked = partial(chart.board, property_id=request.path["property_id"], asked=request.query)
    return await request.engine.reads.run(partial(asked, reader=_reader(request)))


async def list_arrivals(request: VerticalRequest[ArrivalsQuestion, None]) -> GuestsOfDay:
    """Who arrives at a property on a day, who departs and who stays."""
    asked = partial(
        guests.guests_of_day, property_id=request.path["property_id"], asked=request.query
    )
    return await request.engine.reads.run(partial(asked, reader=_reader(request)))


async def get_figures(request: VerticalRequest[FiguresQuestion, None]) -> StayFigures:
    """What the nights of a property bring: occupancy, revenue, and the rates of a room."""
    asked = partial(numbers.figures, property_id=request.path["property_id"], asked=request.query)
    return await request.engine.reads.run(partial(asked, reader=_reader(request)))


async def list_listings(request: VerticalRequest[ListingsQuestion, None]) -> views.Listings:
    """A page of listings, by name, without their calendars."""
    return await request.engine.reads.run(
        partial(catalogue.listings, reader=_reader(request), asked=request.query)
    )


async def get_listing(request: VerticalRequest[ListingQuestion, None]) -> views.Listing:
    """Reads a listing with its calendar: what each night costs, how many rooms are free, whether
    one can arrive and for how long, and why not."""
    found = await request.engine.reads.run(
        partial(catalogue.listing, reader=_reader(request), listing_id=request.path["listing_id"])
    )
    return await catalogue.with_calendar(request.engine, found, request.query)


async def list_rates(request: VerticalRequest[RatesQuestion, None]) -> views.StayRates:
    """Lists the rates of a stay in a listing: what each costs in all, and what it gives back."""
    reader = _reader(request)
    found = await request.engine.reads.run(
        partial(catalogue.listing, reader=reader, listing_id=request.path["listing_id"])
    )
    return await stay_rates.rates(request.engine, found, request.query, reader.language)


async def get_party_rooms(request: VerticalRequest[PartyQuestion, None]) -> views.PartyRooms:
    """Proposes rooms of a property for a party: the cheapest set of them that holds it, also of
    several listings, at the usual rates. One hold takes all of its lines, or none."""
    property_id = request.path["property_id"]
    return await party_rooms.propose(request.engine, _reader(request), property_id, request.query)


async def list_matches(request: VerticalRequest[SearchQuestion, None]) -> views.SearchAnswer:
    """Finds listings near a place that can be had on these dates, by distance or by price."""
    return await answers.search(request.engine, _reader(request), request.query)


async def list_markers(request: VerticalRequest[MapQuestion, None]) -> views.StaysMap:
    """Finds the same listings for a map: what lies close together at its zoom is one marker."""
    return await answers.markers(request.engine, _reader(request), request.query)


async def list_places(request: VerticalRequest[PlacesQuestion, None]) -> views.StayPlaces:
    """Towns with listings that are called like a text: by their whole name, then by how it begins,
    then by its words; of each those with the most listings first."""
    return await answers.places(request.engine, _reader(request), request.query)


async def create_listing(request: VerticalRequest[None, NewListing]) -> views.Listing:
    """Adds a listing to a property, with its resource. It is a draft unless it is `published`."""
    async with writing(request.engine) as connection:
        listing_id, replayed = await put_listing(
            request.engine, connection, request.workspace, request.body, request.idempotency_key
        )
        found = await catalogue.listing(connection, _reader(request), listing_id)
    return msgspec.structs.replace(found, replayed=replayed)


async def update_listing(request: VerticalRequest[None, ListingChange]) -> views.Listing:
    """Changes a listing and its resource. To call it off, call off its resource."""
    listing_id = request.path["listing_id"]
    async with writing(request.engine) as connection:
        await change_listing(
            request.engine, connection, request.workspace, listing_id, request.body
        )
        return await catalogue.listing(connection, _reader(request), listing_id)


async def add_picture(request: VerticalRequest[None, SetPicture]) -> views.StayPicture:
    """Keeps a picture, so that properties and listings can show it. It is drawn anew, at most 1600
    pixels wide, and let go after a day in which nothing shows it."""
    drawn = await draw_picture(request.body.picture)
    async with writing(request.engine) as connection:
        return await keep_picture(connection, drawn)


async def get_picture(request: VerticalRequest[StayPictureQuestion, None]) -> Document:
    """A picture. No other has this address, so it may be kept for ever."""
    picture_id, size = request.path["picture_id"], request.query.size
    content = await request.engine.reads.run(
        partial(read_picture, picture_id=picture_id, card=size == "card")
    )
    return Document(content, MEDIA_TYPE, f"{picture_id}-{size}", _YEAR_SECONDS)


async def import_stays(request: VerticalRequest[ImportQuestion, StaysCatalogue]) -> ImportReport:
    """Takes properties and listings: all of them, or, where anything is wrong, nothing, and says
    what. With `check` it only says what it would do."""
    return await take_stays(
        request.engine, request.workspace, request.body, check=request.query.check
    )
