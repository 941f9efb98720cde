"""What is kept of the cases that ran: the figures of each with its day, commit and machine, because
the next case may run on another. `results/latest.json` is this machine's and in no commit;
`python -m benchmarks.figures` publishes it.
"""

import os
import platform
import re
import subprocess
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import psutil

from benchmarks.results import Bench, Figure

ROOT = Path(__file__).parents[1]
LATEST = Path(__file__).parent / "results" / "latest.json"


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """One case as it ran. `load` is how many processes wanted a processor before the run; `commit`
    ends in `-dirty` when the tree had changes."""

    case: str
    day: str
    commit: str
    machine: str
    load: float
    seconds: float
    rounds: int
    took_seconds: float
    figures: list[Figure]


class Run:
    """A run on this machine, at this commit."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._commit = _commit()
        self._machine = _machine()
        self._load = round(os.getloadavg()[0], 1)

    def measured(self, case: str, figures: Sequence[Figure], took_seconds: float) -> Measured:
        """What the case gave, today."""
        return Measured(
            case=case,
            day=datetime.now(UTC).date().isoformat(),
            commit=self._commit,
            machine=self._machine,
            load=self._load,
            seconds=self._bench.seconds,
            rounds=self._bench.rounds,
            took_seconds=round(took_seconds),
            figures=list(figures),
        )


def read(path: Path) -> list[Measured]:
    """The cases that are kept there, by name; none where there is no file."""
    if not path.exists():
        return []
    return msgspec.json.decode(path.read_bytes(), type=list[Measured])


def keep(ran: Iterable[Measured], path: Path = LATEST) -> None:
    """Replaces the cases that ran; the others keep their last figures."""
    kept = {one.case: one for one in (*read(path), *ran)}
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [kept[case] for case in sorted(kept)]
    path.write_bytes(msgspec.json.format(msgspec.json.encode(lines), indent=2) + b"\n")


def _commit() -> str:
    """The commit of the tree, and whether it has changes but for figures that were published."""
    commit = _git("rev-parse", "--short=8", "HEAD") or "unknown"
    figures = (":!benchmarks/results", ":!docs/reference/figures.md")
    return f"{commit}-dirty" if _git("status", "--porcelain", "--", ".", *figures) else commit


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )  # where there is no git, or no repository, nothing is known
    return done.stdout.strip()


def _machine() -> str:
    """The processors, the memory and the Python, as far as the system tells."""
    told = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.+)$", told.read_text(), re.M) if told.exists() else None
    model = found[1].strip() if found is not None else platform.machine()
    memory = psutil.virtual_memory().total / 2**30
    python = platform.python_version()
    return f"{os.cpu_count()} processors ({model}), {memory:.0f} GB, Python {python}"
