"""The desk over HTTP: staff sell for cash and give back by hand, shoppers are not told of it, and a
drawer can be counted against what was taken.
"""

import asyncio
from datetime import timedelta
from unittest.mock import AsyncMock

import pytest

import bespeak
from bespeak import Resource, Settings
from bespeak.inventory.resources import Price
from bespeak.payments.reconciliation.report import reconcile
from bespeak.payments.refunds.refunder import Refunder
from tests.harness.database import Connection
from tests.harness.paying import PRICE, assert_money_agrees, paid_show
from tests.harness.refunding import recover
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, line, opened, problem
from tests.http.conftest import OpenApi
from tests.http.test_refunds import object_of, only_refund


@pytest.fixture
async def api(open_api: OpenApi) -> Api:
    return await open_api(
        payment_providers="sandbox,desk", allow_pretend_money=True, free_sales=False
    )


@pytest.fixture
async def show(make_show: MakeShow) -> Resource:
    return await paid_show(make_show)


def body(hold: Json, method: str = "cash") -> Json:
    return {"hold_id": hold["id"], "payment_token": method, "provider": "desk"}


async def sold(api: Api, show: Resource, unit: str, method: str = "cash", key: str = "sk") -> Json:
    """A seat that was sold at the desk."""
    hold = await api.hold(show, unit)
    booking = document(await api.ask("POST", "/v1/bookings", body(hold, method), key=key), 201)
    return await captured(api, str(booking["id"]))


async def captured(api: Api, booking_id: str) -> Json:
    async with asyncio.timeout(20):
        while True:
            booking = await api.get(f"/v1/bookings/{booking_id}")
            if object_of(booking, "payment")["state"] == "captured":
                return booking


@pytest.mark.parametrize("rule", ["at_venue", "none"])
async def test_money_taken_by_hand_is_written_down_whatever_guests_pay_elsewhere(
    api: Api, make_show: MakeShow, connection: Connection, rule: str
) -> None:
    """Without this the drawer had more than the takings said."""
    show = await make_show(price=Price(PRICE, "EUR"), payment=rule)
    booking = await sold(api, show, "A1")
    assert object_of(booking, "payment")["provider"] == "desk"
    takings = await api.get("/v1/desk/takings")
    assert str(PRICE) in str(takings)
    await assert_money_agrees(connection)


def invoices_path(booking: Json) -> str:
    return f"/v1/bookings/{booking['id']}/invoices"


async def issued(api: Api, booking: Json) -> list[Json]:
    answer = document(await api.ask("POST", invoices_path(booking)), 201)
    items = answer["items"]
    assert isinstance(items, list)
    return items


async def refunds_at_desk(api: Api) -> list[Json]:
    page = await api.get("/v1/refunds?state=at_desk")
    assert isinstance(page["items"], list)
    return page["items"]


async def takings(api: Api) -> list[tuple[object, ...]]:
    page = await api.get("/v1/desk/takings")
    assert isinstance(page["items"], list)
    return [
        (one["method"], one["payments"], one["taken"], one["refunds"], one["handed_back"])
        for one in page["items"]
    ]


async def refunder(api: Api) -> None:
    engine = api.service.engine
    await Refunder(engine.payments, engine.refunds).look()


async def test_a_seat_is_sold_for_cash_and_given_back_by_hand(
    api: Api, show: Resource, connection: Connection
) -> None:
    booking = await sold(api, show, "A1")
    payment = object_of(booking, "payment")
    assert (payment["provider"], payment["state"]) == ("desk", "captured")
    await api.ask("DELETE", f"/v1/bookings/{booking['id']}", {"reason": "ill"})
    await refunder(api)
    (waiting,) = await refunds_at_desk(api)
    assert (waiting["state"], waiting["booking_id"]) == ("pending", booking["id"])
    await refunder(api)  # looks again and again, and hands nothing over
    assert await refunds_at_desk(api) == [waiting]
    path = f"/v1/refunds/{waiting['id']}/hand-over"
    for _ in range(2):
        done = document(await api.ask("POST", path), 200)
        assert done["state"] == "refunded"
    assert await refunds_at_desk(api) == []
    after = await api.get(f"/v1/bookings/{booking['id']}")
    assert object_of(after, "payment")["state"] == "refunded"
    assert only_refund(after)["state"] == "refunded"
    assert await takings(api) == [("cash", 1, PRICE, 1, PRICE)]
    await assert_money_agrees(connection)


