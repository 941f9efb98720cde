"""What buyers are told before they order is what they get: of a resource, a hold and a booking, at
each moment.
"""

from datetime import datetime, timedelta
from typing import cast

from bespeak.pricing.rules import Cancellation, CancellationOverride, Pricing
from tests.harness.clock import Clock
from tests.harness.refunding import STARTS, tiered_show
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, Request, document, line, problem
from tests.http.test_refunds import api as api  # noqa: PLC0414
from tests.http.test_refunds import booked, object_of


def steps_of(found: Json) -> list[Json]:
    return cast("list[Json]", found["steps"])


def step_at(steps: list[Json], moment: datetime) -> Json:
    return next(
        one
        for one in steps
        if one["until"] is None or moment <= datetime.fromisoformat(str(one["until"]))
    )


async def test_what_is_told_before_the_order_is_what_a_cancellation_gives(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    """The whole way: the steps of the hold, told before it was paid for, against a cancellation at
    the last instant of each, and at the first one after it."""
    show = await tiered_show(make_show)
    hold = await api.hold(show, "A1", owner="asha")
    told = await api.get(f"/v1/holds/{hold['id']}/refund-terms")
    assert told["amount"] == hold["amount"]
    steps = steps_of(told)
    assert len(steps) == 3
    edges = [datetime.fromisoformat(str(one["until"])) for one in steps if one["until"]]
    moments = [at + timedelta(microseconds=beside) for at in edges for beside in (0, 1)]
    units = [f"A{number}" for number in range(1, len(moments) + 1)]
    bookings = [await booked(api, show, unit, owner=f"o-{unit}") for unit in units[1:]]
    body = {"hold_id": hold["id"], "payment_token": "tok_success"}
    bookings.insert(0, document(await api.ask("POST", "/v1/bookings", body), 201))
    for booking, moment in zip(bookings, moments, strict=True):
        await moved_clock.set(moment)
        path = f"/v1/bookings/{booking['id']}"
        quote = document(await api.ask("POST", f"{path}/refund-quote"), 200)
        expected = step_at(steps, moment)
        assert quote["amount"] == expected["amount"]
        # From now on, and the same as was told before.
        assert steps_of(quote) == steps[steps.index(expected) :]
        cancelled = document(await api.ask("DELETE", path), 200)
        refunds = cast("list[Json]", cancelled["refunds"])
        given = sum(cast("int", object_of(one, "amount")["amount"]) for one in refunds)
        assert given == expected["amount"], moment


async def test_a_shopper_reads_the_terms_of_a_show_and_of_their_own_hold(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    show = await tiered_show(make_show)
    path = f"/v1/resources/{show.id}/refund-terms"
    (policy,) = cast("list[Json]", (await api.get(path))["policies"])
    assert document(await api.ask("GET", path, key="pk"), 200)["policies"] == [policy]
    assert [one["basis_points"] for one in steps_of(policy)] == [10_000, 5000, 0]
    hold = await api.hold(show, "A1", owner="asha")
    path = f"/v1/holds/{hold['id']}/refund-terms"
    shopper = Request("GET", path, None, "pk", {"Bespeak-Shopper": api.token("asha")})
    assert len(steps_of(document(await api.send(shopper), 200))) == len(steps_of(policy))
    other = Request("GET", path, None, "pk", {"Bespeak-Shopper": api.token("bela")})
    problem(await api.send(other), "not_owner")


async def test_no_refunds_and_other_policies_are_told_as_clearly(
    api: Api, make_show: MakeShow
) -> None:
    never = CancellationOverride(categories=("standard",), refundable=False)
    policy = Cancellation(free_until_seconds=0, fees_back=True, overrides=(never,))
    show = await make_show(starts_at=STARTS, pricing=Pricing(cancellation=policy))
    found = await api.get(f"/v1/resources/{show.id}/refund-terms")
    first, last = cast("list[Json]", found["policies"])
    assert (first["categories"], last["categories"]) == (["standard"], [])
    assert steps_of(first) == [{"until": None, "before_seconds": None, "basis_points": 0}]
    assert last["fees_back"] is True


async def test_without_a_policy_all_comes_back(api: Api, make_show: MakeShow) -> None:
    show = await make_show(starts_at=STARTS)
    (policy,) = cast(
        "list[Json]", (await api.get(f"/v1/resources/{show.id}/refund-terms"))["policies"]
    )
    assert [one["basis_points"] for one in steps_of(policy)] == [10_000]


async def test_what_is_free_has_nothing_to_give_back(api: Api, make_show: MakeShow) -> None:
    show = await make_show(starts_at=STARTS)
    hold = await api.hold(show, "A1")
    assert steps_of(await api.get(f"/v1/holds/{hold['id']}/refund-terms")) == []


async def test_a_part_of_a_booking_has_steps_of_its_own(api: Api, make_show: MakeShow) -> None:
    show = await tiered_show(make_show)
    booking = await booked(api, show, "A1", "A2")
    path = f"/v1/bookings/{booking['id']}/refund-quote"
    whole = document(await api.ask("POST", path), 200)
    part = document(await api.ask("POST", path, {"lines": [line(show, "A2")]}), 200)
    assert 2 * cast("int", steps_of(part)[0]["amount"]) == steps_of(whole)[0]["amount"]
