"""What is written twice, in Python and in SQL, gives the same: ids, plans, lines, fingerprints."""

import random
from uuid import UUID

import asyncpg
import msgspec
import pytest

from bespeak import Line, PoolPlan, Row, SeatsPlan, Section, ids
from bespeak.errors import InvalidId
from bespeak.inventory.fingerprints import fingerprint
from bespeak.inventory.lines import lines_text
from bespeak.inventory.shapes.seats.room_maker import make_room
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from tests.harness.database import Connection
from tests.harness.seatmaps import random_plan

HOMES = [1, 2, (1 << 28) - 1, 1 << 28, (1 << 28) + 1, 0xFEDCBA9876, ids.MAX_RESOURCE_NUMBER]


async def test_ids_made_in_python_read_the_same_in_sql(
    connection: Connection, dice: random.Random
) -> None:
    maker = ids.IdMaker()
    homes = HOMES + [dice.randint(1, ids.MAX_RESOURCE_NUMBER) for _ in range(200)]
    made = [(home, is_block) for home in homes for is_block in (False, True)]
    numbers = [maker.new(home, is_block=is_block) for home, is_block in made]
    rows = await connection.fetch(
        """
        select bespeak.home_of(id) as home, bespeak.is_block(id) as is_block,
            bespeak.id_text('hold', id) as text,
            bespeak.id_uuid(bespeak.id_text('hold', id)) as back
        from unnest($1::uuid[]) with ordinality as t(id, n) order by n
        """,
        numbers,
    )
    for row, number, (home, is_block) in zip(rows, numbers, made, strict=True):
        assert (row["home"], row["is_block"], row["back"]) == (home, is_block, number)
        assert row["text"] == ids.show(ids.HOLD, number)


async def test_ids_made_in_sql_read_the_same_in_python(
    connection: Connection, dice: random.Random
) -> None:
    for home in HOMES + [dice.randint(1, ids.MAX_RESOURCE_NUMBER) for _ in range(50)]:
        for is_block in (False, True):
            number: UUID = await connection.fetchval(
                "select bespeak.new_id($1, $2)", home, is_block
            )
            assert (number.version, number.variant) == (8, "specified in RFC 4122")
            assert (ids.home_of(number), ids.is_block(number)) == (home, is_block)


async def test_any_uuid_goes_out_and_in(connection: Connection, dice: random.Random) -> None:
    numbers = [UUID(int=0), UUID(int=2**128 - 1)]
    numbers += [UUID(int=dice.getrandbits(128)) for _ in range(200)]
    texts = await connection.fetchval(
        "select array_agg(bespeak.id_text('bkg', id) order by n)"
        " from unnest($1::uuid[]) with ordinality as t(id, n)",
        numbers,
    )
    assert texts == [ids.show("bkg", number) for number in numbers]
    assert [ids.parse("bkg", text) for text in texts] == numbers


async def test_resource_ids(connection: Connection, dice: random.Random) -> None:
    for number in [*HOMES, dice.randint(1, ids.MAX_RESOURCE_NUMBER)]:
        text = await connection.fetchval("select bespeak.resource_text($1)", number)
        assert text == ids.show_resource(number)
        assert await connection.fetchval("select bespeak.resource_number($1)", text) == number


@pytest.mark.parametrize(
    "text", ["", "hold", "hold_", "hold_" + "8" * 26, "hold_" + "u" * 26, "hold_" + "0" * 25, "x"]
)
async def test_bad_ids_are_refused_in_both(connection: Connection, text: str) -> None:
    with pytest.raises(asyncpg.PostgresError) as caught:
        await connection.fetchval("select bespeak.id_uuid($1)", text)
    assert caught.value.sqlstate == InvalidId.sqlstate
    with pytest.raises(InvalidId):
        ids.parse(ids.HOLD, text)
    with pytest.raises(asyncpg.PostgresError) as caught:
        await connection.fetchval("select bespeak.resource_number($1)", text)
    assert caught.value.sqlstate == InvalidId.sqlstate


async def test_plans_have_the_same_units(connection: Connection, dice: random.Random) -> None:
    for _ in range(300):
        plan = random_plan(dice)
        compiled = CompiledSeats(plan)
        prices = {category.name: category.price for category in plan.categories}
        pools = {pool.unit: pool.category for pool in plan.pools}
        found = await connection.fetch(
            "select unit, capacity, price from bespeak.plan_units($1)",
            msgspec.json.encode(plan).decode(),
        )
        expected: list[tuple[str, int | None, int | None]] = [
            (unit, None, prices.get(category)) for unit, category in compiled.categories.items()
        ]
        expected += [
            (unit, capacity, prices.get(pools[unit] or ""))
            for unit, capacity in compiled.pools.items()
        ]
        assert sorted(map(tuple, found)) == sorted(expected, key=lambda row: row[0])


async def test_a_unit_is_found_as_among_all(connection: Connection, dice: random.Random) -> None:
    for _ in range(100):
        plan = msgspec.json.encode(random_plan(dice)).decode()
        units = {
            row["unit"]: row
            for row in await connection.fetch("select * from bespeak.plan_units($1)", plan)
        }
        # And what looks like one: longer, shorter, with a nought before its number, of nothing.
        wanted = {*units, *(unit + "1" for unit in units), *(unit[:-1] for unit in units), ""}
        wanted |= {f"{unit[:-1]}0{unit[-1]}" for unit in units} | {"A-1", "A99999999999"}
        for unit in dice.sample(sorted(wanted), min(60, len(wanted))):
            found = await connection.fetch("select * from bespeak.plan_unit($1, $2)", plan, unit)
            assert found == ([units[unit]] if unit in units else []), unit


async def test_a_large_plan_has_the_same_units(connection: Connection) -> None:
    for plan in (make_room("arena", 20_000), make_room("banquet", 3_000)):
        units = await connection.fetchval(
            "select array_agg(unit) from bespeak.plan_units($1)",
            msgspec.json.encode(plan).decode(),
        )
        assert sorted(units) == sorted(CompiledSeats(plan).categories)


async def test_a_plan_of_pools_alone_and_of_seats_alone(connection: Connection) -> None:
    for plan in (
        SeatsPlan(pools=(PoolPlan("floor", 7),)),
        SeatsPlan(sections=(Section("S", (Row("A", 1),)),)),
    ):
        found = await connection.fetch(
            "select * from bespeak.plan_units($1)", msgspec.json.encode(plan).decode()
        )
        assert len(found) == 1


async def test_lines_and_their_fingerprints(connection: Connection, dice: random.Random) -> None:
    for _ in range(50):
        lines = [
            Line(
                ids.show_resource(dice.randint(1, ids.MAX_RESOURCE_NUMBER)),
                dice.choice(["A1", "Größe 7", "座席", "a b", "'"]),
                dice.choice([None, 1, 1_000_000]),
            )
            for _ in range(dice.randint(1, 4))
        ]
        text, prints = await connection.fetchrow(  # type: ignore[misc]
            """
            select t, bespeak.field_print(t) || bespeak.field_print(null)
            from bespeak.lines_text($1, $2, $3) t
            """,
            [ids.parse_resource(line.resource_id) for line in lines],
            [line.unit for line in lines],
            [line.quantity for line in lines],
        )
        assert text == lines_text(lines)
        assert prints == fingerprint((lines_text(lines), ""))
