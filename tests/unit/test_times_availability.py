"""The availability of times and what can be held never disagree, whatever the plan, the zone, the
hour and the picture are; and what is chosen and offered can be held.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bespeak import InvalidRequest, Line
from bespeak.errors import NotOnSale, SoldOut
from bespeak.inventory.plans import AvailabilityQuery, SaleContext
from bespeak.inventory.shapes.times import availability
from bespeak.inventory.shapes.times.availability import ProviderPlaces, TimesAvailability, TimeSlot
from bespeak.inventory.shapes.times.plan import TimesPlan
from bespeak.inventory.shapes.times.rules import CompiledTimes
from bespeak.inventory.shapes.times.slots import Track
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.inventory.timeline.hours import ALWAYS
from bespeak.inventory.timeline.instants import day_start, instant_of, local_day, shown
from bespeak.states import UnitState
from tests.harness.seeds import examples
from tests.unit.ledger import RESOURCE
from tests.unit.time_plans import (
    has_all,
    is_free,
    merged,
    only,
    sales,
    scatter,
    times_plans,
    why_taken,
)

seeds = st.integers(0, 2**32)


def _picture(plan: CompiledTimes, sale: SaleContext, seed: int) -> Snapshot:
    """A picture of what is taken in the days around now."""
    rule = plan.rule
    now = sale.now.timestamp()
    day = local_day(now, sale.zone)
    pictures = [Snapshot(now=now)]
    for track in rule.tracks:
        units = [
            unit
            for around in range(day - 1, day + 3)
            for unit in rule.track_day(track, sale.zone, around).claims
        ]
        pictures.append(scatter(units, track.capacity > 1, seed + track.number, now))
    return merged(*pictures)


def _asked(sale: SaleContext, quantity: int = 1) -> AvailabilityQuery:
    today = local_day(sale.now.timestamp(), sale.zone)
    return AvailabilityQuery(
        shown(day_start(sale.zone, today), sale.zone),
        shown(day_start(sale.zone, today + 2), sale.zone),
        quantity=quantity,
    )


def _shown(plan: CompiledTimes, slot: TimeSlot, track: Track) -> ProviderPlaces | None:
    """What the availability says of a provider in a slot."""
    if len(plan.rule.tracks) > 1:
        return slot.providers.get(track.name)
    return ProviderPlaces(slot.available, slot.reason, slot.until)


def _check_provider(
    plan: CompiledTimes, slot: TimeSlot, track: Track, picture: Snapshot, sale: SaleContext
) -> None:
    line = Line(RESOURCE, unit=track.name or None, from_=slot.from_)
    now = sale.now.timestamp()
    said = _shown(plan, slot, track)
    try:
        meant = plan.line_claims(line, sale)
    except NotOnSale as refused:
        reasons = {str(reason["reason"]) for reason in refused.data["reasons"]}  # type: ignore[attr-defined]
        if slot.reason in ("cutoff", "beyond_window"):
            assert slot.reason in reasons
        else:
            assert said is None
            assert reasons <= {"not_offered", "closed"}
        return
    assert said is not None
    assert slot.reason not in ("cutoff", "beyond_window")
    assert has_all(plan, meant.needs)
    assert (meant.line.from_, meant.line.to, meant.amount) == (
        slot.from_,
        slot.to,
        slot.price,
    )
    assert is_free(picture, meant.needs, now) == (said.available > 0)
    if track.capacity == 1 and said.available == 0:
        reasons_of = why_taken(picture, meant.needs, now)
        assert said.reason in {taken.state for taken in reasons_of}
        ends = [taken.until for taken in reasons_of]
        until = None if None in ends else max(end for end in ends if end is not None)
        assert said.until == (None if until is None else datetime.fromtimestamp(until, UTC))
    elif track.capacity > 1:
        all_of_it = msgspec.structs.replace(line, quantity=said.available)
        if said.available > 0:
            assert is_free(picture, plan.line_claims(all_of_it, sale).needs, now)
        more = msgspec.structs.replace(line, quantity=said.available + 1)
        assert not is_free(picture, plan.line_claims(more, sale).needs, now)


@settings(deadline=None, max_examples=examples(150))
@given(times_plans(), sales, seeds)
def test_what_is_shown_of_a_provider_is_what_can_be_held(
    plan: CompiledTimes, sale: SaleContext, seed: int
) -> None:
    picture = _picture(plan, sale, seed)
    query = _asked(sale)
    seen = plan.reader.answer(query, only(picture, plan.availability_units(query, sale)), sale)
    for slot in seen.slots:
        for track in plan.rule.tracks:
            _check_provider(plan, slot, track, picture, sale)


@settings(deadline=None, max_examples=examples(60))
@given(times_plans(), sales)
def test_every_slot_is_shown(plan: CompiledTimes, sale: SaleContext) -> None:
    query = _asked(sale)
    seen = plan.reader.answer(query, Snapshot(), sale)
    assert query.from_ is not None
    assert query.to is not None
    begin, end = (instant_of(text, sale.zone, "") for text in (query.from_, query.to))
    offered = []
    for start in range(begin, end, 300):
        for track in plan.rule.tracks:
            line = Line(RESOURCE, unit=track.name or None, from_=shown(start, sale.zone))
            try:
                plan.line_claims(line, sale)
            except NotOnSale as refused:
                reasons = [reason["reason"] for reason in refused.data["reasons"]]  # type: ignore[attr-defined]
                if {"not_offered", "closed"} & set(reasons):
                    continue
            offered.append(shown(start, sale.zone))
            break
    assert [slot.from_ for slot in seen.slots] == offered


@settings(deadline=None, max_examples=examples(150))
@given(times_plans(), sales, seeds, st.integers(1, 4))
def test_what_is_shown_free_can_be_chosen(
    plan: CompiledTimes, sale: SaleContext, seed: int, quantity: int
) -> None:
    picture = _picture(plan, sale, seed)
    now = sale.now.timestamp()
    for slot in plan.reader.answer(_asked(sale, quantity), picture, sale).slots[:40]:
        line = Line(RESOURCE, quantity=quantity, from_=slot.from_)
        if not plan.is_open(line):
            continue
        read = only(picture, plan.watched(line, sale))
        if slot.reason is not None:
            with pytest.raises((SoldOut, NotOnSale)) as refused:
                plan.choose(line, read, sale, partial=False)
            closed = slot.reason in ("cutoff", "beyond_window")
            assert isinstance(refused.value, NotOnSale) == closed
            continue
        lines = plan.choose(line, read, sale, partial=False)
        assert sum(one.quantity or 1 for one in lines) == quantity
        needs = [need for one in lines for need in plan.line_claims(one, sale).needs]
        assert has_all(plan, needs)
        assert is_free(picture, needs, now)
        assert lines == plan.choose(line, picture, sale, partial=False)


@settings(deadline=None, max_examples=examples(80))
@given(times_plans(), sales, seeds)
def test_a_part_is_the_most_that_goes_together(
    plan: CompiledTimes, sale: SaleContext, seed: int
) -> None:
    picture = _picture(plan, sale, seed)
    for slot in plan.reader.answer(_asked(sale), picture, sale).slots[:20]:
        line = Line(RESOURCE, quantity=1000, from_=slot.from_)
        if slot.reason is not None or not plan.is_open(line):
            continue
        lines = plan.choose(line, picture, sale, partial=True)
        left = [places.available for places in slot.providers.values()]
        most = sum(left) if plan.rule.capacity_max == 1 else max(left)
        assert sum(one.quantity or 1 for one in lines) == most


@settings(deadline=None, max_examples=examples(150))
@given(
    times_plans(),
    sales,
    seeds,
    st.integers(-100, 400),
    st.integers(1, 3),
    st.integers(1, 4),
    st.booleans(),
)
def test_what_is_offered_can_be_held(
    plan: CompiledTimes,
    sale: SaleContext,
    seed: int,
    quarters: int,
    quantity: int,
    slots: int,
    named: bool,
) -> None:
    picture = _picture(plan, sale, seed)
    now = sale.now.timestamp()
    track = plan.rule.tracks[-1]
    start = int(now) // 900 * 900 + quarters * 900
    line = Line(
        RESOURCE,
        unit=(track.name or None) if named else None,
        quantity=quantity if track.capacity > 1 or not named else None,
        from_=shown(start, sale.zone),
        to=shown(start + slots * plan.rule.slot, sale.zone),
    )
    offers = plan.offers(line, picture, sale, 6)
    assert offers == plan.offers(line, only(picture, plan.watched(line, sale)), sale, 6)
    assert len(offers) <= 6
    own = set(plan.rule.raster.names(track.name, plan.rule.cells(start, slots))) if named else set()
    texts = {str(offer) for offer in offers}
    assert len(texts) == len(offers)
    for offer in offers:
        needs = [need for one in offer for need in plan.line_claims(one, sale).needs]
        assert not any(plan.is_open(one) for one in offer)
        assert all(plan.line_claims(one, sale).line == one for one in offer)
        assert has_all(plan, needs)
        assert is_free(picture, needs, now)
        assert own != {need.unit for need in needs}


def _clinic(providers: int, **fields: object) -> CompiledTimes:
    document = {
        "type": "times",
        "slot_minutes": 30,
        "weekly": [{"from": "09:00", "to": "13:00"}],
        "providers": [{"name": f"dr-{place}"} for place in range(providers)],
        **fields,
    }
    return CompiledTimes(msgspec.convert(document, TimesPlan))


SALE = SaleContext(datetime(2026, 11, 22, tzinfo=UTC), ZoneInfo("Asia/Kolkata"), RESOURCE, 700)


def test_nobody_is_always_first() -> None:
    plan = _clinic(3, horizon_days=1000)
    chosen = []
    for place in range(8 * 60):
        day = datetime(2026, 11, 23, 9, tzinfo=SALE.zone) + timedelta(days=place // 8)
        start = day + timedelta(minutes=30 * (place % 8))
        line = Line(RESOURCE, from_=start.isoformat())
        (found,) = plan.choose(line, Snapshot(), SALE, partial=False)
        chosen.append(found.unit)
    for track in plan.rule.tracks:
        assert 100 < chosen.count(track.name) < 220
    nine_o_clock = chosen[::8]
    assert len(set(nine_o_clock)) == 3


def test_the_choice_evens_out_over_a_date() -> None:
    plan = _clinic(4)
    picture = Snapshot()
    load = dict.fromkeys((track.name for track in plan.rule.tracks), 0)
    for place in range(16):
        minutes = 9 * 60 + place // 2 * 30
        from_ = f"2026-11-23T{minutes // 60:02}:{minutes % 60:02}:00+05:30"
        (line,) = plan.choose(Line(RESOURCE, from_=from_), picture, SALE, partial=False)
        needs = plan.line_claims(line, SALE).needs
        picture.mark([need.unit for need in needs], TakenClaims(UnitState.BOOKED, None))
        assert line.unit is not None
        load[line.unit] += 1
        assert max(load.values()) - min(load.values()) <= 1


def test_offers_begin_with_the_same_time_and_the_same_date() -> None:
    plan = _clinic(2)
    line = Line(RESOURCE, unit="dr-0", from_="2026-11-24T12:30:00+05:30")
    offers = [offer[0] for offer in plan.offers(line, Snapshot(), SALE, 5)]
    assert (offers[0].unit, offers[0].from_) == ("dr-1", "2026-11-24T12:30:00+05:30")
    assert [one.from_ for one in offers[1:]] == [
        "2026-11-24T12:00:00+05:30",
        "2026-11-24T11:30:00+05:30",
        "2026-11-24T11:00:00+05:30",
        "2026-11-24T10:30:00+05:30",
    ]
    assert {one.unit for one in offers[1:]} == {"dr-0"}
    late = Line(RESOURCE, unit="dr-0", from_="2026-11-24T12:00:00+05:30", to="PT1H")
    taken = Snapshot(
        {
            unit: TakenClaims(UnitState.BOOKED, None)
            for track in plan.rule.tracks
            for unit in plan.rule.track_day(
                track, SALE.zone, local_day(SALE.now.timestamp(), SALE.zone) + 2
            ).claims
        }
    )
    next_best = plan.offers(late, taken, SALE, 2)
    assert [one.from_ for (one,) in next_best] == [
        "2026-11-25T09:00:00+05:30",
        "2026-11-25T09:30:00+05:30",
    ]


def test_offers_may_share_with_the_refused_slots_what_is_free_of_them() -> None:
    plan = _clinic(2, consecutive_max=2)
    last = Line(RESOURCE, unit="dr-0", from_="2026-11-24T12:30:00+05:30")
    picture = Snapshot(
        {
            need.unit: TakenClaims(UnitState.BOOKED, None)
            for need in plan.line_claims(last, SALE).needs
        }
    )
    late = Line(RESOURCE, unit="dr-0", from_="2026-11-24T12:00:00+05:30", to="PT1H")
    offers = [(one.unit, one.from_) for (one,) in plan.offers(late, picture, SALE, 2)]
    assert offers == [
        ("dr-1", "2026-11-24T12:00:00+05:30"),
        ("dr-0", "2026-11-24T11:30:00+05:30"),
    ]
    more = Line(RESOURCE, from_="2026-11-24T10:00:00+05:30", to="PT2H")
    ((longest,),) = plan.offers(more, Snapshot(), SALE, 1)
    assert (longest.from_, longest.to) == ("2026-11-24T10:00:00+05:30", "2026-11-24T11:00:00+05:30")


def _answer(plan: CompiledTimes, picture: Snapshot, **query: object) -> TimesAvailability:
    asked = msgspec.convert(query, AvailabilityQuery)
    return plan.reader.answer(asked, picture, SALE)


def test_the_answer_as_it_is_sent() -> None:
    plan = _clinic(2, holidays=["2026-11-24"], price=50000)
    until = SALE.now.timestamp() + 300
    picture = Snapshot(
        {
            "dr-0@2026-11-23T03:30Z": TakenClaims(UnitState.HELD, until),
            "dr-0@2026-11-23T04:00Z": TakenClaims(UnitState.HELD, until),
            "dr-1@2026-11-23T04:15Z": TakenClaims(UnitState.BOOKED, None),
        },
        version="7.1",
    )
    answer = _answer(plan, picture, **{"from": "2026-11-23", "to": "2026-11-25"})
    sent = msgspec.to_builtins(answer)
    assert sent.pop("slots")[:3] == [
        {
            "from": "2026-11-23T09:00:00+05:30",
            "to": "2026-11-23T09:30:00+05:30",
            "available": 1,
            "price": 50000,
            "providers": {
                "dr-0": {"available": 0, "reason": "held", "until": "2026-11-22T00:05:00Z"},
                "dr-1": {"available": 1},
            },
        },
        {
            "from": "2026-11-23T09:30:00+05:30",
            "to": "2026-11-23T10:00:00+05:30",
            "available": 0,
            "price": 50000,
            "reason": "sold_out",
            "until": "2026-11-22T00:05:00Z",
            "providers": {
                "dr-0": {"available": 0, "reason": "held", "until": "2026-11-22T00:05:00Z"},
                "dr-1": {"available": 0, "reason": "booked"},
            },
        },
        {
            "from": "2026-11-23T10:00:00+05:30",
            "to": "2026-11-23T10:30:00+05:30",
            "available": 2,
            "price": 50000,
            "providers": {"dr-0": {"available": 1}, "dr-1": {"available": 1}},
        },
    ]
    assert sent == {
        "type": "times",
        "resource_id": RESOURCE,
        "version": "7.1",
        "from": "2026-11-23T00:00:00+05:30",
        "to": "2026-11-25T00:00:00+05:30",
        "quantity": 1,
        "closed": ["2026-11-24"],
    }


def test_the_range_of_an_answer() -> None:
    plan = _clinic(1)
    week = _answer(plan, Snapshot())
    assert (week.from_, week.to) == ("2026-11-22T00:00:00+05:30", "2026-11-29T00:00:00+05:30")
    assert len(week.slots) == 7 * 8
    one = _answer(plan, Snapshot(), **{"from": "2026-11-23T09:30", "to": "2026-11-23T10:00"})
    assert [slot.from_ for slot in one.slots] == ["2026-11-23T09:30:00+05:30"]
    spaced = _answer(plan, Snapshot(), **{"from": "2026-11-23T09:30:00 05:30", "to": "2026-11-24"})
    assert len(spaced.slots) == 7


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from": "2026-11-23", "to": "2026-11-23"}, "to"),
        ({"from": "2026-11-23", "to": "2026-11-22"}, "to"),
        ({"from": "2026-11-23", "to": "2027-11-22"}, "to"),
        ({"from": "2026-02-30"}, "from"),
        ({"from": "tomorrow"}, "from"),
        ({"to": "99999-01-01"}, "to"),
        ({"to": "2026-11-23T25:00"}, "to"),
        ({"from": "0001-01-01T00:00:00+14:00"}, "from"),
        ({"from": "9999-12-31"}, "from"),
        ({"quantity": 0}, "quantity"),
        ({"quantity": 10**30}, "quantity"),
        ({"unit": "dr-who"}, "unit"),
        ({"unit": ""}, "unit"),
    ],
)
def test_queries_that_make_no_sense(query: dict[str, object], field: str) -> None:
    plan = _clinic(2)
    asked = AvailabilityQuery(
        **{"from_" if name == "from" else name: value for name, value in query.items()}  # type: ignore[arg-type]
    )
    for ask in (
        lambda: plan.reader.answer(asked, Snapshot(), SALE),
        lambda: plan.availability_units(asked, SALE),
    ):
        with pytest.raises(InvalidRequest) as refused:
            ask()
        assert refused.value.data["field"] == field


def test_more_than_an_answer_can_have_is_refused() -> None:
    plan = _clinic(500, slot_minutes=5, weekly=[{"from": "00:00", "to": "24:00"}])
    with pytest.raises(InvalidRequest, match="20000 slots"):
        _answer(plan, Snapshot())
    assert len(_answer(plan, Snapshot(), unit="dr-3").slots) == 7 * 288
    with pytest.raises(InvalidRequest, match="fewer days"):
        _answer(plan, Snapshot(), to="2027-01-22")
    assert plan.availability_units(AvailabilityQuery(), SALE) is None


def test_long_slots_of_many_cells_are_too_much_for_one_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Few slots, but each of a day's cells: they are bounded by the cells, which take the time."""
    day = TimesPlan(slot_minutes=1440, weekly=ALWAYS, raster_minutes=1, horizon_days=60)
    plan = CompiledTimes(day)
    sale = SaleContext(datetime(2030, 1, 1, tzinfo=UTC), ZoneInfo("UTC"))
    query = AvailabilityQuery("2030-01-02", "2030-01-06")
    answer = plan.availability(query, Snapshot(), sale)
    assert isinstance(answer, TimesAvailability) and len(answer.slots) == 4
    monkeypatch.setattr(availability, "_CELLS_MAX", 5 * 1440 - 1)
    with pytest.raises(InvalidRequest, match="fewer days"):
        plan.availability(query, Snapshot(), sale)
