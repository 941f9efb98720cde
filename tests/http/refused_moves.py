"""How each refusal of moving a booking comes about."""

from bespeak import ids
from bespeak.errors import PlanChanged
from bespeak.reservations import moves
from tests.http.api import Json, Request, document, line
from tests.http.refused_tickets import checking, codes
from tests.http.scenarios import NO_BOOKING, Stage, refuses

MOVE = "POST /v1/bookings/{booking_id}/moves"


def moving(booking: object, *pairs: tuple[str, str], **fields: object) -> Request:
    """The request to move units."""
    wanted = [{"from_unit": before, "to_unit": after} for before, after in pairs]
    return Request("POST", f"/v1/bookings/{booking}/moves", {"moves": wanted, **fields})


async def booked(stage: Stage, *units: str) -> object:
    """The id of a booking."""
    booking: Json = await stage.api.booking(stage.show, *units)
    return booking["id"]


@refuses(MOVE, "invalid_id", kind="bkg")
async def no_id(stage: Stage) -> Request:
    return moving("b-1", ("A1", "A2"))


@refuses(MOVE, "booking_not_found")
async def no_booking(stage: Stage) -> Request:
    return moving(NO_BOOKING, ("A1", "A2"))


@refuses(MOVE, "booking_cancelled")
async def what_was_given_back(stage: Stage) -> Request:
    booking = await booked(stage, "A1")
    document(await stage.api.ask("DELETE", f"/v1/bookings/{booking}"), 200)
    return moving(booking, ("A1", "A2"))


@refuses(MOVE, "not_in_booking")
async def what_it_does_not_have(stage: Stage) -> Request:
    return moving(await booked(stage, "A1"), ("A2", "A3"))


@refuses(MOVE, "not_in_booking")
async def of_another_resource(stage: Stage) -> Request:
    other = await stage.make_show()
    return moving(await booked(stage, "A1"), ("A1", "A3"), resource_id=other.id)


@refuses(MOVE, "unit_taken")
async def to_what_somebody_has(stage: Stage) -> Request:
    await stage.api.hold(stage.show, "A9", owner="ben")
    return moving(await booked(stage, "A1"), ("A1", "A9"))


@refuses(MOVE, "unknown_unit", unit="Z9", field="moves[0].to_unit")
async def to_what_there_is_not(stage: Stage) -> Request:
    return moving(await booked(stage, "A1"), ("A1", "Z9"))


@refuses(MOVE, "unit_not_movable", reason="not_exact")
async def a_place_of_a_pool(stage: Stage) -> Request:
    return moving(await booked(stage, "floor 1"), ("floor", "gallery"))


@refuses(MOVE, "unit_not_movable", reason="given_back", unit="A1")
async def to_what_was_given_back_of_it(stage: Stage) -> Request:
    booking = await booked(stage, "A1", "A2")
    body = {"lines": [line(stage.show, "A1")]}
    document(await stage.api.ask("DELETE", f"/v1/bookings/{booking}", body), 200)
    return moving(booking, ("A2", "A1"))


@refuses(MOVE, "ticket_used")
async def what_let_somebody_in(stage: Stage) -> Request:
    booking, (code,) = await codes(stage, "A1")
    document(await stage.api.send(checking(code)), 201)
    return moving(booking["id"], ("A1", "A2"))


@refuses(MOVE, "resource_called_off")
async def of_what_is_called_off(stage: Stage) -> Request:
    booking = await booked(stage, "A1")
    path = f"/v1/resources/{stage.show.id}/cancellation"
    document(await stage.api.ask("POST", path, {"reason": "storm"}), 202)
    return moving(booking, ("A1", "A2"))


@refuses(MOVE, "plan_changed")
async def while_the_plan_changes(stage: Stage) -> Request:
    def changes(*_: object) -> None:
        raise PlanChanged

    booking = await booked(stage, "A1")
    stage.monkeypatch.setattr(moves, "plan_moves", changes)
    return moving(booking, ("A1", "A2"))


@refuses(MOVE, "invalid_request", field="moves")
async def nothing_at_all(stage: Stage) -> Request:
    return moving(await booked(stage, "A1"))


@refuses(MOVE, "invalid_request", field="moves[0].to_unit")
async def to_where_it_is(stage: Stage) -> Request:
    return moving(await booked(stage, "A1"), ("A1", "A1"))


@refuses(MOVE, "invalid_request", field="moves")
async def two_to_one_seat(stage: Stage) -> Request:
    return moving(await booked(stage, "A1", "A2"), ("A1", "A9"), ("A2", "A9"))


@refuses(MOVE, "invalid_request", field="moves[1].from_unit")
async def one_to_two_seats(stage: Stage) -> Request:
    return moving(await booked(stage, "A1"), ("A1", "A8"), ("A1", "A9"))


@refuses(MOVE, "invalid_request", field="moves[0].from_unit")
async def a_unit_without_a_name(stage: Stage) -> Request:
    return moving(ids.show(ids.BOOKING, ids.IdMaker().new(1)), ("", "A9"))


@refuses(MOVE, "unit_not_movable", reason="no_nights")
async def nights_of_a_seat(stage: Stage) -> Request:
    return moved_nights(await booked(stage, "A1"), "2030-01-01", "2030-01-02")


@refuses(MOVE, "invalid_request", field="moves[0].nights_to")
async def no_nights_at_all(stage: Stage) -> Request:
    return moved_nights(await booked(stage, "A1"), "2030-01-02", "2030-01-02")


@refuses(MOVE, "invalid_request", field="moves[0].nights_from")
async def nights_of_no_calendar(stage: Stage) -> Request:
    return moved_nights(await booked(stage, "A1"), "2030-02-30", "2030-03-02")


def moved_nights(booking: object, first: str, last: str) -> Request:
    """The request to move some nights."""
    move = {"from_unit": "A1", "to_unit": "A2", "nights_from": first, "nights_to": last}
    return Request("POST", f"/v1/bookings/{booking}/moves", {"moves": [move]})
