"""A call that was cancelled, or whose answer was lost, may have had its effect: how its caller
finds out, and that finding out does not do it twice.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

import pytest

import bespeak
from bespeak import (
    BookingState,
    DatabaseUnavailable,
    HoldState,
    InvalidCursor,
    InvalidRequest,
    Resource,
)
from bespeak.payments.settlement import Settlement
from bespeak.postgres.pool import Record
from tests.harness.database import Connection
from tests.harness.shows import MakeShow, seats, take

WITHOUT_TIMEOUT: dict[type, set[str]] = {
    bespeak.Engine: {"written"},
    # Who pays, and who signs a callback, is looked up for calls that have times of their own.
    Settlement: {"advance", "look", "close", "provider", "signers", "takes_payments"},
}


async def all_written(engine: bespeak.Engine) -> None:
    """Returns when nothing waits to be written."""
    async with asyncio.timeout(20):
        while engine.committer.waiting:  # noqa: ASYNC110
            await asyncio.sleep(0.002)


@pytest.fixture
def answers_are_lost(engine: bespeak.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked is done, and its answer never comes."""
    submit: Callable[..., Awaitable[Record]] = engine.committer.submit

    async def lost(*arguments: object, **named: object) -> Record:
        await submit(*arguments, **named)
        raise DatabaseUnavailable(retry_after_seconds=2)

    monkeypatch.setattr(engine.committer, "submit", lost)


@pytest.mark.parametrize("key", [None, "order-1"])
async def test_a_timeout_around_a_verb(
    engine: bespeak.Engine, show: Resource, key: str | None
) -> None:
    # So that the request is on its way before the time is over.
    await engine.quote(seats(show, "A1"))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await take(engine, seats(show, "A1"), idempotency_key=key)
    await all_written(engine)
    (found,) = (await engine.list_holds(owner="asha")).items
    assert found.lines == seats(show, "A1")
    if key is not None:
        again = await take(engine, seats(show, "A1"), idempotency_key=key)
        assert (again.id, again.replayed) == (found.id, True)
    assert (await engine.confirm_hold(found.id, owner="asha")).state is BookingState.CONFIRMED


