"""Runs the cases, prints a table each and writes `benchmarks/results/latest.json`.

A case that fails is named and does not stop the others; the exit status tells. `__main__` runs this
in a process tree, which ends on Ctrl-C and SIGTERM.
"""

import argparse
import sys
import time
import traceback
from collections.abc import Sequence

import uvloop

from benchmarks import measured, results
from benchmarks.cases import CASES
from benchmarks.database import running_database
from benchmarks.measured import Run


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `python -m benchmarks [ONLY]`; returns the exit status."""
    options = parse(arguments)
    names = [options.only] if options.only else list(CASES)
    failed = []
    with running_database() as database:
        bench = results.Bench(
            database,
            options.seconds,
            options.rounds,
            options.connections,
            options.warm_up_seconds,
            options.holds,
        )
        run = Run(bench)
        for name in names:
            case = CASES[name]
            started = time.perf_counter()
            try:
                figures = uvloop.run(case.run(bench))
            except Exception:
                # Shown here, reported by the exit status: the other cases still have to run.
                traceback.print_exc()
                failed.append(name)
                continue
            took = time.perf_counter() - started
            results.show(case.title, case.goal, figures)
            measured.keep([run.measured(name, figures, took)])
            print(f"{name}: {took:.0f} s\n", flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options; the defaults are those that the published figures were made with."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("only", nargs="?", choices=list(CASES), help="run this case only")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of one measurement")
    parser.add_argument("--rounds", type=int, default=3, help="how often the sides take turns")
    parser.add_argument("--connections", type=int, default=128)
    parser.add_argument("--warm-up-seconds", type=float, default=1.0)
    parser.add_argument(
        "--holds", type=int, default=50_000_000, help="how many came and went, of `long-life`"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
