"""The types of the public verbs: each can be asked for while the program runs, as frameworks do,
and each class that a verb takes or gives is a public name.
"""

import inspect
import typing
from collections.abc import Callable, Iterator

import pytest

import bespeak
from bespeak.payments.settlement import Settlement

VERBS = {
    f"{owner.__name__}.{name}": verb
    for owner, names in (
        (bespeak.Engine, dir(bespeak.Engine)),
        (Settlement, ["pay", "payment", "payment_of"]),
    )
    for name in names
    if not name.startswith("_") and inspect.isfunction(verb := getattr(owner, name))
} | {"connect": bespeak.connect}
# Parts of the engine that whoever builds upon it may reach, but that are not promised.
UNPROMISED = {
    "AlchemyConnection",
    "AlchemySession",
    "CommitterObserver",
    "PaymentObserver",
    "PsycopgConnection",
    "ReadObserver",
    "Source",
}


def ours(hint: object) -> Iterator[str]:
    for part in typing.get_args(hint):
        yield from ours(part)
    if isinstance(hint, type) and hint.__module__.startswith("bespeak"):
        yield hint.__name__


@pytest.mark.parametrize("name", VERBS)
def test_each_has_types_that_are_public(name: str) -> None:
    verb: Callable[..., object] = VERBS[name]
    hints = typing.get_type_hints(verb)
    assert set(inspect.signature(verb).parameters) - {"self"} <= set(hints)
    used = {name for hint in hints.values() for name in ours(hint)}
    assert used - UNPROMISED <= set(bespeak.__all__)


def test_the_errors_have_attributes() -> None:
    conflict = bespeak.Conflict("res_00000001", "A1", "held")
    refusal = bespeak.UnitTaken(conflicts=[conflict], alternatives=[])
    assert (refusal.conflicts, refusal.alternatives, refusal.retryable) == ([conflict], [], True)
    assert bespeak.SoldOut().conflicts == []
    assert bespeak.Overloaded(retry_after_seconds=1).retry_after == 1
    assert bespeak.SoldOut().retry_after is None
    assert bespeak.InvalidRequest(field="lines").field == "lines"
    assert bespeak.InvalidRequest().field is None
