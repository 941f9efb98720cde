"""Batches of holds beside single ones: who is written when, with a scripted connection in the
database's place, and who has a turn.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from itertools import groupby
from typing import cast

import pytest

from bespeak.actors import acting, acting_as
from bespeak.errors import (
    DatabaseUnavailable,
    InvalidRequest,
    Overloaded,
    SoldOut,
)
from bespeak.reservations.committer import Committer, Verb
from bespeak.reservations.hold_batches import (
    HOLDS_MAX,
    UNDER_WAY_MAX,
    HoldBatches,
    gives_way,
    hold_keys,
)
from bespeak.reservations.holds import Hold
from bespeak.reservations.place_verb import PLACE_BEHIND
from tests.unit.test_committer import (
    PLACE,
    Row,
    Scripted,
    Stage,
    _arguments,
    ask,
    committer_on,
    settle,
)

PART = PLACE_BEHIND.part_max
BEHIND = Verb("place", "place", _arguments, part_max=PART)


def one_hold(
    committer: Committer, name: str, behind: Verb[tuple[str]]
) -> Callable[[], Coroutine[object, object, Hold]]:
    async def place() -> Hold:
        verb = behind if gives_way() else PLACE
        return cast("Hold", await ask(committer, name, verb=verb))

    return place


async def written_beside_a_batch(behind: Verb[tuple[str]]) -> list[str]:
    """The names in the order in which they are written, where a batch of 500 waits, and then a
    single hold comes while the first part of it is being written."""
    stage = Stage()
    committer = committer_on(stage, batch_max=500)
    committer.start()
    batches = HoldBatches(1000)
    names = [f"batch {number}" for number in range(500)]
    stage.gate.clear()
    placing = asyncio.create_task(
        batches.place([one_hold(committer, name, behind) for name in names])
    )
    await settle()
    single: asyncio.Task[Hold] = asyncio.create_task(one_hold(committer, "single", behind)())
    await settle()
    stage.gate.set()
    assert len(await placing) == 500
    await single
    await committer.close()
    return [name for _, part in stage.batches for name in part]


async def test_a_single_hold_goes_before_the_next_part_of_a_batch() -> None:
    written = await written_beside_a_batch(BEHIND)
    assert written.index("single") == PART, "right after the part that was being written"
    assert len(set(written)) == 501


async def test_control_with_one_queue_for_both_it_goes_after_all_that_wait() -> None:
    written = await written_beside_a_batch(PLACE)
    assert written.index("single") >= UNDER_WAY_MAX


class Slow(Stage):
    """A stage on which writing takes a while, so that whoever was answered has asked again."""

    async def connect(self, url: str) -> "SlowlyScripted":
        return SlowlyScripted(self)


class SlowlyScripted(Scripted):
    async def fetch(self, text: str, verb: str, names: list[str], **limits: float) -> list[Row]:
        await settle()
        return await super().fetch(text, verb, names, **limits)


async def test_a_batch_comes_to_its_turn_however_many_single_holds_there_are() -> None:
    stage = Slow()
    committer = committer_on(stage)
    committer.start()
    batches = HoldBatches(1000)
    is_over = False

    async def buyer(number: int) -> None:
        count = 0
        while not is_over:
            await ask(committer, f"single {number} {count}")
            count += 1

    buyers = [asyncio.create_task(buyer(number)) for number in range(20)]
    await settle()
    names = [f"batch {number}" for number in range(200)]
    await batches.place([one_hold(committer, name, BEHIND) for name in names])
    is_over = True
    await asyncio.gather(*buyers)
    await committer.close()
    kinds = [part[0].split()[0] for _, part in stage.batches]
    runs = [(kind, len(list(run))) for kind, run in groupby(kinds)]
    between = runs[[kind for kind, _ in runs].index("batch") : -1]
    assert all(count == 1 for _, count in between), "one after the other"
    assert len(between) >= 200 // PART


async def test_calls_take_turns() -> None:
    batches = HoldBatches(5000)
    begun: list[str] = []

    async def place(name: str) -> Hold:
        begun.append(name)
        await asyncio.sleep(0)
        return cast("Hold", name)

    def call(name: str, count: int) -> Awaitable[object]:
        return batches.place([partial(place, name)] * count)

    await asyncio.gather(call("great", 500), call("small", 10))
    last = max(index for index, name in enumerate(begun) if name == "small")
    assert last < 2 * UNDER_WAY_MAX, "the small call does not wait for the end of the great one"
    assert len(begun) == 510


async def test_no_more_than_so_many_are_under_way() -> None:
    batches = HoldBatches(5000)
    under_way = most = 0

    async def place() -> Hold:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return cast("Hold", "hold")

    await asyncio.gather(*(batches.place([place] * 200) for _ in range(4)))
    assert most == UNDER_WAY_MAX


async def test_each_hold_is_the_deed_of_who_called() -> None:
    batches = HoldBatches(5000)

    async def place() -> Hold:
        await asyncio.sleep(0)
        return cast("Hold", acting())

    async def call(actor: str) -> list[object]:
        with acting_as(actor):
            return list(await batches.place([place] * 150))

    one, other = await asyncio.gather(call("key_one"), call("key_other"))
    assert (set(one), set(other)) == ({"key_one"}, {"key_other"})
    assert not gives_way(), "what comes after a batch does not give way"


async def test_each_has_its_outcome_and_what_is_away_ends_the_rest() -> None:
    batches = HoldBatches(5000)
    tried = 0

    async def place(number: int) -> Hold:
        nonlocal tried
        tried += 1
        await asyncio.sleep(0)
        if number == 3:
            raise SoldOut("none left")
        if number == 100:
            late = DatabaseUnavailable(retry_after_seconds=2)
            late.idempotency_key = "k"
            raise late
        return cast("Hold", number)

    found = await batches.place([partial(place, number) for number in range(300)])
    assert cast("list[int]", found[:3]) == [0, 1, 2]
    assert isinstance(found[3], SoldOut)
    away = found[100]
    assert isinstance(away, DatabaseUnavailable)
    assert away.idempotency_key == "k"
    last = found[-1]
    assert isinstance(last, DatabaseUnavailable)
    assert (last.idempotency_key, last.retry_after) == (None, 1)
    assert "not tried" in last.detail
    assert 100 < tried <= 100 + 2 * UNDER_WAY_MAX


async def test_the_holds_that_wait_are_bounded() -> None:
    batches = HoldBatches(queue_max=10)
    gate = asyncio.Event()

    async def place() -> Hold:
        await gate.wait()
        return cast("Hold", "hold")

    waiting = asyncio.create_task(batches.place([place] * 10))
    await settle()
    with pytest.raises(Overloaded) as refused:
        await batches.place([place])
    assert refused.value.retry_after == 1
    gate.set()
    assert len(await waiting) == 10
    assert len(await batches.place([place])) == 1


async def test_a_call_that_is_cancelled_leaves_no_turn_taken() -> None:
    batches = HoldBatches(queue_max=10)

    async def never() -> Hold:
        await asyncio.Event().wait()
        raise AssertionError

    async def place() -> Hold:
        return cast("Hold", "hold")

    cancelled = asyncio.create_task(batches.place([never] * 200))
    await settle()
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    async with asyncio.timeout(5):
        assert len(await batches.place([place] * 100)) == 100


def test_keys() -> None:
    assert hold_keys([("a", "k"), ("b", "k"), ("a", None)], None) == ["k", "k", None]
    assert hold_keys([("a", None), ("a", "k"), (None, None)], "c") == ["c/0", "k", "c/2"]
    for twice in ([("a", "k"), ("a", "k")], [("a", None), ("a", "c/0")]):
        with pytest.raises(InvalidRequest) as refused:
            hold_keys(twice, "c")
        assert refused.value.field == "holds[1].idempotency_key"
    for count in (0, HOLDS_MAX + 1):
        with pytest.raises(InvalidRequest) as refused:
            hold_keys([("a", None)] * count, None)
        assert refused.value.field == "holds"
    assert len(str(hold_keys([("a", None)] * HOLDS_MAX, "c" * 196)[-1])) == 200
    with pytest.raises(InvalidRequest) as refused:
        hold_keys([("a", None)], "c" * 197)
    assert refused.value.field == "idempotency_key"
