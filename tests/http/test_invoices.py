"""Invoices over HTTP: issued once for what was paid, with numbers that have no gap, frozen, and
corrected by credit notes.
"""

import pytest

from bespeak import Resource
from bespeak.invoices.audit import invoice_problems
from bespeak.personal_data.erasing import ErasureWorker
from bespeak.pricing.rules import Fee, Pricing, Tax
from bespeak.retention.worker import Retention
from tests.harness.database import Connection
from tests.harness.paying import PRICE, assert_money_agrees, paid_show
from tests.harness.shows import MakeShow
from tests.http.api import SETTINGS, Api, Json, Request, document, problem
from tests.http.conftest import OpenApi
from tests.http.test_desk import captured, invoices_path, issued, refunder, sold
from tests.http.test_refunds import only_refund

TAXED = Pricing(fees=(Fee("Booking fee", amount=100),), taxes=(Tax("VAT", 700, included=True),))


@pytest.fixture
async def api(open_api: OpenApi) -> Api:
    return await open_api(
        payment_providers="sandbox,desk", allow_pretend_money=True, free_sales=False
    )


@pytest.fixture
async def show(make_show: MakeShow) -> Resource:
    return await paid_show(make_show)


def content_of(invoice: Json) -> Json:
    content = invoice["content"]
    assert isinstance(content, dict)
    return content


async def given_back(api: Api, booking: Json, **fields: object) -> None:
    """Cancels, and has the refund made."""
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}", {**fields}), 200)
    refund = only_refund(await api.get(f"/v1/bookings/{booking['id']}"))
    document(await api.ask("POST", f"/v1/refunds/{refund['id']}/hand-over"), 200)


async def test_an_invoice_is_issued_once_and_stays(
    api: Api, show: Resource, connection: Connection
) -> None:
    profile = {"name": "Lantern", "address": "Am Ufer 3\n10999 Berlin", "tax_number": "DE123456789"}
    profile |= {"invoice_prefix": "2026-", "invoice_note": "Small business, no VAT."}
    document(await api.ask("PATCH", "/v1/merchant", profile, key="ak"), 200)
    booking = await sold(api, show, "A1")
    assert (await api.get(invoices_path(booking)))["items"] == []
    (invoice,) = await issued(api, booking)
    assert (invoice["number"], invoice["kind"]) == ("2026-000001", "invoice")
    assert invoice["amount"] == {"amount": PRICE, "currency": "EUR"}
    assert content_of(invoice)["seller"] == {
        "name": "Lantern",
        "address": "Am Ufer 3\n10999 Berlin",
        "tax_number": "DE123456789",
        "note": "Small business, no VAT.",
    }
    lines = content_of(invoice)["lines"]
    assert isinstance(lines, list)
    (line,) = lines
    assert (line["label"], line["detail"], line["amount"]) == ("Show", "Stalls, A1", PRICE)
    document(await api.ask("PATCH", "/v1/merchant", {"name": "Other"}, key="ak"), 200)
    assert await issued(api, booking) == [invoice]
    assert await api.get(f"/v1/invoices/{invoice['id']}") == invoice
    assert (await api.get(invoices_path(booking)))["items"] == [invoice]
    second = await sold(api, show, "A2")
    (other,) = await issued(api, second)
    assert other["number"] == "2026-000002"
    document(await api.ask("PATCH", "/v1/merchant", {"invoice_prefix": "B/"}, key="ak"), 200)
    (third,) = await issued(api, await sold(api, show, "A3"))
    assert third["number"] == "B/000001"
    assert await invoice_problems(connection) == []


async def test_nothing_is_invoiced_that_was_not_paid(api: Api, make_show: MakeShow) -> None:
    free = await make_show()
    booking = await api.booking(free, "A1")
    problem(await api.ask("POST", invoices_path(booking)), "booking_not_paid")


async def test_a_refund_has_a_credit_note_that_names_the_invoice(
    api: Api, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show, pricing=TAXED)
    booking = await sold(api, show, "A1")
    (invoice,) = await issued(api, booking)
    tax = {"label": "VAT", "basis_points": 700, "included": True}
    assert content_of(invoice)["taxes"] == [{**tax, "net": 1495, "tax": 105, "gross": 1600}]
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}", {}), 200)
    assert len(await issued(api, booking)) == 1  # the money is not back yet
    await refunder(api)
    refund = only_refund(await api.get(f"/v1/bookings/{booking['id']}"))
    document(await api.ask("POST", f"/v1/refunds/{refund['id']}/hand-over"), 200)
    for _ in range(2):
        first, note = await issued(api, booking)
    assert first == invoice
    assert (note["kind"], note["corrects"], note["refund_id"]) == (
        "credit_note",
        invoice["id"],
        refund["id"],
    )
    assert note["number"] != invoice["number"]
    assert note["amount"] == {"amount": -1600, "currency": "EUR"}
    assert content_of(note)["taxes"] == [{**tax, "net": -1495, "tax": -105, "gross": -1600}]
    assert await invoice_problems(connection) == []
    await assert_money_agrees(connection)


async def test_who_it_is_for_is_said_before(api: Api, show: Resource) -> None:
    booking = await sold(api, show, "A1")
    path = f"/v1/bookings/{booking['id']}/billing"
    assert await api.get(path) == {}
    said = {"company": "Brücke GmbH", "address": "Kai 1\n20457 Hamburg", "tax_number": "DE1"}
    said["tax_number"] = "DE999999999"
    assert document(await api.ask("PUT", path, said), 200) == said
    assert await api.get(path) == said
    (invoice,) = await issued(api, booking)
    assert invoice["buyer"] == said
    document(await api.ask("PUT", path, said), 200)
    problem(await api.ask("PUT", path, {"company": "Other"}), "invoice_issued")
    assert await issued(api, booking) == [invoice]


