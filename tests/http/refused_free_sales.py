"""How giving a hold for nothing refuses."""

import msgspec

from tests.http.api import Json, Request, document
from tests.http.refused_payments import paid_show
from tests.http.scenarios import NO_BOOKING, NO_HOLD, Stage, refuses

GIVE = "POST /v1/holds/{hold_id}/free-sale"


def giving(hold_id: object, reason: str = "press") -> Request:
    return Request("POST", f"/v1/holds/{hold_id}/free-sale", {"reason": reason})


async def held(stage: Stage) -> Json:
    return await stage.api.hold(await paid_show(stage), "floor 1")


@refuses(GIVE, "free_sales_off")
async def where_nothing_is_given(stage: Stage) -> Request:
    hold = await held(stage)
    engine = stage.api.service.engine
    without = msgspec.structs.replace(engine.settings, free_sales=False)
    stage.monkeypatch.setattr(engine, "settings", without)
    return giving(hold["id"])


@refuses(GIVE, "invalid_id", kind="hold")
async def the_id_of_a_booking(_stage: Stage) -> Request:
    return giving(NO_BOOKING)


@refuses(GIVE, "hold_not_found")
async def no_such_hold(_stage: Stage) -> Request:
    return giving(NO_HOLD)


@refuses(GIVE, "hold_released")
async def a_hold_that_was_given_up(stage: Stage) -> Request:
    hold = await held(stage)
    await stage.api.ask("DELETE", f"/v1/holds/{hold['id']}")
    return giving(hold["id"])


@refuses(GIVE, "hold_expired")
async def a_hold_that_is_over(stage: Stage) -> Request:
    hold = await held(stage)
    await stage.clock.advance(3600)
    return giving(hold["id"])


@refuses(GIVE, "hold_confirmed")
async def a_hold_that_was_booked(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1")
    document(await stage.api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    return giving(hold["id"])


@refuses(GIVE, "payment_in_progress")
async def a_hold_that_somebody_tried_to_pay_for(stage: Stage) -> Request:
    hold = await held(stage)
    paid = {"hold_id": hold["id"], "payment_token": "tok_declined"}
    await stage.api.ask("POST", "/v1/bookings", paid)
    return giving(hold["id"])


@refuses(GIVE, "invalid_request", field="reason")
async def for_no_reason(stage: Stage) -> Request:
    return giving((await held(stage))["id"], "because")
