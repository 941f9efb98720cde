"""What guests may keep for nothing: the steps from a shorter hold to a no, by guest and address."""

import asyncio
from collections.abc import MutableMapping

import httpx
import pytest

from bespeak import PoolPlan, Price, PriceCode, Pricing, Resource, SeatsPlan
from bespeak.http.server.budgets.challenge import ProofOfWork
from bespeak.http.server.budgets.policy import SHORT_HOLD_SECONDS
from tests.harness.challenges import solved
from tests.harness.clock import Clock
from tests.harness.database import session
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, Request, document, problem, until
from tests.http.conftest import OpenApi

HALL = SeatsPlan(pools=(PoolPlan("floor", 300),))
ON = {"budgets": "on", "trusted_proxies": "127.0.0.1"}
MINE, OTHER = "192.0.2.1", "192.0.2.2"


@pytest.fixture
async def hall(make_show: MakeShow) -> Resource:
    return await make_show(plan=HALL, hold_seconds=600, hold_seconds_max=1200)


def asking(
    api: Api, hall: Resource, quantity: int, owner: str = "g", address: str = MINE, **headers: str
) -> Request:
    return Request(
        "POST",
        "/v1/holds",
        {"lines": [{"resource_id": hall.id, "unit": "floor", "quantity": quantity}]},
        "pk",
        {
            "Bespeak-Shopper": api.token(owner),
            "X-Forwarded-For": address,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        },
    )


async def knows(api: Api, hall: Resource) -> None:
    """Has the worker know how much there is: until it does, no share is judged."""
    document(await api.send(asking(api, hall, 1, "first", "198.51.100.99")), 201)


async def test_one_guest_holds_so_many(open_api: OpenApi, hall: Resource) -> None:
    api = await open_api(**ON)
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
        document(await api.send(asking(api, hall, 10, "g", address)), 201)
    refused = await api.send(asking(api, hall, 1, "g", "192.0.2.4"))
    found = problem(refused, "budget_spent", budget="guest_units", limit=30)
    assert int(refused.headers["retry-after"]) == found["retry_after_seconds"] == 60
    document(await api.send(asking(api, hall, 1, "other", "192.0.2.4")), 201)


async def test_beyond_its_share_an_address_is_asked_for_a_challenge_and_then_told_no(
    open_api: OpenApi, hall: Resource
) -> None:
    api = await open_api(**ON)
    await knows(api, hall)
    for number in range(6):
        made = document(await api.send(asking(api, hall, 2, f"g{number}")), 201)
        assert made["expires_in_ms"] > 590_000  # type: ignore[operator]
    asked = asking(api, hall, 2, "g7")
    refused = await api.send(asked)
    found = problem(refused, "challenge_required", budget="address_share")
    # Another address has its own share.
    document(await api.send(asking(api, hall, 2, "g7", OTHER)), 201)
    answer = solved(found)
    made = document(await api.send(asking(api, hall, 2, "g7", Bespeak_Challenge=answer)), 201)
    assert made["expires_in_ms"] <= SHORT_HOLD_SECONDS * 1000  # type: ignore[operator]
    assert made["extends_until"] == made["expires_at"]
    # An answer is good once, for whom it was asked of, and only if it is one.
    again = await api.send(asking(api, hall, 2, "g8", Bespeak_Challenge=answer))
    fresh = solved(problem(again, "challenge_required"))
    for number in range(5):
        document(await api.send(asking(api, hall, 2, f"h{number}", OTHER)), 201)
    theirs = await api.send(asking(api, hall, 2, "h9", OTHER, Bespeak_Challenge=fresh))
    problem(theirs, "challenge_required")
    token = fresh.rpartition(":")[0]
    for wrong in ("", "x", f"{token}:0.0.0.0.0.0.0.0", f"{token}:1", "x" * 5000):
        problem(
            await api.send(asking(api, hall, 2, "g8", Bespeak_Challenge=wrong)),
            "challenge_required",
        )
    refused = await api.send(asked)
    for number in range(13):
        asks = solved(problem(refused, "challenge_required"))
        taken = asking(api, hall, 2, f"i{number}", Bespeak_Challenge=asks)
        document(await api.send(taken), 201)
        refused = await api.send(asked)
    problem(refused, "budget_spent", budget="address_share", limit=40)


