"""Reads from a real standby: who answers them, what the reader must see, and that a replica which
is behind, away or somebody else's is nobody's error.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import msgspec
import pytest

import bespeak
from bespeak import Best, Line, Resource
from bespeak.postgres.reads import ReadObserver, ReadSource
from bespeak.postgres.replica import Replica, ReplicaState
from tests.conftest import SETTINGS
from tests.harness.database import session
from tests.harness.replication import Pair
from tests.harness.shows import new_show
from tests.http.api import SETTINGS as API_SETTINGS
from tests.http.api import Api, opened, place, until


class Counted(ReadObserver):
    """Where the reads were answered."""

    def __init__(self) -> None:
        self.sources: list[ReadSource] = []

    def read(self, source: ReadSource) -> None:
        self.sources.append(source)


class Office:
    """An engine with a replica, and a show on it."""

    def __init__(self, engine: bespeak.Engine, show: Resource, counted: Counted) -> None:
        self.engine = engine
        self.show = show
        self.counted = counted

    @property
    def replica(self) -> Replica:
        replica = self.engine.reads.replica
        assert replica is not None
        return replica

    async def hold(self, unit: str, owner: str = "asha") -> None:
        await self.engine.place_hold(owner=owner, lines=[Line(self.show.id, unit)])

    async def taken(self) -> set[str]:
        """What the availability shows as taken."""
        found = await self.engine.availability(self.show.id)
        return taken_in(msgspec.to_builtins(found))

    async def reads_from(self, source: ReadSource) -> None:
        """Waits until reads are answered there."""

        async def found() -> bool:
            self.counted.sources.clear()
            await self.taken()
            return set(self.counted.sources) == {source}

        await until(found)


def taken_in(availability: object) -> set[str]:
    """The names of the units that an availability of seats shows as taken."""
    assert isinstance(availability, dict)
    return set(availability["taken"])


@asynccontextmanager
async def office(
    pair: Pair, *, url: str | None = None, read_url: str | None = None, lag: float = 60.0
) -> AsyncIterator[Office]:
    """An office whose reads may be answered by the standby."""
    counted = Counted()
    settings = msgspec.structs.replace(
        SETTINGS,
        database_read_url=read_url or pair.standby.url,
        read_lag_seconds_max=lag,
    )
    async with bespeak.connect(
        url or pair.primary.url, settings=settings, reads_observer=counted, sweep=False
    ) as engine:
        show = await engine.create_resource(new_show())
        made = Office(engine, show, counted)
        await until(lambda: made.replica.state is not ReplicaState.AWAY)
        yield made


async def test_reads_are_answered_by_the_replica_and_holds_by_the_primary(pair: Pair) -> None:
    async with office(pair) as made:
        await made.reads_from(ReadSource.REPLICA)
        await made.hold("A1")
        with made.engine.reading_after(await made.engine.written()):
            assert await made.taken() == {"A1"}
            page = await made.engine.list_resources()
        assert [one.id for one in page.items] == [made.show.id]
        assert set(made.counted.sources) <= {ReadSource.REPLICA, ReadSource.OWN_WRITE}


async def test_who_wrote_reads_it_though_the_replica_stands_still(pair: Pair) -> None:
    async with office(pair) as made:
        await made.reads_from(ReadSource.REPLICA)
        pair.standby.sql("select pg_wal_replay_pause()")
        await made.hold("A1")
        # The control: without a word of what was written, the replica answers what it has.
        assert await made.taken() == set()
        with made.engine.reading_after(await made.engine.written()):
            made.counted.sources.clear()
            assert await made.taken() == {"A1"}
            assert made.counted.sources == [ReadSource.OWN_WRITE]
        pair.standby.sql("select pg_wal_replay_resume()")
        await until(made.taken)
        await made.reads_from(ReadSource.REPLICA)


async def test_the_best_seats_are_chosen_by_the_primary(pair: Pair) -> None:
    """A replica that stands still shows seats that are gone; nobody gets one of them."""
    async with office(pair) as made:
        await made.reads_from(ReadSource.REPLICA)
        pair.standby.sql("select pg_wal_replay_pause()")
        best = Line(made.show.id, best=Best(2))
        holds = [await made.engine.place_hold(owner=f"owner {n}", lines=[best]) for n in range(4)]
        seats = [line.unit for hold in holds for line in hold.lines]
        assert len(seats) == len(set(seats))
        assert await made.taken() == set()
        with pytest.raises(bespeak.UnitTaken):
            await made.hold(str(seats[0]), owner="late")


async def test_a_replica_that_is_too_far_behind_is_not_read_from(pair: Pair) -> None:
    async with office(pair, lag=0.5) as made:
        await made.reads_from(ReadSource.REPLICA)
        pair.standby.sql("select pg_wal_replay_pause()")
        await made.hold("A1")
        await until(lambda: made.replica.state is ReplicaState.BEHIND)
        assert await made.taken() == {"A1"}
        pair.standby.sql("select pg_wal_replay_resume()")
        await made.reads_from(ReadSource.REPLICA)


async def test_an_idle_primary_is_no_lag(pair: Pair) -> None:
    async with office(pair, lag=0.5) as made:
        await made.reads_from(ReadSource.REPLICA)
        at = made.replica._current_at
        await until(lambda: made.replica._current_at > at + 1)
        assert made.replica.state is ReplicaState.FOLLOWS


async def test_a_replica_that_dies_is_nobodys_error(pair: Pair) -> None:
    async with office(pair) as made:
        await made.reads_from(ReadSource.REPLICA)
        stop = asyncio.Event()

        async def read_on() -> int:
            count = 0
            while not stop.is_set():
                assert await made.taken() == set()
                count += 1
            return count

        readers = [asyncio.create_task(read_on()) for _ in range(4)]
        await asyncio.to_thread(pair.standby.kill)
        await until(lambda: made.replica.state is ReplicaState.AWAY)
        await made.reads_from(ReadSource.NOT_FOLLOWING)
        await asyncio.to_thread(pair.standby.start)
        await made.reads_from(ReadSource.REPLICA)
        stop.set()
        assert all(await asyncio.gather(*readers))


async def test_an_error_of_the_replica_is_asked_of_the_primary(pair: Pair) -> None:
    """Such as that something is not there, which was made a moment ago."""
    async with office(pair) as made:
        await made.reads_from(ReadSource.REPLICA)
        pair.standby.sql("select pg_wal_replay_pause()")
        other = await made.engine.create_resource(new_show(name="new"))
        assert (await made.engine.get_resource(other.id)).name == "new"
        with pytest.raises(bespeak.ResourceNotFound):
            await made.engine.get_resource("res_00000000")


async def test_a_standby_that_was_promoted_aside_is_not_read_from(pair: Pair) -> None:
    """It has a history of its own, whatever its positions in the log are."""
    async with office(pair) as made:
        await made.reads_from(ReadSource.REPLICA)
        await asyncio.to_thread(pair.standby.promote)
        await until(lambda: made.replica.state is ReplicaState.OTHER)
        await made.reads_from(ReadSource.NOT_FOLLOWING)


async def test_another_database_is_not_read_from(pair: Pair) -> None:
    url = pair.standby.url.rpartition("/")[0] + "/postgres"
    async with office(pair, read_url=url) as made:
        await until(lambda: made.replica.state is ReplicaState.OTHER)
        await made.reads_from(ReadSource.NOT_FOLLOWING)


async def test_a_plan_that_the_replica_lacks_is_shown_with_the_primarys_units(pair: Pair) -> None:
    async with office(pair) as made:
        await made.reads_from(ReadSource.REPLICA)
        pair.standby.sql("select pg_wal_replay_pause()")
        await made.hold("A1")
        await made.engine.update_resource(made.show.id, bespeak.ResourceChange(name="new"))
        assert await made.taken() == {"A1"}


@asynccontextmanager
async def api(pair: Pair, **settings: object) -> AsyncIterator[Api]:
    given = {"database_read_url": pair.standby.url, "read_lag_seconds_max": 60, **settings}
    async with (
        session(pair.primary.url) as connection,
        opened(
            msgspec.structs.replace(API_SETTINGS, **given), pair.primary.url, connection
        ) as made,
    ):
        replica = made.service.engine.reads.replica
        if replica is not None:
            await until(lambda: replica.state is ReplicaState.FOLLOWS)
        yield made


async def test_an_answer_says_what_was_written_and_a_read_brings_it_back(pair: Pair) -> None:
    async with api(pair, availability_ms=10_000) as made:
        show = await made.service.engine.create_resource(new_show())
        path = f"/v1/resources/{show.id}/availability"
        await until(lambda: _is_there(made, path))
        pair.standby.sql("select pg_wal_replay_pause()")
        answer = await made.send(place(show, "A1"))
        written = answer.headers["Bespeak-Written"]
        assert "set-cookie" not in answer.headers
        # Somebody else, who brings nothing, is answered by the replica, or by what is kept of it.
        others = await made.ask("GET", path, key="ak")
        assert taken_in(others.json()) == set()
        mine = await made.ask("GET", path, key="ak", bespeak_written=written)
        assert taken_in(mine.json()) == {"A1"}
        # The caller itself need not: this worker remembers.
        assert taken_in((await made.ask("GET", path)).json()) == {"A1"}
        nonsense = await made.ask("GET", path, key="pk", bespeak_written="tomorrow")
        assert taken_in(nonsense.json()) == {"A1"}
        refused = await made.send(place(show, "Z99"))
        assert "Bespeak-Written" not in refused.headers
        assert (await made.get("/readyz"))["replica"] == "follows"


async def _is_there(made: Api, path: str) -> bool:
    return (await made.ask("GET", path, key="pk")).status_code == 200


async def test_a_page_gets_a_cookie_that_it_brings_back_by_itself(pair: Pair) -> None:
    async with api(pair) as made:
        show = await made.service.engine.create_resource(new_show())
        pair.standby.sql("select pg_wal_replay_pause()")
        hold = place(show, "A1")
        page = {"Sec-Fetch-Site": "same-origin"}
        answer = await made.send(replace(hold, headers=page))
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("bespeak_written=")
        assert {"HttpOnly", "SameSite=Strict", "Max-Age=60"} <= set(cookie.split("; "))
        path = f"/v1/resources/{show.id}/availability"
        seen = await made.ask("GET", path, key="ak", cookie=cookie.partition(";")[0])
        assert taken_in(seen.json()) == {"A1"}


async def test_without_a_replica_nobody_is_told_anything(pair: Pair) -> None:
    async with api(pair, database_read_url=None) as made:
        show = await made.service.engine.create_resource(new_show())
        answer = await made.send(place(show, "A1"))
        assert "Bespeak-Written" not in answer.headers
        assert "replica" not in await made.get("/readyz")


async def test_readyz_and_the_metrics_tell_of_a_replica_that_is_away(pair: Pair) -> None:
    async with api(pair) as made:
        await asyncio.to_thread(pair.standby.kill)

        async def told() -> bool:
            found = await made.get("/readyz")
            return found == {"status": "degraded", "replica": "away"}

        await until(told)
        await until(lambda: _metrics_say(made, "bespeak_replica_follows 0.0"))
        show = await made.service.engine.create_resource(new_show())
        await made.get(f"/v1/resources/{show.id}")
        assert await _metrics_say(made, 'bespeak_reads_total{source="not_following"}')


async def _metrics_say(made: Api, line: str) -> bool:
    return line in (await made.ask("GET", "/metrics")).text


async def test_the_roles_need_no_rights_but_those_to_read_and_write(pair: Pair) -> None:
    pair.primary.sql(
        "create role reader login; grant usage on schema bespeak to reader;"
        " grant select on all tables in schema bespeak to reader"
    )
    pair.primary.sql("set role reader; select pg_logical_emit_message(true, 'bespeak', 'confirm')")
    await asyncio.to_thread(pair.primary.wait_for_standby)
    async with office(pair, read_url=pair.standby.url.replace("postgres@", "reader@")) as made:
        await made.reads_from(ReadSource.REPLICA)


async def test_an_address_that_leads_to_several_servers_is_found_out(pair: Pair) -> None:
    """Each of them has come to another place in the log."""
    async with office(pair) as made:
        await made.reads_from(ReadSource.REPLICA)
        made.replica._read_url = pair.primary.url
        pool = made.replica._pool
        assert pool is not None
        await pool.expire_connections()
        made.counted.sources.clear()
        assert await made.taken() == set()
        assert made.counted.sources == [ReadSource.FAULT]


async def test_of_several_hosts_a_standby_answers(pair: Pair) -> None:
    """So that the same setting is right before and after the roles change."""
    async with office(pair, url=pair.url, read_url=pair.url) as made:
        await made.reads_from(ReadSource.REPLICA)
        pair.standby.sql("select pg_wal_replay_pause()")
        await made.hold("A1")
        assert await made.taken() == set()
        # What the standby has not got when the primary dies would be gone.
        await asyncio.to_thread(pair.primary.wait_for_standby, has="flush")
        await asyncio.to_thread(pair.primary.kill)
        await asyncio.to_thread(pair.standby.promote)
        # What was replayed no further than the pause is replayed at the promotion.
        await made.reads_from(ReadSource.REPLICA)
        assert await made.taken() == {"A1"}
