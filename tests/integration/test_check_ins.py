"""Check-ins in a real database: each ticket once, whatever is repeated, cancelled or told late."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

import bespeak
from bespeak import Booking, Line, Move, PoolPlan, Resource, ResourceChange, SeatsPlan, ids
from bespeak.errors import (
    BookingNotFound,
    IdempotencyKeyReused,
    InvalidCursor,
    InvalidId,
    InvalidRequest,
    NotOwner,
    ResourceNotFound,
)
from bespeak.reservations.errors import TicketUsed
from bespeak.states import EventKind
from bespeak.ticketing.check_ins import ScanOutcome
from bespeak.ticketing.errors import (
    AlreadyCheckedIn,
    TicketCancelled,
    TicketCodeInvalid,
    TicketNotFound,
    WrongResource,
)
from bespeak.ticketing.service import TicketService, open_office
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, feed_settled, problems
from tests.harness.shapes import SHAPES, MakeShape, Shape, on
from tests.harness.shows import MakeShow, book, pool, seats
from tests.harness.ticketing import (
    CANCELLED,
    CHECKED_IN,
    VALID,
    booked_codes,
    codes_of,
    scan,
    states_of,
    tickets_of,
)

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
async def office(engine: bespeak.Engine) -> TicketService:
    return await open_office(engine)


async def test_a_ticket_lets_in_once(
    engine: bespeak.Engine, office: TicketService, show: Resource, clock: Clock
) -> None:
    booking, (code, _) = await booked_codes(engine, office, seats(show, "A1", "A2"))
    done = await office.check_in(scan(code))
    assert (done.booking_id, done.index, done.resource_id) == (booking.id, 1, show.id)
    assert (done.id, done.unit, done.gate) == (f"{booking.id}-1", "A1", "North")
    assert done.checked_in_at == done.recorded_at == START
    await clock.advance(60)
    for again in (scan(code), scan(code, gate="South"), scan(code, idempotency_key="k")):
        with pytest.raises(AlreadyCheckedIn) as refused:
            await office.check_in(again)
        assert refused.value.data == {"checked_in_at": START, "gate": "North"}
    assert await states_of(office, booking) == [CHECKED_IN, VALID]
    used = (await tickets_of(office, booking))[0]
    assert (used.checked_in_at, used.gate) == (START, "North")


async def test_the_same_scan_with_the_same_key_is_the_same_answer(
    engine: bespeak.Engine, office: TicketService, show: Resource, clock: Clock
) -> None:
    """As after a reply that was lost on its way."""
    _, (code, other) = await booked_codes(engine, office, seats(show, "A1", "A2"))
    first = await office.check_in(scan(code, idempotency_key="k", scanned_at=START))
    assert not first.replayed
    await clock.advance(60)
    again = await office.check_in(scan(code, idempotency_key="k", scanned_at=START))
    assert again.replayed
    assert again == msgspec.structs.replace(first, replayed=True)
    for wrong, field in (
        (scan(other, idempotency_key="k", scanned_at=START), "code"),
        (scan(code, idempotency_key="k", scanned_at=START, gate="South"), "gate"),
        (scan(code, idempotency_key="k"), "scanned_at"),
    ):
        with pytest.raises(IdempotencyKeyReused) as refused:
            await office.check_in(wrong)
        assert refused.value.data == {"fields": [field]}


async def test_it_is_told_in_the_feed_once(
    engine: bespeak.Engine, office: TicketService, show: Resource, connection: Connection
) -> None:
    booking, (code,) = await booked_codes(engine, office, seats(show, "A1"))
    await office.check_in(scan(code, idempotency_key="k", scanned_at=START - timedelta(minutes=5)))
    await office.check_in(scan(code, idempotency_key="k", scanned_at=START - timedelta(minutes=5)))
    await feed_settled(connection)
    events = (await engine.events(resource_id=show.id, limit=100)).items
    (told,) = [one for one in events if one.kind is EventKind.CHECKED_IN]
    assert told.hold_id == booking.hold_id
    assert (told.lines, told.at) == ([], START)
    assert told.data == {
        "ticket": 1,
        "unit": "A1",
        "gate": "North",
        "checked_in_at": "2030-01-01T11:55:00.000000Z",
    }


async def test_a_cancelled_ticket_lets_nobody_in(
    engine: bespeak.Engine, office: TicketService, show: Resource, connection: Connection
) -> None:
    booking, (one, two) = await booked_codes(engine, office, seats(show, "A1", "A2"))
    await engine.cancel_booking(booking.id, reason="ill", lines=seats(show, "A1"))
    with pytest.raises(TicketCancelled):
        await office.check_in(scan(one))
    assert await states_of(office, booking) == [CANCELLED, VALID]
    assert (await tickets_of(office, booking))[0].code is None
    await office.check_in(scan(two))
    await engine.cancel_booking(booking.id, reason="called off")
    assert await states_of(office, booking) == [CANCELLED, CHECKED_IN]
    assert await connection.fetchval("select count(*) from bespeak.check_in") == 1


async def test_a_used_ticket_is_not_given_back_by_its_buyer(
    engine: bespeak.Engine, office: TicketService, show: Resource, connection: Connection
) -> None:
    lines = [*seats(show, "A1"), pool(show, "floor", 3)]
    booking, codes = await booked_codes(engine, office, lines)
    await office.check_in(scan(codes[0]))
    await office.check_in(scan(codes[2]))
    for given in (None, seats(show, "A1"), [pool(show, "floor", 3)]):
        with pytest.raises(TicketUsed):
            await engine.cancel_booking(booking.id, reason="ill", lines=given, owner=booking.owner)
    assert await states_of(office, booking) == [CHECKED_IN, VALID, CHECKED_IN, VALID]
    two = [pool(show, "floor", 2)]
    await engine.cancel_booking(booking.id, reason="ill", lines=two, owner=booking.owner)
    assert await states_of(office, booking) == [CHECKED_IN, CANCELLED, CHECKED_IN, CANCELLED]
    await engine.cancel_booking(booking.id, reason="the operator may")
    assert await problems(connection) == []


async def test_a_part_of_a_quantity(
    engine: bespeak.Engine, office: TicketService, show: Resource
) -> None:
    """What is given back are the last tickets that nobody has used, and never a used one."""
    booking, codes = await booked_codes(engine, office, [pool(show, "floor", 4)])
    await office.check_in(scan(codes[3]))
    await engine.cancel_booking(booking.id, reason="two ill", lines=[pool(show, "floor", 2)])
    assert await states_of(office, booking) == [VALID, CANCELLED, CANCELLED, CHECKED_IN]
    for code in codes[1:3]:
        with pytest.raises(TicketCancelled):
            await office.check_in(scan(code))
    await office.check_in(scan(codes[0]))
    assert await states_of(office, booking) == [CHECKED_IN, CANCELLED, CANCELLED, CHECKED_IN]
    labels = [ticket.label for ticket in await tickets_of(office, booking)]
    assert labels == [f"floor, {number} of 4" for number in range(1, 5)]


async def test_the_list_and_the_gate_count_alike(
    engine: bespeak.Engine, office: TicketService, make_show: MakeShow, dice: random.Random
) -> None:
    """Whatever is scanned and given back in whatever order: who is listed as valid gets in, who is
    not does not."""
    show = await make_show()
    lines = [Line(show.id, "A1"), pool(show, "floor", 4), Line(show.id, "A2")]
    lines.append(pool(show, "gallery", 3))
    booking, codes = await booked_codes(engine, office, lines)
    assert len(codes) == 9
    for _ in range(12):
        states = await states_of(office, booking)
        if dice.random() < 0.4 and booking.state == "confirmed":
            left = [
                line for line in booking.lines if line.cancelled_quantity < (line.quantity or 1)
            ]
            line = dice.choice(left)
            part = Line(line.resource_id, line.unit, None if line.quantity is None else 1)
            booking = await engine.cancel_booking(booking.id, reason="some", lines=[part])
            continue
        index = dice.randrange(9)
        try:
            done = await office.check_in(scan(codes[index]))
        except (AlreadyCheckedIn, TicketCancelled) as error:
            expected = CHECKED_IN if isinstance(error, AlreadyCheckedIn) else CANCELLED
            assert states[index] is expected
        else:
            assert (states[index], done.index) == (VALID, index + 1)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
async def test_every_shape_has_tickets(
    engine: bespeak.Engine, office: TicketService, make_shape: MakeShape, shape: Shape
) -> None:
    resource = await make_shape(shape)
    booking, codes = await booked_codes(engine, office, on(resource, shape.one))
    assert len(codes) == sum(line.quantity or 1 for line in booking.lines)
    for index, code in enumerate(codes, start=1):
        done = await office.check_in(scan(code, resource_id=resource.id))
        assert done.index == index
    assert set(await states_of(office, booking)) == {CHECKED_IN}
    pdf = await office.pdf(booking.id)
    assert pdf.startswith(b"%PDF-")
    assert (await office.calendar(booking.id)).startswith(b"BEGIN:VCALENDAR")


@pytest.mark.parametrize("shape", [each for each in SHAPES if each.some is not None], ids=str)
async def test_a_part_of_every_shape(
    engine: bespeak.Engine, office: TicketService, make_shape: MakeShape, shape: Shape
) -> None:
    resource = await make_shape(shape)
    booking, codes = await booked_codes(engine, office, on(resource, shape.some))
    (line,) = booking.lines
    part = [Line(resource.id, line.unit, shape.part, from_=line.from_, to=line.to)]
    await engine.cancel_booking(booking.id, reason="some", lines=part)
    kept = len(codes) - shape.part
    assert await states_of(office, booking) == [VALID] * kept + [CANCELLED] * shape.part
    for code in codes[:kept]:
        await office.check_in(scan(code))
    for code in codes[kept:]:
        with pytest.raises(TicketCancelled):
            await office.check_in(scan(code))


async def test_the_gate_of_another_show(
    engine: bespeak.Engine, office: TicketService, make_show: MakeShow, connection: Connection
) -> None:
    """A cart over two shows: each ticket opens its own, wherever the booking is stored."""
    one, two = await make_show(), await make_show()
    booking, codes = await booked_codes(engine, office, [*seats(one, "A1"), *seats(two, "A1")])
    with pytest.raises(WrongResource) as refused:
        await office.check_in(scan(codes[0], resource_id=two.id))
    assert refused.value.data == {"admits_to": one.id, "unit": "A1"}
    assert await connection.fetchval("select count(*) from bespeak.check_in") == 0
    done = await office.check_in(scan(codes[1], resource_id=two.id))
    assert (done.resource_id, done.index) == (two.id, 2)
    assert [item.id for item in (await office.check_ins(two.id)).items] == [f"{booking.id}-2"]
    assert (await office.check_ins(one.id)).items == []


async def test_a_signed_code_without_a_ticket(
    engine: bespeak.Engine, office: TicketService, show: Resource, connection: Connection
) -> None:
    """As after a restored backup: the keys are the same, the booking is not there."""
    _, (code,) = await booked_codes(engine, office, seats(show, "A1"))
    await connection.execute("delete from bespeak.booking")
    with pytest.raises(TicketCodeInvalid):
        await office.check_in(scan(code))


async def test_what_makes_no_sense_is_refused(
    engine: bespeak.Engine, office: TicketService, show: Resource
) -> None:
    booking, (code,) = await booked_codes(engine, office, seats(show, "A1"))
    for fields in (
        {"gate": "a\nb"},
        {"gate": "x" * 101},
        {"gate": ""},
        {"idempotency_key": "a\x00"},
        {"scanned_at": datetime(2030, 1, 1)},  # noqa: DTZ001 (the nonsense that is refused)
        {"scanned_at": datetime(1, 1, 1, tzinfo=UTC)},
        {"scanned_at": datetime(9999, 12, 31, tzinfo=UTC)},
    ):
        with pytest.raises(InvalidRequest):
            await office.check_in(scan(code, **fields))
    with pytest.raises(InvalidId):
        await office.check_in(scan(code, resource_id="res_"))
    for scans in ([], [scan(code)] * 501):
        with pytest.raises(InvalidRequest):
            await office.check_in_many(scans)
    for after, limit in ((-1, 1), (0, 0), (0, 1001)):
        with pytest.raises(InvalidRequest):
            await office.tickets(booking.id, after=after, limit=limit)
    with pytest.raises(InvalidRequest):
        await office.pdf(booking.id, limit=101)
    with pytest.raises(InvalidRequest):
        await office.check_ins(show.id, limit=0)
    for cursor in ("", "x", "-1", "0", "٣", "9" * 30, "1\n"):
        with pytest.raises(InvalidCursor):
            await office.check_ins(show.id, after=cursor)
    with pytest.raises(ResourceNotFound):
        await office.check_ins("res_00000001")
    assert await states_of(office, booking) == [VALID]


async def test_whose_tickets_they_are(
    engine: bespeak.Engine, office: TicketService, show: Resource
) -> None:
    booking = await book(engine, seats(show, "A1"))
    assert (await office.tickets(booking.id, owner="asha")).count == 1
    for ask in (office.tickets, office.pdf, office.calendar):
        with pytest.raises(NotOwner):
            await ask(booking.id, owner="ben")
    with pytest.raises(NotOwner):
        await office.qr_code(booking.id, 1, owner="ben")
    with pytest.raises(BookingNotFound):
        await office.tickets(ids.show(ids.BOOKING, ids.IdMaker().new(1)))
    with pytest.raises(InvalidId):
        await office.tickets(booking.hold_id)


async def test_pages_of_many_tickets(
    engine: bespeak.Engine, office: TicketService, make_show: MakeShow
) -> None:
    show = await make_show(plan=SeatsPlan(pools=(PoolPlan("field", 1_000_000),)))
    booking = await book(engine, [pool(show, "field", 1_000_000)])
    page = await office.tickets(booking.id, after=999_990)
    assert (len(page.items), page.count, page.next) == (10, 1_000_000, None)
    first = await office.tickets(booking.id, limit=3)
    assert [ticket.index for ticket in first.items] == [1, 2, 3]
    assert first.next == 3
    assert (await office.tickets(booking.id, after=1_000_000)).items == []
    await office.check_in(scan(page.items[-1].code or ""))
    await engine.cancel_booking(booking.id, reason="rain", lines=[pool(show, "field", 999_990)])
    states = [ticket.state for ticket in (await office.tickets(booking.id, limit=12)).items]
    assert states == [VALID] * 9 + [CANCELLED] * 3
    with pytest.raises(TicketNotFound):
        await office.qr_code(booking.id, 1_000_001)
    with pytest.raises(TicketNotFound):
        await office.pdf(booking.id, after=1_000_000)
    with pytest.raises(TicketCancelled):
        await office.pdf(booking.id, after=500_000)
    with pytest.raises(TicketCancelled):
        await office.qr_code(booking.id, 500_000)


def outcomes(found: Sequence[ScanOutcome]) -> list[str]:
    """Of each, what became of it, or why it was refused."""
    return [one.outcome if one.problem is None else one.problem.code for one in found]


async def test_what_was_scanned_offline(
    engine: bespeak.Engine, office: TicketService, make_show: MakeShow, connection: Connection
) -> None:
    one, two = await make_show(), await make_show()
    booking, codes = await booked_codes(engine, office, [*seats(one, "A1", "A2", "A3", "A4")])
    _, others = await booked_codes(engine, office, seats(two, "A1"))
    await office.check_in(scan(codes[1], gate="South"))
    await engine.cancel_booking(booking.id, reason="ill", lines=seats(one, "A3"))
    early = START - timedelta(hours=1)
    scans = [
        scan(codes[0], scanned_at=early, idempotency_key="1"),
        scan(codes[1], scanned_at=early, idempotency_key="2"),
        scan(codes[2], scanned_at=early),
        scan("forged"),
        scan(codes[3], scanned_at=START + timedelta(days=1), idempotency_key="4"),
        scan(others[0], resource_id=one.id),
        scan(others[0], scanned_at=early, idempotency_key="5"),
        scan(codes[0], scanned_at=early),
        scan(codes[0], gate="a\n"),
    ]
    found = await office.check_in_many(scans)
    assert outcomes(found) == [
        "checked_in",
        "already_checked_in",
        "ticket_cancelled",
        "ticket_code_invalid",
        "checked_in",
        "wrong_resource",
        "checked_in",
        "already_checked_in",
        "invalid_request",
    ]
    first, refused, future = found[0].check_in, found[1].problem, found[4].check_in
    assert first is not None and refused is not None and future is not None
    assert (first.checked_in_at, first.recorded_at) == (early, START)
    assert (refused.gate, refused.checked_in_at) == ("South", START)
    assert future.checked_in_at == START  # a gate's clock may be wrong, the future is not yet
    # The reply was lost: the gate tells all of it again.
    again = await office.check_in_many(scans)
    assert [each.check_in for each in again] == [each.check_in for each in found]
    assert outcomes(again)[::4] == ["repeated", "repeated", "invalid_request"]
    assert outcomes(again)[6] == "repeated"
    assert await connection.fetchval("select count(*) from bespeak.check_in") == 4
    assert await problems(connection) == []


async def test_one_ticket_twice_in_a_batch(
    engine: bespeak.Engine, office: TicketService, show: Resource
) -> None:
    _, (code, other) = await booked_codes(engine, office, seats(show, "A1", "A2"))
    found = await office.check_in_many(
        [
            scan(code, gate="one", idempotency_key="k"),
            scan(code, gate="one", idempotency_key="k"),
            scan(code, gate="two"),
            scan(other, gate="one", idempotency_key="k"),
        ]
    )
    assert outcomes(found) == [
        "checked_in",
        "repeated",
        "already_checked_in",
        "idempotency_key_reused",
    ]


async def test_who_is_in_page_by_page(
    engine: bespeak.Engine, office: TicketService, show: Resource
) -> None:
    _, codes = await booked_codes(engine, office, [pool(show, "floor", 5)])
    for code in codes:
        await office.check_in(scan(code))
    seen: list[int] = []
    after: str | None = None
    while True:
        page = await office.check_ins(show.id, after=after, limit=2)
        assert page.count == 5
        seen += [item.index for item in page.items]
        after = page.next
        if after is None:
            break
    assert seen == [5, 4, 3, 2, 1]


async def test_another_process_makes_a_new_key(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    show: Resource,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Old codes stay good; new ones are known at once where the key was not yet heard of."""
    one, two = await open_office(engine), await open_office(second_engine)
    assert await one.public_keys() == await two.public_keys()
    booking, old = await booked_codes(engine, one, seats(show, "A1", "A2", "A3"))
    assert await codes_of(two, booking) == old
    monkeypatch.setattr("bespeak.ticketing.keys._AGAIN_SECONDS", 0)
    assert len((await two.rotate_keys()).keys) == 2
    fresh = await codes_of(two, booking)
    assert fresh != old
    await one.check_in(scan(fresh[0]))
    await two.check_in(scan(old[1]))
    # A key that leaked: what it signed is void, here at once and elsewhere within seconds.
    kept = await two.rotate_keys(keep_old=False)
    assert len(kept.keys) == 1
    for code in (old[2], fresh[2]):
        with pytest.raises(TicketCodeInvalid):
            await two.check_in(scan(code))
    last = await codes_of(two, booking)
    assert (await one.check_in(scan(last[2]))).index == 3
    assert await one.public_keys() == kept


