"""The audit log: who asked for what, that nothing of it is changed, and that nobody fills it."""

from datetime import timedelta

import asyncpg
import httpx
import pytest

from bespeak import Resource, Settings
from bespeak.actors import CLI
from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server import audit_log
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.scopes import KeyScope
from bespeak.postgres.errors import DatabaseReadOnly
from bespeak.retention.worker import Retention
from tests.harness.clock import START, Clock
from tests.harness.database import Connection
from tests.http.api import Api, Json, document, problem
from tests.http.test_console import log_in
from tests.http.test_every_endpoint import named

PATH = "/v1/audit-log"
POWERS = {KeyScope.MANAGE, KeyScope.ADMIN, KeyScope.REFUND, KeyScope.PERSONAL_DATA}
# They make files for whoever asks, and change nothing.
TOOLS = ("/v1/seat-maps/",)


async def entries(api: Api, **query: str) -> list[Json]:
    """The log, the latest first."""
    answer = await api.client.get(
        PATH, params=query, headers={"Authorization": f"Bearer {api.keys['ak']}"}
    )
    items = document(answer, 200)["items"]
    assert isinstance(items, list)
    return items


async def key_id(api: Api, short: str) -> str:
    listed = document(await api.ask("GET", "/v1/keys", key="ak"), 200)["items"]
    assert isinstance(listed, list)
    return str(next(one["id"] for one in listed if api.keys[short].endswith(one["ending"])))


def told(found: list[Json]) -> list[tuple[object, ...]]:
    return [(one["action"], one["outcome"], one["subject"], one["code"]) for one in found]


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=named)
def test_what_takes_a_power_is_in_the_log(endpoint: Endpoint) -> None:
    """Every write that takes one of the rights that are not for selling, every export, invitation
    codes and audits among them, and every mail of somebody's that is opened. Of selling what gives
    places for nothing, what issues the invoices of many, and what sends news of a booking to
    another address."""
    is_power = bool(endpoint.scopes) and endpoint.scopes <= POWERS
    is_power |= endpoint.path.endswith("/free-sale") or endpoint.path == "/v1/invoices"
    is_power |= endpoint.path.endswith("/{booking_id}/contact")
    is_tool = endpoint.path.startswith(TOOLS) or endpoint.path.endswith("/preview")
    writes = endpoint.method != "GET" and not is_tool
    exports = endpoint.path == "/v1/personal-data" or endpoint.path.startswith("/v1/outbox/")
    exports |= endpoint.path.endswith(("/invite-batches/{batch}/codes", "{waiting_room_id}/audit"))
    links = writes and "/calendar-links" in endpoint.path
    assert endpoint.audited is ((is_power and writes) or exports or links)


