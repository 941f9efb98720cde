"""How the calls that tell what a cancellation gives back refuse."""

from bespeak.inventory import resources
from tests.harness.shows import new_show
from tests.http.api import Request
from tests.http.scenarios import NO_HOLD, NO_RESOURCE, Stage, refuses

OF_RESOURCE = "GET /v1/resources/{resource_id}/refund-terms"
OF_HOLD = "GET /v1/holds/{hold_id}/refund-terms"


def ask(of: str, thing: str) -> Request:
    return Request("GET", f"/v1/{of}/{thing}/refund-terms")


@refuses(OF_RESOURCE, "invalid_id")
async def terms_of_what_is_no_resource(stage: Stage) -> Request:
    return ask("resources", "nothing")


@refuses(OF_RESOURCE, "resource_not_found", resource_id=NO_RESOURCE)
async def terms_of_a_resource_that_there_is_not(stage: Stage) -> Request:
    return ask("resources", NO_RESOURCE)


@refuses(OF_HOLD, "invalid_id")
async def terms_of_what_is_no_hold(stage: Stage) -> Request:
    return ask("holds", "nothing")


@refuses(OF_HOLD, "hold_not_found")
async def terms_of_a_hold_that_there_is_not(stage: Stage) -> Request:
    return ask("holds", NO_HOLD)


@refuses(OF_HOLD, "not_owner")
async def terms_of_anothers_hold(stage: Stage) -> Request:
    show = await resources.create(stage.api.connection, new_show())
    hold = await stage.api.hold(show, "A1", owner="bela")
    asked = ask("holds", str(hold["id"]))
    return Request(asked.method, asked.path, None, "pk", {"Bespeak-Shopper": stage.api.token()})
