"""Ratings by guests who stayed: once for each booking, counted in the figures of the property,
learnt of by the search; comments are read by all, hidden by the operator, and go with their owner.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import cast

import asyncpg
import pytest

from bespeak.feed.numberer import numbering
from bespeak.verticals.stays.ratings.owners import erase, export
from tests.harness.clock import START, Clock
from tests.http.api import Api, Json, document, problem
from tests.http.stays import PROPERTIES, SEARCH, made_listing, made_property
from tests.http.test_stays_board import booked, day

HIDE = "/v1/stays/ratings"
AFTER = START + timedelta(days=33)
"""The stays of these tests are over then."""


async def rate(api: Api, booking: Json, rating: int, comment: str = "", key: str = "sk") -> Json:
    body = {"rating": rating, "comment": comment}
    return document(await api.ask("POST", path_of(booking), body, key=key), 200)


def path_of(booking: Json) -> str:
    return f"/v1/bookings/{booking['id']}/rating"


async def stayed(api: Api, listing: Json, number: int = 0) -> Json:
    return await booked(api, listing, day(0), day(2), f"Guest {number}")


async def figures(api: Api, house: Json) -> tuple[object, object]:
    found = document(await api.ask("GET", f"{PROPERTIES}/{house['id']}", key="pk"), 200)
    return found["rating"], found["ratings"]


async def comments(api: Api, house: Json, key: str = "pk", query: str = "") -> Json:
    path = f"{PROPERTIES}/{house['id']}/comments?{query}"
    return document(await api.ask("GET", path, key=key), 200)


async def test_who_stayed_rates_once_and_the_figures_follow(api: Api, moved_clock: Clock) -> None:
    elsewhere = {"rating": 8, "ratings": 2, "source": "Survey"}
    house = await made_property(api, rated_elsewhere=elsewhere)
    listing = await made_listing(api, house)
    one, other = [await stayed(api, listing, number) for number in range(2)]
    problem(await api.ask("GET", path_of(one), key="sk"), "rating_not_found")
    early = await api.ask("POST", path_of(one), {"rating": 9}, key="sk")
    refused = problem(early, "rating_not_open")
    assert (refused["reason"], refused["opens_on"]) == ("not_over", day(2))
    await moved_clock.set(AFTER)
    given = await rate(api, one, 9, "Quiet.\nGood bread.")
    assert (given["rating"], given["comment"]) == (9, "Quiet.\nGood bread.")
    assert await figures(api, house) == (8.3, 3)  # 8, 8 and 9
    assert document(await api.ask("GET", path_of(one), key="sk"), 200) == given
    await rate(api, one, 2, "On second thought.")
    await rate(api, one, 2, "On second thought.")
    assert await figures(api, house) == (6.0, 3)
    await rate(api, other, 10)
    assert await figures(api, house) == (7.0, 4)
    await moved_clock.set(AFTER + timedelta(days=31))
    late = await api.ask("POST", path_of(one), {"rating": 9}, key="sk")
    assert problem(late, "rating_not_open")["reason"] == "over"
    assert await figures(api, house) == (7.0, 4)


async def test_a_repeat_is_answered_as_before(api: Api, moved_clock: Clock) -> None:
    house = await made_property(api)
    listing = await made_listing(api, house)
    one, other = [await stayed(api, listing, number) for number in range(2)]
    await moved_clock.set(AFTER)
    headers = {"idempotency_key": "once"}
    body = {"rating": 9, "comment": "Quiet."}
    first = await api.ask("POST", path_of(one), body, key="sk", **headers)
    again = await api.ask("POST", path_of(one), body, key="sk", **headers)
    assert document(first, 200) == document(again, 200)
    assert again.headers["idempotent-replayed"] == "true"
    changed = await api.ask("POST", path_of(one), {"rating": 1}, key="sk", **headers)
    problem(changed, "idempotency_key_reused")
    # The same key of another guest is another.
    document(await api.ask("POST", path_of(other), {"rating": 5}, key="sk", **headers), 200)
    assert await figures(api, house) == (7.0, 2)


async def test_what_was_cancelled_is_no_stay_and_another_guest_is_refused(
    api: Api, moved_clock: Clock
) -> None:
    house = await made_property(api)
    booking = await stayed(api, await made_listing(api, house))
    await moved_clock.set(AFTER)
    other = await api.ask(
        "POST", path_of(booking), {"rating": 1}, key="pk", bespeak_shopper=api.token("ines")
    )
    problem(other, "not_owner")
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}", key="sk"), 200)
    gone = await api.ask("POST", path_of(booking), {"rating": 1}, key="sk")
    assert problem(gone, "rating_not_open")["reason"] == "no_stay"
    assert await figures(api, house) == (None, 0)


async def test_ratings_at_once_are_all_counted(
    api: Api, moved_clock: Clock, connection: asyncpg.Connection
) -> None:
    house = await made_property(api)
    listing = await made_listing(api, house)
    bookings = [await stayed(api, listing, number) for number in range(6)]
    await moved_clock.set(AFTER)
    # Each booking twice at the same time: the second is a change of the first.
    await asyncio.gather(
        *(rate(api, one, 4) for one in bookings), *(rate(api, one, 8) for one in bookings)
    )
    row = await connection.fetchrow(
        "select guest_ratings, guest_points, (select sum(rating) from stays.rating) as points"
        " from stays.property"
    )
    assert row is not None
    assert (row["guest_ratings"], row["guest_points"]) == (6, row["points"])


async def test_the_search_learns_of_a_rating(
    api: Api, moved_clock: Clock, connection: asyncpg.Connection
) -> None:
    """Of all listings of the property by one event, be it from a guest or from elsewhere."""
    async with numbering(api.database_url):
        house = await made_property(api)
        listing = await made_listing(api, house)
        booking = await stayed(api, listing)
        for number in range(3):
            await made_listing(api, house, ref=f"room-{number}")
        other = await made_property(api, ref="other")
        await made_listing(api, other, ref="other")
        await moved_clock.set(AFTER)
        await once_rated(api, house, None)
        before = await changes(connection)
        await rate(api, booking, 9)
        await once_rated(api, house, 9.0)
        await rate(api, booking, 7)
        await once_rated(api, house, 7.0)
        assert await changes(connection) == before + 2
        path, elsewhere = f"{PROPERTIES}/{house['id']}", {"rating": 4, "ratings": 2, "source": "x"}
        document(await api.ask("PATCH", path, {"rated_elsewhere": elsewhere}, key="ak"), 200)
        await once_rated(api, house, 5.0)
        assert await changes(connection) == before + 3
        # What else stands in resources is told of each, and rated together with it.
        more = {"rated_elsewhere": None, "address": "Am Ufer 3"}
        document(await api.ask("PATCH", path, more, key="ak"), 200)
        await once_rated(api, house, 7.0)
        assert await changes(connection) == before + 7
        assert await figures(api, other) == (None, 0)


async def changes(connection: asyncpg.Connection) -> int:
    """How many events told that a resource was changed."""
    found = await connection.fetchval("select count(*) from bespeak.event where kind = 'changed'")
    return cast(int, found)


async def once_rated(api: Api, house: Json, rating: float | None) -> None:
    """Returns when all four listings of a property are found with this rating."""
    for _ in range(100):
        answer = await api.ask("GET", f"{SEARCH}?lat=53.55&lon=9.97", key="pk")
        items = cast("list[Json]", document(answer, 200)["items"])
        houses = [cast(Json, one["property"]) for one in items]
        found = [one["rating"] for one in houses if one["id"] == house["id"]]
        if found == [rating] * 4:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(found)


async def test_comments_are_read_and_hidden(api: Api, moved_clock: Clock) -> None:
    house = await made_property(api)
    listing = await made_listing(api, house)
    bookings = [await stayed(api, listing, number) for number in range(3)]
    await moved_clock.set(AFTER)
    for number, booking in enumerate(bookings):
        await moved_clock.set(AFTER + timedelta(minutes=number))
        await rate(api, booking, 5 + number, "" if number == 1 else f"Comment {number}")
    first = await comments(api, house, query="limit=1")
    (one,) = cast("list[Json]", first["items"])
    assert (one["rating"], one["comment"], "booking_id" in one) == (7, "Comment 2", False)
    rest = await comments(api, house, query=f"limit=1&after={first['next']}")
    assert [each["comment"] for each in cast("list[Json]", rest["items"])] == ["Comment 0"]
    assert rest["next"] is None
    hidden = {"hidden": True}
    path = f"{HIDE}/{bookings[2]['id']}"
    assert document(await api.ask("PATCH", path, hidden, key="ak"), 200)["hidden"] is True
    shown = cast("list[Json]", (await comments(api, house))["items"])
    assert [each["comment"] for each in shown] == ["Comment 0"]
    assert await figures(api, house) == (6.0, 3)
    # What its guest says anew stays hidden; who sells sees it.
    await rate(api, bookings[2], 7, "Louder")
    of_house = cast("list[Json]", (await comments(api, house, "sk"))["items"])
    assert [(each["comment"], each.get("hidden")) for each in of_house] == [
        ("Louder", True),
        ("Comment 0", None),
    ]
    assert of_house[0]["booking_id"] == bookings[2]["id"]
    document(await api.ask("PATCH", path, {"hidden": False}, key="ak"), 200)
    assert len(cast("list[Json]", (await comments(api, house))["items"])) == 2


async def test_words_go_with_their_owner_and_the_figure_stays(
    api: Api, moved_clock: Clock, connection: asyncpg.Connection
) -> None:
    house = await made_property(api)
    booking = await stayed(api, await made_listing(api, house))
    await moved_clock.set(AFTER)
    await rate(api, booking, 9, "I am Asha.")
    told = cast("list[Json]", (await export(connection, "asha"))["ratings"])
    assert [(one["booking_id"], one["comment"]) for one in told] == [(booking["id"], "I am Asha.")]
    for _ in range(2):  # as often as it is begun
        await erase(connection, "asha", "erased_1")
    assert await export(connection, "asha") == {"ratings": []}
    assert (await comments(api, house))["items"] == []
    assert await figures(api, house) == (9.0, 1)


@pytest.mark.parametrize(
    "body", [{"rating": 0}, {"rating": 11}, {"rating": 5, "comment": "x" * 1001}]
)
async def test_ratings_have_bounds(api: Api, moved_clock: Clock, body: Json) -> None:
    booking = await stayed(api, await made_listing(api, await made_property(api)))
    await moved_clock.set(AFTER)
    problem(await api.ask("POST", path_of(booking), body, key="sk"), "invalid_request")
