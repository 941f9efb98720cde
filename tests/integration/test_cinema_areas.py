"""Screens of a cinema with areas to stand in: their places count among those of their shows."""

from datetime import UTC, datetime
from importlib import resources

import msgspec
import pytest

import bespeak
from bespeak import Line, SeatsAvailability, SeatsPlan
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.shapes.seats.plan import Category, Row, Section
from bespeak.verticals.cinema import catalogue, catalogue_changes, shows
from bespeak.verticals.cinema.catalogue_import import import_catalogue
from bespeak.verticals.cinema.forms import NewScreen, ShowChange
from bespeak.verticals.cinema.queries import ScreenQuestion
from tests.harness.catalogues import CATALOGUE, show
from tests.harness.clock import Clock
from tests.harness.database import Connection


@pytest.fixture
async def cinema(engine: bespeak.Engine, clock: Clock) -> bespeak.Engine:
    """An engine with the small catalogue and a show in one of its screens, of seats alone."""
    await clock.set(datetime(2026, 11, 21, 8, tzinfo=UTC))
    said = msgspec.structs.replace(
        CATALOGUE, shows=(show("snow", "alka-1", "2026-11-23T19:00", "Polish"),)
    )
    assert (await import_catalogue(engine, said)).problems == []
    return engine


async def show_with_a_lawn(engine: bespeak.Engine, connection: Connection) -> str:
    """A show in a screen of four seats and an area for five."""
    room = SeatsPlan(
        sections=(Section("Stalls", (Row("A", 4),), "standard"),),
        pools=(PoolPlan("Lawn", 5, "lawn"),),
        categories=(Category("standard", 900), Category("lawn", 500)),
    )
    new = NewScreen(cinema="alka", name="Garden", plan=room, ref="alka-garden")
    async with connection.transaction():
        await catalogue_changes.put_screen(connection, new)
        said = show("snow", "alka-garden", "2026-11-23T19:00")
        return (await shows.put_show(engine, connection, said)).id


async def seats_told(connection: Connection) -> dict[str, int]:
    """Of each screen by its name."""
    screens = await catalogue.screens(connection, ScreenQuestion())
    return {one.name: one.seats for one in screens.items}


async def test_areas_of_before_are_counted_from_the_migration_on(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    show_id = await show_with_a_lawn(cinema, connection)
    others = await connection.fetch("select * from cinema.show where areas = '{}' order by ref")
    told = await seats_told(connection)
    await connection.execute("update cinema.screen set seats = 4 where name = 'Garden'")
    await connection.execute("update cinema.show set units_total = 4 where areas <> '{}'")
    await connection.execute("alter table cinema.show drop column areas")
    migration = resources.files("bespeak.verticals.cinema") / "migrations" / "0003_areas.sql"
    await connection.execute(migration.read_text())
    assert await seats_told(connection) == told
    assert (await catalogue.show(connection, show_id)).units_total == 9
    after = await connection.fetch("select * from cinema.show where areas = '{}' order by ref")
    assert [dict(row) for row in after] == [dict(row) for row in others]


async def test_places_to_stand_are_counted_too(
    cinema: bespeak.Engine, connection: Connection, clock: Clock
) -> None:
    show_id = await show_with_a_lawn(cinema, connection)

    async def free() -> tuple[int, int, str]:
        found = await catalogue.show(connection, show_id)
        seen = await cinema.availability(show_id)
        assert isinstance(seen, SeatsAvailability)
        standing = sum(level.available for level in seen.pools.values())
        assert seen.units_free + standing == found.units_free
        return found.units_total, found.units_free, found.state

    told = await seats_told(connection)
    assert (told["Garden"], await free()) == (9, (9, 9, "on_sale"))
    await cinema.place_hold(owner="a", lines=[Line(show_id, "Lawn", 3), Line(show_id, "A1")])
    assert await free() == (9, 5, "on_sale")
    await clock.advance(421)
    assert await free() == (9, 9, "on_sale")
    async with connection.transaction():
        await shows.change_show(cinema, connection, show_id, ShowChange(prices={"lawn": 600}))
    await cinema.place_hold(owner="a", lines=[Line(show_id, "Lawn", 5)])
    await cinema.place_hold(
        owner="b", lines=[Line(show_id, f"A{number}") for number in range(1, 5)]
    )
    assert await free() == (9, 0, "sold_out")
