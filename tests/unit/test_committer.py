"""The committer's batching, with a scripted connection in the database's place; what the database
itself does is never scripted, and is tested elsewhere."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import cast

import asyncpg
import pytest

from bespeak.errors import (
    BespeakError,
    DatabaseUnavailable,
    InternalError,
    Overloaded,
    ShuttingDown,
    UnitTaken,
)
from bespeak.reservations.committer import Arguments, BatchEntry, Committer, Verb

Row = dict[str, object]
Script = Callable[[Sequence[str]], object]


def _arguments(batch: Sequence[BatchEntry[tuple[str]]]) -> Arguments:
    return (batch[0].verb.name, [entry.request[0] for entry in batch])


PLACE = Verb("place", "place", _arguments)
CONFIRM = Verb("confirm", "confirm", _arguments)


class Stage:
    """Connections that note each batch and answer it when the test lets them."""

    def __init__(self) -> None:
        self.batches: list[tuple[str, list[str]]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.script: list[BaseException | None] = []
        self.refuse: list[BaseException] = []
        self.poison = ""
        self.connections = 0
        self.closed = 0

    async def connect(self, url: str) -> "Scripted":
        if self.refuse:
            raise self.refuse.pop(0)
        self.connections += 1
        return Scripted(self)


class Scripted:
    """One such connection."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.is_gone = False

    def is_closed(self) -> bool:
        return self.is_gone

    def terminate(self) -> None:
        self.is_gone = True

    async def close(self) -> None:
        self.is_gone = True
        self.stage.closed += 1

    async def execute(self, text: str, **limits: float) -> None:
        """Whether the standbys have what was committed: there are none."""

    async def fetch(self, text: str, verb: str, names: list[str], **limits: float) -> list[Row]:
        self.stage.batches.append((verb, names))
        await self.stage.gate.wait()
        error = self.stage.script.pop(0) if self.stage.script else None
        if error is not None:
            raise error
        if self.stage.poison in names:
            raise asyncpg.DataError("poisoned")
        return [{"ordinal": n, "name": name} for n, name in enumerate(names, 1)]


@pytest.fixture
def stage() -> Stage:
    return Stage()


def committer_on(stage: Stage, **fields: object) -> Committer:
    values: dict[str, object] = {
        "lanes": 1,
        "batch_max": 100,
        "queue_max": 1000,
        "wait_seconds": 5,
        "connector": stage.connect,
    }
    return Committer("scripted", **{**values, **fields})  # type: ignore[arg-type]


@pytest.fixture
async def committer(stage: Stage) -> AsyncIterator[Committer]:
    made = committer_on(stage)
    made.start()
    yield made
    stage.gate.set()
    await made.close()


async def ask(
    committer: Committer,
    name: str,
    *keys: str,
    verb: Verb[tuple[str]] = PLACE,
    known_refusal: Callable[[], BespeakError | None] | None = None,
) -> str:
    row = await committer.submit(verb, (name,), keys or (name,), known_refusal)
    return cast("Row", row)["name"]  # type: ignore[return-value]


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_one_alone_waits_for_nobody(stage: Stage, committer: Committer) -> None:
    assert await ask(committer, "a") == "a"
    assert stage.batches == [("place", ["a"])]


async def test_a_batch_is_what_waited(stage: Stage, committer: Committer) -> None:
    stage.gate.clear()
    first = asyncio.create_task(ask(committer, "a"))
    await settle()
    rest = [asyncio.create_task(ask(committer, name)) for name in "bcd"]
    await settle()
    assert stage.batches == [("place", ["a"])]
    stage.gate.set()
    assert await asyncio.gather(first, *rest) == ["a", "b", "c", "d"]
    assert stage.batches == [("place", ["a"]), ("place", ["b", "c", "d"])]
    assert stage.connections == 1


async def test_a_batch_has_its_bound_and_one_verb(stage: Stage) -> None:
    committer = committer_on(stage, batch_max=2)
    asked = [asyncio.create_task(ask(committer, name)) for name in "abc"]
    asked.append(asyncio.create_task(ask(committer, "x", verb=CONFIRM)))
    await settle()
    committer.start()
    await asyncio.gather(*asked)
    await committer.close()
    assert sorted(stage.batches) == [("confirm", ["x"]), ("place", ["a", "b"]), ("place", ["c"])]
    assert stage.batches[0] == ("place", ["a", "b"])  # whose oldest waits longest


async def test_beyond_the_bound_is_refused_at_once(stage: Stage) -> None:
    committer = committer_on(stage, queue_max=3)
    committer.start()
    stage.gate.clear()
    asked = [asyncio.create_task(ask(committer, name)) for name in "abc"]
    await settle()
    assert (committer.is_full, committer.waiting) == (True, 3)
    with pytest.raises(Overloaded) as caught:
        await ask(committer, "d")
    assert caught.value.data == {"retry_after_seconds": 1}
    stage.gate.set()
    assert await asyncio.gather(*asked) == ["a", "b", "c"]
    assert (committer.is_full, committer.waiting) == (False, 0)
    assert await ask(committer, "e") == "e"
    await committer.close()


async def test_parked_ones_count_towards_the_bound(stage: Stage) -> None:
    committer = committer_on(stage, queue_max=3)
    committer.start()
    stage.gate.clear()
    asked = [asyncio.create_task(ask(committer, name, "same")) for name in "abc"]
    await settle()
    with pytest.raises(Overloaded):
        await ask(committer, "d", "same")
    stage.gate.set()
    assert await asyncio.gather(*asked) == ["a", "b", "c"]
    assert committer.waiting == 0
    await committer.close()


