"""Searching stays: 20,000 listings in 60 towns, or 100,000, six of ten nights of them taken; in
process against the ordinary way, one statement with the place in an index and a row for each taken
night. Both answer the nearest twenty with their price for four nights, one after the other. Each
number of listings is a case of its own: to put seven million nights into two databases takes longer
than to measure.
"""

import datetime as dt
import gc
import json
import math
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import asyncpg

import bespeak
from benchmarks.bespeak_server import migrated
from benchmarks.database import settle
from benchmarks.results import Bench, Figure, Sample, alone, alternate, compared
from bespeak.verticals.stays.catalogue import StaysReader
from bespeak.verticals.stays.queries import SearchQuestion
from bespeak.verticals.stays.search.answers import search
from bespeak.verticals.stays.search.following import StaysSearcher
from bespeak.verticals.stays.search.snapshot import SnapshotFile

_TOWNS, DAYS = 60, 120
NIGHTS = 4
_LISTINGS, _LISTINGS_DENSE = 20_000, 100_000
PRICE_MAX = 15_000
_COMPARED = 200
_SAME_SHARE = 0.98
_PLAN = json.dumps({"type": "nights", "rooms": ["house"]})
_ORDINARY = Path(__file__).parents[1] / "comparators" / "stays.sql"
_FIND = """
    select l.listing_id, l.name, l.price * $7::bigint as price, d.metres
    from listing l
    cross join lateral (select 2 * 6371009 * asin(sqrt(sin(radians(l.lat - $1) / 2) ^ 2
        + cos(radians($1)) * cos(radians(l.lat)) * sin(radians(l.lon - $2) / 2) ^ 2)) as metres) d
    where l.lat between $1 - $3 and $1 + $3 and l.lon between $2 - $4 and $2 + $4
        and d.metres <= $5 and l.guests >= 2 and l.price <= $8
        and not exists (select from taken_night t where t.listing_id = l.listing_id
            and t.night >= $6::date and t.night < $6::date + $7::integer)
    order by d.metres, l.listing_id limit 20
"""


class Place(NamedTuple):
    """A place in degrees."""

    lat: float
    lon: float


class Asked(NamedTuple):
    """A search: where, within how many metres, from which day on."""

    place: Place
    radius: int
    start: dt.date


class MadeUp(NamedTuple):
    """Towns; listings with number, place, guests and price; and the nights that are taken."""

    towns: list[Place]
    listings: list[tuple[int, float, float, int, int]]
    nights: list[tuple[int, dt.date]]


class Rival(NamedTuple):
    """Another search of the same listings: what it is called, the names of its figures with
    `{away}` for how far they look, and how many it finds."""

    title: str
    figure: str
    answer: Callable[[Asked], Awaitable[int]]


async def run(bench: Bench) -> list[Figure]:
    """A walk and a whole town, with towns of some hundred listings; how long the index takes to be
    built, and to be read from its snapshot."""
    return await _with(bench, _LISTINGS)


async def dense(bench: Bench) -> list[Figure]:
    """The same with towns of more than a thousand."""
    return await _with(bench, _LISTINGS_DENSE)


async def in_turn(bench: Bench, engine: bespeak.Engine, made: MadeUp, rival: Rival) -> list[Figure]:
    """A walk and a whole town, of the engine and of a rival that finds as many."""
    figures = []
    for away, radius in (("3km", 3_000), ("25km", 25_000)):
        await _compare(engine, made, rival, radius)
        asked = asked_near(made.towns, radius)
        ours, theirs = await alternate(
            [
                timed(bench, asked, lambda one: find(engine, one)),
                timed(bench, asked, rival.answer),
            ],
            bench.rounds,
        )
        name = rival.figure.format(away=away)
        figures.append(compared(name, "searches/s", ours, rival.title, theirs))
    return figures


