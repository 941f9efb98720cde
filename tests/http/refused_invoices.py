"""How the calls about invoices refuse."""

from tests.http.api import Request
from tests.http.refused_payments import paid_show
from tests.http.scenarios import NO_BOOKING, NO_HOLD, NO_INVOICE, Stage, refuses
from tests.http.test_refunds import booked

ISSUE = "POST /v1/bookings/{booking_id}/invoices"
LIST = "GET /v1/bookings/{booking_id}/invoices"
OWN_PDF = "GET /v1/bookings/{booking_id}/invoices/{invoice_id}/document.pdf"
BILLING = "GET /v1/bookings/{booking_id}/billing"
SET_BILLING = "PUT /v1/bookings/{booking_id}/billing"
READ = "GET /v1/invoices/{invoice_id}"
PDF = "GET /v1/invoices/{invoice_id}/document.pdf"
ALL = "GET /v1/invoices"
OUTSTANDING = "POST /v1/invoices"


def asked(endpoint: str, booking_id: object, **headers: str) -> Request:
    method, path = endpoint.split(" ")
    path = path.replace("{booking_id}", str(booking_id)).replace("{invoice_id}", NO_INVOICE)
    body = {"company": "Brücke GmbH"} if method == "PUT" else None
    return Request(method, path, body, headers=headers)


for each in (ISSUE, LIST, OWN_PDF, BILLING, SET_BILLING):

    @refuses(each, "invalid_id", kind="bkg")
    async def the_id_of_a_hold(_stage: Stage, endpoint: str = each) -> Request:
        return asked(endpoint, NO_HOLD)

    @refuses(each, "booking_not_found")
    async def no_such_booking(_stage: Stage, endpoint: str = each) -> Request:
        return asked(endpoint, NO_BOOKING)

    @refuses(each, "not_owner")
    async def of_another_owner(stage: Stage, endpoint: str = each) -> Request:
        booking = await stage.api.booking(stage.show, "A1")
        return asked(endpoint, booking["id"], **{"Bespeak-Owner": "ben"})


@refuses(ISSUE, "booking_not_paid")
async def of_what_cost_nothing(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return asked(ISSUE, booking["id"])


@refuses(OWN_PDF, "invoice_not_found")
async def an_invoice_that_the_booking_has_not(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return asked(OWN_PDF, booking["id"])


@refuses(SET_BILLING, "invoice_issued")
async def when_the_invoice_is_issued(stage: Stage) -> Request:
    booking = await booked(stage.api, await paid_show(stage), "floor 1")
    await stage.api.ask("POST", f"/v1/bookings/{booking['id']}/invoices")
    return asked(SET_BILLING, booking["id"])


for each in (READ, PDF):

    @refuses(each, "invalid_id", kind="inv")
    async def the_id_of_a_booking(_stage: Stage, endpoint: str = each) -> Request:
        path = endpoint.removeprefix("GET ").replace("{invoice_id}", NO_BOOKING)
        return Request("GET", path)

    @refuses(each, "invoice_not_found")
    async def no_such_invoice(_stage: Stage, endpoint: str = each) -> Request:
        return asked(endpoint, NO_BOOKING)


@refuses(ALL, "invalid_cursor")
async def after_something_else(_stage: Stage) -> Request:
    return Request("GET", "/v1/invoices?after=2026-000001")


@refuses(ALL, "invalid_request", field="to")
async def a_time_that_ends_before_it_begins(_stage: Stage) -> Request:
    return Request("GET", "/v1/invoices?from=2030-01-02T00:00:00Z&to=2030-01-01T00:00:00Z")


@refuses(OUTSTANDING, "invalid_request", field="to")
async def outstanding_of_no_time(_stage: Stage) -> Request:
    body = {"from": "2030-01-02T00:00:00Z", "to": "2030-01-01T00:00:00Z"}
    return Request("POST", "/v1/invoices", body)
