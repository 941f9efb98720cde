"""Times: which plans and lines make sense, and which claims a line means."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bespeak import InvalidRequest, Line
from bespeak.errors import BespeakError, NotOnSale, UnknownUnit
from bespeak.inventory.plans import AvailabilityQuery, Need, SaleContext
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan
from bespeak.inventory.shapes.times.rules import CompiledTimes
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.inventory.timeline.hours import Hours, Schedule, SpecialDays, WeeklyHours
from bespeak.inventory.timeline.instants import day_start, instant_of, local_day, shown
from bespeak.lines import Best
from bespeak.states import UnitState
from tests.harness.seeds import examples
from tests.unit.ledger import RESOURCE
from tests.unit.plan_pages import VERSION, answer_block, plan_blocks
from tests.unit.time_plans import sales, times_plans

SALE = SaleContext(datetime(2026, 11, 22, tzinfo=UTC), ZoneInfo("Asia/Kolkata"), RESOURCE, 700)
MORNINGS = (WeeklyHours("09:00", "13:00"),)


def _plan(**fields: object) -> CompiledTimes:
    document = {"type": "times", "slot_minutes": 30, "weekly": [{"from": "09:00", "to": "13:00"}]}
    return CompiledTimes(msgspec.convert({**document, **fields}, TimesPlan))


def _line(from_: str, to: str | None = None, **fields: object) -> Line:
    document = {"resource_id": RESOURCE, "from": from_, **({"to": to} if to else {}), **fields}
    return msgspec.convert(document, Line)


def test_a_slot_claims_the_cells_that_are_in_it() -> None:
    meant = _plan().line_claims(_line("2026-11-23T09:30:00+05:30"), SALE)
    assert meant.needs == [Need("2026-11-23T04:00Z"), Need("2026-11-23T04:15Z")]
    assert (meant.amount, meant.weight) == (700, 1)
    assert meant.line == _line("2026-11-23T09:30:00+05:30", "2026-11-23T10:00:00+05:30")


def test_a_raster_as_long_as_the_slot_makes_a_slot_one_claim() -> None:
    meant = _plan(raster_minutes=30).line_claims(_line("2026-11-23T04:00:00Z"), SALE)
    assert meant.needs == [Need("2026-11-23T04:00Z")]


def test_buffers_are_claimed_with_the_slot() -> None:
    plan = _plan(
        buffer_before_minutes=5, buffer_after_minutes=10, providers=[{"name": "dr@home"}], price=9
    )
    meant = plan.line_claims(_line("2026-11-23T09:00", quantity=1), SALE)
    assert [need.unit for need in meant.needs] == [
        f"dr@home@2026-11-23T03:{minute:02}Z" for minute in range(25, 60, 5)
    ] + ["dr@home@2026-11-23T04:00Z", "dr@home@2026-11-23T04:05Z"]
    assert meant.line.unit == "dr@home"
    assert meant.line.quantity is None
    assert meant.amount == 9


def test_places_are_drawn_from_a_pool_of_each_cell() -> None:
    plan = _plan(capacity=8, consecutive_max=2, price=250)
    meant = plan.line_claims(_line("2026-11-23T09:00", "PT1H", quantity=3), SALE)
    assert meant.needs == [
        Need(f"2026-11-23T{text}Z", 3, 8) for text in ("03:30", "03:45", "04:00", "04:15")
    ]
    assert (meant.amount, meant.weight, meant.line.quantity) == (1500, 3, 3)


@settings(deadline=None, max_examples=examples(80))
@given(times_plans(), times_plans(), sales, st.data())
def test_what_overlaps_in_time_collides_and_nothing_else_does(
    one: CompiledTimes, other: CompiledTimes, sale: SaleContext, data: st.DataObject
) -> None:
    """Also when the plan was changed in between: the claims of both are of one raster."""
    assume(one.rule.tracks[0].name == other.rule.tracks[0].name)
    found = []
    for plan in (one, other):
        track = plan.rule.tracks[0]
        query = AvailabilityQuery(unit=track.name or None)
        slots = plan.reader.answer(query, Snapshot(), sale).slots
        assume(slots)
        slot = data.draw(st.sampled_from(slots[:60]))
        start, end = (instant_of(text, sale.zone, "") for text in (slot.from_, slot.to))
        units = plan.rule.raster.names(track.name, plan.rule.cells(start, 1))
        found.append((start - plan.rule.before, end + plan.rule.after, frozenset(units)))
    (begin, end, ours), (others_begin, others_end, theirs) = found
    assert bool(ours & theirs) == (begin < others_end and others_begin < end)


def test_slots_in_a_row() -> None:
    plan = _plan(consecutive_max=3, buffer_after_minutes=15)
    meant = plan.line_claims(_line("2026-11-23T09:00", "2026-11-23T10:30"), SALE)
    assert [need.unit[-6:] for need in meant.needs] == [
        "03:30Z", "03:45Z", "04:00Z", "04:15Z", "04:30Z", "04:45Z", "05:00Z",
    ]  # fmt: skip
    assert meant.amount == 3 * 700
    assert _reasons(plan, _line("2026-11-23T09:00", "2026-11-23T11:00")) == ["max_stay"]
    assert _reasons(plan, _line("2026-11-23T12:30", "2026-11-23T13:30")) == ["not_offered"]


def _reasons(plan: CompiledTimes, line: Line, sale: SaleContext = SALE) -> list[str]:
    with pytest.raises(NotOnSale) as refused:
        plan.line_claims(line, sale)
    reasons = refused.value.data["reasons"]
    assert isinstance(reasons, list)
    return [reason["reason"] for reason in reasons]


def test_why_a_slot_is_not_sold() -> None:
    plan = _plan(
        notice_minutes=60,
        horizon_days=7,
        holidays=["2026-11-25"],
        exceptions=[
            {"date": "2026-11-26", "hours": [{"from": "15:00", "to": "16:00"}]},
            {"from": "2026-11-27", "to": "2026-11-29", "closed": True},
        ],
    )
    sale = SALE._replace(now=datetime(2026, 11, 22, 4, 0, tzinfo=UTC))  # 9:30 in Kolkata
    assert _reasons(plan, _line("2026-11-22T10:00"), sale) == ["cutoff"]
    assert plan.line_claims(_line("2026-11-22T10:30"), sale).amount == 700
    assert plan.line_claims(_line("2026-11-29T12:30"), sale).amount == 700
    assert _reasons(plan, _line("2026-11-30T09:00"), sale) == ["beyond_window"]
    assert _reasons(plan, _line("2026-11-23T09:15"), sale) == ["not_offered"]
    assert _reasons(plan, _line("2026-11-23T13:00"), sale) == ["not_offered"]
    assert _reasons(plan, _line("2026-11-25T09:00"), sale) == ["closed"]
    assert _reasons(plan, _line("2026-11-26T09:00"), sale) == ["not_offered"]
    assert plan.line_claims(_line("2026-11-26T15:00"), sale).amount == 700
    assert _reasons(plan, _line("2026-11-28T09:00"), sale) == ["closed"]
    assert _reasons(plan, _line("2025-11-28T09:10"), sale) == ["not_offered", "cutoff"]
    assert _reasons(plan, _line("9900-11-28T09:10"), sale) == ["not_offered", "beyond_window"]


def test_the_window_moves_at_midnight_of_the_zone() -> None:
    plan = _plan(horizon_days=0)
    before = SALE._replace(now=datetime(2026, 11, 22, 18, 29, 59, tzinfo=UTC))
    assert _reasons(plan, _line("2026-11-23T09:00"), before) == ["beyond_window"]
    after = SALE._replace(now=datetime(2026, 11, 22, 18, 30, tzinfo=UTC))
    assert plan.line_claims(_line("2026-11-23T09:00"), after).amount == 700


def test_providers_have_rules_of_their_own() -> None:
    plan = _plan(
        holidays=["2026-11-25"],
        providers=[
            {"name": "ann"},
            {"name": "bea", "weekly": [{"days": ["mon"], "from": "14:00", "to": "15:00"}]},
            {"name": "cy", "exceptions": [{"date": "2026-11-25", "hours": [
                {"from": "09:00", "to": "10:00"}]}], "capacity": 2},
            {"name": "dee", "weekly": []},
        ],
    )  # fmt: skip
    found = {
        track.name: [
            slot.from_
            for slot in plan.reader.answer(
                AvailabilityQuery("2026-11-23", "2026-11-26", unit=track.name), Snapshot(), SALE
            ).slots
        ]
        for track in plan.rule.tracks
    }
    assert [len(starts) for starts in found.values()] == [16, 2, 18, 0]
    assert found["bea"] == ["2026-11-23T14:00:00+05:30", "2026-11-23T14:30:00+05:30"]
    pool = plan.line_claims(_line("2026-11-25T09:30", unit="cy"), SALE)
    assert pool.needs[0] == Need("cy@2026-11-25T04:00Z", 1, 2)
    assert pool.line.quantity == 1


def test_a_night_runs_into_the_next_date_and_ends_where_its_hours_begin() -> None:
    schedule = Schedule(
        (
            WeeklyHours("20:00", "04:00", ("fri",)),
            WeeklyHours("02:00", "03:00", ("sat",)),
            WeeklyHours("22:00", "00:00", ("sun",)),
        ),
        (SpecialDays(date=date(2026, 11, 28), closed=True),),
        (),
    )
    friday = local_day(day_start(ZoneInfo("UTC"), 20_000), ZoneInfo("UTC"))
    friday += (4 - (friday + 3) % 7) % 7
    assert schedule.windows(friday) == ((20 * 60, 26 * 60),)
    assert schedule.windows(friday + 2) == ((22 * 60, 24 * 60),)
    closed_saturday = date(2026, 11, 27).toordinal() - date(1970, 1, 1).toordinal()
    assert schedule.windows(closed_saturday) == ((20 * 60, 28 * 60),)


NONSENSE = [
    {"weekly": []},
    {"weekly": [{"from": "09:00", "to": "09:00"}]},
    {"weekly": [{"from": "24:00", "to": "09:00"}]},
    {"weekly": [{"from": "09:00", "to": "09:20"}]},
    {"weekly": [{"from": "09:00", "to": "12:00"}, {"from": "11:30", "to": "13:00"}]},
    {"weekly": [{"from": "22:00", "to": "03:00"}, {"from": "23:00", "to": "23:30"}]},
    {"weekly": [{"from": "09:10", "to": "12:00"}]},
    {"raster_minutes": 20},
    {"raster_minutes": 60},
    {"raster_minutes": 7, "slot_minutes": 7},
    {"slot_minutes": 1440, "step_minutes": 1},
    {"slot_minutes": 1, "consecutive_max": 1000, "buffer_after_minutes": 1440,
     "buffer_before_minutes": 1440, "weekly": [{"from": "00:00", "to": "24:00"}]},
    {"slot_minutes": 720, "consecutive_max": 1000},
    {"providers": [{"name": "a"}, {"name": "a"}]},
    {"providers": [{"name": "next:a"}]},
    {"providers": [{"name": "a"}], "weekly": []},
    {"exceptions": [{"date": "2026-01-01"}]},
    {"exceptions": [{"date": "2026-01-01", "closed": True,
                     "hours": [{"from": "09:00", "to": "10:00"}]}]},
    {"exceptions": [{"closed": True}]},
    {"exceptions": [{"date": "2026-01-01", "to": "2026-01-03", "closed": True}]},
    {"exceptions": [{"from": "2026-01-01", "closed": True}]},
    {"exceptions": [{"from": "2026-01-03", "to": "2026-01-03", "closed": True}]},
    {"exceptions": [{"date": "2026-01-01", "hours": [{"from": "09:05", "to": "10:00"}]}]},
]  # fmt: skip


@pytest.mark.parametrize("fields", NONSENSE)
def test_a_plan_that_makes_no_sense(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidRequest) as refused:
        _plan(**fields)
    assert refused.value.data["field"] == "plan"


def test_a_plan_that_is_off_its_raster_says_which_would_do() -> None:
    with pytest.raises(InvalidRequest, match="`raster_minutes` 5 has"):
        _plan(weekly=[{"from": "09:10", "to": "12:00"}])
    plan = _plan(weekly=[{"from": "09:10", "to": "12:00"}], raster_minutes=5)
    assert len(plan.line_claims(_line("2026-11-23T09:10"), SALE).needs) == 6


@pytest.mark.parametrize(
    "plan",
    [
        TimesPlan(slot_minutes=0, weekly=MORNINGS),
        TimesPlan(slot_minutes=30, weekly=(WeeklyHours("9", "13:00"),)),
        TimesPlan(slot_minutes=30, weekly=(WeeklyHours("09:00", "25:00"),)),
        TimesPlan(slot_minutes=30, weekly=MORNINGS, providers=(Provider(""),)),
        TimesPlan(slot_minutes=30, weekly=MORNINGS, capacity=-1),
        TimesPlan(slot_minutes="30", weekly=MORNINGS),  # type: ignore[arg-type]
        TimesPlan(slot_minutes=30, weekly=MORNINGS, holidays=("christmas",)),  # type: ignore[arg-type]
        TimesPlan(slot_minutes=30, weekly=None),  # type: ignore[arg-type]
    ],
)
def test_a_plan_made_in_python_is_held_to_the_same(plan: TimesPlan) -> None:
    with pytest.raises(InvalidRequest):
        CompiledTimes(plan)


@settings(deadline=None)
@given(times_plans())
def test_a_plan_is_read_as_it_was_written(plan: CompiledTimes) -> None:
    assert msgspec.json.decode(msgspec.json.encode(plan.plan), type=TimesPlan) == plan.plan
    assert hash(plan.plan) == hash(CompiledTimes(plan.plan).plan)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "lines.from"),
        ({"from": "2026-11-23"}, "lines.from"),
        ({"from": "09:00"}, "lines.from"),
        ({"from": "now"}, "lines.from"),
        ({"from": "2026-11-23T24:00"}, "lines.from"),
        ({"from": "2026-11-23T09:60"}, "lines.from"),
        ({"from": "2026-11-23T09:00:60Z"}, "lines.from"),
        ({"from": "2026-11-23T09:00:00.5Z"}, "lines.from"),
        ({"from": "2026-11-23T09:00:00+24:00"}, "lines.from"),
        ({"from": "2026-13-23T09:00:00Z"}, "lines.from"),
        ({"from": "0000-01-01T00:00:00Z"}, "lines.from"),
        ({"from": "9999-12-31T23:59:59-23:59"}, "lines.from"),
        ({"from": "٢٠٢٦-11-23T09:00:00Z"}, "lines.from"),
        ({"from": "2026-W48-1T09:00"}, "lines.from"),
        ({"from": "2026-11-23T09:00", "to": "2026-11-23T09:20"}, "lines.to"),
        ({"from": "2026-11-23T09:00", "to": "2026-11-23T09:00"}, "lines.to"),
        ({"from": "2026-11-23T09:00", "to": "2026-11-23T08:30"}, "lines.to"),
        ({"from": "2026-11-23T09:00", "to": "P1D"}, "lines.to"),
        ({"from": "2026-11-23T09:00", "to": "PT"}, "lines.to"),
        ({"from": "2026-11-23T09:00", "to": "PT9999H"}, "lines.to"),
        ({"from": "2026-11-23T09:00", "next": 1}, "lines.next"),
        ({"from": "2026-11-23T09:00", "code": "X"}, "lines.code"),
    ],
)
def test_lines_that_make_no_sense(fields: dict[str, object], field: str) -> None:
    plan = _plan(providers=[{"name": "ann"}, {"name": "bea"}])
    line = msgspec.convert({"resource_id": RESOURCE, "unit": "ann", **fields}, Line)
    for ask in (
        lambda: plan.line_claims(line, SALE),
        lambda: plan.choose(
            msgspec.structs.replace(line, unit=None), Snapshot(), SALE, partial=False
        ),
    ):
        with pytest.raises(InvalidRequest) as refused:
            ask()
        assert refused.value.data["field"] == field


def test_lines_for_whom_the_plan_does_not_have() -> None:
    with pytest.raises(UnknownUnit):
        _plan().line_claims(_line("2026-11-23T09:00", unit="ann"), SALE)
    two = _plan(providers=[{"name": "ann"}, {"name": "bea"}])
    with pytest.raises(UnknownUnit):
        two.line_claims(_line("2026-11-23T09:00", unit="cy"), SALE)
    with pytest.raises(InvalidRequest):
        two.line_claims(_line("2026-11-23T09:00"), SALE)
    best = msgspec.structs.replace(_line("2026-11-23T09:00"), best=Best(2))
    assert not two.is_open(best)
    with pytest.raises(InvalidRequest, match="`best`"):
        two.line_claims(best, SALE)
    with pytest.raises(InvalidRequest, match="one at a time"):
        two.line_claims(_line("2026-11-23T09:00", unit="ann", quantity=2), SALE)


_TIMES = r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d(:00)?(Z|[-+ ]\d\d:\d\d)?"
lines = st.builds(
    Line,
    st.just(RESOURCE),
    unit=st.one_of(st.none(), st.sampled_from(["ann", "bea", "", "x"]), st.text(max_size=5)),
    quantity=st.one_of(st.none(), st.integers(1, 1_000_000)),
    from_=st.one_of(
        st.just(msgspec.UNSET),
        st.text(max_size=30),
        st.from_regex(_TIMES, fullmatch=True),
    ),
    to=st.one_of(
        st.just(msgspec.UNSET),
        st.text(max_size=30),
        st.from_regex(r"PT\d{1,5}[HMS]", fullmatch=True),
        st.from_regex(r"\d{4}-[01]\d-[0-3]\d(T[0-2]\d:[0-5]\dZ)?", fullmatch=True),
    ),
)


@settings(deadline=None, max_examples=examples(400))
@given(times_plans(), lines)
def test_no_line_breaks_anything(plan: CompiledTimes, line: Line) -> None:
    for ask in (
        lambda: plan.line_claims(line, SALE),
        lambda: plan.watched(line, SALE),
        lambda: plan.choose(line, Snapshot(), SALE, partial=True),
        lambda: plan.offers(line, Snapshot(), SALE, 3),
        lambda: plan.block_needs(line, SALE),
    ):
        try:
            ask()
        except BespeakError as refused:
            assert refused.code in ("invalid_request", "unknown_unit", "not_on_sale")


@settings(deadline=None, max_examples=examples(100))
@given(times_plans(), sales, st.integers(-300, 3000), st.integers(1, 600))
def test_a_block_takes_what_it_touches_and_no_other_slot(
    plan: CompiledTimes, sale: SaleContext, begin: int, minutes: int
) -> None:
    start = int(sale.now.timestamp()) // 60 * 60 + begin * 60
    end = start + minutes * 60
    line = Line(RESOURCE, from_=shown(start, sale.zone), to=shown(end, sale.zone))
    needs = plan.block_needs(line, sale)
    assert len({need.unit for need in needs}) == len(needs)
    assert all(plan.has(need.unit) for need in needs)
    picture = Snapshot(now=sale.now.timestamp())
    picture.mark(
        [one.unit for one in needs if one.quantity is None], TakenClaims(UnitState.BLOCKED, None)
    )
    for need in needs:
        assert need.quantity == need.capacity
        picture.draw(need.unit, need.quantity or 0)
    raster = plan.rule.raster
    blocked = range(raster.down(start), raster.up(end))
    for slot in plan.reader.answer(AvailabilityQuery(), picture, sale).slots:
        if slot.reason in ("cutoff", "beyond_window"):
            continue
        cells = plan.rule.cells(instant_of(slot.from_, sale.zone, ""), 1)
        assert (slot.available == 0) == bool(set(cells) & set(blocked))


def test_blocks_of_dates_of_one_and_of_some_places() -> None:
    plan = _plan(providers=[{"name": "ann"}, {"name": "bea", "capacity": 5}])
    whole = plan.block_needs(_line("2026-12-24", "2026-12-26", unit="ann"), SALE)
    assert len(whole) == 2 * 96
    assert (whole[0].unit, whole[-1].unit) == ("ann@2026-12-23T18:30Z", "ann@2026-12-25T18:15Z")
    some = plan.block_needs(_line("2026-12-24T09:00", unit="bea", quantity=2), SALE)
    assert some == [Need("bea@2026-12-24T03:30Z", 2, 5), Need("bea@2026-12-24T03:45Z", 2, 5)]
    both = plan.block_needs(_line("2026-12-24T09:07", "PT1M"), SALE)
    assert both == [Need("ann@2026-12-24T03:30Z"), Need("bea@2026-12-24T03:30Z", 5, 5)]
    with pytest.raises(InvalidRequest, match="more than 10000"):
        plan.block_needs(_line("2026-12-24", "2027-12-24"), SALE)


def test_which_claims_a_plan_has() -> None:
    plan = _plan(providers=[{"name": "ann"}, {"name": "b@c"}])
    assert plan.has("ann@2026-11-23T04:15Z")
    assert plan.has("b@c@1999-01-01T00:00Z")
    for unit in (
        "2026-11-23T04:15Z",
        "@2026-11-23T04:15Z",
        "c@2026-11-23T04:15Z",
        "ann@2026-11-23T04:10Z",
        "ann@2026-11-23T04:15:00Z",
        "ann@2026-11-23T04:15+00:00",
        "ann@2026-11-31T04:15Z",
        "ann@2026-W48-1T04:15Z",
        "ann@2026-11-23T24:00Z",
        "ann@",
        "ann",
        "",
    ):
        assert not plan.has(unit)


def test_claims_keep_their_meaning_only_on_the_same_raster() -> None:
    plan = _plan(providers=[{"name": "ann"}, {"name": "bea"}])
    hours = [{"from": "10:15", "to": "19:00"}]
    assert _plan(weekly=hours, providers=[{"name": "ann"}], slot_minutes=45).keeps(plan)
    assert not _plan(providers=[{"name": "ann"}], slot_minutes=20).keeps(plan)
    assert not _plan(providers=[{"name": "ann"}], capacity=2).keeps(plan)
    assert _plan(providers=[{"name": "ann"}, {"name": "cy", "capacity": 2}]).keeps(plan)


def test_hours_of_an_exception_win_over_a_holiday_and_the_later_over_the_earlier() -> None:
    day = date(2026, 12, 24)
    of_day = day.toordinal() - date(1970, 1, 1).toordinal()
    short = SpecialDays(date=day, hours=(Hours("10:00", "12:00"),))
    shut = SpecialDays(from_=date(2026, 12, 20), to=date(2027, 1, 1), closed=True)
    assert Schedule(MORNINGS, (short,), (day,)).windows(of_day) == ((600, 720),)
    assert Schedule(MORNINGS, (shut, short), ()).windows(of_day) == ((600, 720),)
    assert Schedule(MORNINGS, (short, shut), ()).windows(of_day) == ()
    assert Schedule(MORNINGS, (shut,), ()).windows(of_day + 8) == ((540, 780),)


@pytest.mark.parametrize("block", plan_blocks("times"))
def test_the_plans_of_the_reference_page(block: str) -> None:
    plan = CompiledTimes(msgspec.json.decode(block, type=TimesPlan))
    assert plan.reader.answer(AvailabilityQuery(), Snapshot(), SALE).slots


def test_the_answer_of_the_reference_page() -> None:
    plan = CompiledTimes(msgspec.json.decode(plan_blocks("times")[0], type=TimesPlan))
    held = TakenClaims(UnitState.HELD, SALE.now.timestamp() + 600)
    picture = Snapshot(version=VERSION)
    picture.mark(["dr-rao@2026-11-23T03:30Z", "dr-rao@2026-11-23T03:45Z"], held)
    picture.mark(["dr-iyer@2026-11-23T03:30Z"], TakenClaims(UnitState.BOOKED, None))
    query = AvailabilityQuery("2026-11-23T09:00", "2026-11-23T10:00")
    shown_answer = msgspec.to_builtins(plan.reader.answer(query, picture, SALE))
    assert shown_answer == answer_block("times")
