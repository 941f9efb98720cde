"""The catalogue: what its questions find, that no two shows are in a screen at a time, and that a
show and its resource come and go together.
"""

import asyncio
from datetime import UTC, date, datetime

import msgspec
import pytest

import bespeak
from bespeak import (
    BespeakError,
    DemandStep,
    InvalidRequest,
    Line,
    Pricing,
    ResourceChange,
    SeatsPlan,
)
from bespeak.errors import InvalidCursor, ResourceInUse
from bespeak.verticals.cinema import catalogue, catalogue_changes, shows
from bespeak.verticals.cinema.catalogue_import import import_catalogue
from bespeak.verticals.cinema.errors import (
    CityNotFound,
    FilmNotFound,
    ReferenceTaken,
    ScreenNotFound,
    ScreenOccupied,
    SeatRetired,
    ShowNotFound,
)
from bespeak.verticals.cinema.forms import (
    Catalogue,
    NewCinema,
    NewShow,
    ShowChange,
)
from bespeak.verticals.cinema.names import CITY, FILM, SCREEN, id_of
from bespeak.verticals.cinema.queries import FilmQuestion, ScreenQuestion, ShowQuestion
from tests.harness.catalogues import ACCESSIBLE, CATALOGUE, CITIES, FILMS, SCREENS, SMALL, show
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, snapshot

NOW = datetime(2026, 11, 21, 8, tzinfo=UTC)
WEEK = (
    show("snow", "alka-1", "2026-11-21T19:00", "Polish", subtitles="English"),
    show("snow", "kranich-1", "2026-11-22T00:30", "Polish", format="3D"),
    show("script", "alka-2", "2026-11-22T10:00"),
    show("script", "kranich-1", "2026-11-22T20:00", "German", prices={"premium": 2000}),
    show("train", "linde-1", "2026-11-22T20:00", "Arabic"),
)


@pytest.fixture
async def cinema(engine: bespeak.Engine, clock: Clock) -> bespeak.Engine:
    """An engine with the small catalogue and its five shows, on a Saturday morning."""
    await clock.set(NOW)
    report = await import_catalogue(engine, Catalogue(**{
        field: getattr(CATALOGUE, field) for field in ("cities", "cinemas", "screens", "films")
    }, shows=WEEK))  # fmt: skip
    assert report.problems == []
    return engine


async def put(engine: bespeak.Engine, new: NewShow) -> str:
    async with engine.database.pool.acquire() as connection, connection.transaction():
        return (await shows.put_show(engine, connection, new)).id


async def change(engine: bespeak.Engine, show_id: str, **fields: object) -> None:
    async with engine.database.pool.acquire() as connection, connection.transaction():
        asked = ShowChange(**fields)  # type: ignore[arg-type]
        await shows.change_show(engine, connection, show_id, asked)


async def titles(connection: Connection, **asked: object) -> set[str]:
    found = await catalogue.films(connection, FilmQuestion(**asked))  # type: ignore[arg-type]
    return {film.title for film in found.items}


NONSENSE = Pricing(steps=(DemandStep(from_count=1, amount=1, category="royal"),))
BERLIN = id_of(CITY, "berlin")
SNOW, SCRIPT, TRAIN = (film.title for film in FILMS)


FOUND: list[tuple[dict[str, object], set[str]]] = [
    ({}, {SNOW, SCRIPT, TRAIN}),
    ({"city": BERLIN}, {SNOW, SCRIPT, TRAIN}),
    ({"city": BERLIN, "language": "German"}, {SCRIPT}),
    ({"date": date(2026, 11, 22)}, {SNOW, SCRIPT, TRAIN}),
    ({"date": date(2026, 11, 21)}, {SNOW}),
    ({"format": "3D"}, {SNOW}),
    ({"accessible": True}, {SCRIPT}),
    ({"genre": "Drama"}, {SNOW, TRAIN}),
    ({"genre": "Drama", "language": "Arabic"}, {TRAIN}),
    ({"language": "Klingon"}, set()),
    ({"q": "snieg"}, {SNOW}),
    ({"q": "SAO tomé ś"}, {SNOW}),
    ({"q": "muller"}, {SNOW}),
    ({"q": "angstrom lucja"}, {SNOW}),
    ({"q": "<script>"}, {SCRIPT}),
    ({"q": "قطار"}, {TRAIN}),
    ({"q": "%"}, set()),
    ({"q": "_"}, set()),
    ({"q": "\\"}, set()),
]


