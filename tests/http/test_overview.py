"""The operator's figures: they add up to what was done, and to what the tables say."""

import csv
import io
from datetime import datetime, timedelta

import pytest

from bespeak import PoolPlan, PoolsPlan, Resource
from bespeak.inventory import resources
from bespeak.inventory.resources import Price
from bespeak.overview.minute_counter import MinuteCounter
from tests.harness import database
from tests.harness.clock import Clock
from tests.harness.shows import new_show
from tests.http.api import Api, Json, document, line, place, problem, until
from tests.http.conftest import OpenApi
from tests.http.test_booking_lists import confirm, items

PLAN = PoolsPlan(pools=(PoolPlan("floor", 100),))


async def counted(api: Api) -> None:
    """Counts all that has happened by now."""
    await database.feed_settled(api.connection)
    await MinuteCounter(api.service.engine.database.pool).look()
    await api.service.refusals.flush()


async def overview(api: Api, query: str = "") -> Json:
    return await api.get(f"/v1/overview{query}", **{"key": "ak"})


def summed(seen: Json, field: str) -> int:
    series = seen["series"]
    assert isinstance(series, dict)
    return sum(point[field] for point in series["points"])


async def test_it_adds_up(open_api: OpenApi, show: Resource) -> None:
    api = await open_api(payment_providers="sandbox", allow_pretend_money=True)
    play = await resources.create(
        api.connection, new_show(name="Play", payment="required", price=Price(1500, "EUR"))
    )
    opera = await resources.create(
        api.connection,
        new_show(name="Opera", payment="required", price=Price(9000, "INR")),
    )
    await confirm(api, play, "A1", "A2", payment_token="tok_success")
    await confirm(api, opera, "A1", payment_token="tok_success")
    free = await confirm(api, show, "A1", "floor 3")
    document(await api.ask("DELETE", f"/v1/bookings/{free}", {"lines": [line(show, "A1")]}), 200)
    await api.hold(show, "A5", "floor 2")
    released = await api.hold(show, "A6")
    document(await api.ask("DELETE", f"/v1/holds/{released['id']}"), 200)
    for _ in range(4):
        problem(await api.send(place(show, "A5")), "unit_taken")
    problem(await api.send(place(show, "Z9")), "unknown_unit")  # nonsense is no refusal
    await counted(api)
    seen = await overview(api)
    assert (seen["sold"], seen["bookings"], seen["held"], seen["refused"]) == (7, 3, 3, 4)
    assert seen["revenue"] == [
        {"amount": 9000, "currency": "INR"},
        {"amount": 3000, "currency": "EUR"},
    ]
    assert seen["refunded"] == [] and seen["double_sold"] == 0
    assert seen["conversion"] == 3 / 5
    times = seen["hold_to_confirm"]
    assert isinstance(times, dict) and times["samples"] == 3
    assert 0 <= times["p50_seconds"] <= times["p95_seconds"] < 60
    sums = {name: summed(seen, name) for name in
            ("held", "confirmed", "released", "expired", "cancelled", "refused")}  # fmt: skip
    assert sums == {"held": 5, "confirmed": 3, "released": 1, "expired": 0, "cancelled": 1,
                    "refused": 4}  # fmt: skip


async def test_money_that_went_back_is_told(open_api: OpenApi) -> None:
    api = await open_api(payment_providers="sandbox", allow_pretend_money=True, sweep=True)
    play = await resources.create(
        api.connection, new_show(payment="required", price=Price(1500, "EUR"))
    )
    made = await confirm(api, play, "A1", "A2", payment_token="tok_success")
    body = {"lines": [line(play, "A1")], "refund": "full"}
    document(await api.ask("DELETE", f"/v1/bookings/{made}", body), 200)

    async def returned() -> bool:
        return (await overview(api))["refunded"] == [{"amount": 1500, "currency": "EUR"}]

    await until(returned)
    seen = await overview(api)
    assert seen["revenue"] == [{"amount": 3000, "currency": "EUR"}], "of what was sold, not kept"


