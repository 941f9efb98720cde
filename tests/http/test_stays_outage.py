"""The search while the database is away: what was known is answered, and said to be old."""

import asyncio
from datetime import UTC, datetime, timedelta, tzinfo

import msgspec
import pytest

from bespeak.feed.numberer import numbering
from bespeak.http.server import keys
from bespeak.http.server.keys import Rights, create_key, revoke_key
from bespeak.verticals.stays.search import following
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, document, opened, problem
from tests.http.outage import Wire
from tests.http.stays import SEARCH, made_listing, made_property

_QUICK = msgspec.structs.replace(SETTINGS, database_wait_seconds=2.0)
_HERE = f"{SEARCH}?lat=53.55&lon=9.97"
_TOWNS = "/v1/stays/places"


@pytest.fixture(autouse=True)
def _forgets_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are looked up for each call, and five seconds pass in a fifth of one."""
    monkeypatch.setattr(keys, "TRUST_SECONDS", 0.0)
    monkeypatch.setattr(following, "_STALE", timedelta(seconds=0.2))


async def _once(api: Api, **wanted: object) -> None:
    """Waits until a search says this: a busy machine may be behind by more than is old here."""
    for _ in range(200):
        page = document(await api.ask("GET", _HERE, key="pk"), 200)
        if page | wanted == page:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{wanted} is never so")


async def test_searches_are_answered_while_the_database_is_away(
    wire: Wire, connection: Connection, database_url: str
) -> None:
    async with (
        opened(_QUICK, wire.url, connection) as api,
        numbering(database_url),
        asyncio.timeout(30),
    ):
        house = await made_property(api)
        await made_listing(api, house)
        await _once(api, found=1)
        await wire.cut()
        await asyncio.sleep(0.5)
        for _ in range(3):
            page = document(await api.ask("GET", _HERE, key="pk"), 200)
            assert (page["found"], page["stale"]) == (1, True)
            assert document(await api.ask("GET", _TOWNS, key="pk"), 200)["items"]
        # What asks the database says so; so do keys that open more than everybody may see.
        problem(await api.ask("GET", "/v1/listings", key="pk"), "database_unavailable")
        problem(await api.ask("GET", _HERE, key="sk"), "database_unavailable")
        await wire.mend()
        await made_listing(api, house, ref="other")
        await _once(api, found=2, stale=False)


async def test_many_searches_wait_for_a_silent_database_once(
    wire: Wire, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(SETTINGS, wire.url, connection) as api, asyncio.timeout(30):
        document(await api.ask("GET", _HERE, key="pk"), 200)
        asked = 0

        async def silent(_: object, __: str) -> None:
            nonlocal asked
            asked += 1
            await asyncio.sleep(3600)

        monkeypatch.setattr(keys.KeyRing, "_read", silent)
        monkeypatch.setattr(keys, "_AWAY_SECONDS", 3600)
        answers = await asyncio.gather(*(api.ask("GET", _HERE, key="pk") for _ in range(20)))
        assert {answer.status_code for answer in answers} == {200}
        assert asked == 1
        # Whoever comes later does not wait at all.
        monkeypatch.setattr(keys, "_PATIENCE_SECONDS", 3600)
        document(await api.ask("GET", _HERE, key="pk"), 200)
        for load in api.service.keys._keys._loads.values():
            load.cancel()


class _Tomorrow(datetime):
    """A clock that is a day ahead."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "_Tomorrow":
        return cls.fromtimestamp(datetime.now(tz).timestamp() + 86_400, tz)


async def test_a_key_that_was_ended_is_not_good_again(
    wire: Wire, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(_QUICK, wire.url, connection) as api, asyncio.timeout(30):
        soon = Rights(expires_at=datetime.now(UTC) + timedelta(hours=1))
        ending, _ = await create_key(connection, "publishable", "ending", soon)
        revoked, key = await create_key(connection, "publishable", "revoked")
        api.keys |= {"ending": ending, "revoked": revoked}
        for name in ("ending", "revoked"):
            document(await api.ask("GET", _HERE, key=name), 200)
        await revoke_key(connection, key.id)
        problem(await api.ask("GET", _HERE, key="revoked"), "key_unknown")
        await wire.cut()
        document(await api.ask("GET", _HERE, key="ending"), 200)
        problem(await api.ask("GET", _HERE, key="revoked"), "database_unavailable")
        monkeypatch.setattr(keys, "datetime", _Tomorrow)
        problem(await api.ask("GET", _HERE, key="ending"), "database_unavailable")
