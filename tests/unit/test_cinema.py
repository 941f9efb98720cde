"""The demo's cinemas: rooms of many shapes, and a programme that the same seed repeats."""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bespeak.inventory.shapes.registry import compile_seats
from bespeak.verticals.cinema.demo.places import catalogue, cities, films, prices
from bespeak.verticals.cinema.demo.programme import DAYS, FEATURED, Slot, programme
from bespeak.verticals.cinema.demo.rooms import CELLAR, CLASSIC, ROOMS, DemoRoom
from bespeak.verticals.cinema.demo.sales import groups

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
SLOTS = programme(NOW)


def test_there_is_enough_to_choose_from() -> None:
    assert len(cities()) >= 6
    assert len({city.time_zone for city in cities()}) >= 5
    assert sum(len(city.cinemas) for city in cities()) >= 20
    assert sum(len(cinema.screens) for city in cities() for cinema in city.cinemas) >= 100
    assert len({film.title for film in films()}) == len(films()) == 36


def test_every_shape_of_room_is_somewhere() -> None:
    used = {shape for city in cities() for cinema in city.cinemas for shape in cinema.screens}
    assert used == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS.values(), ids=lambda room: room.name)
def test_a_room_has_prices_for_all_of_its_seats_and_companions_beside_wheelchairs(
    room: DemoRoom,
) -> None:
    used = Counter(compile_seats(room.plan).categories.values())
    for city in cities():
        asked = prices(city, room)
        assert set(used) == set(asked)
        assert all(price > 0 and price % city.price_step == 0 for price in asked.values())
    places = [row for part in room.plan.sections for row in part.rows if row.accessible]
    assert bool(places) == (room is not CELLAR)
    for row in places:
        assert {one.of for one in row.companions} == set(row.accessible)
        assert all(abs(one.seat - one.of) == 1 for one in row.companions)


def test_the_room_that_a_rush_sells_out_has_three_hundred_seats() -> None:
    assert CLASSIC.seats == 300
    assert max(room.seats for room in ROOMS.values()) >= 600
    assert {"F7", "F8"} <= set(compile_seats(CLASSIC.plan).categories)


def test_every_screen_plays_every_day_in_the_time_of_its_city() -> None:
    played = {(slot.cinema.name, slot.screen, slot.starts_at.date()) for slot in SLOTS}
    for city in cities():
        today = NOW.astimezone(ZoneInfo(city.time_zone)).date()
        for cinema in city.cinemas:
            for screen in range(1, len(cinema.screens) + 1):
                for day in range(1, DAYS):
                    assert (cinema.name, screen, today + timedelta(days=day)) in played


def test_there_are_shows_this_evening() -> None:
    assert all(slot.starts_at > NOW for slot in SLOTS)
    for city in cities():
        first = min(slot.starts_at for slot in SLOTS if slot.city is city)
        assert first - NOW < timedelta(hours=2)


def test_shows_of_one_screen_leave_time_to_clean() -> None:
    free_at: dict[tuple[str, int], datetime] = {}
    for slot in SLOTS:
        screen = (slot.cinema.name, slot.screen)
        assert slot.starts_at >= free_at.get(screen, slot.starts_at)
        free_at[screen] = slot.starts_at + timedelta(minutes=slot.film.minutes + 15)


def test_a_day_on_which_the_clocks_go_back_or_forward_has_no_overlap() -> None:
    for start in (datetime(2027, 3, 26, 6, tzinfo=UTC), datetime(2026, 10, 23, 6, tzinfo=UTC)):
        free_at: dict[tuple[str, int], datetime] = {}
        for slot in programme(start, days=4):
            screen = (slot.cinema.name, slot.screen)
            starts_at = slot.starts_at.astimezone(UTC)
            assert starts_at >= free_at.get(screen, starts_at)
            free_at[screen] = starts_at + timedelta(minutes=slot.film.minutes + 15)


def test_a_film_is_shown_in_a_format_that_it_and_the_room_have() -> None:
    for slot in SLOTS:
        assert slot.format in slot.film.formats
        assert slot.format in slot.room.formats
        assert slot.film.language in slot.city.languages
    assert {slot.format for slot in SLOTS} == {"2D", "3D", "Grand", "Dome"}


def test_matinees_cost_less_and_weekend_evenings_more() -> None:
    def usual(slot: Slot) -> bool:
        return slot.format == "2D" and slot.room is CLASSIC

    factors = {(slot.starts_at.hour < 17, slot.factor) for slot in SLOTS if usual(slot)}
    assert {factor for early, factor in factors if early} == {0.75}
    assert {factor for early, factor in factors if not early} == {1.0, 1.15}


def test_mornings_are_for_families_and_large_rooms_for_the_crowd() -> None:
    family = [slot for slot in SLOTS if "Animation" in slot.film.genres]
    assert sum(slot.starts_at.hour < 17 for slot in family) > 0.6 * len(family)
    ranks = {film.title: place for place, film in enumerate(films())}
    large = [ranks[slot.film.title] for slot in SLOTS if slot.room.seats > 300]
    small = [ranks[slot.film.title] for slot in SLOTS if slot.room.seats < 100]
    assert sum(large) / len(large) < sum(small) / len(small)


def test_the_same_seed_gives_the_same_week_and_another_seed_another() -> None:
    assert programme(NOW) == SLOTS
    assert programme(NOW, seed=2) != SLOTS


def test_a_later_look_at_the_same_day_shows_the_same_programme() -> None:
    later = NOW + timedelta(hours=26)
    seen = {slot.new_show().ref for slot in programme(later)}
    assert {slot.new_show().ref for slot in SLOTS if slot.starts_at > later} <= seen


def test_the_featured_screen_is_the_room_of_three_hundred() -> None:
    featured = [slot for slot in SLOTS if slot.is_featured]
    assert {slot.room.name for slot in featured} == {"Classic"}
    assert {(slot.cinema.name, slot.screen) for slot in featured} == {FEATURED}


def test_groups_sit_together_on_seats_that_exist_and_nobody_on_anothers_lap() -> None:
    for room in ROOMS.values():
        known = set(compile_seats(room.plan).categories)
        sold = [unit for units in groups(room, 0.5, random.Random(1)) for unit in units]
        assert len(sold) == len(set(sold))
        assert set(sold) <= known
        assert 0.3 * room.seats <= len(sold) <= 0.6 * room.seats


def test_the_catalogue_of_the_demo_is_one() -> None:
    said = catalogue(NOW.date())
    assert len(said.screens) >= 100
    assert all(cinema.pricing is not None for cinema in said.cinemas)
    refs = [
        one.ref for part in (said.cities, said.cinemas, said.screens, said.films) for one in part
    ]
    assert len(refs) == len(set(refs))
