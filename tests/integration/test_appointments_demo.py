"""The teams of the demo: loaded once, in every language, with a few appointments each day."""

from datetime import UTC, datetime, timedelta

import bespeak
from bespeak.inventory.workspaces import DEFAULT
from bespeak.verticals.appointments import agenda, catalogue
from bespeak.verticals.appointments.catalogue import TeamsReader
from bespeak.verticals.appointments.demo.load import load_demo
from bespeak.verticals.appointments.forms import NewService, TeamChange
from bespeak.verticals.appointments.queries import AgendaQuestion, TeamsQuestion
from bespeak.verticals.appointments.teams import change_team
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems

NOW = datetime(2026, 11, 23, 6, tzinfo=UTC)  # a Monday
GUEST = TeamsReader(DEFAULT, published_only=True)


async def test_it_is_loaded_once_and_topped_up(
    engine: bespeak.Engine, clock: Clock, connection: Connection
) -> None:
    await clock.set(NOW)
    loaded = await load_demo(engine)
    assert (loaded.told, list(loaded.featured)) == ("2 teams with 7 doctors and courts", [])
    count = "select count(*) from bespeak.booking"
    booked = await connection.fetchval(count)
    assert booked > 10
    await load_demo(engine)
    assert await connection.fetchval(count) == booked
    assert await connection.fetchval("select count(*) from bespeak.resource") == 2
    await clock.set(NOW + timedelta(days=3))
    await load_demo(engine)
    assert await connection.fetchval(count) > booked
    assert await problems(connection) == []


async def test_what_was_made_of_it_stays_as_it_is(
    engine: bespeak.Engine, clock: Clock, connection: Connection
) -> None:
    """Whatever somebody made of the teams since, or another version of the demo says of them."""
    await clock.set(NOW)
    await load_demo(engine)
    practice, _ = (await catalogue.teams(connection, GUEST, TeamsQuestion())).items
    (one, *_) = practice.services
    services = (NewService(name=one.name, minutes=25, price=5000),)
    change = TeamChange(payment="required", services=services)
    async with connection.transaction():
        await change_team(engine, connection, DEFAULT, practice.id, change)
    await clock.set(NOW + timedelta(days=1))
    loaded = await load_demo(engine)
    assert loaded.told.startswith("2 teams")
    assert await connection.fetchval("select count(*) from bespeak.resource") == 2
    kept = await catalogue.team(connection, GUEST, practice.id)
    assert [service.minutes for service in kept.services] == [25]


async def test_guests_find_it_in_three_languages(
    engine: bespeak.Engine, clock: Clock, connection: Connection
) -> None:
    await clock.set(NOW)
    await load_demo(engine)
    plain = await catalogue.teams(connection, GUEST, TeamsQuestion())
    assert [team.name for team in plain.items] == ["Practice on the Green", "Riverside Courts"]
    for language in ("de", "ar"):
        reader = GUEST._replace(language=language)
        told = await catalogue.teams(connection, reader, TeamsQuestion())
        for one, said in zip(plain.items, told.items, strict=True):
            whole = await catalogue.team(connection, reader, one.id)
            assert one.name != said.name and one.summary != said.summary
            assert whole.description != one.description
            assert all(service.title != service.name for service in whole.services)
            assert all(provider.title != provider.name for provider in whole.providers)


async def test_the_agenda_looks_like_life(
    engine: bespeak.Engine, clock: Clock, connection: Connection
) -> None:
    await clock.set(NOW)
    await load_demo(engine)
    practice, _ = (await catalogue.teams(connection, GUEST, TeamsQuestion())).items
    desk = GUEST._replace(published_only=False, sells=True)
    day = await agenda.agenda(connection, desk, practice.id, AgendaQuestion())
    assert len(day.items) > 3
    assert all(one.guest is not None and one.service and one.code for one in day.items)
    assert {one.provider for one in day.items} <= set(day.providers)
