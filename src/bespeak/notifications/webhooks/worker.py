"""The courier: takes deliveries that are due, many at a time, sends each endpoint as many at once
as it bears, and records what became of them, many at a time. Any number may run. A message may come
twice (the process dies between the answer and the record), and out of order (a try was repeated).
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import structlog

from bespeak.feed.reader import event_of
from bespeak.notifications.observer import NotificationObserver
from bespeak.notifications.webhooks import message
from bespeak.notifications.webhooks.sender import (
    TIMEOUT_SECONDS,
    EndpointReply,
    OutgoingMessage,
    WebhookSender,
)
from bespeak.postgres.pool import FAULTS
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool, Record

_QUERIES = load("bespeak.notifications.webhooks", "webhooks.sql")
# After the first try, the second, ...: a little more than three days in all.
RETRY_SECONDS = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
_JITTER = 0.2
FAILING_DAYS = 3
LEASE_SECONDS = 60
_FLYING_FIRST = 8
_FLYING_MAX = 64
_AHEAD = 4
_SETTLE_MAX = 500
_PAUSE_SECONDS_MAX = 0.5
_BUSY_SECONDS = 0.05
_CLOSE_SECONDS = 2.0
_TIDY_SECONDS = 60.0
_TIDY_MAX = 5000
_log = structlog.get_logger()


class _Job(NamedTuple):
    """A delivery that this courier has until its lease ends. `good_until` is by this process' own
    clock: when it is too late to begin."""

    position: int
    tries: int
    lease: datetime
    good_until: float
    body: bytes | None


class _Result(NamedTuple):
    endpoint_id: str
    job: _Job
    reply: EndpointReply
    delay: float | None


class Lane:
    """What is on its way to one endpoint. Each message that arrives lets one more fly at a time,
    each that fails halves them, so that one who is slow or down holds up nobody else."""

    def __init__(self, endpoint_id: str) -> None:
        self.endpoint_id = endpoint_id
        self.url = ""
        self.secrets: tuple[str, ...] = ()
        self.waiting: deque[_Job] = deque()
        self.flying: set[asyncio.Task[None]] = set()
        self.limit = _FLYING_FIRST

    @property
    def room(self) -> int:
        """How many more to take; none while much of it still waits, so that few ask for many."""
        most = self.limit * _AHEAD
        free = most - len(self.waiting) - len(self.flying)
        return free if free * 2 >= most else 0

    def learn(self, *, delivered: bool) -> None:
        if delivered:
            self.limit = min(self.limit + 1, _FLYING_MAX)
        else:
            self.limit = max(self.limit // 2, 1)


class WebhookWorker:
    """Delivers webhooks, for as long as `look` is called."""

    name = "courier"

    def __init__(
        self,
        pool: Pool,
        sender: WebhookSender,
        *,
        retention_days: int,
        observer: NotificationObserver | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._pool = pool
        self._sender = sender
        self._retention_days = retention_days
        self._observer = observer or NotificationObserver()
        self._chance = chance
        self._lanes: dict[str, Lane] = {}
        self._results: list[_Result] = []
        self._woken = asyncio.Event()
        self._tidy_at = 0.0

    def wake(self) -> None:
        """There is something to do: a delivery was written, or one has ended."""
        self._woken.set()

    async def look(self) -> float:
        """Records what has ended, takes what is due and sends it; waits for some of it, but not for
        all. Answers seconds until the next look. Raises what asyncpg raises."""
        self._woken.clear()
        await self._settle()
        await self._tidy()
        await self._find_lanes()
        await self._claim()
        busy = any(lane.flying for lane in self._lanes.values())
        if not self._results:
            with suppress(TimeoutError):
                # Not wait_for: before Python 3.12 it may swallow a cancellation.
                async with asyncio.timeout(_BUSY_SECONDS if busy else _PAUSE_SECONDS_MAX):
                    await self._woken.wait()
        return 0.0

    async def close(self) -> None:
        """Waits a moment for what is on its way, records it, and gives the rest back."""
        flying = {task for lane in self._lanes.values() for task in lane.flying}
        unsent = [(lane, job) for lane in self._lanes.values() for job in lane.waiting]
        for lane in self._lanes.values():
            lane.waiting.clear()
        if flying:
            _, late = await asyncio.wait(flying, timeout=_CLOSE_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        with suppress(*FAULTS):  # what is not recorded is repeated when its lease has ended
            await self._settle()
            await self._pool.execute(
                _QUERIES["give_back"],
                [lane.endpoint_id for lane, _ in unsent],
                [job.position for _, job in unsent],
                [job.lease for _, job in unsent],
            )

    async def _find_lanes(self) -> None:
        rows = await self._pool.fetch(_QUERIES["enabled"])
        known = {row["endpoint_id"]: row for row in rows}
        for endpoint_id in list(self._lanes):
            if endpoint_id not in known:
                lane = self._lanes[endpoint_id]
                lane.waiting.clear()  # they stay due; somebody enables it again, or nobody
                if not lane.flying:
                    del self._lanes[endpoint_id]
        for endpoint_id, row in known.items():
            lane = self._lanes.setdefault(endpoint_id, Lane(endpoint_id))
            lane.url = row["url"]
            lane.secrets = tuple(filter(None, (row["secret"], row["old_secret"])))

    async def _claim(self) -> None:
        rooms = {name: lane.room for name, lane in self._lanes.items() if lane.url and lane.room}
        if not rooms:
            return
        asked_at = time.monotonic()
        rows = await self._pool.fetch(
            _QUERIES["claim"], list(rooms), list(rooms.values()), LEASE_SECONDS
        )
        good_until = asked_at + LEASE_SECONDS - TIMEOUT_SECONDS - 2
        for row in rows:
            job = _Job(
                row["position"], row["tries"], row["leased_until"], good_until, _body_of(row)
            )
            self._lanes[row["endpoint_id"]].waiting.append(job)
        for name in rooms:
            self._start(self._lanes[name])

    def _start(self, lane: Lane) -> None:
        """Lets fly what there is room for."""
        while lane.waiting and len(lane.flying) < lane.limit:
            job = lane.waiting.popleft()
            if job.good_until < time.monotonic():
                continue  # its lease may end before an answer comes: somebody else's by then
            task = asyncio.create_task(self._deliver(lane, job))
            lane.flying.add(task)
            task.add_done_callback(lambda done: self._landed(lane, done))

    def _landed(self, lane: Lane, task: asyncio.Task[None]) -> None:
        lane.flying.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("delivery failed", endpoint=lane.endpoint_id, error=repr(error))
        if lane.url:
            self._start(lane)
        if len(self._results) >= _SETTLE_MAX or not lane.flying or lane.room:
            self._woken.set()

    async def _deliver(self, lane: Lane, job: _Job) -> None:
        if job.body is None:
            reply = EndpointReply(failure="the event is gone")
        else:
            message_id = message.show_id(lane.endpoint_id, job.position)
            reply = await self._sender.send(
                OutgoingMessage(lane.url, lane.secrets, message_id, job.body)
            )
        lane.learn(delivered=reply.delivered)
        delay = None if reply.delivered else self._delay(job.tries, reply)
        self._results.append(_Result(lane.endpoint_id, job, reply, delay))

    def _delay(self, tries: int, reply: EndpointReply) -> float | None:
        """Seconds until the next try, None if this was the last."""
        if tries >= len(RETRY_SECONDS):
            return None
        seconds = RETRY_SECONDS[tries] * (1 + _JITTER * self._chance())
        return max(seconds, reply.retry_after_seconds)

    async def _settle(self) -> None:
        while self._results:
            batch = self._results[:_SETTLE_MAX]
            disabled = await self._pool.fetch(
                _QUERIES["settle"],
                [one.endpoint_id for one in batch],
                [one.job.position for one in batch],
                [one.job.lease for one in batch],
                [one.reply.delivered for one in batch],
                [one.reply.status for one in batch],
                [one.reply.answer for one in batch],
                [one.reply.failure for one in batch],
                [one.delay for one in batch],
                FAILING_DAYS,
            )
            del self._results[: len(batch)]
            self._tell(batch)
            for row in disabled:
                _log.warning(
                    "webhook endpoint disabled",
                    endpoint=row["endpoint_id"],
                    because=row["disabled_because"],
                )
                self._observer.disabled(row["disabled_because"])

    def _tell(self, batch: list[_Result]) -> None:
        delivered = sum(one.reply.delivered for one in batch)
        retried = sum(one.delay is not None for one in batch)
        for outcome, count in (
            ("delivered", delivered),
            ("retried", retried),
            ("failed", len(batch) - delivered - retried),
        ):
            if count:
                self._observer.delivery(outcome, count)

    async def _tidy(self) -> None:
        if time.monotonic() < self._tidy_at:
            return
        gone = await self._pool.fetchval(_QUERIES["tidy"], self._retention_days, _TIDY_MAX)
        self._tidy_at = time.monotonic() + (1.0 if gone >= _TIDY_MAX else _TIDY_SECONDS)


def _body_of(row: Record) -> bytes | None:
    """What a delivery says; None if its event is not there (any more)."""
    if row["event"] is not None and row["cursor"] is not None:
        return message.encode(event_of(row["event"], row["cursor"], row["feed_position"]))
    if message.type_of(row["kind"]) == message.TEST:
        return message.encode_test(row["created_at"])
    return None
