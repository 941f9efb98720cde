"""Numbered tickets: in order, none twice, gaps refilled or not; and the place in line."""

import random
from datetime import datetime, timedelta

import asyncpg
import pytest

import bespeak
from bespeak import ids
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, problems, snapshot
from tests.harness.placing import (
    Request,
    details,
    hold_id,
    numbers,
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

BLOCK = "select outcome from bespeak.block_units($1, $2, 'x', $3, $4, $4, null, null, null, 1)"


async def last(connection: Connection, home: int) -> int | None:
    number: int | None = await connection.fetchval(
        "select last from bespeak.counter where resource_id = $1", home
    )
    return number


async def given(connection: Connection, *requests: Request) -> list[list[str]]:
    return [numbers(row) for row in await place(connection, *requests)]


async def block(connection: Connection, home: int, *units: str) -> None:
    block_id = ids.IdMaker().new(home, is_block=True)
    outcome = await connection.fetchval(BLOCK, home, block_id, units, [None] * len(units))
    assert outcome == "blocked"


async def test_numbers_go_out_in_order_and_the_caller_learns_them(connection: Connection) -> None:
    home = await tickets(connection, 10)
    assert await given(
        connection,
        request(*upcoming(home)),
        request(*upcoming(home, 3)),
        request(*upcoming(home)),
    ) == [["1"], ["2", "3", "4"], ["5"]]
    assert await given(connection, request(*upcoming(home))) == [["6"]]
    assert await last(connection, home) == 6
    stored = await connection.fetch("select units, shown_quantities from bespeak.hold order by 1")
    assert [tuple(row) for row in stored] == [
        (["1"], [1]),
        (["2", "3", "4"], [1, 1, 1]),
        (["5"], [1]),
        (["6"], [1]),
    ]
    events = await connection.fetch(
        "select units from bespeak.event where kind = 'held' order by position"
    )
    assert [row["units"] for row in events] == [row["units"] for row in stored]
    assert await problems(connection) == []


async def test_only_a_hold_with_numbers_is_answered_whole(connection: Connection) -> None:
    home = await tickets(connection, 10, prefix="T-", first=100)
    room = await unplanned(connection)
    rows = await place(
        connection,
        request(seat(room, "A1")),
        request(seat(room, "A2"), *upcoming(home, 2), limits=[some(home, "owner:asha", 2, 4)]),
    )
    assert [row["hold"] is None for row in rows] == [True, False]
    assert numbers(rows[1]) == ["A2", "T-100", "T-101"]
    assert rows[1]["hold"]["units"][-1] == "owner:asha"
    assert rows[1]["hold"]["state"] == "held"
    assert await problems(connection) == []


async def test_one_hold_has_numbers_of_several_sessions(connection: Connection) -> None:
    one, two = await tickets(connection, 5), await tickets(connection, 5, first=0)
    (got,) = await given(connection, request(*upcoming(two), *upcoming(one), *upcoming(two)))
    assert got == ["0", "1", "1"]
    short = request(*upcoming(one, 4), *upcoming(two, 4))
    (row,) = await place(connection, short)
    assert row["outcome"] == "taken"
    assert details(row) == [
        {"resource_id": two, "unit": "next", "state": "short", "capacity": 5, "available": 3}
    ]
    assert await given(connection, request(*upcoming(one, 4), *upcoming(two, 3))) == [
        ["2", "3", "4", "5", "2", "3", "4"]
    ]
    assert await problems(connection) == []


@pytest.mark.parametrize("refill", ["never", "freed"])
async def test_who_finds_too_few_leaves_them_to_the_next(
    connection: Connection, refill: str
) -> None:
    home = await tickets(connection, 5, refill=refill)
    await given(connection, request(*upcoming(home, 2)))
    before = await snapshot(connection)
    (row,) = await place(connection, request(*upcoming(home, 4)))
    assert (row["outcome"], row["hold"]) == ("taken", None)
    assert details(row) == [
        {"resource_id": home, "unit": "next", "state": "short", "capacity": 5, "available": 3}
    ]
    assert await snapshot(connection) == before
    rows = await place(connection, request(*upcoming(home, 4)), request(*upcoming(home, 3)))
    assert [row["outcome"] for row in rows] == ["taken", "held"]
    assert numbers(rows[1]) == ["3", "4", "5"]
    (row,) = await place(connection, request(*upcoming(home)))
    assert details(row)[0]["available"] == 0
    assert await problems(connection) == []


async def test_a_number_that_is_free_again_is_the_next(
    engine: bespeak.Engine, connection: Connection, clock: Clock
) -> None:
    home = await tickets(connection, 9, refill="freed")
    requests = [request(*upcoming(home), seconds=60 * n) for n in range(1, 7)]
    await place(connection, *requests)
    await engine.release_hold(hold_id(requests[4]))
    await engine.confirm_hold(hold_id(requests[0]))
    await clock.advance(130)  # 2 has lapsed, and nobody has tidied up
    assert await given(connection, request(*upcoming(home, 3))) == [["2", "5", "7"]]
    assert await last(connection, home) == 7
    await engine.cancel_booking(hold_id(requests[0]).replace("hold_", "bkg_"), reason="x")
    assert await given(connection, request(*upcoming(home))) == [["1"]]
    assert await last(connection, home) == 7
    assert await problems(connection) == []


async def test_a_number_is_never_given_again(
    engine: bespeak.Engine, connection: Connection, clock: Clock
) -> None:
    home = await tickets(connection, 5, refill="never")
    requests = [request(*upcoming(home), seconds=60 * n) for n in range(1, 4)]
    await place(connection, *requests)
    await engine.release_hold(hold_id(requests[2]))
    await clock.advance(61)
    assert await given(connection, request(*upcoming(home, 2))) == [["4", "5"]]
    (row,) = await place(connection, request(*upcoming(home)))
    assert (row["outcome"], details(row)[0]["available"]) == ("taken", 0)
    assert await problems(connection) == []


@pytest.mark.parametrize("refill", ["never", "freed"])
async def test_numbers_that_are_blocked_or_named_are_passed_over(
    connection: Connection, refill: str
) -> None:
    home = await tickets(connection, 9, refill=refill)
    await block(connection, home, "1", "4")
    rows = await place(
        connection,
        request(seat(home, "3")),
        request(*upcoming(home, 2)),
        request(seat(home, "6"), *upcoming(home)),
    )
    assert [row["outcome"] for row in rows] == ["held"] * 3
    assert [numbers(row) for row in rows[1:]] == [["2", "5"], ["6", "7"]]
    assert await problems(connection) == []


@pytest.mark.parametrize("refill", ["never", "freed"])
async def test_a_repeat_gets_the_same_numbers_and_uses_up_none(
    connection: Connection, refill: str
) -> None:
    home = await tickets(connection, 20, refill=refill)
    first = request(*upcoming(home, 2), key="k")
    assert await given(connection, first) == [["1", "2"]]
    twin = request(*upcoming(home, 2), key="k")
    other = request(*upcoming(home, 3), key="k", content=b"other")
    # The reply to `first` was lost and the batch is written again; `twin` is a second request.
    rows = await place(connection, first, twin, other)
    assert [row["outcome"] for row in rows] == ["replayed", "replayed", "key_reused"]
    assert [row["hold"]["units"] for row in rows] == [["1", "2"]] * 3
    twins = [request(*upcoming(home), key="t") for _ in range(3)]
    assert await outcomes(connection, *twins) == ["held", "replayed", "replayed"]
    assert await outcomes(connection, request(*upcoming(home), owner="bela", key="t")) == ["held"]
    assert await last(connection, home) == 4
    assert await problems(connection) == []


@pytest.mark.parametrize(("refill", "following"), [("never", "3"), ("freed", "2")])
async def test_who_loses_after_its_number_was_given_leaves_a_gap_or_none(
    connection: Connection, refill: str, following: str
) -> None:
    home = await tickets(connection, 5, refill=refill)
    room = await unplanned(connection)
    rows = await place(
        connection,
        request(*upcoming(home), some(room, "floor", 3, 5)),
        request(*upcoming(home), some(room, "floor", 3, 5)),
    )
    assert [row["outcome"] for row in rows] == ["held", "taken"]
    assert [one["unit"] for one in details(rows[1])] == ["floor"]
    assert await given(connection, request(*upcoming(home))) == [[following]]
    assert await problems(connection) == []


async def test_what_is_taken_at_a_look_uses_up_no_number(connection: Connection) -> None:
    home = await tickets(connection, 5, refill="never")
    room = await unplanned(connection)
    await place(connection, request(seat(room, "A1")))
    assert await outcomes(connection, request(*upcoming(home), seat(room, "A1"))) == ["taken"]
    assert await given(connection, request(*upcoming(home))) == [["1"]]


async def test_a_plan_without_numbers_gives_none(connection: Connection) -> None:
    plans: list[dict[str, object]] = [{"type": "seats"}, {}, {"type": "tickets", "count": 0}]
    for plan in plans:
        home = await resource(connection, plan)
        assert await outcomes(connection, request(*upcoming(home))) == ["taken"]
    assert await connection.fetchval("select count(*) from bespeak.hold") == 0


class History:
    """A session as one would keep it on paper: who has which number, until when. Each step is done
    in the database as well, which must answer what the paper says."""

    def __init__(
        self,
        engine: bespeak.Engine,
        connection: Connection,
        clock: Clock,
        dice: random.Random,
        refill: str,
    ) -> None:
        self.engine = engine
        self.connection = connection
        self.clock = clock
        self.dice = dice
        self.refill = refill
        first = dice.choice([0, 1, 95, 1000])
        self.all = range(first, first + dice.randint(15, 60))
        self.taken: dict[int, datetime | None] = {}  # until when; None: for good
        self.holds: dict[str, list[int]] = {}
        self.last = first - 1
        self.home = 0

    async def begin(self) -> None:
        self.home = await tickets(
            self.connection, len(self.all), first=self.all[0], refill=self.refill, prefix="N"
        )

    def is_free(self, number: int) -> bool:
        until = self.taken.get(number, START)
        return until is not None and until <= self.clock.now

    def upcoming(self, count: int) -> list[int]:
        free = [number for number in self.all if self.is_free(number)]
        if self.refill == "never":
            free = [number for number in free if number > self.last]
        return free[:count] if len(free) >= count else []

    async def take(self) -> None:
        wanted = [self.dice.randint(1, 3) for _ in range(self.dice.randint(1, 4))]
        seconds = self.dice.choice([60, 300, 900])
        requests = [request(*upcoming(self.home, n), seconds=seconds) for n in wanted]
        rows = await place(self.connection, *requests)
        for asked, row, n in zip(requests, rows, wanted, strict=True):
            expected = self.upcoming(n)
            assert row["outcome"] == ("held" if expected else "taken")
            if expected:
                assert numbers(row) == [f"N{number}" for number in expected]
                self.holds[hold_id(asked)] = expected
                self.last = max(self.last, *expected)
                until = self.clock.now + timedelta(seconds=seconds)
                self.taken |= dict.fromkeys(expected, until)

    async def end(self) -> None:
        if self.holds:
            name = self.dice.choice(list(self.holds))
            mine = self.holds.pop(name)
            if self.dice.random() < 0.5:
                await self.engine.release_hold(name)
                self.taken |= dict.fromkeys(mine, START)
            else:
                await self.engine.confirm_hold(name)
                self.taken |= dict.fromkeys(mine)

    async def wait(self) -> None:
        await self.clock.advance(self.dice.choice([1, 61, 301]))
        self.holds = {name: mine for name, mine in self.holds.items() if not self.is_free(mine[0])}

    async def name(self) -> None:
        number = self.dice.choice(self.all)
        if not self.is_free(number) or len(self.taken) > len(self.all) // 2:
            return
        if self.refill == "never" or self.dice.random() < 0.5:
            await block(self.connection, self.home, f"N{number}")
            self.taken[number] = None
        else:
            named = request(seat(self.home, f"N{number}"), seconds=300)
            assert await outcomes(self.connection, named) == ["held"]
            self.taken[number] = self.clock.now + timedelta(seconds=300)


@pytest.mark.parametrize("refill", ["never", "freed"])
async def test_a_random_history_is_what_a_person_would_do(
    engine: bespeak.Engine,
    connection: Connection,
    clock: Clock,
    dice: random.Random,
    refill: str,
) -> None:
    history = History(engine, connection, clock, dice, refill)
    await history.begin()
    for _ in range(120):
        await dice.choice([history.take, history.take, history.end, history.wait, history.name])()
        assert await problems(connection) == []
    if refill == "never" and history.last >= history.all[0]:
        assert await last(connection, history.home) == history.last


async def position(connection: Connection, home: int, asked: Request) -> tuple[int, ...] | None:
    row = await connection.fetchrow(
        "select number, ahead, serving from bespeak.ticket_position($1, $2)", home, asked[0]
    )
    return None if row is None else tuple(row)


async def test_the_place_in_line(
    engine: bespeak.Engine, connection: Connection, clock: Clock
) -> None:
    home = await tickets(connection, 20, first=10, prefix="T")
    assert await connection.fetchval("select bespeak.set_serving($1, 9)", home) == 9
    await block(connection, home, "T12")
    requests = [request(*upcoming(home), seconds=600) for _ in range(4)]
    await place(connection, *requests)
    await place(connection, lapsing := request(*upcoming(home), seconds=60))
    several = request(*upcoming(home, 2))
    await place(connection, several)
    assert await position(connection, home, requests[0]) == (10, 0, 9)
    assert await position(connection, home, requests[3]) == (14, 3, 9)
    assert await position(connection, home, several) == (16, 5, 9)
    await clock.advance(61)
    assert await position(connection, home, several) == (16, 4, 9)
    assert await position(connection, home, lapsing) is None
    await engine.confirm_hold(hold_id(requests[1]))
    await engine.release_hold(hold_id(requests[2]))
    assert await position(connection, home, several) == (16, 3, 9)
    assert await position(connection, home, requests[2]) is None
    await connection.fetchval("select bespeak.set_serving($1, 11)", home)
    assert await position(connection, home, several) == (16, 1, 11)
    assert await position(connection, home, requests[1]) == (11, 0, 11)
    await connection.fetchval("select bespeak.set_serving($1, 20)", home)
    assert await position(connection, home, several) == (16, 0, 20)
    elsewhere = await tickets(connection, 5)
    assert await position(connection, elsewhere, several) is None
    assert await last(connection, home) == 17


async def test_a_place_in_line_of_a_session_that_is_not_the_home(connection: Connection) -> None:
    one, two = await tickets(connection, 5), await tickets(connection, 5)
    await place(connection, request(*upcoming(two, 2)))
    both = request(*upcoming(one), *upcoming(two))
    await place(connection, both)
    assert await position(connection, one, both) == (1, 0, 0)
    assert await position(connection, two, both) == (3, 2, 0)


@pytest.mark.parametrize(
    ("kind", "number", "state"),
    [
        ("tickets", None, "BS004"),
        ("tickets", -1, "BS004"),
        ("tickets", 10**9, "BS004"),
        ("seats", 1, "BS004"),
        ("missing", 1, "BS002"),
    ],
)
async def test_what_cannot_be_served(
    connection: Connection, kind: str, number: int | None, state: str
) -> None:
    home = await resource(connection, {"type": kind, "count": 5})
    if kind == "missing":
        home += 1
    before = await snapshot(connection)
    with pytest.raises(asyncpg.PostgresError) as caught:
        await connection.fetchval("select bespeak.set_serving($1, $2)", home, number)
    assert caught.value.sqlstate == state
    assert await snapshot(connection) == before


async def test_a_counter_that_is_behind_is_found(connection: Connection) -> None:
    home = await tickets(connection, 9, refill="never", prefix="T", first=5)
    await place(connection, request(*upcoming(home, 2)))
    assert await problems(connection) == []
    for planted in ("update bespeak.counter set last = last - 1", "delete from bespeak.counter"):
        await connection.execute(planted)
        assert "counter_behind" in str(await problems(connection))


async def test_a_batch_of_many_is_numbered_without_a_hole(connection: Connection) -> None:
    home = await tickets(connection, 10_000)
    batches = [[request(*upcoming(home, 2)) for _ in range(200)] for _ in range(3)]
    got = [n for batch in batches for names in await given(connection, *batch) for n in names]
    assert got == [str(n) for n in range(1, 1201)]
