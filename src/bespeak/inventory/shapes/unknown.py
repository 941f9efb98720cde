"""A stored plan whose shape is not installed in this process. Its resource is listed, and what was
sold of it is shown by its units; whatever needs the rules is refused. Other resources are not
affected.
"""

from __future__ import annotations

from typing import NoReturn

from bespeak.errors import BespeakError
from bespeak.inventory.plans import (
    AvailabilityQuery,
    AvailabilityReader,
    CompiledPlan,
    Plan,
    SaleContext,
)
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import Line


class UnknownShape(BespeakError):
    """The resource's plan has a shape that is not installed in this process."""

    code = "unknown_shape"
    status = 501
    title = "The shape of this resource is not installed here"


class UnknownPlan(Plan, frozen=True, tag="unknown"):
    """Stands for a plan of this shape; the database has the plan itself."""

    shape: str

    def error(self) -> UnknownShape:
        return UnknownShape(f"the shape {self.shape!r} is not installed here", shape=self.shape)


class UnknownRules(CompiledPlan):
    """Refuses every line and every query."""

    def __init__(self, plan: UnknownPlan) -> None:
        self.plan = plan
        self.reader = _UnknownReader(plan)

    def line_claims(self, line: Line, sale: SaleContext) -> NoReturn:
        raise self.plan.error()

    def block_needs(self, line: Line, sale: SaleContext) -> NoReturn:
        raise self.plan.error()

    def has(self, unit: str) -> NoReturn:
        raise self.plan.error()


class _UnknownReader(AvailabilityReader):
    def __init__(self, plan: UnknownPlan) -> None:
        self._plan = plan

    def units(self, query: AvailabilityQuery, sale: SaleContext) -> NoReturn:
        raise self._plan.error()

    def answer(self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext) -> NoReturn:
        raise self._plan.error()
