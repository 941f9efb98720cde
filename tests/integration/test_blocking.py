"""The engine for programs without an event loop: the verbs, threads, forks, and the caller's own
transaction.
"""

import inspect
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

import psycopg
import pytest
import sqlalchemy
from sqlalchemy.orm import Session

import bespeak
from bespeak import HoldState, InvalidRequest, Line, NoTransaction, Resource, SyncEngine
from bespeak.postgres.blocking_callers import BlockingConnection
from bespeak.postgres.callers_thread import CallersThread
from tests.conftest import SETTINGS
from tests.harness.shows import new_show, pool, seats


@pytest.fixture
def blocking(database_url: str) -> Iterator[SyncEngine]:
    with bespeak.connect_sync(database_url, settings=SETTINGS, sweep=False) as made:
        yield made


@pytest.fixture
def there(blocking: SyncEngine) -> Resource:
    """A show of 29 seats and two pools."""
    return blocking.create_resource(new_show())


def test_the_verbs(blocking: SyncEngine, there: Resource) -> None:
    hold = blocking.place_hold(owner="asha", lines=seats(there, "A1"))
    with pytest.raises(bespeak.UnitTaken) as taken:
        blocking.place_hold(owner="bela", lines=seats(there, "A1"))
    assert taken.value.alternatives
    booking = blocking.confirm_hold(hold.id, owner="asha")
    assert blocking.get_booking(booking.id) == booking
    seen = blocking.availability(there.id, form=bespeak.SeatsAvailability)
    assert "A1" in seen.taken
    blocking.cancel_booking(booking.id, reason="x")
    assert blocking.audit(there.id).violations == []
    with pytest.raises(InvalidRequest, match="owner is str"):
        blocking.place_hold(owner=5, lines=[])  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest, match="within"):
        blocking.get_hold(hold.id, connection=object())  # type: ignore[arg-type]
    assert blocking.payments.payment_of(booking) is None


def test_what_cannot_be_opened_says_so() -> None:
    engine = bespeak.connect_sync("postgresql://127.0.0.1:1/nobody", sweep=False)
    for _ in range(2):
        with pytest.raises(bespeak.DatabaseUnavailable):
            engine.get_hold("hold_01m7y6w42jh6q8wthwjrpctn25")


def test_it_opens_again_after_it_was_closed(blocking: SyncEngine, there: Resource) -> None:
    blocking.close()
    blocking.close()
    assert blocking.get_resource(there.id) == there


def test_threads_share_it_and_one_gets_the_seat(blocking: SyncEngine, there: Resource) -> None:
    def take(number: int) -> str:
        try:
            return blocking.place_hold(owner=f"o{number}", lines=seats(there, "A1")).owner
        except bespeak.UnitTaken:
            return ""

    with ThreadPoolExecutor(8) as threads:
        winners = [owner for owner in threads.map(take, range(32)) if owner]
    assert len(winners) == 1


def wait_until_blocked(url: str, pid: int) -> None:
    """Returns when a session waits for a lock."""
    with psycopg.connect(url, autocommit=True) as watcher:
        for _ in range(10_000):
            row = watcher.execute("select cardinality(pg_blocking_pids(%s)) > 0", [pid]).fetchone()
            if row == (True,):
                return
            time.sleep(0.002)
    raise TimeoutError("nobody waits")


def test_what_is_asked_while_it_closes_has_an_answer(blocking: SyncEngine, there: Resource) -> None:
    loop = blocking.own_loop()

    async def hold(unit: str) -> bespeak.Hold:
        return await loop.engine.place_hold(owner="asha", lines=seats(there, unit))

    def take(number: int) -> bool:
        try:
            return loop.wait(hold(f"A{number}")).state is HoldState.HELD
        except bespeak.ShuttingDown:
            return False

    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(take, number) for number in range(1, 21)]
        asked[0].result()
        blocking.close()
        answers = [one.result() for one in asked]
    assert answers[0]
    held = {number for number, was_held in enumerate(answers, 1) if was_held}
    seen = blocking.availability(there.id, form=bespeak.SeatsAvailability)
    assert set(seen.taken) == {f"A{number}" for number in held}
    with pytest.raises(bespeak.ShuttingDown):
        loop.wait(hold("A1"))


class Caller(NamedTuple):
    """A program's own connection: what it gives to us, and how it works with it itself."""

    given: BlockingConnection
    commit: Callable[[], object]
    rollback: Callable[[], object]


@contextmanager
def of_psycopg(url: str) -> Iterator[Caller]:
    with psycopg.connect(url) as made:
        yield Caller(made, made.commit, made.rollback)


@contextmanager
def of_alchemy(url: str) -> Iterator[Caller]:
    engine = sqlalchemy.create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1))
    with engine.connect() as made:
        yield Caller(made, made.commit, made.rollback)
    engine.dispose()


@contextmanager
def of_session(url: str) -> Iterator[Caller]:
    engine = sqlalchemy.create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1))
    with Session(engine) as made:
        yield Caller(made, made.commit, made.rollback)
    engine.dispose()


CALLERS: dict[str, Callable[[str], AbstractContextManager[Caller]]] = {
    "psycopg": of_psycopg,
    "sqlalchemy": of_alchemy,
    "session": of_session,
}


