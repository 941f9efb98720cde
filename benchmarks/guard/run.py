"""`make bench-guard`: measures base and working tree in turn, and prints a verdict on each gauge.
The status is 1 if one is slower or a row failed, 2 if otherwise one is unclear.
"""

import argparse
import contextlib
import statistics
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import uvloop
from rich.console import Console
from rich.table import Table

from benchmarks.bespeak_server import Program
from benchmarks.database import running_database
from benchmarks.guard import trees
from benchmarks.guard.rows import ROWS, Gauge, Row
from benchmarks.guard.verdict import CONFIDENCE, ROUNDS_MIN, Verdict, compare
from benchmarks.results import TABLE_WIDTH, Bench

WARM_UP_SECONDS = 0.5


@dataclass(frozen=True)
class Compared:
    """One gauge: the medians of both sides, and the verdict."""

    gauge: Gauge
    base: float
    this: float
    verdict: Verdict


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `python -m benchmarks.guard`; returns the exit status."""
    options = parse(arguments)
    commit = trees.base_commit(options.base)
    print(f"base: {trees.describe(commit)}", flush=True)
    found: list[Compared] = []
    failed = []
    base = trees.check_out(commit, Path(tempfile.gettempdir()))
    with running_database() as database:
        bench = Bench(
            database, options.seconds, options.rounds, options.connections, WARM_UP_SECONDS
        )
        for name in options.only or ROWS:
            started = time.perf_counter()
            try:
                found += uvloop.run(compared(bench, ROWS[name], base, trees.working_tree()))
            except Exception:
                # Shown here, told by the exit status: the other rows still have to run.
                traceback.print_exc()
                failed.append(name)
            print(f"{name}: {time.perf_counter() - started:.0f} s", flush=True)
    show(found)
    if failed:
        print(f"not compared: {', '.join(failed)}", file=sys.stderr)
    return status([each.verdict.word for each in found], failed)


def status(words: Sequence[str], failed: Sequence[str]) -> int:
    """The exit status."""
    if failed or "slower" in words:
        return 1
    return 2 if "unclear" in words else 0


async def compared(bench: Bench, row: Row, base: Program, this: Program) -> list[Compared]:
    """Opens both sides and measures them in turn. Who goes first changes from round to round."""
    async with contextlib.AsyncExitStack() as stack:
        sides = [
            await stack.enter_async_context(row.open(bench, program, name))
            for program, name in ((base, "guard_base"), (this, "guard_this"))
        ]
        for reading in sides:
            await reading()  # cold
        taken: list[list[tuple[float, ...]]] = [[], []]
        for number in range(bench.rounds):
            for side in (0, 1) if number % 2 == 0 else (1, 0):
                taken[side].append(await sides[side]())
    return [
        Compared(gauge, statistics.median(of_base), statistics.median(of_this),
            compare(of_base, of_this, less_is_better=gauge.less_is_better))
        for gauge, of_base, of_this in zip(
            row.gauges, zip(*taken[0], strict=True), zip(*taken[1], strict=True), strict=True)
    ]  # fmt: skip


def show(found: Sequence[Compared]) -> None:
    """Prints the table."""
    table = Table(
        title="This tree against the base",
        caption=f"speed above 1 is faster; interval of {CONFIDENCE:.0%}; "
        "unclear: use a quieter machine, or more rounds",
        title_justify="left",
    )
    for column in ("", "unit", "base", "this", "speed", "interval", ""):
        table.add_column(column, justify="left" if column in {"", "unit"} else "right")
    for each in found:
        verdict = each.verdict
        table.add_row(
            each.gauge.name, each.gauge.unit, f"{each.base:,.4g}", f"{each.this:,.4g}",
            f"{verdict.ratio:.3f}", f"{verdict.low:.3f} to {verdict.high:.3f}", verdict.word,
        )  # fmt: skip
    Console(width=TABLE_WIDTH).print(table)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options; with the defaults, a run takes about ten minutes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guard", description=__doc__)
    parser.add_argument("--base", default="", help="the commit to compare with")
    parser.add_argument("--only", action="append", choices=list(ROWS), help="this row; repeatable")
    parser.add_argument("--rounds", type=int, default=16, help=f"at least {ROUNDS_MIN}")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of one measurement")
    parser.add_argument("--connections", type=int, default=168)
    options = parser.parse_args(arguments)
    if options.rounds < ROUNDS_MIN:
        parser.error(f"fewer than {ROUNDS_MIN} rounds tell nothing with {CONFIDENCE:.0%}")
    return options


if __name__ == "__main__":
    sys.exit(main())