async def _compare(engine: bespeak.Engine, made: MadeUp, rival: Rival, radius: int) -> None:
    """Both find as many: but for what lies at the edge, since some measure on the ellipsoid."""
    asked = asked_near(made.towns, radius)
    counts = [0, 0]
    for _ in range(_COMPARED):
        one = next(asked)
        counts[0] += await find(engine, one)
        counts[1] += await rival.answer(one)
    if min(counts) < _SAME_SHARE * max(counts):
        raise AssertionError(f"found {counts[0]}, and {rival.title} {counts[1]}")


async def _with(bench: Bench, count: int) -> list[Figure]:
    """The figures with so many listings."""
    made = made_up(count)
    url = await migrated(bench.database, f"search{count}")
    theirs_url = await bench.database.create(f"search_ordinary{count}")
    await _fill(url, theirs_url, made)
    async with bespeak.connect(database_url=url, sweep=False) as engine:
        theirs = await asyncpg.connect(theirs_url)
        try:
            figures = await _built(engine, count)
            name = f"search-{{away}}-{count}"
            rival = Rival("one statement", name, lambda one: _ordinary(theirs, one))
            figures += await in_turn(bench, engine, made, rival)
        finally:
            await theirs.close()
    return figures


async def _built(engine: bespeak.Engine, count: int) -> list[Figure]:
    """The index of the engine, built from the database, written into a file and read again."""
    started = time.perf_counter()
    searcher = await build(engine)
    built = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as folder:
        file = SnapshotFile(Path(folder), "bench")
        started = time.perf_counter()
        await file.write(searcher.index, "cursor", searcher.as_of)
        written, started = time.perf_counter() - started, time.perf_counter()
        if await file.read(searcher.index.first_night) is None:
            raise AssertionError("the snapshot is not read")
        read = time.perf_counter() - started
    return [
        alone(f"search-build-{count}", "s", Sample(built)),
        alone(f"search-snapshot-written-{count}", "s", Sample(written)),
        alone(f"search-snapshot-read-{count}", "s", Sample(read)),
    ]


async def build(engine: bespeak.Engine) -> StaysSearcher:
    """The index of the engine, read from the database."""
    searcher = engine.parts.companions.get(StaysSearcher, lambda: StaysSearcher(engine.database))
    while not searcher.index:
        await searcher.look()
    gc.freeze()  # as API workers do: what stays is not looked through again and again
    return searcher


def asked_near(towns: list[Place], radius: int) -> Iterator[Asked]:
    chance = random.Random(radius)
    today = dt.datetime.now(dt.UTC).date()
    while True:
        town = chance.choice(towns)
        near = Place(town.lat + chance.gauss(0, 0.02), town.lon + chance.gauss(0, 0.02))
        yield Asked(near, radius, today + dt.timedelta(days=chance.randrange(2, DAYS - 10)))


