"""Conflicts: what stands in the way of a hold or a block. The database names claims; people are
told ranges of rooms, providers and seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from bespeak import ids
from bespeak.inventory.plans import CODE_PREFIX
from bespeak.inventory.ranges import joined
from bespeak.inventory.resources import ReadyResource
from bespeak.postgres.json_text import json_text
from bespeak.refusals import SHORT, Conflict


class RawConflict(msgspec.Struct):
    """A conflict as `bespeak.conflicts` reports it; the owner stays inside the process."""

    resource_id: int
    unit: str
    state: str
    until: float | None = None
    owner: str | None = None
    capacity: int | None = None
    available: int | None = None

    def shown(self) -> Conflict:
        """Without the owner, and of a pool without what is below nothing."""
        return Conflict(
            resource_id=ids.show_resource(self.resource_id),
            unit=self.unit,
            state=self.state,
            until=moment(self.until),
            capacity=self.capacity if self.state == SHORT else None,
            available=None if self.available is None else max(0, self.available),
        )


def raw_conflicts(details: object) -> list[RawConflict]:
    """The conflicts in the details of an outcome `taken`."""
    if details is None:
        return []
    return msgspec.json.decode(json_text(details), type=list[RawConflict])


def moment(seconds: float | None) -> datetime | None:
    """A time from seconds since 1970."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def told(conflicts: Sequence[Conflict], ready: ReadyResource) -> list[Conflict]:
    """Conflicts of claims of one resource, in terms of its plan; codes are in nobody's."""
    codes = [one for one in conflicts if (one.unit or "").startswith(CODE_PREFIX)]
    if codes:
        return told([one for one in conflicts if one not in codes], ready) + codes
    pairs = [
        (
            ready.plan.shown_claim(conflict.unit or "", ready.zone),
            (conflict.state, conflict.until, conflict.capacity, conflict.available),
        )
        for conflict in conflicts
    ]
    if all(claim.from_ is None for claim, _ in pairs):
        return list(conflicts)
    return [
        Conflict(
            resource_id=ready.resource.id,
            unit=claim.unit,
            state=state,
            from_=claim.from_,
            to=claim.to,
            until=until,
            capacity=capacity,
            available=available,
        )
        for claim, (state, until, capacity, available) in joined(pairs)
    ]
