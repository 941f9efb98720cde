"""What holds of other shapes than plain units promise: a frozen price, lines that mean many claims
and are given back as lines, seats that are not left single, calendars that block once.
"""

import random
from itertools import product

import asyncpg
import msgspec
import pytest

import bespeak
from bespeak import Line, Money, Resource, ids
from bespeak.errors import NotInBooking, PaymentRequired
from bespeak.reservations.changes import cancel_request
from bespeak.reservations.lines import Shown, ShownLine, encode_shown
from bespeak.reservations.parts import NO_PART, BookingPart
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, snapshot
from tests.harness.placing import (
    CANCEL,
    Guard,
    Request,
    details,
    hold_id,
    outcomes,
    place,
    request,
    resource,
    seat,
    some,
    tickets,
    unplanned,
    upcoming,
)
from tests.harness.shows import MakeShow

NIGHTS = [f"2030-02-0{day}" for day in range(1, 8)]


def stay(
    home: int, *claims: tuple[int, int], quantity: int | None = None, weight: int = 1
) -> ShownLine:
    """A line that means these claims: the place of each and how many."""
    name = ids.show_resource(home)
    return ShownLine(
        Line(name, f"room {claims[0][0]}", quantity, from_="a", to="b"), list(claims), weight
    )


async def booked(engine: bespeak.Engine, connection: Connection, asked: Request) -> str:
    """The booking of a request, by the name that it has outside."""
    assert await outcomes(connection, asked) == ["held"]
    return (await engine.confirm_hold(hold_id(asked))).id


async def cancel(
    connection: Connection, booking: str, home: int, part: BookingPart | None = None
) -> asyncpg.Record:
    number = ids.parse(ids.BOOKING, booking)
    change = cancel_request(number, "x", part or NO_PART, None)
    row = await connection.fetchrow(CANCEL, home, [change])
    assert row is not None
    return row


async def drawn(connection: Connection) -> dict[str, int]:
    rows = await connection.fetch("select unit, taken from bespeak.pool where taken > 0")
    return {row["unit"]: row["taken"] for row in rows}


async def test_the_price_is_the_holds(
    engine: bespeak.Engine, connection: Connection, make_show: MakeShow
) -> None:
    show = await make_show(price=bespeak.Price(1000, "EUR"))
    home = ids.parse_resource(show.id)
    cheap, dear = request(seat(home, "A1"), amount=700), request(seat(home, "A2"), amount=99_000)
    await place(connection, cheap, dear)
    await connection.execute("update bespeak.resource set price_amount = 5, currency = 'INR'")
    assert (await engine.confirm_hold(hold_id(cheap))).amount == Money(700, "EUR")
    assert (await engine.confirm_hold(hold_id(dear))).amount == Money(99_000, "EUR")
    with pytest.raises(asyncpg.CheckViolationError):
        await place(connection, request(seat(home, "A3"), amount=-1))


@pytest.mark.parametrize(
    ("amount", "payments", "wanted"),
    [
        (0, ("required", "required"), False),
        (1, ("none", "none"), False),
        (1, ("none", "required"), True),
        (1, ("required", "none"), True),
    ],
)
async def test_payment_is_wanted_for_a_hold_that_costs(
    engine: bespeak.Engine,
    connection: Connection,
    amount: int,
    payments: tuple[str, str],
    wanted: bool,
) -> None:
    one, two = [await resource(connection, {}, payment=payment) for payment in payments]
    asked = request(seat(one, "A1"), seat(two, "A1"), amount=amount)
    await place(connection, asked)
    if wanted:
        with pytest.raises(PaymentRequired):
            await engine.confirm_hold(hold_id(asked))
    else:
        assert (await engine.confirm_hold(hold_id(asked))).amount.amount == amount