async def test_a_time_has_what_happened_in_it(api: Api, show: Resource, moved_clock: Clock) -> None:
    await confirm(api, show, "A1")
    first = (await overview(api))["now"]
    await moved_clock.advance(7200)
    await confirm(api, show, "A2", "A3")
    await counted(api)
    start = datetime.fromisoformat(str(first)).replace(second=0, microsecond=0)

    async def sold(since: datetime, to: datetime) -> object:
        query = f"?from={since:%Y-%m-%dT%H:%M:%SZ}&to={to:%Y-%m-%dT%H:%M:%SZ}"
        return (await overview(api, query))["sold"]

    hour = timedelta(hours=1)
    assert await sold(start, start + hour) == 1
    assert await sold(start + hour, start + 3 * hour) == 2
    assert await sold(start, start + 3 * hour) == 3
    assert await sold(start - hour, start) == 0
    seen = await overview(api, f"?from={start:%Y-%m-%dT%H:%M:%SZ}")
    points = seen["series"]["points"]  # type: ignore[index]
    assert [point["confirmed"] for point in points if point["confirmed"]] == [1, 1]
    assert seen["series"]["step_seconds"] == 60  # type: ignore[index]


async def test_the_resources_with_what_is_taken(api: Api, show: Resource) -> None:
    booking = await confirm(api, show, "A1", "A2", "floor 3")
    document(await api.ask("DELETE", f"/v1/bookings/{booking}", {"lines": [line(show, "A2")]}), 200)
    await api.hold(show, "A5", "floor 1")
    await api.block(show, "B6", "B7")
    (one,) = items(await api.get("/v1/overview/resources", **{"key": "ak"}))
    assert (one["sold"], one["held"], one["blocked"]) == (4, 2, 2)
    assert one["free"] == int(str(one["units_total"])) - 8
    assert one["double_sold"] == 0 and one["state"] == "open"
    availability = await api.get(f"/v1/resources/{show.id}/availability")
    pools = availability["pools"]
    assert isinstance(pools, dict)
    free = int(str(availability["units_free"])) + sum(p["available"] for p in pools.values())
    assert one["free"] in (free, int(str(availability["units_free"])))


async def test_owners_limits_are_no_units(api: Api) -> None:
    show = await resources.create(api.connection, new_show(owner_limit=4))
    await confirm(api, show, "A1", "A2")
    (one,) = items(await api.get("/v1/overview/resources", **{"key": "ak"}))
    assert (one["sold"], one["held"]) == (2, 0)


async def test_lapsed_holds_are_free(api: Api, show: Resource, moved_clock: Clock) -> None:
    await api.hold(show, "A1", "floor 2")
    assert (await overview(api))["held"] == 3
    await moved_clock.advance(3600)
    assert (await overview(api))["held"] == 0
    (one,) = items(await api.get("/v1/overview/resources", **{"key": "ak"}))
    assert one["held"] == 0 and one["free"] == one["units_total"]
    work = {w["name"]: w for w in items(await api.get("/v1/overview/work", **{"key": "ak"}))}
    assert (work["holds"]["waiting"], work["holds"]["overdue"]) == (1, 1)
    assert set(work) == {"payments", "refunds", "webhooks", "mails", "calling_off", "holds"}


@pytest.mark.parametrize("sort", ["starts_at", "sold", "name"])
async def test_pages_of_any_order_have_each_resource_once(sort: str, api: Api) -> None:
    made = []
    for number in range(7):
        at = datetime.fromisoformat(f"2030-01-0{1 + number // 2}T20:00:00+00:00")
        fields = {"starts_at": None if number == 6 else at, "name": f"Show {number // 3}"}
        made.append(await resources.create(api.connection, new_show(**fields)))
    await confirm(api, made[3], "A1", "A2", "floor 5")
    await confirm(api, made[5], "A1")
    await api.block(made[6], "B6", "B7", "A20")
    found: list[Json] = []
    after = ""
    while True:
        path = f"/v1/overview/resources?sort={sort}&limit=2{after}"
        page = await api.get(path, **{"key": "ak"})
        found += items(page)
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert sorted(str(one["id"]) for one in found) == sorted(one.id for one in made)
    values = [one[sort] for one in found]
    if sort == "sold":
        assert values == [7, 1, 0, 0, 0, 0, 0]
    elif sort == "name":
        assert values == sorted(str(value) for value in values)
    else:
        assert values[-1] is None
        assert values[:-1] == sorted(str(value) for value in values[:-1])


