"""Says from paired measurements whether this tree is slower than the base, the same or faster, or
that they do not tell.

The measurements of a round belong together, since the machine's speed drifts; so what counts is the
ratio of each round. Over the rounds it is the Hodges-Lehmann estimate with the interval of the
Wilcoxon signed-rank test: exact for few rounds, and from 16 rounds on not moved by one that was
disturbed (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, section 3).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# How sure an interval is. Seven gauges at 95 % would give a false alarm in every sixth run.
CONFIDENCE = 0.99
# A difference below this is of no interest, however sure.
TOLERANCE = 0.02
# With an interval that reaches this far below 1, nobody can say that nothing became slower.
BLIND = 0.10
# With fewer rounds, no outcome could be as sure as CONFIDENCE.
ROUNDS_MIN = 8


@dataclass(frozen=True)
class Verdict:
    """How many times as fast this tree is as the base, with its interval."""

    ratio: float
    low: float
    high: float

    @property
    def word(self) -> str:
        if self.high < 1 and self.ratio <= 1 - TOLERANCE:
            return "slower"
        if self.low > 1 and self.ratio >= 1 + TOLERANCE:
            return "faster"
        return "same" if self.low > 1 - BLIND else "unclear"


def compare(base: Sequence[float], this: Sequence[float], *, less_is_better: bool) -> Verdict:
    """The verdict on as many rounds of the one as of the other."""
    if len(base) < ROUNDS_MIN or len(base) != len(this):
        raise ValueError(f"{len(base)} and {len(this)} rounds; {ROUNDS_MIN} of each are needed")
    gains = np.log(np.array(this) / np.array(base))
    if less_is_better:
        gains = -gains
    first, second = np.triu_indices(len(gains))
    means = np.sort((gains[first] + gains[second]) / 2)
    outside = _outside(len(gains))
    return Verdict(
        float(np.exp(np.median(means))), float(np.exp(means[outside])),
        float(np.exp(means[-1 - outside])),
    )  # fmt: skip


def _outside(rounds: int) -> int:
    """How many of the means of pairs lie outside the interval on each side: as many as the
    signed-rank sum, each sign as likely as the other, reaches with half of what is not sure."""
    ways = np.ones(1)
    for rank in range(1, rounds + 1):
        longer = np.zeros(len(ways) + rank)
        longer[: len(ways)] += ways
        longer[rank:] += ways
        ways = longer
    reached = np.cumsum(ways) / 2.0**rounds
    return int(np.searchsorted(reached, (1 - CONFIDENCE) / 2, side="right")) - 1
