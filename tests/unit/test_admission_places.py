"""Place keys, queue tokens, and the places that follow from how many joined."""

from __future__ import annotations

import base64
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.admission.errors import QueueTokenInvalid
from bespeak.admission.joins import TICK_US, QueueJoins
from bespeak.admission.place_keys import DRAW_BITS, FIRST_LATE, draw_of, late_key, show_key
from bespeak.admission.queue_tokens import TOKEN_LENGTH, QueueToken, QueueTokens

TOKENS = QueueTokens(b"secret of the installation")
ROOM = "wrm_0123456789ab"
US = TICK_US


def test_a_token_says_what_it_was_made_for() -> None:
    token = QueueToken(1, 1_800_000_000_123_456, TOKENS.subject_of(ROOM, "guest_1"))
    text = TOKENS.make(ROOM, token)
    assert len(text) == TOKEN_LENGTH
    assert TOKENS.read(ROOM, text) == token


@pytest.mark.parametrize("place", range(0, TOKEN_LENGTH, 5))
def test_a_token_that_was_changed_is_none(place: int) -> None:
    text = TOKENS.make(ROOM, QueueToken(0, 5, bytes(16)))
    other = "A" if text[place] != "A" else "B"
    with pytest.raises(QueueTokenInvalid):
        TOKENS.read(ROOM, text[:place] + other + text[place + 1 :])


@pytest.mark.parametrize(
    "text", ["", "x", "ä" * TOKEN_LENGTH, "=" * TOKEN_LENGTH, "." * TOKEN_LENGTH]
)
def test_what_is_no_token_is_refused(text: str) -> None:
    with pytest.raises(QueueTokenInvalid):
        TOKENS.read(ROOM, text)


def test_a_token_of_another_room_or_installation_is_none() -> None:
    text = TOKENS.make(ROOM, QueueToken(0, 5, bytes(16)))
    for tokens, room in ((TOKENS, "wrm_ba9876543210"), (QueueTokens(b"another"), ROOM)):
        with pytest.raises(QueueTokenInvalid):
            tokens.read(room, text)


def test_whoever_joins_again_is_the_same_and_nobody_sees_who() -> None:
    subject = TOKENS.subject_of(ROOM, "ada@example.com")
    assert subject == TOKENS.subject_of(ROOM, "ada@example.com")
    assert subject != TOKENS.subject_of("wrm_ba9876543210", "ada@example.com")
    assert subject != QueueTokens(b"another").subject_of(ROOM, "ada@example.com")
    assert b"ada" not in base64.b64decode(TOKENS.make(ROOM, QueueToken(0, 0, subject)), b"-_")


def test_the_shuffle_prefers_nobody() -> None:
    # Chi-square over a million draws in a thousand cells: 999 degrees of freedom.
    count, cells = 1_000_000, [0] * 1000
    for number in range(count):
        draw = draw_of(b"seed", "event 5", ROOM, number.to_bytes(16))
        cells[draw * 1000 >> DRAW_BITS] += 1
    expected = count / len(cells)
    chi = sum((cell - expected) ** 2 / expected for cell in cells)
    assert 999 - 4 * sqrt(2 * 999) < chi < 999 + 4 * sqrt(2 * 999)


def test_a_draw_follows_from_what_is_told_and_from_nothing_else() -> None:
    draw = draw_of(b"seed", "event 5", ROOM, bytes(16))
    assert draw == draw_of(b"seed", "event 5", ROOM, bytes(16)) < FIRST_LATE
    others = [
        draw_of(b"seed2", "event 5", ROOM, bytes(16)),
        draw_of(b"seed", "event 6", ROOM, bytes(16)),
        draw_of(b"seed", "event 5", "wrm_ba9876543210", bytes(16)),
        draw_of(b"seed", "event 5", ROOM, bytes(15) + b"1"),
    ]
    assert draw not in others


@given(st.integers(0, (1 << 63) - 1), st.integers(0, (1 << 63) - 1))
def test_shown_keys_compare_as_keys_do(one: int, other: int) -> None:
    assert (show_key(one) < show_key(other)) == (one < other)


def test_the_early_come_by_their_draw_and_the_late_by_their_time() -> None:
    joins = QueueJoins(shuffled=True)
    joins.take([(100, 30), (101, 10)], 0)
    assert (joins.early, joins.total) == (40, 40)
    joins.take([(101, 10), (110, 20), (111, 40)], 110 * US)
    assert (joins.early, joins.total) == (40, 100)
    assert joins.place_of(FIRST_LATE // 2) == 20
    assert joins.place_of(FIRST_LATE) == 40
    assert joins.place_of(late_key(110 * US + US // 2)) == 50
    assert joins.place_of(late_key(112 * US)) == 100
    assert joins.place_of(late_key(9000 * US)) == 100


def test_those_who_come_in_order_are_never_shuffled() -> None:
    joins = QueueJoins(shuffled=False)
    joins.take([(100, 30), (110, 20)], 105 * US)
    assert joins.place_of(0) == 0
    assert joins.place_of(late_key(100 * US + US // 2)) == 15
    assert joins.place_of(late_key(110 * US)) == 30


@given(
    st.dictionaries(st.integers(1000, 1100), st.integers(1, 5000), max_size=20),
    st.integers(1000, 1100),
    st.booleans(),
    st.lists(st.integers(0, 50_000), max_size=10),
)
def test_the_front_over_so_many_places_is_before_so_many(
    counts: dict[int, int], opened: int, shuffled: bool, places: list[int]
) -> None:
    joins = QueueJoins(shuffled=shuffled)
    joins.take(sorted(counts.items()), opened * US)
    keys = [joins.key_at(place) for place in sorted(places)]
    assert keys == sorted(keys)
    for place, key in zip(sorted(places), keys, strict=True):
        reached = min(place, joins.total)
        assert abs(joins.place_of(key) - reached) <= 1


@given(
    st.lists(st.tuples(st.integers(1000, 1020), st.integers(1, 99)), min_size=1, max_size=30),
    st.integers(1, 29),
)
def test_counts_may_come_in_pieces(seen: list[tuple[int, int]], cut: int) -> None:
    sums: dict[int, int] = {}
    pieces, whole = QueueJoins(shuffled=False), QueueJoins(shuffled=False)
    for index, (second, count) in enumerate(seen):
        sums[second] = sums.get(second, 0) + count
        if index % cut == 0:
            pieces.take(list(sums.items()), 0)
    pieces.take([(second, sums[second]) for second, _ in seen], 0)
    whole.take(sorted(sums.items()), 0)
    assert pieces.total == whole.total == sum(sums.values())
    for us in range(999 * US, 1022 * US, US // 2):
        assert pieces.place_of(late_key(us)) == whole.place_of(late_key(us))


@pytest.mark.parametrize("at_once", [1, 7, 13, 64, 300, TICK_US])
def test_the_front_moves_on_by_one_place_within_a_tick(at_once: int) -> None:
    joins = QueueJoins(shuffled=False)
    joins.take([(5, at_once), (6, 3)], 0)
    front = late_key(0)
    for place in range(at_once + 3):
        assert joins.place_of(front) == place
        front = joins.key_at(place + 1)
