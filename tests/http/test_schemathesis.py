"""Requests that nobody thought of, made by schemathesis from our own document.

Whatever is sent, the answer is one that the document tells of, never a fault of the server, and
the inventory is consistent afterwards.
"""

import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.keys import PREFIXES, KeyKind
from tests.harness.seeds import SEED, examples
from tests.http.exploring import (
    ASKED,
    SCHEMA,
    Made,
    World,
    answer_to,
    check,
    check_world,
    fill,
    open_world,
    takes_anything,
)

EXAMPLES = examples(10)
ALL = [
    (endpoint, mode)
    for endpoint in ASKED
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    if mode is GenerationMode.POSITIVE or takes_anything(endpoint)
]


@pytest.fixture(scope="module")
def world(server: str) -> Iterator[World]:
    with open_world(server) as made:
        yield made


@pytest.mark.explores
@pytest.mark.parametrize(
    ("endpoint", "mode"), ALL, ids=[f"{one.method} {one.path} {mode.value}" for one, mode in ALL]
)
def test_whatever_is_sent(endpoint: Endpoint, mode: GenerationMode, world: World) -> None:
    operation = SCHEMA[endpoint.path][endpoint.method]
    right = [PREFIXES[kind] for kind in KeyKind if kind in endpoint.kinds]
    keys: list[str | None] = [*right, *right, *right, None, "pk", "sk", "ak"]
    dice = random.Random(f"{SEED} {endpoint.method} {endpoint.path} {mode}")
    replaced = mode is GenerationMode.POSITIVE

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), key=st.sampled_from(keys))
    def explore(case: Made, key: str | None) -> None:
        if replaced:
            fill(case, world, dice)
        response = world.background.run(answer_to(case, world, key))
        right_key = not endpoint.kinds or key in right
        check(case, response, right_key=right_key, is_good=replaced)

    explore()
    check_world(world)
