"""Searching stays against PostGIS: the same 20,000 and 100,000 listings, with the same nights
taken, and the same questions, one after the other. Both answer the nearest twenty with their price.
"""

import tempfile
from pathlib import Path

import asyncpg

import bespeak
from benchmarks.bespeak_server import migrated
from benchmarks.cases import search
from benchmarks.cases.search import NIGHTS, PRICE_MAX, Asked, MadeUp, made_up
from benchmarks.database import settle
from benchmarks.debian_postgres import postgis_server
from benchmarks.results import Bench, Figure

_LISTINGS = (20_000, 100_000)
_SCHEMA = Path(__file__).parents[1] / "comparators" / "postgis.sql"
_FIND = """
    select l.listing_id, l.name, l.price * $5::bigint as price,
        st_distance(l.place, st_setsrid(st_makepoint($2, $1), 4326)::geography) as metres
    from listing l
    where st_dwithin(l.place, st_setsrid(st_makepoint($2, $1), 4326)::geography, $3)
        and l.guests >= 2 and l.price <= $6
        and not exists (select from taken_night t where t.listing_id = l.listing_id
            and t.night >= $4::date and t.night < $4::date + $5::integer)
    order by l.place <-> st_setsrid(st_makepoint($2, $1), 4326)::geography, l.listing_id limit 20
"""


async def run(bench: Bench) -> list[Figure]:
    """A walk and a whole town, with few and with many listings."""
    async with postgis_server() as theirs_url:
        return [figure for count in _LISTINGS for figure in await _with(bench, theirs_url, count)]


async def _with(bench: Bench, theirs_url: str, count: int) -> list[Figure]:
    made = made_up(count)
    url = await migrated(bench.database, f"search_postgis{count}")
    ours = await asyncpg.connect(url)
    theirs = await asyncpg.connect(theirs_url)
    try:
        await search.put_listings(ours, made.listings, made.nights)
        await _fill(theirs, made)
        await settle(url)
        async with bespeak.connect(database_url=url, sweep=False) as engine:
            await search.build(engine)
            name = f"search-postgis-{{away}}-{count}"
            rival = search.Rival("PostGIS", name, lambda one: _theirs(theirs, one))
            return await search.in_turn(bench, engine, made, rival)
    finally:
        await ours.close()
        await theirs.close()


async def _fill(connection: "asyncpg.Connection[asyncpg.Record]", made: MadeUp) -> None:
    await connection.execute("drop table if exists listing, taken_night")
    await connection.execute(_SCHEMA.read_text())
    with tempfile.TemporaryFile() as file:
        for number, lat, lon, guests, price in made.listings:
            line = f"{number}\tListing {number}\tSRID=4326;POINT({lon} {lat})\t{guests}\t{price}\n"
            file.write(line.encode())
        file.seek(0)
        await connection.copy_to_table("listing", source=file)
    await connection.copy_records_to_table("taken_night", records=made.nights)
    await connection.execute("vacuum (analyze)")


async def _theirs(connection: "asyncpg.Connection[asyncpg.Record]", one: Asked) -> int:
    rows = await connection.fetch(_FIND, *one.place, one.radius, one.start, NIGHTS, PRICE_MAX)
    return len(rows)