async def test_a_refund_is_handed_over_before_the_refunder_looked(
    api: Api, show: Resource, connection: Connection
) -> None:
    booking = await sold(api, show, "A1")
    await api.ask("DELETE", f"/v1/bookings/{booking['id']}", {"reason": "ill"})
    refund = only_refund(await api.get(f"/v1/bookings/{booking['id']}"))
    done = document(await api.ask("POST", f"/v1/refunds/{refund['id']}/hand-over"), 200)
    assert done["state"] == "refunded"
    await refunder(api)
    assert await connection.fetchval("select count(*) from bespeak.desk_refund") == 1
    await assert_money_agrees(connection)


async def test_the_process_dies_when_the_money_was_handed_over(
    api: Api, show: Resource, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The desk knows it, the record does not yet: whoever comes next writes it down, once."""
    booking = await sold(api, show, "A1")
    await api.ask("DELETE", f"/v1/bookings/{booking['id']}", {"reason": "ill"})
    refund = only_refund(await api.get(f"/v1/bookings/{booking['id']}"))
    path = f"/v1/refunds/{refund['id']}/hand-over"
    with monkeypatch.context() as dying:
        dying.setattr(api.service.engine.refunds, "settle", AsyncMock(side_effect=RuntimeError))
        assert (await api.ask("POST", path)).status_code == 500
    assert (await api.get(f"/v1/refunds/{refund['id']}"))["state"] == "pending"
    await connection.execute("update bespeak.refund set due_at = bespeak.now()")
    await refunder(api)
    assert (await api.get(f"/v1/refunds/{refund['id']}"))["state"] == "refunded"
    document(await api.ask("POST", path), 200)
    assert await takings(api) == [("cash", 1, PRICE, 1, PRICE)]
    await assert_money_agrees(connection)


async def test_a_shopper_is_not_told_of_the_desk(api: Api, show: Resource) -> None:
    """Else anybody would say that they have paid."""
    hold = document(
        await api.ask(
            "POST", "/v1/holds", {"lines": [line(show, "A1")]}, key="pk",
            Bespeak_Shopper=api.token("asha"),
        ),
        201,
    )  # fmt: skip
    for asked in (body(hold), {**body(hold), "payment_token": "tok_success"}):
        answer = await api.ask(
            "POST", "/v1/bookings", asked, key="pk", Bespeak_Shopper=api.token("asha")
        )
        refused = problem(answer, "provider_unknown")
        assert refused["providers"] == ["sandbox"]
    assert (await api.get(f"/v1/holds/{hold['id']}"))["state"] == "held"


@pytest.mark.parametrize("method", ["seashells", "CASH", "unknown"])
async def test_what_is_no_way_to_pay_is_declined(api: Api, show: Resource, method: str) -> None:
    hold = await api.hold(show, "A1")
    answer = await api.ask("POST", "/v1/bookings", body(hold, method))
    assert problem(answer, "payment_declined")["failure"] == "token_unknown"
    document(await api.ask("POST", "/v1/bookings", body(hold)), 201)


async def test_a_card_is_not_given_back_by_hand(api: Api, show: Resource) -> None:
    hold = await api.hold(show, "A1")
    asked = {"hold_id": hold["id"], "payment_token": "tok_success"}
    booking = document(await api.ask("POST", "/v1/bookings", asked), 201)
    await captured(api, str(booking["id"]))
    await api.ask("DELETE", f"/v1/bookings/{booking['id']}", {"reason": "ill"})
    refund = only_refund(await api.get(f"/v1/bookings/{booking['id']}"))
    answer = await api.ask("POST", f"/v1/refunds/{refund['id']}/hand-over")
    problem(answer, "refund_not_at_desk")
    assert await refunds_at_desk(api) == []


async def test_what_was_given_up_does_not_count(
    api: Api, show: Resource, connection: Connection
) -> None:
    """The hold was gone when the money was told: it is handed back, and not in the drawer."""
    hold = await api.hold(show, "A1")
    await connection.execute("update bespeak.resource set late_payment = 'refund'")
    desk = api.service.engine.payments.providers["desk"]
    real = desk.authorize

    async def late(order: object) -> object:
        await connection.execute(
            "update bespeak.hold set expires_at = bespeak.now() - interval '1 hour'"
        )
        return await real(order)  # type: ignore[arg-type]

    desk.authorize = late  # type: ignore[method-assign, assignment]
    answer = await api.ask("POST", "/v1/bookings", body(hold))
    problem(answer, "money_returned")
    await recover(api.service.engine)
    assert await connection.fetchval("select state from bespeak.desk_payment") == "voided"
    assert await takings(api) == []


async def test_takings_are_by_method_and_person(api: Api, show: Resource) -> None:
    for unit, method in (("A1", "cash"), ("A2", "cash"), ("A3", "card_terminal")):
        await sold(api, show, unit, method)
    await sold(api, show, "A4", "cash", key="ak")
    page = await api.get("/v1/desk/takings")
    found = {(one["method"], one["actor"]): one["taken"] for one in page["items"]}  # type: ignore[attr-defined]
    assert len(found) == 3 and sum(found.values()) == 4 * PRICE
    cash = sorted(taken for (method, _), taken in found.items() if method == "cash")
    assert cash == [PRICE, 2 * PRICE]
    assert await api.get("/v1/desk/takings?to=2020-01-01T00:00:00Z") == {"items": [], "next": None}
    csv = (await api.ask("GET", "/v1/desk/takings?format=csv")).text
    assert "card_terminal" in csv and "15.00" in csv


async def test_the_books_of_the_desk_are_reconciled(
    api: Api, show: Resource, connection: Connection
) -> None:
    await sold(api, show, "A1")
    await sold(api, show, "A2")
    engine = api.service.engine
    now, hour = await connection.fetchval("select bespeak.now()"), timedelta(hours=1)
    desk = engine.payments.providers["desk"]
    report = await reconcile(engine.database, engine.settings, desk, now - hour, now + hour)
    assert (report.ours, report.theirs, report.differences) == (2, 2, [])


async def test_a_server_to_which_no_provider_is_named_has_a_desk_for_its_staff_alone(
    open_api: OpenApi, make_show: MakeShow, connection: Connection
) -> None:
    """The first day: `bespeak serve`, and nobody has set anything."""
    api = await open_api(payment_providers=Settings.read({}).payment_providers)
    show = await make_show(payment="required", price=Price(PRICE, "EUR"))
    first = await api.hold(show, "A1")
    booking = document(await api.ask("POST", "/v1/bookings", body(first), key="sk"), 201)
    assert object_of(booking, "payment")["provider"] == "desk"
    guest = {"key": "pk", "Bespeak_Shopper": api.token("ben")}
    wanted = {"lines": [line(show, "A2")]}
    unpaid = document(await api.ask("POST", "/v1/holds", wanted, **guest), 201)
    for asked in (body(unpaid), {"hold_id": unpaid["id"], "payment_token": "cash"}):
        told = problem(await api.ask("POST", "/v1/bookings", asked, **guest), "provider_unknown")
        assert told["providers"] == [], "guests are not told of it"
    free = await api.ask("POST", "/v1/bookings", {"hold_id": unpaid["id"]}, **guest)
    problem(free, "payment_required")
    session = await api.ask("POST", "/v1/console/session", {"key": api.keys["ak"]}, key=None)
    seen = document(session, 200)
    assert (seen["has_desk"], seen["takes_payments"]) == (True, False)
    await assert_money_agrees(connection)


async def test_without_the_desk_nothing_is_sold_there(
    database_url: str, connection: Connection, make_show: MakeShow
) -> None:
    show = await make_show(payment="required", price=Price(PRICE, "EUR"))
    settings = bespeak.Settings(payment_providers="sandbox", allow_pretend_money=True, pool_max=4)
    async with opened(settings, database_url, connection) as api:
        hold = await api.hold(show, "A1")
        problem(await api.ask("POST", "/v1/bookings", body(hold)), "provider_unknown")
