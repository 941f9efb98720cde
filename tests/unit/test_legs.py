"""Legs: which claims a journey means, what it costs, and until when it is sold."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import combinations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest, Line, NotOnSale, PoolPlan, Row, Section
from bespeak.errors import UnknownUnit
from bespeak.inventory.plans import AvailabilityQuery, Need
from bespeak.inventory.shapes.legs.plan import Fare, LegsPlan, Quota, Stop
from bespeak.inventory.shapes.legs.rules import CompiledLegs
from bespeak.lines import Best
from tests.unit.ledger import NOW, RESOURCE, SALE, Ledger
from tests.unit.legs_plans import any_seat, pairs, places, plans, seat
from tests.unit.plan_pages import VERSION, answer_block, plan_blocks

STOPS = tuple(Stop(code) for code in "ABCDE")
COACH = Section("Coach 1", (Row("1-", 3),), "second")
SALON = Section("Coach 2", (Row("2-", 2),), "first")
PLAN = LegsPlan(
    stops=STOPS,
    sections=(COACH, SALON),
    pools=(PoolPlan("unreserved", 40), PoolPlan("bikes", 4, category="extra")),
    quotas=(Quota(name="cheap", capacity=2, categories=("second",), from_="B", to="D"),),
    fares=(
        Fare(category="second", legs=(100, 200, 300, None)),
        Fare(category="first", price=5000),
        Fare(category="extra", legs=(1, 2, 3, 4)),
    ),
    price=70,
)
RUN = CompiledLegs(PLAN)


@given(plans(plain=True), st.data())
def test_a_seat_is_free_where_no_booked_interval_overlaps(
    plan: LegsPlan, data: st.DataObject
) -> None:
    compiled = CompiledLegs(plan)
    ledger = Ledger(compiled)
    booked: list[tuple[str, int, int]] = []
    units = st.sampled_from(list(compiled.categories))
    asked = data.draw(st.lists(st.tuples(units, st.sampled_from(pairs(plan))), max_size=30))
    for unit, (first, last) in asked:
        start, stop = ord(first), ord(last)
        overlaps = any(
            other == unit and start < until and since < stop for other, since, until in booked
        )
        assert ledger.hold([seat(unit, first, last)]) == (not overlaps)
        if not overlaps:
            booked.append((unit, start, stop))
    assert len(ledger.picture.units) == sum(stop - start for _, start, stop in booked)


@given(plans())
def test_no_claim_is_of_two_things(plan: LegsPlan) -> None:
    compiled = CompiledLegs(plan)
    claims: list[str] = []
    for start, stop in pairs(plan):
        if ord(stop) - ord(start) == 1:
            for unit in (*compiled.categories, *(pool.unit for pool in plan.pools)):
                quantity = None if unit in compiled.categories else 1
                line = Line(RESOURCE, unit, quantity, from_=start, to=stop)
                claims += [need.unit for need in compiled.block_needs(line, SALE)]
    claims += [
        f"quota:{quota.name}@{stop.code}"
        for quota in plan.quotas
        for stop in plan.stops[:-1]
        if (quota.from_ or "A") <= stop.code < (quota.to or "Z")
    ]
    assert len(set(claims)) == len(claims)
    assert all(compiled.has(claim) for claim in claims)
    seats = [need.unit for need in compiled.block_needs(Line(RESOURCE), SALE)]
    assert len(seats) == len(set(seats)) == compiled.exclusive_total
    assert set(seats) <= set(claims)


def test_a_seat_is_claimed_leg_by_leg() -> None:
    meant = RUN.line_claims(seat("2-1", "B", "D"), SALE)
    assert list(meant.needs) == [Need("2-1@B"), Need("2-1@C")]
    assert (meant.amount, meant.weight) == (5000, 1)
    first, second = (
        {need.unit for need in RUN.line_claims(seat("2-1", *ends), SALE).needs}
        for ends in ("AC", "CE")
    )
    assert not first & second


def test_a_seat_draws_from_the_quotas_of_its_class_on_their_legs() -> None:
    needs = RUN.line_claims(seat("1-3", "A", "D"), SALE).needs
    assert list(needs) == [
        *(Need(f"1-3@{code}") for code in "ABC"),
        *(Need(f"quota:cheap@{code}", 1, 2) for code in "BC"),
    ]
    assert len(RUN.line_claims(seat("1-3", "A", "B"), SALE).needs) == 1
    assert len(RUN.line_claims(seat("2-1", "A", "E"), SALE).needs) == 4


def test_a_quota_is_what_its_seats_share() -> None:
    ledger = Ledger(RUN)
    assert ledger.hold([seat("1-1", "A", "C"), seat("1-2", "B", "D")])
    assert not ledger.fits([seat("1-3", "B", "C")])
    assert not ledger.fits([seat("1-3", "A", "D")])
    assert ledger.fits([seat("1-3", "C", "D")])
    assert ledger.fits([seat("1-3", "A", "B")])
    assert ledger.fits([seat("2-1", "A", "E")])


def test_places_without_a_number_are_a_pool_of_each_leg() -> None:
    meant = RUN.line_claims(places("unreserved", 3, "C", "E"), SALE)
    assert list(meant.needs) == [Need("unreserved@C", 3, 40), Need("unreserved@D", 3, 40)]
    assert (meant.amount, meant.weight) == (210, 3)
    one = RUN.line_claims(seat("unreserved", "C", "D"), SALE)
    assert (one.line.quantity, list(one.needs)) == (1, [Need("unreserved@C", 1, 40)])


@pytest.mark.parametrize(
    ("line", "amount"),
    [
        (seat("1-1", "A", "B"), 100),
        (seat("1-1", "A", "D"), 600),
        (seat("1-1", "B", "D"), 500),
        (seat("2-2", "A", "E"), 5000),
        (places("bikes", 2, "B", "D"), 10),
        (places("unreserved", 2, "A", "E"), 140),
    ],
)
def test_a_place_costs_its_legs_or_one_price(line: Line, amount: int) -> None:
    assert RUN.line_claims(line, SALE).amount == amount


def test_the_fare_for_all_and_the_price_of_the_resource() -> None:
    for_all = msgspec.structs.replace(PLAN, fares=(Fare(legs=(1, 10, 100, 1000)),))
    assert CompiledLegs(for_all).line_claims(seat("1-1", "B", "E"), SALE).amount == 1110
    assert CompiledLegs(for_all).line_claims(places("bikes", 2, "A", "C"), SALE).amount == 22
    none = msgspec.structs.replace(PLAN, fares=(), price=None)
    assert CompiledLegs(none).line_claims(seat("1-1", "B", "E"), SALE).amount == SALE.price


def test_a_leg_without_a_fare_is_not_sold() -> None:
    with pytest.raises(NotOnSale) as caught:
        RUN.line_claims(seat("1-1", "C", "E"), SALE)
    assert caught.value.data["reasons"] == [{"reason": "not_offered", "stop": "C", "unit": "1-1"}]


def _timed(minutes: int, *departures: datetime | None) -> CompiledLegs:
    stops = tuple(Stop(code, departs=time) for code, time in zip("ABC", departures, strict=True))
    plan = LegsPlan(stops=stops, sections=(SALON,), closes_minutes=minutes)
    return CompiledLegs(plan)


@pytest.mark.parametrize(
    ("minutes", "departs", "is_sold"),
    [
        (0, NOW, False),
        (0, NOW + timedelta(seconds=1), True),
        (10, NOW + timedelta(minutes=10), False),
        (10, NOW + timedelta(minutes=10, seconds=1), True),
        (-10, NOW - timedelta(minutes=9), True),
        (-10, NOW - timedelta(minutes=10), False),
        (0, None, True),
        (0, NOW.astimezone(timezone(timedelta(hours=5, minutes=30))), False),
        (0, datetime.max.replace(tzinfo=UTC), True),
        (0, datetime.min.replace(tzinfo=timezone(timedelta(hours=14))), False),
    ],
)
def test_boarding_is_sold_until_it_closes(
    minutes: int, departs: datetime | None, is_sold: bool
) -> None:
    later = datetime.max.replace(tzinfo=UTC)
    run = _timed(minutes, departs, later, None)
    assert run.line_claims(seat("2-1", "B", "C"), SALE).amount == 100
    for line in (seat("2-1", "A", "B"), any_seat("A", "B")):
        if is_sold:
            assert run.choose(line, Ledger(run).picture, SALE, partial=False)
        else:
            with pytest.raises(NotOnSale) as caught:
                if line.unit is None:
                    run.choose(line, Ledger(run).picture, SALE, partial=True)
                run.line_claims(line, SALE)
            reasons = caught.value.data["reasons"]
            assert isinstance(reasons, list)
            assert (reasons[0]["reason"], reasons[0]["stop"]) == ("cutoff", "A")
            assert run.offers(line, Ledger(run).picture, SALE, 3) == []


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (seat("1-1", "A", "X"), "lines.to"),
        (seat("1-1", "X", "B"), "lines.from"),
        (seat("1-1", "B", "B"), "lines.to"),
        (seat("1-1", "D", "B"), "lines.to"),
        (seat("1-1", "a", "b"), "lines.from"),
        (Line(RESOURCE, "1-1"), "lines"),
        (Line(RESOURCE, "1-1", from_="A"), "lines"),
        (Line(RESOURCE, from_="A", to="B"), "lines.unit"),
        (Line(RESOURCE, "1-1", from_="A", to="B", best=Best(1)), "lines.best"),
        (Line(RESOURCE, "1-1", from_="A", to="B", code="x"), "lines.code"),
        (Line(RESOURCE, from_="A", to="B", next=1), "lines.next"),
        (seat("1-1\n", "A", "B"), "lines"),
    ],
)
def test_a_line_that_makes_no_sense(line: Line, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        RUN.line_claims(line, SALE)
    assert caught.value.data["field"] == field


@pytest.mark.parametrize(
    "line",
    [
        seat("1-4", "A", "B"),
        seat("1-1@A", "A", "B"),
        seat("second", "A", "B"),
        seat("quota:cheap", "B", "C"),
        places("1-1", 1, "A", "B"),
    ],
)
def test_a_unit_that_is_not_on_the_run(line: Line) -> None:
    with pytest.raises(UnknownUnit):
        RUN.line_claims(line, SALE)


def test_a_price_beyond_all_bounds() -> None:
    plan = msgspec.structs.replace(PLAN, fares=(Fare(legs=(10**12,) * 4),))
    with pytest.raises(InvalidRequest, match="beyond all bounds"):
        CompiledLegs(plan).line_claims(places("unreserved", 10**6, "A", "E"), SALE)


@pytest.mark.parametrize(
    ("unit", "is_one"),
    [
        ("1-1@A", True),
        ("1-1@D", True),
        ("1-1@E", False),  # the last stop begins no leg
        ("1-1@", False),
        ("1-1", False),
        ("@A", False),
        ("1-4@A", False),
        ("unreserved@B", True),
        ("quota:cheap@B", True),
        ("quota:cheap@C", True),
        ("quota:cheap@D", False),
        ("quota:cheap@A", False),
        ("quota:dear@B", False),
        ("owner:asha", False),
        ("", False),
    ],
)
def test_claims_of_the_plan(unit: str, is_one: bool) -> None:
    assert RUN.has(unit) == is_one


def test_a_name_with_an_at_sign_is_no_other_seat() -> None:
    seats = Section("S", (Row("x@", 3), Row("x", 3)), "second")
    run = CompiledLegs(LegsPlan(stops=(Stop("1"), Stop("2"), Stop("3")), sections=(seats,)))
    units = [need.unit for need in run.block_needs(Line(RESOURCE), SALE)]
    assert len(units) == len(set(units)) == 12
    assert all(run.has(unit) for unit in units)


def test_a_block_is_of_a_seat_of_all_seats_or_of_a_pool() -> None:
    def units(line: Line) -> list[str]:
        return [need.unit for need in RUN.block_needs(line, SALE)]

    assert units(Line(RESOURCE, "1-1")) == ["1-1@A", "1-1@B", "1-1@C", "1-1@D"]
    assert units(Line(RESOURCE, "1-1", from_="C")) == ["1-1@C", "1-1@D"]
    assert units(Line(RESOURCE, "1-1", to="B")) == ["1-1@A"]
    assert units(Line(RESOURCE, from_="B", to="C")) == [f"{u}@B" for u in RUN.categories]
    assert len(units(Line(RESOURCE))) == 20 == RUN.exclusive_total
    assert RUN.block_needs(places("bikes", 4, "A", "B"), SALE) == [Need("bikes@A", 4, 4)]


@pytest.mark.parametrize(
    "line",
    [
        Line(RESOURCE, None, 2),
        Line(RESOURCE, "1-1", 1),
        Line(RESOURCE, "bikes"),
        Line(RESOURCE, "second"),
        Line(RESOURCE, "1-1", from_="X"),
        Line(RESOURCE, "1-1", from_="C", to="A"),
        Line(RESOURCE, "1-1", code="x"),
    ],
)
def test_a_block_that_makes_no_sense(line: Line) -> None:
    with pytest.raises(InvalidRequest):
        RUN.block_needs(line, SALE)


def test_a_run_may_have_places_without_a_number_only() -> None:
    run = CompiledLegs(LegsPlan(stops=STOPS, pools=(PoolPlan("floor", 9),)))
    assert run.exclusive_total == 0
    assert run.line_claims(places("floor", 2, "A", "C"), SALE).amount == 200
    assert run.offers(places("floor", 10, "A", "C"), Ledger(run).picture, SALE, 3) == [
        [places("floor", 9, "A", "C")]
    ]
    for ask in (any_seat("A", "B"), any_seat("A", "B", 1, "second")):
        with pytest.raises(InvalidRequest):
            run.choose(ask, Ledger(run).picture, SALE, partial=False)
    with pytest.raises(InvalidRequest):
        run.block_needs(Line(RESOURCE), SALE)


TWO = (Stop("A"), Stop("B"))
NONSENSE = [
    LegsPlan(stops=(), sections=(COACH,)),
    LegsPlan(stops=(Stop("A"),), sections=(COACH,)),
    LegsPlan(stops=(Stop("A"), Stop("A")), sections=(COACH,)),
    LegsPlan(stops=(Stop("A@"), Stop("B")), sections=(COACH,)),
    LegsPlan(stops=(Stop(""), Stop("B")), sections=(COACH,)),
    LegsPlan(
        stops=(Stop("A", departs=NOW), Stop("B", arrives=NOW - timedelta(seconds=1))),
        sections=(COACH,),
    ),
    LegsPlan(
        stops=(Stop("A", arrives=NOW, departs=NOW - timedelta(1)), Stop("B")), sections=(COACH,)
    ),
    LegsPlan(stops=(Stop("A", departs=datetime(2026, 1, 1)), Stop("B")), sections=(COACH,)),  # noqa: DTZ001
    LegsPlan(stops=TWO),
    LegsPlan(stops=TWO, sections=(Section("S", ()),)),
    LegsPlan(stops=TWO, sections=(COACH, COACH)),
    LegsPlan(stops=TWO, sections=(COACH,), pools=(PoolPlan("1-1", 3),)),
    LegsPlan(stops=TWO, pools=(PoolPlan("p", 3), PoolPlan("p", 3))),
    LegsPlan(stops=TWO, pools=(PoolPlan("quota:p", 3),)),
    LegsPlan(stops=TWO, sections=(Section("S", (Row("quota:", 3),)),)),
    LegsPlan(stops=TWO, pools=(PoolPlan("code:p", 3),)),
    LegsPlan(stops=TWO, sections=(COACH,), quotas=(Quota(name="q", capacity=-1),)),
    LegsPlan(stops=TWO, sections=(COACH,), quotas=(Quota(name="q", capacity=1),) * 2),
    LegsPlan(stops=TWO, sections=(COACH,), quotas=(Quota(name="q", capacity=1, from_="X"),)),
    LegsPlan(stops=TWO, sections=(COACH,), quotas=(Quota(name="q", capacity=1, from_="B"),)),
    LegsPlan(stops=TWO, sections=(COACH,), quotas=(Quota(name="q", capacity=1, to="A"),)),
    LegsPlan(
        stops=TWO, sections=(COACH,), quotas=(Quota(name="q", capacity=1, categories=("x",)),)
    ),
    LegsPlan(stops=TWO, sections=(COACH,), fares=(Fare(category="x", price=1),)),
    LegsPlan(stops=TWO, sections=(COACH,), fares=(Fare(price=1), Fare(price=2))),
    LegsPlan(stops=TWO, sections=(COACH,), fares=(Fare(),)),
    LegsPlan(stops=TWO, sections=(COACH,), fares=(Fare(price=1, legs=(1,)),)),
    LegsPlan(stops=TWO, sections=(COACH,), fares=(Fare(legs=()),)),
    LegsPlan(stops=TWO, sections=(COACH,), fares=(Fare(legs=(1, 2)),)),
    LegsPlan(stops=TWO, sections=(COACH,), fares=(Fare(legs=(-1,)),)),
    LegsPlan(stops=TWO, sections=(COACH,), price=10**30),
    LegsPlan(stops=TWO, sections=(COACH,), closes_minutes=10**9),
    LegsPlan(
        stops=tuple(Stop(str(n)) for n in range(102)),
        sections=(Section("S", (Row("A", 2000),)),),
    ),
]


@pytest.mark.parametrize("plan", NONSENSE, ids=range(len(NONSENSE)))
def test_a_plan_that_makes_no_sense(plan: LegsPlan) -> None:
    with pytest.raises(InvalidRequest) as caught:
        CompiledLegs(plan)
    assert caught.value.data == {"field": "plan"}


@given(plans())
def test_a_plan_is_read_as_it_was_written(plan: LegsPlan) -> None:
    assert msgspec.json.decode(msgspec.json.encode(plan), type=LegsPlan) == plan


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"legs","stops":[{"code":"A"},{"code":"B"}],"seats":3}',
        '{"type":"legs","stops":[{"code":"A","departs":"2026-11-22T09:00"},{"code":"B"}]}',
        '{"type":"legs","stops":[{"code":"A","departs":"tomorrow"},{"code":"B"}]}',
        '{"type":"legs","stops":[{"code":"A"}]}',
        '{"type":"legs"}',
    ],
)
def test_text_that_is_no_plan(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=LegsPlan)


def test_the_page_shows_plans_that_make_sense() -> None:
    blocks = plan_blocks("legs")
    assert blocks
    for text in blocks:
        CompiledLegs(msgspec.json.decode(text, type=LegsPlan))


@given(plans())
def test_the_price_of_every_journey(plan: LegsPlan) -> None:
    compiled = CompiledLegs(plan)
    codes = [stop.code for stop in plan.stops]
    own = {fare.category: fare for fare in plan.fares}
    for category in set(compiled.categories.values()):
        fare = own.get(category) or own.get(None)
        for start, stop in combinations(range(len(codes)), 2):
            journey = compiled.run.journey(codes[start], codes[stop])
            price = compiled.run.price(category, journey, SALE)
            if fare is None:
                assert price == (100 if plan.price is None else plan.price)
            elif fare.legs is None:
                assert price == fare.price
            else:
                legs = fare.legs[start:stop]
                known = [leg for leg in legs if leg is not None]
                assert price == (sum(known) if len(known) == len(legs) else None)


def test_the_page_shows_what_is_answered() -> None:
    run = CompiledLegs(msgspec.json.decode(plan_blocks("legs")[0], type=LegsPlan))
    ledger = Ledger(run)
    ledger.picture.version = VERSION
    assert ledger.hold([seat("2-1", "A", "C"), seat("2-2", "B", "D")])
    answer = run.availability(AvailabilityQuery(), ledger.picture, SALE)
    assert msgspec.to_builtins(answer) == answer_block("legs")
