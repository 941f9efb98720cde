"""Workspaces: whoever has a key of another one is told of nothing in this one, all over the table
of endpoints, in the very words that are said of what does not exist.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import cast

import pytest

from bespeak import ids
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.workspaces import Reach, names_ids
from bespeak.inventory import resources
from bespeak.inventory.workspaces import DEFAULT
from tests.harness.database import Connection
from tests.harness.shows import new_show
from tests.http.api import SETTINGS, Api, Json, document, opened, place, problem
from tests.http.test_every_endpoint import named, path_of
from tests.http.workspaces import (
    ACME,
    KEYED,
    OTHER,
    World,
    act_in,
    as_unknown,
    changed,
    found_acme,
    make_world,
    opened_twofold,
    said,
    unknown,
)

BY_IDS = [one for one in KEYED if not one.is_of_installation and one.reach is not Reach.WORKSPACE]
CLOSED = [one for one in KEYED if one.is_of_installation]
ICS = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n"


# There it is the code that is unknown, and the codes of others have a test of their own; of a batch
# of holds, it is one of them that is not found.
NO_404 = {"POST /v1/check-ins", "POST /v1/check-ins/batch", "POST /v1/holds/batch"}


@pytest.fixture
async def api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    async with opened_twofold(database_url, connection) as made:
        yield made


MAILING: Json = {"language": "en", "subject": "Doors", "text": "They open at 19:30."}


@pytest.mark.parametrize("endpoint", KEYED, ids=named)
def test_every_endpoint_says_how_it_stays_within_a_workspace(endpoint: Endpoint) -> None:
    assert endpoint.reach is not None or names_ids(endpoint.path)


def bodies(world: World) -> dict[str, Json]:
    """A good body for each call that needs one, naming what the world has."""
    resource_id = world.ids["{resource_id}"]
    lines = [{"resource_id": resource_id, "unit": "A10"}]
    units = [{"unit": "A10"}]
    scan: Json = {"code": world.code, "resource_id": resource_id}
    return {
        "POST /v1/holds": {"owner": "asha", "lines": lines},
        "POST /v1/holds/batch": {"holds": [{"owner": "asha", "lines": lines}]},
        "POST /v1/holds/{hold_id}/extend": {"seconds": 60},
        "POST /v1/quotes": {"lines": lines},
        "POST /v1/bookings": {"hold_id": world.ids["{hold_id}"], "payment_token": "tok_success"},
        "POST /v1/check-ins": scan,
        "POST /v1/check-ins/batch": {"scans": [scan, {"code": world.code}]},
        "POST /v1/resources/{resource_id}/cancellation": {"reason": "rain"},
        "PATCH /v1/resources/{resource_id}": {"name": "Mine"},
        "POST /v1/resources/{resource_id}/blocks": {"lines": units, "reason": "mine"},
        "POST /v1/blocks": {
            "resources": [{"resource_id": resource_id, "lines": units}],
            "reason": "mine",
        },
        "POST /v1/resources/{resource_id}/calendar-links": {},
        "PUT /v1/resources/{resource_id}/calendar": {"name": "x", "calendar": ICS},
        "POST /v1/holds/{hold_id}/free-sale": {"reason": "press"},
        "POST /v1/resources/{resource_id}/mailings": {"texts": [MAILING]},
        "POST /v1/resources/{resource_id}/mailings/preview": {
            "texts": [MAILING],
            "language": "en",
        },
        "POST /v1/bookings/{booking_id}/moves": {"moves": [{"from_unit": "A1", "to_unit": "A9"}]},
        "POST /v1/bookings/{booking_id}/rating": {"rating": 8},
        "PATCH /v1/stays/ratings/{booking_id}": {"hidden": True},
        "PUT /v1/bookings/{booking_id}/billing": {"company": "Mine"},
        "PUT /v1/bookings/{booking_id}/answers": {"answers": []},
        "PUT /v1/bookings/{booking_id}/contact": {"contact": {"name": "Mine"}},
        "PUT /v1/resources/{resource_id}/serving": {"number": 1},
        "PATCH /v1/cinema/shows/{show_id}": {"language": "en"},
        "PATCH /v1/programme/performances/{performance_id}": {"note": "mine"},
        "POST /v1/programme/performances/{performance_id}/copies": {
            "starts_at": ["2030-01-01T20:00"]
        },
        "PATCH /v1/appointments/teams/{team_id}": {"summary": "mine"},
        "PATCH /v1/listings/{listing_id}": {"summary": "mine"},
        "POST /v1/listings/{listing_id}/suggested-prices": {
            "nights": [{"date": "2030-01-01", "now": 1, "price": 1}]
        },
        "PUT /v1/listings/{listing_id}/suggested-prices/rule": {"least": 1, "most": 2},
    }


def path_for(endpoint: Endpoint, world: World) -> str:
    path = endpoint.path
    for name, value in world.ids.items():
        path = path.replace(name, value)
    return path_of(replace(endpoint, path=path))


@pytest.mark.parametrize("theirs", [DEFAULT, ACME])
async def test_a_key_of_another_workspace_is_told_of_nothing(theirs: str, api: Api) -> None:
    """The whole table: each call with ids of another workspace, and with ids that nothing has."""
    world = await make_world(api, theirs)
    nothing = as_unknown(world)
    act_in(api, OTHER[theirs])
    before = await api.snapshot()
    for endpoint in BY_IDS:
        for key in ("ak", "sk"):
            if not any(api.keys[key].startswith(kind) for kind in _prefixes(endpoint)):
                continue
            answers = [
                said(
                    await api.ask(
                        endpoint.method,
                        path_for(endpoint, one),
                        bodies(one).get(named(endpoint)),
                        key=key,
                    ),
                    one,
                )
                for one in (world, nothing)
            ]
            assert answers[0] == answers[1], named(endpoint)
            if named(endpoint) not in NO_404:
                assert answers[0][0] == 404, (named(endpoint), answers[0])
    # How often the asker guessed wrong is counted too, and written after some seconds.
    written = {"bespeak.audit_entry", "budget_count"}
    assert changed(before, await api.snapshot()) <= written


def _prefixes(endpoint: Endpoint) -> list[str]:
    return [f"{kind[0]}k_" for kind in endpoint.kinds]


async def test_of_a_batch_of_holds_those_of_another_workspace_are_not_found(api: Api) -> None:
    world = await make_world(api, ACME)
    act_in(api, DEFAULT)
    own = await resources.create(api.connection, new_show())
    holds = [
        {"owner": "asha", "lines": [{"resource_id": one.id, "unit": "A10"}]}
        for one in (world.show, own)
    ]
    answer = await api.ask("POST", "/v1/holds/batch", {"holds": holds})
    theirs, mine = cast("list[Json]", document(answer, 200)["items"])
    assert (theirs["status"], mine["status"]) == (404, 201)
    found = cast("Json", theirs["problem"])
    assert found["code"] == "resource_not_found"
    assert found["resource_id"] == world.show.id, "by the name that it was asked by"


async def test_a_ticket_of_another_workspace_is_no_ticket(api: Api) -> None:
    """Scanned at an entrance of one's own, at none, and at that of the ticket."""
    world = await make_world(api, DEFAULT)
    act_in(api, ACME)
    for scan in ({"code": world.code}, {"code": world.code, "resource_id": world.show.id}):
        problem(await api.ask("POST", "/v1/check-ins", scan), "ticket_code_invalid")
    answer = await api.ask("POST", "/v1/check-ins/batch", {"scans": [{"code": world.code}]})
    items = document(answer, 200)["items"]
    assert [one["problem"]["code"] for one in items] == ["ticket_code_invalid"]  # type: ignore[attr-defined]
    act_in(api, DEFAULT)
    document(await api.ask("POST", "/v1/check-ins", {"code": world.code}), 201)


