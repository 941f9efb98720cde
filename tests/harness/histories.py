"""Random histories of an engine beside a model of it: what every machine of them does, whatever its
lines are. Who derives from `Histories` begins the history, places, blocks, and compares.
"""

import asyncio
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from typing import Any, Generic, Protocol, TypeVar

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

import bespeak
from bespeak import UnitState
from bespeak.reservations.sweeper import Sweeper
from tests.conftest import SETTINGS
from tests.harness import database
from tests.harness.clock import START, Clock
from tests.harness.database import problems


class ModelHolding(Protocol):
    """What a model knows of a hold, booking or block: until when it is, and whether it ended."""

    state: UnitState
    until: float | None
    over: bool


Answer = TypeVar("Answer")
Holding = TypeVar("Holding", bound=ModelHolding)
Made = tuple[str, Holding] | MultipleResults[tuple[str, Holding]]

HOLDS: Bundle[Any] = Bundle("holds")  # any: of the machine's own holdings
BOOKINGS: Bundle[Any] = Bundle("bookings")  # any: as above
BLOCKS: Bundle[Any] = Bundle("blocks")  # any: as above


class Past(Generic[Holding]):
    """What a model remembers: all that was ever held, and the time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.all: list[Holding] = []

    def live(self) -> list[Holding]:
        return [
            one for one in self.all if not one.over and (one.until is None or one.until > self.now)
        ]


class Histories(RuleBasedStateMachine, Generic[Holding]):
    """Runs every rule in the engine and in the model."""

    server = ""
    model: Past[Holding]

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()

    def do(self, work: Awaitable[Answer]) -> Answer:
        async def run() -> Answer:
            return await work

        return self.runner.run(run())

    async def open(self) -> bespeak.Engine:
        """An engine on a database of its own, with a clock that stands still."""
        url = await self.stack.enter_async_context(database.fresh_database(self.server))
        self.connection = await self.stack.enter_async_context(database.session(url))
        self.clock = Clock(await self.stack.enter_async_context(database.session(url)))
        await self.clock.set(START)
        self.engine = await self.stack.enter_async_context(
            bespeak.connect(url, settings=SETTINGS, sweep=False)
        )
        self.clock.shared_with(self.engine)
        return self.engine

    def teardown(self) -> None:
        self.do(self.stack.aclose())
        self.runner.close()

    def attempt(self, work: Awaitable[Answer], *, fits: bool) -> Answer | None:
        """What the engine answers, which is a refusal just where the model says so."""
        try:
            made = self.do(work)
        except bespeak.BespeakError as error:
            assert not fits, f"refused: {error} {error.data}"
            return None
        assert fits, f"granted: {made}"
        return made

    def is_open(self, holding: Holding) -> bool:
        held = holding.state is UnitState.HELD and not holding.over
        return held and holding.until is not None and holding.until > self.model.now

    @rule(target=BOOKINGS, hold=HOLDS)
    def confirm(self, hold: tuple[str, Holding]) -> Made[Holding]:
        hold_id, holding = hold
        made = self.attempt(self.engine.confirm_hold(hold_id), fits=self.is_open(holding))
        if made is None:
            return multiple()
        holding.state, holding.until = UnitState.BOOKED, None
        return made.id, holding

    @rule(hold=consumes(HOLDS))
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

    @rule(booking=BOOKINGS)
    def cancel(self, booking: tuple[str, Holding]) -> None:
        booking_id, holding = booking
        work = self.engine.cancel_booking(booking_id, reason="x")
        if self.attempt(work, fits=not holding.over) is not None:
            holding.over = True

    @invariant()
    def the_auditor_is_silent(self) -> None:
        if hasattr(self, "engine"):
            assert self.do(problems(self.connection)) == []


def run_histories(
    machine: type[Histories[Holding]], server: str, *, histories: int, steps: int
) -> None:
    """Runs so many histories of so many steps at most, on a server."""
    machine.server = server
    chosen = settings(
        max_examples=histories,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(machine, settings=chosen)
