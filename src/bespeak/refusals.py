"""What a refusal carries: the conflicts that stand in the way, and alternatives to what was asked.
On the ground, so that the errors can say of which type their data is.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias, TypeVar

import msgspec

from bespeak.lines import Line
from bespeak.states import UnitState, one_of

Told = TypeVar("Told")
Offer: TypeAlias = list[Line]
SHORT = "short"
ConflictState: TypeAlias = Annotated[
    str, one_of("ConflictState", (UnitState.HELD, UnitState.BOOKED, UnitState.BLOCKED, SHORT))
]
"""What is in the way: somebody has the unit, or a pool is short of what was asked."""


class Conflict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands in the way: a unit, or a range of one (of any: no unit), its state and until when
    at the latest (absent: no end); or how many a pool has left. Who is there is not said."""

    resource_id: str
    unit: str | None
    state: ConflictState
    from_: str | None = msgspec.field(default=None, name="from")
    to: str | None = None
    until: datetime | None = None
    capacity: int | None = None
    available: int | None = None


class Alternative(msgspec.Struct, frozen=True):
    """Offers instead of some lines of a refused request, by their indices in it (from 0); each
    offer is a list of lines that could be held in their stead."""

    instead_of: list[int]
    offers: list[Offer]


def all_of(kind: type[Told], told: object) -> list[Told]:
    """Those of a kind among what an error carries."""
    return [one for one in told if isinstance(one, kind)] if isinstance(told, list) else []