async def test_films_are_found_by_every_filter(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    for asked, expected in FOUND:
        assert await titles(connection, **asked) == expected, asked


async def test_what_is_left_to_choose_of_a_filter_is_by_the_others(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    found = await catalogue.films(connection, FilmQuestion(city=BERLIN, language="German"))
    assert found.facets.languages == ["Arabic", "German", "Polish"]
    assert found.facets.formats == ["2D"]
    assert found.facets.genres == ["Thriller"]
    assert found.facets.dates == [date(2026, 11, 22)]
    (film,) = found.items
    assert (film.languages, film.shows) == (["German"], 1)
    assert film.next_show is not None
    assert film.next_show.starts_at.isoformat() == "2026-11-22T20:00:00+01:00"
    assert (film.next_show.time_zone, film.next_show.city_id) == ("Europe/Berlin", BERLIN)


async def test_films_come_in_pages_newest_first_and_each_once(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    seen: list[str] = []
    after = None
    while True:
        page = await catalogue.films(connection, FilmQuestion(limit=1, after=after))
        seen += [film.title for film in page.items]
        after = page.next
        if after is None:
            break
    assert seen[0] == SNOW
    assert sorted(seen) == sorted([SNOW, SCRIPT, TRAIN])


async def test_shows_come_by_time_and_a_date_is_that_of_the_city(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    seen = []
    after = None
    while True:
        page = await catalogue.shows(connection, ShowQuestion(limit=2, after=after))
        seen += page.items
        after = page.next
        if after is None:
            break
    assert [one.starts_at for one in seen] == sorted(one.starts_at for one in seen)
    assert len({one.id for one in seen}) == 5
    late = await catalogue.shows(connection, ShowQuestion(city=BERLIN, date=date(2026, 11, 22)))
    assert [one.starts_at.isoformat() for one in late.items] == [
        "2026-11-22T00:30:00+01:00",
        "2026-11-22T20:00:00+01:00",
        "2026-11-22T20:00:00+01:00",
    ]
    assert late.items[0].ends_at.isoformat() == "2026-11-22T02:10:00+01:00"


@pytest.mark.parametrize(
    "cursor", ["x", "WyJ4Il0", "W10", "WzFd", "bnVsbA", "WyJcdTAwMDAiLCAiYSJd", "é", "=" * 9]
)
async def test_a_cursor_that_no_list_gave_out_is_refused(
    connection: Connection, cursor: str
) -> None:
    for asked in (
        catalogue.films(connection, FilmQuestion(after=cursor)),
        catalogue.shows(connection, ShowQuestion(after=cursor)),
        catalogue.screens(connection, ScreenQuestion(after=cursor)),
    ):
        with pytest.raises(InvalidCursor):
            await asked


async def test_free_seats_are_counted_as_availability_counts_them(
    cinema: bespeak.Engine, connection: Connection, clock: Clock
) -> None:
    async def free() -> tuple[int, str]:
        (found,) = (await catalogue.shows(connection, ShowQuestion(city=id_of(CITY, "pune"),
                    date=date(2026, 11, 21)))).items  # fmt: skip
        seen = await cinema.availability(found.id)
        assert getattr(seen, "units_free", None) == found.units_free
        return found.units_free, found.state

    (first,) = (await catalogue.shows(connection, ShowQuestion(film=id_of(FILM, "snow"),
                city=id_of(CITY, "pune")))).items  # fmt: skip
    assert await free() == (28, "on_sale")
    await cinema.place_hold(owner="a", lines=[Line(first.id, "A1"), Line(first.id, "A2")])
    assert await free() == (26, "on_sale")
    await clock.advance(421)
    assert await free() == (28, "on_sale")  # lapsed, whoever swept it up or not
    await cinema.update_resource(first.id, ResourceChange(state="closed"))
    assert await free() == (28, "closed")
    await cinema.update_resource(first.id, ResourceChange(state="open"))
    for row, count in (("A", 10), ("B", 10), ("C", 8)):
        lines = [Line(first.id, f"{row}{n}") for n in range(1, count + 1)]
        await cinema.place_hold(owner=row, lines=lines)
    assert await free() == (0, "sold_out")
    await clock.set(datetime(2026, 11, 21, 13, 31, tzinfo=UTC))
    assert (await free())[1] == "closed"
    assert SNOW in await titles(connection, date=date(2026, 11, 22))
    assert await titles(connection, date=date(2026, 11, 21)) == set()


async def test_two_shows_do_not_share_a_screen_nor_its_cleaning(cinema: bespeak.Engine) -> None:
    # 100 minutes from seven in the evening, and 15 of cleaning.
    for starts_at in ("2026-11-21T20:54", "2026-11-21T17:46", "2026-11-21T19:00:01+05:30"):
        with pytest.raises(ScreenOccupied) as refused:
            await put(cinema, show("train", "alka-1", starts_at))
        assert str(refused.value.data["show_id"]).startswith("res_")
    before = await put(cinema, show("train", "alka-1", "2026-11-21T17:45"))
    after = await put(cinema, show("train", "alka-1", "2026-11-21T20:55"))
    assert before != after
    assert await put(cinema, show("train", "alka-2", "2026-11-21T20:54"))  # another screen


async def test_of_two_writers_at_once_one_has_the_screen(
    cinema: bespeak.Engine, second_engine: bespeak.Engine, connection: Connection
) -> None:
    wanted = [show("train", "linde-1", f"2026-11-25T20:{minute:02}") for minute in range(8)]
    done = await asyncio.gather(
        *(put((cinema, second_engine)[n % 2], one) for n, one in enumerate(wanted)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, str) for one in done) == 1
    assert sum(isinstance(one, ScreenOccupied) for one in done) == 7
    count = "select count(*) from bespeak.resource r left join cinema.show s using (resource_id) "
    assert await connection.fetchval(count + "where s.resource_id is null") == 0


async def test_a_twin_of_a_request_is_answered_with_what_it_made(
    cinema: bespeak.Engine, second_engine: bespeak.Engine
) -> None:
    new = show("train", "linde-1", "2026-11-25T20:00")
    made = await asyncio.gather(*(put((cinema, second_engine)[n % 2], new) for n in range(6)))
    assert len(set(made)) == 1
    with pytest.raises(ScreenOccupied):
        await put(cinema, show("train", "linde-1", "2026-11-25T20:00", "Polish"))
    await put(cinema, show("train", "linde-1", "2026-11-26T20:00", ref="mine"))
    with pytest.raises(ReferenceTaken):
        await put(cinema, show("train", "linde-1", "2026-11-27T20:00", ref="mine"))


async def test_a_show_that_was_called_off_leaves_its_screen(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    show_id = await put(cinema, show("train", "linde-1", "2026-11-25T20:00"))
    await cinema.call_off(show_id, reason="the projector broke")
    assert (await catalogue.show(connection, show_id)).state == "called_off"
    instead = await put(cinema, show("snow", "linde-1", "2026-11-25T20:10"))
    await change(cinema, show_id, language="Polish")  # it stays out of the screen
    assert (await catalogue.show(connection, instead)).state == "on_sale"
    found = await catalogue.films(
        connection, FilmQuestion(language="Polish", date=date(2026, 11, 25))
    )
    assert found.items == []


async def test_a_show_is_its_resource_and_its_row_or_neither(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    before = await snapshot(connection)
    rows = await connection.fetchval("select count(*) from cinema.show")
    refusals: list[tuple[NewShow, type[BespeakError]]] = [
        (show("nothing", "alka-1", "2026-11-25T20:00"), FilmNotFound),
        (show("snow", "nowhere", "2026-11-25T20:00"), ScreenNotFound),
        (show("snow", "alka-1", "2026-11-21T19:05"), ScreenOccupied),
        (show("snow", "alka-1", "tomorrow!!"), InvalidRequest),
        (show("snow", "alka-1", "1999-11-25T20:00"), InvalidRequest),
        (show("snow", "alka-1", "9999-12-31T23:59"), InvalidRequest),
        (show("snow", "kranich-1", "2027-03-28T02:30"), InvalidRequest),  # the clocks skip it
        (show("snow", "alka-1", "2026-11-25T20:00", prices={"royal": 1}), InvalidRequest),
        (show("snow", "alka-1", "2026-11-25T20:00", hold_seconds_max=1, pricing=NONSENSE),
         InvalidRequest),
    ]  # fmt: skip
    for new, error in refusals:
        with pytest.raises(error):
            await put(cinema, new)
    assert await snapshot(connection) == before
    # The row fails after the resource was made: both are undone.
    await connection.execute("alter table cinema.show add check (format <> 'Odorama')")
    with pytest.raises(Exception, match="check"):
        await put(cinema, show("snow", "alka-1", "2026-11-25T20:00", format="Odorama"))
    assert await snapshot(connection) == before
    assert await connection.fetchval("select count(*) from cinema.show") == rows


async def test_a_change_is_of_the_show_and_its_resource(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    show_id = await put(cinema, show("snow", "kranich-1", "2026-11-25T20:00"))
    hold = await cinema.place_hold(owner="a", lines=[Line(show_id, "C1")])
    assert hold.amount.amount == 1300
    await change(cinema, show_id, starts_at="2026-11-25T21:30", prices={"premium": 1500})
    resource = await cinema.get_resource(show_id)
    seen = await catalogue.show(connection, show_id)
    assert resource.starts_at == resource.closes_at == seen.starts_at
    assert seen.starts_at.isoformat() == "2026-11-25T21:30:00+01:00"
    assert resource.attributes["starts_at"] == "2026-11-25T21:30:00+01:00"
    assert "21:30" in resource.name
    second = await cinema.place_hold(owner="b", lines=[Line(show_id, "C2"), Line(show_id, "A1")])
    assert second.amount.amount == 2400
    await change(cinema, show_id, state="closed")
    assert (await catalogue.show(connection, show_id)).state == "closed"
    await change(cinema, show_id, state="open", subtitles=None)
    assert (await catalogue.show(connection, show_id)).state == "on_sale"
    other = await cinema.create_resource(bespeak.NewResource(name="No show", plan=SMALL))
    with pytest.raises(ShowNotFound):
        await change(cinema, other.id, state="closed")
    with pytest.raises(ScreenOccupied):
        await put(cinema, show("train", "kranich-1", "2026-11-25T21:00"))
    await put(cinema, show("train", "kranich-1", "2026-11-25T19:00"))
    with pytest.raises(ScreenOccupied):
        await change(cinema, show_id, starts_at="2026-11-25T20:00")
    assert (await cinema.get_resource(show_id)).starts_at == resource.starts_at
    assert await problems(connection) == []


async def test_seats_are_permanent(cinema: bespeak.Engine, connection: Connection) -> None:
    sold = await put(cinema, show("snow", "alka-1", "2026-11-25T20:00"))

    async def plan(new: SeatsPlan) -> None:
        changed = msgspec.structs.replace(SCREENS[0], plan=new)
        async with connection.transaction():
            await catalogue_changes.put_screen(connection, changed, update=True)

    smaller = msgspec.structs.replace(SMALL, sections=SMALL.sections[:1])
    await plan(smaller)
    rows = await connection.fetch(
        "select unit from cinema.seat where retired_at is not null and screen_id = $1",
        id_of(SCREEN, "alka-1"),
    )
    assert sorted(row["unit"] for row in rows) == [f"C{n}" for n in range(1, 9)]
    with pytest.raises(SeatRetired) as refused:
        await plan(SMALL)
    assert refused.value.data["units"] == [f"C{n}" for n in range(1, 9)]
    # What is on sale keeps its seats, also when it is changed; what is new has those of the room.
    await change(cinema, sold, prices={"standard": 800})
    assert (await catalogue.show(connection, sold)).units_total == 28
    later = await put(cinema, show("snow", "alka-1", "2026-11-26T20:00"))
    assert (await catalogue.show(connection, later)).units_total == 20


async def test_what_is_said_twice_is_made_once_and_otherwise_refused(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    for said in (
        catalogue_changes.put_city(connection, CITIES[0]),
        catalogue_changes.put_screen(connection, SCREENS[1]),
        catalogue_changes.put_film(connection, FILMS[0]),
    ):
        assert (await said).outcome == "unchanged"
    with pytest.raises(ReferenceTaken):
        await catalogue_changes.put_city(
            connection, msgspec.structs.replace(CITIES[0], name="Poona")
        )
    with pytest.raises(CityNotFound):
        await catalogue_changes.put_cinema(connection, NewCinema(city="atlantis", name="Deep"))
    with pytest.raises(InvalidRequest, match="time_zone"):
        moved = msgspec.structs.replace(CITIES[0], time_zone="UTC")
        await catalogue_changes.put_city(connection, moved, update=True)


async def test_an_import_is_all_or_nothing_and_names_every_fault(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    before = await snapshot(connection)
    said = Catalogue(
        films=(msgspec.structs.replace(FILMS[0], minutes=99),),
        shows=(
            show("snow", "alka-2", "2026-11-25T20:00"),
            show("lost", "alka-2", "2026-11-25T23:00"),
            show("snow", "alka-2", "soon, very soon"),
            show("snow", "alka-2", "2026-11-25T20:00", "Polish"),
        ),
    )
    report = await import_catalogue(cinema, said)
    assert not report.applied
    assert [(one.where, one.code) for one in report.problems] == [
        ("shows[1].film", "film_not_found"),
        ("shows[2].starts_at", "invalid_request"),
        ("shows[3]", "reference_taken"),
    ]
    assert sum(report.created.values()) == 0
    assert await snapshot(connection) == before
    assert await connection.fetchval("select min(minutes) from cinema.film") == 60
    assert (await catalogue.film(connection, id_of(FILM, "snow"))).minutes == 100


async def test_an_import_names_the_shows_that_are_in_each_others_way(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    said = Catalogue(
        shows=(
            show("snow", "alka-1", "2026-11-21T20:00"),
            show("snow", "alka-1", "2026-11-25T20:00"),
            show("snow", "alka-1", "2026-11-25T21:00"),
        )
    )
    report = await import_catalogue(cinema, said)
    assert [(one.where, one.code) for one in report.problems] == [
        ("shows[0].starts_at", "screen_occupied"),
        ("shows[2].starts_at", "screen_occupied"),
    ]
    assert "shows[1]" in report.problems[1].detail


async def test_an_import_again_changes_what_changed(
    cinema: bespeak.Engine, connection: Connection
) -> None:
    week = tuple(msgspec.structs.replace(one, ref=f"s{n}") for n, one in enumerate(WEEK[2:]))
    for one in week:  # the same times as of the week that is there: under names of their own now
        assert one.ref
    said = Catalogue(shows=tuple(
        msgspec.structs.replace(one, starts_at=one.starts_at.replace("11-22", "11-29"))
        for one in week
    ))  # fmt: skip
    checked = await import_catalogue(cinema, said, check=True)
    assert (checked.applied, checked.created["shows"]) == (False, 3)
    assert (await import_catalogue(cinema, said)).created["shows"] == 3
    again = await import_catalogue(cinema, said)
    assert (again.created["shows"], again.unchanged["shows"]) == (0, 3)
    # Two of them change places: each is in the other's way until both have moved.
    first, second, third = said.shows
    swapped = Catalogue(
        shows=(
            msgspec.structs.replace(first, screen="kranich-1", starts_at=second.starts_at),
            msgspec.structs.replace(second, screen="alka-2", starts_at=first.starts_at, prices={}),
            third,
        )
    )
    report = await import_catalogue(cinema, swapped)
    assert report.problems == []
    assert (report.updated["shows"], report.unchanged["shows"]) == (2, 1)
    assert await problems(connection) == []
    count = "select count(*) from cinema.show where ref = any($1)"
    assert await connection.fetchval(count, ["s0", "s1", "s2"]) == 3


async def test_a_show_whose_seats_are_sold_does_not_move_to_a_room_that_lacks_them(
    cinema: bespeak.Engine,
) -> None:
    new = show("snow", "linde-1", "2026-11-25T20:00", ref="mine")
    show_id = await put(cinema, new)
    await cinema.place_hold(owner="a", lines=[Line(show_id, "C8")])
    report = await import_catalogue(
        cinema, Catalogue(shows=(msgspec.structs.replace(new, screen="alka-2"),))
    )
    assert [(one.where, one.code) for one in report.problems] == [("shows[0]", ResourceInUse.code)]
    assert (await cinema.get_resource(show_id)).attributes["cinema"] == "Linde"
    assert isinstance(ACCESSIBLE, SeatsPlan)
