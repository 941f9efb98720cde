"""One hold alone is placed by a short way, which falls back to that of a batch: whatever is asked,
both leave the same rows and answer the same.
"""

import random
from collections.abc import AsyncIterator
from datetime import timedelta

import asyncpg
import pytest

from bespeak import Line, ids
from bespeak.reservations.lines import Shown, ShownLine
from bespeak.reservations.request import HoldRequestRow
from tests.harness.clock import START
from tests.harness.database import Connection, problems, session, snapshot
from tests.harness.placing import (
    Request,
    place_alone,
    request,
    resource,
    seat,
    some,
    unplanned,
    upcoming,
)

LIMIT = "owner:asha"
LATER = (START + timedelta(days=1)).isoformat()


@pytest.fixture
async def at_start(database_url: str) -> AsyncIterator[Connection]:
    """A session whose clock stands still."""
    async with session(database_url, START.isoformat()) as made:
        yield made


def both(home: int) -> list[Request]:
    """What the ways are asked, of many kinds."""
    limit = [some(home, LIMIT, 2, 3)]
    return [
        request(seat(home, "A1")),
        request(seat(home, "B2"), seat(home, "B1"), key="k1", limits=limit),
        request(some(home, "floor", 3, 5)),
        request(some(home, "floor", 3, 5), owner="bela", key="k1"),
        request(some(home, "floor", 9, 5), owner="bela"),
        request(seat(home, "C1"), some(home, "floor", 2, 5), limits=limit),
        request(seat(home, "A1"), seat(home, "C9"), owner="cleo", key="k9"),
        request(seat(home, "B1"), seat(home, "B2"), key="k1", limits=limit),
        request(seat(home, "D1"), key="k1", content=b"other"),
        request(seat(home, "E1"), limits=[some(home, LIMIT, 1, 3)], actor="tester"),
        _quoted(request(seat(home, "F1"), amount=1250, shown=_shown(home), actor="tester")),
        request(some(home, "floor", 1, 5), some(home, "balcony", 4, 4), owner="dana"),
        # Several pools: a code's stands between seats; one is short after others were drawn.
        request(seat(home, "G1"), some(home, "code:FAN", 2, 9), seat(home, "G2"), owner="ed"),
        request(some(home, "floor", 1, 6), limits=[some(home, "owner:ed", 1, 3)], owner="ed"),
        request(some(home, "annex", 1, 2), some(home, "balcony", 1, 4), owner="ed"),
        request(some(home, "floor", 1, 9), some(home, "annex", 2, 2), owner="ed"),
        request(*upcoming(home, 2)),
    ]


def _shown(home: int) -> Shown:
    line = Line(ids.show_resource(home), "F1")
    return Shown([ShownLine(line, [(0, 1)], 1)], missing=[Line(ids.show_resource(home), "F2")])


def _quoted(asked: Request) -> Request:
    """The request with a quote, whatever it says."""
    place = HoldRequestRow._fields.index("quote")
    return (*asked[:place], '{"says": "something"}', *asked[place + 1 :])


@pytest.mark.parametrize("number", range(len(both(1))))
async def test_both_ways_answer_and_write_the_same(at_start: Connection, number: int) -> None:
    home = await unplanned(at_start)
    asked = both(home)
    await at_start.execute("select bespeak.horizon()")  # begins the epoch of the feed
    for one in asked[:number]:
        await place_alone(at_start, one)
    await _check_both(at_start, asked[number])
    await place_alone(at_start, asked[number])
    assert await problems(at_start) == []


async def test_a_hold_that_is_there_without_its_key_is_answered(at_start: Connection) -> None:
    """The key was let go; both ways write it again."""
    asked = request(seat(await unplanned(at_start), "A1"), key="k1", seconds=1)
    await place_alone(at_start, asked)
    await at_start.execute("delete from bespeak.hold_key")
    await at_start.execute("update bespeak.claim set expires_at = '-infinity'")
    assert (await _check_both(at_start, asked))["outcome"] == "replayed"