async def test_without_a_database_the_keys_are_still_told(
    engine: bespeak.Engine, office: TicketService, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await office.public_keys()
    monkeypatch.setattr("bespeak.ticketing.keys._TRUST_SECONDS", -1)
    await engine.database.pool.close()
    assert await office.public_keys() == before


async def test_the_picture_of_a_booking(
    engine: bespeak.Engine, office: TicketService, make_show: MakeShow
) -> None:
    """The calendar file: an event for a show, not one for each seat, gone when all is cancelled."""
    attributes = {
        "starts_at": "2030-02-01T20:00:00+01:00",
        "location": "Main st 1; Here",
    }
    show = await make_show(name="A; B, C\\D", time_zone="Europe/Paris", attributes=attributes)
    undated = await make_show(name="Undated")
    lines = [*seats(show, "A1", "A2"), pool(show, "floor", 2), *seats(undated, "A1")]
    booking: Booking = await book(engine, lines)
    text = (await office.calendar(booking.id)).decode().replace("\r\n ", "")
    assert text.count("BEGIN:VEVENT") == 1
    assert "SUMMARY:A\\; B\\, C\\\\D\r\n" in text
    assert "LOCATION:Main st 1\\; Here\r\n" in text
    assert "DTSTART:20300201T190000Z\r\n" in text
    assert "Stalls\\, A1\\nStalls\\, A2\\n2 \N{MULTIPLICATION SIGN} floor\\n" in text
    assert f"UID:{booking.id}-1@bespeak\r\n" in text
    assert "STATUS:CONFIRMED\r\n" in text and "SEQUENCE:0\r\n" in text
    assert await office.calendar(booking.id) == await office.calendar(booking.id)
    await engine.cancel_booking(booking.id, reason="ill", lines=seats(show, "A1"))
    text = (await office.calendar(booking.id)).decode().replace("\r\n ", "")
    assert "STATUS:CONFIRMED\r\n" in text
    assert (part := _sequence(text)) >= 1
    assert "A1" not in text
    await engine.cancel_booking(booking.id, reason="ill")
    text = (await office.calendar(booking.id)).decode().replace("\r\n ", "")
    assert "STATUS:CANCELLED\r\n" in text
    assert _sequence(text) >= part + 4, "by all that was given back, at least"


async def test_a_calendar_takes_what_was_moved_or_changed(
    engine: bespeak.Engine, office: TicketService, make_show: MakeShow
) -> None:
    """Another seat, another time, another name: each time the event is a newer one (RFC 5545)."""
    show = await make_show(starts_at=datetime(2030, 2, 1, 19, tzinfo=UTC))
    booking: Booking = await book(engine, seats(show, "A1"))
    seen: list[int] = []

    async def told() -> str:
        first, again = [await office.calendar(booking.id) for _ in range(2)]
        assert first == again
        text = first.decode().replace("\r\n ", "")
        seen.append(_sequence(text))
        return text

    assert "A1" in await told()
    for unit, other in (("A1", "A2"), ("A2", "A1")):
        await engine.move_booking(booking.id, [Move(unit, other)])
        assert other in await told()
    # As if it was booked a minute ago: changes within a second of each other are one.
    async with engine.database.borrow() as connection:
        await connection.execute(
            "update bespeak.booking set confirmed_at = confirmed_at - interval '1 minute'"
        )
    changed = datetime(2030, 2, 1, 20, tzinfo=UTC)
    await engine.update_resource(show.id, ResourceChange(starts_at=changed))
    assert "DTSTART:20300201T200000Z\r\n" in await told()
    await engine.cancel_booking(booking.id, reason="ill")
    assert "STATUS:CANCELLED\r\n" in await told()
    assert seen == sorted(set(seen)), "each is higher than the one before"
    assert seen[0] == 0


def _sequence(text: str) -> int:
    return int(text.partition("SEQUENCE:")[2].partition("\r\n")[0])
