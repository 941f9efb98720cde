"""Prices that are suggested, applied by hand, and taken back."""

from datetime import date, datetime, time, timedelta
from typing import cast
from zoneinfo import ZoneInfo

import pytest

from bespeak.http.server.scopes import KeyScope
from tests.harness.clock import START, Clock
from tests.http.api import Api, Json, document, problem
from tests.http.stays import LISTINGS, made_listing, made_property

TODAY = START.date() + timedelta(days=60)
RULE: Json = {"least": 8_000, "most": 20_000, "step": 5_000, "multiple": 100, "days_ahead": 60}
PLAN: Json = {"type": "nights", "count": 10}


def ahead(days: int) -> str:
    return (TODAY + timedelta(days=days)).isoformat()


def nights(found: Json) -> list[Json]:
    return cast("list[Json]", found["items"])


def path(listing: Json, more: str = "") -> str:
    return f"{LISTINGS}/{listing['id']}/suggested-prices{more}"


async def booked(api: Api, listing: Json, start: str, end: str, rooms: int) -> Json:
    line = {"resource_id": listing["id"], "from": start, "to": end, "quantity": rooms}
    hold = document(await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": [line]}), 201)
    return document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)


async def travelled(clock: Clock, day: date) -> None:
    await clock.set(datetime.combine(day, time(12), ZoneInfo("Europe/Berlin")))


async def history(api: Api, clock: Clock, **fields: object) -> Json:
    """A listing whose last four weeks had four of ten rooms booked, all of them long before; and
    that it is `TODAY` now."""
    await travelled(clock, START.date())
    listing = await made_listing(api, await made_property(api), "ak", **{"plan": PLAN} | fields)
    await booked(api, listing, ahead(-28), ahead(0), 4)
    await travelled(clock, TODAY)
    return listing


async def suggested(api: Api, listing: Json, query: str = "", key: str = "sk") -> list[Json]:
    return nights(document(await api.ask("GET", path(listing, query), key=key), 200))


async def with_rule(api: Api, listing: Json, **fields: object) -> Json:
    return document(await api.ask("PUT", path(listing, "/rule"), RULE | fields, key="ak"), 200)


def chosen(*some: Json) -> Json:
    return {"nights": [{name: one[name] for name in ("date", "now", "price")} for one in some]}


async def apply(api: Api, listing: Json, *some: Json, **headers: str) -> Json:
    told = await api.ask("POST", path(listing), chosen(*some), key="ak", **headers)
    return document(told, 200)


async def plan_of(api: Api, listing: Json) -> list[Json]:
    found = document(await api.ask("GET", f"{LISTINGS}/{listing['id']}"), 200)
    return cast("list[Json]", cast("Json", found["plan"]).get("rules", []))


async def test_nights_have_suggestions_with_their_reasons(api: Api, moved_clock: Clock) -> None:
    listing = await history(api, moved_clock)
    await booked(api, listing, ahead(10), ahead(11), 4)
    await booked(api, listing, ahead(12), ahead(13), 10)
    await with_rule(api, listing)
    found = await suggested(api, listing, "?days=20")
    assert [night["date"] for night in found] == [ahead(day) for day in range(20)]
    assert found[10] == {
        "date": ahead(10),
        "days_before": 10,
        "now": 12_000,
        "usual": 12_000,
        "price": 12_000,
        "bounds": [],
        "reason": "on_pace",
        "rooms": 10,
        "booked": 4,
        "expected": 4.0,
        "forecast": 4.0,
        "comparable": found[10]["comparable"],
        "applied": False,
    }
    assert cast("int", found[10]["comparable"]) >= 6
    assert (found[12]["reason"], found[12]["price"]) == ("sold_out", None)
    assert (found[9]["reason"], found[1]["reason"]) == ("behind_pace", "last_minute")
    assert 8_000 <= cast("int", found[9]["price"]) < 12_000
    # A weekend two weeks ahead has too few others within its season yet.
    assert (found[14]["reason"], found[14]["price"]) == ("too_little_history", None)


async def test_without_history_nothing_is_suggested_and_that_is_said(
    api: Api, moved_clock: Clock
) -> None:
    listing = await made_listing(api, await made_property(api), plan=PLAN)
    await with_rule(api, listing)
    found = await suggested(api, listing)
    assert len(found) == 60
    assert {(night["reason"], night["price"]) for night in found} == {("too_little_history", None)}


async def test_thin_history_is_helped_by_rooms_alike(api: Api, moved_clock: Clock) -> None:
    first = await history(api, moved_clock)
    house = cast("Json", first["property"])
    young = await made_listing(api, house, ref="young", plan=PLAN)
    other = await made_listing(api, house, ref="suite", guests=4, plan=PLAN)
    for listing, reason in ((young, "behind_pace"), (other, "too_little_history")):
        await with_rule(api, listing)
        assert (await suggested(api, listing))[10]["reason"] == reason


