"""How each refusal of the calls about holds and bookings comes about."""

from datetime import timedelta

import msgspec

from bespeak import PoolPlan, SeatsPlan
from bespeak.http.server.budgets import policy
from bespeak.inventory.resources import Price
from bespeak.reservations import placement
from tests.http.api import Request, line, place
from tests.http.scenarios import (
    BOOKING,
    CANCEL,
    CONFIRM,
    EXTEND,
    HOLD,
    HOLDS,
    NO_BOOKING,
    NO_HOLD,
    NO_RESOURCE,
    RELEASE,
    Stage,
    refuses,
)


def _as_guest(stage: Stage) -> Request:
    asked = place(stage.show, "A2", "A1")
    lines = msgspec.to_builtins(asked.body)["lines"]
    headers = {"Bespeak-Shopper": stage.api.token("asha")}
    stage.monkeypatch.setattr(stage.api.service.budgets, "mode", "on")
    return Request(asked.method, asked.path, {"lines": lines}, "pk", headers)


@refuses(CONFIRM, "budget_spent", budget="payments", limit=0)
async def more_cards_than_may_be_tried(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1")
    stage.monkeypatch.setattr(policy, "PAYMENTS_OF_HOLD", 0)
    stage.monkeypatch.setattr(stage.api.service.budgets, "mode", "on")
    headers = {"Bespeak-Shopper": stage.api.token("asha")}
    body = {"hold_id": hold["id"], "payment_token": "tok_success"}
    return Request("POST", "/v1/bookings", body, "pk", headers)


@refuses("POST /v1/quotes", "budget_spent", budget="codes", limit=0)
async def more_codes_than_may_be_guessed(stage: Stage) -> Request:
    stage.monkeypatch.setattr(policy, "CODES_OF_GUEST", 0)
    stage.monkeypatch.setattr(stage.api.service.budgets, "mode", "on")
    body = {"lines": [{"resource_id": stage.show.id, "unit": "A1", "code": "X"}]}
    return Request("POST", "/v1/quotes", body, "pk")


@refuses(HOLDS, "budget_spent", budget="guest_units", limit=1)
async def more_than_one_guest_may_hold(stage: Stage) -> Request:
    stage.monkeypatch.setattr(policy, "GUEST_UNITS", 1)
    return _as_guest(stage)


@refuses(HOLDS, "challenge_required", budget="address_units")
async def more_than_an_address_may_hold_without_a_challenge(stage: Stage) -> Request:
    stage.monkeypatch.setattr(policy, "ADDRESS_UNITS", policy.Limits(1, 100))
    return _as_guest(stage)


@refuses(HOLDS, "unit_taken")
async def held_by_another(stage: Stage) -> Request:
    await stage.api.hold(stage.show, "A1", owner="ben")
    return place(stage.show, "A2", "A1")


@refuses(HOLDS, "unit_taken")
async def held_by_oneself(stage: Stage) -> Request:
    await stage.api.hold(stage.show, "A1")
    return place(stage.show, "A1")


@refuses(HOLDS, "unit_taken")
async def booked(stage: Stage) -> Request:
    await stage.api.booking(stage.show, "A1")
    return place(stage.show, "A1", "floor 1")


@refuses(HOLDS, "unit_taken")
async def blocked(stage: Stage) -> Request:
    await stage.api.block(stage.show, "A1")
    return place(stage.show, "A1")


@refuses(HOLDS, "sold_out")
async def more_than_the_pool_has(stage: Stage) -> Request:
    return place(stage.show, "A1", "floor 6")


@refuses(HOLDS, "sold_out")
async def more_than_is_left(stage: Stage) -> Request:
    await stage.api.hold(stage.show, "floor 4", owner="ben")
    return place(stage.show, "floor 2")


@refuses(HOLDS, "owner_limit_reached")
async def over_the_limit(stage: Stage) -> Request:
    show = await stage.make_show(owner_limit=3)
    await stage.api.booking(show, "A1")
    await stage.api.hold(show, "floor 1")
    return place(show, "A3", "A4")


@refuses(HOLDS, "unknown_unit", unit="Z9")
async def no_such_unit(stage: Stage) -> Request:
    return place(stage.show, "A1", "Z9")


@refuses(HOLDS, "unknown_unit", unit="floor")
async def pool_without_a_quantity(stage: Stage) -> Request:
    return place(stage.show, "floor")


@refuses(HOLDS, "unknown_unit", unit="A1")
async def seat_with_a_quantity(stage: Stage) -> Request:
    return place(stage.show, "A1 1")


@refuses(HOLDS, "unknown_unit", unit="owner:asha")
async def limit_named_as_a_unit(stage: Stage) -> Request:
    return place(stage.show, "owner:asha 1")


@refuses(HOLDS, "duplicate_line")
async def twice_the_same_unit(stage: Stage) -> Request:
    return place(stage.show, "A1", "A2", "A1")


@refuses(HOLDS, "duplicate_line")
async def twice_the_same_pool(stage: Stage) -> Request:
    return place(stage.show, "floor 1", "floor 2")


@refuses(HOLDS, "invalid_id", kind="res")
async def no_id_at_all(stage: Stage) -> Request:
    unknown = {"resource_id": "show-1", "unit": "A1"}
    return Request("POST", "/v1/holds", {"owner": "asha", "lines": [unknown]})


@refuses(HOLDS, "invalid_id")
async def id_of_another_kind(stage: Stage) -> Request:
    unknown = {"resource_id": "blk_00000001", "unit": "A1"}
    lines = [line(stage.show, "A1"), unknown]
    return Request("POST", "/v1/holds", {"owner": "asha", "lines": lines})


@refuses(HOLDS, "resource_not_found", resource_id=NO_RESOURCE)
async def no_such_resource(stage: Stage) -> Request:
    lines = [line(stage.show, "A1"), {"resource_id": NO_RESOURCE, "unit": "A1"}]
    return Request("POST", "/v1/holds", {"owner": "asha", "lines": lines})


@refuses(HOLDS, "hold_time_beyond_cap", hold_seconds_max=1800)
async def longer_than_the_cap(stage: Stage) -> Request:
    return place(stage.show, "A1", hold_seconds=1801)


@refuses(HOLDS, "currencies_differ")
async def two_currencies(stage: Stage) -> Request:
    from bespeak.inventory.resources import Price

    other = await stage.make_show(price=Price(100, "USD"))
    lines = [line(stage.show, "A1"), line(other, "A1")]
    return Request("POST", "/v1/holds", {"owner": "asha", "lines": lines})


@refuses(HOLDS, "resource_closed")
async def closed_by_its_operator(stage: Stage) -> Request:
    return place(await stage.make_show(state="closed"), "A1")


@refuses(HOLDS, "resource_closed")
async def closed_by_time(stage: Stage) -> Request:
    show = await stage.make_show(closes_at=stage.clock.now + timedelta(seconds=60))
    await stage.api.hold(show, "A2")
    await stage.clock.advance(60)
    return place(show, "A1")


@refuses(HOLDS, "resource_not_open")
async def not_yet_open(stage: Stage) -> Request:
    return place(await stage.make_show(opens_at=stage.clock.now + timedelta(seconds=1)), "A1")


@refuses(HOLDS, "plan_changed")
async def changed_at_this_instant(stage: Stage) -> Request:
    await stage.api.hold(stage.show, "A2")  # from here on the process knows the resource
    await stage.api.connection.execute("update bespeak.resource set version = version + 1")
    stage.monkeypatch.setattr(placement, "_ATTEMPTS_MAX", 1)
    return place(stage.show, "A1")


@refuses(HOLDS, "not_owner")
async def shopper_names_another(stage: Stage) -> Request:
    body = place(stage.show, "A1", owner="ben").body
    headers = {"Bespeak-Shopper": stage.api.token("asha")}
    return Request("POST", "/v1/holds", body, "pk", headers)


@refuses(HOLDS, "invalid_request", field="owner")
async def server_names_nobody(stage: Stage) -> Request:
    return Request("POST", "/v1/holds", {"lines": [line(stage.show, "A1")]})


async def _of_hold(stage: Stage, endpoint: str, hold_id: object, **headers: str) -> Request:
    """The request to an endpoint that takes a hold."""
    if endpoint == CONFIRM:
        return Request("POST", "/v1/bookings", {"hold_id": hold_id}, headers=headers)
    method, path = endpoint.split()
    body = {"seconds": 60} if endpoint == EXTEND else None
    return Request(method, path.replace("{hold_id}", str(hold_id)), body, headers=headers)


def _for_each(*endpoints: str) -> None:
    for endpoint in endpoints:

        @refuses(endpoint, "invalid_id", kind="hold")
        async def a_resource_for_a_hold(stage: Stage, endpoint: str = endpoint) -> Request:
            return await _of_hold(stage, endpoint, stage.show.id)

        @refuses(endpoint, "invalid_id")
        async def a_digit_that_is_none(stage: Stage, endpoint: str = endpoint) -> Request:
            return await _of_hold(stage, endpoint, NO_HOLD[:-1] + "u")

        @refuses(endpoint, "hold_not_found")
        async def no_such_hold(stage: Stage, endpoint: str = endpoint) -> Request:
            return await _of_hold(stage, endpoint, NO_HOLD)

        @refuses(endpoint, "not_owner")
        async def named_owner_is_another(stage: Stage, endpoint: str = endpoint) -> Request:
            hold = await stage.api.hold(stage.show, "A1", owner="asha")
            return await _of_hold(stage, endpoint, hold["id"], **{"Bespeak-Owner": "ben"})

        @refuses(endpoint, "not_owner")
        async def shopper_is_another(stage: Stage, endpoint: str = endpoint) -> Request:
            hold = await stage.api.hold(stage.show, "A1", owner="asha")
            headers = {"Bespeak-Shopper": stage.api.token("ben")}
            asked = await _of_hold(stage, endpoint, hold["id"], **headers)
            return Request(asked.method, asked.path, asked.body, "pk", headers)

        if endpoint == HOLD:
            continue

        @refuses(endpoint, "hold_expired")
        async def its_time_is_over(stage: Stage, endpoint: str = endpoint) -> Request:
            hold = await stage.api.hold(stage.show, "A1", hold_seconds=60)
            await stage.clock.advance(60)
            return await _of_hold(stage, endpoint, hold["id"])

        @refuses(endpoint, "hold_expired")
        async def its_time_is_over_and_swept(stage: Stage, endpoint: str = endpoint) -> Request:
            hold = await stage.api.hold(stage.show, "A1", hold_seconds=60)
            await stage.clock.advance(60)
            await stage.api.connection.execute("select bespeak.expire_holds(10)")
            return await _of_hold(stage, endpoint, hold["id"])

        @refuses(endpoint, "hold_released")
        async def released_before(stage: Stage, endpoint: str = endpoint) -> Request:
            hold = await stage.api.hold(stage.show, "A1")
            await stage.api.ask("DELETE", f"/v1/holds/{hold['id']}")
            return await _of_hold(stage, endpoint, hold["id"])

        @refuses(endpoint, "hold_confirmed")
        async def confirmed_before(stage: Stage, endpoint: str = endpoint) -> Request:
            booking = await stage.api.booking(stage.show, "A1")
            return await _of_hold(stage, endpoint, booking["hold_id"])


_for_each(HOLD, RELEASE, EXTEND, CONFIRM)


@refuses(RELEASE, "invalid_request", field="idempotency_key")
async def released_with_a_key_that_is_none(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1")
    headers = {"Idempotency-Key": "k" * 201}
    return Request("DELETE", f"/v1/holds/{hold['id']}", headers=headers)


@refuses(EXTEND, "extension_beyond_cap", seconds_max=1800)
async def extended_beyond_the_cap(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1")
    return Request("POST", f"/v1/holds/{hold['id']}/extend", {"seconds": 1801})


@refuses(EXTEND, "extension_beyond_cap", seconds_max=1300)
async def extended_beyond_the_cap_later(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1")
    await stage.clock.advance(500)
    return Request("POST", f"/v1/holds/{hold['id']}/extend", {"seconds": 1301})


@refuses(CONFIRM, "payment_required")
async def must_be_paid(stage: Stage) -> Request:
    plan = SeatsPlan(pools=(PoolPlan("p", 1),))
    show = await stage.make_show(payment="required", price=Price(1, "EUR"), plan=plan)
    hold = await stage.api.hold(show, "p 1")
    return Request("POST", "/v1/bookings", {"hold_id": hold["id"]})


@refuses(BOOKING, "invalid_id", kind="bkg")
async def read_a_hold_for_a_booking(stage: Stage) -> Request:
    return Request("GET", f"/v1/bookings/{NO_HOLD}")


@refuses(CANCEL, "invalid_id", kind="bkg")
async def cancel_a_hold_for_a_booking(stage: Stage) -> Request:
    return Request("DELETE", f"/v1/bookings/{NO_HOLD}")


@refuses(CANCEL, "invalid_id", kind="res")
async def cancel_a_line_of_nothing(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    body = {"lines": [{"resource_id": "A1", "unit": "A1"}]}
    return Request("DELETE", f"/v1/bookings/{booking['id']}", body)


@refuses(BOOKING, "booking_not_found")
async def read_no_such_booking(stage: Stage) -> Request:
    return Request("GET", f"/v1/bookings/{NO_BOOKING}")


@refuses(BOOKING, "booking_not_found")
async def read_a_hold_not_confirmed(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1")
    return Request("GET", "/v1/bookings/" + str(hold["id"]).replace("hold", "bkg"))


@refuses(CANCEL, "booking_not_found")
async def cancel_a_hold_not_confirmed(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1")
    return Request("DELETE", "/v1/bookings/" + str(hold["id"]).replace("hold", "bkg"))


@refuses(BOOKING, "not_owner")
async def read_anothers_booking(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    headers = {"Bespeak-Shopper": stage.api.token("ben")}
    return Request("GET", f"/v1/bookings/{booking['id']}", key="pk", headers=headers)


@refuses(CANCEL, "not_owner")
async def cancel_anothers_booking(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return Request("DELETE", f"/v1/bookings/{booking['id']}", headers={"Bespeak-Owner": "ben"})


@refuses(CANCEL, "booking_cancelled")
async def cancelled_before(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    await stage.api.ask("DELETE", f"/v1/bookings/{booking['id']}")
    return Request("DELETE", f"/v1/bookings/{booking['id']}")


@refuses(CANCEL, "not_in_booking")
async def cancel_anothers_line(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1", "floor 2")
    await stage.api.booking(stage.show, "A2")
    body = {"lines": [line(stage.show, "A1"), line(stage.show, "A2")]}
    return Request("DELETE", f"/v1/bookings/{booking['id']}", body)


@refuses(CANCEL, "not_in_booking")
async def cancel_more_than_was_booked(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1", "floor 2")
    body = {"lines": [line(stage.show, "floor 3")]}
    return Request("DELETE", f"/v1/bookings/{booking['id']}", body)


@refuses(CANCEL, "invalid_request", field="lines")
async def cancel_a_unit_with_a_zero_byte(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    body = {"lines": [line(stage.show, "A\x001")]}
    return Request("DELETE", f"/v1/bookings/{booking['id']}", body)


@refuses(CANCEL, "invalid_request", field="reason")
async def cancel_for_a_reason_with_controls(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return Request("DELETE", f"/v1/bookings/{booking['id']}", {"reason": "ill\x07"})
