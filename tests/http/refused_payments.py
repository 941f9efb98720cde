"""How each refusal of the calls about payments, and of the sandbox's own, comes about."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime

from bespeak import PoolPlan, Resource, SeatsPlan
from bespeak.inventory.resources import Price
from bespeak.payments.providers.sandbox import Sandbox
from bespeak.payments.providers.sandbox.callbacks import SIGNATURE_HEADER, sign
from bespeak.states import PaymentState
from tests.http.api import Api, Json, Request, document, until
from tests.http.scenarios import CONFIRM, NO_BOOKING, Stage, refuses

PAYMENT = "GET /v1/payments/{payment_id}"
CALLBACK = "POST /v1/payments/{provider}/callback"
TOKENS = "POST /sandbox/tokens"
NO_PAYMENT = "pay_" + "0" * 26
DOOR = "/v1/payments/sandbox/callback"
PRICE = Price(1500, "EUR")


def bank(api: Api) -> Sandbox:
    """The sandbox of an API that has it."""
    found = api.service.engine.payments.providers["sandbox"]
    assert isinstance(found, Sandbox)
    return found


def paying(
    hold: Json,
    token: str = "tok_success",  # noqa: S107 (the sandbox's, for a test)
    key: str | None = None,
    **fields: object,
) -> Request:
    """The request that pays for a hold."""
    headers = {} if key is None else {"Idempotency-Key": key}
    body = {"hold_id": hold["id"], "payment_token": token, **fields}
    return Request("POST", "/v1/bookings", body, headers=headers)


async def paid_show(stage: Stage, **fields: object) -> Resource:
    """A show that must be paid for: 15.00 EUR for each of its floor."""
    plan = SeatsPlan(pools=(PoolPlan("floor", 5),))
    return await stage.make_show(plan=plan, payment="required", price=PRICE, **fields)


async def challenged(stage: Stage) -> Json:
    """A payment whose buyer is at the challenge."""
    hold = await stage.api.hold(await paid_show(stage), "floor 1")
    answer = document(await stage.api.send(paying(hold, "tok_challenge")), 202)
    payment = answer["payment"]
    assert isinstance(payment, dict)
    return payment


def callback(api: Api, payment: Json, **fields: object) -> Request:
    """A callback of the sandbox about a payment, signed by it at this moment."""
    amount = payment["amount"]
    assert isinstance(amount, dict)
    body = {
        "id": "cb_1",
        "kind": "payment.authorized",
        "created_at": "2030-01-01T12:00:00Z",
        "payment_id": payment["id"],
        "reference": "sbx_1",
        **amount,
        **fields,
    }
    return signed(api, json.dumps(body).encode())


def signed(api: Api, body: bytes, at: datetime | None = None) -> Request:
    """A body that the sandbox signed."""
    signature = sign(bank(api).secret, body, at or datetime.now(UTC))
    return Request("POST", DOOR, body, None, {SIGNATURE_HEADER: signature})


@refuses(CONFIRM, "provider_unknown", providers=["sandbox"])
async def a_provider_that_is_not_set_up(stage: Stage) -> Request:
    hold = await stage.api.hold(await paid_show(stage), "floor 1")
    return paying(hold, provider="stripe")


@refuses(CONFIRM, "payment_declined", failure="insufficient_funds")
async def declined_and_asked_again(stage: Stage) -> Request:
    hold = await stage.api.hold(await paid_show(stage), "floor 1")
    request = paying(hold, "tok_insufficient_funds", "order-1")
    assert (await stage.api.send(request)).status_code == 402
    return request


@refuses(CONFIRM, "payment_in_progress")
async def while_another_payment_is_under_way(stage: Stage) -> Request:
    hold = await stage.api.hold(await paid_show(stage), "floor 1")
    document(await stage.api.send(paying(hold, "tok_challenge")), 202)
    return paying(hold)


@refuses(CONFIRM, "money_returned")
async def money_that_came_too_late(stage: Stage) -> Request:
    hold = await stage.api.hold(await paid_show(stage, late_payment="refund"), "floor 1")
    request = paying(hold, "tok_challenge", "order-1")
    payment = document(await stage.api.send(request), 202)["payment"]
    assert isinstance(payment, dict)
    await stage.clock.advance(7200)
    await bank(stage.api).decide(str(payment["id"]), approve=True)
    document(await stage.api.send(callback(stage.api, payment, id="late")), 200)
    engine = stage.api.service.engine

    async def is_over() -> bool:
        found = (await engine.payments.payment(str(payment["id"]))).payment
        assert found is not None
        return found.state == PaymentState.VOIDED and not engine.payments._at_work

    await until(is_over)
    return request


for name, value, error in (
    ("payment_token", "", "invalid_request"),
    ("payment_token", "t" * 501, "invalid_request"),
    ("payment_token", "tok_\x00", "invalid_request"),
    ("provider", "", "invalid_request"),
    ("return_url", "javascript:alert(1)", "invalid_request"),
    ("return_url", "https://", "invalid_request"),
    ("return_url", "https://shop.example;script-src *", "invalid_request"),
    ("return_url", "https://asha:secret@shop.example/", "invalid_request"),
    ("return_url", "https://[:::::]/", "invalid_request"),
    ("return_url", "https://shop.example/two words", "invalid_request"),
    ("return_url", "https://shop.example/" + "x" * 2000, "invalid_request"),
):

    @refuses(CONFIRM, error, field=name)
    async def paid_with_nonsense(stage: Stage, name: str = name, value: str = value) -> Request:
        hold = await stage.api.hold(await paid_show(stage), "floor 1")
        return paying(hold, **{"token": "tok_success", **_renamed(name, value)})


def _renamed(name: str, value: str) -> dict[str, str]:
    return {"token" if name == "payment_token" else name: value}


for contact in (
    {},
    {"email": "nobody"},
    {"email": "a@b\nBcc: everyone@example.org"},
    {"email": "a" * 250 + "@b.example"},
    {"email": "a@b.example", "name": "Asha\r\nBcc: x@y.example"},
    {"email": "a@b.example", "name": "n" * 201},
    {"email": "a@b.example", "locale": "../../etc"},
    {"email": "a@b.example", "locale": "en" + "-aa" * 20},
    {"email": "a@b.example", "phone": "1"},
):

    @refuses(CONFIRM, "invalid_request")
    async def a_contact_of_nobody(stage: Stage, contact: dict[str, str] = contact) -> Request:
        hold = await stage.api.hold(await paid_show(stage), "floor 1")
        return paying(hold, contact=contact)


@refuses(PAYMENT, "invalid_id", kind="pay")
async def a_booking_for_a_payment(_stage: Stage) -> Request:
    return Request("GET", f"/v1/payments/{NO_BOOKING}")


@refuses(PAYMENT, "payment_not_found", payment_id=NO_PAYMENT)
async def no_such_payment(_stage: Stage) -> Request:
    return Request("GET", f"/v1/payments/{NO_PAYMENT}")


@refuses(PAYMENT, "not_owner")
async def the_payment_of_another(stage: Stage) -> Request:
    payment = await challenged(stage)
    return Request("GET", f"/v1/payments/{payment['id']}", headers={"Bespeak-Owner": "ben"})


@refuses(PAYMENT, "not_owner")
async def the_payment_of_another_shopper(stage: Stage) -> Request:
    payment = await challenged(stage)
    headers = {"Bespeak-Shopper": stage.api.token("ben")}
    return Request("GET", f"/v1/payments/{payment['id']}", None, "pk", headers)


@refuses(CALLBACK, "provider_unknown", providers=["sandbox"])
async def a_callback_of_a_bank_that_is_not_set_up(_stage: Stage) -> Request:
    return Request("POST", "/v1/payments/stripe/callback", {}, None)


@refuses(CALLBACK, "callback_invalid")
async def a_callback_without_a_signature(_stage: Stage) -> Request:
    return Request("POST", DOOR, {}, None)


@refuses(CALLBACK, "callback_invalid")
async def a_callback_that_was_changed_on_its_way(stage: Stage) -> Request:
    request = callback(stage.api, await challenged(stage))
    assert isinstance(request.body, bytes)
    changed = request.body.replace(b"1500", b"1501")
    return Request("POST", DOOR, changed, None, request.headers)


@refuses(CALLBACK, "callback_invalid")
async def a_callback_that_is_sent_again_much_later(stage: Stage) -> Request:
    request = callback(stage.api, await challenged(stage))
    assert isinstance(request.body, bytes)
    return signed(stage.api, request.body, datetime.fromtimestamp(1_800_000_000, UTC))


@refuses(CALLBACK, "callback_unreadable")
async def a_callback_without_a_sense(stage: Stage) -> Request:
    return signed(stage.api, b'{"id": 3}')


@refuses(CALLBACK, "callback_unreadable")
async def a_callback_that_is_no_json(stage: Stage) -> Request:
    return signed(stage.api, b"\xff")


for wrong in ({"amount": 1501}, {"currency": "USD"}):

    @refuses(CALLBACK, "callback_mismatch")
    async def a_callback_about_other_money(
        stage: Stage, wrong: Mapping[str, object] = wrong
    ) -> Request:
        payment = await challenged(stage)
        request = callback(stage.api, payment, id=f"wrong {wrong}", **wrong)
        assert (await stage.api.send(request)).status_code == 422  # now it is written down
        return request


@refuses(CALLBACK, "provider_unavailable")
async def a_callback_while_the_bank_does_not_answer(stage: Stage) -> Request:
    request = callback(stage.api, await challenged(stage), id="away")
    stage.monkeypatch.setattr(bank(stage.api), "is_away", True)
    return request


@refuses(TOKENS, "not_owner")
async def a_token_of_another(stage: Stage) -> Request:
    headers = {"Bespeak-Shopper": stage.api.token("asha")}
    return Request("POST", "/sandbox/tokens", {"owner": "ben"}, "pk", headers)


@refuses(TOKENS, "provider_unknown", providers=[])
async def a_token_of_a_sandbox_that_is_not_there(stage: Stage) -> Request:
    stage.monkeypatch.delitem(stage.api.service.engine.payments.providers, "sandbox")
    return Request("POST", "/sandbox/tokens", {"owner": "asha"})


@refuses(TOKENS, "provider_unavailable")
async def a_token_while_the_sandbox_does_not_answer(stage: Stage) -> Request:
    stage.monkeypatch.setattr(bank(stage.api), "is_away", True)
    return Request("POST", "/sandbox/tokens", {"owner": "asha"})
