"""How each refusal of the calls about calendars comes about."""

from bespeak import Resource
from bespeak.http.server.calendar_links import CalendarView
from bespeak.inventory.shapes.nights.plan import NightsPlan
from tests.harness.icalendar_files import calendar, days
from tests.http.api import Json, Request
from tests.http.scenarios import NO_RESOURCE, Stage, refuses

FEED = "GET /v1/resources/{resource_id}/calendar.ics"
LINK = "POST /v1/resources/{resource_id}/calendar-links"
IMPORT = "PUT /v1/resources/{resource_id}/calendar"

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
    token, _ = stage.api.service.calendar_links.make(stage.show.id, CalendarView(False, []), -1)
    return _feed(stage.show, token)


@refuses(FEED, "calendar_link_invalid")
async def a_link_to_another_resource(stage: Stage) -> Request:
    token, _ = stage.api.service.calendar_links.make(NO_RESOURCE, CalendarView(False, []), None)
    return _feed(stage.show, token)


@refuses(FEED, "calendar_link_invalid")
async def a_shopper_token_as_a_link(stage: Stage) -> Request:
    return _feed(stage.show, stage.api.token(stage.show.id))


@refuses(FEED, "key_missing")
async def neither_key_nor_link(stage: Stage) -> Request:
    return Request("GET", f"/v1/resources/{stage.show.id}/calendar.ics?details=true", key=None)


@refuses(FEED, "invalid_request", field="query")
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
