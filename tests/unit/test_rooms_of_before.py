"""Of the rooms that a changed stay had, each is given up only where a refusal is about it."""

from typing import cast

import pytest

from bespeak import BookedLine, Line, UnknownUnit
from bespeak.errors import BespeakError, NotOnSale
from bespeak.reservations.request import HoldRequest
from bespeak.reservations.rooms_of_before import RoomsOfBefore
from bespeak.reservations.stay_changes import ChangedStay

HOUSE = "res_0000002a"
MANY = 7


class Booked:
    """As much of a booking as is asked for."""

    def __init__(self, units: list[str]) -> None:
        self.booking = self
        self.lines = [BookedLine(HOUSE, unit, None, cancelled_quantity=0) for unit in units]


@pytest.fixture
def rooms() -> RoomsOfBefore:
    """Of a stay of many rooms, for which no line names one."""
    booked = cast("ChangedStay", Booked([str(101 + number) for number in range(MANY)]))
    lines = [Line(HOUSE, None)] * MANY
    return RoomsOfBefore(HoldRequest("asha", lines, None, None), booked)


def given(rooms: RoomsOfBefore) -> list[str | None]:
    return [line.unit for line in rooms.lines]


def test_each_is_given_up_by_the_refusal_that_names_its_line(rooms: RoomsOfBefore) -> None:
    for number in range(MANY):
        assert rooms.are_tried
        assert given(rooms) == [None] * number + [str(101 + left) for left in range(number, MANY)]
        rooms.give_up(UnknownUnit(line=number), lambda _: None)
    assert not rooms.are_tried
    assert given(rooms) == [None] * MANY


@pytest.mark.parametrize("refusal", [NotOnSale(), UnknownUnit(line=MANY)])
def test_all_are_given_up_by_one_that_names_none_of_them(
    rooms: RoomsOfBefore, refusal: BespeakError
) -> None:
    rooms.give_up(refusal, lambda _: None)
    assert not rooms.are_tried
