"""The one rule of rounding: half up, to whole minor units. Shares are in basis points, of which all
is 10,000; every number here is an integer, so that no price ever depends on a floating point.
"""

from __future__ import annotations

from collections.abc import Sequence

ALL = 10_000
"""All of something, in basis points."""


def rounded(numerator: int, denominator: int) -> int:
    """A fraction that is not below zero as a whole number, half up."""
    return (2 * numerator + denominator) // (2 * denominator)


def share(amount: int, basis_points: int) -> int:
    """So many basis points of an amount, half up; neither is below zero."""
    return rounded(amount * basis_points, ALL)


def spread(amount: int, weights: Sequence[int]) -> list[int]:
    """An amount in parts as the weights are to each other, which sum to it; without any weight it
    is the first one's."""
    total = sum(weights)
    if total == 0:
        return [amount, *[0] * (len(weights) - 1)] if weights else []
    parts: list[int] = []
    seen = given = 0
    for weight in weights:
        seen += weight
        upto = amount * seen // total
        parts.append(upto - given)
        given = upto
    return parts
