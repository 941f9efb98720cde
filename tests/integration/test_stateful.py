"""The engine against a small model, over random histories with a moving clock. After every step
the model and the availability agree, and the auditor finds nothing."""

from dataclasses import dataclass, field

import hypothesis.strategies as st
import pytest
from hypothesis.stateful import initialize, invariant, multiple, rule

from bespeak import BlockLine, Line, PoolPlan, Resource, Row, SeatsPlan, Section, UnitState
from tests.harness.histories import BLOCKS, BOOKINGS, HOLDS, Histories, Made, Past, run_histories
from tests.harness.seeds import examples
from tests.harness.shows import look, new_show

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


class Model(Past[Holding]):
    """The rules of the business in the simplest words."""

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


class Machine(Histories[Holding]):
    def __init__(self) -> None:
        super().__init__()
        self.model: Model = Model()

    @initialize()
    def begin(self) -> None:
        async def start() -> None:
            engine = await self.open()
            self.shows: list[Resource] = [
                await engine.create_resource(new_show(plan=PLAN, owner_limit=OWNER_LIMIT))
                for _ in range(2)
            ]

        self.do(start())

    def lines(self, asked: dict[Unit, int]) -> list[Line]:
        return [
            Line(self.shows[resource].id, unit, n if unit in POOLS else None)
            for (resource, unit), n in asked.items()
        ]

    @rule(
        target=HOLDS,
        owner=st.sampled_from(OWNERS),
        asked=asks,
        seconds=st.sampled_from([30, 60, 300]),
    )
    def place(self, owner: str, asked: dict[Unit, int], seconds: int) -> Made[Holding]:
        fits = self.model.fits(owner, asked)
        work = self.engine.place_hold(owner=owner, lines=self.lines(asked), hold_seconds=seconds)
        made = self.attempt(work, fits=fits)
        if made is None:
            return multiple()
        now = self.model.now
        holding = Holding(owner, dict(asked), UnitState.HELD, now + seconds, now + 1800)
        self.model.all.append(holding)
        return made.id, holding

    @rule(hold=HOLDS, seconds=st.sampled_from([10, 100, 1000, 1801]))
    def extend(self, hold: tuple[str, Holding], seconds: int) -> None:
        hold_id, holding = hold
        wanted = self.model.now + seconds
        fits = self.is_open(holding) and wanted <= holding.cap
        if self.attempt(self.engine.extend_hold(hold_id, seconds=seconds), fits=fits) is not None:
            assert holding.until is not None
            holding.until = max(holding.until, wanted)

    @rule(booking=BOOKINGS, asked=asks)
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

    @rule(target=BLOCKS, resource=st.integers(0, 1), asked=asks)
    def block(self, resource: int, asked: dict[Unit, int]) -> Made[Holding]:
        here = {(resource, unit): n for (_, unit), n in asked.items()}
        lines = [BlockLine(line.unit, line.quantity) for line in self.lines(here)]
        work = self.engine.block(self.shows[resource].id, lines, reason="x")
        made = self.attempt(work, fits=self.model.fits(None, here))
        if made is None:
            return multiple()
        holding = Holding(None, here, UnitState.BLOCKED, None)
        self.model.all.append(holding)
        return made.id, holding

    @rule(block=BLOCKS, asked=st.none() | asks)
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


@pytest.mark.explores
def test_the_engine_is_the_model(server: str) -> None:
    run_histories(Machine, server, histories=examples(25), steps=40)
