"""What a case gives: samples, medians over alternating rounds, and a table."""

import statistics
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table

from benchmarks.database import Database
from benchmarks.load import Outcome

TABLE_WIDTH = 130


@dataclass(frozen=True)
class Bench:
    """What every case gets: the database server and how long to measure."""

    database: Database
    seconds: float = 5.0
    rounds: int = 3
    connections: int = 128
    warm_up_seconds: float = 1.0
    holds: int = 50_000_000


@dataclass(frozen=True)
class Sample:
    """One measurement."""

    value: float
    p50_ms: float = 0.0
    p99_ms: float = 0.0


@dataclass(frozen=True)
class Figure:
    """One line of a table; `ratio` says how many times better Bespeak is."""

    name: str
    value: float
    unit: str
    comparator: str | None = None
    comparator_value: float | None = None
    ratio: float | None = None
    p50_ms: float | None = None
    p99_ms: float | None = None


Measure = Callable[[], Awaitable[Sample]]


async def alternate(measures: Sequence[Measure], rounds: int) -> list[Sample]:
    """Run all in turn, `rounds` times (A B A B A B), and give the median sample of each.

    The machine's speed drifts within the hour; in turn, it drifts for all.
    """
    taken: list[list[Sample]] = [[] for _ in measures]
    for _ in range(rounds):
        for number, measure in enumerate(measures):
            taken[number].append(await measure())
    return [median(samples) for samples in taken]


def median(samples: Sequence[Sample]) -> Sample:
    """The median of each column by itself."""
    return Sample(
        statistics.median(sample.value for sample in samples),
        statistics.median(sample.p50_ms for sample in samples),
        statistics.median(sample.p99_ms for sample in samples),
    )


def granted(outcome: Outcome, status: int = 201) -> Sample:
    """Answers of one status a second, with the latencies of the run."""
    return Sample(outcome.per_second(status), outcome.percentile_ms(50), outcome.percentile_ms(99))


def compared(
    name: str, unit: str, ours: Sample, comparator: str, theirs: Sample, *, less: bool = False
) -> Figure:
    """A figure with its ratio; with `less`, a smaller value is the better one."""
    upper, lower = (theirs, ours) if less else (ours, theirs)
    ratio = round(upper.value / lower.value, 3) if lower.value else None
    return Figure(
        name, round(ours.value, 3), unit, comparator, round(theirs.value, 3), ratio,
        round(ours.p50_ms, 3), round(ours.p99_ms, 3),
    )  # fmt: skip


def alone(name: str, unit: str, ours: Sample) -> Figure:
    """A figure without comparator."""
    return Figure(
        name, round(ours.value, 3), unit, p50_ms=round(ours.p50_ms, 3), p99_ms=round(ours.p99_ms, 3)
    )


def show(title: str, goal: str, figures: Sequence[Figure]) -> None:
    """Print one table."""
    table = Table(title=title, caption=f"goal: {goal}", title_justify="left")
    columns = ("name", "value", "unit", "comparator", "its value", "ratio", "p50 ms", "p99 ms")
    for column in columns:
        table.add_column(column, justify="left" if column in {"name", "unit"} else "right")
    for figure in figures:
        cells = (f"{v:,.2f}" if isinstance(v, float) else v for v in asdict(figure).values())
        table.add_row(*("" if cell is None else str(cell) for cell in cells))
    Console(width=TABLE_WIDTH).print(table)
