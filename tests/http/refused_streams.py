"""How a live stream is refused, before it begins."""

from tests.http.api import Request
from tests.http.scenarios import NO_HOLD, NO_RESOURCE, Stage, refuses

STREAM = "GET /v1/resources/{resource_id}/stream"


def following(resource_id: str, query: str = "", key: str | None = "pk") -> Request:
    return Request("GET", f"/v1/resources/{resource_id}/stream{query}", None, key)


@refuses(STREAM, "invalid_id", kind="res")
async def the_stream_of_a_hold(stage: Stage) -> Request:
    return following(NO_HOLD)


@refuses(STREAM, "resource_not_found")
async def the_stream_of_nothing(stage: Stage) -> Request:
    return following(NO_RESOURCE)


@refuses(STREAM, "invalid_cursor", after="nonsense")
async def from_no_cursor_on(stage: Stage) -> Request:
    return following(stage.show.id, "?after=nonsense")


@refuses(STREAM, "too_many_streams", limit=1)
async def one_stream_too_many(stage: Stage) -> Request:
    streams = stage.api.service.streams
    stage.monkeypatch.setattr(streams, "_max_per_address", 1)
    opened = await streams.open(stage.show.id, "127.0.0.1", None, published_only=True)
    stage.stack.callback(opened.close)
    return following(stage.show.id)


@refuses(STREAM, "overloaded")
async def more_streams_than_the_worker_takes(stage: Stage) -> Request:
    stage.monkeypatch.setattr(stage.api.service.streams, "_max", 0)
    return following(stage.show.id)


@refuses(STREAM, "key_kind_wrong", kinds=["publishable"])
async def a_secret_in_the_url(stage: Stage) -> Request:
    return following(stage.show.id, f"?key={stage.api.keys['sk']}", None)


@refuses(STREAM, "shutting_down")
async def a_worker_that_says_goodbye(stage: Stage) -> Request:
    stage.monkeypatch.setattr(stage.api.service.streams, "_closed", True)
    return following(stage.show.id)