async def test_applied_prices_are_runs_and_a_hold_keeps_its_own(
    api: Api, moved_clock: Clock
) -> None:
    own = {"from": ahead(10), "to": ahead(12), "price": 14_000}
    listing = await history(api, moved_clock, plan=PLAN | {"rules": [own]})
    line = {"resource_id": listing["id"], "from": ahead(9), "to": ahead(10)}
    hold = document(await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": [line]}), 201)
    await with_rule(api, listing)
    found = await suggested(api, listing, "?days=13")
    await apply(api, listing, *found[5:])
    rules = await plan_of(api, listing)
    assert rules[0] == own
    assert len(rules) <= 8  # weekends between working days, and the person's own nights
    assert all(rule["suggested"] for rule in rules[1:])
    after = await suggested(api, listing, "?days=13")
    assert [night["now"] for night in after[5:]] == [night["price"] for night in found[5:]]
    assert [night["usual"] for night in after] == [night["usual"] for night in found]
    assert all(night["applied"] for night in after[5:])
    kept = document(await api.ask("GET", f"/v1/holds/{hold['id']}"), 200)
    assert kept["amount"] == {"amount": 12_000, "currency": "EUR"}
    new = document(await api.ask("POST", "/v1/holds", {"owner": "ben", "lines": [line]}), 201)
    assert cast("Json", new["amount"])["amount"] == after[9]["now"] != 12_000


async def test_to_take_back_brings_the_own_prices_and_ends_the_rule(
    api: Api, moved_clock: Clock
) -> None:
    listing = await history(api, moved_clock)
    await with_rule(api, listing, applied="by_rule")
    found = await suggested(api, listing, "?days=10")
    await apply(api, listing, *found)
    some = document(
        await api.ask("DELETE", path(listing, f"?from={ahead(0)}&to={ahead(4)}"), key="ak"), 200
    )
    assert some == {"listing_id": listing["id"], "nights": 4}
    assert [night["applied"] for night in await suggested(api, listing, "?days=10")] == (
        [False] * 4 + [True] * 6
    )
    left = document(await api.ask("DELETE", path(listing), key="ak"), 200)
    assert left["nights"] == 6
    assert await plan_of(api, listing) == []
    asked = document(await api.ask("GET", path(listing)), 200)
    assert cast("Json", asked["rule"])["applied"] == "by_hand"
    again = document(await api.ask("DELETE", path(listing), key="ak"), 200)
    assert again["nights"] == 0


async def test_a_price_that_a_person_says_later_wins(api: Api, moved_clock: Clock) -> None:
    listing = await history(api, moved_clock)
    await with_rule(api, listing)
    found = await suggested(api, listing, "?days=10")
    await apply(api, listing, *found)
    rules = [*await plan_of(api, listing), {"from": ahead(3), "to": ahead(4), "price": 15_000}]
    change = {"plan": PLAN | {"rules": rules}}
    document(await api.ask("PATCH", f"{LISTINGS}/{listing['id']}", change, key="ak"), 200)
    after = await suggested(api, listing, "?days=10")
    assert (after[3]["reason"], after[3]["price"], after[3]["now"]) == ("set_by_hand", None, 15_000)
    night = {"date": ahead(3), "now": 15_000, "price": 12_000}
    told = await api.ask("POST", path(listing), chosen(night), key="ak")
    problem(told, "price_moved", nights=[{"date": ahead(3), "now": 15_000}])
    await apply(api, listing, after[5])
    assert (await plan_of(api, listing))[-1] == rules[-1]


async def test_prices_that_moved_meanwhile_are_refused_and_nothing_is_applied(
    api: Api, moved_clock: Clock
) -> None:
    listing = await history(api, moved_clock)
    await with_rule(api, listing)
    found = await suggested(api, listing, "?days=10")
    rules = [{"from": ahead(4), "to": ahead(5), "price": 13_000}]
    change = {"plan": PLAN | {"rules": rules}}
    document(await api.ask("PATCH", f"{LISTINGS}/{listing['id']}", change, key="ak"), 200)
    told = await api.ask("POST", path(listing), chosen(*found[3:6]), key="ak")
    problem(told, "price_moved", nights=[{"date": ahead(4), "now": 13_000}])
    assert await plan_of(api, listing) == rules


async def test_a_repeat_applies_once(api: Api, moved_clock: Clock) -> None:
    listing = await history(api, moved_clock)
    await with_rule(api, listing)
    found = await suggested(api, listing, "?days=10")
    key = {"Idempotency-Key": "prices-1"}
    first = await api.ask("POST", path(listing), chosen(*found[:5]), key="ak", **key)
    again = await api.ask("POST", path(listing), chosen(*found[:5]), key="ak", **key)
    assert (
        document(first, 200) == document(again, 200) == {"listing_id": listing["id"], "nights": 5}
    )
    assert again.headers["idempotent-replayed"] == "true"
    other = await api.ask("POST", path(listing), chosen(*found[:6]), key="ak", **key)
    problem(other, "idempotency_key_reused")


async def test_a_cancelled_booking_counts_until_it_was_cancelled(
    api: Api, moved_clock: Clock
) -> None:
    await travelled(moved_clock, START.date())
    listing = await made_listing(api, await made_property(api), plan=PLAN)
    stay = await booked(api, listing, ahead(-28), ahead(0), 4)
    await travelled(moved_clock, TODAY - timedelta(days=38))
    document(await api.ask("DELETE", f"/v1/bookings/{stay['id']}", {"reason": "ill"}), 200)
    await travelled(moved_clock, TODAY)
    query = f"{LISTINGS}/{listing['id']}/pick-up?date={ahead(2)}"
    found = document(await api.ask("GET", query), 200)
    points = cast("list[Json]", found["points"])
    by_lead = {cast("int", one["days_before"]): one["expected"] for one in points}
    # It was cancelled 10 to 37 days before the nights, and made 32 days before the first.
    assert (by_lead[38], by_lead[0]) == (pytest.approx(4.0, abs=1.5), 0.0)


async def test_the_curve_of_a_night_stands_beside_that_of_others(
    api: Api, moved_clock: Clock
) -> None:
    listing = await history(api, moved_clock)
    await booked(api, listing, ahead(10), ahead(11), 3)
    query = f"{LISTINGS}/{listing['id']}/pick-up?date={ahead(10)}"
    found = document(await api.ask("GET", query), 200)
    points = cast("list[Json]", found["points"])
    assert (found["rooms"], points[-1]["days_before"], points[-1]["booked"]) == (10, 0, None)
    at = next(point for point in points if point["days_before"] == 10)
    assert (at["booked"], at["expected"]) == (3, 4.0)


@pytest.mark.parametrize(
    ("change", "field"),
    [({"least": 20_001}, "least"), ({"least": 0}, "least"), ({"days_ahead": 367}, "days_ahead")],
)
async def test_a_rule_that_makes_no_sense(api: Api, change: Json, field: str) -> None:
    listing = await made_listing(api, await made_property(api), plan=PLAN)
    told = await api.ask("PUT", path(listing, "/rule"), RULE | change, key="ak")
    problem(told, "invalid_request", field=field)


async def test_what_is_chosen_lies_within_the_bounds(api: Api, moved_clock: Clock) -> None:
    listing = await history(api, moved_clock)
    night = {"date": ahead(5), "now": 12_000, "price": 12_500}
    told = await api.ask("POST", path(listing), chosen(night), key="ak")
    problem(told, "price_rule_needed")
    await with_rule(api, listing)
    for change, field in (
        ({"price": 20_001}, "nights[0].price"),
        ({"date": ahead(-1)}, "nights[0].date"),
        ({"date": ahead(60)}, "nights[0].date"),
    ):
        told = await api.ask("POST", path(listing), chosen(night | change), key="ak")
        problem(told, "invalid_request", field=field)
    told = await api.ask("POST", path(listing), chosen(night, night), key="ak")
    problem(told, "invalid_request", field="nights[1].date")


async def test_only_the_operator_applies_and_no_browser_sees(api: Api) -> None:
    listing = await made_listing(api, await made_property(api), plan=PLAN)
    for method, more, body in (
        ("PUT", "/rule", RULE),
        ("POST", "", chosen({"date": ahead(0), "now": 1, "price": 1})),
        ("DELETE", "", None),
    ):
        problem(await api.ask(method, path(listing, more), body, key="sk"), "key_kind_wrong")
    problem(await api.ask("GET", path(listing), key="pk"), "key_kind_wrong")


async def test_nights_beyond_a_year_have_none(api: Api, moved_clock: Clock) -> None:
    listing = await history(api, moved_clock)
    assert await suggested(api, listing, "?from=9000-01-01&days=2") == []
    last = await suggested(api, listing, f"?from={ahead(364)}&days=9")
    assert [night["days_before"] for night in last] == [364, 365]
    told = await api.ask("GET", path(listing, "?from=9999-12-31&days=2"))
    problem(told, "invalid_request", field="from")


async def test_a_key_of_the_house_works_for_its_listings_only(api: Api, moved_clock: Clock) -> None:
    listing = await history(api, moved_clock)
    house = cast("Json", listing["property"])
    scopes = (KeyScope.READ, KeyScope.MANAGE)
    own = await api.restricted(*scopes, place=f"stays/{house['id']}")
    document(await api.ask("PUT", path(listing, "/rule"), RULE, key=own), 200)
    found = await suggested(api, listing, "?days=3", key=own)
    told = await api.ask("POST", path(listing), chosen(*found), key=own)
    assert document(told, 200)["nights"] == 3
    document(await api.ask("DELETE", path(listing), key=own), 200)
    other = await made_property(api, ref="other", name="Other")
    foreign = await api.restricted(*scopes, place=f"stays/{other['id']}")
    for method, more, body in (
        ("GET", "", None),
        ("PUT", "/rule", RULE),
        ("POST", "", chosen(*found)),
        ("DELETE", "", None),
    ):
        problem(await api.ask(method, path(listing, more), body, key=foreign), "key_bound")
    entries = await api.connection.fetch(
        "select distinct action from bespeak.audit_entry where action like '%price%'"
    )
    assert {row["action"] for row in entries} == {
        "stays_set_price_rule",
        "stays_apply_suggested_prices",
        "stays_take_back_suggested_prices",
    }
