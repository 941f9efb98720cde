"""Numbered tickets: which numbers there are, and which come next."""

from datetime import timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest, Line
from bespeak.errors import UnknownUnit
from bespeak.inventory.plans import AvailabilityQuery, Need
from bespeak.inventory.shapes.tickets.availability import TicketsAvailability
from bespeak.inventory.shapes.tickets.choice import LAST_GIVEN
from bespeak.inventory.shapes.tickets.plan import TicketsPlan
from bespeak.inventory.shapes.tickets.rules import CompiledTickets
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.lines import Best
from bespeak.states import UnitState
from tests.unit.ledger import BOOKED, NOW, RESOURCE, SALE, Ledger
from tests.unit.plan_pages import VERSION, answer_block, plan_blocks

HELD = TakenClaims(UnitState.HELD, NOW.timestamp() + 60)
BLOCKED = TakenClaims(UnitState.BLOCKED, None)
LAPSED = TakenClaims(UnitState.HELD, NOW.timestamp())
QUERY = AvailabilityQuery()

plans = st.builds(
    TicketsPlan,
    count=st.integers(1, 9),
    first=st.sampled_from([0, 1, 8, 95]),
    refill=st.sampled_from(["never", "freed"]),
    prefix=st.sampled_from(["", "A", "A-", "1"]),
)
steps = st.lists(
    st.tuples(st.sampled_from(["next", "free", "lapse", "block"]), st.integers(0, 8)), max_size=25
)


class Counter:
    """The numbers as the database gives them, one request after the other."""

    def __init__(self, plan: TicketsPlan) -> None:
        self.plan = plan
        self.compiled = CompiledTickets(plan)
        self.ledger = Ledger(self.compiled)
        self.last = plan.first - 1

    @property
    def picture(self) -> Snapshot:
        return self.ledger.picture

    def free(self) -> list[int]:
        """The numbers that can still be handed out, in the order in which they will be."""
        numbers = range(self.plan.first, self.plan.first + self.plan.count)
        return [
            number
            for number in numbers
            if self.picture.taken(f"{self.plan.prefix}{number}", NOW.timestamp()) is None
            and (self.plan.refill == "freed" or number > self.last)
        ]

    def give(self) -> None:
        free = self.free()
        if free:
            self.last = max(self.last, free[0])
            self.picture.mark([f"{self.plan.prefix}{free[0]}"], HELD)
            self.picture.pools[LAST_GIVEN] = self.last

    def step(self, what: str, which: int) -> None:
        unit = f"{self.plan.prefix}{self.plan.first + which}"
        taken = self.picture.taken(unit, NOW.timestamp())
        if what == "next":
            self.give()
        elif what == "free":
            self.picture.unmark([unit])
        elif what == "lapse" and taken is not None and taken.until is not None:
            self.picture.mark([unit], LAPSED)
        elif what == "block" and which < self.plan.count and taken is None:
            self.ledger.take(self.compiled.block_needs(Line(RESOURCE, unit), SALE), BLOCKED)

    def shown(self, query: AvailabilityQuery = QUERY) -> TicketsAvailability:
        return self.compiled.reader.answer(query, self.picture, SALE)


@given(plans, steps)
def test_what_is_shown_to_come_next_comes_next(
    plan: TicketsPlan, taken: list[tuple[str, int]]
) -> None:
    counter = Counter(plan)
    for what, which in taken:
        counter.step(what, which)
        free = counter.free()
        shown = counter.shown()
        assert shown.left == len(free)
        assert shown.next == (f"{plan.prefix}{free[0]}" if free else None)
        assert (shown.reason == "sold_out") == (not free)


@given(plans, steps)
def test_the_map_shows_what_is_taken_and_nothing_else(
    plan: TicketsPlan, taken: list[tuple[str, int]]
) -> None:
    counter = Counter(plan)
    for what, which in taken:
        counter.step(what, which)
    shown = counter.shown()
    numbers = [f"{plan.prefix}{plan.first + n}" for n in range(plan.count)]
    assert list(shown.taken) == [
        unit for unit in numbers if counter.picture.taken(unit, NOW.timestamp())
    ]
    if plan.refill == "freed":
        for unit in numbers:
            assert counter.ledger.fits([Line(RESOURCE, unit)]) == (unit not in shown.taken)


@given(plans)
def test_the_units_are_the_numbers_and_nothing_else(plan: TicketsPlan) -> None:
    compiled = CompiledTickets(plan)
    numbers = range(plan.first, plan.first + plan.count)
    units = {f"{plan.prefix}{number}" for number in numbers}
    assert len(units) == plan.count == compiled.exclusive_total
    assert {f"{plan.prefix}{n}" for n in range(200) if compiled.has(f"{plan.prefix}{n}")} == units


@pytest.mark.parametrize(
    "unit",
    [
        "",
        "A",
        "A0",
        "A01",
        "A 1",
        "A1 ",
        "A+1",
        "A-1",
        "a1",
        "1",
        "A\u0661",
        "A²",
        "A11",
        "A1.0",
        "A" + "9" * 5000,
        "A1\n",
        "AA1",
        "A1_0",
    ],
)
def test_a_text_that_is_no_number(unit: str) -> None:
    compiled = CompiledTickets(TicketsPlan(10, prefix="A"))
    assert compiled.has("A1") and compiled.has("A10")
    assert not compiled.has(unit)
    with pytest.raises(InvalidRequest):
        compiled.line_claims(Line(RESOURCE, unit), SALE)


def test_next_claims_as_many_numbers_without_a_name() -> None:
    compiled = CompiledTickets(TicketsPlan(10, price=250))
    line = Line(RESOURCE, next=3)
    meant = compiled.line_claims(line, SALE)
    assert (meant.line, list(meant.needs)) == (line, [Need("")] * 3)
    assert (meant.amount, meant.weight) == (750, 3)
    assert not compiled.is_open(line)


