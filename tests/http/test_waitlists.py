"""The waitlist over HTTP: set up, joined, offered, bought; each for who it belongs to."""

from datetime import timedelta
from typing import cast

import msgspec
import pytest

from bespeak import Resource
from bespeak.waitlists.matcher import WaitlistMatcher
from tests.harness.clock import Clock
from tests.http.api import Api, Json, document, problem
from tests.http.workspaces import ACME, found_acme

ENTRIES = "/v1/waitlist-entries"


async def set_up(api: Api, show: Resource, **settings: object) -> str:
    """A waitlist of a show, by its id."""
    body: Json = {"resource_ids": [show.id], **settings}
    return str(document(await api.ask("POST", "/v1/waitlists", body, key="ak"), 201)["id"])


def wish(show: Resource, party: int = 1, **more: object) -> Json:
    return {"wish": {"party": party, "places": [{"resource_id": show.id}], **more}}


async def join(api: Api, waitlist: str, body: Json, owner: str = "asha") -> Json:
    """Joins as a shopper does, from a browser."""
    path = f"/v1/waitlists/{waitlist}/entries"
    token = {"bespeak-shopper": api.token(owner)}
    return document(await api.ask("POST", path, body, key="pk", **token), 201)


async def match(api: Api) -> None:
    matcher = WaitlistMatcher(api.service.engine)
    for _ in range(3):
        await matcher.look()


async def test_from_sold_out_to_bought(api: Api, show: Resource) -> None:
    sold = await api.booking(show, "A1", "A2")
    lists = f"/v1/resources/{show.id}/waitlists"
    assert document(await api.ask("GET", lists, key="pk"), 200)["items"] == []
    waitlist = await set_up(api, show)
    (found,) = cast("list[Json]", document(await api.ask("GET", lists, key="pk"), 200)["items"])
    assert (found["id"], found["state"], found["waiting"]) == (waitlist, "open", 0)
    contact = {"email": "asha@example.org", "locale": "de"}
    entry = await join(api, waitlist, {**wish(show, 2, categories=[]), "contact": contact})
    assert (entry["state"], entry["place"], entry["contact"]) == ("waiting", 1, contact)
    await match(api)
    offered = document(await api.ask("GET", f"{ENTRIES}/{entry['id']}"), 200)
    assert offered["state"] == "offered"
    token = {"bespeak-shopper": api.token("asha")}
    path = f"{ENTRIES}/{entry['id']}"
    hold = document(await api.ask("POST", f"{path}/accept", key="pk", **token), 200)
    assert hold["id"] == cast("Json", offered["offer"])["hold_id"]
    await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]})
    await match(api)
    assert document(await api.ask("GET", path, key="pk", **token), 200)["state"] == "accepted"
    listed = document(await api.ask("GET", f"/v1/waitlists/{waitlist}/entries", key="ak"), 200)
    assert [one["state"] for one in cast("list[Json]", listed["items"])] == ["accepted"]
    assert sold["state"] == "confirmed"


async def test_an_entry_is_its_owners(api: Api, show: Resource) -> None:
    waitlist = await set_up(api, show)
    entry = await join(api, waitlist, wish(show))
    path = f"{ENTRIES}/{entry['id']}"
    stranger = {"bespeak-shopper": api.token("mallory")}
    for method, where in (
        ("GET", path),
        ("POST", f"{path}/accept"),
        ("POST", f"{path}/decline"),
        ("DELETE", path),
    ):
        problem(await api.ask(method, where, key="pk", **stranger), "not_owner")
    listed = document(await api.ask("GET", ENTRIES, key="pk", **stranger), 200)
    assert listed["items"] == []
    own = {"bespeak-shopper": api.token("asha")}
    listed = document(await api.ask("GET", ENTRIES, key="pk", **own), 200)
    assert [one["id"] for one in cast("list[Json]", listed["items"])] == [entry["id"]]
    gone = document(await api.ask("DELETE", path, key="pk", **own), 200)
    assert gone["state"] == "withdrawn"
    assert document(await api.ask("DELETE", path, key="pk", **own), 200) == gone


async def test_another_workspace_finds_nothing(api: Api, show: Resource) -> None:
    waitlist = await set_up(api, show)
    entry = await join(api, waitlist, wish(show))
    await found_acme(api)
    key = f"{ACME} ak"
    path = f"/v1/waitlists/{waitlist}"
    for method, where, body in (
        ("GET", path, None),
        ("PATCH", path, {"party_max": 3}),
        ("DELETE", path, None),
        ("GET", f"{path}/entries", None),
        ("GET", f"{path}/outlook", None),
        ("POST", f"{path}/entries", {**wish(show), "owner": "asha"}),
    ):
        problem(await api.ask(method, where, body, key=key), "waitlist_not_found")
    for method, where in (("GET", ""), ("DELETE", ""), ("POST", "/accept"), ("POST", "/decline")):
        answer = await api.ask(method, f"{ENTRIES}/{entry['id']}{where}", key=key)
        problem(answer, "waitlist_entry_not_found")
    removal = f"{ENTRIES}/{entry['id']}/remove"
    answer = await api.ask("POST", removal, {"note": "x"}, key=key)
    problem(answer, "waitlist_entry_not_found")
    again: Json = {"resource_ids": [show.id]}
    problem(await api.ask("POST", "/v1/waitlists", again, key=key), "resource_not_found")
    assert document(await api.ask("GET", "/v1/waitlists", key=key), 200)["items"] == []