async def test_a_line_of_many_claims_is_given_back_as_one(
    engine: bespeak.Engine, connection: Connection
) -> None:
    """A stay of a room counts once against the owner's limit, however many nights it has."""
    home = await resource(connection, {"type": "nights"})
    asked = request(
        *[seat(home, f"7@{night}") for night in NIGHTS],
        *[seat(home, f"8@{night}") for night in NIGHTS[:2]],
        limits=[some(home, "owner:asha", 2, 4)],
        shown=Shown(
            [stay(home, *[(n, 1) for n in range(7)]), stay(home, (7, 1), (8, 1))],
        ),
    )
    booking = await booked(engine, connection, asked)
    one = BookingPart(
        [home] * 8,
        [*[f"7@{night}" for night in NIGHTS], "owner:asha"],
        [*[None] * 7, 1],
        [1],
        [1],
    )
    row = await cancel(connection, booking, home, one)
    assert (row["outcome"], row["booking"]["cancelled_shown"]) == ("confirmed", [1, 0])
    assert row["booking"]["cancelled"] == [1] * 7 + [0, 0] + [1]
    assert await drawn(connection) == {"owner:asha": 1}
    before = await snapshot(connection)
    assert (await cancel(connection, booking, home, one))["outcome"] == "not_in_booking"
    assert await snapshot(connection) == before
    row = await cancel(connection, booking, home)
    assert (row["outcome"], row["booking"]["cancelled_shown"]) == ("cancelled", [1, 1])
    assert await drawn(connection) == {}
    assert await connection.fetchval("select count(*) from bespeak.claim") == 0
    assert await problems(connection) == []


async def test_lines_that_share_pools_are_given_back_by_quantity(
    engine: bespeak.Engine, connection: Connection
) -> None:
    """Two group stays over the same nights: each pool is one claim, with what both draw of it."""
    home = await resource(connection, {"type": "nights"})
    asked = request(
        *[some(home, night, 50 if n in (0, 2) else 80, 100) for n, night in enumerate(NIGHTS[:3])],
        limits=[some(home, "owner:asha", 3, 9)],
        shown=Shown(
            [
                stay(home, (0, 50), (1, 50), quantity=50, weight=1),
                stay(home, (1, 30), (2, 50), quantity=30, weight=2),
            ]
        ),
    )
    booking = await booked(engine, connection, asked)
    first = BookingPart([home] * 2, NIGHTS[:2], [20, 20], [1], [20])
    row = await cancel(connection, booking, home, first)
    assert (row["outcome"], row["booking"]["cancelled_shown"]) == ("confirmed", [20, 0])
    assert await drawn(connection) == {
        NIGHTS[0]: 30,
        NIGHTS[1]: 60,
        NIGHTS[2]: 50,
        "owner:asha": 3,
    }
    rest = BookingPart([home] * 2, NIGHTS[:2], [30, 30], [1], [30])
    await cancel(connection, booking, home, rest)
    # The shares of the limit and of the third night were rounded down on the way; nothing of them
    # may stay behind when the last line goes.
    last = BookingPart([home] * 2, NIGHTS[1:3], [30, 49], [2], [30])
    row = await cancel(connection, booking, home, last)
    assert (row["outcome"], row["booking"]["cancelled_shown"]) == ("cancelled", [50, 30])
    assert await drawn(connection) == {}
    assert await problems(connection) == []


@pytest.mark.parametrize(
    ("places", "counts"),
    [
        (None, None),
        ([], []),
        ([0], [1]),
        ([3], [1]),
        ([-1], [1]),
        ([1], [0]),
        ([1], [-1]),
        ([1], [3]),
        ([1, 1], [2, 1]),
        ([1, 2], [1]),
        ([None], [1]),
        ([1], [None]),
    ],
)
async def test_shown_lines_that_the_booking_lacks(
    engine: bespeak.Engine,
    connection: Connection,
    places: list[int] | None,
    counts: list[int] | None,
) -> None:
    home = await resource(connection, {"type": "nights"})
    asked = request(
        some(home, "n", 4, 9),
        shown=Shown([stay(home, (0, 2), quantity=2), stay(home, (0, 2), quantity=2)]),
    )
    booking = await booked(engine, connection, asked)
    before = await snapshot(connection)
    row = await cancel(connection, booking, home, BookingPart([home], ["n"], [1], places, counts))
    assert (row["outcome"], details(row)) == (
        "not_in_booking",
        [{"unit": "n", "resource_id": home}],
    )
    assert await snapshot(connection) == before


