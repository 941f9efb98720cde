"""How each refusal of the calls about refunds, and about calling a resource off, comes about."""

from datetime import datetime

from bespeak import ids
from tests.harness.database import Connection
from tests.http.api import Json, Request, line
from tests.http.scenarios import (
    CANCEL,
    NO_BOOKING,
    NO_REFUND,
    NO_RESOURCE,
    Stage,
    refuses,
)

QUOTE = "POST /v1/bookings/{booking_id}/refund-quote"
REFUND = "GET /v1/refunds/{refund_id}"
HAND_OVER = "POST /v1/refunds/{refund_id}/hand-over"
RETRY = "POST /v1/refunds/{refund_id}/retry"
CALL_OFF = "POST /v1/resources/{resource_id}/cancellation"
PROGRESS = "GET /v1/resources/{resource_id}/cancellation"
REOPEN = "POST /v1/resources/{resource_id}/cancellation/reopening"


def ask(booking: str, body: object = None, **fields: object) -> Request:
    """The request for a refund quote."""
    return Request("POST", f"/v1/bookings/{booking}/refund-quote", body, **fields)  # type: ignore[arg-type]


async def made_refund(
    connection: Connection, booking: Json, at: datetime, state: str = "refunded"
) -> str:
    """A refund of a booking that somebody paid for."""
    hold = ids.parse(ids.BOOKING, str(booking["id"]))
    home = ids.home_of(hold)
    payment, refund = ids.IdMaker().new(home), ids.IdMaker().new(home)
    await connection.execute(
        """
        insert into bespeak.payment (resource_id, payment_id, hold_id, owner, provider, state,
            amount, currency, captured, captured_currency, refunding, refunded, window_ends_at,
            created_at, captured_at, ended_at)
        values ($1, $2, $3, 'asha', 'sandbox', 'refunded', 100, 'EUR', 100, 'EUR', 100, 100,
            $4, $4, $4, $4)
        """,
        home,
        payment,
        hold,
        at,
    )
    await connection.execute(
        """
        insert into bespeak.refund (resource_id, refund_id, payment_id, hold_id, amount, currency,
            cause, state, created_at, ended_at)
        values ($1, $2, $3, $4, 100, 'EUR', 'cancelled', $5, $6, $6)
        """,
        home,
        refund,
        payment,
        hold,
        state,
        at,
    )
    return ids.show(ids.REFUND, refund)


