"""The stays of two workspaces: neither lists, reads, changes or uses what is the other's, and what
is another's is answered as what nobody has.
"""

from collections.abc import AsyncIterator
from typing import cast

import pytest

from bespeak.inventory.workspaces import DEFAULT
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.stays import (
    DOUBLE,
    HOUSE,
    IMPORT,
    LISTINGS,
    PROPERTIES,
    made_listing,
    made_property,
)
from tests.http.workspaces import ACME, OTHER, act_in, found_acme, unknown


@pytest.fixture
async def api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    async with opened(SETTINGS, database_url, connection) as made:
        await found_acme(made)
        yield made


async def let(api: Api, workspace: str) -> Json:
    """A listing of a workspace, with a property of its own. Its references are as elsewhere."""
    act_in(api, workspace)
    return await made_listing(api, await made_property(api))


def house_of(listing: Json) -> str:
    return str(cast(Json, listing["property"])["id"])


@pytest.mark.parametrize("theirs", [DEFAULT, ACME])
async def test_what_is_anothers_is_as_what_nobody_has(theirs: str, api: Api) -> None:
    listing = await let(api, theirs)
    act_in(api, OTHER[theirs])
    cases = (
        (PROPERTIES, house_of(listing), f"prp_{'0' * 12}", "property_not_found"),
        (LISTINGS, str(listing["id"]), unknown(str(listing["id"])), "listing_not_found"),
    )
    for root, there, nobody, code in cases:
        for method, body in (("GET", None), ("PATCH", {"name": "Mine"})):
            for key in ("ak", "sk", "pk") if method == "GET" else ("ak",):
                answers = []
                for one in (there, nobody):
                    told = problem(await api.ask(method, f"{root}/{one}", body, key=key), code)
                    told.pop("request_id")
                    answers.append({name: value for name, value in told.items() if value != one})
                assert answers[0] == answers[1]
    new = DOUBLE | {"property": house_of(listing), "ref": None}
    problem(await api.ask("POST", LISTINGS, new, key="ak"), "property_not_found")


async def test_lists_have_what_is_of_the_workspace(api: Api) -> None:
    made = {workspace: await let(api, workspace) for workspace in (DEFAULT, ACME)}
    for workspace, listing in made.items():
        act_in(api, workspace)
        theirs = made[OTHER[workspace]]
        for key in ("ak", "sk", "pk"):
            for path, own in ((LISTINGS, listing["id"]), (PROPERTIES, house_of(listing))):
                listed = document(await api.ask("GET", path, key=key), 200)
                assert [one["id"] for one in cast("list[Json]", listed["items"])] == [own]
            of_theirs = f"{LISTINGS}?property={house_of(theirs)}"
            assert document(await api.ask("GET", of_theirs, key=key), 200)["items"] == []


async def test_keys_of_idempotency_are_of_the_workspace(api: Api) -> None:
    found = set()
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        answer = await api.ask("POST", PROPERTIES, HOUSE, key="ak", idempotency_key="spring")
        found.add(str(document(answer, 201)["id"]))
    assert len(found) == 2


async def test_an_import_is_of_its_workspace(api: Api) -> None:
    theirs = await let(api, DEFAULT)
    act_in(api, ACME)
    room = {**DOUBLE, "ref": "mine", "property": house_of(theirs)}
    answer = document(await api.ask("POST", IMPORT, {"listings": [room]}, key="ak"), 200)
    assert [one["code"] for one in cast(list[Json], answer["problems"])] == ["property_not_found"]
    # What is another's is not found by its id or its reference: it is new here.
    same = {"properties": [HOUSE], "listings": [{**DOUBLE, "property": HOUSE["ref"]}]}
    answer = document(await api.ask("POST", IMPORT, same, key="ak"), 200)
    assert answer["created"] == {"properties": 1, "listings": 1}
    act_in(api, DEFAULT)
    listings = cast(list[Json], (await api.get(LISTINGS))["items"])
    assert [one["id"] for one in listings] == [theirs["id"]]
