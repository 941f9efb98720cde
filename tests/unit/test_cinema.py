"""The demo's cinemas: real-sized rooms, and a programme that the same seed repeats."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bespeak.inventory.plans import compile_seats
from bespeak.inventory.seats.seatmap import SeatsPlan
from bespeak.verticals.cinema.films import FILMS
from bespeak.verticals.cinema.programme import CINEMAS, DAYS, PUNE, programme, tomorrow
from bespeak.verticals.cinema.rooms import CLASSIC, ROOMS, Room

DAY = date(2026, 11, 21)
SHOWS = programme(DAY)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_is_of_real_size_with_sections_and_wheelchair_spaces(room: Room) -> None:
    categories = Counter(compile_seats(room.plan).categories.values())
    assert 200 <= room.seats <= 400
    assert 2 <= len(room.plan.sections) - 1 <= 3
    assert 2 <= categories["accessible"] <= 10
    assert len(categories) >= 3


def test_the_rooms_differ_and_some_have_gaps() -> None:
    assert len({room.seats for room in ROOMS}) == len(ROOMS)
    gaps = [row for room in ROOMS for part in room.plan.sections for row in part.rows]
    assert any(row.without for row in gaps)
    assert CLASSIC.seats == 300


def test_there_are_cinemas_with_several_screens_in_a_city() -> None:
    assert len(CINEMAS) >= 2
    assert all(4 <= len(cinema.rooms) <= 5 for cinema in CINEMAS)


def test_the_week_begins_on_the_first_day_and_every_screen_plays_every_day() -> None:
    zone = ZoneInfo(PUNE.time_zone)
    played = {
        (
            show.attributes["cinema"],
            show.attributes["screen"],
            show.closes_at.astimezone(zone).date(),
        )
        for show in SHOWS
        if show.closes_at is not None
    }
    assert {day for *_, day in played} == {DAY + timedelta(days=n) for n in range(DAYS)}
    assert len(played) == DAYS * sum(len(cinema.rooms) for cinema in CINEMAS)


def test_the_first_show_is_an_evening_with_three_hundred_seats_on_the_first_day() -> None:
    first = SHOWS[0]
    starts_at = datetime.fromisoformat(str(first.attributes["starts_at"]))
    assert isinstance(first.plan, SeatsPlan)
    assert len(compile_seats(first.plan).categories) == 300
    assert starts_at.date() == DAY
    assert starts_at.hour >= 18


def test_the_others_follow_by_time() -> None:
    times = [datetime.fromisoformat(str(show.attributes["starts_at"])) for show in SHOWS[1:]]
    assert times == sorted(times)


def test_shows_of_one_screen_do_not_overlap() -> None:
    minutes = {film.title: film.minutes for film in FILMS}
    ends: dict[tuple[object, object], datetime] = {}
    for show in sorted(SHOWS, key=lambda each: str(each.attributes["starts_at"])):
        screen = (show.attributes["cinema"], show.attributes["screen"])
        starts_at = datetime.fromisoformat(str(show.attributes["starts_at"]))
        assert starts_at >= ends.get(screen, starts_at)
        ends[screen] = starts_at + timedelta(minutes=minutes[str(show.attributes["film"])])


def test_a_show_is_on_sale_until_it_begins_with_its_times_and_limits() -> None:
    for show in SHOWS:
        starts_at = datetime.fromisoformat(str(show.attributes["starts_at"]))
        assert show.closes_at == starts_at
        assert starts_at.utcoffset() == timedelta(hours=5, minutes=30)
        assert (show.kind, show.hold_seconds, show.time_zone) == ("show", 420, "Asia/Kolkata")
        assert show.owner_limit
        assert set(show.attributes) == {
            "city", "cinema", "screen", "film", "language", "format", "starts_at",
        }  # fmt: skip


def test_the_same_seed_gives_the_same_week_and_another_seed_another() -> None:
    assert programme(DAY, seed=1) == SHOWS
    assert programme(DAY, seed=2) != SHOWS


def test_tomorrow_is_that_of_the_city() -> None:
    assert tomorrow(datetime(2026, 11, 21, 18, 29, tzinfo=UTC)) == date(2026, 11, 22)
    assert tomorrow(datetime(2026, 11, 21, 18, 31, tzinfo=UTC)) == date(2026, 11, 23)
