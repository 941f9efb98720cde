"""A rush on what is gone: many ask for any room, any provider, any court of which none is left. The
database hears of few of them, and nobody is the worse for it: what is let go is found, what is
offered instead is the same, and a repeat gets its hold.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

import pytest

import bespeak
from bespeak import IdempotencyKeyReused, Line, Resource
from bespeak.inventory.snapshot import Snapshot, read_snapshot
from bespeak.reservations import placed_keys, snapshots
from bespeak.reservations.placed_keys import PlacedKeys
from bespeak.reservations.request import HoldRequest
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.shapes import CLINIC, COURTS, ROOMS, MakeShape, Shape, blocks, hold, of, on
from tests.harness.shows import MakeShow, pool

CROWD = 100


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[bespeak.Engine]:
    """One that knows for a while what it saw, unlike that of other tests."""
    settings = bespeak.Settings(pool_max=4)
    async with bespeak.connect(database_url, settings=settings, sweep=False) as made:
        yield made


class Rush(NamedTuple):
    """A line that all want, how many can have it, and lines that fail with it."""

    shape: Shape
    line: Line
    room: int
    near: Sequence[Line] = ()

    async def begin(
        self, engine: bespeak.Engine, make_shape: MakeShape, **fields: object
    ) -> Rushed:
        """All of it is held; the first hold with these fields."""
        resource = await make_shape(self.shape)
        holds = [await hold(engine, on(resource, self.line), "first-0", **fields)]
        for number in range(1, self.room):
            holds.append(await hold(engine, on(resource, self.line), f"first-{number}"))
        return Rushed(resource, holds, on(resource, self.line, *self.near))


class Rushed(NamedTuple):
    """What is gone, who has it, and the lines that are asked for in vain."""

    resource: Resource
    holds: list[bespeak.Hold]
    lines: list[Line]

    async def refused(self, engine: bespeak.Engine) -> None:
        """A crowd asks, each by a key of its own."""

        async def ask(number: int) -> None:
            lines = [self.lines[number % len(self.lines)]]
            with pytest.raises(bespeak.SoldOut):
                await hold(engine, lines, f"late-{number}", idempotency_key="k", alternatives=0)

        await asyncio.gather(*map(ask, range(CROWD)))


STAY = Rush(
    ROOMS,
    of(None, 1, "2030-01-10", "2030-01-13"),
    3,
    [of(None, 1, "2030-01-11", "2030-01-14"), of(None, 1, "2030-01-08", "2030-01-11")],
)
RUSHES = [
    STAY,
    Rush(CLINIC, of(None, None, "2030-01-02T09:00:00+05:30"), 2),
    Rush(COURTS, of(None, None, "2030-01-02T17:00:00+01:00", "2030-01-02T18:00:00+01:00"), 2),
]
KINDS = pytest.mark.parametrize("rush", RUSHES, ids=lambda rush: str(rush.shape))


class Reads:
    """Counts the snapshots that are read of some units."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        monkeypatch.setattr(snapshots, "read_snapshot", self._read)

    async def _read(
        self, connection: Connection, number: int, units: list[str] | None = None
    ) -> Snapshot:
        assert units is not None
        self.count += 1
        return await read_snapshot(connection, number, units)


@KINDS
@pytest.mark.parametrize("together", [True, False])
async def test_a_crowd_is_refused_by_few_reads(
    engine: bespeak.Engine,
    clock: Clock,
    make_shape: MakeShape,
    monkeypatch: pytest.MonkeyPatch,
    rush: Rush,
    together: bool,
) -> None:
    """And by one each, where they do not read together."""
    rushed = await rush.begin(engine, make_shape)
    if not together:
        monkeypatch.setattr(engine.snapshots, "note_rush", lambda *_: None)
    reads = Reads(monkeypatch)
    await rushed.refused(engine)
    assert (reads.count < CROWD / 3) is together


@KINDS
@pytest.mark.parametrize("way", ["release", "lapse", "unblock", "elsewhere"])
async def test_what_is_let_go_in_a_rush_is_found(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    rush: Rush,
    way: str,
) -> None:
    clock.shared_with(second_engine)
    seconds = 60 if way == "lapse" else 600
    rushed = await rush.begin(engine, make_shape, hold_seconds=seconds)
    first = rushed.holds[0]
    if way == "unblock":
        await engine.release_hold(first.id)
        block = await engine.block(rushed.resource.id, blocks(*first.lines), reason="x")
    await rushed.refused(engine)
    match way:
        case "unblock":
            await engine.unblock(block.id)
        case "release":
            await engine.release_hold(first.id)
        case "lapse":
            await clock.advance(60)
        case "elsewhere":
            await second_engine.release_hold(first.id)
            # Another process knows it when its follower does, or when it reads anew.
            await asyncio.sleep(engine.snapshots.fresh_seconds)
    late = await hold(engine, rushed.lines[:1], "late")
    assert [one.unit for one in late.lines] == [one.unit for one in first.lines]
    assert await problems(connection) == []


