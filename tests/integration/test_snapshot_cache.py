"""Two loads of one resource's snapshot at once, as when it is forgotten while it is being read.
Each is told what was marked while it ran, whichever of them ends first."""

import asyncio

import pytest

import bespeak
from bespeak import Resource, ids
from bespeak.inventory.snapshot import Snapshot, TakenClaims, read_snapshot
from bespeak.reservations import snapshots
from bespeak.reservations.snapshots import SnapshotCache
from bespeak.states import UnitState
from tests.harness.database import Connection

SOLD = TakenClaims(UnitState.BOOKED, None)


class LateReplies:
    """Reads from the database, and hands each snapshot on only when it is let go."""

    def __init__(self) -> None:
        self.begun: asyncio.Queue[asyncio.Event] = asyncio.Queue()

    async def __call__(
        self, connection: Connection, number: int, units: list[str] | None = None
    ) -> Snapshot:
        reply = asyncio.Event()
        self.begun.put_nowait(reply)
        snapshot = await read_snapshot(connection, number, units)
        await reply.wait()
        return snapshot


@pytest.mark.parametrize("first", [0, 1])
async def test_each_load_is_told_what_was_marked_while_it_ran(
    engine: bespeak.Engine, show: Resource, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    late = LateReplies()
    monkeypatch.setattr(snapshots, "read_snapshot", late)
    number = ids.parse_resource(show.id)
    cache = SnapshotCache(engine.database, engine.settings)
    loads, replies = [], []
    for _ in range(2):
        loads.append(asyncio.create_task(cache.read_whole(number, None)))
        replies.append(await late.begun.get())
        cache.forget(number)
    replies[first].set()
    assert (await loads[first]).taken("A1", 0.0) is None
    cache.mark_taken([(number, "A1")], SOLD)
    replies[1 - first].set()
    assert (await loads[1 - first]).taken("A1", 0.0) == SOLD
