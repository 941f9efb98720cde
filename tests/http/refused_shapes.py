"""How each refusal of the shapes beyond plain seats comes about: what their rules do not sell, what
overlaps, and the calls of those who wait with a number.
"""

import msgspec

from bespeak import Line, Resource
from tests.harness.shapes import (
    CLASSES,
    CLINIC,
    COTTAGE,
    COURTS,
    FESTIVAL,
    HERE,
    PRACTICE,
    RAFFLE,
    ROOM_TYPE,
    ROOMS,
    SHAPES,
    STRICT,
    THEATRE,
    TOKENS,
    TRAIN,
    Shape,
    of,
    on,
)
from tests.http.api import Json, Request, document
from tests.http.scenarios import (
    AVAILABILITY,
    BLOCK,
    BOOKED_POSITION,
    CANCEL,
    HOLDS,
    NO_BOOKING,
    NO_HOLD,
    NO_RESOURCE,
    POSITION,
    SERVING,
    Stage,
    refuses,
)


def asking(resource: Resource, *lines: Line, **fields: object) -> Request:
    """The request that holds these lines of a sample."""
    shown = [shown_line(line) for line in on(resource, *lines)]
    return Request("POST", "/v1/holds", {"owner": "asha", "lines": shown, **fields})


def shown_line(line: Line) -> Json:
    """A line as a client writes it."""
    found = msgspec.json.decode(msgspec.json.encode(line), type=dict[str, object])
    return {name: value for name, value in found.items() if value is not None}


async def held(stage: Stage, resource: Resource, *lines: Line, owner: str = "ben") -> Json:
    """A hold of lines of a sample."""
    return document(await stage.api.send(asking(resource, *lines, owner=owner)), 201)


def _for_each_shape() -> None:
    for shape in SHAPES:

        @refuses(HOLDS, shape.code)
        async def what_overlaps(stage: Stage, shape: Shape = shape) -> Request:
            resource = await stage.make_shape(shape)
            await held(stage, resource, shape.one)
            return asking(resource, shape.rival)

        @refuses(HOLDS, "owner_limit_reached")
        async def more_than_one_may(stage: Stage, shape: Shape = shape) -> Request:
            resource = await stage.make_shape(shape, owner_limit=shape.weight)
            await held(stage, resource, shape.one, owner="asha")
            return asking(resource, shape.other)

        @refuses(BLOCK, shape.in_the_way)
        async def a_block_of_what_is_held(stage: Stage, shape: Shape = shape) -> Request:
            resource = await stage.make_shape(shape)
            lines = [shown_line(line) for line in on(resource, *shape.block)]
            for line in lines:
                del line["resource_id"]
            path = f"/v1/resources/{resource.id}/blocks"
            await held(stage, resource, shape.one)
            return Request("POST", path, {"lines": lines, "reason": "r"}, "ak")

        @refuses(CANCEL, "not_in_booking")
        async def a_line_of_another_kind(stage: Stage, shape: Shape = shape) -> Request:
            resource = await stage.make_shape(shape)
            hold = await held(stage, resource, shape.one)
            made = await stage.api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]})
            other = of("Z9", None, "2030-05-05", "2030-05-06")
            body = {"lines": [shown_line(one) for one in on(resource, other)]}
            return Request("DELETE", f"/v1/bookings/{made.json()['id']}", body)


_for_each_shape()


def _not_sold(name: str, shape: Shape, line: Line, *reasons: Json) -> None:
    async def prepare(stage: Stage) -> Request:
        return asking(await stage.make_shape(shape), line)

    prepare.__name__ = name
    refuses(HOLDS, "not_on_sale", reasons=list(reasons))(prepare)


_not_sold(
    "too_short",
    ROOMS,
    of("101", None, "2030-02-02", "2030-02-04"),
    {"reason": "min_stay", "date": "2030-02-02", "nights": 3},
)
_not_sold(
    "two_rules_at_once",
    ROOMS,
    of("101", None, "2030-01-20", "2030-01-25"),
    {"reason": "closed", "date": "2030-01-24"},
    {"reason": "closed_to_arrival", "date": "2030-01-20"},
)
_not_sold(
    "too_long",
    ROOMS,
    of("101", None, "2030-01-25", "2030-02-09"),
    {"reason": "max_stay", "date": "2030-01-25", "nights": 14},
)
_not_sold(
    "yesterday",
    COTTAGE,
    of(None, None, "2029-12-31", "2030-01-02"),
    {"reason": "cutoff", "date": "2029-12-31"},
)
_not_sold(
    "in_two_years",
    COTTAGE,
    of(None, None, "2032-01-01", "2032-01-02"),
    {"reason": "beyond_window", "date": "2032-01-01"},
)
_not_sold(
    "a_night_of_a_weekend",
    ROOM_TYPE,
    of(None, 1, "2030-01-12", "2030-01-13"),
    {"reason": "min_stay", "date": "2030-01-12", "nights": 2},
)
_not_sold(
    "too_early_for_the_run",
    TRAIN,
    of("unreserved", 1, "C", "D"),
    {"reason": "not_offered", "stop": "C", "unit": "unreserved"},
)
_not_sold("without_the_code", FESTIVAL, of("presale"), {"reason": "code_needed", "unit": "presale"})
_not_sold(
    "with_a_code_that_is_none",
    FESTIVAL,
    msgspec.structs.replace(of("standing"), code="FANS"),
    {"reason": "code_needed", "unit": "standing"},
)


