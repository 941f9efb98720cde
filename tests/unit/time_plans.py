"""Plans of times, pictures of what is taken, and instants near which clocks change: what the
property tests of times and moments draw from.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from bespeak.inventory.plans import CompiledPlan, Need, SaleContext
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan
from bespeak.inventory.shapes.times.rules import CompiledTimes
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.inventory.timeline.hours import Hours, SpecialDays, WeeklyHours
from bespeak.states import UnitState
from tests.unit.ledger import RESOURCE

# Whole and odd offsets, clocks that change at midnight, at two, by half an hour, and never.
SOME_ZONES = (
    "UTC",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Europe/Berlin",
    "America/New_York",
    "America/Havana",
    "Africa/Cairo",
    "Australia/Lord_Howe",
    "Pacific/Chatham",
)
_HOURS: Sequence[tuple[str, str]] = (
    ("00:00", "24:00"),
    ("09:00", "12:30"),
    ("08:05", "10:10"),
    ("01:00", "04:00"),
    ("22:00", "02:30"),
)
_NOWS = (
    datetime(2026, 3, 6, 8, 20, tzinfo=UTC),
    datetime(2026, 3, 27, 22, 10, tzinfo=UTC),
    datetime(2026, 4, 3, 9, 5, 30, tzinfo=UTC),
    datetime(2026, 10, 24, 0, 5, tzinfo=UTC),
    datetime(2026, 10, 31, 3, 0, tzinfo=UTC),
    datetime(2026, 11, 22, 3, 44, 59, tzinfo=UTC),
)

sales = st.builds(
    lambda now, key: SaleContext(now, ZoneInfo(key), RESOURCE, 700),
    st.sampled_from(_NOWS),
    st.sampled_from(SOME_ZONES),
)
_days = st.one_of(
    st.just(("mon", "tue", "wed", "thu", "fri", "sat", "sun")), st.just(("sat", "sun"))
)
weekly = st.builds(
    lambda hours, days: (WeeklyHours(hours[0], hours[1], days),), st.sampled_from(_HOURS), _days
)
exceptions = st.lists(
    st.builds(
        lambda day, hours: SpecialDays(day.date(), closed=hours is None, hours=hours or ()),
        st.sampled_from(_NOWS),
        st.one_of(st.none(), st.sampled_from(_HOURS).map(lambda hours: (Hours(*hours),))),
    ),
    max_size=1,
).map(tuple)
_steps = st.sampled_from([5, 10, 15, 20, 30, 45, 60])
_buffers = st.sampled_from([0, 0, 5, 10, 30])


@st.composite
def times_plans(draw: st.DrawFn) -> CompiledTimes:
    """Any plan of times whose lengths are multiples of five minutes."""
    several = draw(st.booleans())
    capacity = draw(st.sampled_from([1, 1, 3]))
    providers = (
        Provider("ann"),
        Provider("bea", weekly=draw(st.one_of(st.none(), weekly))),
        Provider("cy@home", capacity=draw(st.sampled_from([None, None, 1, 2]))),
    )
    slot = draw(_steps)
    return CompiledTimes(
        TimesPlan(
            slot_minutes=slot,
            step_minutes=draw(st.one_of(st.none(), _steps)),
            weekly=draw(weekly),
            exceptions=draw(exceptions),
            holidays=tuple(
                now.date() for now in draw(st.lists(st.sampled_from(_NOWS), max_size=1))
            ),
            providers=providers[: draw(st.integers(1, 3))] if several else (),
            buffer_before_minutes=draw(_buffers),
            buffer_after_minutes=draw(_buffers),
            notice_minutes=draw(st.sampled_from([0, 90, 2000])),
            horizon_days=draw(st.sampled_from([0, 1, 90])),
            capacity=capacity,
            consecutive_max=draw(st.sampled_from([1, 3])),
            price=draw(st.sampled_from([None, 4000])),
            raster_minutes=5,
        )
    )


def scatter(units: Sequence[str], pools: bool, seed: int, now: float) -> Snapshot:
    """A picture in which some of the units are taken, for all reasons that there are, and some
    were taken until just now."""
    random = Random(seed)
    share = random.choice([0.0, 0.02, 0.2, 0.9])
    some = [unit for unit in units if random.random() < share]
    if pools:
        return Snapshot(drawn={unit: random.randint(1, 3) for unit in some}, now=now)
    reasons = [
        TakenClaims(UnitState.BOOKED, None),
        TakenClaims(UnitState.BLOCKED, None),
        TakenClaims(UnitState.HELD, now + 60),
        TakenClaims(UnitState.HELD, now + 600),
        TakenClaims(UnitState.HELD, now),
    ]
    return Snapshot({unit: random.choice(reasons) for unit in some}, now=now)


def merged(*pictures: Snapshot) -> Snapshot:
    """One picture of them all."""
    units = {unit: taken for one in pictures for unit, taken in one.units.items()}
    pools = {unit: drawn for one in pictures for unit, drawn in one.pools.items()}
    return Snapshot(units, pools, now=pictures[0].now)


def only(picture: Snapshot, units: Sequence[str] | None) -> Snapshot:
    """The picture as it is when only these units are read."""
    if units is None:
        return picture
    return Snapshot(
        {unit: picture.units[unit] for unit in units if unit in picture.units},
        {unit: picture.pools[unit] for unit in units if unit in picture.pools},
        now=picture.now,
    )


def is_free(picture: Snapshot, needs: Sequence[Need], now: float) -> bool:
    """Whether the database would grant these claims."""
    return all(
        picture.taken(need.unit, now) is None
        if need.quantity is None
        else picture.drawn(need.unit) + need.quantity <= (need.capacity or 0)
        for need in needs
    )


def why_taken(picture: Snapshot, needs: Sequence[Need], now: float) -> set[TakenClaims]:
    """Every reason that stands in the way of exclusive claims."""
    found = (picture.taken(need.unit, now) for need in needs)
    return {taken for taken in found if taken is not None}


def has_all(plan: CompiledPlan, needs: Sequence[Need]) -> bool:
    """Whether each claim is of the plan, and none comes twice."""
    units = [need.unit for need in needs]
    return len(set(units)) == len(units) and all(plan.has(unit) for unit in units)
