"""A hall has one performance at a time, whoever writes at once; and a performance that moves
does not leave behind what guests have of it.
"""

import asyncio
from collections.abc import Sequence

import pytest

import bespeak
from bespeak import Line
from bespeak.errors import PlanChanged
from bespeak.inventory.shapes.seats.plan import Row, SeatsPlan, Section
from bespeak.inventory.workspaces import DEFAULT
from bespeak.verticals.programme import catalogue, performances, places_changes, production_changes
from bespeak.verticals.programme.catalogue import Reader
from bespeak.verticals.programme.copies import copy_performance
from bespeak.verticals.programme.errors import HallOccupied, PerformanceSold
from bespeak.verticals.programme.forms import (
    NewCopies,
    NewHall,
    NewPerformance,
    NewProduction,
    NewVenue,
    PerformanceChange,
)
from tests.concurrency.waiting import until_somebody_waits
from tests.harness.database import Connection, problems, session

PLAN = SeatsPlan(sections=(Section("Stalls", (Row("A", 10),)),))
ORPHANS = """
    select count(*) from bespeak.resource r
    left join programme.performance s using (resource_id) where s.resource_id is null
"""


class House:
    """A hall and a production, and what is asked of them by two processes in turn."""

    def __init__(self, engines: Sequence[bespeak.Engine], hall: str, production: str) -> None:
        self.engines, self.hall, self.production = engines, hall, production

    async def add(self, starts_at: str, by: int = 0) -> str:
        new = NewPerformance(
            production=self.production,
            hall=self.hall,
            starts_at=starts_at,
            currency="EUR",
            prices={"standard": 1000},
            payment="at_venue",
            published=True,
        )
        engine = self.engines[by % len(self.engines)]
        async with engine.database.borrow() as connection, connection.transaction():
            made, _ = await performances.create_performance(engine, connection, DEFAULT, new, None)
            return made

    async def copy(self, performance_id: str, *starts_at: str, by: int = 0) -> int:
        engine = self.engines[by % len(self.engines)]
        async with engine.database.borrow() as connection, connection.transaction():
            _, made = await copy_performance(
                engine, connection, DEFAULT, performance_id, NewCopies(starts_at=starts_at)
            )
            return made

    async def change(self, performance_id: str, by: int = 0, **fields: object) -> None:
        engine = self.engines[by % len(self.engines)]
        change = PerformanceChange(**fields)  # type: ignore[arg-type]
        async with engine.database.borrow() as connection, connection.transaction():
            await performances.change_performance(
                engine, connection, DEFAULT, performance_id, change
            )


@pytest.fixture
async def house(
    engine: bespeak.Engine, second_engine: bespeak.Engine, connection: Connection
) -> House:
    async with connection.transaction():
        place = NewVenue(name="Alte Münze", time_zone="Europe/Berlin")
        venue, _ = await places_changes.create_venue(connection, DEFAULT, place, None)
        room = NewHall(venue=venue, name="Saal", plan=PLAN)
        hall, _ = await places_changes.create_hall(connection, DEFAULT, room, None)
        play = NewProduction(title="Four Hands", minutes=90)
        production, _ = await production_changes.create_production(connection, DEFAULT, play, None)
    return House((engine, second_engine), hall, production)


async def test_of_many_at_a_time_one_has_the_hall(house: House, connection: Connection) -> None:
    done = await _race(house)
    assert sum(isinstance(one, str) for one in done) == 1
    assert sum(isinstance(one, HallOccupied) for one in done) == 7
    assert await connection.fetchval(ORPHANS) == 0


