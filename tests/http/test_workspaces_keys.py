"""Who works in one of two workspaces: keys, shopper tokens, idempotency keys and operators are good
in their own one.
"""

from collections.abc import AsyncIterator
from typing import cast

import pytest

from bespeak.inventory.workspaces import DEFAULT
from tests.harness.database import Connection
from tests.harness.passkey_device import PasskeyDevice
from tests.http.api import Api, Json, document, problem
from tests.http.operating import operator
from tests.http.workspaces import ACME, act_in, make_world, opened_twofold


@pytest.fixture
async def api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    async with opened_twofold(database_url, connection) as made:
        yield made


async def test_keys_of_a_workspace_are_its_own(api: Api) -> None:
    act_in(api, ACME)
    made = document(
        await api.ask("POST", "/v1/keys", {"kind": "secret", "name": "shop"}, key="ak"), 201
    )
    details = made["details"]
    assert isinstance(details, dict)
    assert details["workspace"] == ACME
    listed = document(await api.ask("GET", "/v1/keys", key="ak"), 200)["items"]
    assert isinstance(listed, list)
    assert {one["workspace"] for one in listed} == {ACME}
    act_in(api, DEFAULT)
    path = f"/v1/keys/{details['id']}"
    problem(await api.ask("DELETE", path, key="ak"), "key_not_found")
    theirs = document(await api.ask("GET", "/v1/keys", key="ak"), 200)["items"]
    assert all("workspace" not in one for one in theirs)  # type: ignore[attr-defined]
    act_in(api, ACME)
    document(await api.ask("DELETE", path, key="ak"), 200)


async def test_no_key_is_bound_to_a_place_of_another_workspace(api: Api) -> None:
    act_in(api, ACME)
    asked = {"kind": "restricted", "name": "x", "scopes": ["read"], "place": "cinema/cin_x"}
    problem(await api.ask("POST", "/v1/keys", asked, key="ak"), "invalid_request", field="place")


async def test_a_shopper_token_is_good_in_its_workspace_only(api: Api) -> None:
    """Else the server of one workspace could speak for the shoppers of every other."""
    tokens = {}
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        asked = {"owner": "asha"}
        minted = document(await api.ask("POST", "/v1/shopper-tokens", asked), 201)
        tokens[workspace] = str(minted["token"])
    world = await make_world(api, ACME)
    path = f"/v1/bookings/{world.ids['{booking_id}']}"
    act_in(api, ACME)
    document(await api.ask("GET", path, key="pk", Bespeak_Shopper=tokens[ACME]), 200)
    wrong = await api.ask("GET", path, key="pk", Bespeak_Shopper=tokens[DEFAULT])
    problem(wrong, "shopper_token_invalid")
    act_in(api, DEFAULT)
    wrong = await api.ask("GET", path, key="pk", Bespeak_Shopper=tokens[ACME])
    problem(wrong, "shopper_token_invalid")


async def test_idempotency_keys_of_two_workspaces_are_two_keys(api: Api) -> None:
    """The same owner and the same key: neither is refused, and neither gets the other's."""
    plan = {"type": "pools", "pools": [{"unit": "floor", "capacity": 10}]}
    asked = {"name": "Loft", "plan": plan}
    made: dict[str, Json] = {}
    holds: dict[str, list[object]] = {}
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        answer = await api.ask("POST", "/v1/resources", asked, key="ak", Idempotency_Key="one")
        made[workspace] = document(answer, 201)
        again = await api.ask("POST", "/v1/resources", asked, key="ak", Idempotency_Key="one")
        assert document(again, 201)["id"] == made[workspace]["id"]
        floor = {"resource_id": made[workspace]["id"], "unit": "floor", "quantity": 1}
        body = {"owner": "asha", "lines": [floor]}
        for _ in range(2):
            answer = await api.ask("POST", "/v1/holds", body, Idempotency_Key="one")
            holds.setdefault(workspace, []).append(document(answer, 201)["id"])
    assert made[DEFAULT]["id"] != made[ACME]["id"]
    assert [len(set(found)) for found in holds.values()] == [1, 1]
    assert holds[DEFAULT] != holds[ACME]


def items(listed: Json) -> list[Json]:
    return cast("list[Json]", listed["items"])


async def test_operators_work_in_one_workspace(api: Api) -> None:
    """Each invites its own, and is told of nobody else; each keeps an owner of its own."""
    ours = (await make_world(api, DEFAULT)).ids["{resource_id}"]
    home = await operator(api, "home", device=PasskeyDevice())
    act_in(api, ACME)
    asha = await operator(api, "asha", device=PasskeyDevice())
    show = await make_world(api, ACME)
    path = f"/v1/resources/{show.ids['{resource_id}']}"
    document(await asha.ask("GET", path), 200)
    problem(await home.ask("GET", path), "resource_not_found")
    problem(await asha.ask("GET", f"/v1/resources/{ours}"), "resource_not_found")
    problem(await asha.ask("GET", "/metrics"), "not_in_workspace")
    for who, own in ((asha, "asha"), (home, "home")):
        listed = document(await who.ask("GET", "/v1/operators"), 200)
        assert [one["login"] for one in items(listed)] == [own]
        log = document(await who.ask("GET", "/v1/audit-log?action=log_in"), 200)
        assert [one["actor"] for one in items(log)] == [who.operator_id]
    for method, end, body in (("PATCH", "", {"name": "x"}), ("POST", "/link", None)):
        told = await asha.ask(method, f"/v1/operators/{home.operator_id}{end}", body)
        problem(told, "operator_not_found")
    down = {"state": "disabled"}
    problem(await asha.ask("PATCH", f"/v1/operators/{asha.operator_id}", down), "last_owner")
