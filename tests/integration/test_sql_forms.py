"""The single forms in SQL, as a program in any language calls them: what is granted, and that
bad input is refused with its own SQLSTATE and changes nothing."""

import json
from datetime import datetime

import asyncpg
import pytest

import bespeak
from bespeak import Line, Resource, ids
from bespeak.errors import by_code
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, snapshot
from tests.harness.placing import resource
from tests.harness.shows import MakeShow

STATES = {error.code: error.sqlstate for error in by_code().values()}


async def refused(connection: Connection, code: str, call: str, *arguments: object) -> None:
    before = await snapshot(connection)
    with pytest.raises(asyncpg.PostgresError) as caught:
        await connection.fetchrow(f"select * from bespeak.{call}", *arguments)
    assert caught.value.sqlstate == STATES[code]
    assert caught.value.args[0] == code
    assert isinstance((caught.value.detail and json.loads(caught.value.detail)) or {}, dict | list)
    assert caught.value.hint in ("do not retry", "retry later", "retry now")
    assert await snapshot(connection) == before


async def test_a_hold_from_psql(connection: Connection, make_show: MakeShow) -> None:
    show = await make_show(owner_limit=4)
    hold = await connection.fetchrow(
        "select * from bespeak.place_hold('asha', $1, '{A1,A2,floor}', '{null,null,2}')", [show.id]
    )
    assert hold is not None
    assert (hold["state"], hold["replayed"]) == ("held", False)
    booking = await connection.fetchrow(
        "select * from bespeak.confirm_hold($1, 'asha')", hold["id"]
    )
    assert booking is not None
    assert booking["state"] == "confirmed"
    cancelled = await connection.fetchrow(
        "select * from bespeak.cancel_booking($1, 'ill', resources => $2, units => '{A1,floor}',"
        " quantities => '{null,1}')",
        booking["booking_id"],
        [show.id],
    )
    assert cancelled is not None
    assert cancelled["state"] == "confirmed"
    assert await problems(connection) == []


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("unit_taken", "'b', array[$1], array['A20']"),
        ("sold_out", "'b', array[$1], array['floor'], array[5]"),
        ("sold_out", "'b', array[$1], array['floor'], array[6]"),
        ("owner_limit_reached", "'a', array[$1], array['A1','A2','A3','A4']"),
        ("unknown_unit", "'a', array[$1], array['Z1']"),
        ("unknown_unit", "'a', array[$1], array['floor']"),
        ("unknown_unit", "'a', array[$1], array['A1'], array[1]"),
        ("unknown_unit", "'a', array[$1], array['owner:a'], array[1]"),
        ("duplicate_line", "'a', array[$1], array['A1','A1']"),
        ("invalid_request", "'a', array[$1], array[]::text[]"),
        ("invalid_request", "'a', array[$1], null"),
        ("invalid_request", "'a', null, array['A1']"),
        ("invalid_request", "'a', array[$1,$1], array['A1','A2','A3']"),
        ("invalid_request", "'a', array[$1], array['A1',null]"),
        ("invalid_request", "'a', array[$1], array['A1'], array[null,1]::int[]"),
        ("invalid_request", "'a', array[$1], array['floor'], array[0]"),
        ("invalid_request", "'a', array[$1], array['floor'], array[-1]"),
        ("invalid_request", "'', array[$1], array['A1']"),
        ("invalid_request", "null, array[$1], array['A1']"),
        ("invalid_request", "e'a\\nb', array[$1], array['A1']"),
        ("invalid_request", "'a', array[$1], array['A1'], idempotency_key => ''"),
        ("invalid_id", "'a', array['x'], array['A1'] -- $1"),
        ("invalid_id", "'a', array['res_0000000u'], array['A1'] -- $1"),
        ("resource_not_found", "'a', array['res_00000001'], array['A1'] -- $1"),
        ("resource_not_found", "'a', array[$1,'res_00000001'], array['A1','A1']"),
        ("hold_time_beyond_cap", "'a', array[$1], array['A1'], hold_seconds => 1801"),
        ("hold_time_beyond_cap", "'a', array[$1], array['A1'], hold_seconds => 0"),
        ("idempotency_key_reused", "'a', array[$1], array['A1'], idempotency_key => 'k'"),
    ],
)
async def test_placing_what_cannot_be(
    connection: Connection, make_show: MakeShow, code: str, arguments: str
) -> None:
    show = await make_show(owner_limit=4)
    await connection.execute(
        "select bespeak.place_hold('a', $1, '{A20,floor}', '{null,1}', 600, 'k')", [show.id]
    )
    call = "place_hold(" + arguments + "\n)"
    await refused(connection, code, call.replace("$1", f"'{show.id}'"))


