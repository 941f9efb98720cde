"""Two gates and one ticket, or a gate and whoever gives the ticket back, at the same instant."""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

import bespeak
from bespeak import Resource
from bespeak.errors import BespeakError
from bespeak.ticketing import check_ins, codes
from bespeak.ticketing.check_ins import CheckIn, SeenTicket
from bespeak.ticketing.errors import AlreadyCheckedIn, TicketCancelled
from bespeak.ticketing.keys import TicketKeys, read_keys
from bespeak.ticketing.service import TicketService, open_office
from tests.concurrency.waiting import deadlocks, meet
from tests.harness.database import Connection, problems, session
from tests.harness.shows import MakeShow, book, pool, seats
from tests.harness.ticketing import booked_codes, scan, states_of


@pytest.fixture
async def office(engine: bespeak.Engine) -> TicketService:
    return await open_office(engine)


@pytest.fixture
async def keys(office: TicketService, connection: Connection) -> AsyncIterator[TicketKeys]:
    yield await read_keys(connection)


async def at_gate(
    connection: Connection, keys: TicketKeys, code: str, **fields: object
) -> CheckIn | BespeakError:
    """What a gate is answered, on a connection of its own."""
    seen = SeenTicket(scan(code, **fields), codes.read(code, keys))
    (result,) = await check_ins.check_in(connection, [seen])
    return result


@pytest.mark.parametrize("commit", [True, False])
async def test_two_gates_scan_one_ticket(
    engine: bespeak.Engine,
    office: TicketService,
    keys: TicketKeys,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    commit: bool,
) -> None:
    """Who comes second waits for the first, and is refused if the first got in."""
    _, (code,) = await booked_codes(engine, office, seats(show, "A1"))
    answer = await meet(
        connection,
        one,
        at_gate(one, keys, code, gate="one"),
        two,
        at_gate(two, keys, code, gate="two"),
        commit=commit,
    )
    if commit:
        assert isinstance(answer, AlreadyCheckedIn)
        assert answer.data["gate"] == "one"
    else:
        assert isinstance(answer, CheckIn)
    assert await connection.fetchval("select count(*) from bespeak.check_in") == 1
    told = "select count(*) from bespeak.event where kind = 'checked_in'"
    assert await connection.fetchval(told) == 1


async def test_a_twin_in_flight_gets_the_answer_of_its_sibling(
    engine: bespeak.Engine,
    office: TicketService,
    keys: TicketKeys,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    _, (code,) = await booked_codes(engine, office, seats(show, "A1"))
    answer = await meet(
        connection,
        one,
        at_gate(one, keys, code, idempotency_key="k"),
        two,
        at_gate(two, keys, code, idempotency_key="k"),
    )
    assert isinstance(answer, CheckIn)
    assert answer.replayed


async def test_gates_of_one_booking_do_not_wait_for_each_other(
    engine: bespeak.Engine,
    office: TicketService,
    keys: TicketKeys,
    show: Resource,
    one: Connection,
    two: Connection,
) -> None:
    """The second gate is answered while the first has not committed."""
    _, found = await booked_codes(engine, office, seats(show, "A1", "A2"))
    async with one.transaction():
        assert isinstance(await at_gate(one, keys, found[0]), CheckIn)
        async with asyncio.timeout(20):
            assert isinstance(await at_gate(two, keys, found[1]), CheckIn)


@pytest.mark.parametrize("commit", [True, False])
async def test_a_ticket_is_given_back_while_it_is_scanned(
    engine: bespeak.Engine,
    office: TicketService,
    keys: TicketKeys,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    commit: bool,
) -> None:
    booking, (code,) = await booked_codes(engine, office, seats(show, "A1"))
    cancelling = engine.cancel_booking(booking.id, reason="ill", connection=one)
    answer = await meet(connection, one, cancelling, two, at_gate(two, keys, code), commit=commit)
    assert isinstance(answer, TicketCancelled if commit else CheckIn)


async def test_a_ticket_is_scanned_while_it_is_given_back(
    engine: bespeak.Engine,
    office: TicketService,
    keys: TicketKeys,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    """Whoever cancels waits for the gate: what it decides, it decides knowing who is in."""
    booking, (code,) = await booked_codes(engine, office, seats(show, "A1"))
    cancelling = engine.cancel_booking(booking.id, reason="ill", connection=two)
    await meet(connection, one, at_gate(one, keys, code), two, cancelling)
    assert [str(state) for state in await states_of(office, booking)] == ["checked_in"]


async def test_control_without_the_lock_a_cancelled_ticket_gets_in(
    engine: bespeak.Engine,
    office: TicketService,
    keys: TicketKeys,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    """The engine's own function, but without locking the booking: the gate lets in on a booking
    that is being cancelled."""
    source: str = await connection.fetchval(
        "select pg_get_functiondef('bespeak.check_in_tickets'::regproc)"
    )
    assert source.count(" for share;") == 1
    await connection.execute(source.replace(" for share;", ";"))
    booking, (code,) = await booked_codes(engine, office, seats(show, "A1"))
    async with one.transaction():
        await engine.cancel_booking(booking.id, reason="ill", connection=one)
        assert isinstance(await at_gate(two, keys, code), CheckIn)


async def test_control_without_the_primary_key_both_gates_open(
    engine: bespeak.Engine,
    office: TicketService,
    keys: TicketKeys,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    """The engine's own function looks before it lets in, too; that alone lets in twice."""
    await connection.execute("alter table bespeak.check_in drop constraint check_in_pkey")
    _, (code,) = await booked_codes(engine, office, seats(show, "A1"))
    async with one.transaction(), two.transaction():
        assert isinstance(await at_gate(one, keys, code), CheckIn)
        assert isinstance(await at_gate(two, keys, code), CheckIn)


async def test_a_crowd_at_many_gates(
    engine: bespeak.Engine,
    office: TicketService,
    keys: TicketKeys,
    make_show: MakeShow,
    connection: Connection,
    database_url: str,
    dice: random.Random,
) -> None:
    """Batches of the same tickets in any order, while parts are given back: each ticket gets in
    once at most, none that was given back before, and nobody deadlocks."""
    show = await make_show()
    bookings = [
        await book(engine, [*seats(show, f"A{number}"), pool(show, "floor", 1)])
        for number in range(1, 6)
    ]
    found = {
        (booking.id, ticket.index): ticket.code or ""
        for booking in bookings
        for ticket in (await office.tickets(booking.id)).items
    }
    admitted: list[str] = []

    async def gate(name: str) -> None:
        async with session(database_url) as mine:
            await mine.execute("set deadlock_timeout = '50ms'")
            for _ in range(6):
                batch = dice.sample(list(found.values()), 6)
                seen = [SeenTicket(scan(code, gate=name), codes.read(code, keys)) for code in batch]
                for result in await check_ins.check_in(mine, seen):
                    if isinstance(result, CheckIn):
                        admitted.append(result.id)
                    else:
                        assert isinstance(result, AlreadyCheckedIn | TicketCancelled)

    async def give_back() -> None:
        for booking in bookings[:3]:
            await engine.cancel_booking(booking.id, reason="ill", lines=[pool(show, "floor", 1)])

    await asyncio.gather(*(gate(f"gate {number}") for number in range(6)), give_back())
    assert len(set(admitted)) == len(admitted)
    rows = await connection.fetchval("select count(*) from bespeak.check_in")
    told = await connection.fetchval("select count(*) from bespeak.event where kind = 'checked_in'")
    assert len(admitted) == rows == told
    assert await deadlocks(connection) == 0
    assert await problems(connection) == []
