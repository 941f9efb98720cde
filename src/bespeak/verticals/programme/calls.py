"""The calls of the programme: reading for everybody with a key, writing for the operator."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

import msgspec

from bespeak.verticals.changes import writing
from bespeak.verticals.pictures import MEDIA_TYPE, SetPicture, draw_picture
from bespeak.verticals.programme import (
    catalogue,
    places_changes,
    production_changes,
    sample,
    views,
)
from bespeak.verticals.programme.catalogue import Reader
from bespeak.verticals.programme.copies import copy_performance
from bespeak.verticals.programme.forms import (
    AddSample,
    HallChange,
    NewCopies,
    NewHall,
    NewPerformance,
    NewProduction,
    NewVenue,
    PerformanceChange,
    ProductionChange,
    VenueChange,
)
from bespeak.verticals.programme.performances import change_performance
from bespeak.verticals.programme.performances import create_performance as put_performance
from bespeak.verticals.programme.queries import (
    HallQuestion,
    PerformanceQuestion,
    PictureQuestion,
    ProductionQuestion,
    TextsQuestion,
    VenueQuestion,
)
from bespeak.verticals.vertical import Document, VerticalRequest

_YEAR_SECONDS = 31_536_000
_Query = TypeVar("_Query")
_Body = TypeVar("_Body")


def _reader(request: VerticalRequest[_Query, _Body]) -> Reader:
    return Reader(request.workspace, request.published_only, request.language)


async def list_venues(request: VerticalRequest[VenueQuestion, None]) -> views.Venues:
    """A page of venues, by name."""
    return await request.engine.reads.run(
        partial(catalogue.venues, reader=_reader(request), asked=request.query)
    )


async def get_venue(request: VerticalRequest[TextsQuestion, None]) -> views.Venue:
    """Reads a venue."""
    return await request.engine.reads.run(
        partial(catalogue.venue, reader=_reader(request), venue_id=request.path["venue_id"])
    )


async def create_venue(request: VerticalRequest[None, NewVenue]) -> views.Venue:
    """Adds a venue."""
    async with writing(request.engine) as connection:
        venue_id, replayed = await places_changes.create_venue(
            connection, request.workspace, request.body, request.idempotency_key
        )
        found = await catalogue.venue(connection, _reader(request), venue_id)
    return msgspec.structs.replace(found, replayed=replayed)


async def update_venue(request: VerticalRequest[None, VenueChange]) -> views.Venue:
    """Changes a venue. Performances that are there already keep the place that stands on their
    tickets, until they are changed themselves."""
    venue_id = request.path["venue_id"]
    async with writing(request.engine) as connection:
        await places_changes.change_venue(connection, request.workspace, venue_id, request.body)
        return await catalogue.venue(connection, _reader(request), venue_id)


async def list_halls(request: VerticalRequest[HallQuestion, None]) -> views.Halls:
    """A page of halls, by name, without their plans."""
    return await request.engine.reads.run(
        partial(catalogue.halls, reader=_reader(request), asked=request.query)
    )


async def get_hall(request: VerticalRequest[TextsQuestion, None]) -> views.Hall:
    """Reads a hall with its plan."""
    return await request.engine.reads.run(
        partial(catalogue.hall, reader=_reader(request), hall_id=request.path["hall_id"])
    )


async def create_hall(request: VerticalRequest[None, NewHall]) -> views.Hall:
    """Adds a hall with its seats and standing areas to a venue. Its plan is kept without prices: a
    performance says them."""
    async with writing(request.engine) as connection:
        hall_id, replayed = await places_changes.create_hall(
            connection, request.workspace, request.body, request.idempotency_key
        )
        found = await catalogue.hall(connection, _reader(request), hall_id)
    return msgspec.structs.replace(found, replayed=replayed)


async def update_hall(request: VerticalRequest[None, HallChange]) -> views.Hall:
    """Changes a hall. A new plan is for performances that are made from now on."""
    hall_id = request.path["hall_id"]
    async with writing(request.engine) as connection:
        await places_changes.change_hall(connection, request.workspace, hall_id, request.body)
        return await catalogue.hall(connection, _reader(request), hall_id)


async def list_productions(
    request: VerticalRequest[ProductionQuestion, None],
) -> views.Productions:
    """A page of productions, those first whose next performance is soonest."""
    return await request.engine.reads.run(
        partial(catalogue.productions, reader=_reader(request), asked=request.query)
    )


async def get_production(request: VerticalRequest[TextsQuestion, None]) -> views.Production:
    """Reads a production."""
    production_id = request.path["production_id"]
    return await request.engine.reads.run(
        partial(catalogue.production, reader=_reader(request), production_id=production_id)
    )


async def create_production(request: VerticalRequest[None, NewProduction]) -> views.Production:
    """Adds a production. Guests see it once one of its performances is published."""
    async with writing(request.engine) as connection:
        production_id, replayed = await production_changes.create_production(
            connection, request.workspace, request.body, request.idempotency_key
        )
        found = await catalogue.production(connection, _reader(request), production_id)
    return msgspec.structs.replace(found, replayed=replayed)


async def update_production(request: VerticalRequest[None, ProductionChange]) -> views.Production:
    """Changes a production. One that has performances to come is not archived."""
    production_id = request.path["production_id"]
    async with writing(request.engine) as connection:
        await production_changes.change_production(
            connection, request.workspace, production_id, request.body
        )
        return await catalogue.production(connection, _reader(request), production_id)


async def delete_production(request: VerticalRequest[None, None]) -> views.Removed:
    """Takes away a production that never had a performance."""
    production_id = request.path["production_id"]
    async with writing(request.engine) as connection:
        await production_changes.remove_production(connection, request.workspace, production_id)
    return views.Removed(production_id)


async def get_production_picture(request: VerticalRequest[PictureQuestion, None]) -> Document:
    """The picture of a production. An address with another `v` is another picture, so it may be
    kept for ever."""
    asked = request.query
    found = await request.engine.reads.run(
        partial(
            catalogue.picture,
            production_id=request.path["production_id"],
            card=asked.size == "card",
        )
    )
    seconds = _YEAR_SECONDS if asked.v == found.digest else 0
    return Document(found.content, MEDIA_TYPE, f"{found.digest}-{asked.size}", seconds)


async def set_production_picture(request: VerticalRequest[None, SetPicture]) -> views.Production:
    """Sets the picture. It is drawn anew, at most 1600 pixels wide."""
    production_id = request.path["production_id"]
    drawn = await draw_picture(request.body.picture)
    async with writing(request.engine) as connection:
        await production_changes.set_picture(connection, request.workspace, production_id, drawn)
        return await catalogue.production(connection, _reader(request), production_id)


async def remove_production_picture(request: VerticalRequest[None, None]) -> views.Production:
    """Shows no picture any more. Repeated, it changes nothing."""
    production_id = request.path["production_id"]
    async with writing(request.engine) as connection:
        await production_changes.set_picture(connection, request.workspace, production_id, None)
        return await catalogue.production(connection, _reader(request), production_id)


async def list_performances(
    request: VerticalRequest[PerformanceQuestion, None],
) -> views.Performances:
    """A page of performances, by time, each with how much of it is free."""
    return await request.engine.reads.run(
        partial(catalogue.performances, reader=_reader(request), asked=request.query)
    )


async def get_performance(request: VerticalRequest[TextsQuestion, None]) -> views.Performance:
    """Reads a performance."""
    performance_id = request.path["performance_id"]
    return await request.engine.reads.run(
        partial(catalogue.performance, reader=_reader(request), performance_id=performance_id)
    )


async def create_performance(request: VerticalRequest[None, NewPerformance]) -> views.Performance:
    """Adds a performance and its resource, on sale until it begins. It is a draft unless it is
    `published`."""
    async with writing(request.engine) as connection:
        performance_id, replayed = await put_performance(
            request.engine, connection, request.workspace, request.body, request.idempotency_key
        )
        found = await catalogue.performance(connection, _reader(request), performance_id)
    return msgspec.structs.replace(found, replayed=replayed)


async def update_performance(
    request: VerticalRequest[None, PerformanceChange],
) -> views.Performance:
    """Changes a performance and its resource: its times, its prices, whether it is on sale. To call
    it off, call off its resource."""
    performance_id = request.path["performance_id"]
    async with writing(request.engine) as connection:
        await change_performance(
            request.engine, connection, request.workspace, performance_id, request.body
        )
        return await catalogue.performance(connection, _reader(request), performance_id)


async def create_copies(request: VerticalRequest[None, NewCopies]) -> views.Copies:
    """Gives a performance again at other times, in the same hall and by the same terms: all of
    them, or none. Said again, nothing is made twice."""
    performance_id = request.path["performance_id"]
    async with writing(request.engine) as connection:
        numbers, made = await copy_performance(
            request.engine, connection, request.workspace, performance_id, request.body
        )
        found = await catalogue.numbered(connection, _reader(request), numbers)
    return views.Copies(found, made)


async def get_sample(request: VerticalRequest[None, None]) -> sample.ProgrammeSample:
    """Tells what a workspace has of the sample."""
    return await request.engine.reads.run(partial(sample.read_sample, workspace=request.workspace))


async def add_sample(request: VerticalRequest[None, AddSample]) -> sample.ProgrammeSample:
    """Adds an invented house with a few events, published and paid at the venue, to look around
    with. Where it is there, it stays as it is."""
    async with writing(request.engine) as connection:
        await sample.add_sample(request.engine, connection, request.workspace)
        return await sample.read_sample(connection, request.workspace)


async def remove_sample(request: VerticalRequest[None, None]) -> sample.ProgrammeSample:
    """Takes the sample away, with what was booked of it. Halls in which something else is given
    stay, with their venue."""
    await sample.remove_sample(request.engine, request.workspace)
    return sample.ProgrammeSample()
