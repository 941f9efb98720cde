"""Alternatives: what could be held instead of what was refused, by the same rule and a fresh look.
They are kept for a blink, so that a crowd which is refused the same seat costs one computation.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import BespeakError
from bespeak.inventory.plans import Need, Offer
from bespeak.inventory.conflicts import Conflict
from bespeak.inventory.lines import Line, lines_text
from bespeak.inventory.resources import ReadyResource
from bespeak.reservations.costs import bare_line
from bespeak.reservations.judge import sale_context
from bespeak.reservations.own_claims import OwnClaims
from bespeak.reservations.snapshots import SnapshotCache

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_KEPT_MAX = 2000
_Key: TypeAlias = tuple[int, int, str]
_GROUPS_MAX = 10
OFFERS_MAX = 10


class Alternative(msgspec.Struct, frozen=True):
    """Offers instead of some lines of a refused request, by their places in it (from 0); each
    offer is a list of lines that could be held in their stead."""

    instead_of: list[int]
    offers: list[Offer]


class Offers:
    """Computes alternatives for one process."""

    def __init__(self, snapshots: SnapshotCache, clock: DatabaseClock) -> None:
        self._pictures = snapshots
        self._clock = clock
        self._kept: OrderedDict[_Key, tuple[float, list[Offer]]] = OrderedDict()

    async def attach(
        self,
        refusal: BespeakError,
        lines: Sequence[Line],
        ready_resources: Mapping[int, ReadyResource],
        count: int,
        connection: Connection | None,
    ) -> BespeakError:
        """The refusal with the alternatives that there are, in its data; its conflicts are still
        those of claims. What the other lines take is not offered."""
        lines = [_bare(line, ready_resources) for line in lines]
        needs = [self._needs(line, ready_resources) for line in lines]
        refused = _refused(refusal, lines, needs)
        found = []
        for places in _groups(refused, lines, ready_resources)[:_GROUPS_MAX]:
            group = [lines[place] for place in places]
            number = ids.parse_resource(group[0].resource_id)
            ready = ready_resources.get(number)
            if ready is None:  # changed while the offers before were looked for
                continue
            own = OwnClaims()
            others = []
            for place, line in enumerate(lines):
                if place not in places and line.resource_id == group[0].resource_id:
                    own.take(number, needs[place])
                    others.append(line)
            key = (number, count, f"{lines_text(group)}\n\n{lines_text(others)}")
            offers = await self._offers(key, group, own, ready, connection)
            if offers:
                found.append(Alternative(list(places), offers))
        refusal.data["alternatives"] = found
        return refusal

    async def _offers(
        self,
        key: _Key,
        group: Sequence[Line],
        own: OwnClaims,
        ready: ReadyResource,
        connection: Connection | None,
    ) -> list[Offer]:
        kept = self._kept.get(key)
        if kept is not None and kept[0] > time.monotonic():
            return kept[1]
        sale = sale_context(ready, self._clock.now())
        try:
            watched = ready.plan.watched(group[0], sale)
            snapshot = await self._pictures.read(
                ready.number, watched, connection, age_max=self._pictures.fresh_seconds
            )
            with own.seen_in(snapshot, ready.number):
                offers = ready.plan.group_offers(group, snapshot, sale, key[1])
        except BespeakError:
            offers = []  # a line that makes no sense has no neighbours
        self._kept[key] = (time.monotonic() + self._pictures.fresh_seconds, offers)
        while len(self._kept) > _KEPT_MAX:
            self._kept.popitem(last=False)
        return offers

    def _needs(self, line: Line, ready_resources: Mapping[int, ReadyResource]) -> Sequence[Need]:
        """The claims of a line; none where it leaves a choice or cannot be held."""
        ready = ready_resources.get(ids.parse_resource(line.resource_id))
        if ready is None or ready.plan.is_open(line):
            return ()
        try:
            return ready.plan.line_claims(line, sale_context(ready, self._clock.now())).needs
        except BespeakError:
            return ()


def _bare(line: Line, ready_resources: Mapping[int, ReadyResource]) -> Line:
    """The line without a code of its resource's prices: offers are made without one."""
    ready = ready_resources.get(ids.parse_resource(line.resource_id))
    return line if ready is None else bare_line(line, ready)


def _refused(
    refusal: BespeakError, lines: Sequence[Line], needs: Sequence[Sequence[Need]]
) -> set[int]:
    """The places of the lines that are in the way: the one that the refusal is about, or those
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
        place
        for place, (one, claims) in enumerate(zip(lines, needs, strict=True))
        if one.resource_id in resources
        and (not claims or any((one.resource_id, need.unit) in units for need in claims))
    }


def _groups(
    refused: set[int], lines: Sequence[Line], ready_resources: Mapping[int, ReadyResource]
) -> list[tuple[int, ...]]:
    """Which lines want an alternative, by their places: exact seats of one room together if one of
    them is refused, every other line for itself."""
    groups: list[tuple[int, ...]] = []
    together: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        ready = ready_resources.get(ids.parse_resource(line.resource_id))
        if ready is None:
            continue
        if ready.plan.is_grouped(line):
            together.setdefault(line.resource_id, []).append(place)
        elif place in refused:
            groups.append((place,))
    grouped = [tuple(places) for places in together.values() if refused & set(places)]
    return grouped + groups
