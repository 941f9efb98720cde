"""Tickets and check-ins over HTTP: what a buyer gets, and what a gate does with it."""

import json

import pytest
from joserfc import jws
from joserfc.jwk import KeySet

from bespeak import Resource
from bespeak.http.server.keys import KeyKind
from tests.harness.clock import Clock
from tests.harness.ticketing import pages_of
from tests.http.api import Api, Json, Request, document, line, problem
from tests.http.refused_tickets import checking

pytestmark = pytest.mark.usefixtures("moved_clock")


def items_of(page: Json) -> list[Json]:
    """What is on a page."""
    items = page["items"]
    assert isinstance(items, list)
    return items


async def tickets(api: Api, booking: Json) -> list[Json]:
    """The tickets of a booking."""
    return items_of(await api.get(f"/v1/bookings/{booking['id']}/tickets"))


async def test_a_booking_has_tickets(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1", "floor 2")
    page = await api.get(f"/v1/bookings/{booking['id']}/tickets?limit=2")
    assert (page["count"], page["next"]) == (3, 2)
    items = items_of(page)
    assert len(str(items[0].pop("code"))) < 230
    assert items[0] == {
        "index": 1,
        "line": 0,
        "resource_id": show.id,
        "resource_name": "Show",
        "unit": "A1",
        "label": "Stalls, A1",
        "starts_at": None,
        "ends_at": None,
        "state": "valid",
        "checked_in_at": None,
        "gate": None,
    }
    rest = await api.get(f"/v1/bookings/{booking['id']}/tickets?after=2")
    assert rest["next"] is None
    (last,) = items_of(rest)
    assert (last["index"], last["line"], last["label"]) == (3, 1, "floor, 2 of 2")


@pytest.mark.parametrize(
    ("query", "header", "label"),
    [
        ("", "de-AT,de;q=0.9,en;q=0.8", "floor, 1 von 2"),
        ("?lang=ar", "de", "floor، 1 من 2"),
        ("", "en;q=0.5, ar-EG", "floor، 1 من 2"),
        # Only the most preferred counts, and English is what there is for all others.
        ("", "fr,de;q=0.9", "floor, 1 of 2"),
        ("", "*;q=1, ;;;, de;q=x", "floor, 1 of 2"),
        ("", "de, " * 500, "floor, 1 von 2"),
    ],
)
async def test_tickets_speak_the_language_that_is_asked_for(
    api: Api, show: Resource, query: str, header: str, label: str
) -> None:
    booking = await api.booking(show, "floor 2")
    path = f"/v1/bookings/{booking['id']}"
    asked = Request("GET", f"{path}/tickets{query}", headers={"Accept-Language": header})
    first, _ = items_of(document(await api.send(asked), 200))
    assert first["label"] == label
    for name in ("tickets.pdf", "calendar.ics"):
        answer = await api.send(Request("GET", f"{path}/{name}{query}", headers=asked.headers))
        assert answer.status_code == 200
    wrong = await api.ask("GET", f"{path}/tickets?lang=../../etc")
    problem(wrong, "invalid_request", field="lang")


async def test_the_documents(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1")
    path = f"/v1/bookings/{booking['id']}"
    for name, media_type, begins in (
        ("tickets.pdf", "application/pdf", b"%PDF-"),
        ("tickets/1.svg", "image/svg+xml; charset=utf-8", b"<svg"),
        ("calendar.ics", "text/calendar; charset=utf-8", b"BEGIN:VCALENDAR"),
    ):
        answer = await api.ask("GET", f"{path}/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == media_type
        assert answer.content.startswith(begins)
        # A ticket is a way in: no cache on the way keeps it, and no browser runs it.
        assert answer.headers["cache-control"] == "private, no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
    picture = await api.ask("GET", f"{path}/tickets/1.svg")
    assert "default-src 'none'" in picture.headers["content-security-policy"]


async def test_a_shopper_gets_their_own_tickets(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1", owner="asha")
    for name in ("tickets", "tickets.pdf", "tickets/1.svg", "calendar.ics"):
        path = f"/v1/bookings/{booking['id']}/{name}"
        for owner, status in (("asha", 200), ("ben", 403)):
            headers = {"Bespeak-Shopper": api.token(owner)}
            answer = await api.send(Request("GET", path, None, "pk", headers))
            assert answer.status_code == status
    # But letting people in is for those at the gate.
    shopper = {"Bespeak-Shopper": api.token("asha")}
    request = Request("POST", "/v1/check-ins", {"code": "x"}, "pk", shopper)
    problem(await api.send(request), "key_kind_wrong", kinds=[KeyKind.ADMIN, KeyKind.SECRET])


async def test_a_gate_lets_in_once(api: Api, show: Resource, moved_clock: Clock) -> None:
    booking = await api.booking(show, "A1", "A2")
    one, two = await tickets(api, booking)
    done = document(await api.send(checking(one["code"], resource_id=show.id)), 201)
    at = "2030-01-01T12:00:00Z"
    assert done == {
        "id": f"{booking['id']}-1",
        "booking_id": booking["id"],
        "index": 1,
        "resource_id": show.id,
        "unit": "A1",
        "gate": "North",
        "checked_in_at": at,
        "recorded_at": at,
    }
    await moved_clock.advance(60)
    again = await api.send(checking(one["code"], gate="South"))
    problem(again, "already_checked_in", gate="North", checked_in_at=at)
    batch = {"scans": [{"code": code} for code in (one["code"], two["code"], "forged")]}
    found = document(await api.ask("POST", "/v1/check-ins/batch", batch), 200)
    refused, checked, forged = items_of(found)
    assert refused["problem"] == {
        "code": "already_checked_in",
        "detail": f"the ticket was used at {at}, at the gate North",
        "checked_in_at": at,
        "gate": "North",
    }
    assert checked["outcome"] == "checked_in"
    assert isinstance(checked["check_in"], dict) and checked["check_in"]["index"] == 2
    assert isinstance(forged["problem"], dict)
    assert forged["problem"]["code"] == "ticket_code_invalid"
    page = await api.get(f"/v1/resources/{show.id}/check-ins?limit=1")
    assert page["count"] == 2
    (latest,) = items_of(page)
    assert latest["index"] == 2
    rest = await api.get(f"/v1/resources/{show.id}/check-ins?after={page['next']}")
    assert [item["index"] for item in items_of(rest)] == [1]
    states = [(item["state"], item["gate"]) for item in await tickets(api, booking)]
    assert states == [("checked_in", "North"), ("checked_in", None)]


async def test_verifying_without_a_network(api: Api, show: Resource) -> None:
    """All that a gate needs is the public keys, which anyone may have."""
    booking = await api.booking(show, "A1")
    (ticket,) = await tickets(api, booking)
    answer = await api.ask("GET", "/v1/ticket-keys", key=None)
    assert answer.headers["cache-control"] == "public, max-age=300"
    keys = KeySet.import_key_set(answer.json())
    found = jws.deserialize_compact(str(ticket["code"]), keys, algorithms=["Ed25519"])
    booked = str(booking["id"]).removeprefix("bkg_")
    assert json.loads(found.payload) == [booked, 1, show.id.removeprefix("res_"), "A1", None]
    assert "d" not in answer.json()["keys"][0]


async def test_rotating_the_keys(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1", "A2")
    before = await tickets(api, booking)
    made = document(await api.ask("POST", "/v1/ticket-keys", {}, key="ak"), 201)
    assert len(made["keys"]) == 2  # type: ignore[arg-type]
    after = await tickets(api, booking)
    assert after[0]["code"] != before[0]["code"]
    document(await api.send(checking(before[0]["code"])), 201)
    body = {"keep_old": False}
    made = document(await api.ask("POST", "/v1/ticket-keys", body, key="ak"), 201)
    assert len(made["keys"]) == 1  # type: ignore[arg-type]
    problem(await api.send(checking(after[1]["code"])), "ticket_code_invalid")
    problem(await api.ask("POST", "/v1/ticket-keys", {}), "key_kind_wrong")


async def test_half_a_booking_as_a_pdf(api: Api, show: Resource) -> None:
    """What was given back is not printed."""
    booking = await api.booking(show, "A1", "A2")
    path = f"/v1/bookings/{booking['id']}"
    whole = (await api.ask("GET", f"{path}/tickets.pdf")).content
    document(await api.ask("DELETE", path, {"lines": [line(show, "A1")]}), 200)
    half = (await api.ask("GET", f"{path}/tickets.pdf")).content
    assert (pages_of(whole), pages_of(half)) == (2, 1)
    first = (await api.ask("GET", f"{path}/tickets.pdf?after=1&limit=1")).content
    assert pages_of(first) == 1
