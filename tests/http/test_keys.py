"""Keys: made, listed, revoked; shown once, kept as a hash, refused within the trusted time."""

import time

import pytest

from bespeak import Resource
from bespeak.http.server import keys
from tests.http.api import KINDS, Api, document, place, problem
from tests.http.conftest import OpenApi


@pytest.mark.parametrize("kind", KINDS.values())
async def test_a_key_is_shown_once(kind: str, api: Api) -> None:
    answer = await api.ask("POST", "/v1/keys", {"kind": kind, "name": "box office"}, key="ak")
    made = document(answer, 201)
    text, details = str(made["key"]), made["details"]
    assert isinstance(details, dict)
    assert text[:3] == {"publishable": "pk_", "secret": "sk_", "admin": "ak_"}[kind]
    assert (details["kind"], details["name"], details["revoked_at"]) == (kind, "box office", None)
    assert text.endswith(details["ending"]) and len(details["ending"]) == 4
    listed = await api.ask("GET", "/v1/keys", key="ak")
    assert document(listed, 200)["items"][0] == details  # type: ignore[index]
    assert text not in listed.text
    tables = await api.snapshot()
    assert not any(text in row for rows in tables.values() for row in rows)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"kind": "root", "name": "x"}, "kind"),
        ({"kind": 1, "name": "x"}, "kind"),
        ({"kind": "secret"}, "name"),
        ({"kind": "secret", "name": ""}, "name"),
        ({"kind": "secret", "name": "x" * 101}, "name"),
        ({"kind": "secret", "name": "a\x00b"}, "name"),
        ({"kind": "secret", "name": "x", "scope": "all"}, "scope"),
    ],
)
async def test_a_key_of_nonsense_is_not_made(
    body: dict[str, object], field: str | None, api: Api
) -> None:
    before = await api.snapshot()
    found = problem(await api.ask("POST", "/v1/keys", body, key="ak"), "invalid_request")
    assert found.get("field") == field
    assert await api.snapshot() == before


async def revoke(api: Api, text: str) -> None:
    listed = await api.get("/v1/keys", **{"key": "ak"})
    items = listed["items"]
    assert isinstance(items, list)
    key_id = next(one["id"] for one in items if text.endswith(one["ending"]))
    revoked = document(await api.ask("DELETE", f"/v1/keys/{key_id}", key="ak"), 200)
    assert revoked["revoked_at"] is not None
    again = document(await api.ask("DELETE", f"/v1/keys/{key_id}", key="ak"), 200)
    assert again == revoked, "revoking twice changes nothing"


async def test_a_revoked_key_is_refused_everywhere_within_the_trusted_time(
    api: Api, open_api: OpenApi, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await open_api()
    for one in (api, other):
        one.keys["sk"] = api.keys["sk"]
        assert (await one.send(place(show, "A1"))).status_code in (201, 409)
    await revoke(api, api.keys["sk"])
    before = await api.snapshot()
    soon = time.monotonic() + keys.TRUST_SECONDS + 0.1
    monkeypatch.setattr("bespeak.cache.time.monotonic", lambda: soon)
    for one in (api, other):
        problem(await one.send(place(show, "A2")), "key_unknown")
    assert await api.snapshot() == before


async def test_a_key_never_seen_is_refused_at_once_when_revoked(api: Api, show: Resource) -> None:
    made = document(
        await api.ask("POST", "/v1/keys", {"kind": "secret", "name": "x"}, key="ak"), 201
    )
    await revoke(api, str(made["key"]))
    api.keys["new"] = str(made["key"])
    problem(await api.ask("POST", "/v1/holds", place(show, "A1").body, key="new"), "key_unknown")


async def test_a_made_key_is_good_at_once_though_it_was_tried_before(api: Api) -> None:
    """Nobody guesses a key before it is made; but the ring must not keep bad ones for ever."""
    ring = api.service.keys
    for number in range(keys._REFUSED_MAX + 10):
        ring._refused.put(f"sk_{number}", keys._Refused())
    problem(await api.ask("GET", "/v1/keys", key="sk"), "key_kind_wrong")
    assert len(ring._refused) <= keys._REFUSED_MAX
