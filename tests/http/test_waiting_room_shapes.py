"""A waiting room before what has no seats: 50,000 standing places, and a hotel's last week of
August, set up as the guide says.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import cast

import msgspec

from bespeak import PoolPlan, Resource, SeatsPlan
from bespeak.inventory.shapes.nights.plan import NightsPlan
from tests.harness.clock import Clock
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, problem
from tests.http.waiting import ALL, come_in, join, room_for, steer

PLACES = 50_000
ROOMS = 12
WEEK = {"from": "2030-08-25", "to": "2030-09-01"}


async def let_in(api: Api, room: Json, clock: Clock, owner: str) -> str:
    """Joins and comes in; the pass."""
    token = await join(api, room, owner)
    for _ in range(3):
        await clock.advance(3)
        await steer(api)
    return await come_in(api, room, token, owner)


async def hold(api: Api, line: Json, owner: str, waiting_pass: str | None = None) -> Json:
    """What a shopper is answered who wants to hold this."""
    headers = {"bespeak_shopper": api.token(owner)}
    if waiting_pass is not None:
        headers["bespeak_pass"] = waiting_pass
    answer = await api.ask("POST", "/v1/holds", {"lines": [line]}, key="pk", **headers)
    if waiting_pass is None:
        return problem(answer, "pass_required")
    return cast("Json", msgspec.json.decode(answer.content))


async def stand(api: Api, room: Json) -> Json:
    return document(await api.ask("GET", f"{ALL}/{room['id']}/now", key=None), 200)


def standing(concert: Resource, quantity: int) -> Json:
    return {"resource_id": concert.id, "unit": "standing", "quantity": quantity}


async def test_a_concert_of_50_000_standing_places(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    plan = SeatsPlan(pools=(PoolPlan("standing", PLACES),))
    concert = await make_show(plan=plan, owner_limit=10)
    room = await room_for(api, concert, pace="stock", units_max=4, inside_max=1000, a_minute=3000)
    await hold(api, standing(concert, 2), "asha")
    given = await let_in(api, room, moved_clock, "asha")
    assert (await stand(api, room))["units_left"] == PLACES
    held = await hold(api, standing(concert, 3), "asha", given)
    assert held["state"] == "held"
    await moved_clock.advance(2)
    await steer(api)
    assert (await stand(api, room))["units_left"] == PLACES - 3
    more = await hold(api, standing(concert, 2), "asha", given)
    assert more["code"] == "owner_limit_reached", "a pass is for four in all"
    await hold(api, standing(concert, 1), "ben")
    stolen = await hold(api, standing(concert, 1), "ben", given)
    assert stolen["code"] == "pass_invalid"
    seen = await api.get(f"/v1/resources/{concert.id}/availability")
    pools = cast("dict[str, Json]", seen["pools"])
    assert pools["standing"] == {"capacity": PLACES, "available": PLACES - 3}


async def test_with_the_last_standing_places_held_nobody_is_let_in(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    concert = await make_show(plan=SeatsPlan(pools=(PoolPlan("standing", PLACES),)))
    room = await room_for(api, concert, pace="stock")
    await let_in(api, room, moved_clock, "asha")
    body = {"owner": "desk", "lines": [standing(concert, PLACES)]}
    held = document(await api.ask("POST", "/v1/holds", body), 201)
    document(await api.ask("POST", "/v1/bookings", {"hold_id": held["id"]}), 201)
    token = await join(api, room, "ben")
    for _ in range(3):
        await moved_clock.advance(3)
        await steer(api)
    now = await stand(api, room)
    assert (now["phase"], now["units_left"]) == ("sold_out", 0)
    asked = {"queue_token": token}
    shopper = {"bespeak_shopper": api.token("ben")}
    path = f"{ALL}/{room['id']}/passes"
    problem(await api.ask("POST", path, asked, key="pk", **shopper), "not_your_turn")


async def test_a_hotels_last_week_of_august(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    opens_at = datetime(2030, 1, 1, 9, tzinfo=UTC)
    hotel = await make_show(
        plan=NightsPlan(count=ROOMS, max_nights=14, price=14_500),
        time_zone="Europe/Lisbon",
        opens_at=opens_at,
    )
    room = await room_for(api, hotel, pace="rate", a_minute=60, inside_max=50)
    stay: Json = {"resource_id": hotel.id, "quantity": 1, **WEEK}
    await hold(api, stay, "asha")
    for owner in ("asha", "ben"):
        given = await let_in(api, room, moved_clock, owner)
        held = await hold(api, stay, owner, given)
        assert held["state"] == "held"
    # What has no end is not counted: they come in by the speed alone.
    assert (await stand(api, room))["units_left"] is None
    query = "from=2030-08-24&to=2030-09-02"
    seen = await api.get(f"/v1/resources/{hotel.id}/availability?{query}")
    nights = cast("list[Json]", seen["nights"])
    free = {night["date"]: night["free"] for night in nights}
    week = [str(date(2030, 8, 25) + timedelta(days=n)) for n in range(7)]
    assert [free[night] for night in week] == [ROOMS - 2] * 7
    assert free["2030-08-24"] == free["2030-09-01"] == ROOMS
