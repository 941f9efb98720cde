"""Moments: what is shown free is what can be held, for every range; which claims a range means;
what is chosen and offered; and which plans and lines make no sense.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import product
from random import Random
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bespeak import InvalidRequest, Line
from bespeak.errors import BespeakError, NotOnSale, SoldOut, UnknownUnit
from bespeak.inventory.plans import AvailabilityQuery, Need, SaleContext
from bespeak.inventory.shapes.moments.availability import MomentRange, MomentsAvailability, together
from bespeak.inventory.shapes.moments.plan import MomentsPlan
from bespeak.inventory.shapes.moments.rules import CompiledMoments
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.inventory.timeline.instants import instant_of, shown
from bespeak.lines import Best
from bespeak.states import UnitState
from tests.harness.seeds import examples
from tests.unit.ledger import RESOURCE
from tests.unit.plan_pages import VERSION, answer_block, plan_blocks
from tests.unit.time_plans import exceptions, has_all, is_free, only, sales, scatter, weekly

SALE = SaleContext(
    datetime(2026, 11, 22, 3, 52, tzinfo=UTC), ZoneInfo("Asia/Kolkata"), RESOURCE, 40
)
BOOKED = TakenClaims(UnitState.BOOKED, None)
seeds = st.integers(0, 2**32)


def _plan(**fields: object) -> CompiledMoments:
    document = {"type": "moments", "raster_minutes": 15, **fields}
    return CompiledMoments(msgspec.convert(document, MomentsPlan))


def _line(from_: str, to: str | None = None, **fields: object) -> Line:
    document = {"resource_id": RESOURCE, "from": from_, **({"to": to} if to else {}), **fields}
    return msgspec.convert(document, Line)


@st.composite
def moments_plans(draw: st.DrawFn, *, things_min: int = 0) -> CompiledMoments:
    """Any plan on a raster of a quarter or half of an hour."""
    raster = draw(st.sampled_from([15, 30]))
    steps = st.integers(1, 4).map(lambda number: number * raster)
    shortest = draw(st.one_of(st.none(), steps))
    return CompiledMoments(
        MomentsPlan(
            things=("a", "b@c", "d")[: draw(st.integers(things_min, 3))],
            raster_minutes=raster,
            min_minutes=shortest,
            max_minutes=draw(st.sampled_from([None, (shortest or 0) + 4 * raster])),
            buffer_before_minutes=draw(st.sampled_from([0, 0, raster])),
            buffer_after_minutes=draw(st.sampled_from([0, raster, 2 * raster])),
            notice_minutes=draw(st.sampled_from([0, 100])),
            horizon_days=draw(st.sampled_from([0, 1, 90])),
            weekly=draw(st.one_of(st.just(()), weekly)),
            exceptions=draw(exceptions),
            price=draw(st.sampled_from([None, 9])),
        )
    )


def _picture(plan: CompiledMoments, sale: SaleContext, seed: int) -> Snapshot:
    now = sale.now.timestamp()
    cell = plan.rule.raster.down(now)
    near = range(cell - 10, cell + 60)
    units = [unit for thing in plan.rule.things for unit in plan.rule.raster.names(thing, near)]
    return scatter(units, False, seed, now)


def _around(plan: CompiledMoments, sale: SaleContext, steps: tuple[int, int]) -> AvailabilityQuery:
    seconds = plan.rule.raster.seconds
    cell = plan.rule.raster.down(sale.now.timestamp())
    ends = [shown((cell + step) * seconds, sale.zone) for step in steps]
    return AvailabilityQuery(ends[0], ends[1])


def _edges(ranges: Sequence[MomentRange], sale: SaleContext) -> list[tuple[int, int]]:
    return [
        (instant_of(one.from_, sale.zone, ""), instant_of(one.to, sale.zone, "")) for one in ranges
    ]


@settings(deadline=None, max_examples=examples(60))
@given(moments_plans(), sales, seeds)
def test_a_range_can_be_held_if_it_is_within_a_free_one(
    plan: CompiledMoments, sale: SaleContext, seed: int
) -> None:
    picture = _picture(plan, sale, seed)
    query = _around(plan, sale, (-4, 40))
    seen = plan.reader.answer(query, only(picture, plan.availability_units(query, sale)), sale)
    seconds, now = plan.rule.raster.seconds, sale.now.timestamp()
    cell = plan.rule.raster.down(now)
    for thing in seen.things:
        free = _edges(thing.free, sale)
        assert free == sorted(free)
        for start, length in product(range(-4, 40), (1, 2, 3, 5, 8, 40)):
            if start + length > 40:
                continue
            begin, end = (cell + start) * seconds, (cell + start + length) * seconds
            line = _line(shown(begin, sale.zone), shown(end, sale.zone))
            line = msgspec.structs.replace(line, unit=thing.unit)
            within = any(low <= begin and end <= high for low, high in free)
            fits = seen.min_seconds <= end - begin <= seen.max_seconds
            assert _can_hold(plan, line, picture, sale) == (within and fits), line


def _can_hold(plan: CompiledMoments, line: Line, picture: Snapshot, sale: SaleContext) -> bool:
    try:
        meant = plan.line_claims(line, sale)
    except NotOnSale:
        return False
    assert has_all(plan, meant.needs)
    assert meant.line == line
    return is_free(picture, meant.needs, sale.now.timestamp())


@settings(deadline=None, max_examples=examples(60))
@given(moments_plans(), sales, seeds)
def test_what_is_taken_is_shown_with_its_reason(
    plan: CompiledMoments, sale: SaleContext, seed: int
) -> None:
    picture = _picture(plan, sale, seed)
    now, seconds = sale.now.timestamp(), plan.rule.raster.seconds
    query = _around(plan, sale, (-4, 40))
    seen = plan.reader.answer(query, picture, sale)
    cell = plan.rule.raster.down(now)
    expected, found = {}, {}
    for thing in seen.things:
        for one in range(cell - 4, cell + 40):
            taken = picture.taken(plan.rule.raster.name(thing.unit or "", one), now)
            if taken is not None:
                expected[thing.unit, one * seconds] = (taken.state, taken.until)
        for span in thing.taken:
            until = None if span.until is None else span.until.timestamp()
            begin, end = (instant_of(text, sale.zone, "") for text in (span.from_, span.to))
            for at in range(begin, end, seconds):
                assert (thing.unit, at) not in found
                found[thing.unit, at] = (span.state, until)
    assert found == expected


@settings(deadline=None, max_examples=examples(60))
@given(moments_plans(things_min=2), sales, seeds, st.integers(1, 3))
def test_the_choice_leaves_the_least_rest(
    plan: CompiledMoments, sale: SaleContext, seed: int, quantity: int
) -> None:
    picture = _picture(plan, sale, seed)
    wide = plan.reader.answer(_around(plan, sale, (-100, 300)), picture, sale)
    ranges = {thing.unit: _edges(thing.free, sale) for thing in wide.things}
    for start, length in product(range(0, 60, 2), (1, 2, 4)):
        query = _around(plan, sale, (start, start + length))
        line = Line(RESOURCE, quantity=quantity, from_=query.from_ or "", to=query.to or "")
        named = [
            msgspec.structs.replace(line, unit=name, quantity=None) for name in plan.rule.things
        ]
        free = [one for one in named if _can_hold(plan, one, picture, sale)]
        read = only(picture, plan.watched(line, sale))
        if len(free) < quantity:
            with pytest.raises((SoldOut, NotOnSale)):
                plan.choose(line, read, sale, partial=False)
        if free:
            ((begin, end),) = _edges([MomentRange(line.from_, line.to)], sale)  # type: ignore[arg-type]
            rests = {
                unit: high - low
                for unit, found in ranges.items()
                for low, high in found
                if low <= begin and end <= high
            }
            ranked = sorted(
                free, key=lambda one: (rests[one.unit], plan.rule.things.index(one.unit or ""))
            )
            assert plan.choose(line, read, sale, partial=True) == ranked[:quantity]
        else:
            with pytest.raises((SoldOut, NotOnSale)):
                plan.choose(line, read, sale, partial=True)


@settings(deadline=None, max_examples=examples(150))
@given(
    moments_plans(), sales, seeds, st.integers(-90, 90), st.integers(1, 6), st.integers(1, 3),
    st.booleans(),
)  # fmt: skip
def test_what_is_offered_can_be_held(
    plan: CompiledMoments,
    sale: SaleContext,
    seed: int,
    start: int,
    length: int,
    quantity: int,
    named: bool,
) -> None:
    picture = _picture(plan, sale, seed)
    query = _around(plan, sale, (start, start + length))
    line = Line(RESOURCE, from_=query.from_ or "", to=query.to or "")
    thing = plan.rule.things[-1]
    if named:
        line = msgspec.structs.replace(line, unit=thing or None)
    elif len(plan.rule.things) > 1:
        line = msgspec.structs.replace(line, quantity=quantity)
    offers = plan.offers(line, picture, sale, 5)
    assert offers == plan.offers(line, only(picture, plan.watched(line, sale)), sale, 5)
    assert len(offers) == len({str(offer) for offer in offers}) <= 5
    own = range(*plan.rule.asked(line, sale))
    claimed = range(own.start - plan.rule.before, own.stop + plan.rule.after)
    units = set(plan.rule.raster.names(thing, claimed)) if named else set()
    for offer in offers:
        needs = [need for one in offer for need in plan.line_claims(one, sale).needs]
        assert len(offer) == (line.quantity or 1)
        assert not any(plan.is_open(one) for one in offer)
        assert has_all(plan, needs)
        assert is_free(picture, needs, sale.now.timestamp())
        assert units != {need.unit for need in needs}


@given(
    st.lists(st.lists(st.integers(0, 12), unique=True, max_size=6), max_size=4), st.integers(1, 4)
)
def test_the_ranges_in_which_things_are_free_together(
    edges: list[list[int]], quantity: int
) -> None:
    free = [list(zip(sorted(one)[::2], sorted(one)[1::2], strict=False)) for one in edges]
    found = together(free, quantity)
    for begin, end in product(range(13), range(13)):
        if begin < end:
            things = sum(any(low <= begin and end <= high for low, high in one) for one in free)
            inside = any(low <= begin and end <= high for low, high in found)
            assert inside == (things >= quantity)
    assert not any(
        one != other and one[0] <= other[0] and other[1] <= one[1]
        for one in found
        for other in found
    )


def test_a_range_claims_its_cells_and_its_buffers() -> None:
    plan = _plan(
        things=["court-1", "court-2"], raster_minutes=5, buffer_after_minutes=10, price=150
    )
    line = _line("2026-11-22T17:05:00+05:30", "2026-11-22T18:20:00+05:30", unit="court-2")
    meant = plan.line_claims(line, SALE)
    assert [need.unit for need in meant.needs][:2] == [
        "court-2@2026-11-22T11:35Z",
        "court-2@2026-11-22T11:40Z",
    ]
    assert meant.needs[-1] == Need("court-2@2026-11-22T12:55Z")
    assert len(meant.needs) == 17
    assert (meant.amount, meant.weight, meant.line) == (15 * 150, 1, line)


def test_offers_may_share_with_the_refused_range_what_is_free_of_it() -> None:
    plan = _plan(things=["a"], min_minutes=30, max_minutes=120)
    line = _line("2026-11-22T17:30:00+05:30", "2026-11-22T18:30:00+05:30", unit="a")
    taken = plan.line_claims(
        _line("2026-11-22T17:00:00+05:30", "2026-11-22T18:00:00+05:30", unit="a"), SALE
    )
    picture = Snapshot({need.unit: TakenClaims(UnitState.BOOKED, None) for need in taken.needs})

    def offered(asked: Line, picture: Snapshot, count: int) -> list[tuple[str, str]]:
        offers = plan.offers(asked, picture, SALE, count)
        return [(str(one.from_)[11:16], str(one.to)[11:16]) for (one,) in offers]

    assert offered(line, picture, 2) == [("18:00", "19:00"), ("16:00", "17:00")]
    # It is free itself, and was refused with the rest of a cart.
    assert offered(line, Snapshot(), 2) == [("16:30", "17:30"), ("18:30", "19:30")]
    short = _line("2026-11-22T17:30:00+05:30", "2026-11-22T17:45:00+05:30", unit="a")
    assert offered(short, Snapshot(), 1) == [("17:30", "18:00")]
    long = _line("2026-11-22T17:30:00+05:30", "2026-11-22T21:30:00+05:30", unit="a")
    assert offered(long, Snapshot(), 1) == [("17:30", "19:30")]


def test_a_driver_from_now() -> None:
    plan = _plan(raster_minutes=None, raster_seconds=15, max_minutes=60)
    sale = SALE._replace(now=datetime(2026, 11, 22, 3, 52, 44, tzinfo=UTC), zone=ZoneInfo("UTC"))
    meant = plan.line_claims(_line("now", "PT45S"), sale)
    assert [need.unit for need in meant.needs] == [
        "2026-11-22T03:52:30Z",
        "2026-11-22T03:52:45Z",
        "2026-11-22T03:53:00Z",
    ]
    assert meant.line == _line("2026-11-22T03:52:30+00:00", "2026-11-22T03:53:15+00:00")
    assert meant.amount == 3 * 40
    with pytest.raises(NotOnSale) as refused:
        plan.line_claims(_line("2026-11-22T03:52:15Z", "PT30S"), sale)
    assert refused.value.data["reasons"] == [{"reason": "cutoff", "notice_minutes": 0}]


def test_why_a_range_is_not_sold() -> None:
    plan = _plan(
        min_minutes=30,
        max_minutes=120,
        notice_minutes=60,
        horizon_days=2,
        weekly=[{"from": "09:00", "to": "22:00"}],
        holidays=["2026-11-23"],
    )

    def reasons(from_: str, to: str) -> list[object]:
        with pytest.raises(NotOnSale) as refused:
            plan.line_claims(_line(from_, to), SALE)
        found = refused.value.data["reasons"]
        assert isinstance(found, list)
        return [reason["reason"] for reason in found]

    # It is 9:22 in Kolkata.
    assert reasons("2026-11-22T10:00", "PT30M") == ["cutoff"]
    assert plan.line_claims(_line("2026-11-22T10:15", "PT30M"), SALE).weight == 1
    assert reasons("2026-11-22T12:00", "PT15M") == ["min_stay"]
    assert reasons("2026-11-22T12:00", "PT135M") == ["max_stay"]
    assert reasons("2026-11-22T21:00", "PT2H") == ["not_offered"]
    assert reasons("2026-11-22T21:30", "PT3H") == ["max_stay", "not_offered"]
    assert reasons("2026-11-23T21:30", "PT3H") == ["max_stay", "closed"]
    assert reasons("2026-11-22T21:30", "PT60H") == ["max_stay", "not_offered", "beyond_window"]
    assert reasons("2026-11-23T12:00", "PT1H") == ["closed"]
    assert plan.line_claims(_line("2026-11-24T20:00", "PT2H"), SALE).weight == 1
    assert reasons("2026-11-25T09:00", "PT1H") == ["beyond_window"]
    assert reasons("2025-11-24T08:00", "PT15M") == ["min_stay", "not_offered", "cutoff"]


def test_always_open_runs_over_midnight_and_over_clocks_that_change() -> None:
    plan = _plan()
    zone = ZoneInfo("Europe/Berlin")
    sale = SALE._replace(zone=zone, now=datetime(2026, 10, 24, 12, tzinfo=UTC))
    line = _line("2026-10-24T22:00:00+02:00", "2026-10-25T06:00:00+01:00")
    assert len(plan.line_claims(line, sale).needs) == 9 * 4


def test_a_time_off_the_raster_is_told_the_nearest() -> None:
    with pytest.raises(InvalidRequest) as refused:
        _plan().line_claims(_line("2026-11-22T17:05", "2026-11-22T18:20"), SALE)
    assert "2026-11-22T17:00:00+05:30 and 2026-11-22T17:15:00+05:30" in refused.value.detail
    assert refused.value.data["field"] == "lines.from"


def test_a_line_has_a_bounded_number_of_claims() -> None:
    plan = _plan(raster_minutes=None, raster_seconds=5)
    with pytest.raises(InvalidRequest, match="at most 10000"):
        plan.line_claims(_line("2026-11-22T12:00", "PT15H"), SALE)
    assert len(plan.line_claims(_line("2026-11-22T12:00", "PT13H"), SALE).needs) == 9360
    with pytest.raises(NotOnSale):
        _plan().line_claims(_line("2026-11-22T12:00", "PT25H"), SALE)


@pytest.mark.parametrize(
    "fields",
    [
        {"raster_minutes": None},
        {"raster_seconds": 15},
        {"raster_minutes": 7},
        {"raster_minutes": None, "raster_seconds": 77},
        {"min_minutes": 20},
        {"max_minutes": 50},
        {"buffer_after_minutes": 5},
        {"min_minutes": 60, "max_minutes": 45},
        {"min_minutes": 1500},
        {"raster_minutes": 1, "max_minutes": 31 * 1440},
        {"things": ["a", "a"]},
        {"things": ["next:1"]},
        {"weekly": [{"from": "09:00", "to": "12:00"}, {"from": "10:00", "to": "13:00"}]},
        {"exceptions": [{"date": "2026-01-01"}]},
    ],
)
def test_a_plan_that_makes_no_sense(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidRequest) as refused:
        _plan(**fields)
    assert refused.value.data["field"] == "plan"


@pytest.mark.parametrize(
    "plan",
    [
        MomentsPlan(raster_minutes=0),
        MomentsPlan(raster_minutes=61),
        MomentsPlan(raster_minutes=15, things=("",)),
        MomentsPlan(raster_minutes=15, price=-1),
        MomentsPlan(raster_minutes="15"),  # type: ignore[arg-type]
    ],
)
def test_a_plan_made_in_python_is_held_to_the_same(plan: MomentsPlan) -> None:
    with pytest.raises(InvalidRequest):
        CompiledMoments(plan)


@settings(deadline=None)
@given(moments_plans())
def test_a_plan_is_read_as_it_was_written(plan: CompiledMoments) -> None:
    assert msgspec.json.decode(msgspec.json.encode(plan.plan), type=MomentsPlan) == plan.plan
    assert hash(plan.plan) == hash(CompiledMoments(plan.plan).plan)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "lines"),
        ({"from": "2026-11-22T12:00"}, "lines"),
        ({"to": "2026-11-22T12:00"}, "lines"),
        ({"from": "later", "to": "PT1H"}, "lines.from"),
        ({"from": "2026-11-22", "to": "PT1H"}, "lines.from"),
        ({"from": "2026-11-22T12:00", "to": "now"}, "lines.to"),
        ({"from": "2026-11-22T12:00", "to": "2026-11-22T12:00"}, "lines.to"),
        ({"from": "2026-11-22T12:00", "to": "2026-11-22T11:00"}, "lines.to"),
        ({"from": "2026-11-22T12:00", "to": "PT0M"}, "lines.to"),
        ({"from": "2026-11-22T12:00", "to": "PT20M"}, "lines.to"),
        ({"from": "2026-11-22T12:00", "to": "PT1H", "quantity": 2}, "lines.quantity"),
        ({"from": "2026-11-22T12:00", "to": "PT1H", "next": 2}, "lines.next"),
        ({"from": "2026-11-22T12:00", "to": "PT1H", "code": "X"}, "lines.code"),
    ],
)
def test_lines_that_make_no_sense(fields: dict[str, object], field: str) -> None:
    line = msgspec.convert({"resource_id": RESOURCE, **fields}, Line)
    with pytest.raises(InvalidRequest) as refused:
        _plan().line_claims(line, SALE)
    assert refused.value.data["field"] == field


def test_lines_for_what_the_plan_does_not_have() -> None:
    plan = _plan(things=["a", "b"])
    with pytest.raises(UnknownUnit):
        plan.line_claims(_line("2026-11-22T12:00", "PT1H", unit="c"), SALE)
    with pytest.raises(UnknownUnit):
        _plan().line_claims(_line("2026-11-22T12:00", "PT1H", unit="c"), SALE)
    with pytest.raises(InvalidRequest, match="name a thing"):
        plan.line_claims(_line("2026-11-22T12:00", "PT1H"), SALE)
    best = msgspec.structs.replace(_line("2026-11-22T12:00", "PT1H"), best=Best(2))
    assert not plan.is_open(best)


_ENDS = r"\d{4}-[01]\d-[0-3]\d(T[0-2]\d:[034][05](:00)?(Z|[-+]\d\d:\d\d)?)?"
ends = st.one_of(
    st.just(msgspec.UNSET),
    st.text(max_size=30),
    st.just("now"),
    st.from_regex(r"PT\d{1,5}[HMS]", fullmatch=True),
    st.from_regex(_ENDS, fullmatch=True),
)


@settings(deadline=None, max_examples=examples(400))
@given(moments_plans(), ends, ends, st.sampled_from([None, "a", "b@c", "", "x"]),
       st.sampled_from([None, 1, 3, 1000]))  # fmt: skip
def test_no_line_breaks_anything(
    plan: CompiledMoments, from_: str, to: str, unit: str | None, quantity: int | None
) -> None:
    line = Line(RESOURCE, unit=unit, quantity=quantity, from_=from_, to=to)
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
            assert refused.code in ("invalid_request", "unknown_unit", "not_on_sale", "sold_out")


def test_blocks() -> None:
    plan = _plan(things=["a", "b"], weekly=[{"from": "09:00", "to": "10:00"}], notice_minutes=60)
    assert plan.block_needs(_line("2026-11-22T03:01:10", "2026-11-22T03:31", unit="b"), SALE) == [
        Need("b@2026-11-21T21:30Z"),
        Need("b@2026-11-21T21:45Z"),
        Need("b@2026-11-21T22:00Z"),
    ]
    both = plan.block_needs(_line("now", "PT1M"), SALE)
    assert both == [Need("a@2026-11-22T03:45Z"), Need("b@2026-11-22T03:45Z")]
    assert len(plan.block_needs(_line("2026-12-24", "2026-12-26"), SALE)) == 2 * 2 * 96
    with pytest.raises(InvalidRequest, match=r"more than 10000: block a shorter range$"):
        plan.block_needs(_line("2026-12-24", "2027-12-26", unit="a"), SALE)
    with pytest.raises(InvalidRequest, match=r"block a shorter range, or one `unit`$"):
        plan.block_needs(_line("2026-12-24", "2027-12-26"), SALE)
    with pytest.raises(InvalidRequest):
        plan.block_needs(_line("2026-12-24", "2026-12-26", quantity=2), SALE)


def test_which_claims_a_plan_has_and_keeps() -> None:
    plan = _plan(things=["a", "b"])
    assert plan.has("a@2026-11-22T03:45Z")
    assert not plan.has("a@2026-11-22T03:50Z")
    assert not plan.has("c@2026-11-22T03:45Z")
    assert not plan.has("2026-11-22T03:45Z")
    assert _plan(things=["a"], weekly=[{"from": "09:00", "to": "10:00"}]).keeps(plan)
    assert not _plan(things=["a", "b"], raster_minutes=5).keeps(plan)


def _answer(plan: CompiledMoments, picture: Snapshot, **query: object) -> MomentsAvailability:
    return plan.reader.answer(msgspec.convert(query, AvailabilityQuery), picture, SALE)


def test_the_answer_as_it_is_sent() -> None:
    plan = _plan(
        things=["court-1", "court-2"],
        min_minutes=30,
        buffer_after_minutes=15,
        weekly=[{"from": "09:00", "to": "12:00"}],
        price=500,
    )
    picture = Snapshot(
        {
            "court-1@2026-11-22T04:30Z": TakenClaims(UnitState.HELD, SALE.now.timestamp() + 8),
            "court-1@2026-11-22T04:45Z": TakenClaims(UnitState.HELD, SALE.now.timestamp() + 8),
            "court-2@2026-11-22T05:45Z": BOOKED,
        },
        version="3.9",
    )
    assert msgspec.to_builtins(_answer(plan, picture, to="2026-11-23", quantity=2)) == {
        "type": "moments",
        "resource_id": RESOURCE,
        "version": "3.9",
        "from": "2026-11-22T00:00:00+05:30",
        "to": "2026-11-23T00:00:00+05:30",
        "raster_seconds": 900,
        "min_seconds": 1800,
        "max_seconds": 86400,
        "price": 500,
        "on_sale": {"from": "2026-11-22T09:15:00+05:30", "to": "2026-11-23T00:00:00+05:30"},
        "hours": [{"from": "2026-11-22T09:00:00+05:30", "to": "2026-11-22T12:00:00+05:30"}],
        "things": [
            {
                "unit": "court-1",
                "free": [
                    {"from": "2026-11-22T09:15:00+05:30", "to": "2026-11-22T09:45:00+05:30"},
                    {"from": "2026-11-22T10:30:00+05:30", "to": "2026-11-22T12:00:00+05:30"},
                ],
                "taken": [
                    {
                        "from": "2026-11-22T10:00:00+05:30",
                        "to": "2026-11-22T10:30:00+05:30",
                        "state": "held",
                        "until": "2026-11-22T03:52:08Z",
                    }
                ],
            },
            {
                "unit": "court-2",
                "free": [
                    {"from": "2026-11-22T09:15:00+05:30", "to": "2026-11-22T11:00:00+05:30"},
                    {"from": "2026-11-22T11:30:00+05:30", "to": "2026-11-22T12:00:00+05:30"},
                ],
                "taken": [
                    {
                        "from": "2026-11-22T11:15:00+05:30",
                        "to": "2026-11-22T11:30:00+05:30",
                        "state": "booked",
                    }
                ],
            },
        ],
        "quantity": 2,
        "together": [
            {"from": "2026-11-22T09:15:00+05:30", "to": "2026-11-22T09:45:00+05:30"},
            {"from": "2026-11-22T10:30:00+05:30", "to": "2026-11-22T11:00:00+05:30"},
            {"from": "2026-11-22T11:30:00+05:30", "to": "2026-11-22T12:00:00+05:30"},
        ],
    }


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from": "2026-11-23", "to": "2026-11-23"}, "to"),
        ({"from": "2026-11-23", "to": "2027-11-22"}, "to"),
        ({"from": "now"}, "from"),
        ({"quantity": 0}, "quantity"),
        ({"unit": "c"}, "unit"),
    ],
)
def test_queries_that_make_no_sense(query: dict[str, object], field: str) -> None:
    plan = _plan(things=["a", "b"])
    with pytest.raises(InvalidRequest) as refused:
        _answer(plan, Snapshot(), **query)
    assert refused.value.data["field"] == field
    with pytest.raises(InvalidRequest):
        plan.availability_units(msgspec.convert(query, AvailabilityQuery), SALE)


def test_more_than_an_answer_can_have_is_refused() -> None:
    plan = _plan(things=[f"driver-{number}" for number in range(1000)], raster_minutes=5)
    with pytest.raises(InvalidRequest, match="fewer days"):
        _answer(plan, Snapshot(), to="2026-12-22")
    assert plan.availability_units(AvailabilityQuery(), SALE) is None
    one = _answer(plan, Snapshot(), to="2026-12-22", unit="driver-7")
    assert [thing.unit for thing in one.things] == ["driver-7"]


def test_many_things_are_watched_in_bounds() -> None:
    plan = _plan(things=[f"driver-{number}" for number in range(1000)], raster_minutes=5)
    line = _line("2026-11-22T12:00", "PT30M")
    units = plan.watched(line, SALE)
    assert units is not None
    assert len(units) == 6000
    assert plan.watched(_line("2026-11-22T12:00", "PT2H"), SALE) is None
    random = Random(7)
    busy = {unit: BOOKED for unit in units if random.random() < 0.3}
    chosen = plan.choose(line, Snapshot(busy), SALE, partial=False)
    assert is_free(Snapshot(busy), plan.line_claims(chosen[0], SALE).needs, 0)


@pytest.mark.parametrize("block", plan_blocks("moments"))
def test_the_plans_of_the_reference_page(block: str) -> None:
    plan = CompiledMoments(msgspec.json.decode(block, type=MomentsPlan))
    for thing in plan.reader.answer(AvailabilityQuery(), Snapshot(), SALE).things:
        assert thing.free


def test_the_answer_of_the_reference_page() -> None:
    plan = CompiledMoments(msgspec.json.decode(plan_blocks("moments")[0], type=MomentsPlan))
    picture = Snapshot(version=VERSION)
    picture.mark(plan.rule.raster.names("court-2", range(*_cells(plan, "17:00", "18:15"))), BOOKED)
    query = AvailabilityQuery("2026-11-22T16:00", "2026-11-22T20:00")
    assert msgspec.to_builtins(plan.reader.answer(query, picture, SALE)) == answer_block("moments")


def _cells(plan: CompiledMoments, begin: str, end: str) -> tuple[int, int]:
    first, past = (
        plan.rule.raster.down(instant_of(f"2026-11-22T{text}", SALE.zone, ""))
        for text in (begin, end)
    )
    return first, past