async def test_without_the_lock_the_table_itself_refuses(
    house: House, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control of the lock: all see the hall free, and the constraint has the last word."""
    _all_see_it_free(monkeypatch)
    done = await _race(house)
    assert sum(isinstance(one, str) for one in done) == 1
    assert await connection.fetchval(ORPHANS) == 0


async def test_without_the_constraint_too_the_hall_is_given_twice(
    house: House, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control of the test: it would notice."""
    _all_see_it_free(monkeypatch)
    await connection.execute(
        "alter table programme.performance drop constraint performance_hall_free"
    )
    done = await _race(house)
    assert sum(isinstance(one, str) for one in done) == 8


def _all_see_it_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the lock of the hall away, and has whoever looked whether it is free wait until all
    have."""
    monkeypatch.setitem(
        performances._QUERIES,
        "stage",
        performances._QUERIES["stage"].replace("for update of h", ""),
    )
    looked = asyncio.Barrier(8)
    look = performances._check_free

    async def wait(*arguments: object) -> None:
        await look(*arguments)  # type: ignore[arg-type]
        await looked.wait()

    monkeypatch.setattr(performances, "_check_free", wait)


async def _race(house: House) -> list[str | BaseException]:
    return await asyncio.gather(
        *(house.add(f"2030-03-07T20:{minute:02}", by=minute) for minute in range(8)),
        return_exceptions=True,
    )


async def test_copies_are_all_made_or_none(house: House, connection: Connection) -> None:
    first = await house.add("2030-03-07T20:00")
    await house.add("2030-03-21T19:00")
    with pytest.raises(HallOccupied) as refused:
        await house.copy(first, "2030-03-14T20:00", "2030-03-21T20:00")
    assert refused.value.data["at"] == "2030-03-21T20:00:00+01:00"
    assert await connection.fetchval("select count(*) from programme.performance") == 2
    assert await connection.fetchval(ORPHANS) == 0


async def test_the_same_copies_asked_for_at_once_are_made_once(
    house: House, connection: Connection
) -> None:
    first = await house.add("2030-03-07T20:00")
    times = ("2030-03-14T20:00", "2030-03-21T20:00")
    made = await asyncio.gather(*(house.copy(first, *times, by=n) for n in range(6)))
    assert sorted(made) == [0, 0, 0, 0, 0, 2]
    assert await connection.fetchval("select count(*) from programme.performance") == 3


async def test_what_was_called_off_leaves_its_hall(house: House, connection: Connection) -> None:
    first = await house.add("2030-03-07T20:00")
    await house.engines[0].call_off(first, reason="storm")
    instead = await house.add("2030-03-07T20:30")
    await house.change(first, note="It rained in")  # it stays out of the hall
    found = await catalogue.performance(connection, Reader(DEFAULT), instead)
    assert found.state == "on_sale"


async def test_a_retired_performance_leaves_its_hall_unless_it_is_sold(house: House) -> None:
    engine = house.engines[0]
    first = await house.add("2030-03-07T20:00")
    hold = await engine.place_hold(owner="asha", lines=[Line(first, "A1")])
    await house.change(first, state="closed", published=False)
    with pytest.raises(HallOccupied):
        await house.add("2030-03-07T20:30")
    await engine.release_hold(hold.id)
    instead = await house.add("2030-03-07T20:30")
    with pytest.raises(HallOccupied) as refused:
        await house.change(first, state="open")
    assert refused.value.data["performance_id"] == instead


async def test_a_hold_waits_for_a_performance_that_moves(
    house: House, connection: Connection, database_url: str
) -> None:
    """No guest gets a place of the old evening while it is being moved to another."""
    first = await house.add("2030-03-07T20:00")
    engine, guests = house.engines
    change = PerformanceChange(starts_at="2030-03-08T20:00")
    async with session(database_url) as mover:
        begun = mover.transaction()
        await begun.start()
        await performances.change_performance(engine, mover, DEFAULT, first, change)
        taking = asyncio.create_task(guests.place_hold(owner="asha", lines=[Line(first, "A1")]))
        await until_somebody_waits(connection, mover)
        assert not taking.done()
        await begun.commit()
    await taking
    found = await catalogue.performance(connection, Reader(DEFAULT), first)
    assert found.starts_at.isoformat() == "2030-03-08T20:00:00+01:00"
    assert found.sold == 1


async def test_it_does_not_move_while_a_hold_is_being_placed(
    house: House, connection: Connection, database_url: str
) -> None:
    first = await house.add("2030-03-07T20:00")
    async with session(database_url) as taker:
        begun = taker.transaction()
        await begun.start()
        await house.engines[1].place_hold(owner="asha", lines=[Line(first, "A1")], connection=taker)
        with pytest.raises(PlanChanged):
            await house.change(first, starts_at="2030-03-08T20:00")
        await begun.commit()
    with pytest.raises(PerformanceSold):
        await house.change(first, starts_at="2030-03-08T20:00")
    await house.change(first, starts_at="2030-03-08T20:00", moves_sold=True)
    assert await problems(connection) == []


async def test_prices_are_for_new_holds(house: House, connection: Connection) -> None:
    engine = house.engines[0]
    first = await house.add("2030-03-07T20:00")
    before = await engine.place_hold(owner="asha", lines=[Line(first, "A1")])
    await house.change(first, prices={"standard": 2500})
    after = await engine.place_hold(owner="zoe", lines=[Line(first, "A2")])
    assert [before.amount.amount, after.amount.amount] == [1000, 2500]
    assert (await engine.get_hold(before.id)).amount.amount == 1000
    found = await catalogue.performance(connection, Reader(DEFAULT), first)
    assert [found.price_from, found.categories[0].price] == [2500, 2500]
