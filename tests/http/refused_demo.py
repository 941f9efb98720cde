"""How the calls about the demo's crowd refuse."""

import msgspec

from tests.harness.shapes import TOKENS
from tests.http.api import Request
from tests.http.scenarios import NO_RESOURCE, Stage, refuses

BEGIN = "POST /v1/demo/rush"
READ = "GET /v1/demo/rush"


def begin(resource_id: str) -> Request:
    return Request("POST", "/v1/demo/rush", {"resource_id": resource_id}, "pk")


def open_demo(stage: Stage) -> None:
    """Makes the server a demo for as long as the test lasts."""
    engine = stage.api.service.engine
    settings = msgspec.structs.replace(engine.settings, demo=True)
    for one in (engine, stage.api.service.guests_engine):
        stage.monkeypatch.setattr(one, "settings", settings)


@refuses(BEGIN, "demo_only")
async def a_crowd_on_a_server_that_is_no_demo(stage: Stage) -> Request:
    return begin(stage.show.id)


@refuses(READ, "demo_only")
async def news_of_a_crowd_on_a_server_that_is_no_demo(stage: Stage) -> Request:
    return Request("GET", "/v1/demo/rush", None, "pk")


@refuses(BEGIN, "rush_running")
async def a_crowd_beside_another(stage: Stage) -> Request:
    open_demo(stage)
    await stage.api.connection.execute(
        "update demo.rush set state = 'running', rush_id = 'x',"
        " started_at = bespeak.now(), reported_at = bespeak.now()"
    )
    return begin(stage.show.id)


@refuses(BEGIN, "resource_not_found")
async def a_crowd_on_nothing(stage: Stage) -> Request:
    open_demo(stage)
    return begin(NO_RESOURCE)


@refuses(BEGIN, "invalid_id")
async def a_crowd_on_what_is_no_resource(stage: Stage) -> Request:
    open_demo(stage)
    return begin("hold_01h2xcejqtf2nbrexx3vqjhp41")


@refuses(BEGIN, "invalid_request", field="resource_id")
async def a_crowd_on_what_has_no_seat_map(stage: Stage) -> Request:
    open_demo(stage)
    return begin((await stage.make_shape(TOKENS)).id)
