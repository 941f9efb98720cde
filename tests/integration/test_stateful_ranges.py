"""The engine against a small model of intervals, over random histories with a moving clock: nights
of rooms and of a type, legs of a run with a quota, courts with a buffer, numbers. After every step
the model and the availability agree, and the auditor finds nothing.
"""

from datetime import datetime

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis.stateful import initialize, invariant, multiple, rule

from bespeak import AvailabilityQuery, Line, NewResource, Resource, UnitState
from bespeak.inventory.shapes.legs.availability import LegsAvailability
from bespeak.inventory.shapes.moments.availability import MomentsAvailability
from bespeak.inventory.shapes.nights.availability import NightsAvailability
from bespeak.inventory.shapes.tickets.availability import TicketsAvailability
from tests.harness.histories import BLOCKS, BOOKINGS, HOLDS, Histories, Made, run_histories
from tests.harness.intervals import (
    COURTS,
    NUMBERS,
    OWNER_LIMIT,
    PLANS,
    ROOMS,
    TRAIN,
    TYPE,
    WISHES,
    Holding,
    Model,
    Part,
    Wish,
    night,
    part_of,
    time,
)
from tests.harness.seeds import examples
from tests.harness.shapes import blocks

OWNERS = ("asha", "bela")


class Machine(Histories[Holding]):
    def __init__(self) -> None:
        super().__init__()
        self.model: Model = Model()

    @initialize(focus=st.sets(st.integers(0, 4), min_size=1, max_size=2))
    def begin(self, focus: set[int]) -> None:
        """A history is of one or two resources, so that it meets itself."""
        self.focus = sorted(focus)

        async def start() -> None:
            engine = await self.open()
            self.made: list[Resource] = [
                await engine.create_resource(
                    NewResource(name="Any", plan=plan, owner_limit=OWNER_LIMIT)
                )
                for plan in PLANS
            ]

        self.do(start())

    def on(self, part: Part) -> Line:
        """The line of a part, on its resource."""
        resource_id = self.made[part.spans[0].place].id
        return msgspec.structs.replace(part.line, resource_id=resource_id)

    @rule(
        target=HOLDS,
        owner=st.sampled_from(OWNERS),
        count=st.integers(1, 3),
        numbers=st.sampled_from([0, 1, 2]),
        seconds=st.sampled_from([30, 60, 300]),
        data=st.data(),
    )
    def place(
        self, owner: str, count: int, numbers: int, seconds: int, data: st.DataObject
    ) -> Made[Holding]:
        asked = [self.wish(data) for _ in range(count)]
        if NUMBERS not in self.focus:
            numbers = 0
        parts = [part_of(wish) for wish in asked]
        lines = [self.on(part) for part in parts]
        named = {wish.start for wish in asked if wish.place == NUMBERS}
        given = self.model.numbers(numbers, named)
        if numbers:
            lines.append(Line(self.made[NUMBERS].id, next=numbers))
        parts += [part_of(Wish(NUMBERS, "", number, 1, 1)) for number in given]
        fits = len(given) == numbers and self.model.fits(owner, parts)
        work = self.engine.place_hold(
            owner=owner, lines=lines, hold_seconds=seconds, alternatives=0
        )
        made = self.attempt(work, fits=fits)
        if made is None:
            return multiple()
        assert made.lines == [self.on(part) for part in parts]
        now = self.model.now
        holding = Holding(owner, parts, UnitState.HELD, now + seconds, now + 1800)
        self.model.all.append(holding)
        return made.id, holding

    @rule(booking=BOOKINGS, number=st.integers(0, 5), quantity=st.none() | st.integers(1, 3))
    def cancel_some(self, booking: tuple[str, Holding], number: int, quantity: int | None) -> None:
        booking_id, holding = booking
        asked = holding.parts[number % len(holding.parts)]
        whole = asked.line.quantity
        line = self.on(asked)
        if whole is not None:
            line = msgspec.structs.replace(line, quantity=quantity)
        wanted = line.quantity or whole or 1
        # Of lines that are alike, any that has as much left.
        like = [one for one in holding.parts if is_like(one, asked) and one.left >= wanted]
        work = self.engine.cancel_booking(booking_id, reason="x", lines=[line])
        if self.attempt(work, fits=bool(like) and not holding.over) is not None:
            like[0].left -= wanted
            holding.over = not any(one.left for one in holding.parts)

    place_more = place
    place_most = place

    def wish(self, data: st.DataObject) -> Wish:
        return data.draw(st.sampled_from(self.focus).flatmap(WISHES.__getitem__))

    @rule(target=BLOCKS, data=st.data())
    def block(self, data: st.DataObject) -> Made[Holding]:
        asked = self.wish(data)
        part = part_of(asked, is_block=True)
        lines = blocks(part.line)
        work = self.engine.block(self.made[asked.place].id, lines, reason="x")
        made = self.attempt(work, fits=self.model.fits(None, [part]))
        if made is None:
            return multiple()
        assert made.lines == lines
        holding = Holding(None, [part], UnitState.BLOCKED, None)
        self.model.all.append(holding)
        return made.id, holding

    @rule(block=BLOCKS, by_line=st.booleans())
    def unblock(self, block: tuple[str, Holding], by_line: bool) -> None:
        block_id, holding = block
        lines = blocks(holding.parts[0].line) if by_line else None
        work = self.engine.unblock(block_id, lines=lines)
        if self.attempt(work, fits=not holding.over) is not None:
            holding.over = True

    @invariant()
    def the_calendars_are_the_models(self) -> None:
        if not hasattr(self, "made"):
            return
        for place in (ROOMS, TYPE):
            query = AvailabilityQuery(night(0), night(9))
            seen = self.do(self.engine.availability(self.made[place].id, query))
            assert isinstance(seen, NightsAvailability)
            for point, one in enumerate(seen.nights):
                if place == TYPE:
                    assert one.free == 3 - self.model.taken(TYPE, "", point)
                else:
                    assert {room: {taken.state} for room, taken in one.taken.items()} == {
                        room: states
                        for room in ("101", "102")
                        if (states := self.model.states(ROOMS, room, point, point + 1))
                    }

    @invariant()
    def the_legs_are_the_models(self) -> None:
        if not hasattr(self, "made"):
            return
        for leg in range(4):
            query = AvailabilityQuery("ABCDE"[leg], "ABCDE"[leg + 1])
            seen = self.do(self.engine.availability(self.made[TRAIN].id, query))
            assert isinstance(seen, LegsAvailability)
            assert {seat: {taken.state} for seat, taken in seen.taken.items()} == {
                seat: states
                for seat in ("S1", "S2")
                if (states := self.model.states(TRAIN, seat, leg, leg + 1))
            }
            left = 3 - self.model.taken(TRAIN, "unreserved", leg)
            assert seen.pools["unreserved"].available == left
            quota = 1 - self.model.taken(TRAIN, "quota", leg) if leg in (1, 2) else 9
            free = seen.classes["standard"].free
            assert seen.classes["standard"].available == min(free, quota)

    @invariant()
    def the_courts_and_numbers_are_the_models(self) -> None:
        if not hasattr(self, "made"):
            return
        query = AvailabilityQuery(time(0), time(10))
        seen = self.do(self.engine.availability(self.made[COURTS].id, query))
        assert isinstance(seen, MomentsAvailability)
        for thing in seen.things:
            gone = {
                point
                for point in range(10)
                if any(
                    datetime.fromisoformat(one.from_)
                    <= datetime.fromisoformat(time(point))
                    < datetime.fromisoformat(one.to)
                    for one in thing.taken
                )
            }
            assert gone == {
                point for point in range(10) if self.model.taken(COURTS, str(thing.unit), point)
            }
        numbers = self.do(self.engine.availability(self.made[NUMBERS].id))
        assert isinstance(numbers, TicketsAvailability)
        assert {unit: {one.state} for unit, one in numbers.taken.items()} == {
            f"T{n}": states
            for n in range(1, 5)
            if (states := self.model.states(NUMBERS, "", n, n + 1))
        }
        first = self.model.numbers(4, set())
        assert (numbers.left, numbers.next) == (len(first), f"T{first[0]}" if first else None)


def is_like(one: Part, other: Part) -> bool:
    """Whether two lines name the same, whatever the quantity."""
    ours, theirs = one.line, other.line
    return one.spans[0].place == other.spans[0].place and (ours.unit, ours.from_, ours.to) == (
        theirs.unit,
        theirs.from_,
        theirs.to,
    )


@pytest.mark.explores
def test_the_engine_is_the_model(server: str) -> None:
    run_histories(Machine, server, histories=examples(12), steps=30)
