"""Holds and bookings over HTTP: what is answered, and what bodies are refused."""

from datetime import datetime, timedelta

import msgspec
import pytest

from bespeak import Resource
from tests.harness.clock import START, Clock
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, Request, document, line, place, problem
from tests.http.conftest import OpenApi


def moment(text: object) -> datetime:
    assert isinstance(text, str)
    return datetime.fromisoformat(text)


async def test_a_hold_from_its_placing_to_its_end(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    hold = await api.hold(show, "A1", "floor 2", hold_seconds=600)
    assert {name: hold[name] for name in ("state", "owner", "lines", "ended_at")} == {
        "state": "held",
        "owner": "asha",
        "lines": [{**line(show, "A1"), "quantity": None}, line(show, "floor 2")],
        "ended_at": None,
    }
    assert moment(hold["created_at"]) == START
    assert moment(hold["expires_at"]) == START + timedelta(seconds=600)
    assert moment(hold["extends_until"]) == START + timedelta(seconds=1800)
    assert 599_000 < int(str(hold["expires_in_ms"])) <= 600_000

    await moved_clock.advance(500)
    read = await api.get(f"/v1/holds/{hold['id']}")
    assert 99_000 < int(str(read["expires_in_ms"])) <= 100_000
    assert {**read, "expires_in_ms": None} == {**hold, "expires_in_ms": None}

    extended = document(
        await api.ask("POST", f"/v1/holds/{hold['id']}/extend", {"seconds": 300}), 200
    )
    assert moment(extended["expires_at"]) == START + timedelta(seconds=800)
    shorter = document(await api.ask("POST", f"/v1/holds/{hold['id']}/extend", {"seconds": 1}), 200)
    assert shorter["expires_at"] == extended["expires_at"], "never shorter than before"

    released = document(await api.ask("DELETE", f"/v1/holds/{hold['id']}"), 200)
    assert (released["state"], released["expires_in_ms"]) == ("released", 0)
    assert moment(released["ended_at"]) == START + timedelta(seconds=500)
    assert await api.get(f"/v1/holds/{hold['id']}") == released
    await api.hold(show, "A1", owner="ben")


async def test_a_hold_that_lapsed_reads_as_expired(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    hold = await api.hold(show, "A1", hold_seconds=60)
    await moved_clock.advance(60)
    read = await api.get(f"/v1/holds/{hold['id']}")
    assert (read["state"], read["expires_in_ms"]) == ("expired", 0)
    assert read["ended_at"] == read["expires_at"] == hold["expires_at"]
    await api.hold(show, "A1", owner="ben")  # its unit is free at that very instant


async def test_a_booking_from_confirming_to_its_last_line(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    show = await make_show()
    booking = await api.booking(show, "A1", "floor 3")
    hold_id = str(booking["hold_id"])
    assert booking["id"] == hold_id.replace("hold_", "bkg_")
    assert (booking["state"], booking["owner"]) == ("confirmed", "asha")
    assert booking["amount"] == {"amount": 0, "currency": "EUR"}
    assert moment(booking["confirmed_at"]) == START
    assert [one["cancelled_quantity"] for one in lines_of(booking)] == [0, 0]
    assert (await api.get(f"/v1/holds/{hold_id}"))["state"] == "confirmed"
    path = f"/v1/bookings/{booking['id']}"
    assert await api.get(path) == booking

    body = {"reason": "ill", "lines": [line(show, "floor 2")]}
    partly = document(await api.ask("DELETE", path, body), 200)
    assert (partly["state"], partly["reason"]) == ("confirmed", "ill")
    assert [one["cancelled_quantity"] for one in lines_of(partly)] == [0, 2]
    await api.hold(show, "floor 4", owner="ben")

    ended = document(await api.ask("DELETE", path), 200)
    assert (ended["state"], ended["reason"]) == ("cancelled", "cancelled")
    assert [one["cancelled_quantity"] for one in lines_of(ended)] == [1, 3]
    assert await api.get(path) == ended
    await api.hold(show, "A1", owner="ben")


def lines_of(document: Json) -> list[Json]:
    lines = document["lines"]
    assert isinstance(lines, list)
    return lines


async def test_a_refusal_tells_what_is_in_the_way_but_not_who(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    await api.hold(show, "A1", owner="ben", hold_seconds=60)
    await api.booking(show, "A2", owner="cleo")
    await api.block(show, "A3")
    await api.hold(show, "floor 4", owner="dora")
    refused = await api.send(place(show, "A1", "A2", "A3", "A4", "floor 2"))
    conflicts = problem(refused, "unit_taken")["conflicts"]
    until = (START + timedelta(seconds=60)).isoformat().replace("+00:00", "Z")
    assert conflicts == [
        {"resource_id": show.id, "unit": "A1", "state": "held", "until": until},
        {"resource_id": show.id, "unit": "A2", "state": "booked"},
        {"resource_id": show.id, "unit": "A3", "state": "blocked"},
        {**line(show, "floor"), "state": "short", "capacity": 5, "available": 1},
    ]
    for name in ("ben", "cleo", "dora"):
        assert name not in refused.text


async def test_the_memory_tells_the_same_as_the_database(
    api: Api, open_api: OpenApi, show: Resource
) -> None:
    remembering = await open_api(known_taken_seconds=60)
    await remembering.hold(show, "A1", owner="ben")
    known = problem(await remembering.send(place(show, "A1", "A2")), "unit_taken")
    looked_up = problem(await api.send(place(show, "A1", "A2")), "unit_taken")
    for answer in (known, looked_up):
        conflicts = answer["conflicts"]
        assert isinstance(conflicts, list)
        conflicts[0]["until"] = conflicts[0]["until"][:23]  # milliseconds
        answer["request_id"] = None
    assert known == looked_up


WRONG: list[tuple[Json, str | None]] = [
    ({"lines": []}, "lines"),
    ({"lines": None}, "lines"),
    ({"lines": {}}, "lines"),
    ({"lines": "A1"}, "lines"),
    ({"lines": [None]}, "lines[0]"),
    ({"lines": ["A1"]}, "lines[0]"),
    ({"lines": [{"unit": "A1"}]}, "lines[0]"),
    ({"owner": ""}, "owner"),
    ({"owner": 3}, "owner"),
    ({"owner": "x" * 201}, "owner"),
    ({"owner": "a\x00b"}, "owner"),
    ({"owner": "a\nb"}, "owner"),
    ({"owner": "a\u2028b"}, "owner"),
    ({"hold_seconds": 0}, "hold_seconds"),
    ({"hold_seconds": -1}, "hold_seconds"),
    ({"hold_seconds": "60"}, "hold_seconds"),
    ({"hold_seconds": 1.5}, "hold_seconds"),
    ({"hold_seconds": True}, "hold_seconds"),
    ({"hold_seconds": 604_801}, "hold_seconds"),
    ({"hold_seconds": 10**40}, "hold_seconds"),
    ({"seats": 2}, "seats"),
    ({"partial": True}, "partial"),
    ({"partial": "worst"}, "partial"),
    ({"alternatives": -1}, "alternatives"),
    ({"alternatives": 11}, "alternatives"),
    ({"alternatives": None}, "alternatives"),
    ({"room_id": "res_00000001"}, "lines"),
    ({"start_date": "2030-01-02"}, "lines"),
    ({"idempotency_key": ""}, "idempotency_key"),
    ({"idempotency_key": "x" * 201}, "idempotency_key"),
    ({"idempotency_key": "a\nb"}, "idempotency_key"),
]
WRONG_LINES: list[tuple[Json, str]] = [
    ({"quantity": 0}, "lines[1].quantity"),
    ({"quantity": -1}, "lines[1].quantity"),
    ({"quantity": 1_000_001}, "lines[1].quantity"),
    ({"quantity": 2**31}, "lines[1].quantity"),
    ({"quantity": 2**64}, "lines[1].quantity"),
    ({"quantity": 10**400}, "lines[1].quantity"),
    ({"quantity": "2"}, "lines[1].quantity"),
    ({"quantity": 1.5}, "lines[1].quantity"),
    ({"quantity": True}, "lines[1].quantity"),
    ({"unit": ""}, "lines[1].unit"),
    ({"unit": 7}, "lines[1].unit"),
    ({"unit": None}, "lines[1]"),
    ({"from": ""}, "lines[1].from"),
    ({"from": 5}, "lines[1].from"),
    ({"to": None}, "lines[1].to"),
    ({"to": "2" * 61}, "lines[1].to"),
    ({"best": 2}, "lines[1].best"),
    ({"best": {}}, "lines[1].best"),
    ({"best": {"quantity": 0}}, "lines[1].best.quantity"),
    ({"best": {"quantity": 1001}}, "lines[1].best.quantity"),
    ({"best": {"quantity": 2, "strategy": "worst"}}, "lines[1].best.strategy"),
    ({"best": {"quantity": 2, "category": ""}}, "lines[1].best.category"),
    ({"best": {"quantity": 2, "split": 1}}, "lines[1].best.split"),
    ({"best": {"quantity": 2, "rows": 3}}, "lines[1].best.rows"),
    ({"next": 0}, "lines[1].next"),
    ({"next": 1001}, "lines[1].next"),
    ({"next": "1"}, "lines[1].next"),
    ({"code": ""}, "lines[1].code"),
    ({"code": 7}, "lines[1].code"),
    ({"from": "2030-01-02", "to": "2030-01-03"}, "lines[1]"),
    ({"next": 1}, "lines[1].next"),
    ({"unit": "x" * 201}, "lines[1].unit"),
    ({"unit": "A\x001"}, "lines[1]"),
    ({"unit": "A1\n"}, "lines[1]"),
    ({"unit": "\u202eA1"}, "lines[1]"),
    ({"resource_id": None}, "lines[1].resource_id"),
    ({"resource_id": 5}, "lines[1].resource_id"),
    ({"resource_id": "r" * 21}, "lines[1].resource_id"),
    ({"price": 0}, "lines[1].price"),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda one: str(one[0])[:50])
@pytest.mark.asyncio(loop_scope="module")
async def test_a_wrong_field_is_named(
    wrong: tuple[Json, str | None], module_api: Api, module_show: Resource
) -> None:
    await refused_for(module_api, {**good_body(module_show), **wrong[0]}, wrong[1])


@pytest.mark.parametrize("wrong", WRONG_LINES, ids=lambda one: str(one[0])[:50])
@pytest.mark.asyncio(loop_scope="module")
async def test_a_wrong_field_of_a_line_is_named(
    wrong: tuple[Json, str], module_api: Api, module_show: Resource
) -> None:
    lines = [line(module_show, "A1"), {**line(module_show, "floor 1"), **wrong[0]}]
    await refused_for(module_api, {**good_body(module_show), "lines": lines}, wrong[1])


def good_body(show: Resource) -> Json:
    return {"owner": "asha", "lines": [line(show, "A1"), line(show, "floor 1")]}


async def refused_for(api: Api, body: Json, field: str | None) -> None:
    before = await api.snapshot()
    found = problem(await api.send(Request("POST", "/v1/holds", body)), "invalid_request")
    assert found.get("field") == field, found
    assert await api.snapshot() == before


async def test_too_many_lines_are_refused(api: Api, show: Resource) -> None:
    before = await api.snapshot()
    for count, code in ((101, "invalid_request"), (1001, "invalid_request")):
        units = [f"Z{n}" for n in range(count)]
        found = problem(await api.send(place(show, *units)), code)
        assert found["field"] == "lines"
    many = place(show, *[f"Z{n}" for n in range(10_000)])
    assert len(msgspec.json.encode(many.body)) > 262_144
    problem(await api.send(many), "body_too_large")
    short = {"owner": "a", "lines": [{"resource_id": "", "unit": ""}] * 7000}
    problem(await api.send(Request("POST", "/v1/holds", short)), "invalid_request")
    assert await api.snapshot() == before


@pytest.mark.parametrize("key", ["", "k" * 201, "a\tb", "é\u0080"])
@pytest.mark.parametrize("call", ["place", "confirm", "release", "block", "create"])
@pytest.mark.asyncio(loop_scope="module")
async def test_a_key_for_repeating_has_a_sensible_length(
    key: str, call: str, module_api: Api
) -> None:
    bodies: dict[str, tuple[str, str, object]] = {
        "place": (
            "POST",
            "/v1/holds",
            {"owner": "a", "lines": [{"resource_id": "res_00000001", "unit": "A1"}]},
        ),
        "confirm": ("POST", "/v1/bookings", {"hold_id": "hold_" + "0" * 26}),
        "release": ("DELETE", "/v1/holds/hold_" + "0" * 26, None),
        "block": (
            "POST",
            "/v1/resources/res_00000001/blocks",
            {"reason": "r", "lines": [{"unit": "A1"}]},
        ),
        "create": (
            "POST",
            "/v1/resources",
            {"name": "S", "plan": {"type": "seats", "pools": [{"unit": "p", "capacity": 1}]}},
        ),
    }
    method, path, body = bodies[call]
    headers = {
        b"authorization": f"Bearer {module_api.keys['ak']}".encode(),
        b"content-type": b"application/json",
        b"idempotency-key": key.encode("latin-1"),
    }
    content = msgspec.json.encode(body) if body is not None else None
    answer = await module_api.client.request(method, path, headers=headers, content=content)
    problem(answer, "invalid_request", field="idempotency_key")


async def test_the_clients_clock_counts_for_nothing(api: Api, show: Resource) -> None:
    """A client's own time comes in no field and no header that is read."""
    answer = await api.ask(
        "POST", "/v1/holds", good_body(show), Date="Tue, 01 Jan 1980 00:00:00 GMT"
    )
    hold = document(answer, 201)
    now = await api.connection.fetchval("select now()")
    assert abs((moment(hold["created_at"]) - now).total_seconds()) < 60
    stale = {**good_body(show), "created_at": "1980-01-01T00:00:00Z"}
    problem(await api.ask("POST", "/v1/holds", stale), "invalid_request")
