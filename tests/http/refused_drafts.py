"""How each refusal of the calls about drafts comes about: what they lack, and links to them."""

from datetime import UTC, datetime

from bespeak.inventory import resources
from tests.harness.shows import new_show
from tests.http.api import Json, Request
from tests.http.scenarios import CHANGE, NO_RESOURCE, Stage, refuses

READINESS = "GET /v1/resources/{resource_id}/readiness"
PREVIEW_LINK = "POST /v1/resources/{resource_id}/preview-links"
PREVIEW = "POST /v1/previews"


def _for_each_of_a_resource(*endpoints: str) -> None:
    for endpoint in endpoints:
        method, path = endpoint.split()

        @refuses(endpoint, "invalid_id", kind="res")
        async def not_an_id(stage: Stage, method: str = method, path: str = path) -> Request:
            return Request(method, path.replace("{resource_id}", "show-1"), None, "ak")

        @refuses(endpoint, "resource_not_found", resource_id=NO_RESOURCE)
        async def no_such_resource(stage: Stage, method: str = method, path: str = path) -> Request:
            return Request(method, path.replace("{resource_id}", NO_RESOURCE), None, "ak")


_for_each_of_a_resource(READINESS, PREVIEW_LINK)


@refuses(CHANGE, "payment_rule_needed", field="payment")
async def price_what_was_free(stage: Stage) -> Request:
    made = await resources.create(stage.api.connection, new_show())
    price: Json = {"price": {"amount": 1200, "currency": "EUR"}}
    return Request("PATCH", f"/v1/resources/{made.id}", price, "ak")


@refuses(CHANGE, "resource_not_ready", missing=["date_past"])
async def publish_what_is_over(stage: Stage) -> Request:
    new = new_show(starts_at=datetime(2020, 1, 1, tzinfo=UTC), published=False)
    made = await resources.create(stage.api.connection, new)
    return Request("PATCH", f"/v1/resources/{made.id}", {"published": True}, "ak")


@refuses(PREVIEW, "preview_link_invalid")
async def see_by_a_forged_link(stage: Stage) -> Request:
    return Request("POST", "/v1/previews", {"token": "forged"}, "pk")


@refuses(PREVIEW, "resource_not_found", resource_id=NO_RESOURCE)
async def see_what_is_gone(stage: Stage) -> Request:
    token, _ = stage.api.service.preview_links.make(NO_RESOURCE)
    return Request("POST", "/v1/previews", {"token": token}, "pk")
