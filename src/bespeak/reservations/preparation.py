"""Preparing holds: which resources are open, what demand makes of their prices, what is chosen for
lines that leave a choice, and what the lines then mean and cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import BespeakError, InternalError, ResourceClosed, ResourceNotOpen
from bespeak.inventory.lines import Line
from bespeak.inventory.resources import ReadyResource
from bespeak.pricing.quotes import Quote
from bespeak.reservations.choice import Attempt, Chooser, ChosenLines
from bespeak.reservations.costs import bare_line, may_come_early
from bespeak.reservations.demand_cache import DemandCache
from bespeak.reservations.judge import HoldRequest, JudgedRequest, judge, resource_in
from bespeak.reservations.plain_holds import judge_plain
from bespeak.reservations.ready_resources import ResourceCache

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection


class Preparer:
    """Prepares holds and quotes for one process."""

    def __init__(
        self,
        ready_resources: ResourceCache,
        chooser: Chooser,
        demands: DemandCache,
        clock: DatabaseClock,
    ) -> None:
        self._ids = ids.IdMaker()
        self._stocks = ready_resources
        self._chooser = chooser
        self._demands = demands
        self._clock = clock

    async def prepare(
        self,
        asked: HoldRequest,
        attempt: Attempt,
        numbers: Sequence[int],
        connection: Connection | None,
    ) -> tuple[JudgedRequest, ChosenLines | None]:
        """The request for the database, and what was chosen for it, which the caller lets go."""
        plain = self._plain(asked, attempt, numbers)
        if plain is not None:
            return plain, None
        ready_resources = await self._stocks.get(numbers, connection)
        for number in numbers:
            reason = closed_reason(resource_in(ready_resources, number), self._clock)
            if reason is not None and not may_come_early(
                reason, ready_resources[number], asked.lines
            ):
                # The cache may be behind: what it says is closed is looked at once more.
                self._stocks.forget(number)
                ready_resources = await self._stocks.get(numbers, connection)
                reason = closed_reason(resource_in(ready_resources, number), self._clock)
                if reason is not None and not may_come_early(
                    reason, ready_resources[number], asked.lines
                ):
                    raise reason
        return await self._judge(asked, attempt, numbers, ready_resources, connection)

    def _plain(
        self, asked: HoldRequest, attempt: Attempt, numbers: Sequence[int]
    ) -> JudgedRequest | None:
        """The request by the short way, where that can be taken."""
        ready = self._stocks.known.get(numbers[0])
        if ready is None or asked.partial or attempt.missing:
            return None
        if len(numbers) > 1 and numbers.count(numbers[0]) < len(numbers):
            return None
        if closed_reason(ready, self._clock) is not None:
            return None
        return judge_plain(asked, attempt.lines, ready, self._ids, guarded=attempt.guarded)

    async def quote(
        self, lines: Sequence[Line], numbers: Sequence[int], connection: Connection | None
    ) -> Quote:
        """What lines would cost now; whether they could be held is not asked, but for what they
        leave to choose."""
        ready_resources = await self._stocks.get(numbers, connection)
        for number in numbers:
            resource_in(ready_resources, number)
        attempt = Attempt(list(lines), [], fresh=True, guarded=False)
        asked = HoldRequest("", lines, None, None)
        judged, chosen = await self._judge(
            asked, attempt, numbers, ready_resources, connection, quoted=True
        )
        if chosen is not None:
            self._chooser.undo(chosen)
        if judged.terms.quote is None:
            raise InternalError("a quote was asked for")
        return judged.terms.quote

    async def _judge(
        self,
        asked: HoldRequest,
        attempt: Attempt,
        numbers: Sequence[int],
        ready_resources: Mapping[int, ReadyResource],
        connection: Connection | None,
        *,
        quoted: bool = False,
    ) -> tuple[JudgedRequest, ChosenLines | None]:
        # Counted before anything is chosen, so that a request does not raise its own price.
        demands = await self._demands.of(
            [ready_resources[number] for number in numbers], connection
        )
        lines, missing, chosen = attempt.lines, attempt.missing, None
        if asked.partial or any(
            ready_resources[number].plan.is_open(bare_line(line, ready_resources[number]))
            for number, line in zip(numbers, asked.lines, strict=True)
        ):
            chosen = await self._chooser.choose(
                attempt.lines,
                ready_resources,
                connection,
                partial=asked.partial,
                fresh=attempt.fresh,
            )
            if chosen.missing and not attempt.fresh:
                # Less is given only by a picture as fresh as for a refusal.
                self._chooser.undo(chosen)
                attempt.fresh = True
                chosen = await self._chooser.choose(
                    attempt.lines, ready_resources, connection, partial=True, fresh=True
                )
            lines, missing = chosen.lines, attempt.missing + chosen.missing
        try:
            judged = judge(
                asked,
                lines,
                ready_resources,
                self._ids.new(numbers[0]),
                self._clock.now(),
                missing=missing,
                guarded=attempt.guarded,
                demands=demands,
                quoted=quoted,
            )
        except BaseException:
            if chosen is not None:
                self._chooser.undo(chosen)
            raise
        return judged, chosen


def closed_reason(ready: ReadyResource, clock: DatabaseClock) -> BespeakError | None:
    """Why nothing of this resource can be held at this time, if so."""
    resource = ready.resource
    if resource.state == "open" and resource.closes_at is None and resource.opens_at is None:
        return None
    now = clock.now()
    if resource.state != "open":
        return ResourceClosed(resource_id=resource.id)
    if resource.closes_at is not None and resource.closes_at <= now:
        return ResourceClosed(resource_id=resource.id, closes_at=resource.closes_at)
    if resource.opens_at is not None and resource.opens_at > now:
        return ResourceNotOpen(resource_id=resource.id, opens_at=resource.opens_at)
    return None
