"""The errors that a program catches by name: each that a verb of the library says it raises, and
each that a client may be answered, is a public name."""

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import bespeak
from bespeak.client.answers import _known
from bespeak.errors import BespeakError
from bespeak.http.endpoints import ENDPOINTS
from bespeak.payments.settlement import Settlement
from bespeak.waitlists.service import Waitlists

# What a program has of the library.
OWNERS = (bespeak.Engine, bespeak.SyncEngine, bespeak.Within, Waitlists, Settlement)
VERBS = Path(__file__).parents[2] / "web/src/docs/samples/verbs.json"
ERRORS = {error.__name__: error for error in _known().values()}


def raised() -> Iterator[tuple[str, str]]:
    """Each verb, with each error that it says it raises."""
    for owner in OWNERS:
        for name in dir(owner):
            text = inspect.getdoc(getattr(owner, name)) or ""
            if name.startswith("_") or "Raises" not in text:
                continue
            for word in re.findall(r"\b[A-Z]\w+", text.partition("Raises")[2]):
                if word in ERRORS:
                    yield f"{owner.__name__}.{name}", word


def answered() -> Iterator[tuple[str, type[BespeakError]]]:
    """Each call that a client has a verb for, with each error of it that is not the server's."""
    known = json.loads(VERBS.read_text(encoding="utf-8"))
    for endpoint in ENDPOINTS:
        if "python" in known.get(endpoint.operation_id, {}):
            for error in endpoint.all_errors():
                if not error.__module__.startswith("bespeak.http."):
                    yield endpoint.operation_id, error


def test_each_error_that_a_verb_says_it_raises_is_public() -> None:
    found = {error: verb for verb, error in raised()}
    assert len(found) > 40, "verbs say what they raise"
    assert {error: verb for error, verb in found.items() if error not in bespeak.__all__} == {}


def test_each_error_that_a_client_may_be_answered_is_public() -> None:
    found = {error.__name__: call for call, error in answered()}
    assert len(found) > 60, "calls say what they answer"
    assert {error: call for error, call in found.items() if error not in bespeak.__all__} == {}


@pytest.mark.parametrize("name", sorted({error for _, error in raised()}))
def test_each_is_the_class_that_is_raised(name: str) -> None:
    assert getattr(bespeak, name) is ERRORS[name]
