"""What is taken: sparse, versioned, with an entity tag, and gone from it once it is free."""

import asyncio
from datetime import timedelta

import pytest

from bespeak import AvailabilityQuery, Resource
from tests.harness.clock import START, Clock
from tests.harness.database import feed_settled
from tests.http.api import Api, Json, document, line, place, until
from tests.http.conftest import OpenApi


def path(show: Resource) -> str:
    return f"/v1/resources/{show.id}/availability"


async def test_what_is_absent_is_free(api: Api, show: Resource, moved_clock: Clock) -> None:
    empty = await api.get(path(show))
    assert {**empty, "version": None} == {
        "type": "seats",
        "resource_id": show.id,
        "version": None,
        "taken": {},
        "pools": {
            "floor": {"capacity": 5, "available": 5},
            "gallery": {"capacity": 3, "available": 3},
        },
        "units_total": 29,
        "units_free": 29,
    }
    await api.hold(show, "A1", "floor 2", hold_seconds=60)
    await api.booking(show, "A2", "gallery 1")
    await api.block(show, "A3", "floor 1")
    seen = await api.get(path(show))
    until = (START + timedelta(seconds=60)).isoformat().replace("+00:00", "Z")
    assert seen["taken"] == {
        "A1": {"state": "held", "until": until},
        "A2": {"state": "booked"},
        "A3": {"state": "blocked"},
    }
    assert seen["pools"] == {
        "floor": {"capacity": 5, "available": 2},
        "gallery": {"capacity": 3, "available": 2},
    }
    assert (seen["units_total"], seen["units_free"]) == (29, 26)
    await moved_clock.advance(60)
    later = await api.get(path(show))
    assert sorted(as_dict(later["taken"])) == ["A2", "A3"]
    assert as_dict(later["pools"])["floor"] == {"capacity": 5, "available": 4}
    assert later["units_free"] == 27


def as_dict(value: object) -> Json:
    assert isinstance(value, dict)
    return value


async def test_every_verb_changes_the_version(api: Api, show: Resource) -> None:
    versions: list[object] = []

    async def note() -> None:
        # A transaction in another database of the server may hold the version back for a moment.
        async def is_new() -> bool:
            return (await api.get(path(show)))["version"] not in versions

        await until(is_new)
        versions.append((await api.get(path(show)))["version"])

    await note()
    hold = await api.hold(show, "A1", "A2", "floor 2")
    await note()
    document(await api.ask("POST", f"/v1/holds/{hold['id']}/extend", {"seconds": 900}), 200)
    await note()
    booking = document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    await note()
    some = {"reason": "r", "lines": [line(show, "A1")]}
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}", some), 200)
    await note()
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}"), 200)
    await note()
    released = await api.hold(show, "A1")
    await note()
    document(await api.ask("DELETE", f"/v1/holds/{released['id']}"), 200)
    await note()
    block = await api.block(show, "A1")
    await note()
    lift = f"/v1/resources/{show.id}/blocks/{block['id']}"
    document(await api.ask("DELETE", lift, key="ak"), 200)
    await note()
    change = {"closes_at": "2040-01-01T00:00:00Z"}
    document(await api.ask("PATCH", f"/v1/resources/{show.id}", change, key="ak"), 200)
    await note()


async def test_the_entity_tag_spares_an_unchanged_map(api: Api, show: Resource) -> None:
    await feed_settled(api.connection)
    first = await api.ask("GET", path(show))
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    for asked in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = await api.ask("GET", path(show), If_None_Match=asked)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert "content-length" not in again.headers and "content-type" not in again.headers
        assert again.headers["x-request-id"]
    changed = await api.ask("GET", path(show), If_None_Match='"other"')
    assert (changed.status_code, changed.headers["etag"]) == (200, tag)
    await api.hold(show, "A1")
    await feed_settled(api.connection)
    changed = await api.ask("GET", path(show), If_None_Match=tag)
    assert changed.status_code == 200 and changed.headers["etag"] != tag


async def test_a_crowd_of_viewers_costs_one_statement(
    open_api: OpenApi, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = await open_api(availability_ms=10_000)
    engine = api.service.engine
    asked: list[str] = []
    ask_engine = engine.availability

    async def count(resource_id: str, query: AvailabilityQuery) -> object:
        asked.append(resource_id)
        return await ask_engine(resource_id, query)

    monkeypatch.setattr(engine, "availability", count)
    answers = await asyncio.gather(*(api.ask("GET", path(show)) for _ in range(50)))
    assert {answer.status_code for answer in answers} == {200}
    assert asked == [show.id]
    # A map that is kept is still a promise of nothing: the hold itself decides.
    await api.hold(show, "A1")
    assert document(await api.ask("GET", path(show)), 200)["taken"] == {}
    refused = await api.send(place(show, "A1"))
    assert refused.status_code == 409


async def test_a_map_that_could_not_be_had_is_asked_for_again(
    open_api: OpenApi, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = await open_api(availability_ms=10_000)

    async def fail(_resource_id: str, _query: AvailabilityQuery) -> object:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(api.service.engine, "availability", fail)
        answers = await asyncio.gather(*(api.ask("GET", path(show)) for _ in range(5)))
        assert {answer.status_code for answer in answers} == {500}
    document(await api.ask("GET", path(show)), 200)
