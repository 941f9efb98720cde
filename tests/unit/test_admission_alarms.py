"""When a waiting room wants a look."""

from __future__ import annotations

import pytest

from bespeak.admission.alarms import RoomCounts, Waits, wrong_of

NO_WAITS = Waits(0, 0)


@pytest.mark.parametrize(
    ("lately", "waits", "wanted"),
    [
        (RoomCounts(called=100, came=90, bought=60, unused=30), Waits(50, 2), []),
        (RoomCounts(called=19, came=0), NO_WAITS, []),
        (RoomCounts(called=20, came=8), NO_WAITS, ["turns_not_taken"]),
        (RoomCounts(called=20, came=9), NO_WAITS, []),
        (RoomCounts(bought=6, unused=14), NO_WAITS, ["passes_not_used"]),
        (RoomCounts(bought=7, unused=13), NO_WAITS, []),
        (RoomCounts(bought=0, unused=19), NO_WAITS, []),
        (RoomCounts(), Waits(8, 3), ["provider_slow"]),
        (RoomCounts(), Waits(2, 2), []),
        (RoomCounts(), Waits(30, 9), []),
        (
            RoomCounts(called=100, came=10, bought=0, unused=50),
            Waits(5, 5),
            ["turns_not_taken", "passes_not_used", "provider_slow"],
        ),
    ],
)
def test_what_is_far_from_usual(lately: RoomCounts, waits: Waits, wanted: list[str]) -> None:
    assert list(wrong_of(lately, waits, knows_sales=True)) == wanted


def test_in_front_of_another_shop_no_sale_is_missed() -> None:
    assert wrong_of(RoomCounts(unused=500), NO_WAITS, knows_sales=False) == {}


def test_it_says_of_how_many_and_which_share() -> None:
    found = wrong_of(RoomCounts(called=50, came=10), NO_WAITS, knows_sales=True)
    assert found["turns_not_taken"] == (50, 0.8)
