"""Prices: frozen with the hold, the same rule for a quote, a hold and an availability; and codes
that are pools of every shape.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import msgspec
import pytest
from msgspec import UNSET

import bespeak
from bespeak import Line, NotOnSale, Price, ResourceChange, SoldOut
from bespeak.errors import ResourceNotOpen, UnknownCode
from bespeak.inventory.blocks import BlockLine
from bespeak.inventory.plans import AvailabilityQuery
from bespeak.inventory.resources import Resource, ready_resource
from bespeak.inventory.shapes.nights.availability import NightsAvailability
from bespeak.inventory.shapes.pools.availability import PoolsAvailability
from bespeak.inventory.shapes.seats.availability import SeatsAvailability
from bespeak.inventory.shapes.tickets.availability import TicketsAvailability
from bespeak.inventory.shapes.times.availability import TimesAvailability
from bespeak.inventory.starts import starts_of
from bespeak.pricing.quotes import Quote
from bespeak.pricing.rules import Pricing
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, problems
from tests.harness.paying import paying
from tests.harness.shapes import (
    CLASSES,
    COURTS,
    FESTIVAL,
    RAFFLE,
    ROOM_TYPE,
    ROOMS,
    SHAPES,
    THEATRE,
    TOKENS,
    TRAIN,
    MakeShape,
    Shape,
    of,
    on,
)

pytestmark = pytest.mark.usefixtures("clock")
STARTS = START + timedelta(days=30)


def rules(**fields: Any) -> Pricing:
    """Price rules, as their JSON is written."""
    return msgspec.convert(fields, Pricing)


FULL = rules(
    fees=[
        {"name": "booking", "amount": 150},
        {"name": "post", "per": "order", "amount": 300, "taxable": False},
    ],
    taxes=[{"name": "sales tax", "basis_points": 1000}],
    cancellation={
        "free_until_seconds": 86_400,
        "tiers": [{"before_seconds": 0, "basis_points": 5000}],
    },
)
CODES = rules(
    codes=[
        {"code": "HALF", "capacity": 3, "basis_points": 5000},
        {"code": "GOLD", "capacity": 9, "amount": 100, "units": ["nothing"]},
        {"code": "OVER", "capacity": 9, "amount": 100, "valid_until": "2029-12-31T00:00:00Z"},
        {"code": "SOON", "capacity": 9, "amount": 100, "valid_from": "2030-01-02T00:00:00Z"},
        {"code": "EARLY", "capacity": 9, "presale": True},
    ]
)


def coded(line: Line, code: str) -> Line:
    return msgspec.structs.replace(line, code=code)


async def hold(engine: bespeak.Engine, *lines: Line, **fields: Any) -> bespeak.Hold:
    return await engine.place_hold(owner="asha", lines=lines, **fields)


async def book(engine: bespeak.Engine, *lines: Line, **fields: Any) -> None:
    made = await hold(engine, *lines, **fields)
    await engine.confirm_hold(made.id, connection=fields.get("connection"))


async def stored(connection: Connection, made: bespeak.Hold) -> tuple[Any, Any]:
    """What the hold's row says that its lines cost."""
    row = await connection.fetchrow(
        "select amounts, quote from bespeak.hold where hold_id = bespeak.id_uuid($1)", made.id
    )
    assert row is not None
    return row["amounts"], row["quote"]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
async def test_a_plain_hold_has_the_amounts_of_its_lines(
    engine: bespeak.Engine, connection: Connection, make_shape: MakeShape, shape: Shape
) -> None:
    resource = await make_shape(shape)
    made = await hold(engine, *on(resource, shape.one, shape.other))
    amounts, quote = await stored(connection, made)
    assert sum(amounts) == made.amount.amount
    assert len(amounts) == len(made.lines)
    if shape is ROOMS:  # their nights do not cost the same: a quote says what each costs
        assert made.quote is not None
        assert all(line.nights for line in made.quote.lines)
    else:
        assert made.quote is None
        assert quote is None


async def test_a_free_hold_has_none(
    engine: bespeak.Engine, connection: Connection, make_shape: MakeShape
) -> None:
    resource = await make_shape(RAFFLE, price=Price(0))
    made = await hold(engine, *on(resource, RAFFLE.one))
    assert await stored(connection, made) == (None, None)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
