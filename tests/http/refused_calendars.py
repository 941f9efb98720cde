"""How each refusal of the calls about calendars comes about."""

from bespeak import Resource
from bespeak.http.server.calendar_links import CalendarView
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.signed_tokens import TokenSigner
from tests.harness.icalendar_files import calendar, days
from tests.http.api import Json, Request
from tests.http.scenarios import NO_RESOURCE, Stage, refuses

FEED = "GET /v1/resources/{resource_id}/calendar.ics"
LINK = "POST /v1/resources/{resource_id}/calendar-links"
IMPORT = "PUT /v1/resources/{resource_id}/calendar"
LISTED = "GET /v1/calendar-links"
REVOKED = "DELETE /v1/resources/{resource_id}/calendar-links/{link_id}"

BODIES: dict[str, object] = {
    FEED: None,
    LINK: {},
    IMPORT: {"name": "airbnb", "calendar": calendar().decode()},
}


async def room(stage: Stage) -> Resource:
    """A resource that can have a calendar."""
    return await stage.make_show(name="Room", plan=NightsPlan(rooms=("101",)))


def put(of: Resource, *events: str, **fields: object) -> Request:
    """The request that imports a calendar."""
    body: Json = {"name": "airbnb", "calendar": calendar(*events).decode(), **fields}
    return Request("PUT", f"/v1/resources/{of.id}/calendar", body, "ak")


def _for_each(*endpoints: str) -> None:
    for endpoint in endpoints:
        method, path = endpoint.split()

        @refuses(endpoint, "invalid_id", kind="res")
        async def not_an_id(
            stage: Stage, method: str = method, path: str = path, body: object = BODIES[endpoint]
        ) -> Request:
            return Request(method, path.replace("{resource_id}", "show-1"), body, "ak")

        @refuses(endpoint, "resource_not_found", resource_id=NO_RESOURCE)
        async def no_such_resource(
            stage: Stage, method: str = method, path: str = path, body: object = BODIES[endpoint]
        ) -> Request:
            return Request(method, path.replace("{resource_id}", NO_RESOURCE), body, "ak")


_for_each(FEED, LINK, IMPORT)


async def _link(stage: Stage, resource_id: str, seconds: int | None = None) -> tuple[str, str]:
    """A token of a new link, and the link's id."""
    links = stage.api.service.calendar_links
    token, link = await links.make(resource_id, CalendarView(False, []), None, seconds)
    return token, link.id


def _feed(of: Resource, token: str) -> Request:
    return Request("GET", f"/v1/resources/{of.id}/calendar.ics?token={token}", key=None)


@refuses(FEED, "calendar_link_invalid")
async def a_forged_link(stage: Stage) -> Request:
    return _feed(stage.show, "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.")


@refuses(FEED, "calendar_link_invalid")
async def a_link_without_a_token(stage: Stage) -> Request:
    return _feed(stage.show, "")


@refuses(FEED, "calendar_link_invalid")
async def a_link_that_is_too_long(stage: Stage) -> Request:
    return _feed(stage.show, "x" * 5000)


@refuses(FEED, "calendar_link_invalid")
async def a_link_that_is_over(stage: Stage) -> Request:
    token, _ = await _link(stage, stage.show.id, -1)
    return _feed(stage.show, token)


@refuses(FEED, "calendar_link_invalid")
async def a_link_to_another_resource(stage: Stage) -> Request:
    token, _ = await _link(stage, NO_RESOURCE)
    return _feed(stage.show, token)


@refuses(FEED, "calendar_link_invalid")
async def a_link_that_was_revoked(stage: Stage) -> Request:
    token, link_id = await _link(stage, stage.show.id)
    await stage.api.ask("DELETE", f"/v1/resources/{stage.show.id}/calendar-links/{link_id}")
    return _feed(stage.show, token)


@refuses(FEED, "calendar_link_invalid")
async def a_link_from_before_links_had_ids(stage: Stage) -> Request:
    signer = TokenSigner(b"x" * 32, "sub", iss="bespeak/calendars", aud="calendar")
    signer._key = stage.api.service.calendar_links._signer._key
    return _feed(stage.show, signer.make(sub=stage.show.id, details=False, without=[]))


