"""The seed of a run, and how much is tried with it. `make test` has one seed and always says the
same; `make explore` tries more, with a new seed each time, and ends after a given time.
"""

import os
import random
import time
from functools import cache

import hypothesis
import pytest

FIXED = 20300101
SEED = int(os.environ.setdefault("BESPEAK_TEST_SEED", str(FIXED)))
EXPLORES = "explores"

_FACTOR = int(os.environ.get("BESPEAK_TEST_FACTOR", "1"))
_SECONDS = "BESPEAK_EXPLORE_SECONDS"
_TOGETHER = 10


def examples(count: int) -> int:
    """How many examples a test tries that tries so many in `make test`."""
    return count * _FACTOR


def configure(config: pytest.Config) -> None:
    """Lets hypothesis say the same in every run with this seed: nothing is kept of the runs
    before, and nothing depends on how fast the machine is."""
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(SEED)
    hypothesis.settings.register_profile(
        "tests",
        max_examples=examples(100),
        deadline=None,
        database=None,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
    hypothesis.settings.load_profile("tests")


def mark(items: list[pytest.Item]) -> None:
    """Marks the tests whose examples the seed makes. An exploration takes them in an order by
    chance, a few of a module at once, which share its fixtures."""
    for item in items:
        function = getattr(item, "obj", None)
        fixtures = getattr(item, "fixturenames", ())
        if getattr(function, "is_hypothesis_test", False) or "dice" in fixtures:
            item.add_marker(EXPLORES)
    if _SECONDS in os.environ:
        items[:] = _shuffled(items)


@cache
def _end() -> float:
    return time.monotonic() + float(os.environ.get(_SECONDS, "inf"))


def is_over() -> bool:
    """Whether the time of an exploration, which begins with its first test, has passed."""
    return time.monotonic() > _end()


def _shuffled(items: list[pytest.Item]) -> list[pytest.Item]:
    chance = random.Random(SEED)
    of_modules: dict[str, list[pytest.Item]] = {}
    for item in items:
        of_modules.setdefault(str(item.path), []).append(item)
    groups = []
    for own in of_modules.values():
        chance.shuffle(own)
        groups += [own[at : at + _TOGETHER] for at in range(0, len(own), _TOGETHER)]
    chance.shuffle(groups)
    return [item for group in groups for item in group]