async def test_claims_that_the_booking_lacks(
    engine: bespeak.Engine, connection: Connection
) -> None:
    home = await resource(connection, {"type": "nights"})
    asked = request(
        some(home, "n", 4, 9),
        limits=[some(home, "owner:asha", 4, 9)],
        shown=Shown([stay(home, (0, 4), quantity=4)]),
    )
    booking = await booked(engine, connection, asked)
    plain = await booked(engine, connection, request(seat(home, "x")))
    before = await snapshot(connection)
    for part, of in (
        (BookingPart([home], ["m"], [1], [1], [1]), booking),
        (BookingPart([home], ["n"], [5], [1], [1]), booking),
        (BookingPart([home], ["owner:bela"], [1], [1], [1]), booking),
        (BookingPart([home], ["owner:asha"], [1]), plain),
        (BookingPart([home, home], ["x", "x"], [None, None]), plain),
    ):
        assert (await cancel(connection, of, home, part))["outcome"] == "not_in_booking"
    assert await snapshot(connection) == before


async def test_the_last_claim_takes_the_shown_lines_with_it(
    engine: bespeak.Engine, connection: Connection
) -> None:
    """Two rooms in one line: half of a room cannot go, so both do, and nothing is left to show."""
    home = await resource(connection, {"type": "nights"})
    asked = request(
        seat(home, "7"),
        limits=[some(home, "owner:asha", 2, 4)],
        shown=Shown([stay(home, (0, 1), quantity=2)]),
    )
    booking = await booked(engine, connection, asked)
    row = await cancel(connection, booking, home, BookingPart([home], ["7"], [None], [1], [1]))
    assert (row["outcome"], row["booking"]["cancelled_shown"]) == ("cancelled", [2])
    assert await drawn(connection) == {}
    assert await problems(connection) == []


async def test_sql_cancels_a_booking_of_other_lines_only_wholly(
    engine: bespeak.Engine, connection: Connection
) -> None:
    home = await tickets(connection, 9)
    booking = await booked(engine, connection, request(*upcoming(home, 2)))
    call = "select state from bespeak.cancel_booking($1, 'x', $2, $3, $4)"
    before = await snapshot(connection)
    for owner, units, code in (
        (None, ["1"], "plan_not_in_sql"),
        ("asha", ["1"], "plan_not_in_sql"),
        ("bela", ["1"], "not_owner"),
        ("bela", None, "not_owner"),
    ):
        with pytest.raises(asyncpg.PostgresError, match=code):
            await connection.fetchval(call, booking, owner, [ids.show_resource(home)], units)
    assert await snapshot(connection) == before
    assert await connection.fetchval(call, booking, "asha", None, None) == "cancelled"
    assert await problems(connection) == []


def random_products(dice: random.Random, home: int) -> tuple[Request, list[ShownLine]]:
    """A hold of products, each of which draws from several pools, and its shown lines."""
    claims = [f"p{n}" for n in range(dice.randint(2, 5))]
    total = dict.fromkeys(claims, 0)
    shown: list[ShownLine] = []
    for number in range(dice.randint(1, 4)):
        quantity = dice.choice([1, 2, 3, 7, None])
        of_line = quantity or 1
        drawn_from = claims if number == 0 else dice.sample(claims, dice.randint(1, len(claims)))
        mine = {claim: dice.randint(1, 3) * of_line for claim in drawn_from}
        for claim, count in mine.items():
            total[claim] += count
        line = Line(ids.show_resource(home), f"product {number}", quantity)
        places = [(claims.index(claim), count) for claim, count in mine.items()]
        shown.append(ShownLine(line, places, of_line * dice.randint(1, 2)))
    asked = request(
        *[some(home, unit, count, 1000) for unit, count in total.items()],
        limits=[some(home, "owner:asha", sum(each.weight for each in shown), 1000)],
        shown=Shown(shown),
    )
    return asked, shown


