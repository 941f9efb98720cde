"""Rates of times: one plan gives several things of different lengths, and all of them claim the
same cells of the same providers.
"""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import msgspec
import pytest

from bespeak import InvalidRequest, Line
from bespeak.errors import NotOnSale, UnknownUnit
from bespeak.inventory.plans import AvailabilityQuery, SaleContext
from bespeak.inventory.shapes.times.availability import TimesAvailability
from bespeak.inventory.shapes.times.plan import TimesPlan
from bespeak.inventory.shapes.times.rules import CompiledTimes
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.states import UnitState
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
