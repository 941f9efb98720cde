"""Every shape over HTTP: created with its plan, its availability asked for with an entity tag, held
in the long form and the short, with what a refusal offers instead; and the calls of tickets.
"""

import msgspec
import pytest

from bespeak import Resource
from tests.harness.clock import Clock
from tests.harness.database import feed_settled
from tests.harness.shapes import (
    CLINIC,
    COTTAGE,
    COURTS,
    FESTIVAL,
    RAFFLE,
    ROOM_TYPE,
    ROOMS,
    SHAPES,
    STRICT,
    THEATRE,
    TOKENS,
    TRAIN,
    MakeShape,
    Shape,
    of,
    on,
)
from tests.http.api import Api, Json, Request, document, problem
from tests.http.refused_shapes import asking, shown_line

EVERY_SHAPE = pytest.mark.parametrize("shape", SHAPES, ids=str)
QUERIES: dict[str, list[str]] = {
    "seats": ["", "?unit=A1", "?unit=floor"],
    "rooms": ["?from=2030-01-08&to=2030-01-16", "?from=2030-01-08&to=2030-01-16&unit=101"],
    "cottage": ["?from=2030-01-08&to=2030-01-16"],
    "room type": ["?from=2030-01-08&to=2030-01-16&quantity=2", "?to=2030-01-16"],
    "times": ["?from=2030-01-02&to=2030-01-04", "?from=2030-01-02&to=2030-01-03&unit=dr-rao"],
    "times at rates": [
        "?from=2030-01-02&to=2030-01-04&rate=First",
        "?from=2030-01-02&to=2030-01-03&unit=dr-rao&rate=Short",
    ],
    "places in times": ["?from=2030-01-02&to=2030-01-04&quantity=4"],
    "tickets": ["", "?unit=T3"],
    "tickets in order": [""],
    "pools": ["", "?unit=early-bird", "?unit=early"],
    "legs": ["", "?from=A&to=C", "?from=A&to=C&unit=S1", "?unit=second&from=B&to=C"],
    "moments": ["?from=2030-01-02&to=2030-01-03", "?from=2030-01-02&to=2030-01-03&unit=court-1"],
}


def path(resource: Resource, query: str = "") -> str:
    return f"/v1/resources/{resource.id}/availability{query}"


@EVERY_SHAPE
async def test_it_is_created_read_and_changed(api: Api, moved_clock: Clock, shape: Shape) -> None:
    plan = msgspec.json.decode(msgspec.json.encode(shape.plan))
    new = {"name": "New", "plan": plan, "time_zone": shape.zone, "owner_limit": 9}
    made = document(await api.ask("POST", "/v1/resources", new, key="ak"), 201)
    assert made["plan"] == plan
    there = f"/v1/resources/{made['id']}"
    assert await api.get(there) == made
    line = {**shown_line(shape.one), "resource_id": made["id"]}
    hold = document(await api.ask("POST", "/v1/holds", {"owner": "a", "lines": [line]}), 201)
    # By another plan what is held would be nothing.
    other = {"type": "pools", "pools": [{"unit": "another", "capacity": 1}]}
    refused = await api.ask("PATCH", there, {"plan": other}, key="ak")
    problem(refused, "resource_in_use")
    document(await api.ask("DELETE", f"/v1/holds/{hold['id']}"), 200)
    changed = document(await api.ask("PATCH", there, {"plan": other}, key="ak"), 200)
    assert changed["version"] == 2


@EVERY_SHAPE
async def test_availability_has_a_tag_that_changes_with_what_is_seen(
    api: Api, make_shape: MakeShape, moved_clock: Clock, shape: Shape
) -> None:
    resource = await make_shape(shape)
    for query in QUERIES[shape.name]:
        await feed_settled(api.connection)
        first = await api.ask("GET", path(resource, query), key="pk")
        seen = document(first, 200)
        assert (seen["resource_id"], seen["type"]) == (resource.id, type_of(shape))
        tag = first.headers["etag"]
        again = await api.ask("GET", path(resource, query), key="pk", If_None_Match=tag)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        hold = document(await api.send(asking(resource, shape.one)), 201)
        await feed_settled(api.connection)
        changed = await api.ask("GET", path(resource, query), key="pk", If_None_Match=tag)
        assert changed.status_code == 200 and changed.headers["etag"] != tag
        document(await api.ask("DELETE", f"/v1/holds/{hold['id']}"), 200)
        # The version tells that something happened, even where all is free again.
        last = document(await api.ask("GET", path(resource, query)), 200)
        if shape.comes_back:
            assert without_version(last) == without_version(seen)


def type_of(shape: Shape) -> object:
    return msgspec.json.decode(msgspec.json.encode(shape.plan))["type"]


def without_version(seen: Json) -> Json:
    return {name: value for name, value in seen.items() if name != "version"}


