"""What has begun is not sold to guests; a server sells it at the door, until the resource says that
its sale ends.
"""

from datetime import UTC, datetime, timedelta

import pytest

from tests.harness.clock import Clock
from tests.http.api import Api, Json, document, problem

PAST = "2020-02-01T20:00:00Z"
LATER = "2040-02-01T20:00:00Z"
SEATS: Json = {
    "type": "seats",
    "sections": [{"name": "Stalls", "rows": [{"name": "A", "seats": 9}]}],
}
LINES: Json = {"unit": "A1"}
BEST: Json = {"best": {"quantity": 2}}


async def create(api: Api, **fields: object) -> str:
    body = {"name": "Show", "plan": SEATS, **fields}
    return str(document(await api.ask("POST", "/v1/resources", body, key="ak"), 201)["id"])


def guest(api: Api) -> dict[str, str]:
    return {"key": "pk", "Bespeak_Shopper": api.token()}


@pytest.mark.parametrize("asked", [LINES, BEST])
async def test_a_guest_holds_nothing_of_what_has_begun(api: Api, asked: Json) -> None:
    """A resource that starts in 2020 could be held, and booked, for ever."""
    show = await create(api, starts_at=PAST)
    body = {"lines": [{"resource_id": show, **asked}]}
    refused = problem(await api.ask("POST", "/v1/holds", body, **guest(api)), "resource_closed")
    assert refused["closes_at"] == PAST
    assert await api.holds() == []
    # At the door a server still sells.
    document(await api.ask("POST", "/v1/holds", {**body, "owner": "asha"}), 201)


async def test_the_resource_may_say_that_guests_come_late(api: Api) -> None:
    show = await create(api, starts_at=PAST, closes_at=LATER)
    body = {"lines": [{"resource_id": show, **LINES}]}
    document(await api.ask("POST", "/v1/holds", body, **guest(api)), 201)


async def test_an_end_of_the_sale_is_for_all(api: Api) -> None:
    show = await create(api, starts_at=LATER, closes_at=PAST)
    body = {"lines": [{"resource_id": show, **LINES}]}
    problem(await api.ask("POST", "/v1/holds", body, **guest(api)), "resource_closed")
    problem(await api.ask("POST", "/v1/holds", {**body, "owner": "a"}), "resource_closed")


async def test_it_ends_at_that_instant(api: Api, moved_clock: Clock) -> None:
    """Not before it, and what was held in time is still booked."""
    starts = moved_clock.now + timedelta(minutes=2)
    show = await create(api, starts_at=starts.isoformat())
    body = {"lines": [{"resource_id": show, **LINES}]}
    moved_clock.shared_with(api.service.engine)
    held = document(await api.ask("POST", "/v1/holds", body, **guest(api)), 201)
    await moved_clock.set(starts)
    again = {"lines": [{"resource_id": show, "unit": "A2"}]}
    problem(await api.ask("POST", "/v1/holds", again, **guest(api)), "resource_closed")
    booked = await api.ask("POST", "/v1/bookings", {"hold_id": held["id"]}, **guest(api))
    assert document(booked, 201)["state"] == "confirmed"


async def test_what_has_dates_of_its_own_goes_on(api: Api) -> None:
    """Of a hotel `starts_at` says when it opened."""
    hotel = await create(api, starts_at=PAST, plan={"type": "nights", "count": 3})
    day = datetime.now(UTC).date() + timedelta(days=9)
    stay = {"resource_id": hotel, "from": str(day), "to": str(day + timedelta(days=1))}
    document(await api.ask("POST", "/v1/holds", {"lines": [stay]}, **guest(api)), 201)


@pytest.mark.parametrize("code", ["ZZZ", "XTS", "XAU"])
async def test_what_is_no_currency_is_refused(api: Api, code: str) -> None:
    body = {"name": "Show", "plan": SEATS, "price": {"amount": 1200, "currency": code}}
    refused = await api.ask("POST", "/v1/resources", body, key="ak")
    problem(refused, "invalid_request", field="price.currency")
    show = await create(api)
    change = {"price": {"amount": 1200, "currency": code}, "payment": "required"}
    answer = await api.ask("PATCH", f"/v1/resources/{show}", change, key="ak")
    problem(answer, "invalid_request", field="price.currency")


async def test_what_is_stored_keeps_its_currency(api: Api) -> None:
    show = await create(api)
    stored = "update bespeak.resource set currency = 'ZZZ', version = version + 1"
    await api.connection.execute(stored)
    changed = await api.ask("PATCH", f"/v1/resources/{show}", {"name": "Old"}, key="ak")
    assert document(changed, 200)["price"] == {"amount": 0, "currency": "ZZZ"}