async def test_a_hundred_at_once_find_no_more_room_than_one_after_the_other(
    open_api: OpenApi, hall: Resource
) -> None:
    api = await open_api(**ON)
    await knows(api, hall)
    answers = await asyncio.gather(
        *(api.send(asking(api, hall, 1, f"g{number}")) for number in range(60))
    )
    assert sum(answer.status_code == 201 for answer in answers) == 12
    holds = api.service.budgets.holds
    assert holds.held_by_prefix[MINE] == 12, "what was refused counts no more"


async def test_what_is_refused_by_the_inventory_costs_no_budget(
    open_api: OpenApi, make_show: MakeShow
) -> None:
    api = await open_api(**ON)
    show = await make_show(plan=SeatsPlan(pools=(PoolPlan("floor", 1),)))
    document(await api.send(asking(api, show, 1, "first")), 201)
    for number in range(20):
        problem(await api.send(asking(api, show, 1, f"g{number}", OTHER)), "sold_out")
    assert api.service.budgets.holds.held_by_prefix[OTHER] == 0


async def test_who_lets_holds_lapse_gets_shorter_ones_and_then_none(
    open_api: OpenApi, hall: Resource, database_url: str
) -> None:
    api = await open_api(**ON, sweep=True)
    async with session(database_url) as own:
        clock = Clock(own)
        await clock.set(clock.now)
        clock.shared_with(api.service.engine)
        await knows(api, hall)
        seen = []
        for turn in range(20):
            answers = [await api.send(asking(api, hall, 6, f"g{turn}-{n}")) for n in range(2)]
            for answer in answers:
                if answer.status_code == 201:
                    seen.append("short" if lasts(answer) <= SHORT_HOLD_SECONDS else "whole")
                else:
                    seen.append(str(answer.json()["code"]))
            if seen[-1] == "challenge_required":
                answer = await api.send(
                    asking(api, hall, 6, f"s{turn}", Bespeak_Challenge=solved(answers[-1].json()))
                )
                seen.append("solved" if answer.status_code == 201 else str(answer.json()["code"]))
            if seen[-1] == "budget_spent":
                break
            await clock.advance(601 if seen[-1] == "whole" else SHORT_HOLD_SECONDS + 1)
            clock.shared_with(api.service.engine)
            await api.service.budgets.sharing.look()
        steps = ["whole", "short", "challenge_required", "solved", "budget_spent"]
        assert list(dict.fromkeys(seen)) == steps, seen
        await clock.advance(SHORT_HOLD_SECONDS + 1)  # what is held still lapses as well
        clock.shared_with(api.service.engine)
        await api.service.budgets.sharing.look()
        refused = await api.send(asking(api, hall, 1, "late"))
        found = problem(refused, "budget_spent", budget="wasted")
        # The worker's clock has run on a little beside that of the database, which stood.
        await clock.advance(int(str(found["retry_after_seconds"])) + 5)
        clock.shared_with(api.service.engine)
        await api.service.budgets.sharing.look()
        problem(await api.send(asking(api, hall, 1, "late")), "challenge_required")
        document(await api.send(asking(api, hall, 1, "late", OTHER)), 201)


def lasts(answer: httpx.Response) -> float:
    return float(answer.json()["expires_in_ms"]) / 1000


async def test_two_workers_know_the_same(open_api: OpenApi, hall: Resource) -> None:
    one, other = await open_api(**ON), await open_api(**ON)
    other.keys = one.keys
    for api in (one, other):
        await knows(api, hall)
    for number in range(6):
        document(await one.send(asking(one, hall, 2, f"g{number}")), 201)

    async def is_known() -> bool:
        answer = await other.send(asking(other, hall, 1, "late"))
        return answer.status_code == 403

    await until(is_known)
    booked = document(await one.send(asking(one, hall, 1, "buyer", OTHER)), 201)
    token = {"Bespeak_Shopper": one.token("buyer")}
    body = {"hold_id": booked["id"]}
    document(await one.ask("POST", "/v1/bookings", body, key="pk", **token), 201)
    await until(lambda: other.service.budgets.holds.booked_by_prefix[OTHER] == 1)
    assert other.service.budgets.holds.held_by_prefix[OTHER] == 0