async def test_products_are_given_back_one_after_the_other(
    engine: bespeak.Engine, connection: Connection, dice: random.Random
) -> None:
    """In any order and in any parts, each pool and the limit have at every moment what the lines
    that are left draw; and when the last is given back, nothing is left."""
    home = await resource(connection, {"type": "pools"})
    for _ in range(10):
        asked, shown = random_products(dice, home)
        booking = await booked(engine, connection, asked)
        left = [each.line.quantity or 1 for each in shown]
        while any(left):
            place = dice.choice([place for place, rest in enumerate(left) if rest])
            back = dice.randint(1, left[place])
            lines = [msgspec.structs.replace(shown[place].line, quantity=back)]
            too_many = [msgspec.structs.replace(lines[0], quantity=left[place] + 1)]
            with pytest.raises(NotInBooking):
                await engine.cancel_booking(booking, reason="x", lines=too_many)
            seen = await engine.cancel_booking(booking, reason="x", lines=lines)
            left[place] -= back
            assert [line.cancelled_quantity for line in seen.lines] == [
                (each.line.quantity or 1) - rest for each, rest in zip(shown, left, strict=True)
            ]
            assert (seen.state == "cancelled") == (not any(left))
            expected: dict[str, int] = {}
            for each, rest in zip(shown, left, strict=True):
                of_line = each.line.quantity or 1
                for index, count in each.claims:
                    unit = f"p{index}"
                    expected[unit] = expected.get(unit, 0) + count // of_line * rest
                limit = expected.get("owner:asha", 0)
                expected["owner:asha"] = limit + each.weight // of_line * rest
            assert await drawn(connection) == {unit: n for unit, n in expected.items() if n}
        assert await problems(connection) == []


@pytest.mark.parametrize(
    ("unit", "beyond"),
    list(product(["free", "held", "lapsed", "blocked"], ["wall", "own", "free", "held", "lapsed"])),
)
async def test_a_seat_is_single_when_it_is_free_and_has_no_free_neighbour(
    connection: Connection, clock: Clock, unit: str, beyond: str
) -> None:
    home = await unplanned(connection)
    for name, state in (("A3", unit), ("A4", beyond)):
        if state in ("held", "lapsed"):
            seconds = 60 if state == "lapsed" else 600
            await place(connection, request(seat(home, name), owner="bela", seconds=seconds))
    if unit == "blocked":
        await connection.execute(
            "insert into bespeak.claim values ($1, 'A3', bespeak.new_id($1, true), 'infinity')",
            home,
        )
    await clock.advance(61)
    guard: Guard = (home, "A", "A3", None if beyond == "wall" else "A4")
    mine = [seat(home, "A2"), *([seat(home, "A4")] if beyond == "own" else [])]
    before = await snapshot(connection)
    (row,) = await place(connection, request(*mine, guards=[guard]))
    if unit in ("free", "lapsed") and beyond in ("wall", "own", "held"):
        assert (row["outcome"], row["hold"]) == ("orphan", None)
        assert details(row) == [{"unit": "A3", "resource_id": home}]
        assert await snapshot(connection) == before
    else:
        assert row["outcome"] == "held"