ROOM: dict[str, object] = {
    "type": "seats",
    "categories": [{"name": "front", "price": 2500}, {"name": "rear"}],
    "sections": [
        {"name": "Front", "category": "front", "rows": [{"name": "A", "seats": 5}]},
        {"name": "Rear", "category": "rear", "rows": [{"name": "B", "seats": 5}]},
    ],
    "pools": [{"unit": "floor", "capacity": 9}],
}


async def test_a_hold_costs_the_same_from_sql_and_through_the_engine(
    engine: bespeak.Engine, connection: Connection
) -> None:
    home = await resource(connection, ROOM, price_amount=1000, currency="INR")
    name = ids.show_resource(home)
    await connection.execute(
        "select bespeak.place_hold('a', $1, '{A1,B1,floor}', '{null,null,3}')", [name]
    )
    stored = await connection.fetchrow("select amount, currency, shown from bespeak.hold")
    assert stored is not None
    assert tuple(stored) == (2500 + 1000 + 3 * 1000, "INR", None)
    lines = [Line(name, "A2"), Line(name, "B2"), Line(name, "floor", 3)]
    hold = await engine.place_hold(owner="b", lines=lines)
    assert (hold.amount.amount, hold.amount.currency) == (stored["amount"], stored["currency"])


@pytest.mark.parametrize("kind", ["nights", "times", "tickets", "pools", "legs", "moments"])
async def test_plans_that_sql_does_not_know(connection: Connection, kind: str) -> None:
    """They are refused before their units are looked for, and whatever else the hold has."""
    name = ids.show_resource(await resource(connection, ROOM | {"type": kind}))
    room = ids.show_resource(await resource(connection, ROOM))
    for units in (["A1"], ["Z1"]):
        await refused(connection, "plan_not_in_sql", "place_hold('a', $1, $2)", [name], units)
        await refused(connection, "plan_not_in_sql", "block($1, $2, 'x')", name, units)
    await refused(connection, "plan_not_in_sql", "place_hold('a', $1, '{A1,A1}')", [room, name])


@pytest.mark.parametrize("rule", ["strict", "lenient"])
async def test_a_room_without_single_seats_is_not_held_from_sql(
    connection: Connection, rule: str
) -> None:
    name = ids.show_resource(await resource(connection, ROOM | {"orphans": rule}))
    await refused(connection, "plan_not_in_sql", "place_hold('a', $1, '{A1}')", [name])
    await connection.execute("select bespeak.block($1, '{A1}', 'x')", name)
    free = ids.show_resource(await resource(connection, ROOM | {"orphans": "off"}))
    await connection.execute("select bespeak.place_hold('a', $1, '{A1}')", [free])
    assert await problems(connection) == []


async def test_a_closed_and_an_early_resource(
    connection: Connection, make_show: MakeShow, clock: Clock
) -> None:
    from datetime import timedelta

    closed = await make_show(state="closed")
    early = await make_show(opens_at=clock.now + timedelta(seconds=1))
    late = await make_show(closes_at=clock.now)
    for show, code in (
        (closed, "resource_closed"),
        (early, "resource_not_open"),
        (late, "resource_closed"),
    ):
        await refused(connection, code, "place_hold('a', $1, '{A1}')", [show.id])


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("unit_taken", "$1, '{A20}', 'x'"),
        ("unit_taken", "$1, '{A1,floor}', 'x', '{null,5}'"),
        ("unknown_unit", "$1, '{Z1}', 'x'"),
        ("unknown_unit", "$1, '{floor}', 'x'"),
        ("unknown_unit", "$1, '{A1}', 'x', '{1}'"),
        ("duplicate_line", "$1, '{A1,A1}', 'x'"),
        ("invalid_request", "$1, '{}', 'x'"),
        ("invalid_request", "$1, null, 'x'"),
        ("invalid_request", "$1, '{A1}', null"),
        ("invalid_request", "$1, '{floor}', 'x', '{0}'"),
        ("invalid_request", "$1, '{floor}', 'x', '{-1}'"),
        ("invalid_request", "$1, '{floor}', 'x', '{1,2}'"),
        ("resource_not_found", "'res_00000001', '{A1}', 'x' -- $1"),
        ("invalid_id", "'x', '{A1}', 'x' -- $1"),
    ],
)
async def test_blocking_what_cannot_be(
    connection: Connection, show: Resource, code: str, arguments: str
) -> None:
    await connection.execute(
        f"select bespeak.place_hold('a', array['{show.id}'], '{{A20,floor}}', '{{null,1}}')"
    )
    await refused(connection, code, f"block({arguments}\n)".replace("$1", f"'{show.id}'"))


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("not_blocked", "$1, '{A2}'"),
        ("not_blocked", "$1, '{floor}'"),
        ("not_blocked", "$1, '{floor}', '{3}'"),
        ("duplicate_line", "$1, '{floor,floor}', '{1,1}'"),
        ("invalid_request", "$1, '{floor}', '{0}'"),
        ("invalid_request", "$1, '{floor}', '{-1}'"),
        ("invalid_request", "$1, '{}'"),
        ("invalid_id", "'x' -- $1"),
        ("block_not_found", "'blk_01h2xcejqtf2nbrexx3vqjhp41' -- $1"),
    ],
)
async def test_unblocking_what_cannot_be(
    connection: Connection, show: Resource, code: str, arguments: str
) -> None:
    block = await connection.fetchval(
        "select id from bespeak.block($1, '{A1,floor}', 'x', '{null,2}')", show.id
    )
    await refused(connection, code, f"unblock({arguments}\n)".replace("$1", f"'{block}'"))


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("not_in_booking", "array[$2], '{A9}'"),
        ("not_in_booking", "array[$2], '{floor}', '{3}'"),
        ("not_in_booking", "array['res_00000001'], '{A1}'"),
        ("invalid_request", "array[$2], '{floor}', '{0}'"),
        ("invalid_request", "array[$2], '{floor}', '{-1}'"),
        ("invalid_request", "array[$2], '{A1}', '{null,1}'"),
        ("invalid_request", "array[$2,$2], '{A1}'"),
        ("invalid_request", "null, '{A1}'"),
        ("invalid_request", "array[$2], '{}'"),
        ("invalid_id", "array['x'], '{A1}'"),
    ],
)
async def test_cancelling_what_cannot_be(
    connection: Connection, show: Resource, code: str, arguments: str
) -> None:
    hold = await connection.fetchval(
        "select id from bespeak.place_hold('a', $1, '{A1,floor}', '{null,2}')", [show.id]
    )
    booking = await connection.fetchval("select booking_id from bespeak.confirm_hold($1)", hold)
    call = f"cancel_booking('{booking}', 'x', null, {arguments})".replace("$2", f"'{show.id}'")
    await refused(connection, code, call)