@pytest.fixture
def answers_are_slow(engine: bespeak.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked is done, and then an hour goes by at once: its answer comes too late for
    whoever does not wait."""
    submit: Callable[..., Awaitable[Record]] = engine.committer.submit

    async def late(*arguments: object, **named: object) -> Record:
        answer = await submit(*arguments, **named)
        loop = asyncio.get_running_loop()
        now = loop.time
        monkeypatch.setattr(loop, "time", lambda: now() + 3600)
        await asyncio.sleep(3600)
        return answer

    monkeypatch.setattr(engine.committer, "submit", late)


@pytest.mark.usefixtures("answers_are_slow")
@pytest.mark.parametrize("key", [None, "order-1"])
async def test_the_timeout_of_a_verb_names_the_key_of_a_repeat(
    engine: bespeak.Engine, second_engine: bespeak.Engine, show: Resource, key: str | None
) -> None:
    with pytest.raises(DatabaseUnavailable, match="within 60 seconds") as late:
        await engine.place_hold(
            owner="asha", lines=seats(show, "A1"), idempotency_key=key, timeout=60
        )
    assert late.value.retryable
    assert late.value.idempotency_key == key or key is None
    again = await take(second_engine, seats(show, "A1"), idempotency_key=late.value.idempotency_key)
    assert again.replayed
    with pytest.raises(DatabaseUnavailable) as late:
        await engine.confirm_hold(again.id, timeout=60)
    repeat = late.value.idempotency_key
    assert (await second_engine.confirm_hold(again.id, idempotency_key=repeat)).replayed


async def test_a_verb_in_time(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    hold = await engine.place_hold(owner="asha", lines=seats(show, "A1"), timeout=20)
    async with connection.transaction():
        found = await engine.within(connection).get_hold(hold.id, timeout=20.0)
    assert found.lines == hold.lines
    with pytest.raises(bespeak.HoldNotFound):  # what the verb raises is raised
        await engine.get_hold(hold.id[:-1] + ("0" if hold.id[-1] != "0" else "1"), timeout=None)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "2", True])
async def test_what_is_no_timeout(engine: bespeak.Engine, show: Resource, seconds: object) -> None:
    with pytest.raises(InvalidRequest) as wrong:
        await engine.get_resource(show.id, timeout=seconds)  # type: ignore[arg-type]
    assert wrong.value.field == "timeout"


@pytest.mark.parametrize("owner", [bespeak.Engine, Settlement])
def test_every_verb_has_a_timeout(owner: type) -> None:
    verbs = {
        name: inspect.unwrap(verb)
        for name, verb in inspect.getmembers(owner, callable)
        if not name.startswith("_") and inspect.iscoroutinefunction(inspect.unwrap(verb))
    }
    without = {
        name for name, verb in verbs.items() if "timeout" not in inspect.signature(verb).parameters
    }
    # How far the log went is asked for reads that have times of their own; the rest is what the
    # background work calls.
    assert without == WITHOUT_TIMEOUT[owner]


async def test_a_confirmation_that_was_cancelled(engine: bespeak.Engine, show: Resource) -> None:
    hold = await take(engine, seats(show, "A1"))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await engine.confirm_hold(hold.id, idempotency_key="k")
    await all_written(engine)
    assert (await engine.confirm_hold(hold.id, idempotency_key="k")).replayed
    with pytest.raises(bespeak.HoldConfirmed) as told:  # and without the key one is told, too
        await engine.confirm_hold(hold.id)
    booking = await engine.get_booking(str(told.value.data["booking_id"]))
    assert booking.hold_id == hold.id


@pytest.mark.usefixtures("answers_are_lost")
async def test_a_lost_answer_names_the_hold(
    engine: bespeak.Engine, second_engine: bespeak.Engine, show: Resource
) -> None:
    with pytest.raises(DatabaseUnavailable) as unknown:
        await take(engine, seats(show, "A1"))
    assert (unknown.value.retry_after, unknown.value.idempotency_key) == (2, None)
    assert unknown.value.hold_id is not None
    assert (await second_engine.get_hold(unknown.value.hold_id)).state is HoldState.HELD
    with pytest.raises(DatabaseUnavailable) as keyed:
        await take(engine, seats(show, "A2"), idempotency_key="k")
    assert keyed.value.idempotency_key == "k"


@pytest.mark.usefixtures("answers_are_lost")
async def test_a_lost_answer_of_a_change_names_the_key_that_was_made_for_it(
    engine: bespeak.Engine, second_engine: bespeak.Engine, show: Resource
) -> None:
    hold = await take(second_engine, seats(show, "A1"))
    with pytest.raises(DatabaseUnavailable) as unknown:
        await engine.confirm_hold(hold.id)
    key = unknown.value.idempotency_key
    assert (await second_engine.confirm_hold(hold.id, idempotency_key=key)).replayed
    with pytest.raises(bespeak.HoldConfirmed):  # the control: without it the repeat is refused
        await second_engine.confirm_hold(hold.id)


async def test_the_holds_of_an_owner_by_pages(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show()
    held = [
        (await take(engine, seats(show, f"A{number}"), hold_seconds=600 - number)).id
        for number in range(1, 6)
    ]
    await take(engine, seats(show, "A9"), "bela")
    await engine.release_hold(held.pop(0))
    await engine.confirm_hold(held.pop(0))
    found: list[str] = []
    page: bespeak.HoldPage | None = None
    while page is None or page.next is not None:
        after = None if page is None else page.next
        page = await engine.list_holds(owner="asha", after=after, limit=1)
        found += [hold.id for hold in page.items]
    assert found == held[::-1]  # those that end first
    async with connection.transaction():
        inside = engine.within(connection)
        mine = await inside.place_hold(owner="carla", lines=seats(show, "A10"))
        assert [one.id for one in (await inside.list_holds(owner="carla")).items] == [mine.id]
        assert (await engine.list_holds(owner="carla")).items == []
    for cursor in ("x", "2026-01-01.hold_x", f"0001-01-01T00:00:00+23:59.{mine.id}", "\x00"):
        with pytest.raises(InvalidCursor):
            await engine.list_holds(owner="asha", after=cursor)
