"""The takings of the desk: what was taken by hand and handed back in a time, by method and by whom,
so that a drawer can be counted against it.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.reads import Reads

_QUERIES = load("bespeak.payments", "takings.sql")


class DeskTakings(msgspec.Struct, frozen=True, kw_only=True):
    """What one person took by one method, in one currency: how many payments and how much of them
    in minor units, how many refunds and how much. `actor` is null where nobody said who it was."""

    method: str
    actor: str | None
    currency: str
    payments: int
    taken: int
    refunds: int
    handed_back: int


async def takings_of(
    reads: Reads, since: datetime, until: datetime, workspace: str | None
) -> list[DeskTakings]:
    """The takings of a half-open time, of a workspace or of all."""
    rows = await reads.run(lambda used: used.fetch(_QUERIES["takings"], since, until, workspace))
    return [msgspec.convert(dict(row), DeskTakings) for row in rows]