async def test_an_operator_sees_who_would_be_served_and_removes_a_party(
    api: Api, show: Resource
) -> None:
    booking = await api.booking(show, "A1", "A2")
    waitlist = await set_up(api, show)
    entry = await join(api, waitlist, wish(show, 20))  # more than are next to each other
    path = f"/v1/waitlists/{waitlist}/outlook"
    seen = document(await api.ask("GET", f"{path}?of=bookings", key="ak"), 200)
    (freed,) = cast("list[Json]", seen["sources"])
    assert (freed["id"], freed["offered_to"]) == (booking["id"], None)
    served = [{"entry_id": entry["id"], "place": 1, "party": 20}]
    assert freed["serves"] == seen["together"] == served
    assert document(await api.ask("GET", path, key="ak"), 200)["sources"] == []
    problem(await api.ask("GET", path, key="sk"), "key_kind_wrong")
    removal = f"{ENTRIES}/{entry['id']}/remove"
    problem(await api.ask("POST", removal, {"note": "ill"}), "key_kind_wrong")
    gone = document(await api.ask("POST", removal, {"note": "You asked us"}, key="ak"), 200)
    assert (gone["state"], gone["reason"], gone["note"]) == ("over", "removed", "You asked us")


async def test_a_browser_is_refused_what_is_kept(api: Api, show: Resource) -> None:
    waitlist = await set_up(api, show, passes_max=0)
    await join(api, waitlist, wish(show, 20))  # more than are next to each other: they gather
    taken = await api.booking(show, "A1")
    await match(api)
    body: Json = {"lines": [{"resource_id": show.id, "unit": "A2"}]}
    token = {"bespeak-shopper": api.token("bela")}
    refused = problem(
        await api.ask("POST", "/v1/holds", body, key="pk", **token), "kept_for_waitlist"
    )
    assert refused["resource_id"] == show.id
    shown = document(await api.ask("GET", f"/v1/resources/{show.id}", key="pk"), 200)
    assert shown["kept_for_waitlist"] is True
    document(await api.ask("POST", "/v1/holds", {**body, "owner": "desk"}), 201)
    ended = document(await api.ask("DELETE", f"/v1/waitlists/{waitlist}", key="ak"), 200)
    assert ended["state"] == "ended"
    body = {"lines": [{"resource_id": show.id, "unit": "A3"}]}
    document(await api.ask("POST", "/v1/holds", body, key="pk", **token), 201)
    assert taken["state"] == "confirmed"


async def test_settings_are_changed_by_version(api: Api, show: Resource) -> None:
    waitlist = await set_up(api, show)
    path = f"/v1/waitlists/{waitlist}"
    change: Json = {"policy": "best_fit", "passes_max": 3, "version": 1}
    changed = document(await api.ask("PATCH", path, change, key="ak"), 200)
    assert (changed["policy"], changed["passes_max"], changed["version"]) == ("best_fit", 3, 2)
    problem(await api.ask("PATCH", path, change, key="ak"), "version_mismatch", version=2)
    closed: Json = {"state": "closed"}
    assert document(await api.ask("PATCH", path, closed, key="ak"), 200)["state"] == "closed"
    refused = await api.ask("POST", f"{path}/entries", {**wish(show), "owner": "asha"})
    problem(refused, "waitlist_closed")


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"wish": {"party": 0, "places": []}}, "wish.party"),
        ({"wish": {"party": 1, "places": []}}, "wish.places"),
        ({"until": "2029-01-01T00:00:00Z"}, "until"),
        ({"offers_max": 11}, "offers_max"),
    ],
)
async def test_bad_input_names_the_field(
    api: Api, show: Resource, clock: Clock, fields: Json, named: str
) -> None:
    assert clock.now + timedelta(0) == clock.now
    waitlist = await set_up(api, show)
    body = {**wish(show), "owner": "asha", **fields}
    refused = await api.ask("POST", f"/v1/waitlists/{waitlist}/entries", body)
    told = problem(refused, "invalid_request")
    assert named.split(".", maxsplit=1)[0] in msgspec.json.encode(told).decode()


async def test_more_than_a_page_of_ones_own_is_read_from_cursor_to_cursor(
    api: Api, show: Resource
) -> None:
    waitlist = await set_up(api, show, owner_entries_max=5)
    made = [await join(api, waitlist, wish(show)) for _ in range(5)]
    own = {"bespeak-shopper": api.token("asha")}
    told: list[object] = []
    after = ""
    for count in (2, 2, 1):
        path = f"{ENTRIES}?limit=2{after}"
        page = document(await api.ask("GET", path, key="pk", **own), 200)
        items = cast("list[Json]", page["items"])
        assert len(items) == count
        told += [one["id"] for one in items]
        after = f"&after={page['next']}"
    assert page["next"] is None
    assert told == [one["id"] for one in reversed(made)]
    # A cursor says where one is, and not whose: somebody else's shows them their own.
    stranger = {"bespeak-shopper": api.token("mallory")}
    asked = await api.get(f"{ENTRIES}?limit=2&owner=asha")
    path = f"{ENTRIES}?limit=2&after={asked['next']}"
    assert document(await api.ask("GET", path, key="pk", **stranger), 200)["items"] == []
