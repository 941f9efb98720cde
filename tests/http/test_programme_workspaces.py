"""The programmes of two workspaces: neither lists, reads, changes or uses what is the other's, and
what is another's is answered as what nobody has.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import cast

import httpx
import pytest

from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.endpoint import Endpoint
from bespeak.inventory.workspaces import DEFAULT
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.programmes import (
    PLAN,
    ROOT,
    drawn,
    hall,
    made,
    performance,
    performance_of,
)
from tests.http.test_every_endpoint import named
from tests.http.workspaces import ACME, OTHER, act_in, found_acme

NAMES = ("venue", "hall", "production", "performance")
OURS = [one for one in ENDPOINTS if one.path.startswith(f"{ROOT}/") and one.kinds]
SAMPLE = f"{ROOT}/sample"  # no list: see test_programme_sample.py
LISTS = [one for one in OURS if one.method == "GET" and "{" not in one.path and one.path != SAMPLE]
OF_ONE = [one for one in OURS if "{" in one.path]
BODIES: dict[str, Json] = {
    f"PATCH {ROOT}/venues/{{venue_id}}": {"name": "Mine"},
    f"PATCH {ROOT}/halls/{{hall_id}}": {"plan": PLAN},
    f"PATCH {ROOT}/productions/{{production_id}}": {"archived": True},
    f"PUT {ROOT}/productions/{{production_id}}/picture": {"picture": drawn()},
    f"PATCH {ROOT}/performances/{{performance_id}}": {"note": "mine"},
    f"POST {ROOT}/performances/{{performance_id}}/copies": {"starts_at": ["2031-01-01T20:00"]},
}


@dataclass(frozen=True)
class House:
    """What somebody has in a programme, by the names in paths."""

    ids: dict[str, str]

    def path(self, endpoint: Endpoint) -> str:
        path = endpoint.path
        for name, value in self.ids.items():
            path = path.replace(f"{{{name}_id}}", value)
        return path


async def house(api: Api, workspace: str) -> House:
    """A house with a published performance, and with a production that has none."""
    act_in(api, workspace)
    given = await performance(api, published=True)
    ids = {name: str(cast(Json, given[name])["id"]) for name in NAMES[:3]}
    return House(ids | {"performance": str(given["id"])})


def nobodys(one: House) -> House:
    """The same with ids that nothing has."""
    return House({name: value[:-4] + "zzzz" for name, value in one.ids.items()})


@pytest.fixture
async def api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    async with opened(SETTINGS, database_url, connection) as found:
        await found_acme(found)
        yield found


@pytest.mark.parametrize("key", ["ak", "sk", "pk"])
async def test_a_list_has_its_own_and_nothing_else(api: Api, key: str) -> None:
    houses = {workspace: await house(api, workspace) for workspace in (DEFAULT, ACME)}
    for workspace, own in houses.items():
        act_in(api, workspace)
        theirs = houses[OTHER[workspace]]
        for endpoint in LISTS:
            text = (await api.ask("GET", endpoint.path, key=key)).text
            kind = endpoint.path.rpartition("/")[2].removesuffix("s")
            assert own.ids[kind] in text, endpoint.path
            for name in ("venue", "production"):
                asked = f"{endpoint.path}?{name}={theirs.ids[name]}"
                text += (await api.ask("GET", asked, key=key)).text
            found = [
                value for value in theirs.ids.values() if value in text.replace("instance", "")
            ]
            assert not found, endpoint.path


@pytest.mark.parametrize("theirs", [DEFAULT, ACME])
async def test_what_is_anothers_is_what_nobody_has(api: Api, theirs: str) -> None:
    world = await house(api, theirs)
    nothing = nobodys(world)
    act_in(api, OTHER[theirs])
    before = await api.snapshot()
    assert len(OF_ONE) == 12
    for endpoint in OF_ONE:
        body = BODIES.get(named(endpoint))
        answers = [
            said(await api.ask(endpoint.method, one.path(endpoint), body, key="ak"), one)
            for one in (world, nothing)
        ]
        assert answers[0] == answers[1], named(endpoint)
        assert answers[0][0] == 404, named(endpoint)
    after = await api.snapshot()
    assert {table for table in before if before[table] != after[table]} <= {"bespeak.audit_entry"}


def said(answer: httpx.Response, one: House) -> tuple[int, str]:
    """An answer without what differs in every one: its number, and the ids it was asked with."""
    text = answer.text.replace(answer.headers["x-request-id"], "")
    for name, value in one.ids.items():
        text = text.replace(value, name)
    return answer.status_code, text


async def test_nothing_is_made_of_what_is_anothers(api: Api) -> None:
    theirs = await house(api, DEFAULT)
    act_in(api, ACME)
    own = await hall(api)
    body = {"venue": theirs.ids["venue"], "name": "Mine", "plan": PLAN}
    problem(await api.ask("POST", f"{ROOT}/halls", body, key="ak"), "venue_not_found")
    mine = await made(api, "/productions", {"title": "Mine", "minutes": 60})
    for part, code in (
        ({"production": theirs.ids["production"]}, "production_not_found"),
        ({"hall": theirs.ids["hall"]}, "hall_not_found"),
    ):
        asked = performance_of(mine, own) | part
        problem(await api.ask("POST", f"{ROOT}/performances", asked, key="ak"), code)


async def test_a_performance_is_a_resource_of_its_workspace(api: Api) -> None:
    own = await house(api, ACME)
    lines = [{"resource_id": own.ids["performance"], "unit": "A1"}]
    body = {"owner": "asha", "lines": lines}
    document(await api.ask("POST", "/v1/holds", body), 201)
    act_in(api, DEFAULT)
    problem(await api.ask("POST", "/v1/holds", body), "resource_not_found")


async def test_both_may_use_the_same_idempotency_key(api: Api) -> None:
    found = {}
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        body = {"title": f"The one of {workspace}"}
        answer = await api.ask(
            "POST", f"{ROOT}/productions", body, key="ak", idempotency_key="spring"
        )
        found[workspace] = document(answer, 201)["id"]
    assert found[DEFAULT] != found[ACME]


async def test_the_usual_currency_is_that_of_the_workspaces_merchant(api: Api) -> None:
    for workspace, currency in ((DEFAULT, "EUR"), (ACME, "CHF")):
        act_in(api, workspace)
        document(await api.ask("PATCH", "/v1/merchant", {"currency": currency}, key="ak"), 200)
        assert (await performance(api, currency=None))["currency"] == currency
