"""What the operator is shown of the budgets of guests."""

from bespeak import Resource, ids
from bespeak.cli import checks
from bespeak.http.server.budgets.counts import STEPS_PREFIX
from bespeak.http.server.budgets.policy import Budget, Step
from tests.http.api import Request, document, problem
from tests.http.conftest import OpenApi
from tests.http.test_budgets import MINE, ON, asking, hall, knows

__all__ = ["hall"]


async def test_the_operator_sees_who_is_at_a_step_and_how_often(
    open_api: OpenApi, hall: Resource
) -> None:
    """Also what guests met at another worker."""
    one, other = await open_api(**ON, budgets_exempt="192.0.2.200"), await open_api(**ON)
    other.keys = one.keys
    before = await one.get("/v1/budgets", key="ak")
    assert before == {
        "mode": "on", "steps": [], "addresses": [], "guests": [], "exempt": ["192.0.2.200"],
    }  # fmt: skip
    await knows(one, hall)
    for number in range(6):
        document(await one.send(asking(one, hall, 2, f"g{number}")), 201)
    for number in range(3):
        problem(await one.send(asking(one, hall, 2, f"h{number}")), "challenge_required")
    for address in ("203.0.113.1", "203.0.113.2", "203.0.113.3"):
        document(await one.send(asking(one, hall, 10, "greedy", address)), 201)
    problem(await one.send(asking(one, hall, 1, "greedy", "203.0.113.4")), "budget_spent")
    budgets = one.service.budgets
    await budgets.sharing.look()
    await other.service.budgets.sharing.look()
    for api in (one, other):
        told = await api.get("/v1/budgets", key="ak")
        steps = {(s["budget"], s["step"]): s["this_hour"] for s in told["steps"]}  # type: ignore[attr-defined]
        assert steps == {("address_share", "challenge"): 3, ("guest_units", "refused"): 1}
        guest = told["guests"][0]  # type: ignore[index]
        assert (guest["held"], len(guest["guest"])) == (30, 8)


async def test_the_doctor_tells_when_many_are_refused(open_api: OpenApi, hall: Resource) -> None:
    """By what the workers have told, as the operator is shown it."""
    api = await open_api(**ON)
    budgets, engine = api.service.budgets, api.service.engine
    for count, verdict in ((99, "ok"), (1, "warning")):
        key = f"{STEPS_PREFIX}{Budget.GUEST_UNITS}"
        budgets.counts.add(key, Step.REFUSED, engine.clock.seconds(), count)
        budgets.counts.add(f"{STEPS_PREFIX}wasted", Step.SHORTER, engine.clock.seconds(), 500)
        await budgets.sharing.look()
        found = {one.check: one for one in await checks.all_of(api.connection)}["budgets"]
        assert found.verdict == verdict
    assert "refused 100 times" in found.seen and "most often by guest_units (100)" in found.seen


async def test_an_address_that_wasted_is_at_a_step(open_api: OpenApi, hall: Resource) -> None:
    api = await open_api(**ON)
    await knows(api, hall)
    for number in range(3):
        held = document(await api.send(asking(api, hall, 5, f"g{number}")), 201)
        hold_id = ids.parse(ids.HOLD, str(held["id"]))
        api.service.budgets.holds.end(hold_id, "wasted", api.service.engine.clock.seconds() + 100)
    told = await api.get("/v1/budgets", key="ak")
    assert told["addresses"] == [
        {"address": MINE, "budget": "wasted", "step": "shorter", "held": 0, "booked": 0,
         "wasted": 15}
    ]  # fmt: skip


async def test_only_who_manages_sees_addresses(open_api: OpenApi) -> None:
    api = await open_api(**ON)
    document(await api.ask("GET", "/v1/budgets", key=await api.restricted("manage")), 200)
    reader = await api.restricted("read")
    problem(await api.ask("GET", "/v1/budgets", key=reader), "missing_scope")
    problem(await api.send(Request("GET", "/v1/budgets", None, "sk")), "key_kind_wrong")
