"""Publishes what was measured last on this machine: `python -m benchmarks.figures` puts it among
the published figures and writes the page `docs/reference/figures.md` of them anew.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import measured
from benchmarks.cases import CASES
from benchmarks.measured import LATEST, ROOT, Measured
from benchmarks.results import Figure

PUBLISHED = Path(__file__).parent / "results" / "published.json"
PAGE = ROOT / "docs" / "reference" / "figures.md"

_HEAD = """# Figures

What each case of [`make bench`](../guides/benchmarks.md) gave when it was last published, with its
day, commit and machine. `make bench-figures` makes this page; what the figures mean, and what was
tried, is in [Performance](../explanation/performance.md). Compare ratios, not figures of different
days: the machines are shared, and their speed drifts. A ratio says how many times better Bespeak
is. *Load* is how many processes wanted a processor before the run began.
"""
_COLUMNS: tuple[tuple[str, Callable[[Figure], str | float | None]], ...] = (
    ("figure", lambda figure: f"`{figure.name}`"),
    ("value", lambda figure: figure.value),
    ("unit", lambda figure: figure.unit),
    ("against", lambda figure: figure.comparator),
    ("its value", lambda figure: figure.comparator_value),
    ("ratio", lambda figure: figure.ratio),
    ("p50 ms", lambda figure: figure.p50_ms or None),
    ("p99 ms", lambda figure: figure.p99_ms or None),
)


def main() -> None:
    """Publishes."""
    measured.keep(measured.read(LATEST), PUBLISHED)
    PAGE.write_text(page(measured.read(PUBLISHED)))


def page(cases: Sequence[Measured]) -> str:
    """The page, with the cases in the order of the list of them."""
    by_name = {one.case: one for one in cases}
    return "\n".join([_HEAD, *(_section(by_name[name]) for name in CASES if name in by_name)])


def _section(one: Measured) -> str:
    case = CASES[one.case]
    how = f"`python -m benchmarks {one.case} --seconds {one.seconds:g} --rounds {one.rounds}`"
    where = f"{one.day}, at commit {one.commit}, {one.machine}, load {one.load}"
    return "\n".join(
        [
            f"## {one.case}\n",
            f"{case.title}. Goal: {case.goal}.\n",
            f"{how}: {one.took_seconds:.0f} s. {where}.\n",
            *_table(one.figures),
            "",
        ]
    )


def _table(figures: Sequence[Figure]) -> list[str]:
    """The lines of a table, without the columns that say nothing in it."""
    columns = [
        (title, [tell(figure) for figure in figures])
        for title, tell in _COLUMNS
        if any(tell(figure) is not None for figure in figures)
    ]
    rows = zip(*(cells for _, cells in columns), strict=True)
    return [
        _line([title for title, _ in columns]),
        "|" + "---|" * len(columns),
        *(_line([_text(cell) for cell in row]) for row in rows),
    ]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(cell: str | float | None) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    return f"{cell:,.{0 if abs(cell) >= 100 else 1 if abs(cell) >= 10 else 2}f}"


if __name__ == "__main__":
    main()
