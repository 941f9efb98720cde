"""The metrics: each is there, and each moves when what it counts happens."""

import asyncio
import re

import pytest

from bespeak import Resource
from bespeak.http.server.metrics import PaymentMetrics
from bespeak.inventory import resources
from bespeak.inventory.resources import Price
from bespeak.money import Money
from bespeak.payments.observer import STEPS, ObservedProvider
from bespeak.payments.providers.provider import (
    Charge,
    ProviderRefused,
    ProviderUnavailable,
    Standing,
)
from bespeak.payments.providers.sandbox import Sandbox
from tests.harness import database
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shows import new_show
from tests.http.api import Api, document, place, problem, until
from tests.http.conftest import OpenApi
from tests.http.refused_payments import bank, callback, paying
from tests.http.test_pressure import seize, send_all, waiting
from tests.http.waiting import ALL as ROOMS
from tests.http.waiting import come_in, join, room_for, steer

NAMES = {
    "bespeak_budgets_total",
    "bespeak_guest_holds",
    "bespeak_proxy_undeclared_total",
    "bespeak_holds_total",
    "bespeak_bookings_total",
    "bespeak_holds_lapsed_total",
    "bespeak_requests_locked_total",
    "bespeak_retention_deleted_total",
    "bespeak_batch_size",
    "bespeak_batch_seconds",
    "bespeak_queue_depth",
    "bespeak_known_taken",
    "bespeak_pool_connections",
    "bespeak_reads_total",
    "bespeak_replica_follows",
    "bespeak_replica_lag_seconds",
    "bespeak_request_seconds",
    "bespeak_hold_to_confirm_ratio",
    "bespeak_payments_total",
    "bespeak_payments_waiting",
    "bespeak_processes_missing",
    "bespeak_processes_replaced_total",
    "bespeak_provider_seconds",
    "bespeak_refunds_total",
    "bespeak_refunds_waiting",
    "bespeak_mails_total",
    "bespeak_notification_lag_seconds",
    "bespeak_relay_lag_events",
    "bespeak_relay_lag_seconds",
    "bespeak_stream_channels",
    "bespeak_stream_messages_total",
    "bespeak_stream_snapshots_total",
    "bespeak_streams",
    "bespeak_waiting_room_alarms",
    "bespeak_waiting_room_called_total",
    "bespeak_waiting_room_codes_total",
    "bespeak_waiting_room_joins_total",
    "bespeak_waiting_room_passes_total",
    "bespeak_waiting_room_people",
    "bespeak_waiting_room_step_seconds",
    "bespeak_waitlist_alarms",
    "bespeak_waitlist_ended",
    "bespeak_waitlist_entries",
    "bespeak_waitlist_offer_seconds",
    "bespeak_waitlist_offers_total",
    "bespeak_webhook_deliveries_total",
    "bespeak_webhook_endpoints_disabled_total",
}


async def values(api: Api) -> dict[str, float]:
    """Every sample by its name and labels."""
    answer = await api.ask("GET", "/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    samples = re.findall(r"^(\w+(?:{[^}]*})?) (\S+)$", answer.text, re.MULTILINE)
    return {name: float(value) for name, value in samples}


async def test_every_metric_is_told_with_its_help(api: Api) -> None:
    text = (await api.ask("GET", "/metrics")).text
    told = set(re.findall(r"^# HELP (bespeak_\w+) \S", text, re.MULTILINE))
    assert {name for name in told if not name.endswith("_created")} == NAMES


