"""Of a rating one listing of its property is told, and the search looks at all of them, also where
it knew of that one before.
"""

import asyncio

import bespeak
from bespeak.feed.numberer import numbering
from bespeak.ids import parse_resource
from bespeak.inventory.resource_changes import tell_changed
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.verticals.stays.forms import NewListing, NewProperty
from bespeak.verticals.stays.listings import create_listing
from bespeak.verticals.stays.properties import create_property
from bespeak.verticals.stays.search.following import StaysSearcher
from tests.harness.database import Connection

_HOUSE = NewProperty(name="House", kind="house", lat=1, lon=2, time_zone="UTC")


async def _two_listings(engine: bespeak.Engine) -> list[int]:
    async with engine.database.borrow() as connection, connection.transaction():
        house_id, _ = await create_property(connection, "default", _HOUSE, None)
        new = NewListing(
            property=house_id,
            name="Room",
            guests=2,
            plan=NightsPlan(rooms=("house",)),
            price=5000,
            currency="USD",
            payment="at_venue",
        )
        made = [await create_listing(engine, connection, "default", new, None) for _ in range(2)]
        return [parse_resource(listing_id) for listing_id, _ in made]


async def test_who_has_read_the_listing_that_is_told_of_looks_at_the_others(
    engine: bespeak.Engine, connection: Connection, database_url: str
) -> None:
    """A listing is read as it stands, which may be before its event: while the index is built, or
    for another change."""
    told, other = await _two_listings(engine)
    searcher = StaysSearcher(engine.database)
    try:
        async with numbering(database_url):
            index = await searcher.ready()
            assert index.rating_of(told) == index.rating_of(other) == (0, 0)
            await connection.execute(
                "update stays.property set guest_ratings = 2, guest_points = 15"
            )
            async with engine.database.borrow() as borrowed:
                await searcher._read_whole(borrowed, index, {told})
                assert (index.rating_of(told), index.rating_of(other)) == ((75, 2), (0, 0))
                await tell_changed(borrowed, [told])
            for _ in range(100):
                if searcher.index.rating_of(other) == (75, 2):
                    break
                await asyncio.sleep(0.05)
            assert searcher.index.rating_of(other) == (75, 2)
            assert searcher.index.rating_of(other + 1) is None
    finally:
        await searcher.close()
