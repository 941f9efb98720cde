"""Alternatives: what could be held instead of what was refused, by the same rule and a fresh
snapshot. They are cached for a quarter of a second, so that a crowd which is refused the same
seat costs one computation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from bespeak import ids
from bespeak.cache import Cache
from bespeak.clock import DatabaseClock
from bespeak.errors import BespeakError
from bespeak.extras import MissingExtra
from bespeak.inventory.lines import lines_text
from bespeak.inventory.plans import Need
from bespeak.inventory.resources import ReadyResource
from bespeak.lines import Line
from bespeak.refusals import Alternative, Conflict, Offer
from bespeak.reservations.choice import OwnClaims
from bespeak.reservations.costs import bare_line
from bespeak.reservations.judgement import sale_context
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.reservations.snapshots import SnapshotCache

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

# The resource, how many offers, and the lines as text.
_Key: TypeAlias = tuple[int, int, str]
_CACHED_MAX = 2000
_GROUPS_MAX = 10
OFFERS_MAX = 10


class Alternatives:
    """Finds alternatives for one process."""

    def __init__(
        self, resources: ResourceCache, snapshots: SnapshotCache, clock: DatabaseClock
    ) -> None:
        self._resources = resources
        self._snapshots = snapshots
        self._clock = clock
        self._offers: Cache[_Key, list[Offer]] = Cache(
            seconds=snapshots.fresh_seconds, size_max=_CACHED_MAX
        )

    async def attach(
        self,
        refusal: BespeakError,
        lines: Sequence[Line],
        count: int,
        connection: Connection | None,
    ) -> None:
        """Puts the alternatives that there are into the data of a refusal, whose conflicts are
        still those of claims. What the other lines take is not offered."""
        try:
            found = await self._found(refusal, lines, count, connection)
        except MissingExtra:
            found = []  # the refusal itself is what matters to who has not installed choosing
        refusal.data["alternatives"] = found

    async def _found(
        self,
        refusal: BespeakError,
        lines: Sequence[Line],
        count: int,
        connection: Connection | None,
    ) -> list[Alternative]:
        lines = [self._bare(line) for line in lines]
        needs = [self._needs(line) for line in lines]
        refused = _refused(refusal, lines, needs)
        found = []
        for indices in self._groups(refused, lines)[:_GROUPS_MAX]:
            group = [lines[index] for index in indices]
            ready = self._resource_of(group[0])
            if ready is None:  # it was changed while the groups before were looked at
                continue
            own = OwnClaims()
            others = []
            for index, line in enumerate(lines):
                if index not in indices and line.resource_id == group[0].resource_id:
                    own.take(ready.number, needs[index])
                    others.append(line)
            key = (ready.number, count, f"{lines_text(group)}\n\n{lines_text(others)}")
            find = partial(self._find, ready, group, own, count, connection)
            offers = await (find() if connection is not None else self._offers.get(key, find))
            if offers:
                found.append(Alternative(list(indices), offers))
        return found

    async def _find(
        self,
        ready: ReadyResource,
        group: Sequence[Line],
        own: OwnClaims,
        count: int,
        connection: Connection | None,
    ) -> list[Offer]:
        sale = sale_context(ready, self._clock.now())
        try:
            snapshot = await self._snapshots.read_for(
                group[0], ready, sale, connection, seconds=self._snapshots.fresh_seconds
            )
            with own.shown_in(snapshot, ready.number):
                return ready.plan.group_offers(group, snapshot, sale, count)
        except BespeakError:
            return []  # a line that makes no sense has no neighbours

    def _resource_of(self, line: Line) -> ReadyResource | None:
        return self._resources.peek(ids.parse_resource(line.resource_id))

    def _bare(self, line: Line) -> Line:
        """The line without a code of its resource's prices: offers are made without one."""
        ready = self._resource_of(line)
        return line if ready is None else bare_line(line, ready)

    def _needs(self, line: Line) -> Sequence[Need]:
        """The claims of a line; none where it leaves a choice or cannot be held."""
        ready = self._resource_of(line)
        if ready is None or ready.plan.is_open(line):
            return ()
        try:
            return ready.plan.line_claims(line, sale_context(ready, self._clock.now())).needs
        except BespeakError:
            return ()

    def _groups(self, refused: set[int], lines: Sequence[Line]) -> list[tuple[int, ...]]:
        """Which lines want an alternative, by their indices: exact seats of one room together if
        one of them is refused, every other line for itself."""
        groups: list[tuple[int, ...]] = []
        together: dict[str, list[int]] = {}
        for index, line in enumerate(lines):
            ready = self._resource_of(line)
            if ready is None:
                continue
            if ready.plan.is_grouped(line):
                together.setdefault(line.resource_id, []).append(index)
            elif index in refused:
                groups.append((index,))
        grouped = [tuple(indices) for indices in together.values() if refused & set(indices)]
        return grouped + groups


def _refused(
    refusal: BespeakError, lines: Sequence[Line], needs: Sequence[Sequence[Need]]
) -> set[int]:
    """The indices of the lines that are in the way: the one that the refusal is about, or those
    whose claims are in conflict; where it does not tell, all."""
    line = refusal.data.get("line")
    if isinstance(line, int):
        return {line}
    conflicts = refusal.data.get("conflicts")
    if not isinstance(conflicts, list) or not conflicts:
        return set(range(len(lines)))
    units = {(one.resource_id, one.unit) for one in conflicts if isinstance(one, Conflict)}
    resources = {resource_id for resource_id, _ in units}
    return {
        index
        for index, (one, claims) in enumerate(zip(lines, needs, strict=True))
        if one.resource_id in resources
        and (not claims or any((one.resource_id, need.unit) in units for need in claims))
    }
