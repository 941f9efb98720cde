"""Free days against what holds get: each beginning of a service is tried, one by one."""

import random
from datetime import date, datetime, timedelta
from typing import TypeAlias
from zoneinfo import ZoneInfo

import msgspec
import pytest

import bespeak
from bespeak import Line
from bespeak.errors import Refused
from bespeak.inventory.blocks import BlockLine
from bespeak.inventory.fields import WEEKDAYS
from bespeak.inventory.plans import AvailabilityQuery, SaleContext
from bespeak.inventory.shapes.times.availability import TimesReader
from bespeak.inventory.shapes.times.slots import SlotRules
from bespeak.inventory.timeline.hours import WeeklyHours
from bespeak.inventory.workspaces import DEFAULT
from bespeak.verticals.appointments import free_days as counted
from bespeak.verticals.appointments.catalogue import TeamsReader, team_row
from bespeak.verticals.appointments.forms import NewProvider, NewService, NewTeam
from bespeak.verticals.appointments.queries import FreeDaysQuestion
from bespeak.verticals.appointments.shown import plan_of
from bespeak.verticals.appointments.teams import create_team
from bespeak.verticals.appointments.views import FreeDays
from tests.harness.clock import START, Clock
from tests.harness.database import Connection

ZONE = "Europe/Berlin"
DAYS = 3
Beginnings: TypeAlias = dict[date, list[datetime]]


def drawn(dice: random.Random) -> NewTeam:
    """A team whose hours and services are drawn."""
    hours = [(8, 12), (9, 13), (20, 25)]
    names = ["ann", "bob"][: dice.randint(1, 2)]

    def weekly() -> tuple[WeeklyHours, ...]:
        begin, end = dice.choice(hours)
        return (WeeklyHours(f"{begin:02}:00", f"{end % 24:02}:00", dice.choice(DAY_SETS)),)

    services = [
        NewService(
            name=f"s{number}",
            minutes=dice.choice((30, 45, 60)),
            step_minutes=dice.choice((None, 30)),
            buffer_after_minutes=dice.choice((0, 15)),
            providers=dice.choice((None, (names[0],))),
        )
        for number in range(2)
    ]
    return NewTeam(
        name="T",
        time_zone=ZONE,
        currency="EUR",
        weekly=weekly(),
        providers=tuple(
            NewProvider(name=name, weekly=dice.choice((None, weekly()))) for name in names
        ),
        services=tuple(services),
        notice_minutes=dice.choice((0, 607)),
        horizon_days=dice.choice((2, 30)),
        capacity=dice.choice((1, 1, 2)),
        published=True,
    )


DAY_SETS = (WEEKDAYS, WEEKDAYS[::2], WEEKDAYS[1::2])


async def asked(
    engine: bespeak.Engine, connection: Connection, team_id: str, **fields: object
) -> FreeDays:
    row = await team_row(connection, TeamsReader(DEFAULT), team_id)
    return await counted.free_days(engine, row, FreeDaysQuestion(**fields))  # type: ignore[arg-type]


async def held_ones(
    engine: bespeak.Engine,
    team_id: str,
    service: str,
    unit: str | None,
    first: date,
    places: int | None = None,
) -> Beginnings:
    """The beginnings of these dates that a hold gets. Each hold is given back at once."""
    found: Beginnings = {first + timedelta(days=number): [] for number in range(DAYS)}
    for day, starts in found.items():
        midnight = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(ZONE))
        for quarter in range(96):
            start = midnight + timedelta(minutes=15 * quarter)
            line = Line(team_id, unit, places, from_=start.isoformat(), rate=service)
            try:
                hold = await engine.place_hold(owner="look", lines=[line], alternatives=0)
            except Refused:
                continue
            await engine.release_hold(hold.id)
            starts.append(start)
    return found


@pytest.mark.parametrize("seed", range(4))
async def test_they_are_what_holds_get(
    engine: bespeak.Engine, clock: Clock, connection: Connection, seed: int
) -> None:
    dice = random.Random(seed)
    await clock.set(START)
    async with connection.transaction():
        team_id, _ = await create_team(engine, connection, DEFAULT, drawn(dice), None)
    first = START.date()
    row = await team_row(connection, TeamsReader(DEFAULT), team_id)
    services = [rate.name for rate in plan_of(row).rates]
    for number in range(12):
        hour, minute = dice.randrange(8, 23), dice.choice((0, 15, 30))
        day = first + timedelta(days=dice.randrange(DAYS))
        line = Line(team_id, from_=f"{day}T{hour:02}:{minute:02}", rate=dice.choice(services))
        try:
            await engine.place_hold(owner=f"o{number}", lines=[line], alternatives=0)
        except Refused:
            continue
    rate = dice.choice(plan_of(row).rates)
    unit = dice.choice((None, (rate.providers or ("ann",))[0]))
    got = await held_ones(engine, team_id, rate.name, unit, first)
    told = await asked(
        engine,
        connection,
        team_id,
        service=rate.name,
        provider=unit,
        from_=first,
        to=first + timedelta(days=DAYS),
    )
    for one in told.items:
        starts = got[one.date]
        assert (one.free, one.first) == (len(starts), starts[0] if starts else None), one
    every = [start for starts in got.values() for start in starts]
    if every:
        assert told.next_free == min(every)


