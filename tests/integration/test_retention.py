"""What goes when its time is over, and what stays: holds, keys, answers and mails."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

import bespeak
from bespeak import Resource, Settings, ids
from bespeak.cli import checks
from bespeak.cli.checks import Finding
from bespeak.retention.archive import Archive
from bespeak.retention.errors import ArchiveUnavailable
from bespeak.retention.observer import RetentionObserver
from bespeak.retention.worker import Retention
from tests.concurrency.waiting import until_somebody_waits
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, feed_settled, problems, session
from tests.harness.shows import pool, seats, take

DAY = 86_400
NEVER = Settings(keep_holds_days=0, keep_keys_days=0, keep_events_days=0, keep_mails_days=0)
KEEPING = Settings(keep_holds_days=30, keep_keys_days=30, keep_events_days=0, keep_mails_days=90)


class Counted(RetentionObserver):
    """How much of what is gone."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def gone(self, what: str, count: int) -> None:
        self.counts[what] = self.counts.get(what, 0) + count


async def tidied(
    engine: bespeak.Engine, settings: Settings = KEEPING, archive: Archive | None = None
) -> dict[str, int]:
    """Deletes all that is past its time: how much of what."""
    async with engine.database.borrow() as connection:
        await feed_settled(cast(Connection, connection))
    counted = Counted()
    await Retention(engine.database.pool, settings, counted, archive).finish()
    return {what: count for what, count in counted.counts.items() if count}


async def rows(connection: Connection, table: str) -> int:
    count: int = await connection.fetchval(f"select count(*) from bespeak.{table}")
    return count


async def ended(engine: bespeak.Engine, show: Resource, unit: str, key: str) -> bespeak.Hold:
    hold = await take(engine, seats(show, unit), idempotency_key=key)
    return await engine.release_hold(hold.id)