def _not_at_that_time(name: str, shape: Shape, line: Line, reason: str) -> None:
    async def prepare(stage: Stage) -> Request:
        return asking(await stage.make_shape(shape), line)

    prepare.__name__ = name
    refuses(HOLDS, "not_on_sale")(prepare)
    assert reason


for _name, _shape, _line, _reason in (
    ("between_slots", CLINIC, of("dr-rao", None, "2030-01-02T09:05:00+05:30"), "not_offered"),
    ("on_a_holiday", CLINIC, of("dr-rao", None, "2030-01-04T09:00:00+05:30"), "closed"),
    ("too_late", CLINIC, of("dr-rao", None, "2029-12-31T09:00:00+05:30"), "cutoff"),
    ("beyond_the_horizon", CLINIC, of("dr-rao", None, "2030-02-04T09:00:00+05:30"), "beyond"),
    ("by_day", CLASSES, of(None, 1, "2030-01-02T12:00:00-05:00"), "not_offered"),
    (
        "shorter_than_may_be",
        COURTS,
        of("court-1", None, "2030-01-02T17:00:00+01:00", "2030-01-02T17:15:00+01:00"),
        "min_stay",
    ),
    (
        "when_it_is_shut",
        COURTS,
        of("court-1", None, "2030-01-02T21:30:00+01:00", "2030-01-02T22:30:00+01:00"),
        "not_offered",
    ),
):
    _not_at_that_time(_name, _shape, _line, _reason)


@refuses(HOLDS, "not_on_sale")
async def the_train_has_gone(stage: Stage) -> Request:
    run = msgspec.structs.replace(TRAIN.plan, closes_minutes=60 * 24 * 10)
    return asking(await stage.make_shape(TRAIN, plan=run), TRAIN.one)


@refuses(HOLDS, "not_together")
async def more_than_a_row_has(stage: Stage) -> Request:
    resource = await stage.make_shape(THEATRE)
    return asking(resource, msgspec.convert({"resource_id": HERE, "best": {"quantity": 7}}, Line))


@refuses(HOLDS, "orphan_seat")
async def a_seat_left_at_the_wall(stage: Stage) -> Request:
    return asking(await stage.make_shape(THEATRE, plan=STRICT), of("A2"))


@refuses(HOLDS, "orphan_seat")
async def a_seat_left_beside_another_hold(stage: Stage) -> Request:
    resource = await stage.make_shape(THEATRE, plan=STRICT)
    await held(stage, resource, of("A1"), of("A2"))
    return asking(resource, of("A4"), of("A5"))


@refuses(HOLDS, "duplicate_line")
async def stays_that_overlap_each_other(stage: Stage) -> Request:
    return asking(await stage.make_shape(ROOMS), ROOMS.one, ROOMS.rival)


@refuses(HOLDS, "unknown_unit", unit="999")
async def no_such_room(stage: Stage) -> Request:
    return asking(await stage.make_shape(ROOMS), of("999", None, "2030-01-10", "2030-01-11"))


@refuses(HOLDS, "unknown_unit", unit="dr-who")
async def no_such_doctor(stage: Stage) -> Request:
    return asking(await stage.make_shape(CLINIC), of("dr-who", None, "2030-01-02T09:00:00+05:30"))


def _nonsense(name: str, field: str, shape: Shape, line: Line) -> None:
    async def prepare(stage: Stage) -> Request:
        return asking(await stage.make_shape(shape), line)

    prepare.__name__ = name
    refuses(HOLDS, "invalid_request", field=field)(prepare)


_nonsense("no_date", "lines[0].from", ROOMS, of("101", None, "soon", "2030-01-11"))
_nonsense("a_date_that_is_none", "lines[0].to", ROOMS, of("101", None, "2030-01-30", "2030-02-30"))
_nonsense("backwards", "lines[0].to", ROOMS, of("101", None, "2030-01-11", "2030-01-10"))
_nonsense("no_night", "lines[0].to", ROOMS, of("101", None, "2030-01-11", "2030-01-11"))
_nonsense("half_a_stay", "lines[0]", ROOMS, of("101", None, "2030-01-11"))
_nonsense("no_such_stop", "lines[0].to", TRAIN, of("S1", None, "A", "Z"))
_nonsense("against_the_run", "lines[0].to", TRAIN, of("S1", None, "C", "A"))
_nonsense("no_time", "lines[0].from", CLINIC, of("dr-rao", None, "nine"))
_nonsense(
    "beside_the_raster",
    "lines[0].from",
    COURTS,
    of("court-1", None, "2030-01-02T17:01:00+01:00", "2030-01-02T18:00:00+01:00"),
)
_nonsense("a_number_by_name_in_order", "lines[0].unit", RAFFLE, of("101"))
_nonsense("seats_of_a_hotel", "lines[0].next", ROOMS, Line(HERE, next=2))