async def test_the_documents(api: Api, show: Resource) -> None:
    booking = await sold(api, show, "A1")
    (invoice,) = await issued(api, booking)
    await given_back(api, booking)
    _, note = await issued(api, booking)
    for one in (invoice, note):
        for path in (f"/v1/invoices/{one['id']}", f"{invoices_path(booking)}/{one['id']}"):
            for language in ("en", "de", "ar"):
                answer = await api.ask("GET", f"{path}/document.pdf?lang={language}")
                assert answer.status_code == 200
                assert answer.headers["content-type"] == "application/pdf"
                assert answer.headers["cache-control"] == "private, no-store"
                assert answer.content.startswith(b"%PDF-")
    other = await sold(api, show, "A2")
    answer = await api.ask("GET", f"{invoices_path(other)}/{invoice['id']}/document.pdf")
    problem(answer, "invoice_not_found")


async def test_a_shopper_has_the_invoice_of_their_own(api: Api, show: Resource) -> None:
    booking = await sold(api, show, "A1")
    owner = str(booking["owner"])
    for name, status in ((owner, 201), ("ben", 403)):
        headers = {"Bespeak-Shopper": api.token(name)}
        asked = Request("POST", invoices_path(booking), None, "pk", headers)
        assert (await api.send(asked)).status_code == status


async def test_the_accountant_has_all_of_a_time(
    api: Api, show: Resource, connection: Connection
) -> None:
    one, two = await sold(api, show, "A1"), await sold(api, show, "A2")
    await given_back(api, two)
    await issued(api, one)
    assert len(await listed(api, "")) == 1
    asked = {"from": "2020-01-01T00:00:00Z"}
    done = document(await api.ask("POST", "/v1/invoices", asked), 200)
    assert done == {"bookings": 1, "complete": True}
    again = document(await api.ask("POST", "/v1/invoices", asked), 200)
    assert again == {"bookings": 0, "complete": True}
    first, second, third = await listed(api, "")
    assert [one["kind"] for one in (first, second, third)] == ["invoice", "invoice", "credit_note"]
    page = await api.get("/v1/invoices?limit=2")
    assert page["items"] == [first, second]
    assert (await api.get(f"/v1/invoices?limit=2&after={page['next']}"))["items"] == [third]
    assert await listed(api, "?to=2020-01-01T00:00:00Z") == []
    answer = await api.ask("GET", "/v1/invoices?format=csv")
    rows = answer.content.decode("utf-8-sig").splitlines()
    assert len(rows) == 4
    assert rows[1].startswith(f"{first['number']},invoice,")
    assert await invoice_problems(connection) == []


async def listed(api: Api, query: str) -> list[Json]:
    items = (await api.get(f"/v1/invoices{query}"))["items"]
    assert isinstance(items, list)
    return items


async def test_an_erasure_leaves_what_the_law_wants_kept(
    api: Api, show: Resource, connection: Connection
) -> None:
    """The address of e-mail goes at once, and what was said for an invoice that was never issued;
    the name when the term is over."""
    hold = await api.hold(show, "A1", owner="asha")
    contact = {"email": "asha@example.com", "name": "Asha Rao"}
    paid = {"hold_id": hold["id"], "payment_token": "cash", "provider": "desk", "contact": contact}
    booking = document(await api.ask("POST", "/v1/bookings", paid), 201)
    await captured(api, str(booking["id"]))
    (invoice,) = await issued(api, booking)
    assert invoice["buyer"] == contact
    other = await sold(api, show, "A2")
    document(
        await api.ask("PUT", f"/v1/bookings/{other['id']}/billing", {"company": "Brücke"}), 200
    )
    known = await api.ask("GET", "/v1/personal-data?owner=asha")
    assert "Brücke" in known.text
    assert str(invoice["id"]) in known.text
    erasing = {"owner": "asha", "including_upcoming": True}
    await api.ask("POST", "/v1/erasures", erasing)
    await ErasureWorker(api.service.engine.database, api.service.engine.ready_resources).look()
    after = await api.get(f"/v1/invoices/{invoice['id']}")
    assert after["buyer"] == {"name": "Asha Rao"}
    assert await connection.fetchval("select count(*) from bespeak.billing") == 0
    retention = Retention(api.service.engine.database.pool, SETTINGS)
    await retention.finish()
    assert (await api.get(f"/v1/invoices/{invoice['id']}"))["buyer"] is not None
    await connection.execute("update bespeak.invoice_buyer set keep_until = bespeak.now()")
    await retention.finish()
    assert (await api.get(f"/v1/invoices/{invoice['id']}"))["buyer"] is None
    assert await invoice_problems(connection) == []


async def test_control_the_audit_sees_a_gap(
    api: Api, show: Resource, connection: Connection
) -> None:
    for unit in ("A1", "A2", "A3"):
        await issued(api, await sold(api, show, unit))
    await connection.execute(
        "delete from bespeak.invoice_buyer; delete from bespeak.invoice where place = 2"
    )
    (found,) = await invoice_problems(connection)
    assert (found.problem, found.number[-6:]) == ("number_missing", "000002")
    await connection.execute("update bespeak.invoice set amount = 1 where place = 3")
    assert {one.problem for one in await invoice_problems(connection)} == {
        "number_missing",
        "invoice_differs",
    }
