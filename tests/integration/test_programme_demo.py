"""The house of the demo: loaded once, whole, in every language, and again when it is over."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

import bespeak
from bespeak import Line
from bespeak.inventory.workspaces import DEFAULT
from bespeak.verticals.programme import catalogue
from bespeak.verticals.programme.catalogue import Reader
from bespeak.verticals.programme.demo import load
from bespeak.verticals.programme.demo.load import load_demo
from bespeak.verticals.programme.queries import (
    HallQuestion,
    PerformanceQuestion,
    ProductionQuestion,
)
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems

NOW = datetime(2026, 11, 23, 8, tzinfo=UTC)
GUEST = Reader(DEFAULT, published_only=True)


async def test_it_is_loaded_once(
    engine: bespeak.Engine, clock: Clock, connection: Connection
) -> None:
    await clock.set(NOW)
    loaded = await load_demo(engine)
    assert loaded.told == "14 performances of 6 productions in 1 venue"
    assert len(loaded.featured) == 3
    again = await load_demo(engine)
    assert [one.id for one in again.featured] == [one.id for one in loaded.featured]
    assert await connection.fetchval("select count(*) from bespeak.resource") == 14
    await engine.place_hold(owner="asha", lines=[Line(loaded.featured[0].id, "A1")])
    assert await problems(connection) == []


async def test_guests_find_it_in_three_languages(
    engine: bespeak.Engine, clock: Clock, connection: Connection
) -> None:
    await clock.set(NOW)
    await load_demo(engine)
    plain = await catalogue.productions(connection, GUEST, ProductionQuestion())
    assert len(plain.items) == 6
    for language in ("de", "ar"):
        reader = GUEST._replace(language=language)
        told = await catalogue.productions(connection, reader, ProductionQuestion())
        for one, said in zip(plain.items, told.items, strict=True):
            assert one.title != said.title and one.summary != said.summary
            assert one.venues[0].name != said.venues[0].name
        evenings = await catalogue.performances(connection, reader, PerformanceQuestion())
        halls = await catalogue.halls(connection, reader, HallQuestion())
        for categories in [*(one.categories for one in evenings.items)]:
            assert all(one.code != one.name for one in categories)
        assert all(one.code != one.name for hall in halls.items for one in hall.categories)


async def test_when_it_is_over_it_begins_anew(
    engine: bespeak.Engine, clock: Clock, connection: Connection
) -> None:
    await clock.set(NOW)
    await load_demo(engine)
    await clock.set(NOW + timedelta(days=19))
    loaded = await load_demo(engine)
    assert loaded.told.startswith("14 ")
    assert len((await catalogue.halls(connection, GUEST, HallQuestion())).items) == 2
    assert await connection.fetchval("select count(*) from programme.production") == 6
    assert await connection.fetchval("select count(*) from programme.performance") == 28


async def test_a_version_that_tells_it_otherwise_starts_on_what_another_made(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await clock.set(NOW)
    before = await load_demo(engine)
    house = msgspec.json.decode(load._told())
    house["venue"]["address"] = "Another Street 1"
    house["productions"][0]["said"]["summary"] = "Said otherwise."
    monkeypatch.setattr(load, "_told", lambda: msgspec.json.encode(house))
    after = await load_demo(engine)
    assert [one.id for one in after.featured] == [one.id for one in before.featured]
    assert await connection.fetchval("select count(*) from programme.venue") == 1
    # When that is over the new house opens, and is made once.
    await clock.set(NOW + timedelta(days=19))
    for _ in range(2):
        await load_demo(engine)
        assert await connection.fetchval("select count(*) from programme.venue") == 2
        assert await connection.fetchval("select count(*) from programme.performance") == 28


async def test_a_venue_that_a_visitor_has_renamed_is_still_the_demos(
    engine: bespeak.Engine, clock: Clock, connection: Connection
) -> None:
    await clock.set(NOW)
    before = await load_demo(engine)
    await connection.execute("update programme.venue set name = 'Mine'")
    after = await load_demo(engine)
    assert [one.id for one in after.featured] == [one.id for one in before.featured]
    assert await connection.fetchval("select count(*) from programme.performance") == 14
