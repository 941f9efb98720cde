"""Rates of times: one plan gives several things of different lengths, and all of them claim the
same cells of the same providers.
"""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bespeak import InvalidRequest, Line
from bespeak.errors import NotOnSale, UnknownUnit
from bespeak.inventory.plans import AvailabilityQuery, SaleContext
from bespeak.inventory.shapes.times.availability import TimesAvailability
from bespeak.inventory.shapes.times.plan import TimesPlan
from bespeak.inventory.shapes.times.rules import CompiledTimes
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.pricing.demand import Demand, Level, Scope
from bespeak.pricing.rules import DemandStep
from bespeak.states import UnitState
from tests.harness.seeds import examples
from tests.unit.ledger import RESOURCE

SALE = SaleContext(datetime(2026, 11, 22, tzinfo=UTC), ZoneInfo("Asia/Kolkata"), RESOURCE, 700)
RATES: list[dict[str, object]] = [
    {"name": "First", "minutes": 60, "price": 4000, "buffer_after_minutes": 15},
    {"name": "Short", "minutes": 20, "step_minutes": 10},
    {"name": "Surgery", "minutes": 90, "providers": ["bea"]},
]


def _plan(**fields: object) -> CompiledTimes:
    document = {
        "type": "times",
        "slot_minutes": 30,
        "weekly": [{"from": "09:00", "to": "13:00"}],
        "providers": [{"name": "ann"}, {"name": "bea"}],
        "rates": RATES,
    }
    return CompiledTimes(msgspec.convert({**document, **fields}, TimesPlan))


def _line(from_: str, **fields: object) -> Line:
    return msgspec.convert({"resource_id": RESOURCE, "from": from_, **fields}, Line)


def _answer(
    plan: CompiledTimes, snapshot: Snapshot | None = None, sale: SaleContext = SALE, **query: str
) -> TimesAvailability:
    day = {"from": "2026-11-23", "to": "2026-11-24", **query}
    asked = msgspec.convert(day, AvailabilityQuery)
    return plan.reader.answer(asked, snapshot or Snapshot(), sale)


def test_a_line_has_the_length_and_the_price_of_its_rate() -> None:
    plan = _plan()
    first = plan.line_claims(_line("2026-11-23T09:00", unit="ann", rate="First"), SALE)
    # An hour and a quarter after it, on a raster that divides all lengths: 5 minutes.
    assert [need.unit for need in first.needs] == plan.raster.names(
        "ann", range(*(plan.raster.down(at) for at in _instants("09:00", "10:15")))
    )
    assert plan.raster.seconds == 300
    assert (first.amount, first.weight) == (4000, 1)
    assert first.line == _line(
        "2026-11-23T09:00:00+05:30", to="2026-11-23T10:00:00+05:30", unit="ann", rate="First"
    )
    short = plan.line_claims(_line("2026-11-23T09:10", to="PT20M", unit="ann", rate="Short"), SALE)
    assert (len(short.needs), short.amount) == (4, 700)
    assert plan.line_claims(short.line, SALE) == short


def _instants(*times: str) -> list[float]:
    return [datetime.fromisoformat(f"2026-11-23T{at}+05:30").timestamp() for at in times]


