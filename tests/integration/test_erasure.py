"""An owner is erased: nothing of it is left in any column, and everything still adds up."""

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import asyncpg
import pytest

import bespeak
from bespeak.errors import (
    HoldConfirmed,
    IdempotencyKeyReused,
    InvalidRequest,
    NotOwner,
)
from bespeak.personal_data.again import begin_again, list_lines, read_lines
from bespeak.personal_data.erasing import ErasureWorker
from bespeak.personal_data.errors import BookingsUpcoming, MoneyMoving, OwnerUnknown
from bespeak.personal_data.export import OwnerExport
from bespeak.reservations.errors import HoldErased
from bespeak.ticketing.service import open_office
from bespeak.verticals.vertical import OwnerRecords
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.erasing import (
    CONTACT,
    KEY,
    LATER,
    OVER,
    OWNER,
    TRACES,
    erase,
    eraser,
    erasures,
    exported,
    live,
    paid,
    traces,
)
from tests.harness.paying import assert_money_agrees, paid_show, paying_engine
from tests.harness.refunding import refund_all
from tests.harness.shapes import ROOMS, MakeShape, on
from tests.harness.shows import MakeShow, book, pool, seats, take
from tests.harness.ticketing import codes_of, scan

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection as PooledConnection
else:
    PooledConnection = object

RETRY = timedelta(seconds=31)
SUMS = """
    select (select count(*) from bespeak.hold) as holds,
        (select sum(amount) from bespeak.booking) as booked,
        (select count(*) from bespeak.booking where state = 'confirmed') as standing,
        (select sum(captured - refunded) from bespeak.payment) as kept,
        (select sum(quantity) from bespeak.draw) as drawn,
        (select sum(taken) from bespeak.pool) as taken,
        (select count(*) from bespeak.check_in) as used,
        (select count(*) from bespeak.refund) as refunds,
        (select count(distinct owner) from bespeak.booking) as owners
"""

engine = paying_engine


async def test_nothing_of_an_owner_is_left_and_all_adds_up(
    engine: bespeak.Engine,
    make_show: MakeShow,
    make_shape: MakeShape,
    connection: Connection,
    database_url: str,
    clock: Clock,
) -> None:
    await live(engine, make_show, make_shape, database_url)
    # The control: the search finds the owner wherever it is.
    assert await traces(connection, *TRACES) == {
        "bespeak.answer.idempotency_key",
        "bespeak.answer.owner",
        "bespeak.booking.contact",
        "bespeak.booking.owner",
        "bespeak.booking.reason",
        "bespeak.draw.unit",
        "bespeak.hold.idempotency_key",
        "bespeak.hold.owner",
        "bespeak.hold.units",
        "bespeak.hold_key.idempotency_key",
        "bespeak.hold_key.owner",
        "bespeak.mail.failure",
        "bespeak.payment.contact",
        "bespeak.payment.idempotency_key",
        "bespeak.payment.owner",
        "bespeak.payment.return_url",
        "bespeak.pool.unit",
        "bespeak.sandbox_payment.ordered",
        "bespeak.sandbox_payment.owner",
        "bespeak.sandbox_payment.return_url",
        "bespeak.sandbox_token.owner",
        "bespeak.webhook_delivery.answer",
        "bespeak.webhook_delivery.failure",
    }
    before = await connection.fetchrow(SUMS)
    # Small turns, so that each kind of thing is met at the edge of one.
    done = await erase(engine, batch=2, rows=3)
    assert (done.state, done.bookings, done.payments, done.holds_released) == ("done", 3, 2, 1)
    assert (done.holds, done.mails_dropped, done.kept, done.waiting) == (7, 2, 0, 0)
    assert await traces(connection, *TRACES) == set()
    after = await connection.fetchrow(SUMS)
    assert before is not None
    assert after is not None
    # But for the hold that was let go, which had one of its owner's limit.
    let_go = {"drawn": before["drawn"] - 1, "taken": before["taken"] - 1}
    assert dict(after) == {**before, **let_go}
    assert await problems(connection) == []
    await assert_money_agrees(connection)
    # One pseudonym for all of it, which no record leads to.
    owners = await connection.fetch("select distinct owner from bespeak.hold order by 1")
    assert [row["owner"][:7] for row in owners] == ["ben", "erased_"]
    assert await traces(connection, owners[1]["owner"]) <= {
        f"bespeak.{column}"
        for column in (
            *("hold.owner", "hold.units", "booking.owner", "payment.owner"),
            *("pool.unit", "draw.unit", "sandbox_payment.owner"),
        )
    }
    kinds = await connection.fetchval("select count(*) from bespeak.event where kind = 'erased'")
    assert kinds == done.holds


