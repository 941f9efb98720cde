"""The table by which the pages under /docs write calls in Python: each verb is one of the client,
and takes what the table gives it. Their own tests hold its JavaScript to the other client.
"""

import inspect
import json
from pathlib import Path
from typing import cast

import pytest

import bespeak
from bespeak.client import SyncClient
from bespeak.http.endpoints import ENDPOINTS

VERBS = Path(__file__).parents[2] / "web" / "src" / "docs" / "samples" / "verbs.json"
TABLE = cast("dict[str, dict[str, list[str]]]", json.loads(VERBS.read_text()))
OF_PYTHON = {name: row["python"] for name, row in TABLE.items() if "python" in row}
CALLS = {endpoint.operation_id: endpoint for endpoint in ENDPOINTS}


def test_every_row_is_of_a_call() -> None:
    assert set(TABLE) <= set(CALLS)


@pytest.mark.parametrize("operation", OF_PYTHON)
def test_a_verb_is_one_of_the_client(operation: str) -> None:
    verb, *given = OF_PYTHON[operation]
    takes = inspect.signature(getattr(SyncClient, verb)).parameters.values()
    positional = [one for one in takes if one.kind is one.POSITIONAL_OR_KEYWORD][1:]
    told = [one for one in given if not one.startswith("*")]
    assert len(told) <= len(positional)
    endpoint = CALLS[operation]
    for argument in told:
        place, _, field = argument.partition(".")
        if place == "path":
            assert f"{{{field}}}" in endpoint.path
        elif place == "body":
            assert endpoint.body is not None and field in endpoint.body.__struct_encode_fields__
        else:
            assert argument.partition(":")[2] in bespeak.__all__


def test_every_verb_is_in_it_that_is_a_call_of_its_own() -> None:
    """A new verb is shown where its call is explained."""
    others = {
        "call", "close",  # no verbs
        "pay",  # the call of confirm_hold, with a token
        "each_resource", "follow", "wait_in_line",  # many calls
    }  # fmt: skip
    verbs = {name for name in dir(SyncClient) if not name.startswith("_")}
    assert {row[0] for row in OF_PYTHON.values()} == verbs - others
