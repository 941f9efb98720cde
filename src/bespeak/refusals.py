"""What a refusal carries: the conflicts that stand in the way, and alternatives to what was asked.
On the ground, so that the errors can say of which type their data is.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

import msgspec

from bespeak.lines import Line

Offer: TypeAlias = list[Line]


class Conflict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands in the way: a unit, or a range of one (of any: no unit), its state and until when
    at the latest (absent: no end); or how many a pool has left. Who is there is not said."""

    resource_id: str
    unit: str | None
    state: str
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
