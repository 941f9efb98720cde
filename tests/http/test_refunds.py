"""Cancelling with refunds over HTTP: what is shown before and recorded after, who may, and calling
a whole resource off.
"""

import asyncio
from datetime import timedelta

import pytest

from bespeak import Resource
from bespeak.payments.refunds.call_off import CallOffWorker
from bespeak.payments.refunds.refunder import Refunder
from tests.harness.clock import START, Clock
from tests.harness.paying import PRICE, paid_show
from tests.harness.refunding import STARTS, tiered_show
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, Request, document, line
from tests.http.conftest import OpenApi


@pytest.fixture
async def api(open_api: OpenApi) -> Api:
    return await open_api(payment_providers="sandbox", allow_pretend_money=True, free_sales=False)


async def booked(api: Api, show: Resource, *units: str, owner: str = "asha") -> Json:
    """A booking that was paid for, its money taken."""
    hold = await api.hold(show, *units, owner=owner)
    body = {"hold_id": hold["id"], "payment_token": "tok_success"}
    # On a busy machine the payment is still under way (202): the booking follows.
    answer = await api.ask("POST", "/v1/bookings", body)
    path = f"/v1/bookings/bkg_{str(hold['id']).removeprefix('hold_')}"
    async with asyncio.timeout(30):
        while answer.status_code in (202, 404):
            answer = await api.ask("GET", path)
    assert answer.is_success, answer.text
    booking = document(answer, answer.status_code)
    while object_of(booking, "payment")["state"] != "captured":
        booking = await api.get(path)
    assert booking["refunds"] == []
    return booking


def object_of(document: Json, name: str) -> Json:
    """An object in a document."""
    found = document[name]
    assert isinstance(found, dict)
    return found


def only_refund(document: Json) -> Json:
    """The one refund that a document has."""
    found = document["refunds"]
    assert isinstance(found, list)
    (refund,) = found
    assert isinstance(refund, dict)
    return refund


async def give_back(api: Api) -> None:
    engine = api.service.engine
    await Refunder(engine.payments, engine.refunds).look()


def of_shopper(api: Api, method: str, path: str, body: object = None) -> Request:
    return Request(method, path, body, "pk", {"Bespeak-Shopper": api.token("asha")})


async def test_a_shopper_sees_what_comes_back_and_gets_it(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    show = await tiered_show(make_show)
    booking = await booked(api, show, "A1", "A2")
    path = f"/v1/bookings/{booking['id']}"
    await moved_clock.set(STARTS - timedelta(days=2))
    part = {"lines": [line(show, "A2")]}
    quote = document(await api.send(of_shopper(api, "POST", f"{path}/refund-quote", part)), 200)
    assert quote == {
        "amount": PRICE // 2,
        "currency": "EUR",
        "rule": "before:86400",
        "lines": [
            {
                "line": 1,
                "resource_id": show.id,
                "unit": "A2",
                "quantity": 1,
                "amount": PRICE // 2,
                "basis_points": 5000,
                "rule": "before:86400",
            }
        ],
        "steps": [
            {"until": "2030-01-30T12:00:00Z", "amount": PRICE // 2, "basis_points": 5000},
            {"until": None, "amount": 0, "basis_points": 0},
        ],
    }
    after = document(await api.send(of_shopper(api, "DELETE", path, part)), 200)
    assert after["state"] == "confirmed"
    refund = only_refund(after)
    assert refund["amount"] == {"amount": PRICE // 2, "currency": "EUR"}
    assert refund["state"] == "pending"

    await give_back(api)
    refund_path = f"/v1/refunds/{refund['id']}"
    done = document(await api.send(of_shopper(api, "GET", refund_path)), 200)
    assert (done["state"], done["booking_id"]) == ("refunded", booking["id"])
    payment = await api.get(f"/v1/payments/{done['payment_id']}")
    assert payment["refunds"] == [done]
    assert object_of(payment, "payment")["refunded"] == PRICE // 2
    whole = document(await api.send(of_shopper(api, "POST", f"{path}/refund-quote")), 200)
    assert whole["amount"] == PRICE // 2


async def test_a_server_says_how_much_goes_back(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    show = await tiered_show(make_show)
    one, two = [await booked(api, show, unit) for unit in ("A1", "A2")]
    await moved_clock.set(STARTS)
    kind = document(await api.ask("DELETE", f"/v1/bookings/{one['id']}", {"refund": "full"}), 200)
    refund = only_refund(kind)
    assert object_of(refund, "amount")["amount"] == PRICE + 100
    hard = document(await api.ask("DELETE", f"/v1/bookings/{two['id']}", {"refund": "none"}), 200)
    assert (hard["state"], hard["refunds"]) == ("cancelled", [])


async def test_a_refund_that_failed_is_tried_again(api: Api, make_show: MakeShow) -> None:
    show = await paid_show(make_show)
    booking = await booked(api, show, "A1")
    after = document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}"), 200)
    refund = only_refund(after)
    await api.connection.execute("update bespeak.sandbox_payment set outcome = 'refund_fails'")
    await give_back(api)
    path = f"/v1/refunds/{refund['id']}"
    failed = await api.get(path)
    assert (failed["state"], failed["failure"]) == ("failed", "refund_declined")
    assert await api.get("/v1/refunds?state=failed&limit=1000") == {"items": [failed], "next": None}
    again = document(await api.ask("POST", f"{path}/retry", key="ak"), 200)
    assert (again["id"], again["state"], again["failure"]) == (failed["id"], "pending", None)
    assert await api.get("/v1/refunds") == {"items": [], "next": None}


async def test_a_show_is_called_off(api: Api, make_show: MakeShow, moved_clock: Clock) -> None:
    show = await paid_show(make_show)
    for unit in ("A1", "A2", "floor 2"):
        await booked(api, show, unit)
    await api.hold(show, "A3")
    path = f"/v1/resources/{show.id}/cancellation"
    begun = document(await api.ask("POST", path, {"reason": "storm"}), 202)
    assert begun == {
        "resource_id": show.id,
        "state": "running",
        "reason": "storm",
        "refund": "full",
        "bookings_total": 3,
        "bookings_done": 0,
        "holds_released": 0,
        "refunds": {"pending": 0, "refunded": 0, "failed": 0},
        "amounts": {"pending": 0, "refunded": 0, "failed": 0},
        "currency": "EUR",
        "begun_at": START.isoformat().replace("+00:00", "Z"),
        "ended_at": None,
    }
    engine = api.service.engine
    await CallOffWorker(engine.database, engine.ready_resources, engine.settings, batch=2).look()
    await give_back(api)
    done = await api.get(path)
    assert (done["state"], done["bookings_done"], done["holds_released"]) == ("done", 3, 1)
    assert done["refunds"] == {"pending": 0, "refunded": 3, "failed": 0}
    assert done["amounts"] == {"pending": 0, "refunded": 4 * PRICE, "failed": 0}
