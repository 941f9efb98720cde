"""The webhooks of two workspaces: an endpoint is told of its own, and is found in no other."""

from collections.abc import AsyncIterator

import pytest

from bespeak import ids
from bespeak.inventory.workspaces import DEFAULT
from tests.harness.database import Connection
from tests.http.api import Api, Json, document, problem
from tests.http.workspaces import (
    ACME,
    KEYED,
    act_in,
    changed,
    make_world,
    number_events,
    opened_twofold,
)


@pytest.fixture
async def api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    async with opened_twofold(database_url, connection) as made:
        yield made


async def test_a_webhook_endpoint_of_another_workspace_is_none(api: Api) -> None:
    asked = {"url": "https://shop.example/hook"}
    made = document(await api.ask("POST", "/v1/webhook-endpoints", asked, key="ak"), 201)
    endpoint_id = made["endpoint"]["id"]  # type: ignore[index]
    act_in(api, ACME)
    before = await api.snapshot()
    own = [one for one in KEYED if "{endpoint_id}" in one.path]
    tried: dict[str, Json] = {
        "PATCH": {"url": "https://evil.example"},
        "POST": {"since": "2026-01-01T00:00:00Z"},
    }
    for endpoint in own:
        path = endpoint.path.replace("{endpoint_id}", str(endpoint_id))
        body = tried.get(endpoint.method) if endpoint.body_required else None
        answer = await api.ask(endpoint.method, path, body, key="ak")
        problem(answer, "webhook_endpoint_not_found")
    assert changed(before, await api.snapshot()) <= {"bespeak.audit_entry"}


async def test_webhooks_tell_of_their_workspace_only(api: Api) -> None:
    """What is announced, and what is sent again."""
    endpoints, worlds = {}, {}
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        asked = {"url": f"https://{workspace}.example/hook"}
        made = document(await api.ask("POST", "/v1/webhook-endpoints", asked, key="ak"), 201)
        endpoints[workspace] = made["endpoint"]["id"]  # type: ignore[index]
        worlds[workspace] = await make_world(api, workspace)
    await number_events(api)

    async def told() -> dict[str, set[str]]:
        rows = await api.connection.fetch(
            "select distinct endpoint_id, resource_id from bespeak.webhook_delivery"
        )
        found: dict[str, set[str]] = {}
        for row in rows:
            shown = ids.show_resource(row["resource_id"])
            found.setdefault(row["endpoint_id"], set()).add(shown)
        return found

    expected = {endpoints[name]: {worlds[name].show.id} for name in (DEFAULT, ACME)}
    await api.connection.execute("select bespeak.announce_events('notifications', 1000)")
    assert await told() == expected
    await api.connection.execute(
        "update bespeak.webhook_delivery set state = 'failed', due_at = null"
        " where position = (select min(position) from bespeak.webhook_delivery)"
    )
    assert await waiting(api, DEFAULT) == {"failed": 1, "waiting": await pending(api, DEFAULT)}
    assert await waiting(api, ACME) == {"failed": 0, "waiting": await pending(api, ACME)}
    await api.connection.execute("delete from bespeak.webhook_delivery")
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        path = f"/v1/webhook-endpoints/{endpoints[workspace]}/replay"
        since = {"since": "2020-01-01T00:00:00Z"}
        document(await api.ask("POST", path, since, key="ak"), 202)
    assert await told() == expected


async def waiting(api: Api, workspace: str) -> dict[str, object]:
    """What the console says of the webhooks that wait."""
    act_in(api, workspace)
    items = document(await api.ask("GET", "/v1/overview/work", key="ak"), 200)["items"]
    assert isinstance(items, list)
    (found,) = (one for one in items if one["name"] == "webhooks")
    return {name: found[name] for name in ("failed", "waiting")}


async def pending(api: Api, workspace: str) -> int:
    """How many wait, as the tables say."""
    count: int = await api.connection.fetchval(
        "select count(*) from bespeak.webhook_delivery d"
        " join bespeak.webhook_endpoint w using (endpoint_id)"
        " where d.state = 'pending' and w.workspace = $1",
        workspace,
    )
    assert count
    return count