async def test_places_of_a_class_are_what_holds_get_together(
    engine: bespeak.Engine, clock: Clock, connection: Connection
) -> None:
    dice = random.Random(8)
    await clock.set(START)
    new = msgspec.structs.replace(drawn(dice), capacity=3, notice_minutes=0)
    async with connection.transaction():
        team_id, _ = await create_team(engine, connection, DEFAULT, new, None)
    first, service = START.date(), new.services[0].name
    alone = await held_ones(engine, team_id, service, None, first)
    starts = [start for day in alone.values() for start in day]
    for start in dice.sample(starts, len(starts) // 2):
        for unit in [provider.name for provider in new.providers]:
            line = Line(team_id, unit, 2, from_=start.isoformat(), rate=service)
            try:
                await engine.place_hold(owner="others", lines=[line], alternatives=0)
            except Refused:
                continue
    found = {}
    for places in (1, 2, 3):
        got = await held_ones(engine, team_id, service, None, first, places)
        told = await asked(
            engine,
            connection,
            team_id,
            service=service,
            quantity=places,
            from_=first,
            to=first + timedelta(days=DAYS),
        )
        assert [one.free for one in told.items] == [len(day) for day in got.values()]
        found[places] = sum(one.free for one in told.items)
    assert found[1] >= found[2] >= found[3]
    assert found[1] > found[3]


async def test_many_parts_tell_the_same(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await clock.set(START)
    nights = (WeeklyHours("20:00", "03:00"),)
    team = NewTeam(
        name="T",
        time_zone=ZONE,
        currency="EUR",
        weekly=nights,
        providers=(NewProvider(name="ann"), NewProvider(name="bob")),
        services=(NewService(name="s", minutes=30),),
        published=True,
    )
    async with connection.transaction():
        team_id, _ = await create_team(engine, connection, DEFAULT, team, None)
    whole = await asked(engine, connection, team_id, service="s")
    monkeypatch.setattr(counted, "_CELLS_OF_PART_MAX", 400)
    assert await asked(engine, connection, team_id, service="s") == whole
    monkeypatch.setattr(counted, "_CELLS_OF_PART_MAX", 250)  # each provider by itself
    assert await asked(engine, connection, team_id, service="s") == whole
    monkeypatch.setattr(counted, "WORK_MAX", 1000)
    with pytest.raises(bespeak.InvalidRequest):
        await asked(engine, connection, team_id, service="s")
    away = BlockLine(from_=str(START.date()), to=str(START.date() + timedelta(days=4)))
    await engine.block(team_id, [away], reason="away")
    to = START.date() + timedelta(days=1)
    found = await asked(engine, connection, team_id, service="s", from_=START.date(), to=to)
    assert found.next_free is None
    assert found.looked_until < to + timedelta(days=14)


async def test_a_large_team_keeps_nobody_waiting(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await clock.set(START)
    read: list[int] = []
    units = TimesReader.units

    def noted(reader: TimesReader, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        found = units(reader, query, sale)
        assert found is not None  # all that was ever taken of the team
        read.append(len(found))
        return found

    own = [(WeeklyHours("00:00", f"23:{minute:02}"),) for minute in range(60)]
    names = [f"p{number}" for number in range(200)]
    team = NewTeam(
        name="T",
        time_zone=ZONE,
        currency="EUR",
        providers=tuple(
            NewProvider(name=name, weekly=own[number % 60]) for number, name in enumerate(names)
        ),
        services=(
            NewService(name="short", minutes=31, step_minutes=1),
            NewService(name="long", minutes=1300, step_minutes=1440, buffer_after_minutes=1440),
            NewService(name="half", minutes=30, step_minutes=30, providers=tuple(names[:20])),
        ),
        horizon_days=366,
        published=True,
    )
    async with connection.transaction():
        team_id, _ = await create_team(engine, connection, DEFAULT, team, None)
    with monkeypatch.context() as patch:
        patch.setattr(SlotRules, "day", None)  # no slot is made for what is refused
        for service in ("short", "long"):
            with pytest.raises(bespeak.InvalidRequest):
                await asked(engine, connection, team_id, service=service)
    monkeypatch.setattr(TimesReader, "units", noted)
    to = START.date() + timedelta(days=4)
    found = await asked(engine, connection, team_id, service="half", to=to)
    assert [one.free > 40 for one in found.items[1:]] == [True] * 3
    assert len(read) > 4
    assert max(read) <= 5000
