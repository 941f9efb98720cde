"""The data of a person over HTTP: who may export and erase, and what is answered."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast
from urllib.parse import quote

import pytest

from bespeak.cli import main
from bespeak.personal_data.erasing import ErasureWorker
from tests.harness.database import Connection, feed_settled
from tests.harness.erasing import OVER, OWNER, traces
from tests.harness.shows import MakeShow
from tests.http.api import SETTINGS, Api, Json, Request, document, opened, problem

EXPORT = f"/v1/personal-data?owner={quote(OWNER)}"
ERASE = "/v1/erasures"
NOTHING: Json = {
    "waiting_rooms": {"passes": [], "mails": []},
    "waitlists": {"entries": []},
    "stays": {"ratings": []},
}
CONTACT = {
    "email": "zoe.q@person.example",
    "name": "Zoë Quastenflosser",
    "phone": "+49 170 4711-0815",
}


@pytest.fixture
async def api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    async with opened(SETTINGS, database_url, connection) as made:
        yield made


async def booked(api: Api, make_show: MakeShow, **fields: object) -> str:
    """A booking of the owner, with a contact; its id."""
    show = await make_show(**{"starts_at": OVER, **fields})
    hold = await api.hold(show, "A1", owner=OWNER)
    body = {"hold_id": hold["id"], "contact": CONTACT}
    return str(document(await api.ask("POST", "/v1/bookings", body), 201)["id"])


def items_of(page: Json) -> list[Json]:
    """The items of a list."""
    return cast("list[Json]", page["items"])


async def work(api: Api) -> None:
    engine = api.service.engine
    await ErasureWorker(engine.database, engine.ready_resources).look()


async def test_an_owner_is_exported_and_erased(
    api: Api, make_show: MakeShow, connection: Connection
) -> None:
    booking_id = await booked(api, make_show)
    response = await api.ask("GET", EXPORT)
    assert response.headers["cache-control"] == "no-store"
    page = document(response, 200)
    assert (page["owner"], page["records"]) == (OWNER, NOTHING)
    (item,) = items_of(page)
    assert cast("Json", item["booking"])["id"] == booking_id
    assert item["contact"] == CONTACT
    rest = document(await api.ask("GET", f"{EXPORT}&after={page['next']}"), 200)
    assert (rest["items"], rest["next"]) == ([], None)

    body = {"owner": OWNER}
    begun = document(await api.ask("POST", ERASE, body, idempotency_key="k"), 202)
    assert (begun["state"], begun["bookings"]) == ("running", 0)
    assert str(begun["asked_by"]).startswith("key_")
    again = await api.ask("POST", ERASE, body, idempotency_key="k")
    assert again.headers["idempotent-replayed"] == "true"
    assert document(again, 202) == begun
    await work(api)
    done = await api.get(f"{ERASE}/{begun['id']}")
    assert (done["state"], done["bookings"], done["holds"]) == ("done", 1, 1)
    listed = await api.get(ERASE)
    assert (listed["items"], listed["next"]) == ([done], None)
    assert OWNER not in json.dumps(listed, ensure_ascii=False)
    assert await traces(connection, OWNER, *CONTACT.values()) == set()
    after = await api.get(f"/v1/bookings/{booking_id}")
    assert str(after["owner"]).startswith("erased_")
    await feed_settled(connection)
    told = items_of(await api.get("/v1/events"))[-1]
    assert (told["kind"], told["hold_id"], told["lines"], told.get("data")) == (
        "erased",
        booking_id.replace("bkg_", "hold_"),
        [],
        None,
    )


async def test_the_list_of_erasures_has_pages(api: Api, make_show: MakeShow) -> None:
    show = await make_show(starts_at=OVER)
    for number in range(1, 4):
        await api.hold(show, f"A{number}", owner=f"zoe {number}")
        document(await api.ask("POST", ERASE, {"owner": f"zoe {number}"}), 202)
    found: list[object] = []
    after = ""
    while True:
        page = await api.get(f"{ERASE}?limit=2{after}")
        found += [one["id"] for one in items_of(page)]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert len(found) == len(set(found)) == 3


async def test_neither_a_browser_nor_a_shopper_may(api: Api, make_show: MakeShow) -> None:
    await booked(api, make_show)
    headers = {"Bespeak-Shopper": api.token(OWNER)}
    before = await api.snapshot()
    for method, path, body in (
        ("GET", EXPORT, None),
        ("POST", ERASE, {"owner": OWNER}),
        ("GET", ERASE, None),
    ):
        for extra in ({}, headers):
            problem(await api.send(Request(method, path, body, "pk", extra)), "key_kind_wrong")
    assert await api.snapshot() == before


async def test_what_stands_in_the_way_is_listed(api: Api, make_show: MakeShow) -> None:
    booking_id = await booked(api, make_show, starts_at=None)
    refused = await api.ask("POST", ERASE, {"owner": OWNER})
    problem(refused, "bookings_upcoming", bookings=[booking_id], retryable=False)
    leave = {"owner": OWNER, "including_upcoming": True}
    document(await api.ask("POST", ERASE, leave), 202)


async def test_the_commands(
    api: Api,
    make_show: MakeShow,
    database_url: str,
    connection: Connection,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def run(*arguments: str) -> tuple[object, str]:
        """What a command's status is, and what it prints."""
        with pytest.raises(SystemExit) as ended:
            # In a thread, for it has a loop of its own; in a process it would be the same, later.
            await asyncio.to_thread(main, [*arguments, "--database-url", database_url])
        out, errors = capsys.readouterr()
        return ended.value.code, out + errors

    await booked(api, make_show)
    file = tmp_path / "zoe.json"
    assert await run("export", "owner", OWNER, "--output", str(file)) == (0, "")
    exported = json.loads(file.read_text())
    assert [item["contact"] for item in exported["items"]] == [CONTACT]
    told = "would be erased: 1 holds, 1 bookings, 0 payments, 0 mails\n"
    assert await run("erase", OWNER, "--dry-run") == (0, told)
    assert await connection.fetchval("select count(*) from bespeak.erasure") == 0
    status, out = await run("erase", OWNER, "--json")
    done = json.loads(out)
    assert (status, done["state"], done["bookings"], done["asked_by"]) == (0, "done", 1, "cli")
    assert await run("export", "erasures", "--output", str(file)) == (0, "")
    assert json.loads(file.read_text())["id"] == done["id"]
    status, out = await run("erase", "--again", str(file))
    assert (status, out.split(",")[0]) == (0, "0 erasures done again")
    status, out = await run("erase")
    assert (status, "name an owner" in out) == (1, True)
    status, out = await run("erase", "nobody")
    assert (status, "owner_unknown" in out) == (1, True)