@EVERY_SHAPE
async def test_a_refusal_carries_what_can_be_held_instead(
    api: Api, make_shape: MakeShape, moved_clock: Clock, shape: Shape
) -> None:
    resource = await make_shape(shape)
    document(await api.send(asking(resource, shape.one, owner="ben")), 201)
    refused = problem(await api.send(asking(resource, shape.rival)), shape.code)
    found = refused["alternatives"]
    assert isinstance(found, list)
    if type_of(shape) == "tickets":
        assert found == []
        return
    (alternative,) = found
    assert alternative["instead_of"] == [0]
    assert 1 <= len(alternative["offers"]) <= 3
    # An offer is sent back as it came.
    body = {"owner": "asha", "lines": alternative["offers"][0]}
    hold = document(await api.ask("POST", "/v1/holds", body), 201)
    assert hold["lines"] == alternative["offers"][0]
    none = problem(await api.send(asking(resource, shape.rival, alternatives=0)), shape.code)
    assert none.get("alternatives", []) == []


async def test_the_short_form_of_a_stay(
    api: Api, make_shape: MakeShape, moved_clock: Clock
) -> None:
    resource = await make_shape(COTTAGE)
    body: Json = {
        "owner": "asha",
        "room_id": resource.id,
        "start_date": "2030-01-10",
        "end_date": "2030-01-12",
        "idempotency_key": "k",
    }
    first = await api.ask("POST", "/v1/holds", body)
    hold = document(first, 201)
    assert hold["lines"] == [
        {
            "resource_id": resource.id,
            "unit": "lake",
            "quantity": None,
            "from": "2030-01-10",
            "to": "2030-01-12",
        }
    ]
    assert hold["amount"] == {"amount": 10_000, "currency": "EUR"}
    again = await api.ask("POST", "/v1/holds", body)
    assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
    assert again.json()["id"] == hold["id"]
    in_header = {name: value for name, value in body.items() if name != "idempotency_key"}
    again = await api.ask("POST", "/v1/holds", in_header, idempotency_key="k")
    assert again.json()["id"] == hold["id"]
    other = {**body, "end_date": "2030-01-13"}
    problem(await api.ask("POST", "/v1/holds", other), "idempotency_key_reused", fields=["lines"])
    overlapping = {**in_header, "owner": "ben", "start_date": "2030-01-11"}
    problem(await api.ask("POST", "/v1/holds", overlapping), "unit_taken")
    for left_out in ("room_id", "start_date", "end_date"):
        half = {name: value for name, value in in_header.items() if name != left_out}
        problem(await api.ask("POST", "/v1/holds", half), "invalid_request", field="lines")


async def test_the_short_form_takes_any_room_of_several(
    api: Api, make_shape: MakeShape, moved_clock: Clock
) -> None:
    resource = await make_shape(ROOMS)
    body = {"room_id": resource.id, "start_date": "2030-01-10", "end_date": "2030-01-12"}
    units = set()
    for owner in ("asha", "ben", "cleo"):
        hold = document(await api.ask("POST", "/v1/holds", {**body, "owner": owner}), 201)
        lines = hold["lines"]
        assert isinstance(lines, list)
        units.add(lines[0]["unit"])
    assert units == {"101", "102", "103"}
    problem(await api.ask("POST", "/v1/holds", {**body, "owner": "dora"}), "sold_out")


async def test_less_will_do(api: Api, make_shape: MakeShape, moved_clock: Clock) -> None:
    resource = await make_shape(ROOM_TYPE)
    document(await api.send(asking(resource, of(None, 1, "2030-01-10", "2030-01-11"))), 201)
    asked = asking(resource, ROOM_TYPE.one, partial="best")
    headers = {"Idempotency-Key": "k"}
    hold = document(await api.send(Request("POST", "/v1/holds", asked.body, headers=headers)), 201)
    (line,), (missing,) = on_lines(hold["lines"]), on_lines(hold["missing"])
    assert (line["quantity"], missing["quantity"]) == (2, 1)
    assert (missing["from"], missing["to"]) == ("2030-01-10", "2030-01-13")
    assert (await api.get(f"/v1/holds/{hold['id']}"))["missing"] == hold["missing"]
    whole = asking(resource, ROOM_TYPE.one)
    reused = await api.send(Request("POST", "/v1/holds", whole.body, headers=headers))
    problem(reused, "idempotency_key_reused", fields=["lines"])


def on_lines(lines: object) -> list[Json]:
    assert isinstance(lines, list)
    return lines


async def test_a_hold_tells_its_price_by_category_night_and_leg(
    api: Api, make_shape: MakeShape, moved_clock: Clock
) -> None:
    for shape in SHAPES:
        resource = await make_shape(shape)
        hold = document(await api.send(asking(resource, shape.one)), 201)
        assert hold["amount"] == {"amount": shape.amount, "currency": "EUR"}, shape.name
        booking = document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
        assert booking["amount"] == hold["amount"]


