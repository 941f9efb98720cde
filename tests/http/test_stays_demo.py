"""Loading the demo's stays: once, whatever ends it, by the rows that the calls of the API write."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime
from typing import cast

import msgspec
import pytest

import bespeak
from bespeak.feed.numberer import numbering
from bespeak.verticals.stays.demo.houses import DemoLetting, house
from bespeak.verticals.stays.demo.load import load_demo
from bespeak.verticals.stays.demo.taken import REASON
from tests.harness.database import Connection, problems
from tests.http.api import Api, Json, document
from tests.http.stays import LISTINGS, PROPERTIES, SEARCH, soon

_COUNTS = """
    select (select count(*) from stays.property), (select count(*) from stays.listing),
        (select count(*) from bespeak.resource), (select count(*) from bespeak.block)
"""
# What differs wherever two of a kind are made one after the other.
_OWN = ("resource_id", "property_id", "ref", "searched", "created_at", "updated_at", "version")


@pytest.fixture
def engine(api: Api) -> bespeak.Engine:
    return api.service.engine


@pytest.fixture
async def _numbered(api: Api) -> AsyncIterator[None]:
    async with numbering(api.database_url):
        yield


def wants(engine: bespeak.Engine, listings: int) -> None:
    engine.settings = msgspec.structs.replace(engine.settings, demo_listings=listings)


async def counts(connection: Connection) -> tuple[int, ...]:
    return tuple(await connection.fetchrow(_COUNTS) or ())


async def test_it_is_loaded_once_and_grows(engine: bespeak.Engine, connection: Connection) -> None:
    wants(engine, 300)
    steps: list[tuple[int, int]] = []
    loaded = await load_demo(engine, tell=lambda done, total: steps.append((done, total)))
    assert loaded is not None
    assert loaded.told.startswith("300 listings in ")
    assert len(loaded.featured) == 3
    assert steps == [(0, 300), (300, 300)]
    before = await counts(connection)
    assert before[1:3] == (300, 300)
    again = await load_demo(engine)
    assert again == loaded
    assert await counts(connection) == before
    wants(engine, 310)
    more = await load_demo(engine)
    assert more is not None
    assert more.told.startswith("310 ")
    wants(engine, 0)
    assert await load_demo(engine) == more, "none are taken away"
    assert await problems(connection) == []
    assert await connection.fetch("select * from bespeak.money_problems()") == []


async def test_none_are_made_of_none(engine: bespeak.Engine, connection: Connection) -> None:
    wants(engine, 0)
    assert await load_demo(engine) is None
    assert await counts(connection) == (0, 0, 0, 0)


async def test_a_load_that_is_broken_off_goes_on_where_it_was(
    engine: bespeak.Engine, connection: Connection
) -> None:
    wants(engine, 1200)
    reached = asyncio.Event()
    loading = asyncio.create_task(
        load_demo(engine, tell=lambda done, _: reached.set() if done else None)
    )
    begun = asyncio.create_task(reached.wait())
    await asyncio.wait({begun, loading}, return_when=asyncio.FIRST_COMPLETED)
    assert not loading.done(), loading
    for _ in range(20):  # into the middle of the next batch
        await asyncio.sleep(0)
    loading.cancel()
    await asyncio.gather(loading, return_exceptions=True)
    assert 0 < (await counts(connection))[1] < 1200
    steps: list[int] = []
    await load_demo(engine, tell=lambda done, _: steps.append(done))
    assert steps[0] > 0, "what was there is not loaded again"
    made = await counts(connection)
    assert made[1:3] == (1200, 1200)
    refs = await connection.fetch("select ref from stays.property order by ref")
    assert [row["ref"] for row in refs] == [f"demo-{n:07}" for n in range(1, made[0] + 1)]
    assert await problems(connection) == []


async def test_its_rows_are_those_that_the_calls_write(
    api: Api, engine: bespeak.Engine, connection: Connection
) -> None:
    wants(engine, 60)
    now = datetime.now(UTC)
    await load_demo(engine, now=now)
    letting = DemoLetting("at_venue", now.date())
    for number in (1, 2, 3):
        made = house(number, "prp_000000000000", letting)
        body = {**msgspec.to_builtins(made.said), "ref": f"twin-{number}"}
        twin = document(await api.ask("POST", PROPERTIES, body, key="ak"), 201)
        assert await _row(connection, "property", f"demo-{number:07}") == await _row(
            connection, "property", f"twin-{number}"
        )
        for said in made.listings:
            body = {**msgspec.to_builtins(said), "ref": f"twin-{said.ref}", "property": twin["id"]}
            document(await api.ask("POST", LISTINGS, body, key="ak"), 201)
            await _same_listing(api, connection, str(said.ref))


async def _same_listing(api: Api, connection: Connection, ref: str) -> None:
    """The rows of a listing of the demo and of its twin, and of what is taken of both."""
    assert await _row(connection, "listing", ref) == await _row(
        connection, "listing", f"twin-{ref}"
    )
    one, other = await _resource(connection, ref), await _resource(connection, f"twin-{ref}")
    attributes = [cast(Json, row.pop("attributes")) for row in (one, other)]
    assert {**attributes[0], "property_id": attributes[1]["property_id"]} == attributes[1]
    # It was never a draft: the call makes one and publishes it.
    assert await _events(connection, ref) == ["created", "blocked"]
    assert await _events(connection, f"twin-{ref}") == ["created", "changed"]
    assert one == other
    number, twin = await _number(connection, ref), await _number(connection, f"twin-{ref}")
    blocked = await connection.fetchrow(
        "select units, quantities from bespeak.block where resource_id = $1", number
    )
    assert blocked is not None
    is_whole = blocked["quantities"][0] is None
    lines = [
        {
            "from": unit[-10:],
            "to": str(date.fromordinal(date.fromisoformat(unit[-10:]).toordinal() + 1)),
        }
        | ({"unit": unit[:-11]} if is_whole else {"quantity": quantity})
        for unit, quantity in zip(blocked["units"], blocked["quantities"], strict=True)
    ]
    path = f"/v1/resources/{bespeak.ids.show_resource(twin)}/blocks"
    document(await api.ask("POST", path, {"lines": lines, "reason": REASON}, key="ak"), 201)
    for table in ("block", "claim", "pool", "draw"):
        assert await _taken(connection, table, number) == await _taken(connection, table, twin), (
            table
        )
    told = "select units, quantities, data from bespeak.event"
    told += " where resource_id = $1 and kind = 'blocked'"
    ours, theirs = [await connection.fetch(told, each) for each in (number, twin)]
    assert [tuple(row) for row in ours] == [tuple(row) for row in theirs]


async def _row(connection: Connection, table: str, ref: str) -> Json:
    text = await connection.fetchval(
        f"select to_jsonb(t)::text from stays.{table} t where ref = $1",
        ref,
    )
    return {name: value for name, value in msgspec.json.decode(text).items() if name not in _OWN}


async def _resource(connection: Connection, ref: str) -> Json:
    number = await _number(connection, ref)
    text = await connection.fetchval(
        "select to_jsonb(r)::text from bespeak.resource r where resource_id = $1", number
    )
    return {name: value for name, value in msgspec.json.decode(text).items() if name not in _OWN}


async def _number(connection: Connection, ref: str) -> int:
    number: int = await connection.fetchval(
        "select resource_id from stays.listing where ref = $1", ref
    )
    return number


async def _events(connection: Connection, ref: str) -> list[str]:
    rows = await connection.fetch(
        "select kind from bespeak.event where resource_id = $1 order by horizon, position",
        await _number(connection, ref),
    )
    return [row["kind"] for row in rows]


async def _taken(connection: Connection, table: str, number: int) -> list[Json]:
    rows = await connection.fetch(
        f"select to_jsonb(t)::text as row from bespeak.{table} t where resource_id = $1",
        number,
    )
    own = (*_OWN, "block_id", "hold_id")
    found = [msgspec.json.decode(row["row"]) for row in rows]
    kept = [{name: value for name, value in row.items() if name not in own} for row in found]
    return sorted(kept, key=str)


@pytest.mark.usefixtures("_numbered")
async def test_the_search_finds_what_was_loaded(api: Api, engine: bespeak.Engine) -> None:
    wants(engine, 300)
    await load_demo(engine)
    total = 0
    for lat, lon in ((48.8566, 2.3522), (51.5072, -0.1276), (35.6762, 139.6503)):
        asked = f"{SEARCH}?lat={lat}&lon={lon}&start={soon(0)}&end={soon(3)}&guests=1"
        page = document(await api.ask("GET", asked, key="pk"), 200)
        total += cast(int, page["found"])
        for one in cast(list[Json], page["items"])[:3]:
            lines = [{"resource_id": one["id"], "from": soon(0), "to": soon(3), "guests": 1}]
            hold = {"owner": "asha", "lines": lines}
            document(await api.ask("POST", "/v1/holds", hold, key="sk"), 201)
    assert total > 5