@refuses(CANCEL, "refund_by_policy_only")
async def a_shopper_wants_it_all(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    headers = {"Bespeak-Shopper": stage.api.token("asha")}
    return Request("DELETE", f"/v1/bookings/{booking['id']}", {"refund": "full"}, "pk", headers)


@refuses(CANCEL, "invalid_request", field="refund")
async def half_of_it(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return Request("DELETE", f"/v1/bookings/{booking['id']}", {"refund": "half"})


@refuses(QUOTE, "invalid_id", kind="bkg")
async def ask_for_what_is_no_booking(stage: Stage) -> Request:
    return ask("A1")


@refuses(QUOTE, "booking_not_found", booking_id=NO_BOOKING)
async def ask_for_no_such_booking(stage: Stage) -> Request:
    return ask(NO_BOOKING)


@refuses(QUOTE, "not_owner")
async def ask_for_anothers_booking(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    headers = {"Bespeak-Shopper": stage.api.token("ben")}
    return ask(str(booking["id"]), key="pk", headers=headers)


@refuses(QUOTE, "booking_cancelled")
async def ask_for_what_is_cancelled(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    await stage.api.ask("DELETE", f"/v1/bookings/{booking['id']}")
    return ask(str(booking["id"]))


@refuses(QUOTE, "not_in_booking")
async def ask_for_anothers_line(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return ask(str(booking["id"]), {"lines": [line(stage.show, "A2")]})


@refuses(QUOTE, "invalid_request", field="lines")
async def ask_for_no_lines(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return ask(str(booking["id"]), {"lines": []})


@refuses(REFUND, "invalid_id", kind="ref")
async def read_what_is_no_refund(stage: Stage) -> Request:
    return Request("GET", f"/v1/refunds/{NO_BOOKING}")


@refuses(REFUND, "refund_not_found", refund_id=NO_REFUND)
async def read_no_such_refund(stage: Stage) -> Request:
    return Request("GET", f"/v1/refunds/{NO_REFUND}")


@refuses(REFUND, "not_owner")
async def read_anothers_refund(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    refund = await made_refund(stage.api.connection, booking, stage.clock.now)
    headers = {"Bespeak-Shopper": stage.api.token("ben")}
    return Request("GET", f"/v1/refunds/{refund}", None, "pk", headers)


@refuses(RETRY, "invalid_id", kind="ref")
async def retry_what_is_no_refund(stage: Stage) -> Request:
    return Request("POST", "/v1/refunds/refund-1/retry", key="ak")


@refuses(RETRY, "refund_not_found", refund_id=NO_REFUND)
async def retry_no_such_refund(stage: Stage) -> Request:
    return Request("POST", f"/v1/refunds/{NO_REFUND}/retry", key="ak")


@refuses(RETRY, "refund_not_failed")
async def retry_what_was_done(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    refund = await made_refund(stage.api.connection, booking, stage.clock.now)
    return Request("POST", f"/v1/refunds/{refund}/retry", key="ak")


@refuses(HAND_OVER, "invalid_id", kind="ref")
async def hand_over_what_is_no_refund(stage: Stage) -> Request:
    return Request("POST", "/v1/refunds/refund-1/hand-over")


@refuses(HAND_OVER, "refund_not_found", refund_id=NO_REFUND)
async def hand_over_no_such_refund(stage: Stage) -> Request:
    return Request("POST", f"/v1/refunds/{NO_REFUND}/hand-over")


@refuses(HAND_OVER, "refund_not_at_desk")
async def hand_over_what_a_bank_gives_back(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    refund = await made_refund(stage.api.connection, booking, stage.clock.now)
    await stage.api.connection.execute(
        "update bespeak.refund set state = 'pending', ended_at = null, due_at = bespeak.now()"
    )
    return Request("POST", f"/v1/refunds/{refund}/hand-over")


@refuses(CALL_OFF, "invalid_id", kind="res")
async def call_off_what_is_no_resource(stage: Stage) -> Request:
    return Request("POST", "/v1/resources/show-1/cancellation", {"reason": "storm"})


@refuses(CALL_OFF, "resource_not_found", resource_id=NO_RESOURCE)
async def call_off_no_such_resource(stage: Stage) -> Request:
    return Request("POST", f"/v1/resources/{NO_RESOURCE}/cancellation", {"reason": "storm"})


@refuses(CALL_OFF, "resource_called_off")
async def call_off_twice(stage: Stage) -> Request:
    path = f"/v1/resources/{stage.show.id}/cancellation"
    await stage.api.ask("POST", path, {"reason": "storm"})
    return Request("POST", path, {"reason": "storm"})


@refuses(CALL_OFF, "plan_changed")
async def call_off_while_a_long_transaction_places_holds(stage: Stage) -> Request:
    holding = await stage.open_transaction()
    number = ids.parse_resource(stage.show.id)
    await holding.execute("select bespeak.keep_plans(array[$1::bigint])", number)
    return Request("POST", f"/v1/resources/{stage.show.id}/cancellation", {"reason": "storm"}, "ak")


@refuses(CALL_OFF, "invalid_request", field="reason")
async def call_off_for_a_reason_with_controls(stage: Stage) -> Request:
    return Request("POST", f"/v1/resources/{stage.show.id}/cancellation", {"reason": "a\x07"}, "ak")


@refuses(PROGRESS, "invalid_id", kind="res")
async def look_at_what_is_no_resource(stage: Stage) -> Request:
    return Request("GET", "/v1/resources/show-1/cancellation")


@refuses(PROGRESS, "not_called_off", resource_id=NO_RESOURCE)
async def look_at_no_such_resource(stage: Stage) -> Request:
    return Request("GET", f"/v1/resources/{NO_RESOURCE}/cancellation")


@refuses(REOPEN, "invalid_id", kind="res")
async def reopen_what_is_no_resource(stage: Stage) -> Request:
    return Request("POST", "/v1/resources/show-1/cancellation/reopening")


@refuses(REOPEN, "not_called_off")
async def reopen_what_was_not_called_off(stage: Stage) -> Request:
    return Request("POST", f"/v1/resources/{stage.show.id}/cancellation/reopening")


@refuses(REOPEN, "calling_off_runs")
async def reopen_what_is_still_being_called_off(stage: Stage) -> Request:
    path = f"/v1/resources/{stage.show.id}"
    await stage.api.ask("POST", f"{path}/cancellation", {"reason": "storm"})
    return Request("POST", f"{path}/cancellation/reopening")