@refuses(HOLDS, "invalid_request", field="lines")
async def both_forms_of_a_stay(stage: Stage) -> Request:
    resource = await stage.make_shape(COTTAGE)
    return asking(resource, COTTAGE.one, room_id=resource.id)


@refuses(HOLDS, "invalid_request", field="idempotency_key")
async def two_keys(stage: Stage) -> Request:
    resource = await stage.make_shape(COTTAGE)
    asked = asking(resource, COTTAGE.one, idempotency_key="one")
    return Request("POST", "/v1/holds", asked.body, headers={"Idempotency-Key": "two"})


@refuses(AVAILABILITY, "unknown_unit", unit="Z9")
async def the_availability_of_nothing(stage: Stage) -> Request:
    return Request("GET", f"/v1/resources/{stage.show.id}/availability?unit=Z9")


@refuses(AVAILABILITY, "unknown_unit", unit="999")
async def the_availability_of_no_room(stage: Stage) -> Request:
    resource = await stage.make_shape(ROOMS)
    return Request("GET", f"/v1/resources/{resource.id}/availability?unit=999")


def _for_each_question() -> None:
    for number, (shape, query, field) in enumerate(
        (
            (THEATRE, "from=2030-01-01", "from"),
            (ROOMS, "from=soon", "from"),
            (ROOMS, "from=2030-01-02&to=2030-01-01", "to"),
            (ROOMS, "from=2030-01-02&to=2035-01-01", "to"),
            (CLINIC, "from=2030-01-02&to=2031-01-01", "to"),
            (TRAIN, "from=Z", "from"),
            (COURTS, "to=soon", "to"),
            (TOKENS, "from=1", "from"),
            (THEATRE, "rate=First", "rate"),
            (ROOMS, "rate=First", "rate"),
            (COTTAGE, "rate=First", "rate"),
            (CLINIC, "rate=First", "rate"),
            (PRACTICE, "rate=Second", "rate"),
            (TOKENS, "rate=First", "rate"),
            (FESTIVAL, "rate=First", "rate"),
            (TRAIN, "rate=First", "rate"),
            (COURTS, "rate=First", "rate"),
        )
    ):

        @refuses(AVAILABILITY, "invalid_request", field=field)
        async def a_range_that_is_none(
            stage: Stage, shape: Shape = shape, query: str = query
        ) -> Request:
            resource = await stage.make_shape(shape)
            return Request("GET", f"/v1/resources/{resource.id}/availability?{query}")

        a_range_that_is_none.__name__ += f"_{number}"


_for_each_question()


@refuses(POSITION, "invalid_id")
async def the_place_of_a_resource(stage: Stage) -> Request:
    return Request("GET", f"/v1/holds/{stage.show.id}/position")


@refuses(POSITION, "hold_not_found")
async def the_place_of_no_hold(stage: Stage) -> Request:
    return Request("GET", f"/v1/holds/{NO_HOLD}/position")


@refuses(POSITION, "not_owner")
async def the_place_of_anothers_hold(stage: Stage) -> Request:
    hold = await held(stage, await stage.make_shape(TOKENS), TOKENS.one)
    headers = {"Bespeak-Shopper": stage.api.token("asha")}
    return Request("GET", f"/v1/holds/{hold['id']}/position", None, "pk", headers)


@refuses(BOOKED_POSITION, "invalid_id", kind="bkg")
async def the_place_of_a_hold_for_a_booking(stage: Stage) -> Request:
    return Request("GET", f"/v1/bookings/{NO_HOLD}/position")


@refuses(BOOKED_POSITION, "booking_not_found")
async def the_place_of_no_booking(stage: Stage) -> Request:
    return Request("GET", f"/v1/bookings/{NO_BOOKING}/position")


@refuses(BOOKED_POSITION, "booking_not_found")
async def the_place_of_a_booking_that_is_a_hold(stage: Stage) -> Request:
    hold = await held(stage, await stage.make_shape(TOKENS), TOKENS.one)
    booking_id = str(hold["id"]).replace("hold_", "bkg_")
    return Request("GET", f"/v1/bookings/{booking_id}/position")


@refuses(BOOKED_POSITION, "not_owner")
async def the_place_of_anothers_booking(stage: Stage) -> Request:
    hold = await held(stage, await stage.make_shape(TOKENS), TOKENS.one)
    made = await stage.api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]})
    path = f"/v1/bookings/{made.json()['id']}/position"
    return Request("GET", path, headers={"Bespeak-Owner": "asha"})


@refuses(SERVING, "invalid_id", kind="res")
async def serving_nothing(stage: Stage) -> Request:
    return Request("PUT", "/v1/resources/show-1/serving", {"number": 1})


@refuses(SERVING, "resource_not_found", resource_id=NO_RESOURCE)
async def serving_at_no_resource(stage: Stage) -> Request:
    return Request("PUT", f"/v1/resources/{NO_RESOURCE}/serving", {"number": 1})


@refuses(SERVING, "invalid_request")
async def serving_seats(stage: Stage) -> Request:
    return Request("PUT", f"/v1/resources/{stage.show.id}/serving", {"number": 1})
