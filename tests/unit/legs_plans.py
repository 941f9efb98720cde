"""Small runs, journeys on them, and inventories that are partly sold, for the tests of legs."""

from datetime import datetime, timedelta
from itertools import combinations

from hypothesis import strategies as st

from bespeak import Line, PoolPlan, Row, Section
from bespeak.errors import NotOnSale
from bespeak.inventory.shapes.legs.plan import Fare, LegsPlan, Quota, Stop
from bespeak.inventory.shapes.legs.rules import CompiledLegs
from bespeak.inventory.snapshot import TakenClaims
from bespeak.lines import Best
from bespeak.states import UnitState
from tests.unit.ledger import BOOKED, NOW, RESOURCE, Ledger

CODES = "ABCDEFG"
Pair = tuple[str, str]
TAKEN = (
    BOOKED,
    TakenClaims(UnitState.BLOCKED, None),
    TakenClaims(UnitState.HELD, NOW.timestamp() + 60),
    TakenClaims(UnitState.HELD, NOW.timestamp()),  # lapsed
)


def pairs(plan: LegsPlan) -> list[Pair]:
    """Every journey of a run."""
    return list(combinations([stop.code for stop in plan.stops], 2))


def seat(unit: str, start: str, stop: str) -> Line:
    return Line(RESOURCE, unit, from_=start, to=stop)


def places(unit: str, quantity: int, start: str, stop: str) -> Line:
    return Line(RESOURCE, unit, quantity, from_=start, to=stop)


def any_seat(start: str, stop: str, quantity: int = 1, category: str | None = None) -> Line:
    if category is None:
        return Line(RESOURCE, None, quantity, from_=start, to=stop)
    return Line(RESOURCE, from_=start, to=stop, best=Best(quantity, category))


@st.composite
def _stops(draw: st.DrawFn, count: int) -> tuple[Stop, ...]:
    time = NOW - timedelta(minutes=draw(st.integers(0, 120)))
    stops = []
    for code in CODES[:count]:
        times: list[datetime | None] = []
        for _ in range(2):
            time += timedelta(minutes=draw(st.sampled_from([0, 5, 60])))
            times.append(draw(st.sampled_from([time, None])))
        stops.append(Stop(code, None, *times))
    return tuple(stops)


@st.composite
def _quotas(draw: st.DrawFn, name: str, count: int, classes: list[str]) -> Quota:
    start = draw(st.integers(0, count - 2))
    stop = draw(st.integers(start + 1, count - 1))
    return Quota(
        name=name,
        capacity=draw(st.integers(0, 4)),
        categories=tuple(draw(st.lists(st.sampled_from(classes), unique=True))),
        from_=draw(st.sampled_from([CODES[start], None])) if start == 0 else CODES[start],
        to=CODES[stop],
    )


@st.composite
def plans(draw: st.DrawFn, *, plain: bool = False) -> LegsPlan:
    """Runs with up to 6 stops and 9 seats; the plain ones have seats of one price and nothing
    else."""
    count = draw(st.integers(2, 6))
    classes = ["first", "second", "quiet"][: draw(st.integers(1, 3))]
    sections = tuple(
        Section(name, (Row(f"{name[0]}", draw(st.integers(1, 3))),), name) for name in classes
    )
    if plain:
        return LegsPlan(stops=tuple(Stop(code) for code in CODES[:count]), sections=sections)
    pools = [PoolPlan(name, draw(st.integers(0, 4))) for name in ("floor", "bikes")]
    pools = pools[: draw(st.integers(0, 2))]
    leg = st.sampled_from([0, 40, 60, 60, None])
    fares = []
    for name in (None, *classes, *(pool.unit for pool in pools)):
        kind = draw(st.sampled_from(["", "flat", "legs"]))
        if kind == "flat":
            fares.append(Fare(category=name, price=draw(st.sampled_from([50, 120]))))
        elif kind == "legs":
            prices = draw(st.lists(leg, min_size=count - 1, max_size=count - 1))
            fares.append(Fare(category=name, legs=tuple(prices)))
    return LegsPlan(
        stops=draw(_stops(count)),
        sections=sections,
        pools=tuple(pools),
        quotas=tuple(
            draw(_quotas(name, count, classes)) for name in ("q", "r")[: draw(st.integers(0, 2))]
        ),
        fares=tuple(fares),
        closes_minutes=draw(st.sampled_from([0, 10, -10])),
        price=draw(st.sampled_from([None, 80])),
    )


@st.composite
def sold(draw: st.DrawFn, *, plain: bool = False) -> tuple[CompiledLegs, Ledger]:
    """A run with some of its seats and places taken, by holds and blocks that were granted."""
    plan = draw(plans(plain=plain))
    compiled = CompiledLegs(plan)
    ledger = Ledger(compiled)
    units = [*compiled.categories, *(pool.unit for pool in plan.pools)]
    wanted = st.tuples(
        st.sampled_from(units), st.sampled_from(pairs(plan)), st.sampled_from(TAKEN), st.booleans()
    )
    for unit, (start, stop), taken, blocked in draw(st.lists(wanted, max_size=25)):
        quantity = None if unit in compiled.categories else 1
        line = Line(RESOURCE, unit, quantity, from_=start, to=stop)
        if blocked:
            ledger.take(compiled.block_needs(line, ledger.sale), taken)
        elif is_on_sale(ledger, line):
            ledger.hold([line], taken)
    return compiled, ledger


def is_on_sale(ledger: Ledger, line: Line) -> bool:
    try:
        ledger.plan.line_claims(line, ledger.sale)
    except NotOnSale:
        return False
    return True


def is_holdable(ledger: Ledger, lines: list[Line]) -> bool:
    """Whether one hold with these lines would be granted now."""
    return all(is_on_sale(ledger, line) for line in lines) and ledger.fits(lines)