async def test_while_the_database_is_away_each_worker_judges_by_what_it_knows(
    open_api: OpenApi, hall: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = await open_api(**ON)
    await knows(api, hall)
    sharing = api.service.budgets.sharing
    await api.connection.execute("alter table bespeak.guest_hold rename to away")
    for number in range(12):
        document(await api.send(asking(api, hall, 1, f"g{number}")), 201)
    problem(await api.send(asking(api, hall, 1, "g13")), "challenge_required")
    with pytest.raises(Exception, match="guest_hold"):
        await sharing.look()
    # What could not be told is told when it can be.
    await api.connection.execute("alter table bespeak.away rename to guest_hold")
    await sharing.look()
    told = await api.connection.fetchval(
        "select sum(units) from bespeak.guest_hold where prefix = $1", MINE
    )
    assert told == 12


async def test_servers_are_not_judged_unless_they_name_a_shoppers_address(
    open_api: OpenApi, hall: Resource
) -> None:
    api = await open_api(**ON)
    await api.hold(hall, "floor 40", owner="box-office")
    body: Json = {
        "owner": "asha",
        "lines": [{"resource_id": hall.id, "unit": "floor", "quantity": 12}],
    }
    request = Request("POST", "/v1/holds", body, "sk", {"Bespeak-Shopper-Address": MINE})
    document(await api.send(request), 201)
    problem(await api.send(request), "challenge_required")
    wrong = Request("POST", "/v1/holds", body, "sk", {"Bespeak-Shopper-Address": "asha"})
    problem(await api.send(wrong), "invalid_request", field="Bespeak-Shopper-Address")


async def test_some_addresses_are_exempt(open_api: OpenApi, hall: Resource) -> None:
    api = await open_api(**ON, budgets_exempt="192.0.2.0/31,2001:db8::/32")
    await knows(api, hall)
    for address in (MINE, "2001:db8:1::5"):
        document(await api.send(asking(api, hall, 20, f"g{address[-1]}", address)), 201)
    problem(await api.send(asking(api, hall, 20, "h", OTHER)), "challenge_required")


async def test_budgets_may_only_be_watched(
    open_api: OpenApi, hall: Resource, logged: list[MutableMapping[str, object]]
) -> None:
    api = await open_api(**{**ON, "budgets": "watch"})
    await knows(api, hall)
    made = document(await api.send(asking(api, hall, 50)), 201)
    assert made["expires_in_ms"] > 590_000  # type: ignore[operator]
    assert [one["budget"] for one in logged if one["event"] == "a budget is spent"]


async def test_a_repeat_is_answered_although_the_budget_is_spent(
    open_api: OpenApi, hall: Resource
) -> None:
    api = await open_api(**ON)
    asked = asking(api, hall, 30, "g", Idempotency_Key="once")
    # Not known yet how much there is, so no share is judged, and the guest's own units are spent.
    made = document(await api.send(asked), 201)
    again = document(await api.send(asked), 201)
    assert again["id"] == made["id"]
    problem(await api.send(asking(api, hall, 1, "g", Idempotency_Key="two")), "budget_spent")


async def test_new_guests_of_an_address(open_api: OpenApi, monkeypatch: pytest.MonkeyPatch) -> None:
    from bespeak.http.server.budgets import policy

    monkeypatch.setattr(policy, "GUESTS", policy.Limits(3, 5))
    api = await open_api(**ON)

    async def enter(address: str = MINE, **headers: str) -> httpx.Response:
        return await api.ask(
            "POST", "/v1/box-office/session", key=None, Sec_Fetch_Site="same-origin",
            X_Forwarded_For=address, **headers,
        )  # fmt: skip

    kept = {}
    for _ in range(3):
        answer = await enter()
        kept = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
        api.client.cookies.clear()
    api.client.cookies.clear()
    asked = problem(await enter(), "challenge_required", budget="guests")
    assert (await enter(**kept)).status_code == 200, "who was here before is not new"
    api.client.cookies.clear()
    assert (await enter(Bespeak_Challenge=solved(asked))).status_code == 200
    api.client.cookies.clear()
    asked = problem(await enter(), "challenge_required")
    assert (await enter(Bespeak_Challenge=solved(asked))).status_code == 200
    api.client.cookies.clear()
    refused = problem(await enter(), "budget_spent", budget="guests", limit=5)
    assert 1 <= int(str(refused["retry_after_seconds"])) <= 3600
    assert (await enter(OTHER)).status_code == 200


async def test_an_answer_is_good_for_two_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    work = ProofOfWork(b"secret")
    asked = work.ask("a")
    answer = solved({"challenge": {"token": asked.token, "parts": asked.parts, "bits": asked.bits}})
    later = time.time() + 121
    monkeypatch.setattr(time, "time", lambda: later)
    assert not await work.passes(answer, "a")
    monkeypatch.undo()
    assert await work.passes(answer, "a")
    assert not await work.passes(answer, "a")
    assert not await ProofOfWork(b"other").passes(answer, "a")


async def test_who_tries_cards_comes_to_an_end(open_api: OpenApi, make_show: MakeShow) -> None:
    api = await open_api(**ON, payment_providers="sandbox", allow_pretend_money=True)
    show = await make_show(plan=HALL, payment="required", price=Price(500, "EUR"))

    async def pays(hold: object, token: str, owner: str, address: str) -> httpx.Response:
        body = {"hold_id": hold, "payment_token": token}
        headers = {"Bespeak-Shopper": api.token(owner), "X-Forwarded-For": address}
        return await api.send(Request("POST", "/v1/bookings", body, "pk", headers))

    held = document(await api.send(asking(api, show, 1)), 201)["id"]
    for number in range(5):
        problem(await pays(held, f"tok_declined_{number}", "g", MINE), "payment_declined")
    refused = await pays(held, "tok_success", "g", MINE)
    found = problem(refused, "budget_spent", budget="payments", limit=5)
    assert 1 <= int(str(found["retry_after_seconds"])) <= 3600
    # Another hold of the same guest, until the guest has tried too often; all at once too.
    other = document(await api.send(asking(api, show, 1)), 201)["id"]
    third = document(await api.send(asking(api, show, 1)), 201)["id"]
    answers = await asyncio.gather(
        *(pays(one, f"tok_declined_{n}", "g", MINE) for n in range(8) for one in (other, third))
    )
    codes = [answer.json()["code"] for answer in answers]
    assert codes.count("payment_declined") <= 5
    assert set(codes) <= {"payment_declined", "budget_spent", "payment_in_progress"}
    # One card at many holds of many guests from everywhere.
    codes = []
    for number in range(6):
        address, owner = f"198.51.100.{number}", f"h{number}"
        hold = document(await api.send(asking(api, show, 1, owner, address)), 201)["id"]
        codes.append((await pays(hold, "tok_declined", owner, address)).json()["code"])
    assert codes == ["payment_declined"] * 5 + ["budget_spent"]
    # Who pays has not tried in vain, however often.
    for number in range(7):
        owner = f"buyer{number}"
        hold = document(await api.send(asking(api, show, 1, owner, OTHER)), 201)["id"]
        document(await pays(hold, "tok_success", owner, OTHER), 201)
    assert (
        api.service.budgets.counts.spent(
            "payments", f"address:{OTHER}", api.service.engine.clock.seconds()
        )
        == 0
    )


async def test_who_asks_again_how_a_payment_stands_tries_nothing(
    open_api: OpenApi, make_show: MakeShow
) -> None:
    api = await open_api(**ON, payment_providers="sandbox", allow_pretend_money=True)
    show = await make_show(plan=HALL, payment="required", price=Price(500, "EUR"))
    held = document(await api.send(asking(api, show, 1)), 201)["id"]
    body = {"hold_id": held, "payment_token": "tok_challenge"}
    headers = {"Bespeak-Shopper": api.token("g"), "Idempotency-Key": "once"}
    for _ in range(8):
        document(await api.send(Request("POST", "/v1/bookings", body, "pk", headers)), 202)


async def test_who_guesses_codes_comes_to_an_end(open_api: OpenApi, make_show: MakeShow) -> None:
    api = await open_api(**ON)
    pricing = Pricing(codes=(PriceCode(code="FRIENDS", capacity=50, basis_points=1000),))
    show = await make_show(plan=HALL, price=Price(500, "EUR"), pricing=pricing)

    async def quotes(code: str, owner: str = "g", address: str = MINE) -> httpx.Response:
        body = {"lines": [{"resource_id": show.id, "unit": "floor", "quantity": 1, "code": code}]}
        headers = {"Bespeak-Shopper": api.token(owner), "X-Forwarded-For": address}
        return await api.send(Request("POST", "/v1/quotes", body, "pk", headers))

    for _ in range(30):
        document(await quotes("FRIENDS"), 200)
    answers = await asyncio.gather(*(quotes(f"X{number}") for number in range(30)))
    codes = [answer.json()["code"] for answer in answers]
    assert (codes.count("unknown_code"), codes.count("budget_spent")) == (20, 10)
    problem(await quotes("FRIENDS"), "budget_spent", budget="codes", limit=20)
    line = {"resource_id": show.id, "unit": "floor", "quantity": 1, "code": "FRIENDS"}
    headers = {"Bespeak-Shopper": api.token("g"), "X-Forwarded-For": MINE}
    asked = Request("POST", "/v1/holds", {"lines": [line]}, "pk", headers)
    problem(await api.send(asked), "budget_spent", budget="codes")
    document(await quotes("FRIENDS", "another"), 200)