@KINDS
async def test_a_rush_changes_no_offer(
    engine: bespeak.Engine, clock: Clock, make_shape: MakeShape, rush: Rush
) -> None:
    rushed = await rush.begin(engine, make_shape)
    offered = []
    for owner in ("calm", "hot"):
        with pytest.raises(bespeak.SoldOut) as caught:
            await hold(engine, rushed.lines[:1], owner, alternatives=5)
        offered.append(caught.value.data["alternatives"])
        await rushed.refused(engine)
    assert offered[0] == offered[1] != []


async def test_a_repeat_in_a_rush_gets_its_hold(
    engine: bespeak.Engine, clock: Clock, make_shape: MakeShape
) -> None:
    rushed = await STAY.begin(engine, make_shape, idempotency_key="k")
    lines = rushed.lines[:1]
    crowd = asyncio.create_task(rushed.refused(engine))
    again = [await hold(engine, lines, "first-0", idempotency_key="k") for _ in range(5)]
    await crowd
    assert {one.id for one in again} == {rushed.holds[0].id}
    assert all(one.replayed for one in again)
    with pytest.raises(IdempotencyKeyReused):
        await hold(engine, rushed.lines[1:2], "first-0", idempotency_key="k")


class Lookups:
    """Counts the statements by which keys are looked up, and has them fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.error: Exception | None = None
        self._read = placed_keys._read
        monkeypatch.setattr(placed_keys, "_read", self._counted)

    async def _counted(
        self, connection: Connection, keys: list[tuple[str, str]]
    ) -> dict[tuple[str, str], object]:
        self.count += 1
        if self.error is not None:
            raise self.error
        return dict(await self._read(connection, keys))


def repeat(owner: str, lines: Sequence[Line] = (), key: str = "k") -> HoldRequest:
    return HoldRequest(owner, lines, None, key)


async def test_keys_are_looked_up_together_and_each_gets_its_own(
    engine: bespeak.Engine, make_show: MakeShow, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = await make_show()
    seats = [Line(show.id, f"A{number}") for number in range(1, 5)]
    placed = [
        await hold(engine, [seat], f"owner-{seat.unit}", idempotency_key="k") for seat in seats[:3]
    ]
    lookups = Lookups(monkeypatch)
    keys = PlacedKeys(engine.database)
    asked = [repeat(f"owner-{seat.unit}", [seat]) for seat in seats] * 50
    found = await asyncio.gather(*(keys.find(request, None) for request in asked))
    assert [one and one.id for one in found] == [*(one.id for one in placed), None] * 50
    assert await keys.find(repeat("owner-A1", seats[:1], "other"), None) is None
    assert lookups.count <= 3


async def test_a_failed_look_up_is_told_to_all_who_wait_and_to_nobody_after(
    engine: bespeak.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    lookups = Lookups(monkeypatch)
    keys = PlacedKeys(engine.database)
    lookups.error = ConnectionResetError("gone")
    asked = [keys.find(repeat(f"owner-{number}"), None) for number in range(20)]
    found = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(one, bespeak.DatabaseUnavailable) for one in found)
    lookups.error = None
    assert await keys.find(repeat("owner-1"), None) is None


async def test_each_is_told_its_own_key_where_the_database_is_away(
    engine: bespeak.Engine, clock: Clock, make_shape: MakeShape, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though all of them wait for one statement."""
    rushed = await STAY.begin(engine, make_shape)
    await rushed.refused(engine)
    lookups = Lookups(monkeypatch)
    lookups.error = ConnectionResetError("gone")
    lines, wanted = rushed.lines[:1], [f"k{number}" for number in range(20)]
    asked = [hold(engine, lines, f"late-{key}", idempotency_key=key) for key in wanted]
    errors = await asyncio.gather(*asked, return_exceptions=True)
    keys = [one.idempotency_key for one in errors if isinstance(one, bespeak.DatabaseUnavailable)]
    assert lookups.count < len(wanted)
    assert keys == wanted


async def test_who_gives_up_waiting_takes_the_answer_from_nobody(engine: bespeak.Engine) -> None:
    keys = PlacedKeys(engine.database)
    waiting = [asyncio.create_task(keys.find(repeat("asha"), None)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    found = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(found[0], asyncio.CancelledError)
    assert found[1:] == [None, None]


async def test_a_repeat_for_a_pool_that_is_known_to_be_sold_out_gets_its_hold(
    engine: bespeak.Engine, make_show: MakeShow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory does not know whose a pool is. Whoever has nothing of it is refused as before."""
    show = await make_show()
    floor = [pool(show, "floor", 1)]
    lookups = Lookups(monkeypatch)
    placed, number = [], 0
    with pytest.raises(bespeak.SoldOut):
        while True:
            placed.append(await hold(engine, floor, f"owner-{number}", idempotency_key="k"))
            number += 1
    assert lookups.count == 0, "the database was asked, and knows the key"
    with pytest.raises(bespeak.SoldOut):
        await hold(engine, floor, "late", idempotency_key="k")
    assert lookups.count == 1
    again = await hold(engine, floor, "owner-0", idempotency_key="k")
    assert (again.id, again.replayed) == (placed[0].id, True)
    with pytest.raises(IdempotencyKeyReused):
        await hold(engine, [pool(show, "floor", 2)], "owner-0", idempotency_key="k")
