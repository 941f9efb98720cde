"""Loading the demo's cinemas: fast, once, and again only when the week is over."""

import time
from datetime import UTC, datetime, timedelta

import bespeak
from bespeak import NewResource, PoolPlan, SeatsPlan
from bespeak.inventory.plans import compile_seats
from bespeak.verticals.cinema.load import load_demo

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def seats(show: bespeak.Resource) -> int:
    assert isinstance(show.plan, SeatsPlan)
    return len(compile_seats(show.plan).categories)


async def test_the_cinemas_are_loaded_within_a_second_and_once(engine: bespeak.Engine) -> None:
    other = NewResource(name="Another show", plan=SeatsPlan(pools=(PoolPlan("floor", 5),)))
    await engine.create_resource(other)
    started = time.perf_counter()
    first = await load_demo(engine, NOW)
    assert time.perf_counter() - started < 1
    assert seats(first[0]) == 300
    assert len(first) > 200
    assert await load_demo(engine, NOW) == first
    assert len((await engine.list_resources(limit=1000)).items) == len(first) + 1


async def test_shows_that_have_begun_are_left_out_and_a_new_week_follows_the_last(
    engine: bespeak.Engine,
) -> None:
    first = await load_demo(engine, NOW)
    later = NOW + timedelta(days=4)
    left = await load_demo(engine, later)
    assert {show.id for show in left} < {show.id for show in first}
    assert all(show.closes_at is not None and show.closes_at > later for show in left)
    assert seats(left[0]) == 300
    over = NOW + timedelta(days=9)
    renewed = await load_demo(engine, over)
    assert not {show.id for show in renewed} & {show.id for show in first}
    assert seats(renewed[0]) == 300