async def test_who_would_leave_single_seats_leaves_nothing_at_all(connection: Connection) -> None:
    """In a batch with others, with pools, a limit and numbers; all single seats are told, once."""
    room, queue = await unplanned(connection), await tickets(connection, 9)
    other = await unplanned(connection)
    guards: list[Guard] = [
        (room, "A", "A1", None),
        (room, "A", "A4", None),
        (room, "A", "A4", None),
        (other, "A", "A4", "A5"),
    ]
    rows = await place(
        connection,
        request(seat(room, "B1"), some(room, "floor", 2, 5), guards=[(room, "B", "B2", "B3")]),
        request(
            seat(room, "A2"),
            seat(room, "A3"),
            seat(other, "A3"),
            *upcoming(queue),
            some(room, "floor", 2, 5),
            limits=[some(room, "owner:asha", 2, 4)],
            guards=guards,
            key="k",
        ),
        request(seat(room, "C1"), some(room, "floor", 3, 5)),
    )
    assert [row["outcome"] for row in rows] == ["held", "orphan", "held"]
    assert sorted(details(rows[1]), key=str) == [
        {"unit": "A1", "resource_id": room},
        {"unit": "A4", "resource_id": room},
    ]
    assert await drawn(connection) == {"floor": 5}
    assert await connection.fetchval("select count(*) from bespeak.hold") == 2
    assert await problems(connection) == []
    again = request(seat(room, "A2"), key="k")  # the key of a refusal is free
    assert await outcomes(connection, again) == ["held"]


async def test_another_resources_seat_of_the_same_name_is_no_neighbour(
    connection: Connection,
) -> None:
    room, other = [await unplanned(connection) for _ in range(2)]
    guard: Guard = (room, "A", "A3", "A4")
    assert await outcomes(
        connection, request(seat(room, "A2"), seat(other, "A4"), guards=[guard])
    ) == ["held"]
    assert await outcomes(connection, request(seat(other, "A3"))) == ["held"]


IMPORT = """
    select outcome, block, details
    from bespeak.block_units($1, $2, 'x', $3, $4, $4, $5, $6, $7, 1)
"""


async def imported(
    connection: Connection,
    home: int,
    *units: str,
    source: str | None = "uid-1",
    key: str | None = None,
) -> asyncpg.Record:
    row = await connection.fetchrow(
        IMPORT,
        home,
        ids.IdMaker().new(home, is_block=True),
        units,
        [None] * len(units),
        key,
        b"content",
        source,
    )
    assert row is not None
    return row


async def test_a_calendar_entry_is_blocked_once(
    engine: bespeak.Engine, connection: Connection, show: Resource
) -> None:
    home = ids.parse_resource(show.id)
    first = await imported(connection, home, "A1", "A2", key="k1")
    assert (first["outcome"], first["block"]["source"]) == ("blocked", "uid-1")
    for key in ("k1", "k2", "k2", None):
        again = await imported(connection, home, "A1", "A3", key=key)
        assert again["outcome"] == "replayed"
        assert again["block"] == first["block"]
    other = await imported(connection, home, "A3", source="uid-2")
    assert other["outcome"] == "blocked"
    assert (await imported(connection, home, "A4", source=None))["outcome"] == "blocked"
    assert await connection.fetchval("select count(*) from bespeak.block") == 3
    await engine.unblock(ids.show(ids.BLOCK, first["block"]["block_id"]))
    moved = await imported(connection, home, "A5")
    assert (moved["outcome"], moved["block"]["units"]) == ("blocked", ["A5"])
    assert await problems(connection) == []


async def test_an_entry_that_cannot_be_blocked_leaves_nothing(connection: Connection) -> None:
    home = await unplanned(connection)
    await place(connection, request(seat(home, "A1")))
    before = await snapshot(connection)
    refused = await imported(connection, home, "A1", "A2", key="k")
    assert (refused["outcome"], refused["block"]) == ("taken", None)
    assert [one["unit"] for one in details(refused)] == ["A1"]
    assert await snapshot(connection) == before


async def test_what_is_shown_is_kept_as_it_came(connection: Connection) -> None:
    home = await resource(connection, {"type": "nights"})
    shown = Shown([stay(home, (0, 1))], [Line(ids.show_resource(home), "é", 3)])
    await place(connection, request(seat(home, "n"), shown=shown))
    kept = await connection.fetchval("select shown from bespeak.hold")
    assert msgspec.json.decode(kept) == msgspec.json.decode(encode_shown(shown))
    with pytest.raises(asyncpg.CheckViolationError):
        await connection.execute("update bespeak.hold set shown_quantities = null")
