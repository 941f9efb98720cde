"""Webhooks from the feed to a receiver: each event once to whoever wants it, through crashes, two
couriers, failures of every kind, and never into the private network.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import pytest
from aiohttp import web
from msgspec import structs

import bespeak
from bespeak import Resource
from bespeak.notifications.announcer import Announcer
from bespeak.notifications.webhooks import deliveries, endpoints
from bespeak.notifications.webhooks.deliveries import Replayed
from bespeak.notifications.webhooks.endpoints import (
    NewWebhookEndpoint,
    WebhookEndpoint,
    WebhookEndpointChange,
)
from bespeak.notifications.webhooks.sender import WebhookSender
from bespeak.notifications.webhooks.worker import LEASE_SECONDS, RETRY_SECONDS, WebhookWorker
from bespeak.postgres.pool import open_pool
from tests.harness.clock import Clock
from tests.harness.database import Connection, feed_settled, session
from tests.harness.receiver import Receiver, receiving, status, well
from tests.harness.shows import MakeShow, book, seats, take

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool, Record
else:
    Pool: TypeAlias = object
    Record: TypeAlias = object

DAY = 86_400


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as made:
        yield made


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    made = await open_pool(database_url, 4)
    try:
        yield made
    finally:
        await made.close()


@asynccontextmanager
async def courier_of(
    pool: Pool, *, allow_private: bool = True, timeout_seconds: float = 10
) -> AsyncIterator[WebhookWorker]:
    async with WebhookSender(
        allow_private=allow_private, timeout_seconds=timeout_seconds
    ) as sender:
        courier = WebhookWorker(pool, sender, retention_days=30, chance=lambda: 0.0)
        try:
            yield courier
        finally:
            await courier.close()


@pytest.fixture
async def courier(pool: Pool) -> AsyncIterator[WebhookWorker]:
    async with courier_of(pool) as made:
        yield made


async def announce(connection: Connection, pool: Pool) -> None:
    """Lets the follower read all that there is."""
    await feed_settled(connection)
    announcer = Announcer(pool)
    while not await announcer.look():
        pass


async def until(
    courier: WebhookWorker, condition: Callable[[], Awaitable[object]], seconds: float = 20
) -> None:
    """Lets the courier work until a condition is true."""
    async with asyncio.timeout(seconds):
        while not await condition():
            await courier.look()


async def states(connection: Connection) -> dict[str, int]:
    """How many deliveries there are in each state, and how many of those pending are not due."""
    rows = await connection.fetch(
        """
        select case when due_at > bespeak.now() then 'later' else state end as state, count(*)
        from bespeak.webhook_delivery group by 1
        """
    )
    return {row["state"]: row["count"] for row in rows}


async def endpoint_for(
    connection: Connection, receiver: Receiver, path: str = "/hook", **fields: object
) -> tuple[WebhookEndpoint, str]:
    new = NewWebhookEndpoint(receiver.url + path, **fields)  # type: ignore[arg-type]
    return await endpoints.create(connection, new, allow_private=True)


async def settled(connection: Connection, courier: WebhookWorker) -> None:
    """Lets the courier work until nothing is due and nothing is on its way."""

    async def is_settled() -> bool:
        await courier._settle()  # a first success makes due what waits
        is_due = "pending" in await states(connection)
        # What landed meanwhile is not written down yet.
        return (
            not is_due
            and not courier._results
            and not any(lane.flying for lane in courier._lanes.values())
        )

    await until(courier, is_settled)


async def test_every_event_comes_once_and_signed(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, make_show: MakeShow,
) -> None:  # fmt: skip
    _, secret = await endpoint_for(connection, receiver)
    show = await make_show()
    await book(engine, seats(show, "A1", "A2"))
    await announce(connection, pool)
    await settled(connection, courier)
    assert [one.type for one in receiver.came] == [
        "resource.created",
        "hold.held",
        "booking.confirmed",
    ]
    page = await engine.events()
    assert [one.event["cursor"] for one in receiver.came] == [one.cursor for one in page.items]
    confirmed = receiver.came[2]
    assert confirmed.is_signed_with(secret)
    assert not confirmed.is_signed_with("whsec_" + "A" * 43 + "=")
    assert confirmed.event["lines"] == [
        {"unit": "A1", "quantity": None},
        {"unit": "A2", "quantity": None},
    ]
    assert confirmed.json["timestamp"] == confirmed.event["at"]
    await announce(connection, pool)
    await settled(connection, courier)
    assert len(receiver.came) == 3
    assert await states(connection) == {"delivered": 3}


async def test_an_endpoint_has_what_it_wants(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, make_show: MakeShow,
) -> None:  # fmt: skip
    one, other = await make_show(), await make_show()
    await endpoint_for(connection, receiver, "/bookings", types=["booking.confirmed"])
    await endpoint_for(connection, receiver, "/other", resource_ids=[other.id])
    await endpoint_for(connection, receiver, "/off", enabled=False)
    await announce(connection, pool)
    await book(engine, seats(one, "A1"))
    await book(engine, seats(other, "A1"))
    await announce(connection, pool)
    await settled(connection, courier)
    assert [came.type for came in receiver.at("/bookings")] == ["booking.confirmed"] * 2
    of_other = {str(came.event["resource_id"]) for came in receiver.at("/other")}
    assert of_other == {other.id}
    assert receiver.at("/off") == []


async def test_what_was_rolled_back_is_not_told(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource, database_url: str,
) -> None:  # fmt: skip
    await endpoint_for(connection, receiver, types=["hold.held"])
    async with session(database_url) as undecided:
        await undecided.execute("begin")
        place = "select bespeak.place_hold('asha', array[$1], array['A1'])"
        await undecided.execute(place, show.id)
        await undecided.execute("rollback")
    await take(engine, seats(show, "A2"))
    await announce(connection, pool)
    await settled(connection, courier)
    assert [came.event["lines"] for came in receiver.came] == [[{"unit": "A2", "quantity": None}]]


async def test_an_announcement_that_dies_is_made_again(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource, database_url: str,
) -> None:  # fmt: skip
    """Cursor and deliveries are one transaction: half of it is nothing."""
    await endpoint_for(connection, receiver, types=["booking.confirmed"])
    await book(engine, seats(show, "A1"))
    await feed_settled(connection)
    async with session(database_url) as dying:
        await dying.execute("begin")
        row = await dying.fetchrow("select * from bespeak.announce_events('notifications', 1000)")
        assert row is not None and row["deliveries"] == 1
        other = await pool.fetch("select * from bespeak.announce_events('notifications', 1000)")
        assert other == [], "one reads at a time, and nobody waits for it"
    assert await states(connection) == {}
    await announce(connection, pool)
    await settled(connection, courier)
    assert len(receiver.came) == 1


async def test_two_announcers_and_two_couriers_tell_each_event_once(
    engine: bespeak.Engine, connection: Connection, pool: Pool, receiver: Receiver, show: Resource
) -> None:
    await endpoint_for(connection, receiver, types=["hold.held"])
    units = [f"A{n}" for n in range(1, 21)]

    async def follow() -> None:
        announcer = Announcer(pool)
        while True:  # as the runner does
            pause = await announcer.look()
            await asyncio.sleep(pause / 50)

    async def deliver(courier: WebhookWorker) -> None:
        while True:
            await courier.look()

    async with courier_of(pool) as one, courier_of(pool) as other:
        work = [follow(), follow(), deliver(one), deliver(other)]
        tasks = [asyncio.create_task(each) for each in work]
        for unit in units:
            await take(engine, seats(show, unit))
        await receiver.until(20)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    came = [str(one.event["lines"]) for one in receiver.came]
    assert len(came) == len(set(came)) == 20
    assert await states(connection) == {"delivered": 20}


async def test_a_courier_that_dies_leaves_its_deliveries_to_the_next(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource, clock: Clock,
) -> None:  # fmt: skip
    """Before it sent, or after it sent and before it recorded: both look the same from here."""
    endpoint, _ = await endpoint_for(connection, receiver, types=["hold.held"])
    await take(engine, seats(show, "A1"))
    await announce(connection, pool)
    taken = await pool.fetch(
        "select * from bespeak.claim_deliveries(array[$1], array[9], $2)",
        endpoint.id,
        LEASE_SECONDS,
    )
    assert len(taken) == 1
    await settled(connection, courier)
    assert receiver.came == []
    await clock.advance(LEASE_SECONDS)
    await settled(connection, courier)
    assert len(receiver.came) == 1
    late = await pool.fetch(
        """
        select * from bespeak.settle_deliveries(array[$1], array[$2::bigint],
            array[$3::timestamptz], array[false], array[500], array[''], array['late'],
            array[5.0], 3)
        """,
        endpoint.id,
        taken[0]["position"],
        taken[0]["leased_until"],
    )
    assert late == []
    assert await states(connection) == {"delivered": 1}, "who lost the lease has no say"


async def test_failures_are_repeated_for_three_days(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource, clock: Clock,
) -> None:  # fmt: skip
    await clock.advance(DAY)
    endpoint, secret = await endpoint_for(connection, receiver, types=["hold.held"])
    receiver.answers["/hook"] = status(500, "out of order")
    await take(engine, seats(show, "A1"))
    await announce(connection, pool)
    for number, wait in enumerate(RETRY_SECONDS, start=1):
        await settled(connection, courier)
        assert len(receiver.came) == number
        (entry,) = (await deliveries.read(connection, endpoint.id, None, 10)).items
        assert (entry.state, entry.tries, entry.status) == ("pending", number, 500)
        assert (entry.answer, entry.failure) == ("out of order", "answered 500")
        assert entry.next_try_at is not None
        assert (entry.next_try_at - clock.now).total_seconds() == wait
        await clock.advance(wait - 1)
        await settled(connection, courier)
        assert len(receiver.came) == number, "not before its time"
        await clock.advance(1)
    assert sum(RETRY_SECONDS) > 3 * DAY
    await settled(connection, courier)
    (entry,) = (await deliveries.read(connection, endpoint.id, None, 10)).items
    assert (entry.state, entry.tries, entry.next_try_at) == ("failed", len(RETRY_SECONDS) + 1, None)
    assert len({one.id for one in receiver.came}) == 1
    assert len({one.body for one in receiver.came}) == 1
    assert all(one.is_signed_with(secret) for one in receiver.came)
    after = await endpoints.get(connection, endpoint.id)
    assert (after.enabled, after.disabled_because) == (False, "failing")


async def test_one_success_clears_the_failures(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource, clock: Clock,
) -> None:  # fmt: skip
    endpoint, _ = await endpoint_for(connection, receiver, types=["hold.held"])
    receiver.answers["/hook"] = status(500)
    await take(engine, seats(show, "A1"))
    await announce(connection, pool)
    await settled(connection, courier)
    assert (await endpoints.get(connection, endpoint.id)).failing_since == clock.now
    del receiver.answers["/hook"]
    await clock.advance(RETRY_SECONDS[0])
    await settled(connection, courier)
    assert (await endpoints.get(connection, endpoint.id)).failing_since is None
    assert await states(connection) == {"delivered": 1}


async def test_gone_disables_the_endpoint_at_once(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource,
) -> None:  # fmt: skip
    endpoint, _ = await endpoint_for(connection, receiver, types=["hold.held"])
    receiver.answers["/hook"] = status(410)
    await take(engine, seats(show, "A1"))
    await announce(connection, pool)
    await settled(connection, courier)
    after = await endpoints.get(connection, endpoint.id)
    assert (after.enabled, after.disabled_because) == (False, "gone")
    await take(engine, seats(show, "A2"))
    await announce(connection, pool)
    await courier.look()
    assert len(receiver.came) == 1, "nothing more is sent, nothing more is written down"
    assert sum((await states(connection)).values()) == 1
    on = WebhookEndpointChange(enabled=True)
    after = await endpoints.change(connection, endpoint.id, on, allow_private=True)
    assert (after.enabled, after.disabled_because, after.failing_since) == (True, None, None)


async def test_a_slow_endpoint_does_not_hold_up_others(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource,
) -> None:  # fmt: skip
    stuck = asyncio.Event()

    async def never(_request: web.Request) -> web.Response:
        await stuck.wait()
        return web.Response()

    receiver.answers["/slow"] = never
    await endpoint_for(connection, receiver, "/slow", types=["hold.held"])
    await endpoint_for(connection, receiver, "/quick", types=["hold.held"])
    for number in range(1, 21):
        await take(engine, seats(show, f"A{number}"))
    await announce(connection, pool)

    async def all_quick() -> bool:
        return len(receiver.at("/quick")) == 20

    await until(courier, all_quick)
    assert len(receiver.at("/slow")) <= 8, "it has as many at once as it bore until now"
    stuck.set()
    await settled(connection, courier)
    assert len(receiver.at("/slow")) == 20


async def test_a_time_out_is_a_failure_and_halves_what_flies(
    engine: bespeak.Engine, connection: Connection, pool: Pool, receiver: Receiver, show: Resource
) -> None:
    stuck = asyncio.Event()

    async def never(_request: web.Request) -> web.Response:
        await stuck.wait()
        return web.Response()

    receiver.answers["/hook"] = never
    endpoint, _ = await endpoint_for(connection, receiver, types=["hold.held"])
    await take(engine, seats(show, "A1"))
    await announce(connection, pool)
    async with courier_of(pool, timeout_seconds=0.1) as courier:
        await settled(connection, courier)
        assert courier._lanes[endpoint.id].limit == 4
    (entry,) = (await deliveries.read(connection, endpoint.id, None, 10)).items
    assert (entry.status, entry.failure) == (None, "no answer within 0.1 seconds")
    stuck.set()


async def test_a_redirect_is_not_followed(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource,
) -> None:  # fmt: skip
    receiver.answers["/hook"] = status(307, Location=f"{receiver.url}/elsewhere")
    endpoint, _ = await endpoint_for(connection, receiver, types=["hold.held"])
    await take(engine, seats(show, "A1"))
    await announce(connection, pool)
    await settled(connection, courier)
    assert [one.path for one in receiver.came] == ["/hook"]
    (entry,) = (await deliveries.read(connection, endpoint.id, None, 10)).items
    assert (entry.state, entry.failure) == ("pending", "answered 307")


async def test_of_a_huge_answer_the_beginning_is_read(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource,
) -> None:  # fmt: skip
    sent = 0
    ended = asyncio.Event()

    async def endless(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        response = web.StreamResponse()
        await response.prepare(request)
        with suppress(ConnectionError, asyncio.CancelledError):
            while True:
                await response.write(b"\x00x" * 32_768)
                sent += 65_536
        ended.set()
        return response

    receiver.answers["/hook"] = endless
    endpoint, _ = await endpoint_for(connection, receiver, types=["hold.held"])
    await take(engine, seats(show, "A1"))
    await announce(connection, pool)
    await settled(connection, courier)
    (entry,) = (await deliveries.read(connection, endpoint.id, None, 10)).items
    assert entry.state == "delivered"
    assert entry.answer is not None and 0 < len(entry.answer) <= 500
    async with asyncio.timeout(20):
        await ended.wait()
    assert sent < 50_000_000, "the courier hung up"


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/", "http://localhost:{port}/"])
async def test_no_private_address_is_connected_to(
    url: str, connection: Connection, pool: Pool, receiver: Receiver
) -> None:
    """Whatever it is called: what counts is the address that would be connected to."""
    port = receiver.url.rpartition(":")[2]
    new = NewWebhookEndpoint(url.format(port=port))
    endpoint, _ = await endpoints.create(connection, new, allow_private=True)
    await deliveries.test(connection, endpoint.id)
    async with courier_of(pool, allow_private=False) as careful:
        await settled(connection, careful)
    (entry,) = (await deliveries.read(connection, endpoint.id, None, 10)).items
    assert entry.failure is not None and "not a public address" in entry.failure
    assert receiver.came == []
    async with courier_of(pool, allow_private=True) as bold:
        await deliveries.send_again(connection, endpoint.id, entry.id)
        await settled(connection, bold)
    assert [one.type for one in receiver.came] == ["webhook.test"]


async def test_a_rotated_secret_overlaps(
    connection: Connection, pool: Pool, courier: WebhookWorker, receiver: Receiver, clock: Clock
) -> None:
    endpoint, old = await endpoint_for(connection, receiver)
    _, new = await endpoints.rotate_secret(connection, endpoint.id, 3600)
    await deliveries.test(connection, endpoint.id)
    await settled(connection, courier)
    assert receiver.came[-1].is_signed_with(old) and receiver.came[-1].is_signed_with(new)
    await clock.advance(3600)
    await deliveries.test(connection, endpoint.id)
    await settled(connection, courier)
    assert receiver.came[-1].is_signed_with(new)
    assert not receiver.came[-1].is_signed_with(old)
    _, newest = await endpoints.rotate_secret(connection, endpoint.id, 0)
    await deliveries.test(connection, endpoint.id)
    await settled(connection, courier)
    assert receiver.came[-1].is_signed_with(newest)
    assert not receiver.came[-1].is_signed_with(new)


async def test_replay_sends_again_what_happened_since(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource, clock: Clock,
) -> None:  # fmt: skip
    await book(engine, seats(show, "A1"))
    await clock.advance(100)
    middle = clock.now
    await book(engine, seats(show, "A2"))
    await announce(connection, pool)
    await clock.advance(1)
    endpoint, _ = await endpoint_for(connection, receiver, types=["booking.confirmed"])
    start = middle.replace(year=2000)
    replay = partial(deliveries.replay, connection, endpoint.id)
    assert (await replay()).queued == 0, "what was before a new endpoint comes only when asked for"
    assert await replay(start) == Replayed(queued=2, missed=2)
    assert (await replay(start)).queued == 0, "they are on their way"
    await settled(connection, courier)
    assert len(receiver.came) == 2, "also of what happened before there was an endpoint"
    assert (await replay(start)).queued == 0, "they arrived"
    assert await replay(middle, include_delivered=True) == Replayed(queued=1, delivered=1)
    await settled(connection, courier)
    assert [one.id for one in receiver.came].count(receiver.came[-1].id) == 2
    assert len(receiver.came) == 3


async def test_a_replay_says_first_what_it_will_send_and_leaves_out_what_arrived(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource, clock: Clock,
) -> None:  # fmt: skip
    since = clock.now
    endpoint, _ = await endpoint_for(connection, receiver, types=["hold.held"])
    for unit in ("A1", "A2", "A3", "A4"):
        await take(engine, seats(show, unit))
    await announce(connection, pool)
    await settled(connection, courier)
    # Of the four one waits in backoff, one was given up, one was never written.
    await connection.execute(
        """
        with numbered as (
            select d.position, row_number() over (order by position) as n
            from bespeak.webhook_delivery d
        )
        update bespeak.webhook_delivery d
        set state = case n when 1 then 'failed' else 'pending' end, tries = 3,
            due_at = case n when 2 then bespeak.now() + interval '30 minutes' end
        from numbered x where x.position = d.position and n <= 2
        """
    )
    await connection.execute(
        """
        delete from bespeak.webhook_delivery
        where position = (select max(position) from bespeak.webhook_delivery)
        """
    )
    replay = partial(deliveries.replay, connection, endpoint.id, since)
    said = await replay(dry_run=True)
    assert said == Replayed(queued=3, waiting=1, failed=1, missed=1, dry_run=True)
    assert (await replay(dry_run=True, include_delivered=True)).delivered == 1
    assert await states(connection) == {"delivered": 1, "failed": 1, "later": 1}, "only said"
    assert await replay() == structs.replace(said, dry_run=False)
    await settled(connection, courier)
    assert await states(connection) == {"delivered": 4}
    ids = [one.id for one in receiver.came]
    assert sorted(map(ids.count, set(ids))) == [1, 2, 2, 2]


async def test_after_an_outage_the_first_success_brings_all_that_waits(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource, clock: Clock,
) -> None:  # fmt: skip
    await endpoint_for(connection, receiver, types=["hold.held"])
    receiver.answers["/hook"] = status(503)
    for unit in ("A1", "A2", "A3"):
        await take(engine, seats(show, unit))
    await announce(connection, pool)
    for wait in (*RETRY_SECONDS[:2], 0):  # an outage of five minutes: the next try is in thirty
        await settled(connection, courier)
        await clock.advance(wait)
    assert await states(connection) == {"later": 3}
    del receiver.answers["/hook"]
    await take(engine, seats(show, "A4"))
    await announce(connection, pool)
    await settled(connection, courier)
    assert await states(connection) == {"delivered": 4}, "without waiting for their times"


async def test_what_fails_after_the_recovery_waits_as_ever(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource, clock: Clock,
) -> None:  # fmt: skip
    endpoint, _ = await endpoint_for(connection, receiver, types=["hold.held"])
    receiver.answers["/hook"] = status(503)
    await take(engine, seats(show, "A1"))
    await announce(connection, pool)
    await settled(connection, courier)
    bad = receiver.came[0].id
    refused = status(500)

    async def picky(request: web.Request) -> web.StreamResponse:
        return await (refused if request.headers["webhook-id"] == bad else well)(request)

    receiver.answers["/hook"] = picky

    async def succeed() -> int:
        """One message arrives; answers how often the bad one was tried."""
        await deliveries.test(connection, endpoint.id)
        await settled(connection, courier)
        return [one.id for one in receiver.came].count(bad)

    await clock.advance(RETRY_SECONDS[0])
    await settled(connection, courier)
    planned = clock.now + timedelta(seconds=RETRY_SECONDS[1])
    # The end of an outage brings it. That it fails alone looks like another outage: only one of a
    # minute brings it again before its time.
    for wait, tried in ((1, 3), (61, 4), (1, 4), (1, 4)):
        await clock.advance(wait)
        assert await succeed() == tried
        entry = (await deliveries.read(connection, endpoint.id, None, 10)).items[-1]
        assert (entry.tries, entry.next_try_at) == (2, planned), "at its time it comes as before"
    await clock.advance((planned - clock.now).total_seconds())
    assert await succeed() == 5
    entry = (await deliveries.read(connection, endpoint.id, None, 10)).items[-1]
    assert (entry.state, entry.tries) == ("pending", 3)


async def test_what_is_on_its_way_is_not_pulled_forward(
    engine: bespeak.Engine, connection: Connection, pool: Pool, receiver: Receiver,
    show: Resource, clock: Clock,
) -> None:  # fmt: skip
    endpoint, _ = await endpoint_for(connection, receiver, types=["hold.held"])
    for unit in ("A1", "A2", "A3"):
        await take(engine, seats(show, unit))
    await announce(connection, pool)
    claim = "select * from bespeak.claim_deliveries($1, $2, $3)"
    taken = await connection.fetch(claim, [endpoint.id], [3], LEASE_SECONDS)

    async def settle(rows: list[Record], *, delivered: bool) -> None:
        await connection.fetch(
            "select * from bespeak.settle_deliveries($1, $2, $3, $4, $5, $6, $7, $8, 3)",
            [endpoint.id for _ in rows],
            [row["position"] for row in rows],
            [row["leased_until"] for row in rows],
            [delivered for _ in rows],
            [200 if delivered else 503 for _ in rows],
            [None for _ in rows],
            [None for _ in rows],
            [None if delivered else 1800.0 for _ in rows],
        )

    await settle(taken[:1], delivered=False)
    await settle(taken[1:2], delivered=True)
    again = await connection.fetch(claim, [endpoint.id], [3], LEASE_SECONDS)
    assert [row["position"] for row in again] == [taken[0]["position"]], "the third is with us"
    await settle(taken[2:], delivered=True)
    assert await states(connection) == {"delivered": 2, "later": 1}


async def test_an_endpoint_that_is_enabled_again_gets_what_waits_at_its_first_success(
    engine: bespeak.Engine, connection: Connection, pool: Pool, courier: WebhookWorker,
    receiver: Receiver, show: Resource, clock: Clock,
) -> None:  # fmt: skip
    endpoint, _ = await endpoint_for(connection, receiver, types=["hold.held"])
    receiver.answers["/hook"] = status(503)
    await take(engine, seats(show, "A1"))
    await announce(connection, pool)
    for wait in (*RETRY_SECONDS[:2], 0):
        await settled(connection, courier)
        await clock.advance(wait)
    for enabled in (False, True):
        wanted = WebhookEndpointChange(enabled=enabled)
        await endpoints.change(connection, endpoint.id, wanted, allow_private=True)
    del receiver.answers["/hook"]
    await deliveries.test(connection, endpoint.id)
    await settled(connection, courier)
    assert await states(connection) == {"delivered": 2}


async def test_a_replay_of_many_pages_and_of_too_much(
    engine: bespeak.Engine, connection: Connection, pool: Pool, receiver: Receiver,
    show: Resource, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    await connection.execute(
        """
        insert into bespeak.event (resource_id, horizon, kind, at)
        select 77, bespeak.horizon(), 'changed', bespeak.now() from generate_series(1, 2500)
        """
    )
    await announce(connection, pool)
    endpoint, _ = await endpoint_for(connection, receiver, types=["resource.changed"])
    since = (await connection.fetchval("select bespeak.now()")).replace(year=2000)
    replay = partial(deliveries.replay, connection, endpoint.id, since)
    assert await replay() == Replayed(queued=2500, missed=2500)
    await connection.execute("delete from bespeak.webhook_delivery")
    monkeypatch.setattr(deliveries, "REPLAY_MAX", 2000)
    for dry_run in (True, False):
        with pytest.raises(bespeak.InvalidRequest):
            await replay(dry_run=dry_run)
    assert await states(connection) == {}, "all of it or nothing"


async def test_old_deliveries_are_deleted_and_those_of_deleted_endpoints(
    engine: bespeak.Engine, connection: Connection, pool: Pool, receiver: Receiver,
    show: Resource, clock: Clock,
) -> None:  # fmt: skip
    endpoint, _ = await endpoint_for(connection, receiver, types=["hold.held"])
    await take(engine, seats(show, "A1"))
    await announce(connection, pool)
    async with courier_of(pool) as courier:
        await settled(connection, courier)
    await clock.advance(31 * DAY)
    await take(engine, seats(show, "A2"))
    await announce(connection, pool)
    async with courier_of(pool) as courier:
        await settled(connection, courier)
        assert len((await deliveries.read(connection, endpoint.id, None, 10)).items) == 1
    await endpoints.delete(connection, endpoint.id)
    async with courier_of(pool) as courier:
        await courier.look()
    assert await connection.fetchval("select count(*) from bespeak.webhook_delivery") == 0
    assert await connection.fetchval("select count(*) from bespeak.webhook_endpoint") == 0


async def test_a_courier_that_stops_gives_back_what_it_did_not_send(
    engine: bespeak.Engine, connection: Connection, pool: Pool, receiver: Receiver, show: Resource
) -> None:
    stuck = asyncio.Event()

    async def never(_request: web.Request) -> web.Response:
        await stuck.wait()
        return web.Response()

    receiver.answers["/hook"] = never
    await endpoint_for(connection, receiver, types=["hold.held"])
    for number in range(1, 21):
        await take(engine, seats(show, f"A{number}"))
    await announce(connection, pool)
    async with courier_of(pool) as courier:
        await courier.look()
        await receiver.until(8)
        stuck.set()
    assert await states(connection) == {"delivered": 8, "pending": 12}
