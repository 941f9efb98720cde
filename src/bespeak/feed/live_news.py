"""What an observer of a resource is told: first the whole picture, then what changes. The same
forms go to the observers of a process and, as JSON, to the viewers of a stream.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from bespeak.inventory.plans import PoolLevel
from bespeak.states import UnitState


class LiveSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The whole of a resource at one instant; a seat that `taken` does not have is free. Of a
    resource whose plan is no seat map only `units_free` is there, and null: ask its availability.
    `cursor` goes on from here; `at` is the database's time."""

    cursor: str
    resource_id: str
    resource_version: int
    at: datetime
    taken: dict[str, UnitState] | UnsetType = UNSET
    pools: dict[str, PoolLevel] | UnsetType = UNSET
    units_total: int | UnsetType = UNSET
    units_free: int | None


class LiveChange(msgspec.Struct, frozen=True, kw_only=True):
    """What changed since the message before: each unit with the state that it has now, each pool
    with its level. Of a resource whose plan is no seat map the units have no state (null), and
    `units_free` is null: ask its availability again."""

    cursor: str
    units: dict[str, UnitState | None]
    pools: dict[str, PoolLevel]
    units_free: int | None


class LiveStale(msgspec.Struct, frozen=True, kw_only=True):
    """The resource itself may have changed (its plan, prices, times; it was closed or called off):
    read it again. A snapshot follows."""

    cursor: str
    resource_id: str
    resource_version: int


LiveNews: TypeAlias = LiveSnapshot | LiveChange | LiveStale
