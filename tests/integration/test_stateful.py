"""The engine against a small model, over random histories with a moving clock. After every step
the model and the availability agree, and the auditor finds nothing."""

import asyncio
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TypeVar

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

import bespeak
from bespeak import BlockLine, Line, PoolPlan, Resource, Row, SeatsPlan, Section, UnitState
from bespeak.reservations.sweeper import Sweeper
from tests.conftest import SETTINGS
from tests.harness import database
from tests.harness.clock import START, Clock
from tests.harness.database import problems
from tests.harness.seeds import examples
from tests.harness.shows import look, new_show

Answer = TypeVar("Answer")
Unit = tuple[int, str]
SEATS = ("A1", "A2", "A3")
POOLS = {"floor": 4}
OWNER_LIMIT = 5
PLAN = SeatsPlan(
    sections=(Section("S", (Row("A", len(SEATS)),)),),
    pools=tuple(PoolPlan(unit, capacity) for unit, capacity in POOLS.items()),
)
OWNERS = ("asha", "bela")


@dataclass
class Holding:
    """What the model knows of a hold, booking or block: what it has and until when."""

    owner: str | None
    lines: dict[Unit, int]
    state: UnitState
    until: float | None
    cap: float = 0.0
    over: bool = False
    seats: set[Unit] = field(default_factory=set)


class Model:
    """The rules of the business in the simplest words."""

    def __init__(self) -> None:
        self.now = 0.0
        self.all: list[Holding] = []

    def live(self) -> list[Holding]:
        return [
            one for one in self.all if not one.over and (one.until is None or one.until > self.now)
        ]

    def taken(self, unit: Unit, owner: str | None = None) -> int:
        return sum(
            one.lines.get(unit, 0) for one in self.live() if owner is None or one.owner == owner
        )

    def owned(self, resource: int, owner: str) -> int:
        units = [(resource, unit) for unit in (*SEATS, *POOLS)]
        return sum(self.taken(unit, owner) for unit in units)

    def fits(self, owner: str | None, lines: dict[Unit, int]) -> bool:
        for unit, quantity in lines.items():
            if self.taken(unit) + quantity > POOLS.get(unit[1], 1):
                return False
        if owner is not None:
            for resource in {unit[0] for unit in lines}:
                asked = sum(n for unit, n in lines.items() if unit[0] == resource)
                if self.owned(resource, owner) + asked > OWNER_LIMIT:
                    return False
        return True


units = st.tuples(st.integers(0, 1), st.sampled_from((*SEATS, *POOLS)))
asks = st.dictionaries(units, st.integers(1, 3), min_size=1, max_size=4).map(
    lambda found: {unit: n if unit[1] in POOLS else 1 for unit, n in found.items()}
)


Made = tuple[str, Holding] | MultipleResults[tuple[str, Holding]]