async def test_what_happens_is_counted(api: Api, show: Resource) -> None:
    before = await values(api)
    hold = await api.hold(show, "A1")
    await api.send(place(show, "A1"))
    await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]})
    await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]})
    after = await values(api)

    def moved(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert moved('bespeak_holds_total{outcome="held"}') == 1
    assert moved('bespeak_holds_total{outcome="unit_taken"}') == 1
    assert moved('bespeak_bookings_total{outcome="confirmed"}') == 1
    assert moved('bespeak_bookings_total{outcome="hold_confirmed"}') == 1
    assert moved('bespeak_batch_size_sum{verb="place"}') == 2
    assert moved('bespeak_batch_seconds_count{verb="confirm"}') == 2
    posted = 'bespeak_request_seconds_count{method="POST",path="/v1/holds",status="201"}'
    assert moved(posted) == 1
    taken = 'bespeak_request_seconds_count{method="POST",path="/v1/holds",status="409"}'
    assert moved(taken) == 1
    held = after['bespeak_holds_total{outcome="held"}']
    confirmed = after['bespeak_bookings_total{outcome="confirmed"}']
    assert after["bespeak_hold_to_confirm_ratio"] == confirmed / held


async def test_a_path_is_counted_by_its_pattern(api: Api) -> None:
    await api.ask("GET", "/v1/holds/hold_00000000000000000000000000")
    await api.ask("GET", "/no/such/path")
    text = (await api.ask("GET", "/metrics")).text
    assert 'path="/v1/holds/{hold_id}"' in text
    assert "hold_0000" not in text and "/no/such" not in text


async def test_the_gauges_follow(open_api: OpenApi, show: Resource, database_url: str) -> None:
    from bespeak.http.server import service

    api = await open_api(known_taken_seconds=60)
    await api.hold(show, "A20")
    async with database.session(database_url) as blocker:
        await seize(blocker)
        tasks = await send_all(api, [place(show, f"A{n}") for n in range(1, 6)])
        await waiting(api, 5)
        api.service.measure()
        during = await values(api)
        await blocker.execute("rollback")
        for task in tasks:
            document(await task, 201)
    api.service.measure()
    after = await values(api)
    assert during["bespeak_queue_depth"] == 5
    assert after["bespeak_queue_depth"] == 0
    assert (during["bespeak_known_taken"], after["bespeak_known_taken"]) == (1, 6)

    async def all_rest() -> bool:  # once a second one of them looks after waiting rooms
        api.service.measure()
        now = await values(api)
        states = [now[f'bespeak_pool_connections{{state="{one}"}}'] for one in ("idle", "used")]
        # One, or a second that looked after waiting rooms while the first was at work.
        return states in ([1, 0], [2, 0])

    await until(all_rest)
    assert service._GAUGE_SECONDS <= 1


async def test_what_happens_in_waiting_rooms_is_counted(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show)
    before = await values(api)
    token = await join(api, room)
    await join(api, room)
    for _ in range(2):
        await moved_clock.advance(3)
        await steer(api)
    for _ in range(2):
        await come_in(api, room, token)
    path = f"{ROOMS}/{room['id']}/passes?queue_token={token}"
    for _ in range(2):
        await api.ask("DELETE", path, key="pk", bespeak_shopper=api.token())
    await moved_clock.advance(7)
    await api.service.waiting_rooms.board.look()
    api.service.measure()
    after = await values(api)

    def moved(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert moved("bespeak_waiting_room_joins_total") == 2
    assert moved('bespeak_waiting_room_passes_total{outcome="given"}') == 1
    assert moved('bespeak_waiting_room_passes_total{outcome="left"}') == 1
    assert after["bespeak_waiting_room_step_seconds"] >= 7, "nobody looks after the room"


async def test_lapsed_holds_are_counted(
    open_api: OpenApi, show: Resource, moved_clock: Clock
) -> None:
    api = await open_api(sweep=True)
    before = (await values(api))["bespeak_holds_lapsed_total"]
    for unit in ("A1", "A2", "floor 1"):
        await api.hold(show, unit, hold_seconds=60)
    await moved_clock.advance(60)

    async def all_counted() -> bool:
        return (await values(api))["bespeak_holds_lapsed_total"] - before == 3

    await until(all_counted)


async def test_payments_are_counted_once_each(
    open_api: OpenApi, connection: Connection, moved_clock: Clock
) -> None:
    api = await open_api(payment_providers="sandbox", allow_pretend_money=True, sweep=True)
    play = await resources.create(
        connection, new_show(payment="required", price=Price(1500, "EUR"))
    )
    moved_clock.shared_with(api.service.engine)
    # Two writers at one instant would each take what happened then for their own doing.
    await moved_clock.go()
    before = await values(api)
    booking = document(await api.send(paying(await api.hold(play, "A1"))), 201)
    problem(await api.send(paying(await api.hold(play, "A2"), "tok_declined")), "payment_declined")
    late = paying(await api.hold(play, "A3"), "tok_challenge")
    payment = document(await api.send(late), 202)["payment"]
    assert isinstance(payment, dict)
    await moved_clock.advance(7200)
    await bank(api).decide(str(payment["id"]), approve=True)
    for number in range(3):
        document(await api.send(callback(api, payment, id=f"again {number}")), 200)
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}", {"reason": "ill"}), 200)

    async def moved() -> dict[str, float]:
        after = await values(api)
        return {
            name: after[name] - before.get(name, 0)
            for name in after
            if name.startswith(("bespeak_payments_total", "bespeak_refunds_total"))
            and after[name] != before.get(name, 0)
        }

    expected = {
        'bespeak_payments_total{outcome="begun",provider="sandbox"}': 3,
        'bespeak_payments_total{outcome="captured",provider="sandbox"}': 2,
        'bespeak_payments_total{outcome="declined",provider="sandbox"}': 1,
        'bespeak_payments_total{outcome="late_same_units",provider="sandbox"}': 1,
        'bespeak_refunds_total{outcome="refunded",provider="sandbox"}': 1,
    }

    async def all_counted() -> bool:
        if await moved() == expected:
            return True
        # What is under way ends before its lease does by this clock, or another would do it too;
        # what was tried too early is tried again.
        await asyncio.sleep(0.25)
        await moved_clock.advance(30)
        return False

    await until(all_counted)
    await asyncio.gather(*api.service.engine.payments._at_work.values())
    assert await moved() == expected


async def test_what_a_provider_took_is_counted(api: Api) -> None:
    provider = ObservedProvider(Moody(), PaymentMetrics())
    charge = Charge(payment_id="pay_" + "0" * 26, amount=Money(1500, "EUR"))
    name = 'bespeak_provider_seconds_count{{outcome="{}",provider="moody",verb="{}"}}'
    wanted = [("answered", "lookup"), ("refused", "capture"), ("unavailable", "void")]
    before = await values(api)
    assert await provider.lookup(charge) is None
    with pytest.raises(ProviderRefused):
        await provider.capture(charge)
    with pytest.raises(ProviderUnavailable):
        await provider.void(charge)
    after = await values(api)
    for outcome, verb in wanted:
        counted = name.format(outcome, verb)
        assert after[counted] - before.get(counted, 0) == 1


async def test_what_waits_is_told(open_api: OpenApi, connection: Connection) -> None:
    api = await open_api(payment_providers="sandbox", allow_pretend_money=True)
    play = await resources.create(
        connection, new_show(payment="required", price=Price(1500, "EUR"))
    )
    document(await api.send(paying(await api.hold(play, "A1"), "tok_challenge")), 202)
    await api.service.engine.payments.ledger.measure()
    after = await values(api)
    waiting_for = {step: after[f'bespeak_payments_waiting{{step="{step}"}}'] for step in STEPS}
    assert waiting_for == {**dict.fromkeys(STEPS, 0), "await": 1}
    assert after["bespeak_refunds_waiting"] == 0


async def test_the_steps_that_are_told_are_all(connection: Connection) -> None:
    allowed = await connection.fetchval(
        "select pg_get_constraintdef(oid) from pg_constraint where conname = 'payment_step_check'"
    )
    assert set(re.findall(r"'(\w+)'::text", allowed)) == set(STEPS)


class Moody(Sandbox):
    """A provider that never heard of a payment, refuses to capture, and is away for a void."""

    name = "moody"

    def __init__(self) -> None:
        """Nobody's bank."""

    async def lookup(self, charge: Charge) -> None:
        """Never heard of it."""

    async def capture(self, charge: Charge) -> Standing:
        """No."""
        raise ProviderRefused

    async def void(self, charge: Charge) -> Standing:
        """Nobody there."""
        raise ProviderUnavailable
