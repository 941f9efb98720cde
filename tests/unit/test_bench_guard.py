"""The guard of the speed: what it says of measurements, and the commit that it compares with."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.guard import trees
from benchmarks.guard.run import status
from benchmarks.guard.verdict import CONFIDENCE, ROUNDS_MIN, compare

ROUNDS = 16


def rounds(seed: int, speed: float, noise: float = 0.03) -> tuple[list[float], list[float]]:
    """Base and this tree, so many times as fast, while the machine's speed halves."""
    dice = np.random.default_rng(seed)
    drift = np.linspace(1, 0.5, ROUNDS)
    base = 2000 * drift * np.exp(dice.normal(0, noise, ROUNDS))
    this = 2000 * speed * drift * np.exp(dice.normal(0, noise, ROUNDS))
    return list(base), list(this)


@pytest.mark.parametrize(("speed", "word"), [(0.9, "slower"), (1.0, "same"), (1.1, "faster")])
def test_the_verdict_finds_a_tenth(speed: float, word: str) -> None:
    base, this = rounds(7, speed)
    verdict = compare(base, this, less_is_better=False)
    assert verdict.word == word
    assert verdict.low < speed < verdict.high


def test_where_less_is_better_a_smaller_figure_is_faster() -> None:
    base, this = rounds(7, 0.9)
    assert compare(base, this, less_is_better=True).word == "faster"


def test_a_difference_of_no_interest_is_none() -> None:
    base, this = rounds(7, 0.99, noise=0.001)
    verdict = compare(base, this, less_is_better=False)
    assert verdict.high < 1
    assert verdict.word == "same"


def test_noise_is_not_called_same() -> None:
    base, this = rounds(7, 1.0, noise=0.5)
    assert compare(base, this, less_is_better=False).word == "unclear"


def test_one_disturbed_round_does_not_move_the_verdict() -> None:
    words = []
    for seed in range(300):
        base, this = rounds(seed, 1.0)
        this[3] /= 20
        words.append(compare(base, this, less_is_better=False).word)
    assert words.count("same") > 0.97 * len(words)


def test_the_interval_is_as_sure_as_it_says() -> None:
    verdicts = [compare(*rounds(seed, 1.0), less_is_better=False) for seed in range(2000)]
    sure = sum(one.low < 1 < one.high for one in verdicts) / len(verdicts)
    assert CONFIDENCE - 0.006 < sure <= 0.998


def test_too_few_rounds_are_no_verdict() -> None:
    few = [1.0] * (ROUNDS_MIN - 1)
    with pytest.raises(ValueError, match="rounds"):
        compare(few, few, less_is_better=False)


@pytest.mark.parametrize(
    ("words", "failed", "expected"),
    [
        (["same", "faster"], [], 0),
        (["same", "unclear"], [], 2),
        (["slower", "unclear"], [], 1),
        (["same"], ["race-300"], 1),
    ],
)
def test_the_exit_status(words: list[str], failed: list[str], expected: int) -> None:
    assert status(words, failed) == expected


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits on main, with a lock."""
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    commit(root, "one")
    commit(root, "two")
    return root


def git(root: Path, *arguments: str) -> str:
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    return subprocess.run(
        ["git", *author, *arguments], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()


def commit(root: Path, lock: str) -> str:
    (root / "requirements-dev.lock").write_text(lock)
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", lock)
    return git(root, "rev-parse", "HEAD")


def test_the_base_is_what_a_maintainer_means(repository: Path) -> None:
    one, two = git(repository, "rev-list", "--reverse", "main").split()
    assert trees.base_commit("main~1", repository) == one
    assert trees.base_commit("", repository) == one, "on main: the commit before"
    git(repository, "checkout", "--quiet", "-b", "faster")
    third = commit(repository, "three")
    commit(repository, "four")
    assert trees.base_commit("", repository) == two, "on a branch: where it left main"
    (repository / "requirements-dev.lock").write_text("five")
    assert trees.base_commit("", repository) == git(repository, "rev-parse", "HEAD")
    assert trees.base_commit(third[:10], repository) == third


def test_the_base_is_checked_out_beside_and_removed(repository: Path, tmp_path: Path) -> None:
    program = trees.check_out(git(repository, "rev-parse", "HEAD"), tmp_path, repository)
    assert program.python == sys.executable, "the same lock: the same environment"
    assert program.variables["PYTHONPATH"] == str(tmp_path / "base" / "src")
    trees.remove_base(tmp_path, repository)
    assert len(git(repository, "worktree", "list").splitlines()) == 1
    trees.remove_base(tmp_path, repository)


def test_another_lock_has_an_environment_of_its_own(repository: Path, tmp_path: Path) -> None:
    (repository / "Makefile").write_text("setup:\n\t@touch made\n")
    base = commit(repository, "three")
    commit(repository, "four")
    program = trees.check_out(base, tmp_path, repository)
    assert program.python == str(tmp_path / "base" / ".venv" / "bin" / "python")
    assert (tmp_path / "base" / "made").exists()
