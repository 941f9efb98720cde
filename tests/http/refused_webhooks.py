"""How each refusal of the calls about webhooks comes about."""

from bespeak.notifications.webhooks import deliveries, endpoints
from bespeak.notifications.webhooks.endpoints import NewWebhookEndpoint, WebhookEndpointChange
from tests.harness.database import feed_settled
from tests.http.api import Json, Request
from tests.http.scenarios import NO_ENDPOINT, Stage, refuses

ALL = "/v1/webhook-endpoints"
ONE = ALL + "/{endpoint_id}"
LIST = f"GET {ALL}"
CREATE = f"POST {ALL}"
READ = f"GET {ONE}"
CHANGE = f"PATCH {ONE}"
DELETE = f"DELETE {ONE}"
ROTATE = f"POST {ONE}/rotate"
LOG = f"GET {ONE}/deliveries"
REPLAY = f"POST {ONE}/replay"
TEST = f"POST {ONE}/test"

NO_DELIVERY = "msg_" + "0" * 29
URL = "https://hooks.example/bespeak"

BODIES: dict[str, object] = {
    READ: None,
    CHANGE: {"description": "x"},
    DELETE: None,
    ROTATE: {},
    LOG: None,
    REPLAY: {"since": "2030-01-01T00:00:00Z"},
    TEST: None,
}


def _for_each(*names: str) -> None:
    for name in names:
        method, path = name.split()

        @refuses(name, "invalid_id", kind="whe")
        async def not_an_id(
            stage: Stage, method: str = method, path: str = path, body: object = BODIES[name]
        ) -> Request:
            return Request(method, path.replace("{endpoint_id}", "whe_x"), body, "ak")

        @refuses(name, "webhook_endpoint_not_found")
        async def no_such_endpoint(
            stage: Stage, method: str = method, path: str = path, body: object = BODIES[name]
        ) -> Request:
            return Request(method, path.replace("{endpoint_id}", NO_ENDPOINT), body, "ak")

        @refuses(name, "webhook_endpoint_not_found")
        async def one_that_was_deleted(
            stage: Stage, method: str = method, path: str = path, body: object = BODIES[name]
        ) -> Request:
            endpoint_id = await _made(stage)
            await endpoints.delete(stage.api.connection, endpoint_id)
            return Request(method, path.replace("{endpoint_id}", endpoint_id), body, "ak")


_for_each(*BODIES)


async def _made(stage: Stage) -> str:
    made, _ = await endpoints.create(
        stage.api.connection, NewWebhookEndpoint(URL), allow_private=False
    )
    return made.id


async def _disabled(stage: Stage) -> str:
    endpoint_id = await _made(stage)
    off = WebhookEndpointChange(enabled=False)
    await endpoints.change(stage.api.connection, endpoint_id, off, allow_private=False)
    return endpoint_id


def create(**fields: object) -> Request:
    body: Json = {"url": URL, **fields}
    return Request("POST", ALL, body, "ak")


def _refused_url(url: str) -> None:
    @refuses(CREATE, "invalid_request", field="url")
    async def a_bad_url(stage: Stage, url: str = url) -> Request:
        return create(url=url)

    @refuses(CHANGE, "invalid_request", field="url")
    async def a_bad_new_url(stage: Stage, url: str = url) -> Request:
        return Request("PATCH", f"{ALL}/{await _made(stage)}", {"url": url}, "ak")


for _url in (
    "ftp://hooks.example/",
    "hooks.example",
    "https://",
    "https://user:secret@hooks.example/",
    "https://hooks.example:99999/",
    "https://hooks.example:0/",
    "https://hooks.example/a b",
    "https://hooks.example/\x00",
    "https://hooks.example\\@127.0.0.1/",
    "https://hooks..example/",
    "https://hooks.example/#part",
    "https://[::1/",
    "https://localhost/",
    "https://LOCALHOST./",
    "http://127.0.0.1/",
    "http://10.1.2.3:8080/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/",
    "http://[::ffff:192.168.0.1]/",
    "http://[fe80::1%25eth0]/",
    "http://0.0.0.0/",
    "https://hooks.example/" + "x" * 2000,
):
    _refused_url(_url)


@refuses(CREATE, "invalid_request", field="types")
async def of_a_type_that_is_none(stage: Stage) -> Request:
    return create(types=["booking.confirmed", "confirmed"])