def test_rates_collide_where_they_overlap_and_nowhere_else() -> None:
    plan = _plan()

    def units(start: str, rate: str, unit: str = "bea") -> set[str]:
        line = _line(f"2026-11-23T{start}", unit=unit, rate=rate)
        return {need.unit for need in plan.line_claims(line, SALE).needs}

    first = units("09:00", "First")
    assert first & units("10:10", "Short")
    assert not first & units("10:20", "Short")
    assert first & units("09:30", "Surgery")
    assert not first & units("10:30", "Surgery")
    assert not first & units("09:00", "First", "ann")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "lines.rate"),
        ({"rate": "None such"}, "lines.rate"),
        ({"rate": "First", "to": "2026-11-23T09:30"}, "lines.to"),
        ({"rate": "First", "to": "PT2H"}, "lines.to"),
        ({"rate": "First", "guests": 2}, "lines.guests"),
        ({"rate": "First", "quantity": 2}, "lines.quantity"),
        ({"rate": "First", "unit": None}, "lines.unit"),
    ],
)
def test_lines_that_make_no_sense(fields: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        _plan().line_claims(_line("2026-11-23T09:00", **{"unit": "ann", **fields}), SALE)
    assert refused.value.data["field"] == field


def test_a_plan_without_rates_takes_none() -> None:
    plan = _plan(rates=[])
    with pytest.raises(InvalidRequest, match="takes no `rate`"):
        plan.line_claims(_line("2026-11-23T09:00", unit="ann", rate="First"), SALE)
    with pytest.raises(InvalidRequest, match="there are: none"):
        _answer(plan, rate="First")
    assert plan.rate_names() == ()
    assert set(_plan().rate_names()) == {"First", "Short", "Surgery"}


def test_a_rate_may_be_of_some_providers() -> None:
    plan = _plan()
    with pytest.raises(UnknownUnit, match="not at this rate"):
        plan.line_claims(_line("2026-11-23T09:00", unit="ann", rate="Surgery"), SALE)
    # Who gives it alone needs no name.
    line = _line("2026-11-23T09:00", rate="Surgery")
    assert not plan.is_open(line)
    assert plan.line_claims(line, SALE).line.unit == "bea"
    assert plan.is_open(_line("2026-11-23T09:00", rate="First"))


def test_availability_of_a_rate_has_its_slots() -> None:
    plan = _plan()
    surgery = _answer(plan, rate="Surgery")
    assert surgery.rate == "Surgery"
    assert [(slot.from_[11:16], slot.to[11:16]) for slot in surgery.slots] == [
        ("09:00", "10:30"), ("09:30", "11:00"), ("10:00", "11:30"),
        ("10:30", "12:00"), ("11:00", "12:30"), ("11:30", "13:00"),
    ]  # fmt: skip
    short = _answer(plan, rate="Short").slots
    assert (len(short), short[0].available, short[0].price) == (23, 2, 700)
    assert {slot.price for slot in _answer(plan, rate="First").slots} == {4000}
    # Without a rate: the slots of the plan itself, as an overview.
    own = _answer(plan)
    assert (own.rate, len(own.slots)) == (None, 8)


def test_what_is_booked_at_one_rate_is_gone_at_all() -> None:
    plan = _plan()
    line = _line("2026-11-23T10:00", unit="bea", rate="Short")
    needs = plan.line_claims(line, SALE).needs
    taken = Snapshot({need.unit: TakenClaims(UnitState.BOOKED, None) for need in needs})
    free = [slot.from_[11:16] for slot in _answer(plan, taken, rate="Surgery").slots
            if slot.reason is None]  # fmt: skip
    assert free == ["10:30", "11:00", "11:30"]
    first = {slot.from_[11:16]: slot.available for slot in _answer(plan, taken, rate="First").slots}
    assert first == {
        "09:00": 1, "09:30": 1, "10:00": 1, "10:30": 2, "11:00": 2, "11:30": 2, "12:00": 2,
    }  # fmt: skip


def test_the_choice_and_the_offers_keep_the_rate() -> None:
    plan = _plan()
    line = _line("2026-11-23T09:00", rate="First")
    (chosen,) = plan.choose(line, Snapshot(), SALE, partial=False)
    assert (chosen.rate, chosen.unit in {"ann", "bea"}) == ("First", True)
    offers = plan.offers(chosen, Snapshot(), SALE, 5)
    assert len(offers) == 5
    for (offered,) in offers:
        assert offered.rate == "First"
        assert plan.line_claims(offered, SALE).amount == 4000


def test_hours_shorter_than_a_rate_have_no_slots_of_it() -> None:
    plan = _plan(weekly=[{"from": "09:00", "to": "10:00"}])
    assert _answer(plan, rate="Surgery").slots == []
    assert len(_answer(plan, rate="First").slots) == 1
    with pytest.raises(NotOnSale):
        plan.line_claims(_line("2026-11-23T09:00", rate="Surgery"), SALE)
    assert plan.offers(_line("2026-11-23T09:00", rate="Surgery"), Snapshot(), SALE, 3) == []


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"rates": [RATES[0], RATES[0]]}, "comes twice"),
        ({"rates": [{"name": "owner:x", "minutes": 10}]}, "reserved word"),
        ({"rates": [{"name": "A", "minutes": 10, "providers": ["cy"]}]}, "no provider"),
        ({"rates": [{"name": "A", "minutes": 10, "providers": ["ann", "ann"]}]}, "twice"),
        ({"consecutive_max": 2}, "without `rates`"),
        ({"raster_minutes": 15}, "does not divide"),
        ({"rates": [{"name": "A", "minutes": 1440, "step_minutes": 1}]}, "rate 'A': its slots"),
    ],
)
def test_rates_that_make_no_sense(fields: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidRequest, match=said) as refused:
        _plan(**fields)
    assert refused.value.data["field"] == "plan"


def test_rates_are_bounded() -> None:
    many = [{"name": f"R{number}", "minutes": 30} for number in range(101)]
    assert len(_plan(rates=many[:100]).rate_names()) == 100
    with pytest.raises(msgspec.ValidationError):
        _plan(rates=many)
    for rate in ({"name": "A", "minutes": 0}, {"name": "A", "minutes": 10, "providers": []}):
        with pytest.raises(msgspec.ValidationError):
            _plan(rates=[rate])


@pytest.mark.parametrize(
    ("minutes", "seconds"), [((45, 60), 900), ((20, 60), 300), ((50, 60), 300), ((32, 60), 60)]
)
def test_one_raster_divides_the_lengths_of_all(minutes: tuple[int, ...], seconds: int) -> None:
    rates = [{"name": f"R{length}", "minutes": length} for length in minutes]
    assert _plan(rates=rates).raster.seconds == seconds