def test_a_number_may_be_named_where_freed_ones_are_given_again() -> None:
    meant = CompiledTickets(TicketsPlan(20)).line_claims(Line(RESOURCE, "17"), SALE)
    assert (list(meant.needs), meant.amount, meant.weight) == ([Need("17")], 100, 1)
    with pytest.raises(InvalidRequest) as caught:
        CompiledTickets(TicketsPlan(20, refill="never")).line_claims(Line(RESOURCE, "17"), SALE)
    assert caught.value.data["field"] == "lines.unit"


def test_a_block_names_its_number() -> None:
    for refill in ("never", "freed"):
        compiled = CompiledTickets(TicketsPlan(20, refill=refill))
        assert compiled.block_needs(Line(RESOURCE, "17"), SALE) == [Need("17")]
        for line in (Line(RESOURCE), Line(RESOURCE, next=1), Line(RESOURCE, "17", 1)):
            with pytest.raises(InvalidRequest):
                compiled.block_needs(line, SALE)


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (Line(RESOURCE), "lines.next"),
        (Line(RESOURCE, quantity=2), "lines.next"),
        (Line(RESOURCE, "3", next=2), "lines.next"),
        (Line(RESOURCE, quantity=2, next=2), "lines.next"),
        (Line(RESOURCE, next=2, from_="1"), "lines.from"),
        (Line(RESOURCE, next=2, to="1"), "lines.to"),
        (Line(RESOURCE, next=2, best=Best(1)), "lines.best"),
        (Line(RESOURCE, next=2, code="FAN"), "lines.code"),
        (Line(RESOURCE, "3\x00"), "lines"),
    ],
)
def test_a_line_that_makes_no_sense(line: Line, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        CompiledTickets(TicketsPlan(10)).line_claims(line, SALE)
    assert caught.value.data["field"] == field


def test_a_number_has_no_quantity() -> None:
    with pytest.raises(UnknownUnit, match="leave the quantity out"):
        CompiledTickets(TicketsPlan(10)).line_claims(Line(RESOURCE, "3", 1), SALE)


def test_a_map_of_one_number() -> None:
    counter = Counter(TicketsPlan(5, prefix="T"))
    counter.picture.mark(["T2"], HELD)
    counter.picture.mark(["T4"], BOOKED)
    one = counter.shown(AvailabilityQuery(unit="T2", quantity=4))
    assert list(one.taken) == ["T2"]
    assert one.taken["T2"].until == NOW + timedelta(seconds=60)
    assert (one.next, one.left, one.count, one.reason) == ("T1", 3, 5, "sold_out")
    assert counter.shown(AvailabilityQuery(unit="T1")).taken == {}
    assert counter.shown(AvailabilityQuery(quantity=3)).reason is None


@pytest.mark.parametrize(
    "query",
    [
        AvailabilityQuery(from_="1"),
        AvailabilityQuery(to="1"),
        AvailabilityQuery(quantity=0),
        AvailabilityQuery(unit="6"),
    ],
)
def test_a_query_that_makes_no_sense(query: AvailabilityQuery) -> None:
    compiled = CompiledTickets(TicketsPlan(5))
    with pytest.raises(InvalidRequest):
        compiled.availability_units(query, SALE)
    with pytest.raises(InvalidRequest):
        compiled.reader.answer(query, Snapshot(), SALE)


@pytest.mark.parametrize(
    "plan",
    [
        TicketsPlan(0),
        TicketsPlan(100_001, refill="never"),
        TicketsPlan(10_001),
        TicketsPlan(10, first=-1),
        TicketsPlan(2, first=999_999_999),
        TicketsPlan(10, prefix="next:"),
        TicketsPlan(10, prefix="owner:a"),
        TicketsPlan(10, prefix="x" * 21),
        TicketsPlan(10, prefix="a\n"),
        TicketsPlan(10, price=-1),
        TicketsPlan(10, price=10**30),
        TicketsPlan(10, refill="sometimes"),  # type: ignore[arg-type]
        TicketsPlan("10"),  # type: ignore[arg-type]
    ],
)
def test_a_plan_that_makes_no_sense(plan: TicketsPlan) -> None:
    with pytest.raises(InvalidRequest) as caught:
        CompiledTickets(plan)
    assert caught.value.data == {"field": "plan"}


@pytest.mark.parametrize(
    "plan", [TicketsPlan(100_000, refill="never"), TicketsPlan(1, first=999_999_999)]
)
def test_the_bounds_themselves_are_allowed(plan: TicketsPlan) -> None:
    assert CompiledTickets(plan).has(str(plan.first + plan.count - 1))


@given(plans)
def test_a_plan_is_read_as_it_was_written(plan: TicketsPlan) -> None:
    assert msgspec.json.decode(msgspec.json.encode(plan), type=TicketsPlan) == plan


def test_the_page_shows_plans_that_make_sense() -> None:
    blocks = plan_blocks("tickets")
    assert blocks
    for text in blocks:
        CompiledTickets(msgspec.json.decode(text, type=TicketsPlan))


def test_the_page_shows_what_is_answered() -> None:
    compiled = CompiledTickets(msgspec.json.decode(plan_blocks("tickets")[0], type=TicketsPlan))
    picture = Snapshot({"A1": BOOKED, "A2": HELD, "A4": BLOCKED}, version=VERSION)
    answer = compiled.reader.answer(QUERY, picture, SALE)
    assert msgspec.json.decode(msgspec.json.encode(answer)) == answer_block("tickets")
