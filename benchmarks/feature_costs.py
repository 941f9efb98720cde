"""What features cost, from measurements in turn: the arithmetic, and the table."""

import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Spent(NamedTuple):
    """What one hold cost: microseconds of processors, bytes in the database's log, and rows put
    into its indexes."""

    python_us: float
    postgres_us: float
    log_bytes: float = 0.0
    index_inserts: float = 0.0

    @property
    def total_us(self) -> float:
        return self.python_us + self.postgres_us


class FeatureCost(NamedTuple):
    """What a feature adds to the base, medians of the rounds; `low_us` and `high_us` are the
    quartiles of what it adds in all, `percent` is the median of its share."""

    name: str
    python_us: float
    postgres_us: float
    total_us: float
    low_us: float
    high_us: float
    percent: float
    log_bytes: float
    index_inserts: float


def added(name: str, base: Sequence[Spent], side: Sequence[Spent]) -> FeatureCost:
    """What a side costs more than the base of the same round: what slows a round slows both."""
    pairs = list(zip(base, side, strict=True))
    totals = [one.total_us - of_base.total_us for of_base, one in pairs]
    low, _, high = quartiles(totals)
    return FeatureCost(
        name,
        statistics.median(one.python_us - of_base.python_us for of_base, one in pairs),
        statistics.median(one.postgres_us - of_base.postgres_us for of_base, one in pairs),
        statistics.median(totals),
        low,
        high,
        100 * statistics.median(one.total_us / of_base.total_us - 1 for of_base, one in pairs),
        statistics.median(one.log_bytes - of_base.log_bytes for of_base, one in pairs),
        statistics.median(one.index_inserts - of_base.index_inserts for of_base, one in pairs),
    )


def whole(name: str, side: Sequence[Spent]) -> FeatureCost:
    """The same of a side by itself, as the base of others: all of it, which is 100 %."""
    totals = [one.total_us for one in side]
    low, half, high = quartiles(totals)
    python, postgres, log, inserts = (
        statistics.median(column) for column in zip(*side, strict=True)
    )
    return FeatureCost(name, python, postgres, half, low, high, 100.0, log, inserts)


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """A quarter, the half and three quarters of the way through the values."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, half, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, half, high


def markdown(
    base: FeatureCost, crowd: Sequence[FeatureCost], alone: Mapping[str, FeatureCost]
) -> list[str]:
    """The rows of the table: the base whole, then what each feature adds, in a crowd and alone."""
    rows = [
        "| feature | Python, µs | PostgreSQL, µs | both, µs | quartiles | % | log, bytes"
        " | index rows | alone, µs | % |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for cost in (base, *crowd):
        single = alone.get(cost.name)
        sign = "" if cost is base else "+"
        cells = [
            cost.name,
            f"{cost.python_us:{sign}.0f}",
            f"{cost.postgres_us:{sign}.0f}",
            f"{cost.total_us:{sign}.0f}",
            f"{cost.low_us:.0f} to {cost.high_us:.0f}",
            f"{cost.percent:{sign}.0f}",
            f"{cost.log_bytes:{sign},.0f}",
            f"{cost.index_inserts:{sign}.1f}",
            "" if single is None else f"{single.total_us:{sign}.0f}",
            "" if single is None else f"{single.percent:{sign}.0f}",
        ]
        rows.append("| " + " | ".join(cells) + " |")
    return rows
