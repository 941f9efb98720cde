"""The page of the figures is what was published, and nothing on it is of a case that is gone."""

from pathlib import Path

from benchmarks import figures, measured
from benchmarks.cases import CASES
from benchmarks.measured import Measured
from benchmarks.results import Figure


def one(case: str, value: float, day: str = "2026-11-29") -> Measured:
    return Measured(
        case=case,
        day=day,
        commit="0a1b2c3d",
        machine="2 processors (Some), 24 GB, Python 3.11.7",
        load=0.1,
        seconds=5,
        rounds=3,
        took_seconds=61,
        figures=[
            Figure(case, value, "holds/s", "lean", 5500, value / 5500, 19.04, 0),
            Figure(f"{case}-cost", 0.25, "us a request"),
        ],
    )


def test_the_page_is_made_of_what_was_published() -> None:
    published = measured.read(figures.PUBLISHED)
    assert {case.case for case in published} <= set(CASES)
    assert figures.PAGE.read_text() == figures.page(published), "make bench-figures"


def test_a_table_has_no_column_that_says_nothing() -> None:
    page = figures.page([one("http-holds-vs-lean", 6341)])
    assert "| figure | value | unit | against | its value | ratio | p50 ms |\n" in page
    assert "| `http-holds-vs-lean` | 6,341 | holds/s | lean | 5,500 | 1.15 | 19.0 |\n" in page
    assert "| `http-holds-vs-lean-cost` | 0.25 | us a request |  |  |  |  |\n" in page
    assert "2026-11-29, at commit 0a1b2c3d, 2 processors (Some)" in page
    assert "Goal: 3 x lean." in page


def test_a_case_that_did_not_run_keeps_its_last_figures(tmp_path: Path) -> None:
    kept = tmp_path / "results" / "published.json"
    assert measured.read(kept) == []
    measured.keep([one("hot-seat", 1), one("engine-holds", 2)], kept)
    measured.keep([one("hot-seat", 3, "2026-11-30")], kept)
    assert measured.read(kept) == [one("engine-holds", 2), one("hot-seat", 3, "2026-11-30")]


def test_the_page_has_the_order_of_the_cases() -> None:
    page = figures.page([one("start", 1), one("engine-holds", 1), one("http-holds", 1)])
    at = [page.index(f"## {case}\n") for case in ("http-holds", "engine-holds", "start")]
    assert at == sorted(at)
