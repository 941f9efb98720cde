"""Small plans of nights, pictures of them and a slow reading of their rules, for the tests to hold
the quick one against.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
from hypothesis import strategies as st

from bespeak import Line
from bespeak.inventory.fields import Weekday
from bespeak.inventory.plans import LineClaims, SaleContext
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan, said_by
from bespeak.inventory.shapes.nights.rules import CompiledNights
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.states import UnitState

RESOURCE = "res_00000001"
TODAY = date(2026, 12, 20)  # a Sunday
NOW = datetime(2026, 12, 20, 9, 0, tzinfo=UTC)
SALE = SaleContext(NOW, ZoneInfo("UTC"), RESOURCE, 100)
DAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
LONGEST = 8  # no plan of these sells more nights, nor has a window of more

STATES = (UnitState.HELD, UnitState.BOOKED, UnitState.BLOCKED)


def day(offset: int) -> date:
    return TODAY + timedelta(days=offset)


def text(offset: int) -> str:
    return day(offset).isoformat()


def stay(arrival: int, nights: int, unit: str | None = None, quantity: int | None = None) -> Line:
    """A line whose arrival is so many days from today."""
    return Line(RESOURCE, unit, quantity, from_=text(arrival), to=text(arrival + nights))


def _pair(low: int, high: int) -> st.SearchStrategy[tuple[int | None, int | None]]:
    number = st.none() | st.integers(low, high)
    return st.tuples(number, number).filter(
        lambda pair: pair[0] is None or pair[1] is None or pair[0] <= pair[1]
    )


@st.composite
def _rules(draw: st.DrawFn, *, is_counted: bool) -> NightRule:
    start = draw(st.none() | st.integers(-2, 10))
    stop = draw(st.none() | st.integers(1, 8))
    by_arrival, through = draw(_pair(1, 5)), draw(_pair(1, 5))
    flag = st.sampled_from([None, None, None, None, None, True, False])
    count = draw(st.none() | st.integers(0, 3)) if is_counted else None
    rule = NightRule(
        from_=None if start is None else day(start),
        to=None if stop is None else day((start or 0) + stop),
        days=draw(st.none() | st.lists(st.sampled_from(DAYS), min_size=1, unique=True).map(tuple)),
        min_nights=by_arrival[0],
        max_nights=by_arrival[1],
        min_through=through[0],
        max_through=through[1],
        closed=draw(flag),
        closed_to_arrival=draw(flag),
        closed_to_departure=draw(flag),
        price=draw(st.none() | st.integers(0, 500)),
        count=count,
    )
    return rule if said_by(rule) else msgspec.structs.replace(rule, price=50)


def _plans(*, is_counted: bool) -> st.SearchStrategy[NightsPlan]:
    shared = {
        "window_days": st.integers(4, LONGEST),
        "check_in_time": st.sampled_from(["00:00", "08:59", "15:00"]),
        "cutoff_hours": st.sampled_from([-24, 0, 0, 6, 30]),
        "min_nights": st.integers(1, 2),
        "max_nights": st.sampled_from([3, 5, 366]),
        "price": st.none() | st.just(70),
        "rules": st.lists(_rules(is_counted=is_counted), max_size=3).map(tuple),
    }
    if is_counted:
        return st.builds(
            NightsPlan, count=st.integers(0, 3), overbooking=st.integers(0, 1), **shared
        )
    rooms = st.sampled_from([("101",), ("101", "102"), ("101", "102", "a@b")])
    return st.builds(NightsPlan, rooms=rooms, buffer_nights=st.integers(0, 2), **shared)


counted_plans = _plans(is_counted=True)
exact_plans = _plans(is_counted=False)
plans = counted_plans | exact_plans


@st.composite
def pictures(draw: st.DrawFn, plan: NightsPlan) -> Snapshot:
    """Some of the nights around the window are taken; of some the hold has lapsed."""
    days = [text(offset) for offset in range(-3, LONGEST + 4)]
    if plan.rooms is None:
        return Snapshot({}, draw(st.dictionaries(st.sampled_from(days), st.integers(0, 5))))
    units = [f"{room}@{one}" for room in plan.rooms for one in days]
    seconds = st.sampled_from([-60.0, 0.0, 60.0, 120.0])
    held = seconds.map(lambda ahead: TakenClaims(UnitState.HELD, NOW.timestamp() + ahead))
    lasting = st.sampled_from([TakenClaims(state, None) for state in STATES[1:]])
    return Snapshot(draw(st.dictionaries(st.sampled_from(units), held | lasting, max_size=12)))


def is_holdable(meant: LineClaims, picture: Snapshot, now: float = NOW.timestamp()) -> bool:
    """What the database would answer: each unit is not taken, each pool has enough."""
    for need in meant.needs:
        if need.quantity is None:
            if picture.taken(need.unit, now) is not None:
                return False
        elif picture.drawn(need.unit) + need.quantity > (need.capacity or 0):
            return False
    return True


def only(picture: Snapshot, units: list[str] | None) -> Snapshot:
    """The picture as it is read for these units alone."""
    if units is None:
        return picture
    wanted = set(units)
    return Snapshot(
        {unit: taken for unit, taken in picture.units.items() if unit in wanted},
        {unit: drawn for unit, drawn in picture.pools.items() if unit in wanted},
        now=picture.now,
        version=picture.version,
    )


class Reference:
    """The rules, read one by one for each date of a stay."""

    def __init__(self, plan: NightsPlan) -> None:
        self.plan = plan

    def says(self, when: date, field: str) -> int | None:
        """What the last rule says that says anything of the field."""
        said: int | None = getattr(self.plan, field, None)
        for rule in self.plan.rules:
            if rule.from_ is not None and when < rule.from_:
                continue
            if rule.to is not None and when >= rule.to:
                continue
            if rule.days is not None and DAYS[when.weekday()] not in rule.days:
                continue
            found = getattr(rule, field)
            said = said if found is None else found
        return said

    def capacity(self, when: date) -> int:
        count = self.says(when, "count") or 0
        return count + self.plan.overbooking if count else 0

    def price(self, when: date, base: int) -> int:
        found = self.says(when, "price")
        return base if found is None else found

    def broken(self, arrival: date, departure: date, now: datetime, zone: ZoneInfo) -> set[str]:
        """The reasons why the rules do not sell this stay."""
        return set(self._broken(arrival, departure, now, zone))

    def _broken(
        self, arrival: date, departure: date, now: datetime, zone: ZoneInfo
    ) -> Iterator[str]:
        hour, minute = map(int, self.plan.check_in_time.split(":"))
        check_in = datetime(arrival.year, arrival.month, arrival.day, hour, minute, tzinfo=zone)
        if check_in.timestamp() - 3600 * self.plan.cutoff_hours <= now.timestamp():
            yield "cutoff"
        today = now.astimezone(zone).date()
        stay = [arrival + timedelta(days=n) for n in range((departure - arrival).days)]
        if (stay[-1] - today).days >= self.plan.window_days:
            yield "beyond_window"
        if any(self.says(night, "closed") for night in stay):
            yield "closed"
        if self.says(arrival, "closed_to_arrival"):
            yield "closed_to_arrival"
        if self.says(departure, "closed_to_departure"):
            yield "closed_to_departure"
        least = [self.says(arrival, "min_nights"), *[self.says(n, "min_through") for n in stay]]
        if any(bound is not None and len(stay) < bound for bound in least):
            yield "min_stay"
        most = [self.says(arrival, "max_nights"), *[self.says(n, "max_through") for n in stay]]
        if any(bound is not None and len(stay) > bound for bound in most):
            yield "max_stay"


def compiled(**fields: object) -> CompiledNights:
    return CompiledNights(NightsPlan(**fields))  # type: ignore[arg-type]
