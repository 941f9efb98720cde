"""Advice on hold times: how long buyers need, against how long a hold lasts. A hold that is too
short loses buyers who are at the till; one that is too long keeps seats from others.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Literal

import msgspec

from bespeak.cache import Cache
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record
    from bespeak.postgres.reads import Reads

_QUERIES = load("bespeak.overview", "figures.sql")
_DAYS = 30
_SAMPLES_MAX = 20_000
_SAMPLES_MIN = 50
_KEPT_SECONDS = 60.0
_KEPT_MAX = 1000
# Who ran out of time is in no sample. So what comes near the configured time is taken as cut off.
_NEAR = 0.8
_SPARE = 1.5
_LONG = 3.0
_SECONDS_MIN = 120


class HoldTimeAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """For the resources of one kind: the hold time that most of them have, how long the buyers of
    the last 30 days took, and what would suit them. `advised_seconds` is null where there are too
    few samples to say."""

    kind: str
    hold_seconds: int
    p50_seconds: float | None
    p95_seconds: float | None
    samples: int
    advised_seconds: int | None
    advice: Literal["enough", "raise", "lower", "too_few_samples"]


class Adviser:
    """Gives the advice for a workspace or for all, computed once a minute at most."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._advice: Cache[str | None, list[HoldTimeAdvice]] = Cache(
            seconds=_KEPT_SECONDS, size_max=_KEPT_MAX
        )

    async def hold_times(self, workspace: str | None = None) -> list[HoldTimeAdvice]:
        return await self._advice.get(workspace, partial(self._ask, workspace))

    async def _ask(self, workspace: str | None) -> list[HoldTimeAdvice]:
        rows = await self._reads.run(
            lambda used: used.fetch(_QUERIES["times_by_kind"], _DAYS, _SAMPLES_MAX, workspace)
        )
        return [_advice(row) for row in rows]


def advise(hold_seconds: int, p95_seconds: float) -> int:
    """The hold time, in whole minutes, that suits buyers of whom 95 in 100 take no longer than
    this; the present one where that suits them."""
    suiting = max(_SECONDS_MIN, math.ceil(p95_seconds * _SPARE / 60) * 60)
    if p95_seconds > hold_seconds * _NEAR:
        return max(suiting, math.ceil((hold_seconds + 60) / 60) * 60)
    if p95_seconds * _LONG < hold_seconds and suiting < hold_seconds:
        return suiting
    return hold_seconds


def _advice(row: Record) -> HoldTimeAdvice:
    now: int = row["hold_seconds"]
    samples: int = row["samples"]
    median, high = (None, None) if row["seconds"] is None else row["seconds"]
    advised = None if high is None or samples < _SAMPLES_MIN else advise(now, high)
    advice: Literal["enough", "raise", "lower", "too_few_samples"] = "too_few_samples"
    if advised is not None:
        advice = "enough" if advised == now else "raise" if advised > now else "lower"
    return HoldTimeAdvice(
        kind=row["kind"],
        hold_seconds=now,
        p50_seconds=None if median is None else round(max(0.0, median), 3),
        p95_seconds=None if high is None else round(max(0.0, high), 3),
        samples=samples,
        advised_seconds=advised,
        advice=advice,
    )