async def test_what_is_of_the_installation_is_closed_to_other_workspaces(api: Api) -> None:
    act_in(api, ACME)
    before = await api.snapshot()
    for endpoint in CLOSED:
        problem(await api.ask(endpoint.method, path_of(endpoint), key="ak"), "not_in_workspace")
    assert await api.snapshot() == before
    await api.service.audit_log.flush()
    told = await api.connection.fetch(
        "select action, workspace from bespeak.audit_entry where code = 'not_in_workspace'"
    )
    assert {tuple(row) for row in told} == {(one.operation_id, ACME) for one in CLOSED}


async def test_a_workspace_works_as_the_default_one_does(api: Api) -> None:
    """Its operator makes a resource, its server sells it, its gate lets in."""
    act_in(api, ACME)
    plan = {"type": "pools", "pools": [{"unit": "floor", "capacity": 10}]}
    asked = {"name": "Loft", "plan": plan}
    made = document(await api.ask("POST", "/v1/resources", asked, key="ak"), 201)
    assert made["workspace"] == ACME
    world = await make_world(api, ACME)
    listed = document(await api.ask("GET", "/v1/resources", key="ak"), 200)["items"]
    assert {one["id"] for one in listed} == {made["id"], world.show.id}  # type: ignore[attr-defined]
    document(await api.ask("POST", "/v1/check-ins", {"code": world.code}), 201)
    act_in(api, DEFAULT)
    assert document(await api.ask("GET", "/v1/resources", key="pk"), 200)["items"] == []


