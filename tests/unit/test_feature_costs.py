"""What the benchmark `hold-features` reckons from its measurements: benchmarks/feature_costs.py."""

import os
import subprocess
import sys

import pytest

from benchmarks.cases.hold_features import FEATURES
from benchmarks.feature_costs import Spent, added, markdown, quartiles, whole
from benchmarks.processor_time import used_ns


def test_what_slows_a_round_slows_both_of_its_sides() -> None:
    base = [Spent(100, 50), Spent(200, 100), Spent(400, 200)]
    side = [Spent(110, 55), Spent(220, 110), Spent(440, 220)]
    cost = added("a feature", base, side)
    assert cost.percent == pytest.approx(10)
    assert (cost.python_us, cost.postgres_us, cost.total_us) == (20, 10, 30)
    assert (cost.low_us, cost.high_us) == (22.5, 45)


def test_one_disturbed_round_does_not_move_the_cost() -> None:
    base = [Spent(100, 50)] * 5
    side = [Spent(110, 50)] * 4 + [Spent(900, 900)]
    cost = added("a feature", base, side)
    assert (cost.python_us, cost.postgres_us, cost.total_us) == (10, 0, 10)


def test_what_is_written_is_told_beside_the_time() -> None:
    cost = added("a key", [Spent(1, 1, 1000, 6)], [Spent(1, 1, 1300, 7)])
    assert (cost.log_bytes, cost.index_inserts) == (300, 1)
    assert (cost.low_us, cost.high_us) == (0, 0)


def test_sides_of_different_lengths_are_no_pairs() -> None:
    with pytest.raises(ValueError, match="shorter"):
        added("a feature", [Spent(1, 1)] * 2, [Spent(1, 1)])


def test_quartiles() -> None:
    assert quartiles([7.0]) == (7, 7, 7)
    assert quartiles([1.0, 2.0, 3.0, 4.0, 5.0]) == (2, 3, 4)


def test_the_table_says_all_of_the_base_and_what_is_added_to_it() -> None:
    base, key = [Spent(100, 50, 1000, 6)] * 3, [Spent(90, 75, 1333, 7)] * 3
    rows = markdown(
        whole("a plain hold", base),
        [added("a key", base, key), added("told later", base, base)],
        {"a key": added("a key", base, [Spent(300, 150)] * 3)},
    )
    assert rows[2:] == [
        "| a plain hold | 100 | 50 | 150 | 150 to 150 | 100 | 1,000 | 6.0 |  |  |",
        "| a key | -10 | +25 | +15 | 15 to 15 | +10 | +333 | +1.0 | +300 | +200 |",
        "| told later | +0 | +0 | +0 | 0 to 0 | +0 | +0 | +0.0 |  |  |",
    ]
    assert {row.count("|") for row in rows} == {11}


def test_each_feature_has_a_name_of_its_own() -> None:
    assert len({feature.name for feature in FEATURES}) == len(FEATURES)


def test_the_time_of_a_process_is_that_of_its_threads() -> None:
    before = used_ns(os.getpid())
    assert before > 0
    sum(range(2_000_000))
    assert used_ns(os.getpid()) > before


def test_a_process_that_is_gone_has_spent_nothing() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert used_ns(child.pid) == 0