async def test_the_quote_of_a_hold_is_frozen_and_is_the_quote_that_was_asked_for(
    engine: bespeak.Engine, connection: Connection, make_shape: MakeShape, shape: Shape
) -> None:
    resource = await make_shape(shape, pricing=FULL, starts_at=STARTS)
    lines = on(resource, shape.one, shape.other)
    asked = await engine.quote(lines)
    made = await hold(engine, *lines)
    assert made.quote == asked
    assert made.amount == asked.total
    assert asked.total.amount > shape.amount
    assert (await stored(connection, made))[0] == asked.amounts
    assert len(asked.amounts) == len(made.lines)

    change = ResourceChange(
        price=Price(99), pricing=rules(fees=[{"name": "other", "amount": 9999}])
    )
    await engine.update_resource(resource.id, change)
    assert (await engine.get_hold(made.id)).quote == asked
    booking = await engine.confirm_hold(made.id)
    assert (booking.amount, booking.quote) == (asked.total, asked)
    assert (await engine.get_booking(booking.id)).quote == asked
    await engine.cancel_booking(booking.id, reason="done")
    assert (await engine.get_booking(booking.id)).quote == asked
    assert await problems(connection) == []


async def test_a_repeated_request_has_the_first_price(
    engine: bespeak.Engine, make_shape: MakeShape
) -> None:
    resource = await make_shape(THEATRE, pricing=FULL, starts_at=STARTS)
    lines = on(resource, of("A1"))
    first = await hold(engine, *lines, idempotency_key="k")
    await engine.update_resource(resource.id, ResourceChange(pricing=None))
    again = await hold(engine, *lines, idempotency_key="k")
    assert again.replayed
    assert (again.quote, again.amount) == (first.quote, first.amount)


async def test_a_quote_holds_nothing_and_chooses(
    engine: bespeak.Engine, connection: Connection, make_shape: MakeShape
) -> None:
    resource = await make_shape(THEATRE)
    quote = await engine.quote(on(resource, THEATRE.open))
    assert quote.amounts == [3000, 3000, 3000]
    assert {part.kind for part in quote.lines} == {"unit"}
    assert await connection.fetchval("select count(*) from bespeak.hold") == 0
    made = await hold(engine, *on(resource, of("A1"), of("A2"), of("A3")))
    assert made.amount.amount == 9000


async def test_a_quote_of_what_is_sold_out_is_refused(
    engine: bespeak.Engine, make_shape: MakeShape
) -> None:
    resource = await make_shape(ROOMS)
    await hold(engine, *on(resource, msgspec.structs.replace(ROOMS.open or ROOMS.one, quantity=3)))
    with pytest.raises(SoldOut):
        await engine.quote(on(resource, ROOMS.open))


async def test_lines_of_several_resources_each_have_their_own_rules(
    engine: bespeak.Engine, make_shape: MakeShape
) -> None:
    theatre = await make_shape(THEATRE, pricing=FULL, starts_at=STARTS)
    tokens = await make_shape(TOKENS)
    lines = [*on(theatre, of("A1")), *on(tokens, Line("", next=2))]
    made = await hold(engine, *lines)
    assert made.quote is not None
    assert made.quote.amounts == [3000 + 150 + 315, 150, 150]
    assert made.quote.order_fees == 300
    assert [terms is None for terms in made.quote.terms_of()] == [False, True, True]