def timed(
    bench: Bench, asked: Iterator[Asked], answer: Callable[[Asked], Awaitable[int]]
) -> Callable[[], Awaitable[Sample]]:
    async def measure() -> Sample:
        taken: list[float] = []
        found = 0
        end = time.perf_counter() + bench.seconds
        while (started := time.perf_counter()) < end:
            found += await answer(next(asked))
            taken.append((time.perf_counter() - started) * 1000)
        if found == 0:
            raise AssertionError("no search found anything")
        taken.sort()
        return Sample(
            len(taken) / bench.seconds, taken[len(taken) // 2], taken[len(taken) * 99 // 100]
        )

    return measure


async def find(engine: bespeak.Engine, one: Asked) -> int:
    question = SearchQuestion(
        lat=one.place.lat,
        lon=one.place.lon,
        radius=one.radius,
        start=one.start,
        end=one.start + dt.timedelta(days=NIGHTS),
        guests=2,
        price_max=PRICE_MAX,
        currency="EUR",
    )
    return len((await search(engine, StaysReader("default", published_only=True), question)).items)


async def _ordinary(connection: "asyncpg.Connection[asyncpg.Record]", one: Asked) -> int:
    reach = math.degrees(one.radius / 6_371_009)
    side = reach / math.cos(math.radians(one.place.lat))
    rows = await connection.fetch(
        _FIND, *one.place, reach, side, one.radius, one.start, NIGHTS, PRICE_MAX
    )
    return len(rows)


def made_up(count: int) -> MadeUp:
    """So many listings in 60 towns, the same each time, but for the day of today."""
    chance = random.Random(14)
    towns = [Place(chance.uniform(36, 60), chance.uniform(-9, 30)) for _ in range(_TOWNS)]
    today = dt.datetime.now(dt.UTC).date()
    listings = []
    for number in range(1, count + 1):
        town = towns[min(int(chance.expovariate(6) * _TOWNS), _TOWNS - 1)]
        place = Place(town.lat + chance.gauss(0, 0.03), town.lon + chance.gauss(0, 0.045))
        listings.append((number, *place, chance.randint(1, 6), chance.randrange(4000, 30_000)))
    nights = [
        (number, today + dt.timedelta(days=day))
        for number in range(1, count + 1)
        for day in _taken_days(chance)
    ]
    return MadeUp(towns, listings, nights)


async def _fill(url: str, theirs_url: str, made: MadeUp) -> None:
    """The same listings for both, with the same nights taken."""
    ours = await asyncpg.connect(url)
    theirs = await asyncpg.connect(theirs_url)
    try:
        await put_listings(ours, made.listings, made.nights)
        await theirs.execute(_ORDINARY.read_text())
        rows = [(number, f"Listing {number}", *rest) for number, *rest in made.listings]
        await theirs.copy_records_to_table("listing", records=rows)
        await theirs.copy_records_to_table("taken_night", records=made.nights)
        await theirs.execute("vacuum (analyze)")
    finally:
        await ours.close()
        await theirs.close()
    await settle(url)


def _taken_days(chance: random.Random) -> Iterator[int]:
    """Stays of one to seven nights with gaps between, six nights of ten in all."""
    day = chance.randrange(4)
    while day < DAYS:
        length = chance.randint(1, 7)
        yield from range(day, min(day + length, DAYS))
        day += length + chance.choice((0, 1, 2, 3, 7))


async def put_listings(
    connection: "asyncpg.Connection[asyncpg.Record]",
    listings: list[tuple[int, float, float, int, int]],
    nights: list[tuple[int, dt.date]],
) -> None:
    """Straight into the tables: what is measured is not the making."""
    await connection.executemany(
        """insert into stays.property (property_id, workspace, name, kind, address, city, lat, lon,
               time_zone, check_in_time, check_out_time, summary, description, house_rules,
               amenities, languages, translations, searched)
           values ('prp_' || lpad($1::bigint::text, 12, '0'), 'default', 'House', 'house', '', '',
               $2, $3, 'UTC', '15:00', '11:00', '', '', '', '{wifi}', '{}', '[]', '')""",
        [(number, lat, lon) for number, lat, lon, _, _ in listings],
    )
    await connection.executemany(
        """insert into bespeak.resource (resource_id, name, kind, plan, price_amount, payment)
           values ($1, 'House', 'stay', $2, $3, 'at_venue')""",
        [(number, _PLAN, price) for number, _, _, _, price in listings],
    )
    await connection.executemany(
        """insert into stays.listing (resource_id, workspace, property_id, name, guests, beds,
               amenities, summary, description, translations)
           values ($1, 'default', 'prp_' || lpad($1::bigint::text, 12, '0'), $2, $3, '[]', '{}',
               '', '', '[]')""",
        [(number, f"Listing {number}", guests) for number, _, _, guests, _ in listings],
    )
    await connection.copy_records_to_table(
        "claim",
        schema_name="bespeak",
        columns=["resource_id", "unit", "hold_id", "expires_at"],
        records=[
            (number, f"house@{night}", "00000000-0000-4000-8000-000000000000", _FOREVER)
            for number, night in nights
        ],
    )


_FOREVER = dt.datetime.max.replace(tzinfo=dt.UTC)