@refuses(CREATE, "invalid_request", field="types")
async def of_no_type(stage: Stage) -> Request:
    return create(types=[])


@refuses(CREATE, "invalid_id", kind="res")
async def of_no_resource(stage: Stage) -> Request:
    return create(resource_ids=["show-1"])


@refuses(CHANGE, "invalid_id", kind="res")
async def of_no_other_resource(stage: Stage) -> Request:
    return Request("PATCH", f"{ALL}/{await _made(stage)}", {"resource_ids": ["x"]}, "ak")


@refuses(CREATE, "invalid_request", field="description")
async def a_description_that_cannot_be_printed(stage: Stage) -> Request:
    return create(description="a\x00b")


@refuses(CREATE, "webhook_endpoints_full", endpoints_max=3)
async def one_too_many(stage: Stage) -> Request:
    stage.monkeypatch.setattr(endpoints, "ENDPOINTS_MAX", 3)
    while len(await endpoints.list_all(stage.api.connection)) < 3:
        await _made(stage)
    return create()


@refuses(ROTATE, "invalid_request", field="overlap_seconds")
async def an_overlap_without_end(stage: Stage) -> Request:
    return Request("POST", f"{ALL}/{await _made(stage)}/rotate", {"overlap_seconds": 10**7}, "ak")


@refuses(LOG, "invalid_cursor", after="2f4-1")
async def a_cursor_of_another_list(stage: Stage) -> Request:
    return Request("GET", f"{ALL}/{await _made(stage)}/deliveries?after=2f4-1")


@refuses(LOG, "invalid_cursor", after=NO_DELIVERY)
async def a_cursor_of_another_endpoint(stage: Stage) -> Request:
    return Request("GET", f"{ALL}/{await _made(stage)}/deliveries?after={NO_DELIVERY}")


@refuses(LOG, "invalid_request", field="state")
async def in_a_state_that_is_none(stage: Stage) -> Request:
    return Request("GET", f"{ALL}/{await _made(stage)}/deliveries?state=lost")


@refuses(REPLAY, "webhook_delivery_not_found")
async def a_delivery_of_another_endpoint(stage: Stage) -> Request:
    other = await deliveries.test(stage.api.connection, await _made(stage))
    return Request("POST", f"{ALL}/{await _made(stage)}/replay", {"delivery_id": other.id}, "ak")


@refuses(REPLAY, "invalid_id", kind="msg")
async def no_id_of_a_delivery(stage: Stage) -> Request:
    return Request("POST", f"{ALL}/{await _made(stage)}/replay", {"delivery_id": "msg_1"}, "ak")


def _refused_replay(body: Json) -> None:
    @refuses(REPLAY, "invalid_request", field="since")
    async def a_replay_of_nothing_in_particular(stage: Stage, body: Json = body) -> Request:
        return Request("POST", f"{ALL}/{await _made(stage)}/replay", body, "ak")


for _body in (
    {"since": "2030-01-01T00:00:00Z", "delivery_id": NO_DELIVERY},
    {"since": "2030-01-01T00:00:00"},
    {"since": "0001-01-01T00:00:00+23:00"},
    {"since": "yesterday"},
):
    _refused_replay(dict(_body))


@refuses(REPLAY, "invalid_request", field="since")
async def a_replay_of_too_much(stage: Stage) -> Request:
    stage.monkeypatch.setattr(deliveries, "REPLAY_MAX", 0)
    endpoint_id = await _made(stage)
    await feed_settled(stage.api.connection)
    await stage.api.connection.execute(
        "update bespeak.follower set horizon = bespeak.settled_horizon()"
    )
    body = {"since": "1990-01-01T00:00:00Z"}
    return Request("POST", f"{ALL}/{endpoint_id}/replay", body, "ak")


@refuses(REPLAY, "webhook_endpoint_disabled", disabled_because="operator")
async def a_replay_to_where_nothing_is_sent(stage: Stage) -> Request:
    body = {"since": "2030-01-01T00:00:00Z"}
    return Request("POST", f"{ALL}/{await _disabled(stage)}/replay", body, "ak")


@refuses(TEST, "webhook_endpoint_disabled", disabled_because="operator")
async def a_test_of_where_nothing_is_sent(stage: Stage) -> Request:
    return Request("POST", f"{ALL}/{await _disabled(stage)}/test", None, "ak")
