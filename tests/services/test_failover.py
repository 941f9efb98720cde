"""A primary is lost while tickets are sold, and its standby takes over. What was answered is held
against what the new primary has: all of it with a synchronous standby, and with an asynchronous one
all but what had not got there.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import msgspec
import pytest

import bespeak
from bespeak import Line
from bespeak.errors import DatabaseUnavailable
from bespeak.http.server.keys import create_key
from bespeak.inventory.shapes.seats.availability import SeatsAvailability
from bespeak.payments.reconciliation.lost import lost_payments, recover
from bespeak.postgres.errors import DatabaseReadOnly
from tests.conformance.stripe_door import open_stripe_door
from tests.harness.database import problems, session
from tests.harness.paying import PAID, assert_money_agrees
from tests.harness.replication import Node, Pair, multi_host
from tests.harness.shows import new_show, take
from tests.http.api import until
from tests.http.running import running

_BUYERS = 6
_ROOM = bespeak.SeatsPlan(
    sections=(bespeak.Section("Stalls", tuple(bespeak.Row(r, 60) for r in "ABCDEFGHJK")),)
)


@dataclass
class Sales:
    """What buyers were told, over HTTP: they repeat by their keys whatever is not answered."""

    client: httpx.AsyncClient
    show: str
    booked: dict[str, str] = field(default_factory=dict)
    codes: set[str] = field(default_factory=set)
    retry_after: set[str] = field(default_factory=set)
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def buy(self, buyer: int) -> None:
        """Buys one seat after the other, until told to stop."""
        row = "ABCDEFGHJK"[buyer]
        for number in range(1, 61):
            if self.stop.is_set():
                return
            await self._buy(f"{row}{number}")

    async def _buy(self, seat: str) -> None:
        line = {"resource_id": self.show, "unit": seat}
        hold = await self._insist("/v1/holds", {"owner": seat, "lines": [line]}, f"hold {seat}")
        body = {"hold_id": hold["id"], "payment_token": "tok_success"}
        booking = await self._insist("/v1/bookings", body, f"book {seat}")
        self.booked[seat] = str(booking["id"])

    async def _insist(self, path: str, body: object, key: str) -> dict[str, object]:
        """Repeats a request until it is answered with what was asked for."""
        while True:
            try:
                answer = await self.client.post(path, json=body, headers={"Idempotency-Key": key})
            except httpx.TransportError:
                continue
            found: dict[str, object] = answer.json()
            if answer.status_code == 201:
                return found
            if answer.status_code == 503:
                self.codes.add(str(found["code"]))
                self.retry_after.add(answer.headers["Retry-After"])
            elif answer.status_code != 202:  # the payment is under way
                raise AssertionError(f"{path}: {answer.status_code} {answer.text}")
            await asyncio.sleep(0.05)


@asynccontextmanager
async def selling(url: str, folder: Path, primary: Node) -> AsyncIterator[Sales]:
    """A server on the database, and buyers who buy from it."""
    async with session(primary.url) as connection:
        key, _ = await create_key(connection, "secret", "buyers")
    async with bespeak.connect(primary.url, settings=PAID, sweep=False) as engine:
        price = bespeak.Price(1500, "EUR")
        show = await engine.create_resource(new_show(plan=_ROOM, payment="required", price=price))
    with running(
        folder / "data", "serve", "--workers", "2",
        BESPEAK_DATABASE_URL=url, BESPEAK_PAYMENT_PROVIDERS="sandbox",
        BESPEAK_ALLOW_PRETEND_MONEY="true", BESPEAK_DATABASE_WAIT_SECONDS="1",
        BESPEAK_BOX_OFFICE="false",
    ) as server:  # fmt: skip
        async with httpx.AsyncClient(
            base_url=server.url, headers={"Authorization": f"Bearer {key}"}, timeout=30
        ) as client:
            sales = Sales(client, show.id)
            buyers = [asyncio.create_task(sales.buy(n)) for n in range(_BUYERS)]
            try:
                yield sales
            finally:
                sales.stop.set()
                await asyncio.gather(*buyers)


async def lost(sales: Sales, node: Node) -> set[str]:
    """Seats whose booking was answered, and that the database does not have so."""
    async with session(node.url) as connection:
        rows = await connection.fetch(
            "select h.owner from bespeak.booking b join bespeak.hold h"
            " on h.resource_id = b.resource_id and h.hold_id = b.booking_id"
            " where b.state = 'confirmed'"
        )
        assert await problems(connection) == []
        await assert_money_agrees(connection)
    return set(sales.booked) - {row["owner"] for row in rows}


async def test_a_synchronous_promotion_while_sales_go_on_loses_nothing_that_was_answered(
    pair: Pair, tmp_path: Path
) -> None:
    pair.primary.wait_for_commits_of()
    async with selling(pair.url, tmp_path, pair.primary) as sales:
        await until(lambda: len(sales.booked) > 20)
        await asyncio.to_thread(pair.primary.kill)
        await until(lambda: sales.codes)
        before = len(sales.booked)
        await asyncio.to_thread(pair.standby.promote)
        await until(lambda: len(sales.booked) > before + 20, 60)
    assert sales.codes <= {"database_unavailable", "database_read_only"}
    assert all(int(seconds) >= 1 for seconds in sales.retry_after)
    assert await lost(sales, pair.standby) == set()


async def test_an_asynchronous_promotion_loses_what_had_not_got_there_and_no_more(
    pair: Pair,
) -> None:
    async with bespeak.connect(pair.url, settings=PAID, sweep=False) as engine:
        show = await engine.create_resource(new_show())
        kept = await take(engine, [Line(show.id, "A1")], "asha", idempotency_key="1")
        await asyncio.to_thread(pair.primary.wait_for_standby)
        await asyncio.to_thread(pair.standby.stop_following)
        gone = await take(engine, [Line(show.id, "A2")], "asha", idempotency_key="2")
        await asyncio.to_thread(pair.primary.kill)
        await asyncio.to_thread(pair.standby.promote)
        # The engine finds the new primary by itself.
        await until(lambda: _answers(engine, kept.id))
        with pytest.raises(bespeak.HoldNotFound):
            await engine.get_hold(gone.id)
        # What was lost is free, and its key is unused: a repeat is a new request.
        again = await take(engine, [Line(show.id, "A2")], "asha", idempotency_key="2")
        assert (again.id != gone.id, again.replayed) == (True, False)
        assert (await take(engine, [Line(show.id, "A1")], "asha", idempotency_key="1")).replayed
        async with session(pair.standby.url) as connection:
            assert await problems(connection) == []


async def test_money_that_an_asynchronous_promotion_lost_the_booking_of_is_found(
    pair: Pair,
) -> None:
    """The provider is elsewhere, and knows what it was paid for."""
    async with (
        open_stripe_door() as door,
        bespeak.connect(pair.url, settings=PAID, sweep=False) as engine,
    ):
        engine.payments.providers = {"sandbox": door.stripe}
        door.stripe.name = "sandbox"
        price = bespeak.Price(1500, "EUR")
        show = await engine.create_resource(new_show(payment="required", price=price))
        bookings = {}
        for seat in ("A1", "A2"):
            if seat == "A2":
                await asyncio.to_thread(pair.primary.wait_for_standby)
                await asyncio.to_thread(pair.standby.stop_following)
            hold = await take(engine, [Line(show.id, seat)], "asha")
            paid = await engine.payments.pay(hold.id, token=door.success)
            await asyncio.gather(*engine.payments._at_work.values())
            assert paid.payment is not None
            bookings[seat] = paid.payment.id
        await asyncio.to_thread(pair.primary.kill)
        await asyncio.to_thread(pair.standby.promote)
        await until(lambda: _has(engine, show.id))

        now = datetime.now(UTC)
        span = (now - timedelta(hours=1), now + timedelta(hours=1))
        found = [one async for one in lost_payments(engine.database, door.stripe, *span)]
        assert [one.payment_id for one in found] == [bookings["A2"]]
        done = await recover(engine.payments, found[0], refund=False)
        assert done.outcome == "rebooked"
        assert taken(await engine.availability(show.id)) == {"A1", "A2"}
        async with session(pair.standby.url) as connection:
            assert await problems(connection) == []
            await assert_money_agrees(connection)


async def _has(engine: bespeak.Engine, show: str) -> bool:
    try:
        return (await engine.get_resource(show)).id == show
    except DatabaseUnavailable:
        return False


async def _answers(engine: bespeak.Engine, hold_id: str) -> bool:
    try:
        return (await engine.get_hold(hold_id)).id == hold_id
    except DatabaseUnavailable:
        return False


async def test_a_repeat_is_answered_only_when_the_standby_has_what_it_repeats(pair: Pair) -> None:
    """The first request waits for a standby that is cut off; its server restarts, and then shows
    what was never confirmed. An answer by the key alone would acknowledge it."""
    pair.primary.wait_for_commits_of()
    # Killing a server and starting it takes a busy machine longer than requests wait by default.
    patient = msgspec.structs.replace(PAID, database_wait_seconds=60)
    async with bespeak.connect(pair.primary.url, settings=patient, sweep=False) as engine:
        show = await engine.create_resource(new_show())
        await asyncio.to_thread(pair.primary.wait_for_standby)
        await asyncio.to_thread(pair.standby.stop_following)
        seat = [Line(show.id, "A1")]
        first = asyncio.create_task(take(engine, seat, "asha", idempotency_key="1"))
        await _waits_for_a_standby(pair.primary)
        await asyncio.to_thread(pair.primary.kill)
        await asyncio.to_thread(pair.primary.start)
        async with bespeak.connect(pair.primary.url, settings=PAID, sweep=False) as other:
            # The control: there it is, though no standby has it.
            assert taken(await other.availability(show.id)) == {"A1"}
            repeat = asyncio.create_task(take(other, seat, "asha", idempotency_key="1"))
            # The first engine repeats it by itself, and waits as well.
            await _waits_for_a_standby(pair.primary, sessions=2)
            assert not (first.done() or repeat.done())
            await asyncio.to_thread(pair.standby.follow_again)
            assert (await repeat).replayed
            assert (await first).id == (await repeat).id


def taken(availability: object) -> set[str]:
    """The seats that an availability shows as taken."""
    assert isinstance(availability, SeatsAvailability)
    return set(availability.taken)


async def _waits_for_a_standby(node: Node, sessions: int = 1) -> None:
    waiting = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'"
    await until(lambda: int(node.sql(waiting)) == sessions)


async def test_a_server_on_a_standby_says_so_and_finds_the_primary_later(
    pair: Pair, tmp_path: Path
) -> None:
    """It was promoted after the program came; no restart is needed."""
    async with bespeak.connect(pair.primary.url, settings=PAID, sweep=False) as engine:
        show = await engine.create_resource(new_show())
    await asyncio.to_thread(pair.primary.wait_for_standby)
    with pytest.raises(DatabaseReadOnly):
        async with bespeak.connect(pair.standby.url, settings=PAID):
            pass
    async with bespeak.connect(pair.url, settings=PAID, sweep=False) as engine:
        await asyncio.to_thread(pair.primary.kill)
        with pytest.raises(DatabaseUnavailable):
            await take(engine, [Line(show.id, "A1")], "asha")
        await asyncio.to_thread(pair.standby.promote)
        await take(engine, [Line(show.id, "A1")], "asha")


async def test_a_write_that_reaches_a_standby_is_a_clear_error(pair: Pair) -> None:
    """As through an address that leads to another server now, which a URL may insist on."""
    url = f"{pair.primary.url}?target_session_attrs=any"
    async with bespeak.connect(url, settings=PAID, sweep=False) as engine:
        show = await engine.create_resource(new_show())
        await asyncio.to_thread(pair.primary.wait_for_standby)
        engine.committer._url = f"{pair.standby.url}?target_session_attrs=any"
        for lane in list(engine.committer._lanes):
            assert not lane.done()
        with pytest.raises(DatabaseReadOnly) as caught:
            await take(engine, [Line(show.id, "A1")], "asha")
        assert caught.value.retryable
        assert caught.value.data["retry_after_seconds"] == 2


async def test_an_old_primary_that_comes_back_acknowledges_nothing(pair: Pair) -> None:
    """Its synchronous standby is the primary now, and confirms nothing to it."""
    pair.primary.wait_for_commits_of()
    async with bespeak.connect(pair.primary.url, settings=PAID, sweep=False) as engine:
        show = await engine.create_resource(new_show())
    await asyncio.to_thread(pair.primary.kill)
    await asyncio.to_thread(pair.standby.promote)
    await asyncio.to_thread(pair.primary.start)
    async with bespeak.connect(pair.primary.url, settings=PAID, sweep=False) as zombie:
        hold = asyncio.create_task(take(zombie, [Line(show.id, "A1")], "asha"))
        await _waits_for_a_standby(pair.primary)
        assert not hold.done()
        # Those who knew the new primary stay with it, though the old one is first in the URL.
        async with bespeak.connect(
            multi_host(pair.standby, pair.primary), settings=PAID, sweep=False
        ) as engine:
            await take(engine, [Line(show.id, "A1")], "asha")
        hold.cancel()
        await asyncio.to_thread(pair.primary.kill)
