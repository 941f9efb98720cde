"""Quotes over HTTP: what a hold would cost, and what it does; codes stay secrets."""

import pytest

from tests.harness.clock import START
from tests.harness.shapes import THEATRE, TOKENS, Shape
from tests.http.api import Api, Json, document, problem

PRICING: Json = {
    "fees": [{"name": "booking", "amount": 150}],
    "taxes": [{"name": "sales tax", "basis_points": 1000}],
    "steps": [{"from_count": 1, "amount": 500}],
    "codes": [{"code": "HALF", "capacity": 2, "basis_points": 5000}],
    "cancellation": {"free_until_seconds": 86400},
}
TERMS = [{"tiers": [{"before_seconds": 86400, "basis_points": 10000}]}]


async def made(api: Api, shape: Shape, **fields: object) -> str:
    """A resource that was made through the API; its id."""
    body = {
        "name": "Show",
        "plan": shape.plan,
        "price": {"amount": 700},
        "payment": "none",
        "starts_at": START.isoformat(),
        **fields,
    }
    resource = document(await api.ask("POST", "/v1/resources", body, key="ak"), 201)
    return str(resource["id"])


async def test_a_quote_is_what_the_hold_then_costs(api: Api) -> None:
    show = await made(api, THEATRE, pricing=PRICING)
    lines = [{"resource_id": show, "unit": "A1", "code": "HALF"}]
    quote = document(await api.ask("POST", "/v1/quotes", {"lines": lines}, key="pk"), 200)
    assert quote == {
        "total": {"amount": 1815, "currency": "EUR"},
        "lines": [
            {"kind": "unit", "label": "A1", "amount": 3000, "line": 0, "terms": 0},
            {"kind": "discount", "label": "HALF", "amount": -1500, "line": 0},
            {"kind": "fee", "label": "booking", "amount": 150, "line": 0},
            {
                "kind": "tax",
                "label": "sales tax",
                "amount": 165,
                "line": 0,
                "basis_points": 1000,
                "net": 1650,
            },
        ],
        "amounts": [1815],
        "fees": [165],
        "cancellation": TERMS,
    }
    hold = document(await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines}), 201)
    assert (hold["quote"], hold["amount"]) == (quote, quote["total"])
    assert (await api.get(f"/v1/holds/{hold['id']}"))["quote"] == quote
    booking = document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    assert booking["quote"] == quote
    assert (await api.get(f"/v1/bookings/{booking['id']}"))["quote"] == quote

    lines = [{"resource_id": show, "unit": "A2"}]
    dearer = document(await api.ask("POST", "/v1/quotes", {"lines": lines}), 200)
    assert dearer["lines"][0] == {  # type: ignore[index]
        "kind": "unit",
        "label": "A2",
        "amount": 3500,
        "line": 0,
        "list_amount": 3000,
        "terms": 0,
    }


async def test_a_hold_without_rules_has_no_quote(api: Api) -> None:
    show = await made(api, TOKENS)
    lines = [{"resource_id": show, "next": 2}]
    hold = document(await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines}), 201)
    assert hold["quote"] is None
    quote = document(await api.ask("POST", "/v1/quotes", {"lines": lines}), 200)
    assert quote["amounts"] == [150, 150]
    assert hold["amount"] == quote["total"]


@pytest.mark.parametrize("key", ["pk", "sk", "ak"])
async def test_browsers_are_shown_the_rules_without_the_codes(api: Api, key: str) -> None:
    show = await made(api, THEATRE, pricing=PRICING)
    for seen in (
        document(await api.ask("GET", f"/v1/resources/{show}", key=key), 200),
        document(await api.ask("GET", "/v1/resources", key=key), 200)["items"][-1],  # type: ignore[index]
    ):
        expected = dict(PRICING)
        if key == "pk":
            expected.pop("codes")
        assert seen["pricing"] == expected


async def test_the_fields_of_a_resource_are_set_changed_and_taken_away(api: Api) -> None:
    show = await made(
        api, THEATRE, pricing=PRICING, late_payment="refund", payment_seconds=600,
        ends_at="2030-01-01T14:00:00Z",
    )  # fmt: skip
    path = f"/v1/resources/{show}"
    seen = await api.get(path)
    assert (seen["starts_at"], seen["ends_at"]) == ("2030-01-01T12:00:00Z", "2030-01-01T14:00:00Z")
    assert (seen["late_payment"], seen["payment_seconds"]) == ("refund", 600)
    change = {"pricing": None, "ends_at": None, "starts_at": None, "payment_seconds": 60}
    changed = document(await api.ask("PATCH", path, change, key="ak"), 200)
    assert [changed[name] for name in change] == list(change.values())
    assert changed["late_payment"] == "refund"
    plain = await api.get(f"/v1/resources/{await made(api, TOKENS)}")
    assert (plain["pricing"], plain["late_payment"], plain["payment_seconds"]) == (
        None, "same_units", 900,
    )  # fmt: skip


NONSENSE: list[tuple[Json, str | None]] = [
    ({"starts_at": None, "pricing": PRICING}, "pricing"),
    ({"starts_at": "2030-01-01T12:00:00"}, "starts_at"),
    ({"ends_at": "2030-01-01T12:00:00Z"}, "ends_at"),
    ({"starts_at": None, "ends_at": "2030-01-01T12:00:00Z"}, "ends_at"),
    ({"late_payment": "keep"}, None),
    ({"payment_seconds": 59}, None),
    ({"payment_seconds": 86401}, None),
    ({"pricing": {"steps": [{"from_count": 1, "amount": 1, "category": "lead"}]}}, "pricing"),
    ({"pricing": {"fees": [{"name": "f"}]}}, "pricing"),
    ({"pricing": {"fees": [{"name": "f", "amount": 1.5}]}}, None),
    ({"pricing": {"fees": [{"name": "f", "amount": 10**13}]}}, None),
    ({"pricing": []}, None),
    ({"pricing": {"rebates": []}}, None),
]


@pytest.mark.parametrize(("fields", "field"), NONSENSE)
@pytest.mark.asyncio(loop_scope="module")
async def test_nonsense_is_refused(module_api: Api, fields: Json, field: str | None) -> None:
    body = {"name": "Show", "plan": THEATRE.plan, "starts_at": START.isoformat(), **fields}
    refused = await module_api.ask("POST", "/v1/resources", body, key="ak")
    found = problem(refused, "invalid_request")
    assert field is None or found["field"] == field


async def test_a_line_is_told_its_code_is_not_good(api: Api) -> None:
    show = await made(api, THEATRE, pricing=PRICING)
    lines = [{"resource_id": show, "unit": "A1", "code": "WRONG"}]
    for path, body in (("/v1/quotes", {}), ("/v1/holds", {"owner": "asha"})):
        found = problem(await api.ask("POST", path, {"lines": lines, **body}), "unknown_code")
        assert found["field"] == "lines[0].code"
        assert "WRONG" not in str(found)


async def test_no_price_comes_from_the_client(api: Api) -> None:
    show = await made(api, THEATRE)
    line = {"resource_id": show, "unit": "A1"}
    for lines in ([{**line, "amount": 1}], [{**line, "price": 1}]):
        problem(await api.ask("POST", "/v1/quotes", {"lines": lines}), "invalid_request")
    body = {"owner": "asha", "lines": [line], "amount": {"amount": 1, "currency": "EUR"}}
    problem(await api.ask("POST", "/v1/holds", body), "invalid_request")