async def _check_both(connection: Connection, asked: Request) -> dict[str, object]:
    """The answer, which is that of both ways, as are the rows that they leave."""
    short, long = [await _tried(connection, asked, long_way=way) for way in (False, True)]
    assert short == long
    return short[0]


async def _tried(
    connection: Connection, asked: Request, *, long_way: bool
) -> tuple[dict[str, object], dict[str, list[str]]]:
    """The answer and all rows after it; they are taken back."""
    transaction = connection.transaction()
    await transaction.start()
    await connection.execute("alter sequence bespeak.event_position restart with 1000")
    answer = dict(await place_alone(connection, asked, long_way=long_way))
    rows = await snapshot(connection)
    # Events have the number of their transaction.
    rows = {table: found for table, found in rows.items() if not table.startswith("event")}
    rows["event"] = [str(row) for row in await connection.fetch(EVENTS)]
    await transaction.rollback()
    return answer, rows


EVENTS = """
    select resource_id, kind, hold_id, units, quantities, at, data, actor
    from bespeak.event order by position
"""


@pytest.mark.parametrize(
    "columns",
    [
        {"state": "closed"},
        {"closes_at": START},
        {"opens_at": START + timedelta(seconds=1)},
        {"version": 2},
    ],
    ids=lambda columns: next(iter(columns)),
)
async def test_what_is_shut_or_changed_is_unavailable(
    at_start: Connection, columns: dict[str, object]
) -> None:
    home = await resource(at_start, {"type": "by hand"}, **columns)
    answer = await place_alone(at_start, request(seat(home, "A1"), key="k1"))
    assert answer["outcome"] == "unavailable"
    for table in ("hold", "hold_key", "claim", "event"):
        assert await at_start.fetchval(f"select count(*) from bespeak.{table}") == 0


@pytest.mark.parametrize("long_way", [False, True])
async def test_a_repeat_of_a_lapsed_hold_without_a_key_leaves_it_as_it_is(
    at_start: Connection, database_url: str, long_way: bool
) -> None:
    """The reply was lost, and the process that repeats it comes long after."""
    home = await unplanned(at_start)
    asked = request(seat(home, "A1"), some(home, "floor", 2, 2))
    assert (await place_alone(at_start, asked))["outcome"] == "held"
    before = await snapshot(at_start)
    async with session(database_url, LATER) as late:
        answer = await place_alone(late, asked, long_way=long_way)
    assert (answer["outcome"], answer["hold"]["hold_id"]) == ("replayed", asked[0])
    assert await snapshot(at_start) == before


async def test_a_lapsed_seat_is_taken_over(at_start: Connection, database_url: str) -> None:
    home = await unplanned(at_start)
    lapsed = request(seat(home, "A1"))
    await place_alone(at_start, lapsed)
    async with session(database_url, LATER) as late:
        taker = request(seat(home, "A1"), owner="bela")
        assert (await place_alone(late, taker))["outcome"] == "held"
    row = await at_start.fetchrow("select hold_id, taken_from from bespeak.claim")
    assert row is not None
    assert (row["hold_id"], row["taken_from"]) == (taker[0], lapsed[0])


async def test_lapsed_draws_make_room(at_start: Connection, database_url: str) -> None:
    home = await unplanned(at_start)
    await place_alone(at_start, request(seat(home, "A1"), limits=[some(home, LIMIT, 1, 1)]))
    async with session(database_url, LATER) as late:
        again = request(seat(home, "A2"), limits=[some(home, LIMIT, 1, 1)])
        assert (await place_alone(late, again))["outcome"] == "held"
    assert await at_start.fetchval("select taken from bespeak.pool") == 1


