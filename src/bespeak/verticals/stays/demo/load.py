"""Loads the stays of the demo, some hundred listings a transaction, so that there is something to
find while the rest comes in. Called again, also after it was killed, it goes on behind the last
house; a number that is lower than what is there takes nothing away.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

import asyncpg
import msgspec

from bespeak import ids
from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.resources import get_many
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.workspaces import DEFAULT
from bespeak.postgres.queries import load
from bespeak.verticals.stays.demo.houses import DemoHouse, DemoLetting, house
from bespeak.verticals.stays.demo.pictures import drawn_pictures
from bespeak.verticals.stays.demo.taken import REASON, taken_stretches
from bespeak.verticals.stays.forms import NewListing, ShownPicture
from bespeak.verticals.stays.listings import listing_columns, resource_of_listing
from bespeak.verticals.stays.names import new_property_id
from bespeak.verticals.stays.properties import property_columns
from bespeak.verticals.vertical import DemoLoad, Progress

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.stays.demo", "load.sql")
# The columns in the order in which `property_columns` and `listing_columns` have them.
_OF_PROPERTY = [
    "workspace",
    "property_id",
    "ref",
    "name",
    "kind",
    "stars",
    "address",
    "city",
    "country",
    "lat",
    "lon",
    "time_zone",
    "check_in_time",
    "check_out_time",
    "summary",
    "description",
    "house_rules",
    "amenities",
    "languages",
    "website",
    "translations",
    "searched",
    "rated_elsewhere",
]
_OF_LISTING = [
    "workspace",
    "resource_id",
    "property_id",
    "ref",
    "name",
    "guests",
    "beds",
    "square_metres",
    "amenities",
    "summary",
    "description",
    "translations",
]
_JSON = {"beds", "rated_elsewhere", "translations"}
_TOGETHER = 500
_FEATURED_MAX = 3


async def load_demo(
    engine: Engine, now: datetime | None = None, tell: Progress = lambda _done, _all: None
) -> DemoLoad | None:
    """The listings of the demo, as many as the settings say, made where they are missing."""
    wanted = engine.settings.demo_listings
    payment: PaymentRule = "required" if engine.settings.takes_payments else "at_venue"
    letting = DemoLetting(payment, (now or engine.clock.now()).date())
    found = await _loaded(engine)
    number = 0 if found["last"] is None else int(found["last"].rpartition("-")[2])
    done = before = found["listings"]
    if done < wanted:
        await _keep_pictures(engine)
    while done < wanted:
        tell(done, wanted)
        number, houses = _next_houses(number, min(_TOGETHER, wanted - done), letting)
        async with engine.database.borrow() as connection, connection.transaction():
            await _add(engine, connection, houses, letting)
        done += sum(len(one.listings) for _, one in houses)
    if done > before:
        tell(done, wanted)
        async with engine.database.borrow() as connection:
            await connection.execute(_QUERIES["count_rows"])
            with suppress(asyncpg.InsufficientPrivilegeError):
                await connection.execute(_QUERIES["settle"])
    return await _told(engine) if done else None


def _next_houses(
    number: int, wanted: int, letting: DemoLetting
) -> tuple[int, list[tuple[str, DemoHouse]]]:
    """The houses behind a number that have so many listings together, with their ids, and the
    number of the last."""
    found: list[tuple[str, DemoHouse]] = []
    while wanted > 0:
        number += 1
        property_id = new_property_id()
        made = house(number, property_id, letting)
        made = made._replace(listings=made.listings[:wanted])
        found.append((property_id, made))
        wanted -= len(made.listings)
    return number, found


async def _keep_pictures(engine: Engine) -> None:
    columns = zip(*drawn_pictures().values(), strict=True)
    async with engine.database.borrow() as connection:
        await connection.execute(_QUERIES["keep_pictures"], *columns)


async def _add(
    engine: Engine,
    connection: Connection,
    houses: Sequence[tuple[str, DemoHouse]],
    letting: DemoLetting,
) -> None:
    """Writes houses and what they let, by the rows that the calls of the API write."""
    rows = [(DEFAULT, property_id, *property_columns(one.said)) for property_id, one in houses]
    await connection.execute(_QUERIES["insert_properties"], _json_rows(_OF_PROPERTY, rows))
    listings = [(one.said, listing) for _, one in houses for listing in one.listings]
    # Published at once: what guests would lack is nothing that these could.
    resources = [
        msgspec.structs.replace(
            resource_of_listing(said, house_of, said.currency or ""), published=said.published
        )
        for house_of, said in listings
    ]
    made = await engine.create_resources(resources, connection=connection)
    numbers = [ids.parse_resource(resource.id) for resource in made]
    rows = [
        (DEFAULT, number, said.property, *listing_columns(said))
        for number, (_, said) in zip(numbers, listings, strict=True)
    ]
    await connection.execute(_QUERIES["insert_listings"], _json_rows(_OF_LISTING, rows))
    shown = [
        *((property_id, None, one.said.pictures) for property_id, one in houses),
        *(
            (None, number, said.pictures)
            for number, (_, said) in zip(numbers, listings, strict=True)
        ),
    ]
    await connection.execute(_QUERIES["show_pictures"], _shown_rows(shown))
    stretches = _taken(numbers, [said for _, said in listings], letting)
    if stretches:
        columns = zip(*stretches, strict=True)
        await connection.execute(_QUERIES["block_nights"], *columns, REASON)


def _json_rows(names: Sequence[str], rows: Sequence[tuple[object, ...]]) -> str:
    """Rows as one text, in which what is JSON already stays as it is."""
    found = [dict(zip(names, row, strict=True)) for row in rows]
    for row in found:
        for name in _JSON & row.keys():
            row[name] = msgspec.Raw(str(row[name] or "null").encode())
    return msgspec.json.encode(found).decode()


def _shown_rows(
    shown: Sequence[tuple[str | None, int | None, tuple[ShownPicture, ...]]],
) -> str:
    """What properties and listings show, as JSON rows."""
    names = ["property_id", "resource_id", "place", "digest", "description"]
    rows = [
        (property_id, number, place, one.id, one.description)
        for property_id, number, pictures in shown
        for place, one in enumerate(pictures, start=1)
    ]
    return _json_rows(names, rows)


def _taken(
    numbers: Sequence[int], listings: Sequence[NewListing], letting: DemoLetting
) -> list[tuple[object, ...]]:
    """What is taken of new listings, a block for each."""
    maker = ids.IdMaker()
    found: list[tuple[object, ...]] = []
    for number, said in zip(numbers, listings, strict=True):
        if isinstance(said.plan, NightsPlan):
            block_id = maker.new(number, is_block=True)
            stretches = taken_stretches(said.ref or "", said.plan, letting.today)
            found += [(number, block_id, *stretch) for stretch in stretches]
    return found


async def _loaded(engine: Engine) -> Record:
    async with engine.database.borrow() as connection:
        row = await connection.fetchrow(_QUERIES["loaded"], DEFAULT)
    if row is None:
        raise RuntimeError("the statement answers one row")
    return row


async def _told(engine: Engine) -> DemoLoad:
    found = await _loaded(engine)
    async with engine.database.borrow() as connection:
        rows = await connection.fetch(_QUERIES["featured"], DEFAULT, _FEATURED_MAX)
        numbers = [row["resource_id"] for row in rows]
        first = {one.id: one for one in await get_many(connection, numbers)}
    featured = [first[ids.show_resource(number)] for number in numbers]
    return DemoLoad(featured, f"{found['listings']:,} listings in {found['cities']} cities")
