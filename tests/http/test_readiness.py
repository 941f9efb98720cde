"""Drafts: what is not published sells nothing to guests, says what is missing before it can be
published, and is refused while that is essential.
"""

from datetime import UTC, datetime, timedelta

import pytest
from httpx import Response

from tests.http.api import Api, Json, document, problem
from tests.http.conftest import OpenApi

PLAN: Json = {
    "type": "seats",
    "sections": [{"name": "Stalls", "rows": [{"name": "A", "seats": 9}]}],
}
EMPTY: Json = {"type": "pools", "pools": [{"unit": "floor", "capacity": 0}]}
NIGHTS: Json = {"type": "nights", "count": 3, "price": 9000}
EURO: Json = {"amount": 1200, "currency": "EUR"}
TERMS: Json = {"cancellation": {"free_until_seconds": 3600}}
PAST = "2020-02-01T20:00:00Z"


@pytest.fixture
async def api(open_api: OpenApi) -> Api:
    """The API of somebody who takes payments."""
    return await open_api(payment_providers="sandbox", allow_pretend_money=True)


def later(days: int = 30) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


async def draft(api: Api, **fields: object) -> Json:
    body = {"name": "Draft", "plan": PLAN, "published": False, **fields}
    return document(await api.ask("POST", "/v1/resources", body, key="ak"), 201)


async def publish(api: Api, show: Json, **fields: object) -> Response:
    body = {"published": True, **fields}
    return await api.ask("PATCH", f"/v1/resources/{show['id']}", body, key="ak")


async def lacks(api: Api, show: Json) -> dict[str, bool]:
    told = await api.get(f"/v1/resources/{show['id']}/readiness", key="ak")
    missing = {str(one["code"]): bool(one["essential"]) for one in told["missing"]}  # type: ignore[attr-defined]
    assert told["ready"] is not any(missing.values())
    assert list(missing.values()) == sorted(missing.values(), reverse=True)
    return missing


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        ({"price": EURO, "pricing": TERMS, "starts_at": later()}, {}),
        ({"price": EURO, "starts_at": later()}, {"no_refund_terms": False}),
        ({"starts_at": later(), "payment": "required"}, {"no_price": True}),
        ({"starts_at": later()}, {}),
        ({}, {"no_date": False}),
        ({"starts_at": PAST}, {"date_past": True}),
        ({"starts_at": PAST, "closes_at": later()}, {}),
        ({"closes_at": PAST}, {"sale_ended": True, "no_date": False}),
        ({"starts_at": later(), "state": "closed"}, {"sale_closed": False}),
        ({"plan": EMPTY}, {"nothing_to_sell": True, "no_date": False}),
        ({"plan": NIGHTS, "pricing": TERMS}, {}),
        (
            {"price": EURO, "payment": "none", "starts_at": later()},
            {"paid_elsewhere": False, "no_refund_terms": False},
        ),
    ],
)
async def test_it_says_what_is_missing(api: Api, fields: Json, missing: dict[str, bool]) -> None:
    show = await draft(api, **fields)
    assert await lacks(api, show) == missing
    essential = [code for code, is_essential in missing.items() if is_essential]
    answer = await publish(api, show)
    if essential:
        problem(answer, "resource_not_ready", missing=essential)
        assert (await api.get(f"/v1/resources/{show['id']}"))["published"] is False
    else:
        assert document(answer, 200)["published"] is True


async def test_what_must_be_paid_needs_somebody_who_takes_payments(open_api: OpenApi) -> None:
    without = await open_api()
    show = await draft(without, price=EURO, pricing=TERMS, starts_at=later())
    assert await lacks(without, show) == {"no_payment_provider": True}
    refused = await publish(without, show)
    problem(refused, "resource_not_ready", missing=["no_payment_provider"])
    assert document(await publish(without, show, payment="at_venue"), 200)["published"] is True


async def test_one_change_may_mend_and_publish(api: Api) -> None:
    show = await draft(api, starts_at=PAST, state="closed")
    done = document(await publish(api, show, starts_at=later(), state="open"), 200)
    assert (done["published"], done["state"]) == (True, "open")


async def test_what_is_published_already_is_not_judged_again(api: Api) -> None:
    """Only the step from draft to published is guarded; a past show keeps its page."""
    show = await draft(api, published=True, starts_at=PAST)
    path = f"/v1/resources/{show['id']}"
    document(await api.ask("PATCH", path, {"name": "Old", "published": True}, key="ak"), 200)
    document(await api.ask("PATCH", path, {"published": False}, key="ak"), 200)
    problem(await publish(api, show), "resource_not_ready", missing=["date_past"])


async def test_what_was_called_off_is_not_published(api: Api) -> None:
    show = await draft(api, starts_at=later())
    path = f"/v1/resources/{show['id']}"
    document(await api.ask("POST", f"{path}/cancellation", {"reason": "storm"}, key="ak"), 202)
    assert await lacks(api, show) == {"called_off": True}
    problem(await publish(api, show), "resource_not_ready", missing=["called_off"])


async def test_guests_are_told_nothing_of_it(api: Api) -> None:
    show = await draft(api, starts_at=later())
    path = f"/v1/resources/{show['id']}/readiness"
    problem(await api.ask("GET", path, key="pk"), "key_kind_wrong")
    problem(
        await api.ask("GET", "/v1/resources/res_00000000/readiness", key="ak"), "resource_not_found"
    )
