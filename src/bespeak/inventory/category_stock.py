"""What is left by category: of plans whose units have categories that people choose by, as the
seats of a room do and the products of a pool.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

from bespeak.inventory.snapshot import Snapshot


class SoldCategory(NamedTuple):
    """A category by its name: how many there are of it in all, how many are left and how many
    customers have, held or bought; and of which stocks one of it takes how many."""

    name: str
    units: int
    left: int
    chosen: int
    draws: Mapping[str, int]


class CategoryStock(NamedTuple):
    """The categories of a plan in their order, and how many are left of each stock that they are
    taken from: two products that draw from one pool share it."""

    categories: tuple[SoldCategory, ...]
    left: Mapping[str, int]


class CategoryCounted(ABC):
    """A compiled plan that can tell what is left by category."""

    @abstractmethod
    def category_stock(self, snapshot: Snapshot) -> CategoryStock:
        """What is left by what the snapshot shows, at its time."""
