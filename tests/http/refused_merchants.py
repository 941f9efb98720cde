"""How the calls about the merchant refuse."""

from tests.http.api import Request, document
from tests.http.scenarios import CONFIRM, NO_BOOKING, Stage, refuses

CHANGE = "PATCH /v1/merchant"
SET_LOGO = "PUT /v1/merchant/logo"
LOGO = "GET /v1/merchant/logos/{digest}"


@refuses(CHANGE, "version_mismatch", version=0)
async def a_change_of_a_version_that_there_is_not(stage: Stage) -> Request:
    return Request("PATCH", "/v1/merchant", {"name": "x", "version": 7}, key="ak")


@refuses(CHANGE, "colour_illegible", field="accent")
async def a_colour_that_nobody_can_read(stage: Stage) -> Request:
    return Request("PATCH", "/v1/merchant", {"accent": "#ffff00"}, key="ak")


@refuses(SET_LOGO, "logo_invalid", reason="unknown_format")
async def a_logo_that_is_no_picture(stage: Stage) -> Request:
    return Request("PUT", "/v1/merchant/logo", {"picture": "aGVsbG8="}, key="ak")


@refuses(LOGO, "logo_not_found")
async def a_logo_that_nobody_sent(stage: Stage) -> Request:
    return Request("GET", f"/v1/merchant/logos/{'0' * 32}.png", key=None)


@refuses(CONFIRM, "consent_required")
async def a_booking_of_a_shopper_who_accepted_nothing(stage: Stage) -> Request:
    terms = {"terms": {"texts": {"en": "We sell tickets."}}}
    document(await stage.api.ask("PATCH", "/v1/merchant", terms, key="ak"), 200)
    hold = await stage.api.hold(stage.show, "A1")
    shopper = {"Bespeak-Shopper": stage.api.token()}
    return Request("POST", "/v1/bookings", {"hold_id": hold["id"]}, "pk", shopper)


@refuses("GET /v1/merchant/terms/{digest}", "terms_not_found")
async def terms_that_nobody_said(stage: Stage) -> Request:
    return Request("GET", f"/v1/merchant/terms/{'0' * 32}", key=None)


CONSENTS = "GET /v1/bookings/{booking_id}/consents"


@refuses(CONSENTS, "invalid_id")
async def consents_of_what_is_no_booking(stage: Stage) -> Request:
    return Request("GET", "/v1/bookings/nothing/consents")


@refuses(CONSENTS, "booking_not_found")
async def consents_of_a_booking_that_there_is_not(stage: Stage) -> Request:
    return Request("GET", f"/v1/bookings/{NO_BOOKING}/consents")


@refuses(CONSENTS, "not_owner")
async def consents_of_anothers_booking(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1", owner="bela")
    shopper = {"Bespeak-Shopper": stage.api.token()}
    return Request("GET", f"/v1/bookings/{booking['id']}/consents", None, "pk", shopper)