@pytest.mark.parametrize("kind", CALLERS)
def test_within(blocking: SyncEngine, there: Resource, database_url: str, kind: str) -> None:
    with CALLERS[kind](database_url) as caller:
        inside = blocking.within(caller.given)
        hold = inside.place_hold(owner="asha", lines=[*seats(there, "A1"), pool(there, "floor", 2)])
        with pytest.raises(bespeak.UnitTaken):
            inside.place_hold(owner="bela", lines=seats(there, "A1"))
        booking = inside.confirm_hold(hold.id)
        inside.cancel_booking(booking.id, reason="x", lines=[pool(there, "floor", 1)])
        assert inside.create_resource(new_show(), idempotency_key="k").version == 1
        inside.update_resource(there.id, bespeak.ResourceChange(name="other"))
        caller.rollback()
        with pytest.raises(bespeak.HoldNotFound):
            blocking.get_hold(hold.id)
        assert blocking.get_resource(there.id) == there
        kept = inside.place_hold(owner="asha", lines=seats(there, "A1"))
        caller.commit()
        assert blocking.get_hold(kept.id).state is HoldState.HELD


def test_the_loop_never_waits_for_a_callers_lock(
    blocking: SyncEngine, there: Resource, database_url: str
) -> None:
    """While one thread's transaction waits for that of another, the other goes on and ends it."""
    with (
        ThreadPoolExecutor(1) as threads,
        psycopg.connect(database_url) as one,
        psycopg.connect(database_url) as other,
    ):
        blocking.within(one).place_hold(owner="asha", lines=seats(there, "A1"))
        waiting: Future[object] = threads.submit(
            blocking.within(other).place_hold, owner="bela", lines=seats(there, "A1")
        )
        wait_until_blocked(database_url, other.info.backend_pid)
        blocking.within(one).place_hold(owner="asha", lines=seats(there, "A2"))
        blocking.place_hold(owner="carla", lines=seats(there, "A3"))
        one.commit()
        with pytest.raises(bespeak.UnitTaken):
            waiting.result()


def test_what_commits_each_statement_is_refused(
    blocking: SyncEngine, there: Resource, database_url: str
) -> None:
    with psycopg.connect(database_url, autocommit=True) as made:
        with pytest.raises(NoTransaction):
            blocking.within(made).place_hold(owner="asha", lines=seats(there, "A1"))
        with made.transaction():
            blocking.within(made).place_hold(owner="asha", lines=seats(there, "A1"))
    with pytest.raises(InvalidRequest, match="str is no connection"):
        blocking.within("postgresql://")  # type: ignore[arg-type]


def test_an_interrupted_caller_leaves_the_loop_as_it_was(
    blocking: SyncEngine, there: Resource, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(database_url) as made:
        inside = blocking.within(made)

        def interrupted(*_: object, **__: object) -> object:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(psycopg.RawCursor, "execute", interrupted)
            with pytest.raises(KeyboardInterrupt):
                inside.create_resource(new_show())
        made.rollback()
        hold = inside.place_hold(owner="asha", lines=seats(there, "A1"))
        made.commit()
    assert blocking.get_hold(hold.id).state is HoldState.HELD


def test_nobody_works_for_a_caller_who_has_gone(blocking: SyncEngine) -> None:
    thread = CallersThread()
    loop = blocking.own_loop()

    async def ask() -> int:
        return await thread.run(lambda: 5)

    async def fail() -> None:
        def interrupt() -> None:
            raise KeyboardInterrupt

        await thread.run(interrupt)

    assert loop.wait(ask(), thread) == 5
    with pytest.raises(KeyboardInterrupt):
        loop.wait(fail(), thread)
    with pytest.raises(ConnectionError, match="waits no more"):
        loop.wait(ask(), None)


FORKS = """
import os, sys
import bespeak

engine = bespeak.connect_sync(sys.argv[1], sweep=False)
def hold(unit):
    return engine.place_hold(owner="a", lines=[bespeak.Line(sys.argv[2], unit)])
hold("A1")
for unit in ("A2", "A3"):
    child = os.fork()
    if child == 0:
        hold(unit)
        if unit == "A3":
            engine.close()
            sys.exit(7)  # an end with all that the interpreter tidies up
        os._exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), end=" ")
print(hold("A4").state)
engine.close()
"""


def test_a_forked_child_opens_its_own(
    blocking: SyncEngine, there: Resource, database_url: str
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", FORKS, database_url, there.id],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.stdout, ended.returncode) == ("7 7 held\n", 0), ended.stderr
    for unit in ("A1", "A2", "A3", "A4"):
        with pytest.raises(bespeak.UnitTaken):
            blocking.place_hold(owner="b", lines=[Line(there.id, unit)])


def test_it_has_every_verb() -> None:
    def verbs(owner: type) -> set[str]:
        return {
            name
            for name, verb in inspect.getmembers(owner, inspect.isfunction)
            if not name.startswith("_") and (hasattr(verb, "__wrapped__") or name == "availability")
        }

    # What is a stream, and what is about the reads of one task, has no form that waits.
    assert verbs(bespeak.SyncEngine) == verbs(bespeak.Engine) - {"watch", "reading_after"}
    assert verbs(bespeak.SyncWithin) == verbs(bespeak.Within)
