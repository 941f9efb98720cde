"""The same made-up requests, each from everybody: a key of each scope alone, one that is bound to a
resource, and a browser without a shopper's token. Who may not call is refused whatever is sent.
"""

import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode

from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.scopes import ANY_SCOPE, KeyScope
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
)
from tests.http.test_scopes import BINDABLE, lets_in

EXAMPLES = examples(2)
BOUND, VISITOR = "bound", "visitor"
ROLES = (*KeyScope, BOUND, VISITOR)


@pytest.fixture(scope="module")
def world(server: str) -> Iterator[World]:
    with open_world(server) as made:
        api = made.api
        for role in ROLES:
            if role == VISITOR:
                text = api.keys["pk"]
            elif role == BOUND:
                rights = api.restricted(*sorted(BINDABLE), resources=made.known["res"][:1])
                text = api.keys[made.background.run(rights)]
            else:
                text = api.keys[made.background.run(api.restricted(role))]
            made.headers[role] = {"Authorization": f"Bearer {text}"}
        yield made


def may_call(role: str, endpoint: Endpoint) -> bool:
    """Whether a role gets as far as to be heard; what it asks about is judged after that."""
    if not endpoint.kinds:
        return True
    if role == VISITOR:
        return KeyKind.PUBLISHABLE in endpoint.kinds and not endpoint.needs_shopper
    if role == BOUND:
        return lets_in(endpoint, BINDABLE)
    scope = KeyScope(role)
    return lets_in(endpoint, ANY_SCOPE if scope is KeyScope.ADMIN else frozenset((scope,)))


@pytest.mark.explores
@pytest.mark.parametrize("endpoint", ASKED, ids=lambda one: f"{one.method} {one.path}")
def test_whoever_sends_it(endpoint: Endpoint, world: World) -> None:
    operation = SCHEMA[endpoint.path][endpoint.method]
    dice = random.Random(f"{SEED} {endpoint.method} {endpoint.path}")

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    def explore(case: Made) -> None:
        fill(case, world, dice)
        for role in ROLES:
            response = world.background.run(answer_to(case, world, role))
            check(case, response, right_key=may_call(role, endpoint), is_good=True)

    explore()
    check_world(world)


def test_each_role_is_let_in_somewhere_and_kept_out_elsewhere() -> None:
    for role in ROLES:
        keyed = {may_call(role, one) for one in ASKED if one.kinds}
        assert keyed == ({True} if role == KeyScope.ADMIN else {True, False}), role
