"""Calendars over HTTP: the feed by key and by link, and an import by the operator."""

from datetime import datetime, timedelta
from typing import cast

import httpx
import pytest

from bespeak import Resource
from bespeak.inventory import resources
from bespeak.inventory.shapes.nights.plan import NightsPlan
from tests.harness.clock import Clock
from tests.harness.icalendar_files import days
from tests.harness.shows import new_show
from tests.http.api import Api, Json, document, problem
from tests.http.conftest import OpenApi
from tests.http.refused_calendars import put


@pytest.fixture
async def room(api: Api, moved_clock: Clock) -> Resource:
    """A room with a booking of asha's, from the sixth until before the eighth of January 2030."""
    made = await resources.create(
        api.connection, new_show(name="Room", plan=NightsPlan(rooms=("101",)))
    )
    line = {"resource_id": made.id, "from": "2030-01-06", "to": "2030-01-08"}
    hold = document(await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": [line]}), 201)
    document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    return made


def path(of: Resource) -> str:
    return f"/v1/resources/{of.id}/calendar.ics"


async def link(api: Api, of: Resource, **fields: object) -> Json:
    answer = await api.ask("POST", f"/v1/resources/{of.id}/calendar-links", fields)
    return document(answer, 201)


def feed(answer: httpx.Response) -> str:
    """The text of a feed that must be there."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert answer.text.startswith("BEGIN:VCALENDAR\r\n")
    return answer.text


async def test_the_feed_by_key(api: Api, room: Resource) -> None:
    text = feed(await api.ask("GET", path(room)))
    assert "DTSTART;VALUE=DATE:20300106\r\nDTEND;VALUE=DATE:20300108" in text
    assert "asha" not in text
    assert "asha" in feed(await api.ask("GET", f"{path(room)}?details=true"))
    # With a key, a token is not looked at.
    assert feed(await api.ask("GET", f"{path(room)}?token=nonsense")) == text
    problem(await api.ask("GET", path(room), key="pk"), "key_kind_wrong")


async def test_what_has_not_changed_is_not_sent_again(api: Api, room: Resource) -> None:
    answer = await api.ask("GET", path(room))
    tag = answer.headers["etag"]
    again = await api.ask("GET", path(room), if_none_match=tag)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    head = await api.client.head(path(room), headers={"Authorization": f"Bearer {api.keys['sk']}"})
    assert (head.status_code, head.headers["etag"], head.content) == (200, tag, b"")
    await api.send(put(room, days("a", "2030-01-10", "2030-01-11")))
    changed = await api.ask("GET", path(room), if_none_match=tag)
    assert "20300110" in feed(changed)


async def test_a_link_needs_no_key_and_opens_nothing_else(api: Api, room: Resource) -> None:
    made = await link(api, room)
    assert made["expires_at"] is None
    where = str(made["path"])
    text = feed(await api.ask("GET", where, key=None))
    assert text == feed(await api.ask("GET", path(room)))
    # It cannot be made to tell more than it was made for.
    assert "asha" not in feed(await api.ask("GET", f"{where}&details=true", key=None))
    token = where.partition("token=")[2]
    other = await resources.create(api.connection, new_show())
    problem(await api.ask("GET", f"{path(other)}?token={token}", key=None), "calendar_link_invalid")
    for elsewhere in (f"/v1/resources/{room.id}", f"/v1/resources/{room.id}/blocks"):
        problem(await api.ask("GET", f"{elsewhere}?token={token}", key=None), "key_missing")
    # It is no shopper token.
    answer = await api.ask("GET", "/v1/resources", key="pk", bespeak_shopper=token)
    problem(answer, "shopper_token_invalid")


async def test_a_link_may_tell_more_or_less(api: Api, room: Resource) -> None:
    await api.send(put(room, days("a", "2030-01-10", "2030-01-11", "SUMMARY:Guest of theirs")))
    told = await link(api, room, details=True)
    text = feed(await api.ask("GET", str(told["path"]), key=None))
    assert "asha" in text and "Guest of theirs" in text
    without = await link(api, room, without=["airbnb"])
    text = feed(await api.ask("GET", str(without["path"]), key=None))
    assert "20300106" in text and "20300110" not in text
    by_key = feed(await api.ask("GET", f"{path(room)}?without=airbnb"))
    assert by_key == text


async def test_a_link_may_end(api: Api, room: Resource, moved_clock: Clock) -> None:
    made = await link(api, room, expires_in_seconds=60)
    assert made["expires_at"] is not None
    feed(await api.ask("GET", str(made["path"]), key=None))
    await moved_clock.advance(61)
    problem(await api.ask("GET", str(made["path"]), key=None), "calendar_link_invalid")
    (listed,) = await links(api)
    assert listed["is_over"] is True


async def links(api: Api, query: str = "") -> list[Json]:
    page = document(await api.ask("GET", f"/v1/calendar-links{query}"), 200)
    return cast("list[Json]", page["items"])


async def test_links_are_revoked_one_by_one(api: Api, room: Resource) -> None:
    phone, desk = [await link(api, room, name=name) for name in ("Phone", "Desk")]
    revoke = f"/v1/resources/{room.id}/calendar-links/{phone['id']}"
    document(await api.ask("DELETE", revoke), 200)
    problem(await api.ask("GET", str(phone["path"]), key=None), "calendar_link_invalid")
    feed(await api.ask("GET", str(desk["path"]), key=None))
    assert [one["name"] for one in await links(api)] == ["Desk"]
    problem(await api.ask("DELETE", revoke), "calendar_link_not_found")


async def test_the_list_tells_the_hour_of_the_last_use_and_no_token(
    api: Api, room: Resource, moved_clock: Clock
) -> None:
    made = await link(api, room, details=True, without=["airbnb"])
    other = await resources.create(api.connection, new_show())
    await link(api, other)
    (listed,) = await links(api, f"?resource_id={room.id}")
    assert listed["used_at"] is None
    assert (listed["id"], listed["details"], listed["without"]) == (made["id"], True, ["airbnb"])
    assert str(made["path"]).partition("token=")[2] not in str(await links(api))
    writes = "select used_at, xmin::text as written from bespeak.calendar_link where link_id = $1"
    feed(await api.ask("GET", str(made["path"]), key=None))
    first = await api.connection.fetchrow(writes, made["id"])
    assert first is not None
    hour = moved_clock.now.replace(minute=0, second=0, microsecond=0)
    assert first["used_at"] == hour
    feed(await api.ask("GET", str(made["path"]), key=None))
    assert await api.connection.fetchrow(writes, made["id"]) == first, "once an hour"
    await moved_clock.advance(3600)
    feed(await api.ask("GET", str(made["path"]), key=None))
    (listed,) = await links(api, f"?resource_id={room.id}")
    assert datetime.fromisoformat(str(listed["used_at"])) == hour + timedelta(hours=1)
    first_page = document(await api.ask("GET", "/v1/calendar-links?limit=1"), 200)
    rest = await links(api, f"?limit=1&after={first_page['next']}")
    assert [one["id"] for one in rest] == [made["id"]]


async def test_a_bound_key_lists_and_revokes_the_links_of_its_own(api: Api, room: Resource) -> None:
    made = await link(api, room)
    other = await resources.create(api.connection, new_show())
    key = await api.restricted("manage", resources=[other.id])
    problem(await api.ask("GET", "/v1/calendar-links", key=key), "key_bound")
    problem(await api.ask("GET", f"/v1/calendar-links?resource_id={room.id}", key=key), "key_bound")
    own = await api.ask("GET", f"/v1/calendar-links?resource_id={other.id}", key=key)
    assert document(own, 200)["items"] == []
    revoke = f"/v1/resources/{room.id}/calendar-links/{made['id']}"
    problem(await api.ask("DELETE", revoke, key=key), "key_bound")
    around = f"/v1/resources/{other.id}/calendar-links/{made['id']}"
    problem(await api.ask("DELETE", around, key=key), "calendar_link_not_found")
    feed(await api.ask("GET", str(made["path"]), key=None))


async def test_those_who_come_by_a_link_are_limited(open_api: OpenApi, room: Resource) -> None:
    api = await open_api(rate_limit_address="2/minute")
    where = str((await link(api, room))["path"])
    for _ in range(2):
        feed(await api.ask("GET", where, key=None))
    problem(await api.ask("GET", where, key=None), "rate_limited")
    feed(await api.ask("GET", path(room)))


async def test_an_import_answers_what_it_did(api: Api, room: Resource) -> None:
    request = put(
        room,
        days("a", "2030-01-07", "2030-01-09", "SUMMARY:Ivo"),
        days("b", "2030-01-10", "2030-01-11"),
    )
    done = document(await api.send(request), 200)
    assert done == {
        "resource_id": room.id,
        "name": "airbnb",
        "created": 1,
        "moved": 0,
        "lifted": 0,
        "unchanged": 0,
        "conflicts": [
            {
                "uid": "a",
                "from": "2030-01-07",
                "to": "2030-01-09",
                "summary": "Ivo",
                "code": "unit_taken",
                "detail": "101 from 2030-01-07 to 2030-01-08 is booked",
                "conflicts": [
                    {
                        "resource_id": room.id,
                        "unit": "101",
                        "state": "booked",
                        "from": "2030-01-07",
                        "to": "2030-01-08",
                    }
                ],
                "blocked": [
                    {"unit": "101", "quantity": None, "from": "2030-01-08", "to": "2030-01-09"}
                ],
            }
        ],
    }
    again = document(await api.send(request), 200)
    assert (again["created"], again["unchanged"]) == (0, 1)
    listed = await api.get(f"/v1/resources/{room.id}/blocks")
    items = listed["items"]
    assert isinstance(items, list)
    assert {item["source"] for item in items} == {"ics:airbnb:b", "ics:airbnb:a"}
    problem(await api.send(put(room, name="")), "invalid_request", field="name")


async def test_a_calendar_may_be_larger_than_other_bodies(
    open_api: OpenApi, room: Resource, moved_clock: Clock
) -> None:
    api = await open_api(body_max_bytes=2048, document_max_bytes=20_000)
    moved_clock.shared_with(api.service.engine)
    many = [days(f"{n}", f"2030-02-{n:02}", f"2030-02-{n:02}") for n in range(1, 25)]
    assert document(await api.send(put(room, *many)), 200)["created"] == 24
    problem(await api.send(put(room, *many * 20)), "body_too_large")