def test_each_rate_has_buffers_of_its_own_or_those_of_the_plan() -> None:
    rates = [
        {"name": "Own", "minutes": 30, "buffer_before_minutes": 0, "buffer_after_minutes": 15},
        {"name": "As all", "minutes": 30},
    ]
    plan = _plan(rates=rates, buffer_before_minutes=5, buffer_after_minutes=10)
    found = {}
    for rate in ("Own", "As all"):
        line = _line("2026-11-23T10:00", unit="ann", rate=rate)
        units = [need.unit[-6:] for need in plan.line_claims(line, SALE).needs]
        found[rate] = (units[0], units[-1], len(units))
    assert found == {"Own": ("04:30Z", "05:10Z", 9), "As all": ("04:25Z", "05:05Z", 9)}


# Clocks go on at 02:00 in Berlin on the first date, and back at 03:00 on the second.
@pytest.mark.parametrize(
    ("date", "starts"),
    [
        ("2026-03-29", ["01:00+01:00", "03:00+02:00"]),
        ("2026-10-25", ["01:00+02:00", "02:00+02:00", "02:00+01:00", "03:00+01:00"]),
    ],
)
def test_a_rate_has_its_length_where_clocks_change(date: str, starts: list[str]) -> None:
    plan = _plan(
        weekly=[{"from": "01:00", "to": "04:00"}],
        horizon_days=400,
        rates=[
            {"name": "Hour", "minutes": 60, "step_minutes": 60},
            {"name": "Short", "minutes": 20},
        ],
    )
    now = datetime(2026, 3, 1, tzinfo=UTC)
    sale = SALE._replace(zone=ZoneInfo("Europe/Berlin"), now=now)
    asked = AvailabilityQuery(f"{date}T00:00", f"{date}T12:00", rate="Hour")
    slots = plan.reader.answer(asked, Snapshot(), sale).slots
    assert [slot.from_[11:16] + slot.from_[19:] for slot in slots] == starts
    for slot in slots:
        claims = plan.line_claims(_line(slot.from_, unit="ann", rate="Hour"), sale)
        assert len(claims.needs) == 12
        assert claims.line.to == slot.to
        lasts = datetime.fromisoformat(slot.to) - datetime.fromisoformat(slot.from_)
        assert lasts.total_seconds() == 3600


def test_demand_counts_who_is_taken_in_the_slot_of_the_rate() -> None:
    plan = _plan()
    line = _line("2026-11-23T10:00", unit="ann", rate="Short")
    needs = plan.line_claims(line, SALE).needs
    taken = Snapshot({need.unit: TakenClaims(UnitState.BOOKED, None) for need in needs})
    start = int(_instants("09:30")[0])
    levels = {
        rate: plan.level(Scope(at=start, rate=rate), taken, SALE) for rate in ("First", "Short")
    }
    assert levels == {"First": Level(1, 2), "Short": Level(0, 2)}
    step = DemandStep(from_count=1, amount=500)
    demand = Demand([step], lambda scope: plan.level(scope, taken, SALE))
    sale = SALE._replace(demand=demand)
    prices = {
        slot.from_[11:16]: slot.price for slot in _answer(plan, taken, sale, rate="First").slots
    }
    assert (prices["09:30"], prices["11:00"]) == (4500, 4000)
    dear = plan.line_claims(_line("2026-11-23T09:30", unit="bea", rate="First"), sale)
    assert dear.amount == 4500


def test_who_gives_a_rate_is_chosen_in_turn() -> None:
    names = ("ann", "bea", "cy", "dee")
    plan = _plan(
        providers=[{"name": name} for name in names],
        rates=[{"name": "Odd", "minutes": 15, "providers": ["dee", "bea"]}],
    )
    chosen = []
    for minute in range(0, 240, 30):
        line = _line(f"2026-11-23T{9 + minute // 60:02}:{minute % 60:02}", rate="Odd")
        chosen += [one.unit for one in plan.choose(line, Snapshot(), SALE, partial=False)]
    assert set(chosen) == {"bea", "dee"}


RATED = _plan()


@settings(deadline=None, max_examples=examples(60))
@given(st.data())
def test_two_bookings_share_a_claim_just_where_their_times_overlap(data: st.DataObject) -> None:
    """Whatever rates they have, and whoever gives them."""
    found = []
    for _ in range(2):
        rate = data.draw(st.sampled_from(list(RATED.rate_names())))
        slots = _answer(RATED, rate=rate).slots
        slot = data.draw(st.sampled_from(slots))
        line = _line(slot.from_, unit="bea", rate=rate)
        rule = RATED.rates.of_line(line)
        claims = {need.unit for need in RATED.line_claims(line, SALE).needs}
        begin, end = (datetime.fromisoformat(at).timestamp() for at in (slot.from_, slot.to))
        found.append((begin - rule.before, end + rule.after, claims))
    (begin, end, ours), (other_begin, other_end, theirs) = found
    assert bool(ours & theirs) == (begin < other_end and other_begin < end)