async def test_a_repeat_answers_the_same_record(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(starts_at=OVER)
    await book(engine, seats(show, "A1"), OWNER)
    asked = erasures(engine)
    one = await asked.begin(OWNER, asked_by="key_1", key="k")
    assert (one.state, one.replayed) == ("running", False)
    for key in ("k", "other", None):
        again = await asked.begin(OWNER, asked_by="key_2", key=key)
        assert (again.id, again.replayed, again.asked_by) == (one.id, True, "key_1")
    await eraser(engine).look()
    for key in ("k", "another", None):
        again = await asked.begin(OWNER, asked_by="key_2", key=key)
        assert (again.id, again.state, again.replayed) == (one.id, "done", True)
    with pytest.raises(IdempotencyKeyReused) as reused:
        await asked.begin("ben", asked_by="key_1", key="k")
    assert reused.value.data["fields"] == ["owner"]
    with pytest.raises(OwnerUnknown):
        await asked.begin("nobody", asked_by="key_1")
    assert await connection.fetchval("select count(*) from bespeak.erasure") == 1


async def test_who_comes_back_is_new_and_can_be_erased_again(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(starts_at=OVER, owner_limit=2)
    await book(engine, seats(show, "A1", "A2"), OWNER)
    first = await erase(engine)
    await book(engine, seats(show, "A3", "A4"), OWNER)  # the limit is the pseudonym's now
    second = await erase(engine)
    assert first.id != second.id
    assert first.owner_hash == second.owner_hash
    owners = await connection.fetch("select distinct owner from bespeak.booking")
    assert len(owners) == 2  # two pseudonyms: that they are one person is known to nobody
    assert await traces(connection, OWNER) == set()
    assert await problems(connection) == []


async def test_money_that_moves_is_waited_for_by_the_caller(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show, starts_at=OVER)
    booking = await paid(engine, show, "A1")
    await engine.cancel_booking(booking.id, reason="x", refund="full")
    with pytest.raises(MoneyMoving) as refused:
        await erase(engine)
    refund = (await engine.refunds.of_booking(booking.id))[0]
    assert (refused.value.data, refused.value.retryable) == (
        {"payments": [], "refunds": [refund.id]},
        True,
    )
    await refund_all(engine)
    hold = await take(engine, seats(show, "A2"), OWNER)
    doubtful = await engine.payments.pay(hold.id, token="tok_challenge", owner=OWNER)
    assert doubtful.payment is not None
    with pytest.raises(MoneyMoving) as refused:
        await erase(engine)
    assert refused.value.data["payments"] == [doubtful.payment.id]
    assert await connection.fetchval("select count(*) from bespeak.erasure") == 0


async def test_what_is_not_over_needs_leave_and_then_stands_without_a_contact(
    engine: bespeak.Engine, make_show: MakeShow, make_shape: MakeShape, clock: Clock
) -> None:
    past, later = await make_show(starts_at=OVER), await make_show(starts_at=LATER)
    dateless = await make_show()
    rooms = await make_shape(ROOMS)
    await book(engine, seats(past, "A1"), OWNER)
    given_back = await book(engine, seats(later, "A9"), OWNER)
    await engine.cancel_booking(given_back.id, reason="x")
    bookings = []
    for lines in (seats(later, "A1"), seats(dateless, "A1"), on(rooms, ROOMS.one)):
        hold = await take(engine, lines, OWNER)
        bookings.append(await engine.confirm_hold(hold.id, contact=CONTACT))
    with pytest.raises(BookingsUpcoming) as refused:
        await erase(engine)
    assert set(refused.value.data["bookings"]) == {one.id for one in bookings}  # type: ignore[call-overload]
    office = await open_office(engine)
    code = (await codes_of(office, bookings[0]))[0]
    done = await erase(engine, including_upcoming=True)
    assert (done.bookings, done.including_upcoming) == (5, True)
    for booking in bookings:
        after = await engine.get_booking(booking.id)
        assert (after.state, after.lines, after.owner[:7]) == (
            "confirmed",
            booking.lines,
            "erased_",
        )
        with pytest.raises(NotOwner):
            await engine.get_booking(booking.id, owner=OWNER)
    admitted = await office.check_in(scan(code))  # the ticket is as good as before
    assert admitted.booking_id == bookings[0].id


async def test_a_late_repeat_brings_nothing_back(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(starts_at=OVER)
    request = {"owner": OWNER, "lines": seats(show, "A1"), "idempotency_key": KEY}
    hold = await engine.place_hold(**request)  # type: ignore[arg-type]
    await engine.confirm_hold(hold.id, idempotency_key=KEY, contact=CONTACT)
    let_go = {"owner": OWNER, "lines": seats(show, "A2"), "idempotency_key": "go"}
    await engine.release_hold((await engine.place_hold(**let_go)).id)  # type: ignore[arg-type]
    await erase(engine)
    for repeat in (request, let_go):
        with pytest.raises(HoldErased):
            await engine.place_hold(**repeat)  # type: ignore[arg-type]
    with pytest.raises(HoldConfirmed):
        await engine.confirm_hold(hold.id, idempotency_key=KEY, contact=CONTACT)
    with pytest.raises(NotOwner):
        await engine.confirm_hold(hold.id, owner=OWNER, idempotency_key=KEY, contact=CONTACT)
    assert await traces(connection, *TRACES) == set()
    # The same key of another, and another key of the same, are other requests.
    await engine.place_hold(owner="ben", lines=seats(show, "A2"), idempotency_key="go")
    await engine.place_hold(owner=OWNER, lines=seats(show, "A3"), idempotency_key="new")


async def test_a_batch_with_a_late_repeat_grants_the_others(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(starts_at=OVER)
    let_go = await take(engine, seats(show, "A1"), OWNER, idempotency_key=KEY)
    await engine.release_hold(let_go.id)
    await erase(engine)
    answers = await asyncio.gather(
        take(engine, seats(show, "A1"), OWNER, idempotency_key=KEY),
        take(engine, seats(show, "A2"), "ben", idempotency_key="b"),
        take(engine, seats(show, "A3"), "cleo", idempotency_key="c"),
        return_exceptions=True,
    )
    assert isinstance(answers[0], HoldErased)
    assert [one.owner for one in answers[1:] if isinstance(one, bespeak.Hold)] == ["ben", "cleo"]
    assert await connection.fetchval("select count(*) from bespeak.hold_key") == 2
    assert await problems(connection) == []


async def test_killed_in_the_middle_it_goes_on_with_the_same_pseudonym(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
) -> None:
    show = await make_show(starts_at=OVER, owner_limit=9)
    for unit in ("A1", "A2", "A3"):
        await book(engine, [*seats(show, unit), pool(show, "floor", 1)], OWNER)
    begun = await erasures(engine).begin(OWNER, asked_by="test")
    await eraser(engine, batch=1).step()  # what is held
    await eraser(engine, batch=1).step()  # the first booking
    half = await erasures(engine).get(begun.id)
    assert (half.state, half.bookings) == ("running", 1)
    assert await problems(connection) == []  # the limit is parted between two pools, and adds up
    taken = "select unit, taken from bespeak.pool where unit like 'owner:%' order by taken"
    assert [row["taken"] for row in await connection.fetch(taken)] == [2, 4]
    await eraser(second_engine).look()
    done = await erasures(engine).get(begun.id)
    assert (done.state, done.bookings) == ("done", 3)
    owners = await connection.fetch("select distinct owner from bespeak.hold")
    assert len(owners) == 1
    assert [row["taken"] for row in await connection.fetch(taken)] == [6]
    assert await problems(connection) == []


async def test_what_comes_after_the_beginning_is_new_business(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(starts_at=LATER)
    hold = await take(engine, seats(show, "A1"), OWNER)
    begun = await erasures(engine).begin(OWNER, asked_by="test")
    booking = await engine.confirm_hold(hold.id, contact=CONTACT)
    await eraser(engine).look()
    done = await erasures(engine).get(begun.id)
    assert (done.state, done.bookings, done.kept) == ("done", 0, 1)
    assert (await engine.get_booking(booking.id)).owner == OWNER
    assert await connection.fetchval("select contact is not null from bespeak.booking")


async def test_one_that_is_being_paid_for_is_waited_for(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    show = await paid_show(make_show, starts_at=OVER)
    await paid(engine, show, "A1")
    hold = await take(engine, seats(show, "A2"), OWNER)
    begun = await erasures(engine).begin(OWNER, asked_by="test")
    trying = await engine.payments.pay(
        hold.id,
        token="tok_challenge",
        owner=OWNER,
        contact=CONTACT,
    )
    assert trying.payment is not None
    await eraser(engine).look()
    told = await erasures(engine).get(begun.id)
    assert (told.state, told.bookings, told.holds_released) == ("running", 1, 0)
    assert (await engine.get_hold(hold.id)).state == "held"
    await connection.execute(
        "update bespeak.payment set state = 'failed', step = null, due_at = null,"
        " token = null, ended_at = bespeak.now() where state = 'pending'"
    )
    await eraser(engine).look()  # not yet: it looks again after a while
    assert (await erasures(engine).get(begun.id)).state == "running"
    await clock.set(clock.now + RETRY)
    await eraser(engine).look()
    told = await erasures(engine).get(begun.id)
    assert (told.state, told.holds, told.waiting) == ("done", 2, 0)
    assert await traces(connection, *TRACES) == set()
    assert await problems(connection) == []


async def test_the_export_has_all_and_the_erasure_leaves_nothing_of_it(
    engine: bespeak.Engine,
    make_show: MakeShow,
    make_shape: MakeShape,
    database_url: str,
    clock: Clock,
) -> None:
    bookings = await live(engine, make_show, make_shape, database_url)
    for limit in (1, 2, 50):
        found = await exported(engine, limit=limit)
        assert len(found) == len({one.hold.id for one in found}) == 7
    booked = [one for one in found if one.booking is not None]
    assert [one.booking.id for one in booked if one.booking.state == "confirmed"] == [  # type: ignore[union-attr]
        one.id for one in bookings
    ]
    assert [one.contact for one in booked] == [None, None, CONTACT]
    assert [one.payments[0].contact for one in booked[:2]] == [CONTACT, CONTACT]
    assert booked[0].payments[0].return_url == "https://shop.example/zoe-returns"
    assert [len(one.refunds) for one in booked] == [0, 1, 0]
    assert [one.kind for one in booked[0].mails] == ["booking_confirmed"]
    assert [one.gate for one in booked[2].check_ins] == ["North"]
    assert [str(one.kind) for one in booked[2].timeline] == ["held", "confirmed", "checked_in"]
    assert {str(one.hold.state) for one in found} == {"confirmed", "released", "held"}
    await erase(engine)
    assert await exported(engine) == []


async def test_after_a_restore_erasures_are_done_again(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(starts_at=OVER)
    hold = await take(engine, seats(show, "A1"), OWNER)
    booking = await engine.confirm_hold(hold.id, contact=CONTACT)
    for table in ("hold", "booking"):
        await connection.execute(
            f"create table public.old_{table} as select * from bespeak.{table}"
        )
    await erase(engine)
    listed = await list_lines(erasures(engine))
    assert len(listed) == 1
    assert OWNER.encode() not in listed[0]
    # As an older backup has it: the owner is there, the erasure is not, and the salt is another.
    await connection.execute(
        "delete from bespeak.erasure; update bespeak.secret set value = 'x' where name = 'erasure'"
    )
    for table in ("hold", "booking"):
        await connection.execute(
            f"delete from bespeak.{table}; insert into bespeak.{table} select * from"
            f" public.old_{table}; drop table public.old_{table}"
        )
    assert await traces(connection, OWNER) != set()
    lines = read_lines(b"\n".join(listed))
    again = await begin_again(engine.database, erasures(engine), lines, "test")
    assert again == (1, 0, 0)
    await eraser(engine).look()
    assert await traces(connection, *TRACES) == set()
    assert (await engine.get_booking(booking.id)).owner.startswith("erased_")
    # A second time there is nothing to do: the owner may have come back since.
    await book(engine, seats(show, "A2"), OWNER)
    assert await begin_again(engine.database, erasures(engine), lines, "test") == (0, 0, 0)
    with pytest.raises(InvalidRequest, match="line 2"):
        read_lines(listed[0] + b"\nnonsense")


class Diary:
    """What a vertical keeps of owners in a table of its own."""

    def __init__(self) -> None:
        self.is_broken = False
        self.records = OwnerRecords(self.export, self.erase)

    async def export(self, connection: PooledConnection, owner: str) -> dict[str, object]:
        rows = await connection.fetch("select note from public.diary where owner = $1", owner)
        return {"notes": [row["note"] for row in rows]}

    async def erase(self, connection: PooledConnection, owner: str, pseudonym: str) -> None:
        await connection.execute(
            "update public.diary set owner = $2, note = null where owner = $1", owner, pseudonym
        )
        if self.is_broken:
            raise RuntimeError("the diary is lost")


async def test_a_vertical_exports_and_erases_its_own(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    await connection.execute("create table public.diary (owner text, note text)")
    await connection.execute("insert into public.diary values ($1, 'Hildegunde')", OWNER)
    await book(engine, seats(await make_show(starts_at=OVER), "A1"), OWNER)
    diary = Diary()
    page = await OwnerExport(engine.database, {"diary": diary.records}).page(OWNER)
    assert bytes(page.records["diary"]) == b'{"notes":["Hildegunde"]}'
    begun = await erasures(engine).begin(OWNER, asked_by="test")
    worker = ErasureWorker(engine.database, engine.ready_resources, [diary.records])
    # One that fails undoes its turn, and no more than that; the next try goes on from there.
    diary.is_broken = True
    with pytest.raises(RuntimeError):
        await worker.look()
    half = await erasures(engine).get(begun.id)
    assert (half.state, half.bookings) == ("running", 1)
    assert await traces(connection, OWNER) == {"public.diary.owner", "bespeak.erasure.owner"}
    diary.is_broken = False
    await worker.look()
    assert (await erasures(engine).get(begun.id)).state == "done"
    assert await traces(connection, *TRACES) == set()


async def test_the_single_form_knows_erased_keys_too(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(starts_at=OVER)
    await engine.release_hold(
        (await take(engine, seats(show, "A1"), OWNER, idempotency_key=KEY)).id
    )
    await erase(engine)
    place = "select * from bespeak.place_hold($1, array[$2], array['A1'], idempotency_key => $3)"
    with pytest.raises(asyncpg.PostgresError) as refused:
        await connection.execute(place, OWNER, show.id, KEY)
    assert (refused.value.sqlstate, refused.value.message) == ("BS027", "hold_erased")
    await connection.execute(place, "ben", show.id, KEY)
