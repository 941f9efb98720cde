"""Keys with scopes: what each scope opens, all over the table of endpoints; where a bound key may
go; and when one ends.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest
import pytest_asyncio

from bespeak import Resource
from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.keys import PRESETS, KeyKind
from bespeak.http.server.scopes import ANY_SCOPE, SECRET_SCOPES, KeyScope
from bespeak.http.server.subjects import by_query, within_bounds
from bespeak.verticals.cinema.names import CINEMA, id_of
from tests.harness.clock import START, Clock
from tests.harness.database import Connection
from tests.harness.paying import paid_show
from tests.harness.shows import MakeShow
from tests.http.api import SETTINGS, Api, Json, document, line, opened, place, problem
from tests.http.refused_cinema import show_id
from tests.http.scenarios import NO_HOLD, Stage
from tests.http.test_desk import captured, issued
from tests.http.test_every_endpoint import named, path_of, query_of
from tests.http.test_refunds import booked, only_refund

KEYED = [endpoint for endpoint in ENDPOINTS if endpoint.kinds]
BINDABLE = ANY_SCOPE - {KeyScope.ADMIN, KeyScope.PERSONAL_DATA}
# Open to who may read or refund, yet not to sk_ keys, which never were let in here.
OPERATORS_ONLY = ("/v1/overview", "/v1/advice", "/v1/refunds/{refund_id}/retry")


def lets_in(endpoint: Endpoint, scopes: frozenset[KeyScope]) -> bool:
    return (
        endpoint.scopes <= scopes if endpoint.needs_all_scopes else bool(endpoint.scopes & scopes)
    )


@pytest.mark.parametrize("endpoint", KEYED, ids=named)
def test_every_endpoint_says_which_scopes_open_it(endpoint: Endpoint) -> None:
    """An sk_ key and an ak_ key are presets: each opens what its scopes open."""
    assert endpoint.scopes
    assert KeyKind.RESTRICTED not in endpoint.kinds
    if KeyKind.SECRET in endpoint.kinds:
        assert lets_in(endpoint, SECRET_SCOPES)
    elif not endpoint.path.startswith(OPERATORS_ONLY):
        assert not endpoint.scopes & SECRET_SCOPES


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("scope", KeyScope)
async def test_a_scope_opens_what_says_so_and_nothing_else(
    scope: KeyScope, module_api: Api
) -> None:
    key = await module_api.restricted(scope)
    may = ANY_SCOPE if scope is KeyScope.ADMIN else frozenset((scope,))
    before = await module_api.snapshot()
    opened_some = False
    for endpoint in KEYED:
        answer = await module_api.ask(endpoint.method, path_of(endpoint), key=key)
        if lets_in(endpoint, may):
            assert answer.status_code not in (401, 403), (endpoint.path, answer.text)
            opened_some = True
        else:
            problem(
                answer,
                "missing_scope",
                scopes=sorted(endpoint.scopes),
                needs_all=endpoint.needs_all_scopes,
            )
    assert opened_some
    assert await module_api.snapshot() == before


async def test_a_check_in_key_checks_in_and_does_nothing_else(api: Api, show: Resource) -> None:
    """What every scanner at a door carried was an sk_ key, which can refund everything."""
    booking = await api.booking(show, "A1", "A2")
    page = await api.get(f"/v1/bookings/{booking['id']}/tickets")
    code = page["items"][0]["code"]  # type: ignore[index]
    scanner = await api.restricted("check_in")
    scan = {"code": code, "gate": "North", "resource_id": show.id}
    document(await api.ask("POST", "/v1/check-ins", scan, key=scanner), 201)
    inside = document(await api.ask("GET", f"/v1/resources/{show.id}/check-ins", key=scanner), 200)
    assert inside["count"] == 1
    before = await api.snapshot()
    for method, path, body in (
        ("DELETE", f"/v1/bookings/{booking['id']}", None),
        ("POST", f"/v1/resources/{show.id}/cancellation", {"reason": "mine"}),
        ("GET", "/v1/bookings", None),
        ("GET", f"/v1/bookings/{booking['id']}/tickets", None),
        ("POST", "/v1/keys", {"kind": "admin", "name": "mine"}),
        ("POST", "/v1/shopper-tokens", {"owner": "asha"}),
    ):
        problem(await api.ask(method, path, body, key=scanner), "missing_scope")
    assert await api.snapshot() == before


async def test_who_may_not_refund_mints_no_token_that_may(api: Api) -> None:
    """With a shopper's token a browser cancels that shopper's bookings: by way of a token, a key
    that sells would refund."""
    seller = await api.restricted("sell", "read")
    problem(
        await api.ask("POST", "/v1/shopper-tokens", {"owner": "asha"}, key=seller),
        "missing_scope",
        needs_all=True,
    )
    shop = await api.restricted("sell", "read", "refund")
    document(await api.ask("POST", "/v1/shopper-tokens", {"owner": "asha"}, key=shop), 201)


async def test_codes_are_shown_to_who_sells_by_them_only(api: Api, make_show: MakeShow) -> None:
    pricing = {"codes": [{"code": "SESAME", "capacity": 5, "basis_points": 5000}]}
    show = await make_show()
    changed = await api.ask("PATCH", f"/v1/resources/{show.id}", {"pricing": pricing}, key="ak")
    document(changed, 200)
    for scope in BINDABLE:
        key = await api.restricted(scope)
        shown = await api.ask("GET", f"/v1/resources/{show.id}", key=key)
        assert ("SESAME" in shown.text) is (scope in (KeyScope.SELL, KeyScope.MANAGE)), scope


async def test_a_secret_scope_is_not_in_a_url(api: Api, show: Resource) -> None:
    key = await api.restricted("read")
    path = f"/v1/resources/{show.id}/stream?key={api.keys[key]}"
    problem(await api.ask("GET", path, key=None), "key_kind_wrong")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"kind": "restricted"}, "scopes"),
        ({"kind": "restricted", "scopes": []}, "scopes"),
        ({"kind": "restricted", "scopes": ["everything"]}, "scopes[0]"),
        ({"kind": "restricted", "scopes": ["read"] * 8}, "scopes"),
        ({"kind": "secret", "scopes": ["read"]}, "scopes"),
        ({"kind": "secret", "resources": ["res_00000001"]}, "resources"),
        ({"kind": "admin", "place": "cinema/cin_000000000000"}, "place"),
        ({"kind": "restricted", "scopes": ["read"], "resources": []}, "resources"),
        ({"kind": "restricted", "scopes": ["read"], "place": "cinema/cin_000000000000"}, "place"),
        ({"kind": "restricted", "scopes": ["read"], "place": "cinema/\x00"}, "place"),
        ({"kind": "restricted", "scopes": ["read"], "place": "cinema"}, "place"),
        ({"kind": "restricted", "scopes": ["read"], "place": "gym/1"}, "place"),
        (
            {"kind": "restricted", "scopes": ["admin"], "resources": ["res_00000001"]},
            "scopes",
        ),
        ({"kind": "secret", "expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"kind": "secret", "expires_at": "2030-01-01T00:00:00"}, "expires_at"),
        ({"kind": "secret", "expires_at": "9999-12-31T23:59:59-23:00"}, "expires_at"),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_rights_that_make_no_sense_are_refused(
    body: Json, field: str, module_api: Api
) -> None:
    before = await module_api.snapshot()
    answer = await module_api.ask("POST", "/v1/keys", {"name": "x", **body}, key="ak")
    assert problem(answer, "invalid_request").get("field") == field
    assert await module_api.snapshot() == before


async def test_what_a_key_may_is_listed(api: Api, show: Resource, moved_clock: Clock) -> None:
    ends = (START + timedelta(days=1)).isoformat().replace("+00:00", "Z")
    asked = {
        "kind": "restricted",
        "name": "door",
        "scopes": ["check_in", "read"],
        "resources": [show.id],
        "expires_at": ends,
    }
    made = document(await api.ask("POST", "/v1/keys", asked, key="ak"), 201)
    assert str(made["key"]).startswith("rk_")
    details = made["details"]
    assert isinstance(details, dict)
    assert details["scopes"] == ["read", "check_in"]
    assert (details["resources"], details["place"]) == ([show.id], None)
    listed = document(await api.ask("GET", "/v1/keys", key="ak"), 200)["items"]
    assert isinstance(listed, list)
    assert listed[0] == details
    presets = {one["kind"]: one["scopes"] for one in listed}
    assert presets["publishable"] == []
    assert set(presets["secret"]) == SECRET_SCOPES
    assert set(presets["admin"]) == ANY_SCOPE


@pytest.mark.parametrize("kind", PRESETS)
async def test_a_key_ends_at_its_time(kind: KeyKind, api: Api, moved_clock: Clock) -> None:
    ends = START + timedelta(hours=1)
    asked = {"kind": kind, "name": "for an hour", "expires_at": ends.isoformat()}
    made = document(await api.ask("POST", "/v1/keys", asked, key="ak"), 201)
    api.keys["mine"] = str(made["key"])
    document(await api.ask("GET", "/v1/resources", key="mine"), 200)
    await moved_clock.set(ends)
    api.service.keys.forget(api.keys["mine"])  # as it is by itself within the trusted time
    problem(await api.ask("GET", "/v1/resources", key="mine"), "key_expired")


# Bound keys.


@pytest_asyncio.fixture
async def world(
    database_url: str, connection: Connection, make_show: MakeShow
) -> AsyncIterator[tuple[Api, Resource, Mapping[str, str]]]:
    """The API, a resource of one's own, and what others have, by the names in paths: a resource
    with a block, a hold, a booking that was paid for, and a refund."""
    settings = type(SETTINGS)(
        known_taken_seconds=0,
        pool_max=4,
        availability_ms=0,
        payment_providers="sandbox",
        allow_pretend_money=True,
    )
    async with opened(settings, database_url, connection) as api:
        own = await make_show()
        other = await paid_show(make_show)
        booking = await booked(api, other, "A1", "A2", "A3")
        await captured(api, str(booking["id"]))
        invoice = (await issued(api, booking))[0]
        partly = {"lines": [line(other, "A2")], "refund": "full"}
        path = f"/v1/bookings/{booking['id']}"
        cancelled = document(await api.ask("DELETE", path, partly), 200)
        hold = await api.hold(other, "A9")
        payment = booking["payment"]
        assert isinstance(payment, dict)
        yield (
            api,
            own,
            {
                "{resource_id}": other.id,
                "{show_id}": other.id,
                "{performance_id}": other.id,
                "{block_id}": str((await api.block(other, "B8"))["id"]),
                "{hold_id}": str(hold["id"]),
                "{booking_id}": str(booking["id"]),
                "{payment_id}": str(payment["id"]),
                "{refund_id}": str(only_refund(cancelled)["id"]),
                "{invoice_id}": str(invoice["id"]),
            },
        )


def bodies(others: Mapping[str, str]) -> dict[str, Json]:
    """Of the calls that are about what their bodies name: bodies that name what others have."""
    resource_id = others["{resource_id}"]
    lines = [{"resource_id": resource_id, "unit": "A10"}]
    scan: Json = {"code": "x", "resource_id": resource_id}
    return {
        "POST /v1/holds": {"owner": "asha", "lines": lines},
        "POST /v1/holds/batch": {"holds": [{"owner": "asha", "lines": lines}]},
        "POST /v1/quotes": {"lines": lines},
        "POST /v1/bookings": {"hold_id": others["{hold_id}"]},
        "POST /v1/check-ins": scan,
        "POST /v1/check-ins/batch": {"scans": [scan]},
        "POST /v1/blocks": {
            "resources": [{"resource_id": resource_id, "lines": [{"unit": "A10"}]}],
            "reason": "mine",
        },
    }


async def test_a_bound_key_touches_nothing_that_is_not_its_own(
    world: tuple[Api, Resource, Mapping[str, str]],
) -> None:
    """All over the table: what is of another resource, and what is of the whole installation."""
    api, own, others = world
    key = await api.restricted(*BINDABLE, resources=[own.id])
    before = await api.snapshot()
    tried = bodies(others)
    assert {named(one) for one in KEYED if one.body_about is not None} == set(tried)
    for endpoint in KEYED:
        path = endpoint.path
        for name, value in others.items():
            path = path.replace(name, value)
        path = path_of(replace(endpoint, path=path)) + query_of(endpoint)
        query = f"?resource_id={others['{resource_id}']}" if endpoint.about is by_query else ""
        for asked in {path, path + query}:
            answer = await api.ask(endpoint.method, asked, tried.get(named(endpoint)), key=key)
            if endpoint.about is within_bounds:
                document(answer, 200)
                assert others["{resource_id}"] not in answer.text
                continue
            wanted = "key_bound" if endpoint.scopes & BINDABLE else "missing_scope"
            if endpoint.needs_all_scopes and not endpoint.scopes <= BINDABLE:
                wanted = "missing_scope"
            problem(answer, wanted)
    assert await api.snapshot() == before


async def test_a_bound_key_works_for_its_own(
    world: tuple[Api, Resource, Mapping[str, str]],
) -> None:
    api, own, others = world
    key = await api.restricted(*BINDABLE, resources=[own.id])
    hold = document(await api.send(replace(place(own, "A1", "A2"), key=key)), 201)
    shown = await api.ask("GET", f"/v1/holds/{hold['id']}", key=key)
    assert document(shown, 200)["id"] == hold["id"]
    booking = document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}, key=key), 201)
    listed = await api.ask("GET", f"/v1/bookings?resource_id={own.id}", key=key)
    assert document(listed, 200)["next"] is None
    page = await api.ask("GET", f"/v1/bookings/{booking['id']}/tickets", key=key)
    code = document(page, 200)["items"][0]["code"]  # type: ignore[index]
    problem(await api.ask("POST", "/v1/check-ins", {"code": code}, key=key), "key_bound")
    scan = {"code": code, "resource_id": own.id}
    document(await api.ask("POST", "/v1/check-ins", scan, key=key), 201)
    second = {"lines": [line(own, "A2")]}
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}", second, key=key), 200)
    document(await api.ask("GET", f"/v1/events?resource_id={own.id}", key=key), 200)
    # What does not exist is told as to everybody.
    problem(await api.ask("GET", f"/v1/holds/{NO_HOLD}", key=key), "hold_not_found")
    # One line of others is one too many.
    resource = others["{resource_id}"]
    mixed = {"owner": "asha", "lines": [line(own, "A5"), {"resource_id": resource, "unit": "A11"}]}
    answer = await api.ask("POST", "/v1/holds", mixed, key=key)
    problem(answer, "key_bound", resource_id=resource)


async def test_a_ticket_of_another_resource_is_refused_at_a_bound_gate(
    world: tuple[Api, Resource, Mapping[str, str]],
) -> None:
    api, own, others = world
    page = await api.get(f"/v1/bookings/{others['{booking_id}']}/tickets")
    code = page["items"][0]["code"]  # type: ignore[index]
    key = await api.restricted("check_in", resources=[own.id])
    scan = {"code": code, "resource_id": own.id}
    problem(await api.ask("POST", "/v1/check-ins", scan, key=key), "wrong_resource")


async def test_a_door_lists_its_own_entrances(
    world: tuple[Api, Resource, Mapping[str, str]],
) -> None:
    api, own, others = world
    at_one = await api.restricted("check_in", resources=[own.id])
    items = document(await api.ask("GET", "/v1/check-ins/entrances", key=at_one), 200)["items"]
    (only,) = cast("list[dict[str, object]]", items)
    assert only["resource_id"] == own.id and only["checked_in"] == 0
    anywhere = await api.restricted("check_in")
    listed = await api.ask("GET", "/v1/check-ins/entrances", key=anywhere)
    assert own.id in listed.text and others["{resource_id}"] in listed.text
    none = await api.ask("GET", "/v1/check-ins/entrances?q=%25", key=anywhere)
    assert document(none, 200)["items"] == []
    problem(await api.ask("GET", "/v1/check-ins/entrances?q=%00", key=anywhere), "invalid_request")


async def test_entrances_are_near_in_time(api: Api, make_show: MakeShow) -> None:
    now = datetime.now(UTC)
    for name, days in {"long ago": -3, "tonight": 0.5, "in a month": 30}.items():
        await make_show(name=name, starts_at=now + timedelta(days=days))
    await make_show(name="any day")

    async def names(query: str = "") -> list[str]:
        listed = await api.get(f"/v1/check-ins/entrances{query}")
        return [str(one["name"]) for one in cast("list[dict[str, object]]", listed["items"])]

    assert await names() == ["tonight", "any day"]
    assert await names("?q=A%20MON") == ["in a month"]


async def test_a_key_of_a_cinema_works_for_its_shows(
    api: Api,
    show: Resource,
    moved_clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with AsyncExitStack() as stack:
        evening = await show_id(Stage(api, show, moved_clock, monkeypatch, stack))
    cinema = id_of(CINEMA, "alka")
    asked = {"kind": "restricted", "name": "door", "scopes": ["read"], "place": f"cinema/{cinema}"}
    made = document(await api.ask("POST", "/v1/keys", asked, key="ak"), 201)
    api.keys["door"] = str(made["key"])
    for path in (f"/v1/resources/{evening}", f"/v1/cinema/shows/{evening}"):
        document(await api.ask("GET", path, key="door"), 200)
    problem(await api.ask("GET", f"/v1/resources/{show.id}", key="door"), "key_bound")
    problem(await api.ask("GET", "/v1/resources/res_none", key="door"), "invalid_id")
    scanner = await api.restricted("check_in", place=f"cinema/{cinema}")
    found = document(await api.ask("GET", "/v1/check-ins/entrances?q=e", key=scanner), 200)["items"]
    assert evening in str(found) and show.id not in str(found)
    await api.connection.execute("delete from cinema.show")
    problem(await api.ask("GET", "/v1/cinema/shows", key="door"), "key_bound")
