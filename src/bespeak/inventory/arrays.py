"""numpy for those who choose seats, and the kinds of arrays that they use. It is the largest
library that the engine has, and who holds what is named never needs it: the first choice imports
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Flags: TypeAlias = NDArray[np.bool_]
    Counts: TypeAlias = NDArray[np.int64]
    Costs: TypeAlias = NDArray[np.int64]
    Numbers: TypeAlias = NDArray[np.float64]
    Places: TypeAlias = NDArray[np.float64]
    """A row with x and y for each seat."""
    Seats: TypeAlias = NDArray[np.intp]
    """Seats by their places in the plan's order, from 0."""
else:
    from bespeak.extras import LazyModule

    np = LazyModule("numpy", extra="choice")

__all__ = ["Costs", "Counts", "Flags", "Numbers", "Places", "Seats", "np"]
