"""How each refusal of the calls about tickets and check-ins comes about."""

from bespeak import Resource
from bespeak.ticketing.codes import read, sign
from bespeak.ticketing.keys import TicketKeys, new_key
from tests.http.api import Json, Request, document, line
from tests.http.scenarios import CANCEL, NO_BOOKING, NO_HOLD, NO_RESOURCE, Stage, refuses

TICKETS = "GET /v1/bookings/{booking_id}/tickets"
PDF = "GET /v1/bookings/{booking_id}/tickets.pdf"
QR_CODE = "GET /v1/bookings/{booking_id}/tickets/{index}.svg"
CALENDAR = "GET /v1/bookings/{booking_id}/calendar.ics"
CHECK_IN = "POST /v1/check-ins"
CHECK_INS = "GET /v1/resources/{resource_id}/check-ins"


def asked(endpoint: str, booking_id: object, index: object = 1, **headers: str) -> Request:
    """The request that reads something of a booking's tickets."""
    path = endpoint.removeprefix("GET ").replace("{booking_id}", str(booking_id))
    return Request("GET", path.replace("{index}", str(index)), headers=headers)


def checking(code: object, **fields: object) -> Request:
    """The request that checks a ticket in."""
    return Request("POST", "/v1/check-ins", {"code": code, "gate": "North", **fields})


async def codes(stage: Stage, *units: str, of: Resource | None = None) -> tuple[Json, list[object]]:
    """A booking of units, and the codes of its tickets."""
    booking = await stage.api.booking(of or stage.show, *units)
    page = await stage.api.get(f"/v1/bookings/{booking['id']}/tickets")
    items = page["items"]
    assert isinstance(items, list)
    return booking, [item["code"] for item in items]


for each in (TICKETS, PDF, QR_CODE, CALENDAR):

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


@refuses(PDF, "ticket_not_found", count=1)
async def beyond_the_last_page(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return Request("GET", f"/v1/bookings/{booking['id']}/tickets.pdf?after=1")


@refuses(QR_CODE, "ticket_not_found", count=1)
async def no_such_ticket(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return asked(QR_CODE, booking["id"], 2)


@refuses(QR_CODE, "ticket_not_found", count=1)
async def the_ticket_before_the_first(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return asked(QR_CODE, booking["id"], 0)


@refuses(QR_CODE, "invalid_request", field="index")
async def an_index_of_letters(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return asked(QR_CODE, booking["id"], "one")


@refuses(QR_CODE, "invalid_request", field="index")
async def an_endless_index(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return asked(QR_CODE, booking["id"], "1" * 5000)


for each in (PDF, QR_CODE):

    @refuses(each, "ticket_cancelled")
    async def of_a_cancelled_booking(stage: Stage, endpoint: str = each) -> Request:
        booking = await stage.api.booking(stage.show, "A1")
        document(await stage.api.ask("DELETE", f"/v1/bookings/{booking['id']}"), 200)
        return asked(endpoint, booking["id"])


@refuses(CHECK_IN, "ticket_code_invalid")
async def no_code(_stage: Stage) -> Request:
    return checking("https://example.org/win")


@refuses(CHECK_IN, "ticket_code_invalid")
async def the_code_of_another_installation(stage: Stage) -> Request:

    _, (code,) = await codes(stage, "A1")
    keys = await stage.api.service.tickets._keys.current()
    return checking(sign(read(str(code), keys), TicketKeys({1: new_key()})))


@refuses(CHECK_IN, "wrong_resource", unit="A1")
async def at_the_gate_of_another_show(stage: Stage) -> Request:
    _, (code,) = await codes(stage, "A1")
    return checking(code, resource_id=(await stage.make_show()).id)


@refuses(CHECK_IN, "invalid_id", kind="res")
async def at_the_gate_of_no_resource(stage: Stage) -> Request:
    _, (code,) = await codes(stage, "A1")
    return checking(code, resource_id="show-1")


@refuses(CHECK_IN, "already_checked_in", gate="South")
async def a_second_time(stage: Stage) -> Request:
    _, (code,) = await codes(stage, "A1")
    document(await stage.api.send(checking(code, gate="South")), 201)
    return checking(code)


@refuses(CHECK_IN, "ticket_cancelled")
async def a_ticket_that_was_given_back(stage: Stage) -> Request:
    booking, (code, _) = await codes(stage, "A1", "A2")
    body = {"lines": [line(stage.show, "A1")]}
    document(await stage.api.ask("DELETE", f"/v1/bookings/{booking['id']}", body), 200)
    return checking(code)


@refuses(CANCEL, "ticket_used")
async def a_booking_that_let_somebody_in(stage: Stage) -> Request:
    booking, (code, _) = await codes(stage, "A1", "A2")
    document(await stage.api.send(checking(code)), 201)
    headers = {"Bespeak-Shopper": stage.api.token("asha")}
    return Request("DELETE", f"/v1/bookings/{booking['id']}", None, "pk", headers)


@refuses(CHECK_IN, "invalid_request", field="scanned_at")
async def a_time_without_an_offset(stage: Stage) -> Request:
    _, (code,) = await codes(stage, "A1")
    return checking(code, scanned_at="2030-01-01T12:00:00")


@refuses(CHECK_IN, "invalid_request", field="scanned_at")
async def a_time_before_all_scans(stage: Stage) -> Request:
    _, (code,) = await codes(stage, "A1")
    return checking(code, scanned_at="0001-01-01T00:00:00Z")


@refuses(CHECK_IN, "invalid_request", field="gate")
async def a_gate_of_two_lines(stage: Stage) -> Request:
    _, (code,) = await codes(stage, "A1")
    return checking(code, gate="North\nSouth")


@refuses(CHECK_IN, "idempotency_key_reused", fields=["gate"])
async def a_key_at_another_gate(stage: Stage) -> Request:
    _, (code,) = await codes(stage, "A1")
    headers = {"Idempotency-Key": "scan-1"}
    first = checking(code, gate="South")
    document(await stage.api.send(Request("POST", first.path, first.body, headers=headers)), 201)
    again = checking(code)
    return Request("POST", again.path, again.body, headers=headers)


@refuses(CHECK_INS, "invalid_id", kind="res")
async def who_is_in_nothing(_stage: Stage) -> Request:
    return Request("GET", "/v1/resources/show-1/check-ins")


@refuses(CHECK_INS, "resource_not_found", resource_id=NO_RESOURCE)
async def who_is_in_no_resource(_stage: Stage) -> Request:
    return Request("GET", f"/v1/resources/{NO_RESOURCE}/check-ins")


@refuses(CHECK_INS, "invalid_cursor")
async def after_something_else(stage: Stage) -> Request:
    return Request("GET", f"/v1/resources/{stage.show.id}/check-ins?after=A1")