class Engine(RuleBasedStateMachine):
    """Runs every rule in the engine and in the model."""

    server = ""
    holds: Bundle[tuple[str, Holding]] = Bundle("holds")
    bookings: Bundle[tuple[str, Holding]] = Bundle("bookings")
    blocks: Bundle[tuple[str, Holding]] = Bundle("blocks")

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.model = Model()

    def do(self, work: Awaitable[Answer]) -> Answer:
        async def run() -> Answer:
            return await work

        return self.runner.run(run())

    @initialize()
    def begin(self) -> None:
        async def start() -> None:
            url = await self.stack.enter_async_context(database.fresh_database(self.server))
            self.connection = await self.stack.enter_async_context(database.session(url))
            self.clock = Clock(await self.stack.enter_async_context(database.session(url)))
            await self.clock.set(START)
            self.engine = await self.stack.enter_async_context(
                bespeak.connect(url, settings=SETTINGS, sweep=False)
            )
            self.clock.shared_with(self.engine)
            self.shows: list[Resource] = [
                await self.engine.create_resource(new_show(plan=PLAN, owner_limit=OWNER_LIMIT))
                for _ in range(2)
            ]

        self.do(start())

    def teardown(self) -> None:
        self.do(self.stack.aclose())
        self.runner.close()

    def lines(self, asked: dict[Unit, int]) -> list[Line]:
        return [
            Line(self.shows[resource].id, unit, n if unit in POOLS else None)
            for (resource, unit), n in asked.items()
        ]

    def attempt(self, work: Awaitable[Answer], *, fits: bool) -> Answer | None:
        try:
            made = self.do(work)
        except bespeak.BespeakError as error:
            assert not fits, f"refused: {error}"
            return None
        assert fits, f"granted: {made}"
        return made

    def is_open(self, holding: Holding) -> bool:
        held = holding.state is UnitState.HELD and not holding.over
        return held and holding.until is not None and holding.until > self.model.now

    @rule(
        target=holds,
        owner=st.sampled_from(OWNERS),
        asked=asks,
        seconds=st.sampled_from([30, 60, 300]),
    )
    def place(self, owner: str, asked: dict[Unit, int], seconds: int) -> Made:
        fits = self.model.fits(owner, asked)
        work = self.engine.place_hold(owner=owner, lines=self.lines(asked), hold_seconds=seconds)
        made = self.attempt(work, fits=fits)
        if made is None:
            return multiple()
        now = self.model.now
        holding = Holding(owner, dict(asked), UnitState.HELD, now + seconds, now + 1800)
        self.model.all.append(holding)
        return made.id, holding

    @rule(target=bookings, hold=holds)
    def confirm(self, hold: tuple[str, Holding]) -> Made:
        hold_id, holding = hold
        made = self.attempt(self.engine.confirm_hold(hold_id), fits=self.is_open(holding))
        if made is None:
            return multiple()
        holding.state, holding.until = UnitState.BOOKED, None
        return made.id, holding

    @rule(hold=holds, seconds=st.sampled_from([10, 100, 1000, 1801]))
    def extend(self, hold: tuple[str, Holding], seconds: int) -> None:
        hold_id, holding = hold
        wanted = self.model.now + seconds
        fits = self.is_open(holding) and wanted <= holding.cap
        if self.attempt(self.engine.extend_hold(hold_id, seconds=seconds), fits=fits) is not None:
            assert holding.until is not None
            holding.until = max(holding.until, wanted)

    @rule(hold=consumes(holds))
    def release(self, hold: tuple[str, Holding]) -> None:
        hold_id, holding = hold
        if self.attempt(self.engine.release_hold(hold_id), fits=self.is_open(holding)) is not None:
            holding.over = True

    @rule(seconds=st.sampled_from([1, 29, 30, 60, 300, 1800]))
    def wait(self, seconds: int) -> None:
        self.model.now += seconds
        self.do(self.clock.advance(seconds))

    @rule()
    def sweep(self) -> None:
        due = [
            one
            for one in self.model.all
            if one.until is not None and one.until <= self.model.now and not one.over
        ]
        expired, _ = self.do(Sweeper(self.engine.database.pool).sweep())
        assert expired == len(due)
        for one in due:
            one.over = True

    @rule(booking=bookings)
    def cancel(self, booking: tuple[str, Holding]) -> None:
        booking_id, holding = booking
        work = self.engine.cancel_booking(booking_id, reason="x")
        if self.attempt(work, fits=not holding.over) is not None:
            holding.over = True

    @rule(booking=bookings, asked=asks)
    def cancel_some(self, booking: tuple[str, Holding], asked: dict[Unit, int]) -> None:
        booking_id, holding = booking
        fits = not holding.over and all(
            holding.lines.get(unit, 0) >= n for unit, n in asked.items()
        )
        work = self.engine.cancel_booking(booking_id, reason="x", lines=self.lines(asked))
        if self.attempt(work, fits=fits) is not None:
            for unit, n in asked.items():
                holding.lines[unit] -= n
            holding.over = not any(holding.lines.values())

    @rule(target=blocks, resource=st.integers(0, 1), asked=asks)
    def block(self, resource: int, asked: dict[Unit, int]) -> Made:
        here = {(resource, unit): n for (_, unit), n in asked.items()}
        lines = [BlockLine(line.unit, line.quantity) for line in self.lines(here)]
        work = self.engine.block(self.shows[resource].id, lines, reason="x")
        made = self.attempt(work, fits=self.model.fits(None, here))
        if made is None:
            return multiple()
        holding = Holding(None, here, UnitState.BLOCKED, None)
        self.model.all.append(holding)
        return made.id, holding

    @rule(block=blocks, asked=st.none() | asks)
    def unblock(self, block: tuple[str, Holding], asked: dict[Unit, int] | None) -> None:
        block_id, holding = block
        if asked is not None:
            (resource,) = {unit[0] for unit in holding.lines}
            asked = {(resource, unit): n for (_, unit), n in asked.items()}
        wanted = dict(holding.lines) if asked is None else asked
        fits = not holding.over and all(
            0 < n <= holding.lines.get(unit, 0) for unit, n in wanted.items() if n
        )
        lines = None
        if asked is not None:
            lines = [BlockLine(line.unit, line.quantity) for line in self.lines(asked)]
        if self.attempt(self.engine.unblock(block_id, lines=lines), fits=fits) is not None:
            for unit, n in wanted.items():
                holding.lines[unit] -= n
            holding.over = not any(holding.lines.values())

    @invariant()
    def the_availability_is_the_models(self) -> None:
        if not hasattr(self, "shows"):
            return
        for resource, show in enumerate(self.shows):
            seen = self.do(look(self.engine, show))
            assert {unit: taken.state for unit, taken in seen.taken.items()} == {
                unit: one.state
                for one in self.model.live()
                for (where, unit), n in one.lines.items()
                if where == resource and n and unit in SEATS
            }
            assert {unit: level.available for unit, level in seen.pools.items()} == {
                unit: capacity - self.model.taken((resource, unit))
                for unit, capacity in POOLS.items()
            }

    @invariant()
    def the_auditor_is_silent(self) -> None:
        if hasattr(self, "shows"):
            assert self.do(problems(self.connection)) == []


@pytest.mark.explores
def test_the_engine_is_the_model(server: str) -> None:
    Engine.server = server
    chosen = settings(
        max_examples=examples(25),
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Engine, settings=chosen)