async def test_orphans_are_refused_with_the_seats_that_would_be_left(
    api: Api, make_shape: MakeShape, moved_clock: Clock
) -> None:
    resource = await make_shape(THEATRE, plan=STRICT)
    refused = await api.send(asking(resource, of("A2"), of("A3")))
    problem(refused, "orphan_seat", units=[{"resource_id": resource.id, "unit": "A1"}])
    document(await api.send(asking(resource, of("A1"), of("A2"))), 201)


async def test_a_presale_code_opens_and_is_no_browsers_business(
    api: Api, make_shape: MakeShape, moved_clock: Clock
) -> None:
    resource = await make_shape(FESTIVAL)
    fan = msgspec.structs.replace(of("presale", 2), code="FAN")
    hold = document(await api.send(asking(resource, fan)), 201)
    assert hold["amount"] == {"amount": 7000, "currency": "EUR"}
    problem(await api.send(asking(resource, msgspec.structs.replace(fan, quantity=1))), "sold_out")
    there = f"/v1/resources/{resource.id}"
    for request in (
        Request("GET", there, key="pk"),
        Request("GET", "/v1/resources", key="pk"),
        Request("GET", path(resource), key="pk"),
    ):
        assert "FAN" not in (await api.send(request)).text, request.path
    for key in ("sk", "ak"):
        assert '"FAN"' in (await api.send(Request("GET", there, key=key))).text


async def test_places_in_line(api: Api, make_shape: MakeShape, moved_clock: Clock) -> None:
    resource = await make_shape(RAFFLE)
    holds = []
    for owner in ("asha", "ben", "cleo"):
        asked = asking(resource, RAFFLE.other, owner=owner)
        holds.append(document(await api.send(asked), 201))
    booking = document(await api.ask("POST", "/v1/bookings", {"hold_id": holds[2]["id"]}), 201)
    third = f"/v1/bookings/{booking['id']}/position"

    async def place(where: str) -> Json:
        (item,) = on_lines((await api.get(where))["items"])
        assert item.pop("resource_id") == resource.id
        return item

    assert await place(third) == {"number": 102, "ahead": 2, "serving": 0}
    served = f"/v1/resources/{resource.id}/serving"
    answer = await api.ask("PUT", served, {"number": 100})
    assert document(answer, 200) == {"number": 100}
    assert await place(third) == {"number": 102, "ahead": 1, "serving": 100}
    document(await api.ask("DELETE", f"/v1/holds/{holds[1]['id']}"), 200)
    assert await place(third) == {"number": 102, "ahead": 0, "serving": 100}
    headers = {"Bespeak-Shopper": api.token("asha")}
    own = Request("GET", f"/v1/holds/{holds[0]['id']}/position", None, "pk", headers)
    assert document(await api.send(own), 200)["items"]
    for wrong in ({"number": -1}, {"number": 10**9}, {"number": "1"}, {}):
        problem(await api.ask("PUT", served, wrong), "invalid_request")


async def test_a_driver_for_the_next_minutes(
    api: Api, make_shape: MakeShape, moved_clock: Clock
) -> None:
    plan = {"type": "moments", "things": ["ana", "bo"], "raster_seconds": 15, "price": 10}
    new = {"name": "Drivers", "plan": plan}
    made = document(await api.ask("POST", "/v1/resources", new, key="ak"), 201)
    line = {"resource_id": made["id"], "from": "now", "to": "2030-01-01T12:10:00Z"}
    body: Json = {"lines": [line], "hold_seconds": 15}
    drivers = set()
    for owner in ("r1", "r2"):
        hold = document(await api.ask("POST", "/v1/holds", {**body, "owner": owner}), 201)
        (shown,) = on_lines(hold["lines"])
        drivers.add(shown["unit"])
        assert hold["amount"] == {"amount": 400, "currency": "EUR"}
    assert drivers == {"ana", "bo"}
    problem(await api.ask("POST", "/v1/holds", {**body, "owner": "r3"}), "sold_out")
    await moved_clock.advance(15)  # neither driver answered
    document(await api.ask("POST", "/v1/holds", {**body, "owner": "r3"}), 201)


@pytest.mark.parametrize("shape", [ROOMS, CLINIC, TRAIN, COURTS, TOKENS], ids=str)
async def test_a_block_by_range_is_listed_as_it_was_made(
    api: Api, make_shape: MakeShape, moved_clock: Clock, shape: Shape
) -> None:
    resource = await make_shape(shape)
    lines = [shown_line(line) for line in on(resource, *shape.block)]
    for line in lines:
        del line["resource_id"]
    body = {"lines": lines, "reason": "closed"}
    there = f"/v1/resources/{resource.id}/blocks"
    block = document(await api.ask("POST", there, body, key="ak"), 201)
    shown = [{n: v for n, v in one.items() if v is not None} for one in on_lines(block["lines"])]
    assert shown == lines
    (listed,) = on_lines((await api.get(there))["items"])
    assert listed == block
    document(await api.ask("DELETE", f"{there}/{block['id']}", {"lines": lines}, key="ak"), 200)
    assert on_lines((await api.get(there))["items"]) == []
