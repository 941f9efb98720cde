"""Who held other dates in place of a booking, and has lost the reply with its key, is told by the
refusal of the next try which hold is in the way and until when: it is released, or waited for.
"""

from datetime import UTC, datetime, timedelta

import pytest

from bespeak import Resource
from tests.harness.clock import START, Clock
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, problem
from tests.http.conftest import OpenApi
from tests.http.test_booking_links import GUEST
from tests.http.test_change_links import Way, house_of, nights, paid, paying, way_to

CODE = "booking_not_exchangeable"


@pytest.fixture
async def api(open_api: OpenApi) -> Api:
    return await paying(open_api)


@pytest.fixture
async def house(api: Api, make_show: MakeShow) -> Resource:
    return await house_of(api, make_show)


@pytest.fixture
async def way(api: Api, house: Resource) -> Way:
    return await way_to(api, await paid(api, house, 10, 14))


def guest(api: Api) -> dict[str, str]:
    return {"key": "pk", "bespeak_shopper": api.token(GUEST)}


def moment(told: object) -> datetime:
    return datetime.fromisoformat(str(told)).astimezone(UTC)


def assert_names(refusal: Json, hold: Json) -> None:
    assert refusal["hold_id"] == hold["id"]
    assert moment(refusal["expires_at"]) == moment(hold["expires_at"])


@pytest.mark.parametrize("who", ["guest", "link", "desk"])
async def test_whoever_may_change_it_finds_the_hold_and_goes_on(
    api: Api, house: Resource, way: Way, who: str
) -> None:
    link = {"key": "pk", "bespeak_booking_link": way.token}
    caller = {"guest": guest(api), "link": link, "desk": {}}[who]
    body = {"lines": [nights(house, 12, 16)], "instead_of_booking": way.booking}
    if who == "desk":
        body["owner"] = GUEST
    # This reply is lost, and with it the key.
    lost = document(await api.ask("POST", "/v1/holds", body, idempotency_key="1", **caller), 201)
    for wanted in ((12, 16), (11, 13), (40, 42)):
        body["lines"] = [nights(house, *wanted)]
        answer = await api.ask("POST", "/v1/holds", body, idempotency_key="2", **caller)
        refusal = problem(answer, CODE, reason="under_way")
        assert_names(refusal, lost)
    there = f"/v1/holds/{refusal['hold_id']}"
    assert document(await api.ask("GET", there, **caller), 200)["state"] == "held"
    document(await api.ask("DELETE", there, **caller), 200)
    held = await api.ask("POST", "/v1/holds", body, idempotency_key="2", **caller)
    assert document(held, 201)["id"] != lost["id"]


async def test_who_kept_the_key_gets_the_hold(api: Api, house: Resource, way: Way) -> None:
    asked = nights(house, 12, 16)
    lost = document(await way.change(asked, idempotency_key="1"), 201)
    again = document(await way.change(asked, idempotency_key="1"), 201)
    assert again["id"] == lost["id"]


async def test_until_it_ends_and_no_longer(api: Api, house: Resource, moved_clock: Clock) -> None:
    body: Json = {"owner": GUEST, "lines": [_later(house, 10, 14)]}
    hold = document(await api.ask("POST", "/v1/holds", body), 201)
    asked = {"hold_id": hold["id"], "payment_token": "tok_success"}
    booking = document(await api.ask("POST", "/v1/bookings", asked), 201)
    body["instead_of_booking"] = booking["id"]
    document(await api.ask("POST", "/v1/holds", body), 201)
    refusal = problem(await api.ask("POST", "/v1/holds", body), CODE, reason="under_way")
    left = moment(refusal["expires_at"]) - START
    await moved_clock.advance(left.total_seconds() - 1)
    problem(await api.ask("POST", "/v1/holds", body), CODE, reason="under_way")
    await moved_clock.advance(1)
    document(await api.ask("POST", "/v1/holds", body), 201)


def _later(house: Resource, first: int, last: int) -> Json:
    """As `nights`, by the clock that stands at its start."""
    dates = [str((START + timedelta(days=one)).date()) for one in (first, last)]
    return {"resource_id": house.id, "from": dates[0], "to": dates[1]}


async def test_nobody_else_is_told_of_it(api: Api, house: Resource, way: Way) -> None:
    document(await way.change(nights(house, 12, 16)), 201)
    body = {"lines": [nights(house, 11, 13)], "instead_of_booking": way.booking}
    other = {"key": "pk", "bespeak_shopper": api.token("mallory")}
    refusal = problem(await api.ask("POST", "/v1/holds", body, **other), "not_owner")
    assert refusal.keys().isdisjoint({"hold_id", "expires_at"})


async def test_a_bound_key_is_told_when_it_ends_and_not_what_it_may_not_read(
    api: Api, house: Resource, way: Way, make_show: MakeShow
) -> None:
    other = await house_of(api, make_show)
    key = await api.restricted("sell", resources=[house.id])
    body = {"owner": GUEST, "lines": [nights(house, 11, 13)], "instead_of_booking": way.booking}
    # The guest moves to another house, of which the key knows nothing.
    held = document(await way.change(nights(other, 12, 16)), 201)
    refusal = problem(await api.ask("POST", "/v1/holds", body, key=key), CODE, reason="under_way")
    assert "hold_id" not in refusal
    assert moment(refusal["expires_at"]) == moment(held["expires_at"])
    problem(await api.ask("GET", f"/v1/holds/{held['id']}", key=key), "key_bound")
    document(await way.ask("DELETE", f"/v1/holds/{held['id']}"), 200)
    # And within the house that is the key's it is named to it.
    own = document(await way.change(nights(house, 12, 16)), 201)
    refusal = problem(await api.ask("POST", "/v1/holds", body, key=key), CODE, reason="under_way")
    assert_names(refusal, own)
    document(await api.ask("DELETE", f"/v1/holds/{own['id']}", key=key), 200)
