"""Repeating: the same key and content is the same answer, other content an error that names it."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

import pytest

from bespeak import Resource
from bespeak.http.endpoints import ENDPOINTS
from tests.harness import database
from tests.harness.clock import Clock
from tests.http import programmes, stays, teams
from tests.http.api import Api, Request, document, line, place, place_block, problem
from tests.http.waiting import ALL as ROOMS
from tests.http.waiting import room_for

Pair: TypeAlias = tuple[Request, Request, list[str]]
Prepare: TypeAlias = Callable[[Api, Resource], Awaitable[Pair]]

BODY = ["body"]
PLAN = {"type": "seats", "pools": [{"unit": "floor", "capacity": 2}]}


async def placing(_api: Api, show: Resource) -> Pair:
    other = place(show, "A2", hold_seconds=60)
    return place(show, "A1", "floor 1"), other, ["lines", "hold_seconds"]


async def placing_with_other_lines(_api: Api, show: Resource) -> Pair:
    return place(show, "A1", "floor 1"), place(show, "A1", "floor 2"), ["lines"]


async def confirming(api: Api, show: Resource) -> Pair:
    one, other = await api.hold(show, "A1"), await api.hold(show, "A2")
    return (
        Request("POST", "/v1/bookings", {"hold_id": one["id"]}),
        Request("POST", "/v1/bookings", {"hold_id": other["id"]}),
        ["hold_id"],
    )


async def releasing(api: Api, show: Resource) -> Pair:
    one, other = await api.hold(show, "A1"), await api.hold(show, "A2")
    return (
        Request("DELETE", f"/v1/holds/{one['id']}"),
        Request("DELETE", f"/v1/holds/{other['id']}"),
        ["hold_id"],
    )


async def extending(api: Api, show: Resource) -> Pair:
    path = f"/v1/holds/{(await api.hold(show, 'A1'))['id']}/extend"
    return (
        Request("POST", path, {"seconds": 900}),
        Request("POST", path, {"seconds": 901}),
        ["seconds"],
    )


async def cancelling(api: Api, show: Resource) -> Pair:
    path = f"/v1/bookings/{(await api.booking(show, 'A1', 'floor 2'))['id']}"
    other = {"reason": "bored", "lines": [line(show, "floor 1")]}
    return (
        Request("DELETE", path, {"reason": "ill"}),
        Request("DELETE", path, other),
        [
            "reason",
            "lines",
        ],
    )


async def moving(api: Api, show: Resource) -> Pair:
    path = f"/v1/bookings/{(await api.booking(show, 'A1', 'A2'))['id']}/moves"
    one = {"moves": [{"from_unit": "A1", "to_unit": "A9"}]}
    other = {"moves": [{"from_unit": "A2", "to_unit": "A9"}]}
    return Request("POST", path, one), Request("POST", path, other), ["moves"]


async def blocking(_api: Api, show: Resource) -> Pair:
    return place_block(show, "A1"), place_block(show, "A2"), ["lines"]


async def blocking_together(_api: Api, show: Resource) -> Pair:
    def asked(unit: str) -> Request:
        resources = [{"resource_id": show.id, "lines": [{"unit": unit}]}]
        return Request("POST", "/v1/blocks", {"resources": resources, "reason": "paint"}, "ak")

    return asked("A1"), asked("A2"), ["lines"]


async def lifting(api: Api, show: Resource) -> Pair:
    path = f"/v1/resources/{show.id}/blocks/{(await api.block(show, 'A1', 'A2'))['id']}"
    body = {"lines": [{"unit": "A1"}]}
    return Request("DELETE", path, body, "ak"), Request("DELETE", path, None, "ak"), ["lines"]


async def creating(_api: Api, _show: Resource) -> Pair:
    one = {"name": "One", "plan": PLAN}
    other = {"name": "Other", "plan": PLAN}
    return (
        Request("POST", "/v1/resources", one, "ak"),
        Request("POST", "/v1/resources", other, "ak"),
        ["body"],
    )


async def checking_in(api: Api, show: Resource) -> Pair:
    booking = await api.booking(show, "A1", "A2")
    page = await api.get(f"/v1/bookings/{booking['id']}/tickets")
    one, other = (item["code"] for item in page["items"])  # type: ignore[attr-defined]
    return (
        Request("POST", "/v1/check-ins", {"code": one, "gate": "North"}),
        Request("POST", "/v1/check-ins", {"code": other}),
        ["code", "gate"],
    )


async def erasing(api: Api, show: Resource) -> Pair:
    await api.hold(show, "A1", owner="zoe")
    body = {"owner": "zoe"}
    other = {"owner": "zoe", "including_upcoming": True}
    path = "/v1/erasures"
    return Request("POST", path, body), Request("POST", path, other), ["including_upcoming"]


async def calling_off(_api: Api, show: Resource) -> Pair:
    path = f"/v1/resources/{show.id}/cancellation"
    return (
        Request("POST", path, {"reason": "storm"}),
        Request("POST", path, {"reason": "storm", "refund": "policy"}),
        ["refund"],
    )


async def writing_to_all(_api: Api, show: Resource) -> Pair:
    path = f"/v1/resources/{show.id}/mailings"
    one = {"texts": [{"language": "en", "subject": "Doors", "text": "They open at 19:30."}]}
    other = {"texts": [{"language": "en", "subject": "Doors", "text": "They open at 19:00."}]}
    return Request("POST", path, one, "ak"), Request("POST", path, other, "ak"), ["texts"]


async def joining_a_waitlist(api: Api, show: Resource) -> Pair:
    made = await api.ask("POST", "/v1/waitlists", {"resource_ids": [show.id]}, key="ak")
    path = f"/v1/waitlists/{document(made, 201)['id']}/entries"
    one = {"owner": "asha", "wish": {"party": 1, "places": [{"resource_id": show.id}]}}
    other = one | {"offers_max": 2}
    return Request("POST", path, one), Request("POST", path, other), BODY


async def adding_a_venue(_api: Api, _show: Resource) -> Pair:
    path = f"{programmes.ROOT}/venues"
    other = programmes.VENUE | {"name": "Another"}
    return Request("POST", path, programmes.VENUE, "ak"), Request("POST", path, other, "ak"), BODY


async def adding_a_hall(api: Api, _show: Resource) -> Pair:
    path = f"{programmes.ROOT}/halls"
    venue = await programmes.made(api, "/venues", programmes.VENUE)
    one = {"venue": venue["id"], "name": "Great", "plan": programmes.PLAN}
    other = one | {"name": "Small"}
    return Request("POST", path, one, "ak"), Request("POST", path, other, "ak"), BODY


async def adding_a_production(_api: Api, _show: Resource) -> Pair:
    path = f"{programmes.ROOT}/productions"
    one, other = programmes.PRODUCTION, programmes.PRODUCTION | {"title": "Another"}
    return Request("POST", path, one, "ak"), Request("POST", path, other, "ak"), BODY


async def adding_a_performance(api: Api, _show: Resource) -> Pair:
    path = f"{programmes.ROOT}/performances"
    place = await programmes.hall(api)
    production = await programmes.made(api, "/productions", programmes.PRODUCTION)
    one = programmes.performance_of(production, place, published=True)
    other = one | {"starts_at": "2030-05-01T20:00"}
    return Request("POST", path, one, "ak"), Request("POST", path, other, "ak"), BODY


async def adding_a_team(_api: Api, _show: Resource) -> Pair:
    one, other = teams.PRACTICE, teams.PRACTICE | {"name": "Another"}
    return Request("POST", teams.TEAMS, one, "ak"), Request("POST", teams.TEAMS, other, "ak"), BODY


async def adding_a_property(_api: Api, _show: Resource) -> Pair:
    one, other = stays.HOUSE | {"ref": None}, stays.HOUSE | {"name": "Another"}
    path = stays.PROPERTIES
    return Request("POST", path, one, "ak"), Request("POST", path, other, "ak"), BODY


async def adding_a_listing(api: Api, _show: Resource) -> Pair:
    house = await stays.made_property(api)
    one = stays.DOUBLE | {"property": house["id"]}
    other = one | {"guests": 3}
    path = stays.LISTINGS
    return Request("POST", path, one, "ak"), Request("POST", path, other, "ak"), BODY


async def applying_suggested_prices(api: Api, _show: Resource) -> Pair:
    listing = await stays.made_listing(api, await stays.made_property(api))
    path = f"{stays.LISTINGS}/{listing['id']}/suggested-prices"
    bounds = {"least": 5_000, "most": 20_000}
    document(await api.ask("PUT", f"{path}/rule", bounds, key="ak"), 200)
    one, other = (
        {"nights": [{"date": stays.soon(0), "now": 12_000, "price": price}]}
        for price in (13_000, 14_000)
    )
    return Request("POST", path, one, "ak"), Request("POST", path, other, "ak"), BODY


async def rating_a_stay(api: Api, _show: Resource) -> Pair:
    listing = await stays.made_listing(api, await stays.made_property(api))
    line = {"resource_id": listing["id"], "from": stays.soon(0), "to": stays.soon(1)}
    body = {"owner": "asha", "lines": [line]}
    hold = document(await api.ask("POST", "/v1/holds", body), 201)
    booking = document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    async with database.session(api.database_url) as session:
        clock = Clock(session)
        clock.shared_with(api.service.engine)
        await clock.set(datetime.now(UTC) + timedelta(days=40))
    path = f"/v1/bookings/{booking['id']}/rating"
    return Request("POST", path, {"rating": 8}), Request("POST", path, {"rating": 9}), BODY


async def making_codes(api: Api, show: Resource) -> Pair:
    room = await room_for(api, show)
    path = f"{ROOMS}/{room['id']}/invite-batches"
    one = {"queue": "general", "name": "Fans", "codes": 3}
    return Request("POST", path, one, "ak"), Request("POST", path, one | {"codes": 4}, "ak"), BODY


CALLS: dict[str, list[Prepare]] = {
    "POST /v1/holds": [placing, placing_with_other_lines],
    "POST /v1/bookings": [confirming],
    "DELETE /v1/holds/{hold_id}": [releasing],
    "POST /v1/holds/{hold_id}/extend": [extending],
    "DELETE /v1/bookings/{booking_id}": [cancelling],
    "POST /v1/resources": [creating],
    "POST /v1/check-ins": [checking_in],
    "POST /v1/resources/{resource_id}/cancellation": [calling_off],
    "POST /v1/resources/{resource_id}/mailings": [writing_to_all],
    "POST /v1/waitlists/{waitlist_id}/entries": [joining_a_waitlist],
    "POST /v1/waiting-rooms/{waiting_room_id}/invite-batches": [making_codes],
    "POST /v1/erasures": [erasing],
    "POST /v1/resources/{resource_id}/blocks": [blocking],
    "POST /v1/bookings/{booking_id}/moves": [moving],
    "POST /v1/bookings/{booking_id}/rating": [rating_a_stay],
    "POST /v1/blocks": [blocking_together],
    "DELETE /v1/resources/{resource_id}/blocks/{block_id}": [lifting],
    "POST /v1/programme/venues": [adding_a_venue],
    "POST /v1/programme/halls": [adding_a_hall],
    "POST /v1/programme/productions": [adding_a_production],
    "POST /v1/programme/performances": [adding_a_performance],
    "POST /v1/appointments/teams": [adding_a_team],
    "POST /v1/stays/properties": [adding_a_property],
    "POST /v1/listings": [adding_a_listing],
    "POST /v1/listings/{listing_id}/suggested-prices": [applying_suggested_prices],
}
# Two of a name, or two of a length, are right.
AGAIN = (
    *(extending, creating, writing_to_all, adding_a_venue, adding_a_hall),
    *(adding_a_production, adding_a_property, rating_a_stay, making_codes, adding_a_team),
)
PREPARES = [prepare for prepares in CALLS.values() for prepare in prepares]


def keyed(request: Request, key: str = "order-7") -> Request:
    headers = {**request.headers, "Idempotency-Key": key}
    return Request(request.method, request.path, request.body, request.key, headers)


def test_every_repeatable_call_is_repeated_here() -> None:
    repeatable = [one for one in ENDPOINTS if one.repeatable]
    # The key of a batch is that of its elements, each of which has its own answer.
    by_element = {f"{one.method} {one.path}" for one in repeatable if one.repeats_elements}
    assert by_element == {"POST /v1/holds/batch"}  # see test_hold_batches
    assert {f"{one.method} {one.path}" for one in repeatable} - by_element == set(CALLS)


@pytest.mark.parametrize("prepare", PREPARES, ids=lambda one: one.__name__)
async def test_a_repeat_is_the_same_answer(prepare: Prepare, api: Api, show: Resource) -> None:
    """As after a reply that was lost on its way: the client cannot know, and asks again."""
    request, other, fields = await prepare(api, show)
    first = await api.send(keyed(request))
    assert first.status_code in (200, 201, 202), first.text
    assert "idempotent-replayed" not in first.headers
    after = await api.snapshot()
    for _ in range(2):
        again = await api.send(keyed(request))
        assert again.status_code == first.status_code
        assert again.headers["idempotent-replayed"] == "true"
        assert volatile_gone(again.json()) == volatile_gone(first.json())
    problem(await api.send(keyed(other)), "idempotency_key_reused", fields=fields)
    assert await api.snapshot() == after


@pytest.mark.parametrize("prepare", PREPARES, ids=lambda one: one.__name__)
async def test_twins_in_flight_are_one(prepare: Prepare, api: Api, show: Resource) -> None:
    request, _, _ = await prepare(api, show)
    answers = await asyncio.gather(*(api.send(keyed(request)) for _ in range(4)))
    assert len({answer.status_code for answer in answers}) == 1, [one.text for one in answers]
    assert answers[0].status_code in (200, 201, 202), answers[0].text
    assert len({str(volatile_gone(answer.json())) for answer in answers}) == 1
    replayed = [answer.headers.get("idempotent-replayed") for answer in answers]
    assert sorted(map(str, replayed)) == ["None", "true", "true", "true"]


@pytest.mark.parametrize("prepare", PREPARES, ids=lambda one: one.__name__)
async def test_another_key_is_another_request(prepare: Prepare, api: Api, show: Resource) -> None:
    request, _, _ = await prepare(api, show)
    first = await api.send(keyed(request))
    second = await api.send(keyed(request, "order-8"))
    if prepare in AGAIN:
        assert second.status_code == first.status_code
        assert "idempotent-replayed" not in second.headers
    elif prepare is erasing:  # it runs already: whoever asks is told of the same
        assert second.json() == first.json()
    elif prepare is moving:  # it is not there any more
        problem(second, "not_in_booking")
    else:
        assert second.status_code in (409, 410), second.text


async def test_a_repeat_is_answered_after_the_resource_closed(api: Api, show: Resource) -> None:
    hold = document(await api.send(keyed(place(show, "A1"))), 201)
    closed = {"state": "closed"}
    document(await api.ask("PATCH", f"/v1/resources/{show.id}", closed, key="ak"), 200)
    again = await api.send(keyed(place(show, "A1")))
    assert document(again, 201)["id"] == hold["id"]
    assert again.headers["idempotent-replayed"] == "true"
    problem(await api.send(keyed(place(show, "A1"), "order-8")), "resource_closed")


async def test_a_repeat_tells_how_the_hold_stands_now(api: Api, show: Resource) -> None:
    hold = document(await api.send(keyed(place(show, "A1"))), 201)
    document(await api.ask("DELETE", f"/v1/holds/{hold['id']}"), 200)
    again = document(await api.send(keyed(place(show, "A1"))), 201)
    assert (again["id"], again["state"], again["expires_in_ms"]) == (hold["id"], "released", 0)


async def test_keys_of_different_owners_do_not_meet(api: Api, show: Resource) -> None:
    one = document(await api.send(keyed(place(show, "A1", owner="asha"))), 201)
    other = document(await api.send(keyed(place(show, "A2", owner="ben"))), 201)
    assert one["id"] != other["id"]


def volatile_gone(answer: dict[str, object]) -> dict[str, object]:
    """What may differ between an answer and its repeat: the time that is left."""
    return {name: value for name, value in answer.items() if name != "expires_in_ms"}
