"""The figures of a time: what was sold, held and refused, for how much, how fast, and how it went
over the hours. They come from the minute counts, whose newest are some hundred milliseconds old.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Literal

import msgspec

from bespeak.cache import Cache
from bespeak.errors import InvalidRequest
from bespeak.money import Money
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record
    from bespeak.postgres.reads import Reads

_QUERIES = load("bespeak.overview", "figures.sql")
PERIOD_DAYS_MAX = 92
_POINTS_MAX = 150
_STEPS = (60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400)
_SAMPLES_MAX = 2000
_LATELY_BOOKINGS = 1000
_LATELY_RESOURCES = 50
_RECOUNT_SECONDS = 5.0
_RECOUNTED_MAX = 1000
_COUNTED = ("held", "confirmed", "released", "expired", "cancelled")


class HoldToConfirm(msgspec.Struct, frozen=True):
    """How long buyers took from hold to booking: the median and the 95th percentile of so many
    samples, the latest; null where there are none."""

    p50_seconds: float | None
    p95_seconds: float | None
    samples: int


class Point(msgspec.Struct, frozen=True):
    """What happened from `at` on for one step of time: holds that were placed, confirmed, released,
    expired; bookings that were cancelled; requests that were refused; the prices of what was
    confirmed."""

    at: datetime
    held: int
    confirmed: int
    released: int
    expired: int
    cancelled: int
    refused: int
    revenue: list[Money]


class Series(msgspec.Struct, frozen=True):
    """How it went, step by step."""

    step_seconds: int
    points: list[Point]


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """A time at a glance. `sold` are the units of its `bookings`, whose prices are the `revenue`;
    `held` the units that are held now; `conversion` how many of the holds became bookings;
    `double_sold` the units sold twice of what was sold last, which is recounted: none, ever."""

    from_: datetime = msgspec.field(name="from")
    to: datetime
    now: datetime
    sold: int
    bookings: int
    held: int
    refused: int
    revenue: list[Money]
    refunded: list[Money]
    hold_to_confirm: HoldToConfirm
    conversion: float | None
    series: Series
    double_sold: int


class WaitingWork(msgspec.Struct, frozen=True):
    """Background work of one sort: how much waits, how much of that is overdue, since when the
    oldest does, and what failed and waits for a person."""

    name: Literal["payments", "refunds", "webhooks", "mails", "calling_off", "holds"]
    waiting: int
    overdue: int
    oldest_at: datetime | None
    failed: int


class Figures:
    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._double_sold: Cache[str | None, int] = Cache(
            seconds=_RECOUNT_SECONDS, size_max=_RECOUNTED_MAX
        )

    async def overview(
        self, since: datetime, until: datetime, workspace: str | None = None
    ) -> Overview:
        """The figures of a half-open time, in whole minutes, of a workspace or of all. Raises
        InvalidRequest for one that is empty or longer than 92 days."""
        if not timedelta() < until - since <= timedelta(days=PERIOD_DAYS_MAX):
            raise InvalidRequest(f"a time of up to {PERIOD_DAYS_MAX} days", field="from")
        since, until = since.replace(second=0, microsecond=0), _next_minute(until)
        step = step_of((until - since).total_seconds())

        async def read(used: Connection) -> tuple[list[Record], list[Record], Record, Record]:
            counts = await used.fetch(_QUERIES["counts"], since, until, step, workspace)
            refusals = await used.fetch(_QUERIES["refusals"], since, until, step, workspace)
            (held,) = await used.fetch(_QUERIES["held_now"], workspace)
            (times,) = await used.fetch(
                _QUERIES["times_to_confirm"], since, until, _SAMPLES_MAX, workspace
            )
            return counts, refusals, held, times

        counts, refusals, held, times = await self._reads.run(read)
        placed = _sum(counts, "held", "count")
        confirmed = _sum(counts, "confirmed", "count")
        return Overview(
            from_=since,
            to=until,
            now=held["now"],
            sold=_sum(counts, "confirmed", "units"),
            bookings=confirmed,
            held=held["held"],
            refused=sum(row["count"] for row in refusals),
            revenue=_money(counts, "confirmed"),
            refunded=_money(counts, "refunded"),
            hold_to_confirm=_times(times),
            conversion=min(1.0, confirmed / placed) if placed else None,
            series=_series(since, until, step, counts, refusals),
            double_sold=await self._double_sold.get(workspace, partial(self._recount, workspace)),
        )

    async def waiting_work(self, workspace: str | None = None) -> list[WaitingWork]:
        rows = await self._reads.run(lambda used: used.fetch(_QUERIES["waiting_work"], workspace))
        return [WaitingWork(**row) for row in rows]

    async def _recount(self, workspace: str | None) -> int:

        async def read(used: Connection) -> dict[int, int]:
            lately = await used.fetch(
                _QUERIES["lately_sold"], _LATELY_BOOKINGS, _LATELY_RESOURCES, workspace
            )
            return await sold_twice(used, [row["resource_id"] for row in lately])

        found = await self._reads.run(read)
        return sum(found.values())


async def sold_twice(connection: Connection, numbers: list[int]) -> dict[int, int]:
    """How many units of each of these resources were sold twice; those without any are absent."""
    rows = await connection.fetch(_QUERIES["sold_twice"], numbers)
    return {row["resource_id"]: row["units"] for row in rows}


def step_of(seconds: float) -> int:
    """The length of the steps, in seconds, in which a time of this length is told."""
    for step in _STEPS:
        if seconds / step <= _POINTS_MAX:
            return step
    return _STEPS[-1]


def _next_minute(moment: datetime) -> datetime:
    whole = moment.replace(second=0, microsecond=0)
    return whole if whole == moment else whole + timedelta(minutes=1)


def _sum(counts: Iterable[Record], what: str, column: str) -> int:
    return sum(row[column] for row in counts if row["what"] == what)


def _money(counts: Iterable[Record], what: str) -> list[Money]:
    """The amounts of one thing, a sum for each currency, the largest first."""
    sums: dict[str, int] = {}
    for row in counts:
        if row["what"] == what and row["amount"]:
            sums[row["currency"]] = sums.get(row["currency"], 0) + row["amount"]
    return [
        Money(amount, currency)
        for currency, amount in sorted(sums.items(), key=lambda one: (-one[1], one[0]))
    ]


def _times(row: Record) -> HoldToConfirm:
    if row["seconds"] is None:
        return HoldToConfirm(None, None, 0)
    median, high = (round(max(0.0, seconds), 3) for seconds in row["seconds"])
    return HoldToConfirm(median, high, row["samples"])


def _series(
    since: datetime,
    until: datetime,
    step: int,
    counts: Iterable[Record],
    refusals: Iterable[Record],
) -> Series:
    refused: Mapping[int, int] = {row["step"]: row["count"] for row in refusals}
    of_step: dict[int, list[Record]] = {}
    for row in counts:
        of_step.setdefault(row["step"], []).append(row)
    points = []
    for number in range(math.ceil((until - since).total_seconds() / step)):
        mine = of_step.get(number, [])
        points.append(
            Point(
                at=since + timedelta(seconds=number * step),
                **{what: _sum(mine, what, "count") for what in _COUNTED},
                refused=refused.get(number, 0),
                revenue=_money(mine, "confirmed"),
            )
        )
    return Series(step, points)
