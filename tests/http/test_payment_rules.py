"""A price means that it must be paid: where nobody says how, nothing is sold for free, and where
the money is taken elsewhere, that is said.
"""

import msgspec
import pytest
from httpx import Response

from bespeak.inventory.shapes.registry import parse_plan
from tests.harness.shapes import SHAPES, Shape
from tests.http.api import Api, Json, document, problem

ROWS: Json = {"sections": [{"name": "Stalls", "rows": [{"name": "A", "seats": 9}]}]}
PLAN: Json = {"type": "seats", **ROWS}
CATEGORIES: Json = {
    "type": "seats",
    "categories": [{"name": "gold", "price": 4500}],
    "sections": [{"name": "Stalls", "category": "gold", "rows": [{"name": "A", "seats": 9}]}],
}
EURO: Json = {"amount": 1200, "currency": "EUR"}
FEE: Json = {"fees": [{"name": "service", "amount": 100}]}
STEP: Json = {"steps": [{"from_count": 1, "amount": 100}]}
SHARE: Json = {"taxes": [{"name": "VAT", "basis_points": 1900}]}


async def create(api: Api, **fields: object) -> Json:
    body = {"name": "Show", "plan": PLAN, **fields}
    return document(await api.ask("POST", "/v1/resources", body, key="ak"), 201)


async def confirm(api: Api, show: Json, key: str = "sk", **headers: str) -> Response:
    body: Json = {"lines": [{"resource_id": show["id"], "unit": "A1"}]}
    if not headers:
        body["owner"] = "asha"
    held = document(await api.ask("POST", "/v1/holds", body, key=key, **headers), 201)
    return await api.ask("POST", "/v1/bookings", {"hold_id": held["id"]}, key=key, **headers)


async def test_what_has_a_price_is_not_booked_for_nothing(api: Api) -> None:
    """Before, a resource with a price and not a word about payment was booked unpaid by any server
    that confirmed for its guests, and a guest's own wish to pay came to nothing."""
    show = await create(api, price=EURO)
    assert show["payment"] == "required"
    problem(await confirm(api, show), "payment_required")


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({}, "none"),
        ({"price": EURO}, "required"),
        ({"plan": CATEGORIES}, "required"),
        ({"pricing": FEE}, "required"),
        ({"pricing": STEP}, "required"),
        ({"pricing": SHARE}, "none"),
        ({"price": EURO, "payment": "none"}, "none"),
        ({"plan": CATEGORIES, "payment": "at_venue"}, "at_venue"),
    ],
)
async def test_the_rule_of_who_says_none(api: Api, fields: Json, rule: str) -> None:
    assert (await create(api, **fields))["payment"] == rule


@pytest.mark.parametrize("shape", SHAPES, ids=str)
async def test_a_price_of_any_plan_counts(shape: Shape) -> None:
    """Each shape knows the prices that its plans may have, and a plan without them is free."""
    content = msgspec.to_builtins(shape.plan)
    assert shape.plan.has_price() is ("price" in str(content) or "legs" in str(content))
    assert parse_plan(msgspec.json.encode(_free(content))).has_price() is False


def _free(content: object) -> object:
    if isinstance(content, dict):
        return {
            name: 0 if name == "price" else [0] * len(value) if name == "legs" else _free(value)
            for name, value in content.items()
        }
    return [_free(one) for one in content] if isinstance(content, list | tuple) else content


async def test_the_same_key_with_the_rule_unsaid_is_a_repeat(api: Api) -> None:
    body = {"name": "Show", "plan": PLAN, "price": EURO}
    once = {"key": "ak", "Idempotency_Key": "once"}
    first = document(await api.ask("POST", "/v1/resources", body, **once), 201)
    again = await api.ask("POST", "/v1/resources", body, **once)
    assert document(again, 201)["id"] == first["id"]


@pytest.mark.parametrize("change", [{"price": EURO}, {"plan": CATEGORIES}, {"pricing": FEE}])
async def test_who_prices_what_was_free_says_how_it_is_paid(api: Api, change: Json) -> None:
    show = await create(api)
    path = f"/v1/resources/{show['id']}"
    refused = problem(
        await api.ask("PATCH", path, change, key="ak"),
        "payment_rule_needed",
        field="payment",
        choices=["required", "at_venue", "none"],
    )
    assert all(f"`{rule}`" in str(refused["detail"]) for rule in ("required", "at_venue", "none"))
    assert await api.get(path) == show
    for rule in ("required", "at_venue", "none"):
        free = await create(api)
        path = f"/v1/resources/{free['id']}"
        changed = await api.ask("PATCH", path, {**change, "payment": rule}, key="ak")
        assert document(changed, 200)["payment"] == rule


async def test_what_was_said_stays_as_it_is(api: Api) -> None:
    """A dearer price, another name: nobody is asked again."""
    show = await create(api, price=EURO, payment="none")
    path = f"/v1/resources/{show['id']}"
    for change in ({"price": {"amount": 1500, "currency": "EUR"}}, {"name": "Late show"}):
        assert document(await api.ask("PATCH", path, change, key="ak"), 200)["payment"] == "none"
    answer = await confirm(api, show)
    assert document(answer, 201)["state"] == "confirmed"


async def test_free_with_a_rule_stays_free(api: Api) -> None:
    """`required` of what costs nothing asks for nothing."""
    show = await create(api, payment="required")
    answer = await confirm(api, show, "pk", Bespeak_Shopper=api.token())
    assert document(answer, 201)["state"] == "confirmed"
