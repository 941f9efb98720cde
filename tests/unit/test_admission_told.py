"""How likely it is that something is left for somebody who waits: as a number where what is left is
counted in all, and in a word for each category."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import ids
from bespeak.admission.board import QueueOnBoard, RoomOnBoard
from bespeak.admission.category_chances import CategoryOnBoard, Chance, chance_of
from bespeak.admission.joins import TICK_US, QueueJoins
from bespeak.admission.place_keys import late_key
from bespeak.admission.queue_tokens import QueueToken
from bespeak.admission.told import PlaceNow, place_now, room_now

NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
FIRST_TICK = 100
SHOW = 42


def room_of(
    *queues: tuple[int, int],
    places: float | None,
    called: int = 0,
    categories: tuple[CategoryOnBoard, ...] = (),
) -> RoomOnBoard:
    """A room whose queues have a share, and so many who joined, a tick each; of each, so many have
    been called."""
    front = late_key((FIRST_TICK + called) * TICK_US)
    joins = []
    for _, joined in queues:
        made = QueueJoins(shuffled=False)
        made.take([(FIRST_TICK + at, 1) for at in range(joined)], 0)
        joins.append(made)
    return RoomOnBoard(
        room_id="wr_1",
        workspace="default",
        name="Premiere",
        state="open",
        early_order="first_come",
        early_opens_at=NOW,
        opens_at=NOW,
        pace="stock",
        a_minute=60,
        inside_max=100,
        pass_seconds=600,
        grace_seconds=60,
        units_max=None,
        message=None,
        challenge="never",
        draining=False,
        seed=b"0" * 32,
        public_value="1",
        opened_at=NOW,
        sold_out=False,
        version=1,
        credit=0.0,
        units_left=None if places is None else 100,
        units_a_place=2.0,
        payments="well",
        categories=categories,
        places_left=places,
        answered_at=NOW,
        step_seconds=1.0,
        resources=[SHOW],
        queues=tuple(
            QueueOnBoard(at, f"q{at}", share, False, front, 0, 0)
            for at, (share, _) in enumerate(queues)
        ),
        joins=tuple(joins),
        taken_back=(),
    )


def stands(room: RoomOnBoard, at: int, queue: int = 0) -> PlaceNow:
    """How it stands for who was the so manieth to join a queue."""
    return place_now(room, QueueToken(queue, (FIRST_TICK + at) * TICK_US, b"0" * 16))


def test_of_one_queue_as_many_as_it_is_enough_for_find_something() -> None:
    room = room_of((1, 100), places=10.5, called=4)
    chances = [stands(room, at).chance for at in (4, 13, 14, 23, 99)]
    assert chances == [1.0, 1.0, 0.909, 0.5, 0.104]


def test_what_other_queues_are_let_in_for_is_gone() -> None:
    alone = room_of((1, 100), (1, 0), places=20)
    together = room_of((1, 100), (1, 100), places=20)
    favoured = room_of((1, 100), (3, 100), places=20)
    assert [stands(room, 9).chance for room in (alone, together, favoured)] == [1.0, 1.0, 0.5]
    assert [stands(room, 19).chance for room in (alone, together, favoured)] == [1.0, 0.5, 0.25]
    assert stands(favoured, 14, queue=1).chance == 1.0


def test_where_those_inside_will_take_it_all_nothing_is_promised() -> None:
    assert stands(room_of((1, 10), places=0.0), 0).chance == 0.0


def test_what_is_not_counted_is_not_told() -> None:
    place = stands(room_of((1, 10), places=None), 0)
    assert (place.chance, place.chances) == (None, [])


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 30)), min_size=1, max_size=4),
    st.floats(0, 60),
    st.data(),
)
def test_nobody_further_behind_has_the_better_chance(
    queues: list[tuple[int, int]], places: float, data: st.DataObject
) -> None:
    queue = data.draw(st.integers(0, len(queues) - 1))
    room = room_of(*queues, places=places)
    chances = [stands(room, at, queue).chance or 0 for at in range(queues[queue][1])]
    assert all(0 <= one <= 1 for one in chances)
    assert chances == sorted(chances, reverse=True)
    more = room_of(*queues, places=places + 1)
    assert all(before <= (stands(more, at, queue).chance or 0) for at, before in enumerate(chances))


BEST = CategoryOnBoard(SHOW, "best", 40, 3, 6.0)
REST = CategoryOnBoard(SHOW, "rest", 60, 50, 45.0)
GONE = CategoryOnBoard(SHOW, "boxes", 4, 0, 0.0)
NEW = CategoryOnBoard(SHOW, "standing", 90, 90, None)


def words(place: PlaceNow) -> dict[str, Chance]:
    assert {one.resource_id for one in place.chances} <= {ids.show_resource(SHOW)}
    return {one.category: one.chance for one in place.chances}


def test_of_each_category_the_chance_is_told_in_a_word() -> None:
    room = room_of((1, 100), places=50, categories=(BEST, REST, GONE, NEW))
    assert words(stands(room, 3)) == {
        "best": "very_likely",
        "rest": "very_likely",
        "boxes": "gone",
        "standing": "unknown",
    }
    assert words(stands(room, 8))["best"] == "uncertain"
    assert words(stands(room, 9))["best"] == "unlikely"


@pytest.mark.parametrize("queue", [0, 1])
def test_a_place_is_told_what_follows_from_the_answer_that_all_get(queue: int) -> None:
    """A page that looks at the one answer says what the server says of a place."""
    room = room_of((1, 60), (2, 60), places=50, called=5, categories=(BEST, REST, GONE, NEW))
    now = room_now(room, [], NOW)
    for at in range(5, 60):
        place = stands(room, at, queue)
        for one in now.categories:
            enough = None if one.enough_for is None else one.enough_for[queue]
            expected = chance_of(one.units_left, enough, place.ahead)
            if expected not in ("gone", "unknown"):
                fitting = [
                    step.chance
                    for step in now.chance_steps
                    if ((place.ahead or 0) + 1) * step.parts <= (enough or 0) * step.of
                ]
                assert expected == (fitting[0] if fitting else "unlikely")
            assert words(place)[one.category] == expected


def test_who_has_been_called_is_told_no_chance() -> None:
    room = room_of((1, 10), places=50, called=5, categories=(BEST,))
    assert (stands(room, 2).turn, words(stands(room, 2))) == ("called", {})


def test_the_steps_are_told_where_there_are_categories() -> None:
    with_them = room_now(room_of((1, 1), places=5, categories=(BEST,)), [], NOW)
    without = room_now(room_of((1, 1), places=5), [], NOW)
    assert [step.chance for step in with_them.chance_steps] == [
        "very_likely",
        "likely",
        "uncertain",
    ]
    assert without.chance_steps == []
    # It goes to everybody, every second.
    assert len(msgspec.json.encode(with_them.chance_steps)) < 150