async def test_a_hold_over_two_workspaces_is_none(api: Api) -> None:
    world, ours = await make_world(api, DEFAULT), await make_world(api, ACME)
    act_in(api, ACME)
    foreign = world.show.id
    lines = [{"resource_id": ours.show.id, "unit": "A5"}, {"resource_id": foreign, "unit": "A5"}]
    for mixed in (lines, lines[::-1]):
        answer = await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": mixed})
        problem(answer, "resource_not_found", resource_id=foreign)


async def test_nobody_can_name_what_an_id_is_replaced_by(api: Api) -> None:
    """Beside an id that nothing has, the one of another workspace is told apart by nothing: the
    first of the two is named, whichever it is."""
    world = await make_world(api, DEFAULT)
    act_in(api, ACME)
    for nothing in ("res_00000000", "res_00000001", "res_zzzzzzzz"):
        for text in (world.show.id, unknown(world.show.id)):
            for pair in ((nothing, text), (text, nothing)):
                lines = [{"resource_id": one, "unit": "A5"} for one in pair]
                answer = await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines})
                problem(answer, "resource_not_found", resource_id=pair[0])


async def test_bad_ids_and_bad_keys_are_told_as_ever(api: Api) -> None:
    world = await make_world(api, ACME)
    act_in(api, ACME)
    problem(await api.ask("GET", "/v1/resources/res_none"), "invalid_id")
    problem(await api.ask("GET", "/v1/bookings/hold_x"), "invalid_id")
    answer = await api.send(
        replace(place(world.show, "A5"), headers={"Idempotency-Key": "x" * 201})
    )
    problem(answer, "invalid_request", field="idempotency_key")


async def test_calendar_links_and_streams_work_without_a_key_of_the_workspace(api: Api) -> None:
    """A link opens what it was made for, and who has it needs no key."""
    world = await make_world(api, ACME)
    act_in(api, ACME)
    path = f"/v1/resources/{world.show.id}/calendar-links"
    link = document(await api.ask("POST", path, {}), 201)
    answer = await api.client.get(str(link["path"]))
    assert answer.status_code == 200


async def test_an_attribute_that_looks_like_an_id_is_kept(api: Api) -> None:
    """Only what a call is about is judged: else what is stored would tell which ids there are."""
    world = await make_world(api, DEFAULT)
    ours = await make_world(api, ACME)
    act_in(api, ACME)
    for text in (world.show.id, unknown(world.show.id)):
        change = {"attributes": {"resource_id": text}}
        answer = await api.ask("PATCH", f"/v1/resources/{ours.show.id}", change, key="ak")
        assert document(answer, 200)["attributes"] == {"resource_id": text}


async def test_the_audit_log_has_the_id_that_was_asked_for(api: Api) -> None:
    world = await make_world(api, DEFAULT)
    act_in(api, ACME)
    change = {"name": "Mine"}
    await api.ask("PATCH", f"/v1/resources/{world.show.id}", change, key="ak")
    subjects = await api.connection.fetch("select distinct subject from bespeak.audit_entry")
    assert world.show.id in {row["subject"] for row in subjects}


async def test_while_there_is_one_workspace_nothing_is_looked_up(
    database_url: str, connection: Connection
) -> None:
    async with opened(SETTINGS, database_url, connection) as api:
        assert not api.service.workspaces.are_several
        number = ids.show_resource(5)
        await api.ask("GET", f"/v1/resources/{number}")
        assert len(api.service.workspaces._of) == 0


async def test_a_server_that_runs_hears_of_a_second_workspace(
    database_url: str, connection: Connection
) -> None:
    """By looking, as it does every few seconds; or at once by a key of it."""
    async with (
        opened(SETTINGS, database_url, connection) as first,
        opened(SETTINGS, database_url, connection) as second,
    ):
        await found_acme(first)
        new = new_show(name="Loft")
        ours = await resources.create(connection, new, workspace=ACME)
        path = f"/v1/resources/{ours.id}"
        await first.service.workspaces.look()
        problem(await first.ask("GET", path), "resource_not_found")
        second.keys["acme"] = first.keys[f"{ACME} sk"]
        document(await second.ask("GET", path, key="acme"), 200)
        problem(await second.ask("GET", path), "resource_not_found")
