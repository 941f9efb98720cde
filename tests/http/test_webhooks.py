"""Webhook endpoints over HTTP: made, read, changed, rotated, tested, replayed, deleted."""

from collections.abc import AsyncIterator

import pytest

from bespeak import Resource
from bespeak.notifications.announcer import Announcer
from bespeak.notifications.webhooks.message import KINDS
from bespeak.notifications.webhooks.sender import WebhookSender
from bespeak.notifications.webhooks.worker import WebhookWorker
from tests.harness.database import feed_settled
from tests.harness.receiver import Receiver, receiving, status
from tests.http.api import Api, Json, document, problem, until
from tests.http.conftest import OpenApi

ALL = "/v1/webhook-endpoints"
URL = "https://hooks.example/bespeak?a=1"


async def made(api: Api, **fields: object) -> tuple[Json, str]:
    answer = await api.ask("POST", ALL, {"url": URL, **fields}, key="ak")
    found = document(answer, 201)
    endpoint = found["endpoint"]
    assert isinstance(endpoint, dict)
    assert answer.headers["location"] == f"{ALL}/{endpoint['id']}"
    return endpoint, str(found["secret"])


async def test_a_secret_is_shown_once(api: Api) -> None:
    endpoint, secret = await made(api, types=["booking.confirmed"], description="the shop")
    assert secret.startswith("whsec_") and len(secret) > 40
    assert endpoint == {
        "id": endpoint["id"],
        "url": URL,
        "types": ["booking.confirmed"],
        "resource_ids": None,
        "description": "the shop",
        "enabled": True,
        "disabled_because": None,
        "disabled_at": None,
        "failing_since": None,
        "old_secret_until": None,
        "created_at": endpoint["created_at"],
        "updated_at": endpoint["created_at"],
    }
    read = await api.ask("GET", f"{ALL}/{endpoint['id']}")
    assert document(read, 200) == endpoint
    listed = await api.ask("GET", ALL)
    assert document(listed, 200) == {"items": [endpoint], "next": None}
    assert secret not in read.text + listed.text


async def test_fields_are_changed_one_by_one(api: Api, show: Resource) -> None:
    endpoint, _ = await made(api, types=["booking.confirmed"], resource_ids=[show.id])
    path = f"{ALL}/{endpoint['id']}"

    async def change(**fields: object) -> Json:
        return document(await api.ask("PATCH", path, fields, key="ak"), 200)

    assert (await change())["url"] == URL
    assert (await change(url="https://other.example/"))["types"] == ["booking.confirmed"]
    assert (await change(types=None))["types"] is None
    assert (await change(resource_ids=None))["resource_ids"] is None
    off = await change(enabled=False)
    assert (off["enabled"], off["disabled_because"]) == (False, "operator")
    assert (await change(description="x"))["disabled_at"] == off["disabled_at"]
    on = await change(enabled=True)
    assert (on["enabled"], on["disabled_because"], on["disabled_at"]) == (True, None, None)
    assert on["description"] == "x"


async def test_every_type_can_be_wanted(api: Api) -> None:
    endpoint, _ = await made(api, types=sorted(KINDS))
    assert endpoint["types"] == sorted(KINDS)


async def test_what_is_deleted_is_gone(api: Api) -> None:
    endpoint, _ = await made(api)
    path = f"{ALL}/{endpoint['id']}"
    document(await api.ask("DELETE", path, key="ak"), 200)
    problem(await api.ask("DELETE", path, key="ak"), "webhook_endpoint_not_found")
    problem(await api.ask("GET", path), "webhook_endpoint_not_found")
    assert document(await api.ask("GET", ALL), 200) == {"items": [], "next": None}


async def test_a_rotation_shows_the_new_secret_once(api: Api) -> None:
    endpoint, old = await made(api)
    path = f"{ALL}/{endpoint['id']}"
    rotated = document(await api.ask("POST", f"{path}/rotate", key="ak"), 200)
    assert str(rotated["secret"]).startswith("whsec_") and rotated["secret"] != old
    shown = document(await api.ask("GET", path), 200)
    assert rotated["endpoint"] == shown and shown["old_secret_until"] is not None
    at_once = {"overlap_seconds": 0}
    rotated = document(await api.ask("POST", f"{path}/rotate", at_once, key="ak"), 200)
    assert document(await api.ask("GET", path), 200)["old_secret_until"] is None


async def test_private_addresses_are_for_those_who_say_so(open_api: OpenApi) -> None:
    bold = await open_api(webhook_private=True)
    for url in ("http://127.0.0.1:8080/", "http://localhost/", "http://[::1]/"):
        await made(bold, url=url)


