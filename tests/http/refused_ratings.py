"""How each refusal of rating a stay comes about."""

from datetime import timedelta

from tests.harness.clock import START
from tests.http.api import Json, Request, document
from tests.http.scenarios import NO_BOOKING, NO_HOLD, Stage, refuses
from tests.http.stays import PROPERTIES, made_listing, made_property

RATE, READ = "POST /v1/bookings/{booking_id}/rating", "GET /v1/bookings/{booking_id}/rating"
HIDE = "PATCH /v1/stays/ratings/{booking_id}"
COMMENTS = f"GET {PROPERTIES}/{{property_id}}/comments"
_RATING: Json = {"rating": 8}
_ARRIVAL, _DEPARTURE = ((START.date() + timedelta(days=days)).isoformat() for days in (30, 31))


async def _booked(stage: Stage) -> str:
    """A booking of a stay to come; its path."""
    house = await made_property(stage.api, ref=None)
    listing = await made_listing(stage.api, house, ref=None)
    line = {"resource_id": listing["id"], "from": _ARRIVAL, "to": _DEPARTURE}
    body: Json = {"owner": "ben", "lines": [line]}
    hold = document(await stage.api.ask("POST", "/v1/holds", body), 201)
    made = await stage.api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]})
    return f"/v1/bookings/{document(made, 201)['id']}/rating"


for _call, _body in ((RATE, _RATING), (READ, None)):
    _method = _call.partition(" ")[0]

    @refuses(_call, "invalid_id", kind="bkg")
    async def the_rating_of_a_hold(
        stage: Stage, method: str = _method, body: Json | None = _body
    ) -> Request:
        return Request(method, f"/v1/bookings/{NO_HOLD}/rating", body)

    @refuses(_call, "booking_not_found")
    async def the_rating_of_no_booking(
        stage: Stage, method: str = _method, body: Json | None = _body
    ) -> Request:
        return Request(method, f"/v1/bookings/{NO_BOOKING}/rating", body)

    @refuses(_call, "not_owner")
    async def the_rating_of_anothers_booking(
        stage: Stage, method: str = _method, body: Json | None = _body
    ) -> Request:
        headers = {"Bespeak-Shopper": stage.api.token("asha")}
        return Request(method, await _booked(stage), body, "pk", headers)


@refuses(RATE, "rating_not_open", reason="not_over", opens_on=_DEPARTURE)
async def a_rating_before_the_stay(stage: Stage) -> Request:
    return Request("POST", await _booked(stage), _RATING)


@refuses(RATE, "rating_not_open", reason="no_stay")
async def a_rating_of_a_seat(stage: Stage) -> Request:
    booking: Json = await stage.api.booking(stage.show, "A1")
    return Request("POST", f"/v1/bookings/{booking['id']}/rating", _RATING)


@refuses(READ, "rating_not_found")
async def what_nobody_said(stage: Stage) -> Request:
    return Request("GET", await _booked(stage))


@refuses(HIDE, "rating_not_found")
async def a_comment_that_nobody_wrote(stage: Stage) -> Request:
    return Request("PATCH", f"/v1/stays/ratings/{NO_BOOKING}", {"hidden": True}, "ak")


@refuses(HIDE, "invalid_id", kind="bkg")
async def a_comment_of_a_hold(stage: Stage) -> Request:
    return Request("PATCH", f"/v1/stays/ratings/{NO_HOLD}", {"hidden": True}, "ak")


@refuses(COMMENTS, "invalid_id", kind="prp")
async def comments_of_no_id(stage: Stage) -> Request:
    return Request("GET", f"{PROPERTIES}/p-1/comments", key="pk")


@refuses(COMMENTS, "property_not_found")
async def comments_of_no_property(stage: Stage) -> Request:
    return Request("GET", f"{PROPERTIES}/prp_000000000000/comments", key="pk")


@refuses(COMMENTS, "invalid_cursor")
async def comments_behind_no_cursor(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=None)
    return Request("GET", f"{PROPERTIES}/{house['id']}/comments?after=x", key="pk")