async def test_several_pools_are_drawn_whole_or_not_at_all(
    at_start: Connection, database_url: str
) -> None:
    """The second of them looks short until what lapsed in it is taken back."""
    home = await unplanned(at_start)
    for owner, seconds in (("bela", 600), ("cleo", 2 * 86_400)):
        one = request(some(home, "b", 1, 2), owner=owner, seconds=seconds)
        assert (await place_alone(at_start, one))["outcome"] == "held"
    asked = [
        request(some(home, "a", 1, 5), some(home, "b", count, 2), some(home, "c", 1, 5))
        for count in (2, 1)
    ]
    async with session(database_url, LATER) as late:
        assert [(await place_alone(late, one))["outcome"] for one in asked] == ["taken", "held"]
        assert await problems(late) == []
    pools = await at_start.fetch("select unit, taken from bespeak.pool")
    assert {row["unit"]: row["taken"] for row in pools} == {"a": 1, "b": 2, "c": 1}
    assert await at_start.fetchval("select count(*) from bespeak.draw") == 4


async def test_a_presale_code_opens_by_the_short_way_too(at_start: Connection) -> None:
    opens_at = START + timedelta(hours=1)
    home = await resource(at_start, {"type": "by hand"}, opens_at=opens_at)
    other = await resource(at_start, {"type": "by hand"}, opens_at=opens_at)
    await at_start.execute("select bespeak.horizon()")  # begins the epoch of the feed
    place = HoldRequestRow._fields.index("presale")

    def early(unit: str, leave: list[int] | None) -> Request:
        asked = request(seat(home, unit), limits=[some(home, "code:EARLY", 1, 9)])
        return (*asked[:place], leave, *asked[place + 1 :])

    for leave in (None, [], [other]):
        answer = await place_alone(at_start, early("A1", leave))
        assert answer["outcome"] == "unavailable"
    assert (await _check_both(at_start, early("A1", [other, home])))["outcome"] == "held"


async def test_many_by_chance(at_start: Connection, database_url: str, dice: random.Random) -> None:
    """A day of holds, some lapsed: the audit finds nothing, and no seat is held twice."""
    home = await unplanned(at_start)
    held = 0
    for hour in range(12):
        now = (START + timedelta(hours=hour)).isoformat()
        async with session(database_url, now) as at:
            for _ in range(12):
                owner = dice.choice(["asha", "bela"])
                units = dice.sample([f"A{n}" for n in range(1, 13)], 2)
                asked = request(
                    *(seat(home, unit) for unit in units),
                    *([some(home, "floor", dice.randint(1, 3), 4)] if dice.random() < 0.3 else []),
                    owner=owner,
                    seconds=dice.choice([600, 5400, 9000]),
                    key=dice.choice([None, ids.show(ids.HOLD, ids.IdMaker().new(home))]),
                    limits=[some(home, f"owner:{owner}", 2, 6)] if dice.random() < 0.5 else [],
                )
                answer = await place_alone(at, asked, long_way=dice.random() < 0.3)
                assert answer["outcome"] in ("held", "taken")
                held += answer["outcome"] == "held"
            assert await problems(at) == []
    assert held > 20


async def test_the_short_way_is_taken(at_start: Connection) -> None:
    """The control of this file: a plain hold alone never reaches the steps of a batch, also where
    keys of others were erased."""
    home = await unplanned(at_start)
    await at_start.execute("insert into bespeak.erased_key (digest, erased_at) values ('x', now())")
    await at_start.execute("drop function bespeak.first_look cascade")
    asked = request(seat(home, "A1"), key="k1", limits=[some(home, LIMIT, 1, 3)])
    assert (await place_alone(at_start, asked))["outcome"] == "held"
    asked = request(seat(home, "A3"), some(home, "code:FAN", 1, 9), some(home, "floor", 1, 9))
    assert (await place_alone(at_start, asked))["outcome"] == "held"
    with pytest.raises(asyncpg.UndefinedFunctionError):
        await place_alone(at_start, request(seat(home, "A2")), long_way=True)