@refuses(LINK, "calendar_links_full", limit=100)
async def more_links_than_a_calendar_may_have(stage: Stage) -> Request:
    show = await stage.make_show()
    await _link(stage, show.id, -1)  # it does not count
    for _ in range(100):
        await _link(stage, show.id)
    return Request("POST", f"/v1/resources/{show.id}/calendar-links", {})


@refuses(LINK, "invalid_request", field="name")
async def a_link_with_a_name_that_no_page_can_show(stage: Stage) -> Request:
    return Request("POST", f"/v1/resources/{stage.show.id}/calendar-links", {"name": "a\x00b"})


@refuses(LISTED, "invalid_id", kind="res")
async def the_links_of_no_resource_that_could_be(stage: Stage) -> Request:
    return Request("GET", "/v1/calendar-links?resource_id=show_7")


@refuses(LISTED, "invalid_cursor")
async def the_links_after_nonsense(stage: Stage) -> Request:
    return Request("GET", "/v1/calendar-links?after=yesterday")


@refuses(REVOKED, "invalid_id", kind="res")
async def a_link_of_no_resource_that_could_be(stage: Stage) -> Request:
    return Request("DELETE", "/v1/resources/show_7/calendar-links/cal_1")


@refuses(REVOKED, "calendar_link_not_found")
async def a_link_that_nobody_made(stage: Stage) -> Request:
    return Request("DELETE", f"/v1/resources/{stage.show.id}/calendar-links/cal_1")


@refuses(REVOKED, "calendar_link_not_found")
async def a_link_that_no_database_takes(stage: Stage) -> Request:
    return Request("DELETE", f"/v1/resources/{stage.show.id}/calendar-links/a%00b")


@refuses(REVOKED, "calendar_link_not_found")
async def a_link_of_another_resource(stage: Stage) -> Request:
    other = await stage.make_show()
    _, link_id = await _link(stage, other.id)
    return Request("DELETE", f"/v1/resources/{stage.show.id}/calendar-links/{link_id}")


@refuses(FEED, "calendar_link_invalid")
async def a_shopper_token_as_a_link(stage: Stage) -> Request:
    return _feed(stage.show, stage.api.token(stage.show.id))


@refuses(FEED, "key_missing")
async def neither_key_nor_link(stage: Stage) -> Request:
    return Request("GET", f"/v1/resources/{stage.show.id}/calendar.ics?details=true", key=None)


@refuses(FEED, "invalid_request", field="without")
async def a_name_that_no_calendar_can_have(stage: Stage) -> Request:
    return Request("GET", f"/v1/resources/{stage.show.id}/calendar.ics?without=a:b", key="sk")


@refuses(IMPORT, "unknown_unit", unit="102")
async def of_a_room_that_is_none(stage: Stage) -> Request:
    return put(await room(stage), days("a", "2030-01-05", "2030-01-06"), unit="102")


@refuses(IMPORT, "invalid_request", field="plan")
async def into_a_plan_without_dates(stage: Stage) -> Request:
    return put(stage.show)


@refuses(IMPORT, "invalid_request", field="calendar", line=4, uid="a")
async def a_broken_event(stage: Stage) -> Request:
    return put(await room(stage), "UID:a\nDTSTART:nonsense")


@refuses(IMPORT, "invalid_request", field="calendar", line=1)
async def no_calendar_at_all(stage: Stage) -> Request:
    return put(await room(stage), calendar="<html>")


@refuses(IMPORT, "invalid_request", field="name")
async def a_name_with_a_colon(stage: Stage) -> Request:
    return put(await room(stage), name="a:b")


@refuses(IMPORT, "invalid_request", field="unit")
async def one_name_for_two_rooms(stage: Stage) -> Request:
    house = await stage.make_show(name="House", plan=NightsPlan(rooms=("101", "102")))
    first = put(house, days("a", "2030-01-05", "2030-01-06"), unit="101")
    assert (await stage.api.send(first)).status_code == 200
    return put(house, unit="102")