@pytest.mark.parametrize("verb", ["confirm_hold($1", "release_hold($1", "extend_hold($1, 60"])
async def test_holds_that_are_not_there_or_not_yours(
    connection: Connection, show: Resource, clock: Clock, verb: str
) -> None:
    hold = await connection.fetchval(
        "select id from bespeak.place_hold('a', $1, '{A1}')", [show.id]
    )
    await refused(connection, "not_owner", f"{verb}, owner => 'b')", hold)
    await refused(
        connection,
        "hold_not_found",
        f"{verb})",
        hold[:-1] + "0" + "z"[:0] if hold[-1] != "0" else hold[:-1] + "1",
    )
    await refused(connection, "invalid_id", f"{verb})", "x")
    await clock.advance(600)
    await refused(connection, "hold_expired", f"{verb})", hold)


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (0, "invalid_request"),
        (-1, "invalid_request"),
        (None, "invalid_request"),
        (1801, "extension_beyond_cap"),
        (2**31 - 1, "extension_beyond_cap"),
    ],
)
async def test_extending_by_what_cannot_be(
    connection: Connection, show: Resource, seconds: int | None, code: str
) -> None:
    hold = await connection.fetchval(
        "select id from bespeak.place_hold('a', $1, '{A1}')", [show.id]
    )
    await refused(connection, code, "extend_hold($1, $2)", hold, seconds)


async def test_repeats_from_psql(connection: Connection, show: Resource) -> None:
    place = "select id, replayed from bespeak.place_hold('a', $1, '{A1}', null, null, 'k')"
    first = await connection.fetchrow(place, [show.id])
    again = await connection.fetchrow(place, [show.id])
    assert first is not None
    assert again is not None
    assert (first["id"], first["replayed"], again["replayed"]) == (again["id"], False, True)
    for call in (
        "extend_hold('%s', 700, null, 'k')",
        "confirm_hold('%s', null, 'k')",
        "cancel_booking(replace('%s', 'hold_', 'bkg_'), 'x', null, null, null, null, 'k')",
    ):
        query = f"select * from bespeak.{call % first['id']}"
        assert await connection.fetchrow(query) == await connection.fetchrow(query)


async def test_a_time_in_the_details_is_told_as_over_http(
    engine: bespeak.Engine, connection: Connection, show: Resource
) -> None:
    hold = await engine.place_hold(owner="a", lines=[Line(show.id, "A1")])
    with pytest.raises(asyncpg.PostgresError) as caught:
        await connection.fetchrow(
            "select * from bespeak.place_hold('b', array[$1], array['A1'])", show.id
        )
    (conflict,) = json.loads(caught.value.detail or "")
    assert datetime.fromisoformat(conflict["until"]) == hold.expires_at
