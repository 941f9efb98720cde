"""In which order those who wait are tried, when something comes back. It looks at nothing but who
waits, so that the simulation of the docs asks the same rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias, TypeVar

Policy: TypeAlias = Literal["strict", "best_fit", "lottery"]


class Waiting(Protocol):
    """Who waits, as a policy sees them."""

    @property
    def place(self) -> int: ...

    @property
    def party(self) -> int: ...

    @property
    def passed(self) -> int: ...


_Waiting = TypeVar("_Waiting", bound=Waiting)


def tried_in_order(policy: Policy, waiting: Sequence[_Waiting], window: int) -> Sequence[_Waiting]:
    """Who is tried first. `waiting` come in the order of their places, or for a lottery of their
    lots. By best fit, of the first `window` the largest party comes first, of equal ones who waits
    longest; those behind the window are tried when nobody within it can be served."""
    if policy != "best_fit":
        return waiting
    within = sorted(waiting[:window], key=lambda one: (-one.party, one.place))
    return [*within, *waiting[window:]]


def is_due(one: Waiting, passes_max: int | None) -> bool:
    """Whether this party was passed by as often as may be: nobody behind it gets anything of what
    it waits for until it is served, so that seats gather until they are enough for it."""
    return passes_max is not None and one.passed >= passes_max
