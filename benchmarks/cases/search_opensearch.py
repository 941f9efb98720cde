"""Searching stays against one OpenSearch node: the same 20,000 and 100,000 listings as documents,
each with its place and the dates on which it is free, and the same questions, one after the other.
Both answer the nearest twenty with their price. (Dates that are taken, as a range that must not be,
took it longer.)
"""

import datetime as dt
import json
import time
from collections.abc import Awaitable, Callable, Iterator

import asyncpg
import msgspec

import bespeak
from benchmarks.bespeak_server import migrated
from benchmarks.cases import search
from benchmarks.cases.search import NIGHTS, PRICE_MAX, Asked, MadeUp, made_up
from benchmarks.database import settle
from benchmarks.opensearch import OpenSearchConnection, opensearch_node
from benchmarks.results import Bench, Figure, Measure, Sample, alternate, compared
from benchmarks.wire import Requests

_LISTINGS = (20_000, 100_000)
_PORTION = 2_000
_WARM_UP = 3_000
_WORKED = 500
_SETTINGS = {
    "settings": {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": "-1"},
    "mappings": {
        "dynamic": "strict",
        "properties": {
            "name": {"type": "text"},
            "place": {"type": "geo_point"},
            "guests": {"type": "byte"},
            "price": {"type": "integer"},
            "free": {"type": "keyword"},
        },
    },
}


class _Found(msgspec.Struct):
    """A document of an answer."""

    id: str = msgspec.field(name="_id")
    source: dict[str, str | int] = msgspec.field(name="_source")
    sort: list[float]


class _Hits(msgspec.Struct):
    """The documents of an answer."""

    hits: list[_Found]


class _Answer(msgspec.Struct):
    """An answer of the node."""

    hits: _Hits


async def run(bench: Bench) -> list[Figure]:
    """A walk and a whole town, with few and with many listings."""
    async with opensearch_node() as theirs:
        return [figure for count in _LISTINGS for figure in await _with(bench, theirs, count)]


async def _with(bench: Bench, theirs: OpenSearchConnection, count: int) -> list[Figure]:
    made, index = made_up(count), f"listings{count}"
    url = await migrated(bench.database, f"search_opensearch{count}")
    ours = await asyncpg.connect(url)
    try:
        await search.put_listings(ours, made.listings, made.nights)
    finally:
        await ours.close()
    await settle(url)
    await _fill(theirs, index, made)
    ask = Requests("POST", f"/{index}/_search")

    async def answer(one: Asked) -> int:
        body = await theirs.send(ask.make(json.dumps(_question(one)).encode()))
        return len(_ANSWERS.decode(body).hits.hits)

    async with bespeak.connect(database_url=url, sweep=False) as engine:
        await search.build(engine)
        for radius in (3_000, 25_000):  # until the virtual machine has translated what it runs
            asked = search.asked_near(made.towns, radius)
            for _ in range(_WARM_UP):
                await answer(next(asked))
        rival = search.Rival("OpenSearch", f"search-opensearch-{{away}}-{count}", answer)
        figures = await search.in_turn(bench, engine, made, rival)
        for away, radius in (("3km", 3_000), ("25km", 25_000)):
            asked = search.asked_near(made.towns, radius)
            ours_cpu, theirs_cpu = await alternate(
                [
                    _worked(asked, lambda one: search.find(engine, one), time.process_time),
                    _worked(asked, answer, theirs.processor_seconds),
                ],
                bench.rounds,
            )
            name = f"search-opensearch-cpu-{away}-{count}"
            figures.append(compared(name, "searches/s", ours_cpu, "OpenSearch", theirs_cpu))
        return figures


def _worked(
    asked: Iterator[Asked], answer: Callable[[Asked], Awaitable[int]], clock: Callable[[], float]
) -> Measure:
    """Searches a second of processor time, which others on the machine do not make fewer."""

    async def measure() -> Sample:
        started = clock()
        for _ in range(_WORKED):
            await answer(next(asked))
        return Sample(_WORKED / (clock() - started))

    return measure


async def _fill(theirs: OpenSearchConnection, index: str, made: MadeUp) -> None:
    """Each listing as a document, in one segment: nothing is written while it is searched."""
    taken: dict[int, set[str]] = {}
    for number, night in made.nights:
        taken.setdefault(number, set()).add(night.isoformat())
    today = dt.datetime.now(dt.UTC).date()
    days = [(today + dt.timedelta(days=day)).isoformat() for day in range(search.DAYS)]
    await theirs.ask("PUT", f"/{index}", json.dumps(_SETTINGS).encode())
    for first in range(0, len(made.listings), _PORTION):
        documents = {
            number: {
                "name": f"Listing {number}",
                "place": {"lat": lat, "lon": lon},
                "guests": guests,
                "price": price,
                "free": [day for day in days if day not in taken.get(number, ())],
            }
            for number, lat, lon, guests, price in made.listings[first : first + _PORTION]
        }
        await theirs.bulk(index, documents)
    await theirs.ask("POST", f"/{index}/_refresh")
    await theirs.ask("POST", f"/{index}/_forcemerge?max_num_segments=1")


def _question(one: Asked) -> dict[str, object]:
    place = {"lat": one.place.lat, "lon": one.place.lon}
    nights = [one.start + dt.timedelta(days=night) for night in range(NIGHTS)]
    return {
        "size": 20,
        "track_total_hits": False,
        "_source": ["name", "price"],
        "query": {
            "bool": {
                "filter": [
                    {"geo_distance": {"distance": f"{one.radius}m", "place": place}},
                    {"range": {"guests": {"gte": 2}}},
                    {"range": {"price": {"lte": PRICE_MAX}}},
                    *({"term": {"free": night.isoformat()}} for night in nights),
                ],
            }
        },
        "sort": [{"_geo_distance": {"place": place, "order": "asc", "unit": "m"}}],
    }


_ANSWERS = msgspec.json.Decoder(_Answer)