class Line:
    """An endpoint with its receiver, and a courier between them."""

    def __init__(self, api: Api, receiver: Receiver, courier: WebhookWorker) -> None:
        self.api = api
        self.receiver = receiver
        self.courier = courier
        self.path = ""
        self.secret = ""

    async def post(self, verb: str, body: object = None) -> Json:
        return document(await self.api.ask("POST", f"{self.path}/{verb}", body, key="ak"), 202)

    async def log(self, query: str = "") -> list[Json]:
        items = (await self.api.get(f"{self.path}/deliveries{query}"))["items"]
        assert isinstance(items, list)
        return items

    async def replay(self, **body: object) -> Json:
        """What a replay sends, or would: the counts that are not 0."""
        answer = await self.post("replay", body)
        assert answer.pop("dry_run") is body.get("dry_run", False)
        queued = answer.pop("queued")
        counts = {name: count for name, count in answer.items() if count}
        assert sum(counts.values()) == queued  # type: ignore[arg-type]
        return counts

    async def came(self, count: int) -> None:
        """Waits until so many have come, and the log says so."""

        async def all_recorded() -> bool:
            await self.courier.look()
            is_tried = [one["tries"] != 0 for one in await self.log()]
            return len(self.receiver.came) >= count and all(is_tried)

        await until(all_recorded)


@pytest.fixture
async def open_line(open_api: OpenApi) -> AsyncIterator[Line]:
    api = await open_api(webhook_private=True)
    async with receiving() as receiver, WebhookSender(allow_private=True) as sender:
        courier = WebhookWorker(api.service.engine.database.pool, sender, retention_days=30)
        line = Line(api, receiver, courier)
        url = f"{receiver.url}/hook"
        endpoint, line.secret = await made(api, url=url, types=["booking.confirmed"])
        line.path = f"{ALL}/{endpoint['id']}"
        yield line
        await courier.close()


async def test_a_test_is_sent(open_line: Line) -> None:
    test = await open_line.post("test")
    assert (test["type"], test["state"], test["tries"]) == ("webhook.test", "pending", 0)
    await open_line.came(1)
    (came,) = open_line.receiver.came
    assert (came.type, came.id) == ("webhook.test", test["id"])
    assert came.is_signed_with(open_line.secret)
    (logged,) = await open_line.log("?state=delivered")
    assert (logged["status"], logged["answer"], logged["failure"]) == (200, "thanks", None)


async def test_what_failed_is_logged_and_sent_again(open_line: Line, show: Resource) -> None:
    api, receiver = open_line.api, open_line.receiver
    receiver.answers["/hook"] = status(503, "come back later")
    await api.booking(show, "A1")
    await feed_settled(api.connection)
    while not await Announcer(api.service.engine.database.pool).look():
        pass
    await open_line.came(1)
    (failed,) = await open_line.log("?state=pending")
    assert (failed["type"], failed["status"], failed["tries"]) == ("booking.confirmed", 503, 1)
    assert failed["answer"] == "come back later" and failed["next_try_at"] is not None
    assert failed["id"] == receiver.came[0].id

    del receiver.answers["/hook"]
    assert await open_line.replay(delivery_id=failed["id"], dry_run=True) == {"waiting": 1}
    assert await open_line.replay(delivery_id=failed["id"]) == {"waiting": 1}
    await open_line.came(2)
    assert receiver.came[1].body == receiver.came[0].body
    since = "2000-01-01T00:00:00Z"
    assert await open_line.replay(since=since) == {}, "it arrived"
    every: Json = {"since": since, "include_delivered": True}
    assert await open_line.replay(**every, dry_run=True) == {"delivered": 1}
    assert await open_line.replay(**every) == {"delivered": 1}
    await open_line.came(3)
    assert {came.id for came in receiver.came} == {failed["id"]}


@pytest.mark.parametrize("limit", [1, 2, 3, 10])
async def test_the_log_is_paged(limit: int, api: Api) -> None:
    endpoint, _ = await made(api)
    path = f"{ALL}/{endpoint['id']}"
    sent = [document(await api.ask("POST", f"{path}/test", key="ak"), 202)["id"] for _ in range(5)]
    found: list[object] = []
    after = ""
    while True:
        page = await api.get(f"{path}/deliveries?limit={limit}{after}")
        items = page["items"]
        assert isinstance(items, list) and len(items) <= limit
        found += [one["id"] for one in items]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert found == sent[::-1]
