"""How the calls about who a booking is for refuse."""

from tests.http.api import Request
from tests.http.scenarios import NO_BOOKING, Stage, refuses

READ = "GET /v1/bookings/{booking_id}/contact"
CHANGE = "PUT /v1/bookings/{booking_id}/contact"
BEN: dict[str, object] = {"contact": {"name": "Ben", "phone": "+49 170 1234567"}}


@refuses(READ, "invalid_id")
async def the_contact_of_what_is_no_booking(stage: Stage) -> Request:
    return Request("GET", "/v1/bookings/nothing/contact")


@refuses(READ, "booking_not_found")
async def the_contact_of_a_booking_that_there_is_not(stage: Stage) -> Request:
    return Request("GET", f"/v1/bookings/{NO_BOOKING}/contact")


@refuses(CHANGE, "invalid_id")
async def a_contact_for_what_is_no_booking(stage: Stage) -> Request:
    return Request("PUT", "/v1/bookings/nothing/contact", BEN)


@refuses(CHANGE, "booking_not_found")
async def a_contact_for_a_booking_that_there_is_not(stage: Stage) -> Request:
    return Request("PUT", f"/v1/bookings/{NO_BOOKING}/contact", BEN)


@refuses(CHANGE, "invalid_request", field="contact")
async def a_contact_that_is_nobody(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    path = f"/v1/bookings/{booking['id']}/contact"
    return Request("PUT", path, {"contact": {"locale": "de"}})


@refuses(CHANGE, "version_mismatch", version=0)
async def a_contact_for_a_version_that_there_is_not(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    path = f"/v1/bookings/{booking['id']}/contact"
    return Request("PUT", path, {**BEN, "version": 7})