@pytest.mark.parametrize("lanes", [1, 2])
async def test_closing_answers_everyone(stage: Stage, lanes: int) -> None:
    committer = committer_on(stage, lanes=lanes, batch_max=2)
    committer.start()
    stage.gate.clear()
    asked = [asyncio.create_task(ask(committer, name, name, "same")) for name in "abcdef"]
    asked += [asyncio.create_task(ask(committer, name)) for name in "uvwxyz"]
    await settle()
    closing = asyncio.create_task(committer.close())
    await settle()
    with pytest.raises(ShuttingDown):
        await ask(committer, "late")
    assert committer.is_full
    stage.gate.set()
    async with asyncio.timeout(20):
        assert await asyncio.gather(*asked) == list("abcdefuvwxyz")
        await closing
    assert stage.closed == stage.connections


async def test_closing_with_nothing_to_do(stage: Stage) -> None:
    for lanes in (1, 4):
        committer = committer_on(stage, lanes=lanes)
        committer.start()
        await settle()
        async with asyncio.timeout(20):
            await committer.close()


LOST = [
    ConnectionResetError(),
    asyncpg.ConnectionDoesNotExistError("x"),
    asyncpg.AdminShutdownError("x"),
    asyncpg.InternalClientError("out of step"),
    TimeoutError(),
]


@pytest.mark.parametrize("error", LOST, ids=lambda error: type(error).__name__)
async def test_a_lost_connection_means_the_same_batch_again(
    stage: Stage, committer: Committer, error: BaseException
) -> None:
    stage.script = [error]
    asked = [asyncio.create_task(ask(committer, name)) for name in "ab"]
    assert await asyncio.gather(*asked) == ["a", "b"]
    assert stage.batches == [("place", ["a", "b"])] * 2
    assert stage.connections == 2


async def test_a_database_that_stays_away_fails_the_batch(stage: Stage) -> None:
    committer = committer_on(stage, wait_seconds=0)
    committer.start()
    stage.refuse = [ConnectionRefusedError()] * 2
    asked = [asyncio.create_task(ask(committer, name)) for name in "ab"]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(answer) for answer in answers] == [DatabaseUnavailable] * 2
    assert committer.waiting == 0
    stage.refuse = []
    assert await ask(committer, "c") == "c"
    await committer.close()


async def test_a_poisoned_request_fails_alone(stage: Stage, committer: Committer) -> None:
    stage.poison = "b"
    asked = [asyncio.create_task(ask(committer, name)) for name in "abc"]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert (answers[0], type(answers[1]), answers[2]) == ("a", InternalError, "c")
    assert stage.batches[1:] == [("place", ["a"]), ("place", ["b"]), ("place", ["c"])]


async def test_a_collision_is_tried_again_on_the_same_connection(
    stage: Stage, committer: Committer
) -> None:
    stage.script = [asyncpg.DeadlockDetectedError("x"), asyncpg.SerializationError("x")]
    assert await ask(committer, "a") == "a"
    assert (len(stage.batches), stage.connections) == (3, 1)
    stage.script = [asyncpg.SerializationError("x")] * 6
    with pytest.raises(DatabaseUnavailable):
        await ask(committer, "b")
    assert await ask(committer, "c") == "c"


async def test_a_fault_that_nobody_thought_of_does_not_end_the_lane(
    stage: Stage, committer: Committer
) -> None:
    stage.script = [ZeroDivisionError("a bug")]
    with pytest.raises(InternalError):
        await ask(committer, "a")
    assert await ask(committer, "b") == "b"


@pytest.mark.parametrize("lanes", [1, 3])
async def test_a_batch_names_a_thing_once(stage: Stage, lanes: int) -> None:
    committer = committer_on(stage, lanes=lanes)
    asked = [
        asyncio.create_task(ask(committer, f"{name}{n}", name, f"other {n % 2}"))
        for n in range(6)
        for name in "abc"
    ]
    await settle()
    committer.start()
    assert len(await asyncio.gather(*asked)) == 18
    await committer.close()
    for _, names in stage.batches:
        assert len({name[0] for name in names}) == len(names)
        assert len({int(name[1]) % 2 for name in names}) == len(names)
    written = [name for _, names in stage.batches for name in names]
    assert len(written) == len(set(written)) == 18


async def test_who_waited_for_another_is_asked_again(stage: Stage, committer: Committer) -> None:
    """What the first learned may spare the database the rest."""
    stage.gate.clear()
    taken: list[str] = []

    def known_refusal() -> BespeakError | None:
        return UnitTaken(unit="A1") if taken else None

    first = asyncio.create_task(ask(committer, "a", "A1", known_refusal=known_refusal))
    await settle()
    rest = [
        asyncio.create_task(ask(committer, name, "A1", known_refusal=known_refusal))
        for name in "bc"
    ]
    await settle()
    taken.append("A1")
    stage.gate.set()
    answers = await asyncio.gather(first, *rest, return_exceptions=True)
    assert [type(answer) for answer in answers] == [str, UnitTaken, UnitTaken]
    assert stage.batches == [("place", ["a"])]
    assert committer.waiting == 0


async def test_a_caller_that_left_does_no_harm(stage: Stage, committer: Committer) -> None:
    stage.gate.clear()
    asked = [asyncio.create_task(ask(committer, name)) for name in "ab"]
    await settle()
    asked[0].cancel()
    stage.gate.set()
    assert await asked[1] == "b"
    assert await ask(committer, "c") == "c"