async def test_who_did_it_is_told(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1")
    path = f"/v1/bookings/{booking['id']}"
    document(await api.ask("DELETE", path), 200)
    (entry,) = await entries(api, subject=str(booking["id"]))
    assert entry["actor"] == await key_id(api, "sk")
    assert (entry["actor_name"], entry["times"]) == ("test sk", 1)
    assert entry["address"] == "127.0.0.1"
    assert told([entry]) == [("cancel_booking", "asked", booking["id"], None)]
    # What was then not done has another entry, which says why.
    problem(await api.ask("DELETE", path), "booking_cancelled")
    assert told(await entries(api, subject=str(booking["id"]))) == [
        ("cancel_booking", "refused", booking["id"], "booking_cancelled"),
        ("cancel_booking", "asked", booking["id"], None),
        ("cancel_booking", "asked", booking["id"], None),
    ]


async def test_a_shopper_is_told_of_by_the_feed_alone(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1")
    answer = await api.ask(
        "DELETE", f"/v1/bookings/{booking['id']}", key="pk", Bespeak_Shopper=api.token("asha")
    )
    document(answer, 200)
    assert await entries(api) == []


async def test_keys_and_logins_are_told_with_their_effect(api: Api) -> None:
    made = document(
        await api.ask("POST", "/v1/keys", {"kind": "secret", "name": "x"}, key="ak"), 201
    )
    details = made["details"]
    assert isinstance(details, dict)
    document(await api.ask("DELETE", f"/v1/keys/{details['id']}", key="ak"), 200)
    _, headers = await log_in(api)
    await api.client.delete("/v1/console/session", headers=headers)
    assert told(await entries(api)) == [
        ("log_out", "done", None, None),
        ("log_in", "done", None, None),
        ("revoke_key", "asked", details["id"], None),
        ("key_made", "done", details["id"], None),
        ("create_key", "asked", None, None),
    ]
    assert {one["actor"] for one in await entries(api)} == {await key_id(api, "ak")}


async def test_an_export_is_told_without_the_owners_name(api: Api, show: Resource) -> None:
    await api.booking(show, "A1", owner="asha@example.com")
    await api.get("/v1/personal-data?owner=asha@example.com")
    begun = {"owner": "asha@example.com", "including_upcoming": True}
    document(await api.ask("POST", "/v1/erasures", begun), 202)
    erasing, exporting = await entries(api)
    assert (exporting["action"], erasing["action"]) == ("export_personal_data", "erase_owner")
    assert exporting["subject"] == erasing["subject"] is not None
    rows = await api.connection.fetch("select t::text as line from bespeak.audit_entry t")
    assert not any("asha" in row["line"] for row in rows)


async def test_an_owner_that_no_database_takes_is_refused_as_before(api: Api) -> None:
    problem(await api.ask("POST", "/v1/erasures", {"owner": "a\0b"}), "invalid_request")
    problem(await api.ask("GET", "/v1/personal-data?owner=a%00b"), "invalid_request")
    assert [one["outcome"] for one in await entries(api)] == ["refused", "asked"] * 2


async def test_refused_rights_are_counted_and_bounded(
    api: Api, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An attacker with a key of little worth asks a thousand times; with many, all at once."""
    scanner = await api.restricted("check_in")
    for _ in range(50):
        problem(
            await api.ask("DELETE", f"/v1/resources/{show.id}/blocks/x", key=scanner),
            "missing_scope",
        )
    problem(await api.ask("POST", "/v1/keys", {}, key="sk"), "key_kind_wrong")
    bound = await api.restricted("read", resources=["res_00000001"])
    problem(await api.ask("GET", f"/v1/resources/{show.id}", key=bound), "key_bound")
    problem(await api.ask("POST", "/v1/keys", {}, key="pk"), "key_kind_wrong")
    wrong = await api.ask("POST", "/v1/console/session", {"key": "ak_wrong"}, key=None)
    problem(wrong, "key_unknown")
    assert await entries(api) == []
    await api.service.audit_log.flush()
    found = {(one["actor"], one["action"], one["code"], one["times"]) for one in await entries(api)}
    assert found == {
        (scanner, "lift_block", "missing_scope", 50),
        (await key_id(api, "sk"), "create_key", "key_kind_wrong", 1),
        (bound, "get_resource", "key_bound", 1),
        ("nobody", "log_in", "key_unknown", 1),
    }
    monkeypatch.setattr(audit_log, "_REFUSALS_MAX", 3)
    for number in range(100):
        api.service.audit_log.count_refusal(f"key_{number}", "create_key", "missing_scope")
    await api.service.audit_log.flush()
    others = await entries(api, actor="nobody", action="any")
    assert [one["times"] for one in others] == [97]


@pytest.mark.parametrize(
    "attack",
    [
        "update bespeak.audit_entry set actor = 'somebody else'",
        "delete from bespeak.audit_entry",
        "truncate bespeak.audit_entry",
    ],
)
async def test_what_is_written_stays(attack: str, api: Api, show: Resource) -> None:
    await api.block(show, "A1")
    before = await entries(api)
    assert len(before) == 1
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await api.connection.execute(attack)
    assert await entries(api) == before


async def test_old_entries_go_after_their_time(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    await api.block(show, "A1")
    await moved_clock.set(START + timedelta(days=20))
    await api.block(show, "A2")
    await moved_clock.set(START + timedelta(days=31))
    keeping = Settings(
        keep_holds_days=0,
        keep_keys_days=0,
        keep_events_days=0,
        keep_mails_days=0,
        keep_audit_log_days=30,
    )
    await Retention(api.service.engine.database.pool, keeping).finish()
    (left,) = await entries(api)
    assert str(left["at"]).startswith(f"{START + timedelta(days=20):%Y-%m-%d}")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await api.connection.execute("delete from bespeak.audit_entry")


async def test_without_its_entry_nothing_is_done(
    api: Api, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry is first: a database that cannot write it can do nothing else either."""

    async def away(*_: object) -> None:
        raise DatabaseReadOnly

    before = await api.snapshot()
    monkeypatch.setattr(api.service.audit_log, "asked", away)
    answer = await api.ask("POST", f"/v1/resources/{show.id}/cancellation", {"reason": "rain"})
    problem(answer, "database_read_only")
    assert await api.snapshot() == before


async def test_it_is_read_by_page_by_time_and_as_a_file(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    for unit in ("A1", "A2", "A3"):
        await api.block(show, unit)
        await moved_clock.set(moved_clock.now + timedelta(hours=1))
    first = document(await api.ask("GET", f"{PATH}?limit=2", key="ak"), 200)
    rest = document(await api.ask("GET", f"{PATH}?limit=2&after={first['next']}", key="ak"), 200)
    assert isinstance(first["items"], list) and isinstance(rest["items"], list)
    assert [*first["items"], *rest["items"]] == await entries(api)
    assert (len(first["items"]), len(rest["items"]), rest["next"]) == (2, 1, None)
    moment = (START + timedelta(minutes=30)).isoformat()
    late = await api.client.get(
        PATH, params={"from": moment}, headers={"Authorization": f"Bearer {api.keys['ak']}"}
    )
    assert len(late.json()["items"]) == 2
    file: httpx.Response = await api.ask("GET", f"{PATH}?format=csv", key="ak")
    assert file.headers["content-type"].startswith("text/csv")
    assert len(file.text.strip().splitlines()) == 4
    problem(await api.ask("GET", f"{PATH}?after=x", key="ak"), "invalid_cursor")
    problem(await api.ask("GET", f"{PATH}?actor=%00", key="ak"), "invalid_request", field="actor")
    problem(await api.ask("GET", PATH, key="sk"), "key_kind_wrong")


async def test_the_command_is_in_the_log(api: Api, connection: Connection) -> None:
    await audit_log.add_entry(connection, CLI, "key_made", subject="key_x\x00" + "y" * 200)
    (entry,) = await entries(api, actor="cli")
    assert str(entry["subject"]).startswith("key_xyy") and len(str(entry["subject"])) == 100
