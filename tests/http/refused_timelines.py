"""How the calls that tell a timeline refuse."""

from tests.http.api import Request
from tests.http.scenarios import NO_BOOKING, NO_HOLD, Stage, refuses

HELD = "GET /v1/holds/{hold_id}/timeline"
BOOKED = "GET /v1/bookings/{booking_id}/timeline"


@refuses(HELD, "invalid_id")
async def the_timeline_of_a_booking_for_a_hold(stage: Stage) -> Request:
    return Request("GET", f"/v1/holds/{NO_BOOKING}/timeline")


@refuses(HELD, "hold_not_found")
async def the_timeline_of_no_hold(stage: Stage) -> Request:
    return Request("GET", f"/v1/holds/{NO_HOLD}/timeline")


@refuses(HELD, "not_owner")
async def the_timeline_of_anothers_hold(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1", owner="ben")
    headers = {"Bespeak-Shopper": stage.api.token("asha")}
    return Request("GET", f"/v1/holds/{hold['id']}/timeline", None, "pk", headers)


@refuses(BOOKED, "invalid_id", kind="bkg")
async def the_timeline_of_a_hold_for_a_booking(stage: Stage) -> Request:
    return Request("GET", f"/v1/bookings/{NO_HOLD}/timeline")


@refuses(BOOKED, "booking_not_found")
async def the_timeline_of_no_booking(stage: Stage) -> Request:
    return Request("GET", f"/v1/bookings/{NO_BOOKING}/timeline")


@refuses(BOOKED, "booking_not_found")
async def the_timeline_of_a_booking_that_is_a_hold(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1")
    booking_id = str(hold["id"]).replace("hold_", "bkg_")
    return Request("GET", f"/v1/bookings/{booking_id}/timeline")


@refuses(BOOKED, "not_owner")
async def the_timeline_of_anothers_booking(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1", owner="ben")
    made = await stage.api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]})
    path = f"/v1/bookings/{made.json()['id']}/timeline"
    return Request("GET", path, headers={"Bespeak-Owner": "asha"})