async def test_a_search_is_for_text_not_for_a_pattern(api: Api) -> None:
    odd = await resources.create(api.connection, new_show(name="100% <script>_\\ Ünï"))
    city = await resources.create(
        api.connection, new_show(name="Plain", kind="play", attributes={"city": "Pune", "film": 7})
    )
    for q, wanted in {
        "100%": [odd.id], "%": [odd.id], "_": [odd.id], "\\": [odd.id], "<SCRIPT>": [odd.id],
        "üNÏ": [odd.id], "pune": [city.id], "7": [city.id], "city": [], "1__%": [],
        city.id: [city.id], "res_00000001": [],
    }.items():  # fmt: skip
        answer = await api.client.get(
            "/v1/overview/resources",
            params={"q": q},
            headers={"Authorization": f"Bearer {api.keys['ak']}"},
        )
        assert [one["id"] for one in items(document(answer, 200))] == wanted, q
    (one,) = items(await api.get("/v1/overview/resources?kind=play", **{"key": "ak"}))
    assert one["id"] == city.id
    assert items(await api.get("/v1/overview/resources?state=closed", **{"key": "ak"})) == []


async def test_the_file_of_resources(api: Api) -> None:
    await resources.create(api.connection, new_show(name="=1+1"))
    answer = await api.ask("GET", "/v1/overview/resources?format=csv", key="ak")
    text = answer.content.decode("utf-8-sig")
    (row,) = list(csv.DictReader(io.StringIO(text, newline="")))
    assert (row["resource"], row["sold"], row["double sold"]) == ("'=1+1", "0", "0")


async def test_a_changed_plan_is_counted_by(api: Api, open_api: OpenApi, show: Resource) -> None:
    other = await open_api()
    (before,) = items(await other.get("/v1/overview/resources", **{"key": "ak"}))
    plan = {"type": "pools", "pools": [{"unit": "floor", "capacity": 7}]}
    document(await api.ask("PATCH", f"/v1/resources/{show.id}", {"plan": plan}, key="ak"), 200)
    (after,) = items(await other.get("/v1/overview/resources", **{"key": "ak"}))
    assert before["units_total"] != after["units_total"] == after["free"] == 7


async def test_a_double_sale_would_be_seen(api: Api, show: Resource) -> None:
    """The recount does not believe the claims: two sales of one seat are two, whatever they say."""
    await confirm(api, show, "A1", "A2")
    second = await confirm(api, show, "A3", "A4")
    insert = """
        insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
        select resource_id, bespeak.horizon(), $1, hold_id, array['A1'], array[null]::int[], at
        from bespeak.event where kind = 'confirmed' and 'A3' = any(units)
    """
    assert second
    await api.connection.execute(insert, "confirmed")
    (one,) = items(await api.get("/v1/overview/resources", **{"key": "ak"}))
    assert one["double_sold"] == 1
    assert (await overview(api))["double_sold"] == 1
    await api.connection.execute(insert, "cancelled")
    (one,) = items(await api.get("/v1/overview/resources", **{"key": "ak"}))
    assert one["double_sold"] == 0


async def test_advice_needs_enough_to_go_by(api: Api, show: Resource, moved_clock: Clock) -> None:
    (few,) = items(await api.get("/v1/advice/hold-time", **{"key": "ak"}))
    assert (few["kind"], few["advice"], few["advised_seconds"]) == ("show", "too_few_samples", None)
    big = await resources.create(api.connection, new_show(name="Big", plan=PLAN))
    for number in range(50):
        hold = await api.hold(big, "floor 1", owner=f"o{number}")
        await api.connection.execute(
            "update bespeak.hold set created_at = created_at - interval '45 seconds'"
            " where state = 'held'"
        )
        document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    api.service.adviser._advice.forget(None)
    (enough,) = items(await api.get("/v1/advice/hold-time", **{"key": "ak"}))
    assert (enough["samples"], enough["p50_seconds"], enough["advice"]) == (50, 45.0, "lower")
    assert enough["advised_seconds"] == 120