@pytest.mark.parametrize("shape", [one for one in SHAPES if one is not FESTIVAL], ids=str)
async def test_a_code_is_a_pool_of_every_shape(
    engine: bespeak.Engine, connection: Connection, make_shape: MakeShape, shape: Shape
) -> None:
    """It takes off its part, is drawn by as many as the line counts, and comes back with it."""
    codes = rules(codes=[{"code": "HALF", "capacity": shape.weight, "basis_points": 5000}])
    resource = await make_shape(shape, pricing=codes)
    line = coded(on(resource, shape.one)[0], "HALF")
    made = await hold(engine, line)
    assert made.quote is not None
    assert made.amount.amount == shape.amount - sum(
        -part.amount for part in made.quote.lines if part.kind == "discount"
    )
    assert made.amount.amount in (shape.amount // 2, (shape.amount + 1) // 2)
    assert {shown.code for shown in made.lines} == {"HALF"}
    assert (await engine.get_hold(made.id)).lines == made.lines

    with pytest.raises(SoldOut) as refused:
        await hold(engine, coded(on(resource, shape.other)[0], "HALF"))
    conflicts = refused.value.data["conflicts"]
    assert isinstance(conflicts, list)
    assert [(one.unit, one.available) for one in conflicts] == [("code:HALF", 0)]

    booking = await engine.confirm_hold(made.id)
    await engine.cancel_booking(booking.id, reason="done")
    assert await problems(connection) == []
    assert await connection.fetchval("select taken from bespeak.pool where unit = 'code:HALF'") == 0


async def test_a_part_that_is_given_back_gives_its_code_back(
    engine: bespeak.Engine, connection: Connection, make_shape: MakeShape
) -> None:
    resource = await make_shape(TOKENS, pricing=CODES)
    made = await hold(engine, coded(Line(resource.id, next=3), "HALF"))
    assert [line.code for line in made.lines] == ["HALF"] * 3
    assert made.amount.amount == 225
    booking = await engine.confirm_hold(made.id)
    await engine.cancel_booking(booking.id, reason="one", lines=[Line(resource.id, "T2")])
    assert await connection.fetchval("select taken from bespeak.pool where unit = 'code:HALF'") == 2
    assert await problems(connection) == []


async def test_a_code_with_the_choice_left_to_the_engine(
    engine: bespeak.Engine, connection: Connection, make_shape: MakeShape
) -> None:
    for shape in (THEATRE, ROOMS, COURTS, TRAIN):
        resource = await make_shape(shape, pricing=CODES)
        line = coded(on(resource, shape.open)[0], "HALF")
        plain = await engine.quote(on(resource, shape.open))
        made = await hold(engine, line)
        assert made.amount.amount * 2 == plain.total.amount
        assert [one.code for one in made.lines] == ["HALF"] * shape.chosen
    assert await problems(connection) == []


async def test_as_much_as_there_is_of_a_code(engine: bespeak.Engine, make_shape: MakeShape) -> None:
    resource = await make_shape(THEATRE, pricing=CODES)
    made = await hold(engine, coded(Line(resource.id, "floor", 5), "HALF"), partial=True)
    assert made.lines == [coded(Line(resource.id, "floor", 3), "HALF")]
    assert made.missing == [coded(Line(resource.id, "floor", 2), "HALF")]
    assert made.amount.amount == 3000


@pytest.mark.parametrize(
    "code", ["NONE", "GOLD", "OVER", "SOON", "half", "owner:asha", "code:HALF"]
)
@pytest.mark.parametrize("shape", [THEATRE, ROOMS, TOKENS, TRAIN], ids=str)
async def test_whatever_is_wrong_with_a_code_it_is_unknown(
    engine: bespeak.Engine, make_shape: MakeShape, shape: Shape, code: str
) -> None:
    resource = await make_shape(shape, pricing=CODES)
    lines = [on(resource, shape.other)[0], coded(on(resource, shape.one)[0], code)]
    for refused in (hold(engine, *lines), engine.quote(lines)):
        with pytest.raises(UnknownCode) as error:
            await refused
        assert error.value.data["line"] == 1
        assert error.value.data["field"] == "lines[1].code"
        assert code not in str(error.value)


async def test_a_code_where_there_are_none(engine: bespeak.Engine, make_shape: MakeShape) -> None:
    for shape in (THEATRE, ROOMS, TOKENS):
        resource = await make_shape(shape)
        with pytest.raises(UnknownCode):
            await hold(engine, coded(on(resource, shape.one)[0], "HALF"))


async def test_the_codes_of_a_plan_are_as_they_were(
    engine: bespeak.Engine, make_shape: MakeShape
) -> None:
    resource = await make_shape(FESTIVAL, pricing=CODES)
    own = await hold(engine, coded(Line(resource.id, "presale", 1), "FAN"))
    assert own.amount.amount == 3500
    assert own.quote is None
    off = await hold(engine, coded(Line(resource.id, "standing", 2), "HALF"))
    assert off.amount.amount == 4000
    with pytest.raises(NotOnSale):  # a discount opens nothing that needs a code of the plan
        await hold(engine, coded(Line(resource.id, "presale", 1), "HALF"))
    with pytest.raises(NotOnSale):
        await hold(engine, coded(Line(resource.id, "standing", 1), "WRONG"))


async def test_a_used_code_may_go_and_the_plan_may_change(
    engine: bespeak.Engine, connection: Connection, make_shape: MakeShape
) -> None:
    resource = await make_shape(TOKENS, pricing=CODES)
    made = await hold(engine, coded(Line(resource.id, "T1"), "HALF"))
    plan = msgspec.structs.replace(TOKENS.plan, count=9)
    await engine.update_resource(resource.id, ResourceChange(plan=plan))
    await engine.update_resource(resource.id, ResourceChange(pricing=None))
    await engine.release_hold(made.id)
    assert await problems(connection) == []


OPENS = START + timedelta(hours=1)


async def test_a_presale_code_opens_the_resource_for_its_lines(
    engine: bespeak.Engine, connection: Connection, make_shape: MakeShape, clock: Clock
) -> None:
    resource = await make_shape(THEATRE, pricing=CODES, opens_at=OPENS)
    early = coded(Line(resource.id, "A1"), "EARLY")
    made = await hold(engine, early, idempotency_key="k")
    assert made.lines == [early]
    for lines in (
        [Line(resource.id, "A2")],
        [coded(Line(resource.id, "A2"), "HALF")],
        [coded(Line(resource.id, "A2"), "EARLY"), Line(resource.id, "A3")],
    ):
        with pytest.raises(ResourceNotOpen):
            await hold(engine, *lines)
    assert (await hold(engine, early, idempotency_key="k")).replayed
    await clock.advance(3600)
    assert (await hold(engine, Line(resource.id, "A2"))).quote is None
    assert await problems(connection) == []


async def test_a_presale_code_opens_no_other_resource(
    engine: bespeak.Engine, make_shape: MakeShape
) -> None:
    mine = await make_shape(THEATRE, pricing=CODES, opens_at=OPENS)
    other = await make_shape(TOKENS, opens_at=OPENS)
    free = await make_shape(TOKENS)
    early = coded(Line(mine.id, "A1"), "EARLY")
    with pytest.raises(ResourceNotOpen):
        await hold(engine, early, Line(other.id, "T1"))
    assert len((await hold(engine, early, Line(free.id, "T1"))).lines) == 2


async def test_the_database_keeps_the_door_shut_for_who_has_no_leave(
    engine: bespeak.Engine, make_shape: MakeShape, clock: Clock
) -> None:
    """A process whose clock is ahead is told by the database that it is too early."""
    resource = await make_shape(THEATRE, pricing=CODES, opens_at=OPENS)
    engine.clock.observe(OPENS + timedelta(seconds=1))
    with pytest.raises(bespeak.Refused):
        await hold(engine, Line(resource.id, "A1"))
    engine.clock.observe(clock.now)
    await hold(engine, coded(Line(resource.id, "A1"), "EARLY"))


STEPS = rules(
    steps=[
        {"from_basis_points": 3000, "basis_points": 1000},
        {"from_basis_points": 6000, "basis_points": 2000, "amount": 1},
    ]
)


async def shown_price(engine: bespeak.Engine, resource: Resource, line: Line) -> int:
    """What the availability says that one of a line costs."""
    query = AvailabilityQuery(
        None if line.from_ is UNSET else line.from_, None if line.to is UNSET else line.to
    )
    seen = await engine.availability(resource.id, query)
    match seen:
        case SeatsAvailability():
            assert seen.prices is not UNSET
            return seen.prices["gold"]
        case PoolsAvailability():
            return seen.products[line.unit or ""].price
        case NightsAvailability():
            return sum(night.price for night in seen.nights)
        case TimesAvailability():
            return sum(slot.price for slot in seen.slots)
        case TicketsAvailability():
            return seen.price
    raise AssertionError(seen)


# What is taken, thrice, and what is asked for the price of each time.
DEMANDED = [
    (THEATRE, [of("floor", 5), of("A1"), of("A2"), of("A3")], of("A6"), 3000),
    (FESTIVAL, [of("standing", 3), of("standing", 4)], of("standing", 1), 4000),
    (TOKENS, [of("T1"), of("T2"), of("T3")], of("T5"), 150),
    (
        ROOMS,
        [of(room, None, "2030-01-10", "2030-01-12") for room in ("101", "102")],
        of("103", None, "2030-01-10", "2030-01-12"),
        9000,
    ),
    (
        ROOM_TYPE,
        [of(None, 1, "2030-01-08", "2030-01-10")] * 2,
        of(None, 1, "2030-01-08", "2030-01-10"),
        700,
    ),
    (
        CLASSES,
        [of(None, 2, "2030-01-02T22:00:00-05:00"), of(None, 1, "2030-01-02T22:00:00-05:00")],
        of(None, 1, "2030-01-02T22:00:00-05:00", "2030-01-02T23:00:00-05:00"),
        700,
    ),
]


@pytest.mark.parametrize(
    ("shape", "takes", "line", "base"), DEMANDED, ids=lambda one: getattr(one, "name", "")
)
async def test_demand_steps_are_the_same_in_availability_quote_and_hold(
    engine: bespeak.Engine,
    make_shape: MakeShape,
    shape: Shape,
    takes: list[Line],
    line: Line,
    base: int,
) -> None:
    resource = await make_shape(shape, pricing=STEPS)
    (asked,) = on(resource, line)
    prices = []
    for take in [None, *on(resource, *takes)]:
        if take is not None:
            await book(engine, take)
        shown = await shown_price(engine, resource, asked)
        quote = await engine.quote([asked])
        assert quote.total.amount == shown
        prices.append(shown)
    made = await hold(engine, asked)
    assert made.amount.amount == prices[-1]
    assert prices == sorted(prices)
    assert prices[0] < prices[-1]
    assert prices[-1] > base
    assert made.quote is not None
    assert made.quote.lines[0].list_amount == prices[0]


async def test_a_night_has_the_price_of_its_own_demand(
    engine: bespeak.Engine, make_shape: MakeShape
) -> None:
    resource = await make_shape(ROOMS, pricing=STEPS)
    await book(engine, Line(resource.id, "101", from_="2030-01-08", to="2030-01-09"))
    line = Line(resource.id, "102", from_="2030-01-07", to="2030-01-10")
    assert (await engine.quote([line])).total.amount == 9000 + 9900 + 9000


async def test_the_steps_of_a_category_and_of_a_pool(
    engine: bespeak.Engine, make_shape: MakeShape
) -> None:
    steps = rules(
        steps=[
            {"from_count": 2, "amount": 500, "category": "gold"},
            {"from_count": 4, "amount": -100, "unit": "floor"},
        ]
    )
    resource = await make_shape(THEATRE, pricing=steps)
    seats = on(resource, of("A1"), of("C1"), of("C2"), of("C3"))
    await book(engine, *seats)
    assert (await engine.quote(on(resource, of("A6"), of("C6")))).amounts == [3000, 2000]
    await book(engine, *on(resource, of("A2"), of("floor", 4)))
    asked = on(resource, of("A6"), of("C6"), of("floor", 1))
    assert (await engine.quote(asked)).amounts == [3500, 2000, 1900]


async def test_the_seats_that_are_chosen_do_not_raise_their_own_price(
    engine: bespeak.Engine, make_shape: MakeShape
) -> None:
    steps = rules(steps=[{"from_count": 1, "amount": 500}])
    resource = await make_shape(THEATRE, pricing=steps)
    first = await hold(engine, *on(resource, THEATRE.open))
    assert first.amount.amount == 9000
    await engine.confirm_hold(first.id)
    assert (await hold(engine, *on(resource, THEATRE.open))).amount.amount == 10_500


@pytest.mark.parametrize(
    ("shape", "takes", "line"),
    [one[:3] for one in DEMANDED],
    ids=lambda one: getattr(one, "name", ""),
)
async def test_holds_raise_nobodys_price(
    engine: bespeak.Engine, make_shape: MakeShape, shape: Shape, takes: list[Line], line: Line
) -> None:
    """Whoever holds all that is left, for nothing, makes it dearer for nobody."""
    resource = await make_shape(shape, pricing=STEPS)
    (asked,) = on(resource, line)
    before = await shown_price(engine, resource, asked)
    for take in on(resource, *takes):
        await hold(engine, take)
    assert await shown_price(engine, resource, asked) == before
    assert (await engine.quote([asked])).total.amount == before
    assert (await hold(engine, asked)).amount.amount == before


async def test_what_is_blocked_counts_as_sold(
    engine: bespeak.Engine, make_shape: MakeShape
) -> None:
    resource = await make_shape(THEATRE, pricing=rules(steps=[{"from_count": 2, "amount": 500}]))
    lines = [BlockLine(unit="A1"), BlockLine(unit="A2")]
    await engine.block(resource.id, lines, reason="sponsors")
    assert (await engine.quote(on(resource, of("A6")))).total.amount == 3500


@pytest.mark.parametrize(("counts", "price"), [("bookings", 3000), ("payments", 3500)])
async def test_a_hold_that_is_being_paid_counts_where_that_is_asked_for(
    database_url: str, connection: Connection, make_shape: MakeShape, counts: str, price: int
) -> None:
    steps = rules(steps=[{"from_count": 2, "amount": 500}], steps_count=counts)
    resource = await make_shape(THEATRE, pricing=steps, payment="required")
    async with paying(database_url) as engine:
        await hold(engine, *on(resource, of("A1"), of("A2")))
        assert (await engine.quote(on(resource, of("A6")))).total.amount == 3000
        made = await hold(engine, *on(resource, of("A4"), of("floor", 1)))
        paid = await engine.payments.pay(made.id, token="tok_challenge")
        assert paid.payment is not None and paid.payment.state == "pending"
        assert (await engine.quote(on(resource, of("A6")))).total.amount == price


async def test_in_a_transaction_demand_is_what_the_transaction_sees(
    engine: bespeak.Engine, make_shape: MakeShape, connection: Connection
) -> None:
    steps = rules(steps=[{"from_count": 1, "amount": 500}])
    resource = await make_shape(THEATRE, pricing=steps)
    transaction = connection.transaction()
    await transaction.start()
    first = await hold(engine, Line(resource.id, "A1"), connection=connection)
    await engine.confirm_hold(first.id, connection=connection)
    second = await hold(engine, Line(resource.id, "A2"), connection=connection)
    await transaction.rollback()
    assert (first.amount.amount, second.amount.amount) == (3000, 3500)
    assert (await engine.quote([Line(resource.id, "A2")])).total.amount == 3000


@pytest.mark.parametrize("shape", [TRAIN, COURTS], ids=str)
async def test_steps_are_not_for_every_plan(make_shape: MakeShape, shape: Shape) -> None:
    with pytest.raises(bespeak.InvalidRequest, match="no demand steps"):
        await make_shape(shape, pricing=STEPS)


@pytest.mark.parametrize("pricing", [FULL, CODES, STEPS])
async def test_the_single_sql_forms_refuse_what_they_cannot_reckon(
    make_shape: MakeShape, connection: Connection, pricing: Pricing
) -> None:
    resource = await make_shape(THEATRE, pricing=pricing, starts_at=STARTS)
    with pytest.raises(asyncpg.PostgresError) as refused:
        await connection.fetchrow(
            "select * from bespeak.place_hold('asha', array[$1], array['A1'])", resource.id
        )
    assert refused.value.sqlstate == "BS008"
    await connection.fetchrow("select * from bespeak.block($1, array['A1'], 'house')", resource.id)


async def test_the_single_sql_forms_say_what_each_line_costs(
    make_shape: MakeShape, connection: Connection, engine: bespeak.Engine
) -> None:
    resource = await make_shape(THEATRE)
    row = await connection.fetchrow(
        "select * from bespeak.place_hold('asha', array[$1], array['A1', 'floor', 'C1'],"
        " array[null, 2, null]::integer[])",
        resource.id,
    )
    assert row is not None
    made = await engine.get_hold(row["id"])
    assert (await stored(connection, made))[0] == [3000, 4000, 2000]
    assert made.amount.amount == 9000


def test_a_quote_is_written_and_read_as_it_is() -> None:
    quote = msgspec.json.decode(
        b'{"total":{"amount":5,"currency":"EUR"},"lines":[{"kind":"unit","label":"A1","amount":5,'
        b'"line":0,"terms":0}],"amounts":[5],"cancellation":[{}]}',
        type=Quote,
    )
    assert msgspec.json.decode(msgspec.json.encode(quote), type=Quote) == quote


@pytest.mark.parametrize(
    ("shape", "line", "begins"),
    [
        (THEATRE, of("A1"), STARTS),
        (ROOMS, ROOMS.one, "2030-01-10T14:00:00Z"),  # three in Paris
        (CLASSES, CLASSES.one, "2030-01-03T04:00:00Z"),
        (TRAIN, TRAIN.one, "2030-01-05T07:00:00Z"),
        (TRAIN, of("S1", None, "D", "E"), None),
        (COURTS, COURTS.one, "2030-01-02T16:00:00Z"),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
async def test_when_what_a_line_is_of_begins(
    make_shape: MakeShape, shape: Shape, line: Line, begins: Any
) -> None:
    resource = await make_shape(shape, starts_at=STARTS)
    if isinstance(begins, str):
        begins = datetime.fromisoformat(begins)
    assert starts_of(ready_resource(resource), line.from_, line.to) == begins


async def test_without_a_start_nobody_says_when(make_shape: MakeShape) -> None:
    stock = ready_resource(await make_shape(THEATRE))
    assert starts_of(stock, UNSET) is None
    told = ready_resource(
        await make_shape(THEATRE, attributes={"starts_at": "2030-01-02T10:00:00Z"})
    )
    assert starts_of(told, UNSET) == datetime(2030, 1, 2, 10, tzinfo=UTC)