async def test_a_hold_that_ended_goes_with_its_key_when_its_time_is_over(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    hold = await ended(engine, show, "A1", "k-1")
    await clock.advance(30 * DAY - 1)
    assert await tidied(engine) == {}
    repeated = await take(engine, seats(show, "A1"), idempotency_key="k-1")
    assert (repeated.id, repeated.state) == (hold.id, "released")
    await clock.advance(1)
    assert await tidied(engine) == {"holds": 1}
    assert await rows(connection, "hold_key") == 0
    with pytest.raises(bespeak.HoldNotFound):
        await engine.get_hold(hold.id)
    assert (await take(engine, seats(show, "A1"), idempotency_key="k-1")).id != hold.id
    assert await problems(connection) == []


async def test_a_hold_that_lapsed_goes_and_one_that_lives_stays(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await take(engine, [*seats(show, "A1"), pool(show, "floor", 2)], hold_seconds=60)
    await clock.advance(60)
    await connection.execute("select bespeak.expire_holds(10)")
    await clock.advance(30 * DAY)
    living = await take(engine, seats(show, "A2"))
    assert await tidied(engine) == {"holds": 1}
    assert (await engine.get_hold(living.id)).state == "held"
    assert await problems(connection) == []


async def test_bookings_stay_and_their_keys_go(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    hold = await take(engine, seats(show, "A1"), idempotency_key="k-1")
    booking = await engine.confirm_hold(hold.id)
    await clock.advance(3650 * DAY)
    assert await tidied(engine) == {"keys": 1, "answers": 1}
    assert (await engine.get_booking(booking.id)).state == "confirmed"
    assert await rows(connection, "hold") == 1
    assert await problems(connection) == []


async def test_a_hold_that_money_was_asked_for_stays(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await ended(engine, show, "A1", "k-1")
    await connection.execute(
        "insert into bespeak.payment (resource_id, payment_id, hold_id, owner, provider, state,"
        " amount, currency, window_ends_at, created_at)"
        " select resource_id, gen_random_uuid(), hold_id, owner, 'sandbox', 'failed', 5, 'EUR',"
        " ended_at, created_at from bespeak.hold"
    )
    await clock.advance(3650 * DAY)
    assert "holds" not in await tidied(engine)
    assert (await rows(connection, "hold"), await rows(connection, "hold_key")) == (1, 1)


async def test_nothing_goes_where_everything_is_kept_for_ever(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    await ended(engine, show, "A1", "k-1")
    await clock.advance(3650 * DAY)
    assert await tidied(engine, NEVER) == {}


async def test_a_locked_hold_is_left_and_met_again(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection, database_url: str
) -> None:
    first, second, third = [await ended(engine, show, unit, unit) for unit in ("A1", "A2", "A3")]
    await clock.advance(30 * DAY)
    kept = "select from bespeak.hold where state = 'released' order by created_at, hold_id"
    await feed_settled(connection)
    async with session(database_url) as other, other.transaction():
        await other.execute("select from bespeak.hold_key where idempotency_key = 'A2' for update")
        assert (await tidied_besides(engine))["holds"] == 2, "it waits for nobody"
        with pytest.raises(bespeak.HoldNotFound):
            await engine.get_hold(first.id)
        await engine.get_hold(second.id)
    assert len(await connection.fetch(kept)) == 1
    assert await tidied(engine) == {"holds": 1}, "whoever had it locked is gone"
    assert third.id and await connection.fetch(kept) == []


async def test_a_turn_that_comes_twice_has_its_effect_once(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await ended(engine, show, "A1", "k-1")
    await clock.advance(30 * DAY)
    await ended(engine, show, "A2", "k-2")
    await feed_settled(connection)
    before = await connection.fetchval("select bespeak.now() - interval '30 days'")
    turn = await connection.fetchrow(
        "select * from bespeak.next_turn('ended_holds', $1, 100)", before
    )
    assert turn is not None
    let_go = "select gone from bespeak.let_go_holds($1, $2, $3)"
    assert await connection.fetchval(let_go, *turn, before) == 1
    later = await connection.fetchval("select bespeak.now()")
    assert await connection.fetch(let_go, *turn, later) == [], "late, it is not the next any more"
    assert await rows(connection, "hold") == 1


async def test_of_two_that_delete_at_once_one_does(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection, database_url: str
) -> None:
    await ended(engine, show, "A1", "k-1")
    await clock.advance(30 * DAY)
    async with turn_under_way(connection, database_url):
        assert "holds" not in await tidied_besides(engine)
    assert await rows(connection, "hold") == 0


async def test_a_repeat_meets_the_deletion_of_its_key(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection, database_url: str
) -> None:
    """It waits for it, and is a request like any other then."""
    hold = await ended(engine, show, "A1", "k-1")
    await clock.advance(30 * DAY)
    async with turn_under_way(connection, database_url) as deleting:
        repeat = asyncio.create_task(take(engine, seats(show, "A1"), idempotency_key="k-1"))
        await until_somebody_waits(connection, deleting)
    again = await repeat
    assert (again.id != hold.id, again.state) == (True, "held")
    assert await problems(connection) == []


async def test_what_goes_is_in_the_archive(
    engine: bespeak.Engine, show: Resource, clock: Clock, tmp_path: Path
) -> None:
    holds = [await ended(engine, show, unit, unit) for unit in ("A1", "A2")]
    await clock.advance(30 * DAY)
    await ended(engine, show, "A3", "A3")
    assert (await tidied(engine, archive=Archive(tmp_path)))["holds"] == 2
    archived = {line["hold_id"]: line["units"] for line in lines_of(tmp_path / "holds")}
    assert archived == {str(ids.parse(ids.HOLD, hold.id)): [hold.lines[0].unit] for hold in holds}


async def test_killed_after_the_file_and_before_the_deletion_nothing_is_lost(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection, tmp_path: Path
) -> None:
    class Killed(Archive):
        async def write(self, kind: str, name: str, lines: Sequence[str]) -> None:
            await super().write(kind, name, lines)
            raise KeyboardInterrupt

    await ended(engine, show, "A1", "k-1")
    await clock.advance(30 * DAY)
    with pytest.raises(KeyboardInterrupt):
        await tidied(engine, archive=Killed(tmp_path))
    assert await rows(connection, "hold") == 1
    assert (await tidied(engine, archive=Archive(tmp_path)))["holds"] == 1
    assert len(lines_of(tmp_path / "holds")) == 1, "the same turn has the same file"


async def test_killed_within_the_file_there_is_no_file(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection, tmp_path: Path
) -> None:
    archive = Archive(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        async with archive.file("holds", "x") as file:
            await file.add(["{}"])
            raise KeyboardInterrupt
    assert list((tmp_path / "holds").iterdir()) == []


async def test_without_its_archive_nothing_goes(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection, tmp_path: Path
) -> None:
    await ended(engine, show, "A1", "k-1")
    await clock.advance(30 * DAY)
    full = tmp_path / "full"
    full.write_text("not a folder")
    with pytest.raises(ArchiveUnavailable):
        await tidied(engine, archive=Archive(full))
    assert await rows(connection, "hold") == 1
    settings = Settings(archive_dir=str(full))
    await Retention(engine.database.pool, settings).look()
    assert await rows(connection, "hold") == 1


async def test_tables_are_walked_block_by_block_once_a_day(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await fill_answers(connection, 20_000)
    assert await tidied(engine) == {"answers": 10_000}, "those past their time, in every block"
    await connection.execute("update bespeak.answer set answered_at = 'epoch'")
    assert await tidied(engine) == {}, "it rests"
    await clock.advance(DAY)
    assert await tidied(engine) == {"answers": 10_000}


async def test_digests_of_erased_keys_go_as_keys_do(
    engine: bespeak.Engine, clock: Clock, connection: Connection
) -> None:
    await connection.execute(
        "insert into bespeak.erased_key (digest, erased_at)"
        " select int4send(n), $1::timestamptz + n * interval '1 day' from generate_series(0, 3) n",
        START,
    )
    await clock.advance(31 * DAY)
    assert await tidied(engine) == {"erased_keys": 2}
    assert await rows(connection, "erased_key") == 2


async def test_mails_go_when_they_were_sent(
    engine: bespeak.Engine, clock: Clock, connection: Connection, tmp_path: Path
) -> None:
    await connection.execute(
        "insert into bespeak.mail (mail_id, kind, hold_id, horizon, position, at, state, due_at,"
        " created_at, ended_at) select gen_random_uuid(), 'refunded', gen_random_uuid(), '3', n,"
        " $1, case n when 1 then 'pending' else 'sent' end,"
        " case n when 1 then $1::timestamptz end, $1,"
        " case when n > 1 then $1 + n * interval '1 day' end from generate_series(1, 3) n",
        START,
    )
    await clock.advance(92 * DAY)
    assert await tidied(engine, archive=Archive(tmp_path)) == {"mails": 1}
    assert [line["position"] for line in lines_of(tmp_path / "mails")] == [2]


async def test_the_background_work_deletes_and_rests(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await ended(engine, show, "A1", "k-1")
    await clock.advance(30 * DAY)
    await feed_settled(connection)
    work = Retention(engine.database.pool, Settings())
    while await work.look() < 0.5:
        pass
    assert await rows(connection, "hold") == 0


@asynccontextmanager
async def turn_under_way(connection: Connection, database_url: str) -> AsyncIterator[Connection]:
    """A session that has deleted what the next turn of holds is about, and has not committed."""
    await feed_settled(connection)
    async with session(database_url) as deleting, deleting.transaction():
        gone = await deleting.fetchval(
            "select l.gone from (select bespeak.now() - interval '30 days' as before) t,"
            " lateral bespeak.next_turn('ended_holds', t.before, 100) n,"
            " lateral bespeak.let_go_holds(n.place, n.events, t.before) l"
        )
        assert gone == 1
        yield deleting


async def tidied_besides(engine: bespeak.Engine) -> dict[str, int]:
    """As `tidied`, while another transaction is open."""
    counted = Counted()
    await Retention(engine.database.pool, KEEPING, counted).finish()
    return counted.counts


async def fill_answers(connection: Connection, count: int) -> None:
    """So many answers, every other of them past its time."""
    await connection.execute(
        "insert into bespeak.answer (resource_id, owner, verb, idempotency_key, fingerprint,"
        " subject, answered_at) select 1, 'o', 'release', n::text, '', gen_random_uuid(),"
        " case when n % 2 = 0 then $1::timestamptz else $1::timestamptz - interval '31 days' end"
        " from generate_series(1, $2::integer) n",
        START,
        count,
    )


def lines_of(folder: Path) -> list[dict[str, object]]:
    """What the files of an archive have, in the order of their names."""
    return [
        json.loads(line)
        for file in sorted(folder.iterdir())
        for line in gzip.decompress(file.read_bytes()).decode().splitlines()
    ]


async def test_the_doctor_says_when_it_is_behind(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await ended(engine, show, "A1", "k-1")
    await connection.execute(
        "insert into bespeak.event (resource_id, horizon, kind, at)"
        " select 1, bespeak.horizon(), 'changed', bespeak.now() from generate_series(1, 300)"
    )
    await connection.execute("update bespeak.event set at = bespeak.now()")
    await feed_settled(connection)
    await clock.advance(31 * DAY)
    assert (await retention_finding(connection)).verdict == "ok"
    await clock.advance(2 * DAY)
    assert "ended_holds waits at 2030-01-01" in (await retention_finding(connection)).seen
    await clock.advance(60 * DAY)
    found = await retention_finding(connection)
    assert (found.verdict, "events waits" in found.seen) == ("warning", True)
    await connection.execute(
        "update bespeak.follower f set horizon = p.until_horizon, position = p.until_position"
        " from bespeak.feed_page p where p.first > 1 and f.name in ('notifications', 'overview')"
    )
    await tidied(engine, Settings())
    assert (await retention_finding(connection)).verdict == "ok"


async def retention_finding(connection: Connection) -> Finding:
    (found,) = [one for one in await checks.all_of(connection) if one.check == "retention"]
    return found
