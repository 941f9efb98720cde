"""The server that only searches: it answers as the API does, and also while the database is away,
when it has been there before or another one has left a snapshot.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path

import httpx
import msgspec
import psutil
import pytest

from bespeak.feed.numberer import numbering
from bespeak.http.search_app import SearchApplication
from bespeak.http.server.browser_keys import BrowserKeyFile
from bespeak.http.server.keys import create_key, revoke_key
from bespeak.verticals.stays.search import following
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.api import running as started
from tests.http.outage import Wire
from tests.http.running import Server, running
from tests.http.stays import (
    DOUBLE,
    HOUSE,
    LISTINGS,
    PROPERTIES,
    SEARCH,
    made_listing,
    made_property,
    soon,
)
from tests.http.workspaces import ACME, found_acme

_QUICK = msgspec.structs.replace(SETTINGS, database_wait_seconds=2.0)
_FILES = {".snapshot", ".msgpack"}
_HERE = f"{SEARCH}?lat=53.55&lon=9.97"


class Searching:
    """A search server in this process and a client of it."""

    def __init__(self, client: httpx.AsyncClient, keys: dict[str, str]) -> None:
        self.client = client
        self.keys = keys

    async def ask(self, path: str, key: str | None = "pk", method: str = "GET") -> httpx.Response:
        headers = {} if key is None else {"Authorization": f"Bearer {self.keys.get(key, key)}"}
        return await self.client.request(method, path, headers=headers)

    async def get(self, path: str, key: str = "pk") -> Json:
        return document(await self.ask(path, key), 200)


@asynccontextmanager
async def searching(
    url: str, keys: dict[str, str], folder: Path, region: str | None = None
) -> AsyncIterator[Searching]:
    settings = msgspec.structs.replace(_QUICK, search_snapshots=str(folder), search_region=region)
    app = SearchApplication(settings, url)
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type]
    async with (
        started(app),
        httpx.AsyncClient(transport=transport, base_url="http://search.test") as client,
    ):
        yield Searching(client, keys)


@pytest.fixture
async def api(api: Api) -> AsyncIterator[Api]:
    """The API beside it, with a feed that goes on."""
    async with numbering(api.database_url):
        yield api


def _timeless(page: Json) -> Json:
    return {name: value for name, value in page.items() if name != "as_of"}


async def _once_same(api: Api, server: Searching, path: str, count: int) -> None:
    """Waits until both answer the same, and so many are found. Both are asked anew each time: which
    of them counts as stale may change between two looks."""
    for _ in range(600):
        page = _timeless(document(await api.ask("GET", path, key="pk"), 200))
        answer = await server.ask(path)
        if answer.status_code == 200 and page["found"] == count:
            found = _timeless(document(answer, 200))
            if found == page:
                return
        await asyncio.sleep(0.05)
    raise AssertionError((answer.text, page))


async def _once_written(folder: Path) -> None:
    """Waits until there is a snapshot of the listings, and one of the keys."""
    for _ in range(600):
        names = await asyncio.to_thread(os.listdir, folder)
        if {Path(name).suffix for name in names} >= _FILES:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("there are no snapshots")


async def test_it_answers_as_the_api_does(api: Api, tmp_path: Path) -> None:
    async with searching(api.database_url, api.keys, tmp_path) as server:
        house = await made_property(api)
        made = await made_listing(api, house, plan={"type": "nights", "rooms": ["one"]})
        stay = f"{_HERE}&start={soon(0)}&end={soon(2)}"
        await _once_same(api, server, stay, 1)
        body = {"room_id": made["id"], "start_date": soon(0), "end_date": soon(1), "owner": "carla"}
        document(await api.ask("POST", "/v1/holds", body, key="sk"), 201)
        await _once_same(api, server, stay, 0)
        towns = document(await api.ask("GET", "/v1/stays/places?lang=en", key="pk"), 200)
        assert await server.get("/v1/stays/places?lang=en") == towns
        for wrong in ("&guests=0", "&start=2020-01-01&end=2020-01-02", "&after=x", "&nonsense=1"):
            ours = await server.ask(_HERE + wrong)
            theirs = await api.ask("GET", _HERE + wrong, key="pk")
            assert ours.status_code == theirs.status_code
            assert ours.json() | {"request_id": ""} == theirs.json() | {"request_id": ""}


async def test_who_sells_finds_drafts_and_guests_do_not(api: Api, tmp_path: Path) -> None:
    async with searching(api.database_url, api.keys, tmp_path) as server:
        house = await made_property(api)
        await made_listing(api, house)
        await made_listing(api, house, ref="draft", published=False)
        await _once_same(api, server, _HERE, 1)
        for key in ("sk", "ak", await api.restricted("read")):
            assert (await server.get(_HERE, key))["found"] == 2


async def test_it_takes_the_keys_that_the_api_takes(
    api: Api, connection: Connection, tmp_path: Path
) -> None:
    async with searching(api.database_url, api.keys, tmp_path) as server:
        house = await made_property(api)
        await made_listing(api, house)
        await _once_same(api, server, _HERE, 1)
        problem(await server.ask(_HERE, None), "key_missing")
        problem(await server.ask(_HERE, "pk_unknown"), "key_unknown")
        problem(await server.ask(_HERE, "pk_" + "0" * 5000), "key_unknown")
        bound = await api.restricted("read", place=f"stays/{house['id']}")
        problem(await server.ask(_HERE, bound), "key_bound")
        revoked, key = await create_key(connection, "publishable", "revoked")
        await revoke_key(connection, key.id)
        problem(await server.ask(_HERE, revoked), "key_unknown")
        await found_acme(api)
        assert (await server.get(_HERE, f"{ACME} sk"))["found"] == 0


async def test_it_has_nothing_but_the_search(api: Api, tmp_path: Path) -> None:
    async with searching(api.database_url, api.keys, tmp_path) as server:
        for path in ("/", "/v1/holds", "/v1/listings", "/console", "/metrics", "/v1/search/"):
            problem(await server.ask(path), "path_not_found")
        refused = problem(await server.ask(_HERE, method="POST"), "method_not_allowed")
        assert refused["methods"] == ["GET", "HEAD"]
        document(await server.ask("/healthz", None), 200)
        head = await server.ask(_HERE, method="HEAD")
        assert (head.status_code, head.content) == (200, b"")
        asked = {"origin": "https://shop.example", "access-control-request-method": "GET"}
        allowed = await server.client.options(_HERE, headers=asked)
        assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (204, "*")


async def test_it_keeps_a_region_and_answers_for_it_alone(api: Api, tmp_path: Path) -> None:
    east, west = "-175,-30,-150,0", "150,-30,-175,0"
    seas = f"{SEARCH}?box=-179,-20,-177,-16"
    async with (
        searching(api.database_url, api.keys, tmp_path, west) as server,
        searching(api.database_url, api.keys, tmp_path, east) as other,
    ):
        fiji = await made_property(api, lat=-17.8, lon=-178.5)
        tonga = await made_property(api, ref="tonga", lat=-21.1, lon=-175.2)
        hamburg = await made_property(api, ref="far")
        for number, house in enumerate((fiji, tonga, hamburg)):
            await made_listing(api, house, ref=f"room-{number}")
        await _once_same(api, server, seas, 1)
        for outside in (_HERE, f"{SEARCH}?lat=-17&lon=-175.5&radius=100000", "/v1/stays/places"):
            problem(await server.ask(outside), "outside_region")
        problem(await server.ask("/v1/stays/map?box=-178,-20,-174,-16"), "outside_region")
        problem(await other.ask(seas), "outside_region")
        # Who moves goes from one region into the other.
        moved = {"lat": -18, "lon": -170}
        document(await api.ask("PATCH", f"{PROPERTIES}/{fiji['id']}", moved, key="ak"), 200)
        await _once_same(api, server, seas, 0)
        await _once_same(api, other, f"{SEARCH}?lat=-18&lon=-170", 1)
        assert (await server.get(f"{SEARCH}?lat=-21.1&lon=-175.2&radius=10000"))["found"] == 1
        await _once_written(tmp_path)
    assert len(list(tmp_path.glob("*.snapshot"))) == 2  # noqa: ASYNC240


async def test_what_nearly_fits_does_not_reach_out_of_the_region(api: Api, tmp_path: Path) -> None:
    house = await made_property(api)
    await made_listing(api, house)
    asked = f"{SEARCH}?lat=53.55&lon=9.8&radius=8000&start={soon(0)}&end={soon(2)}"
    async with (
        searching(api.database_url, api.keys, tmp_path) as everywhere,
        searching(api.database_url, api.keys, tmp_path, "9.6,53,11,54") as server,
    ):
        await _once_same(api, everywhere, asked, 0)
        await _once_same(api, server, f"{SEARCH}?lat=53.55&lon=9.97&radius=3000", 1)
        further = [{"kind": "further", "found": 1, "radius": 16000}]
        assert (await everywhere.get(asked))["nearly"] == further
        assert (await server.get(asked))["nearly"] == []


async def test_it_starts_from_its_snapshot_while_the_database_is_away(
    wire: Wire,
    connection: Connection,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with (
        opened(_QUICK, wire.url, connection) as api,
        numbering(database_url),
        asyncio.timeout(60),
    ):
        house = await made_property(api)
        await made_listing(api, house)
        async with searching(wire.url, api.keys, tmp_path) as server:
            await _once_same(api, server, _HERE, 1)
            await _once_written(tmp_path)
        await wire.cut()
        monkeypatch.setattr(following, "_STALE", timedelta(seconds=0.5))
        async with searching(wire.url, api.keys, tmp_path) as server:
            page = await server.get(_HERE)
            assert page["found"] == 1
            assert document(await server.ask("/v1/stays/places"), 200)["items"]
            problem(await server.ask(_HERE, "sk"), "database_unavailable")
            problem(await server.ask(_HERE, "pk_unknown"), "database_unavailable")
            assert (await server.get(_HERE))["stale"] is True
            assert document(await server.ask("/readyz", None), 200) == {"status": "degraded"}
            monkeypatch.undo()
            await wire.mend()
            await made_listing(api, house, ref="other")
            await _once_same(api, server, _HERE, 2)
            assert document(await server.ask("/readyz", None), 200) == {"status": "ready"}


async def test_without_database_and_snapshot_it_says_that_it_is_not_ready(
    wire: Wire, connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "_READY_SECONDS", 0.3)
    key, _ = await create_key(connection, "publishable", "browser")
    await wire.cut()
    async with searching(wire.url, {"pk": key}, tmp_path) as server:
        problem(await server.ask("/readyz", None), "search_not_ready")
        problem(await server.ask(_HERE), "database_unavailable")


async def test_a_file_of_keys_that_is_damaged_is_as_none(tmp_path: Path) -> None:
    file = BrowserKeyFile(tmp_path, "one")
    assert file.read() == {}
    file.path.write_bytes(b"\xff")
    assert file.read() == {}


def _is_found(server: Server, count: int) -> bool:
    """Whether a search with the browser's key finds so many."""
    try:
        page = server.call("GET", _HERE, kind="pk")
    except (AssertionError, OSError):  # not ready, or its worker is gone
        return False
    return isinstance(page, dict) and page["found"] == count


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:  # also where each look takes long
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it never comes true")


def _made(server: Server) -> None:
    """A listing of a property."""
    house = server.call("POST", PROPERTIES, HOUSE, "ak")
    assert isinstance(house, dict)
    server.call("POST", LISTINGS, DOUBLE | {"property": house["id"]}, "ak")


def test_it_goes_on_when_a_worker_and_the_database_are_killed(tmp_path: Path) -> None:
    data, none = tmp_path / "data", tmp_path / "none"
    snapshots = tmp_path / "snapshots"
    command = ("search", "--snapshots", str(snapshots))
    with running(data, "serve", "--data", str(data), "--workers", "1") as office:
        _made(office)
        url = {"BESPEAK_DATABASE_URL": str(office.ready["database_url"])}
        with running(none, *command, **url) as server:
            server.ready["keys"] = office.keys
            _until(lambda: _is_found(server, 1))
            for process in psutil.Process(server.process.pid).children():
                process.kill()
            _until(lambda: _is_found(server, 1))
            _until(lambda: any(snapshots.glob("*.snapshot")))
            for process in office.tree():
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            assert _is_found(server, 1)
            server.stop()
        with running(none, *command, **url) as server:
            server.ready["keys"] = office.keys
            _until(lambda: _is_found(server, 1))
