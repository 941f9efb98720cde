"""A follower that begins with the snapshot and follows from its cursor has what is true, whatever
happens while it reads."""

import contextlib
import random
from typing import TypeVar

import pytest

import bespeak
from bespeak import BlockLine, FeedSnapshotItem, Line, Move, Resource
from bespeak.errors import InvalidCursor
from tests.harness.database import Connection, feed_settled
from tests.harness.shows import MakeShow, book, pool, seats, take

Thing = TypeVar("Thing", bespeak.Hold, bespeak.Booking)
# What each hold, booking or block has, of each resource, unit by unit.
Copy = dict[tuple[str, str], dict[str, int]]


def tell(copy: Copy, item: FeedSnapshotItem | bespeak.Event) -> None:
    """What a follower does with an event; an item of the snapshot is no other thing to it."""
    key = (item.hold_id or "", item.resource_id)
    match item.kind:
        case "held" | "extended" | "confirmed" | "moved" | "blocked":
            copy[key] = {line.unit: line.quantity or 1 for line in item.lines}
        case "released" | "expired":
            copy.pop(key, None)
        case "cancelled" | "unblocked" if key in copy:
            for line in item.lines:
                copy[key][line.unit] -= line.quantity or 1
            copy[key] = {unit: count for unit, count in copy[key].items() if count > 0}
            if not copy[key]:
                del copy[key]


async def followed(engine: bespeak.Engine, connection: Connection, after: str | None) -> Copy:
    """A copy made from the feed alone."""
    return await caught_up(engine, connection, {}, after)


async def caught_up(
    engine: bespeak.Engine, connection: Connection, copy: Copy, after: str | None
) -> Copy:
    await feed_settled(connection)
    while page := (await engine.events(after=after)).items:
        for event in page:
            tell(copy, event)
        after = page[-1].cursor
    return copy


async def test_it_has_what_stands_and_nothing_else(
    engine: bespeak.Engine, show: Resource, make_show: MakeShow, connection: Connection
) -> None:
    other = await make_show(name="Other", owner_limit=9)
    booking = await book(engine, [Line(show.id, "A1"), pool(other, "floor", 3)])
    await engine.cancel_booking(booking.id, reason="ill", lines=[pool(other, "floor", 2)])
    gone = await book(engine, seats(show, "A2"))
    await engine.cancel_booking(gone.id, reason="ill")
    await take(engine, [*seats(show, "A3"), Line(other.id, "A3")])
    await engine.release_hold((await take(engine, seats(show, "A4"))).id)
    await engine.block(show.id, lines=[BlockLine("B7"), BlockLine("floor", 2)], reason="house")
    await feed_settled(connection)
    copy: Copy = {}
    after, cursor, pages = None, "", 0
    while pages == 0 or after is not None:
        page = await engine.events_snapshot(after=after, limit=1)
        for item in page.items:
            tell(copy, item)
        after, cursor, pages = page.next, page.cursor, pages + 1
    assert copy == await followed(engine, connection, None)
    assert (await engine.events(after=cursor)).items == []
    assert len(copy) == 5 and pages > 4


class Bustle:
    """Holds, bookings and blocks that come and go by chance."""

    def __init__(self, engine: bespeak.Engine, show: Resource, dice: random.Random) -> None:
        self._engine, self._show, self._dice = engine, show, dice
        self._free = [f"A{number}" for number in range(1, 21)]
        self._held: list[bespeak.Hold] = []
        self._booked: list[bespeak.Booking] = []
        self._blocks: list[bespeak.Block] = []
        dice.shuffle(self._free)

    async def happens(self, times: int) -> None:
        for _ in range(times):
            with contextlib.suppress(bespeak.Refused):  # sold out: this is not about that
                await self._once()

    async def _once(self) -> None:
        engine, show = self._engine, self._show
        match self._dice.randrange(8):
            case 0 | 1 if self._free:
                lines = [*seats(show, self._free.pop()), pool(show, "floor", 1)]
                self._held.append(await take(engine, lines, f"owner-{len(self._free)}"))
            case 2 if self._held:
                self._booked.append(await engine.confirm_hold(self._one(self._held).id))
            case 3 if self._held:
                await engine.release_hold(self._one(self._held).id)
            case 4 if self._held:
                seconds = self._dice.randrange(1, 900)
                await engine.extend_hold(self._dice.choice(self._held).id, seconds=seconds)
            case 5 if self._booked:
                part = [pool(show, "floor", 1)]
                await engine.cancel_booking(self._one(self._booked).id, reason="ill", lines=part)
            case 6 if self._blocks:
                await engine.unblock(self._blocks.pop().id, lines=[BlockLine("gallery", 1)])
            case 7 if self._booked and self._free:
                await self._move(self._dice.choice(self._booked))
            case _ if not self._blocks:
                some = [BlockLine("gallery", 2)]
                self._blocks.append(await engine.block(show.id, lines=some, reason="house"))

    async def _move(self, booking: bespeak.Booking) -> None:
        now = await self._engine.get_booking(booking.id)
        before, after = now.lines[0].unit or "", self._free.pop()
        await self._engine.move_booking(booking.id, [Move(before, after)])
        self._free.insert(0, before)

    def _one(self, some: list[Thing]) -> Thing:
        return some.pop(self._dice.randrange(len(some)))


@pytest.mark.parametrize("seed", range(6))
async def test_what_happens_while_it_is_read_comes_again_as_events(
    engine: bespeak.Engine, show: Resource, connection: Connection, seed: int
) -> None:
    bustle = Bustle(engine, show, random.Random(seed))
    await bustle.happens(25)
    await feed_settled(connection)
    page = await engine.events_snapshot(limit=2)
    copy: Copy = {}
    while True:
        for item in page.items:
            tell(copy, item)
        await bustle.happens(2)
        if page.next is None:
            break
        page = await engine.events_snapshot(after=page.next, limit=2)
    true = await followed(engine, connection, None)
    assert await caught_up(engine, connection, copy, page.cursor) == true


async def test_a_place_that_it_did_not_give_out_is_refused(engine: bespeak.Engine) -> None:
    for after in ("", "0-0", "0-0.0.0.bookings.0.0", "0-0.0.0.other.0." + 32 * "0"):
        with pytest.raises(InvalidCursor):
            await engine.events_snapshot(after=after)


async def test_it_looks_at_no_more_than_a_page(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    assert (await engine.events_snapshot()).items == []
    for number in range(1, 4):
        await book(engine, seats(show, f"A{number}"), owner=f"o{number}")
    first = await engine.events_snapshot(limit=2)
    assert first.items == [] and first.next is not None, "the blocks, of which there are none"
    page = await engine.events_snapshot(after=first.next, limit=2)
    assert len(page.items) == 2 and page.next is not None
