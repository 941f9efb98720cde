"""Mailings: each booking that stands is written to once, whoever dies in between; who cancelled,
was erased or has no address is not, nor is anybody once it is stopped.
"""

import asyncio
from pathlib import Path

import msgspec
import pytest

import bespeak
from bespeak import Resource, ids
from bespeak.inventory import resources
from bespeak.notifications.mail import mailings
from bespeak.notifications.mail.mailings import (
    Mailing,
    Mailings,
    MailingState,
    MailingText,
    begin_mailing,
    get_mailing,
    stop_mailing,
)
from bespeak.notifications.mail.outbox import MailOutbox
from bespeak.notifications.mail.sender import OutboxFolder
from bespeak.notifications.mail.ways import OneWay
from bespeak.notifications.mail.worker import MailWorker
from bespeak.notifications.mail.writing import parse_sender
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shows import book, new_show, seats

DOORS = (
    MailingText(language="en", subject="Doors: {title}", text="{name}, the doors open at 19:30."),
    MailingText(language="de", subject="Einlass: {title}", text="Einlass ist um 19.30 Uhr."),
)


@pytest.fixture
async def show(connection: Connection, clock: Clock) -> Resource:
    assert clock
    return await resources.create(connection, new_show())


async def booked(
    engine: bespeak.Engine, connection: Connection, show: Resource, unit: str, locale: str = "en"
) -> bespeak.Booking:
    """A booking of somebody who gave an address."""
    booking = await book(engine, seats(show, unit))
    contact = {"email": f"{unit.lower()}@example.org", "name": "Asha Rao", "locale": locale}
    await connection.execute(
        "update bespeak.booking set contact = $2 where booking_id = $1",
        ids.parse(ids.BOOKING, booking.id),
        msgspec.json.encode(contact).decode(),
    )
    return booking


async def begun(connection: Connection, clock: Clock, show: Resource) -> Mailing:
    """A mailing whose time to be written down has come."""
    mailing = await begin_mailing(connection, show.id, DOORS, None)
    await clock.advance(3)
    return mailing


async def write(engine: bespeak.Engine) -> None:
    """Writes down all that is due."""
    while not await Mailings(engine.database.pool).look():
        pass


async def send(engine: bespeak.Engine, folder: Path) -> list[tuple[str, str]]:
    """Sends what is due: to whom, and by what subject."""
    sender = parse_sender("Box office <box@office.example>")
    await MailWorker(engine.database.pool, OneWay(OutboxFolder(folder), sender)).look()
    return sorted((mail.to, mail.subject) for mail in MailOutbox(folder).page(None, 50).items)


async def told(connection: Connection) -> list[str]:
    """The bookings that a mail was written down for."""
    rows = await connection.fetch("select hold_id from bespeak.mail where kind = 'mailing'")
    return sorted(ids.show(ids.BOOKING, row["hold_id"]) for row in rows)


async def test_all_who_booked_are_written_to_once_in_their_language(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: Resource, tmp_path: Path
) -> None:
    await booked(engine, connection, show, "A1")
    await booked(engine, connection, show, "A2", "de-AT")
    await booked(engine, connection, show, "A3", "ar")  # in which nothing is said
    await book(engine, seats(show, "A4"))  # who gave no address
    gone = await booked(engine, connection, show, "A5")
    await engine.cancel_booking(gone.id, reason="ill")
    mailing = await begun(connection, clock, show)
    await booked(engine, connection, show, "A6")  # later: they saw the new time
    await write(engine)
    await write(engine)
    assert await send(engine, tmp_path) == [
        ("Asha Rao <a1@example.org>", "Doors: Show"),
        ("Asha Rao <a2@example.org>", "Einlass: Show"),
        ("Asha Rao <a3@example.org>", "Doors: Show"),
    ]
    found = await get_mailing(connection, show.id, mailing.id)
    assert (found.state, found.recipients, found.sent) == (MailingState.WRITTEN, 3, 3)
    assert (found.waiting, found.failed) == (0, 0)


async def test_who_booked_it_beside_something_else_is_written_to(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: Resource
) -> None:
    other = await resources.create(connection, new_show())
    booking = await book(engine, [*seats(other, "A1"), *seats(show, "A2")])
    await connection.execute(
        "update bespeak.booking set contact = $1", '{"email": "asha@example.org"}'
    )
    await begun(connection, clock, show)
    await write(engine)
    assert await told(connection) == [booking.id]


async def test_it_goes_on_in_batches_and_whoever_dies_writes_nobody_twice(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    connection: Connection,
    clock: Clock,
    show: Resource,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A batch is one transaction: who died before its end wrote nothing down, and who died behind
    it has nothing to do again. Walked through once more, nobody has a second mail."""
    monkeypatch.setattr(mailings, "_BATCH", 2)
    bookings = [await booked(engine, connection, show, f"A{n}") for n in range(1, 6)]
    mailing = await begun(connection, clock, show)
    assert await Mailings(engine.database.pool).look() == 0.0
    assert len(await told(connection)) == 2
    assert (await get_mailing(connection, show.id, mailing.id)).state is MailingState.WRITING
    await asyncio.gather(write(engine), write(second_engine))
    assert await told(connection) == sorted(one.id for one in bookings)
    await connection.execute(
        "update bespeak.mailing set state = 'writing', "
        "after_booking = '00000000-0000-0000-0000-000000000000'"
    )
    await write(engine)
    assert await told(connection) == sorted(one.id for one in bookings)
    found = await get_mailing(connection, show.id, mailing.id)
    assert (found.state, found.recipients, found.waiting) == (MailingState.WRITTEN, 5, 5)


async def test_it_waits_while_its_mails_wait(
    engine: bespeak.Engine,
    connection: Connection,
    clock: Clock,
    show: Resource,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that the mail of who buys meanwhile has few before it."""
    monkeypatch.setattr(mailings, "_BATCH", 2)
    monkeypatch.setattr(mailings, "_WAITING_MAX", 2)
    for unit in ("A1", "A2", "A3"):
        await booked(engine, connection, show, unit)
    await begun(connection, clock, show)
    await write(engine)
    assert len(await told(connection)) == 2
    assert len(await send(engine, tmp_path)) == 2
    await write(engine)
    assert len(await told(connection)) == 3


async def test_without_the_index_the_second_walk_writes_again(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: Resource
) -> None:
    """The control: it is the index that holds a second mail off."""
    await booked(engine, connection, show, "A1")
    await begun(connection, clock, show)
    await connection.execute("drop index bespeak.mail_of_occasion")
    for _ in range(2):
        await connection.execute(
            "update bespeak.mailing set state = 'writing', "
            "after_booking = '00000000-0000-0000-0000-000000000000'"
        )
        await write(engine)
    assert len(await told(connection)) == 2


@pytest.mark.parametrize("then", ["cancelled", "stopped", "erased"])
async def test_what_is_not_true_any_more_does_not_leave(
    engine: bespeak.Engine,
    connection: Connection,
    clock: Clock,
    show: Resource,
    tmp_path: Path,
    then: str,
) -> None:
    booking = await booked(engine, connection, show, "A1")
    mailing = await begun(connection, clock, show)
    await write(engine)
    if then == "cancelled":
        await engine.cancel_booking(booking.id, reason="ill")
        # The mail about that is another one.
        await connection.execute("delete from bespeak.mail where kind <> 'mailing'")
    if then == "stopped":
        for _ in range(2):
            stopped = await stop_mailing(connection, show.id, mailing.id)
            assert stopped.state is MailingState.STOPPED
    if then == "erased":
        await connection.execute("update bespeak.booking set contact = null")
    assert await send(engine, tmp_path) == []
    found = await get_mailing(connection, show.id, mailing.id)
    assert (found.waiting, found.sent) == (0, 0)


async def test_what_is_stopped_is_written_down_no_further(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: Resource
) -> None:
    await booked(engine, connection, show, "A1")
    mailing = await begun(connection, clock, show)
    await stop_mailing(connection, show.id, mailing.id)
    await write(engine)
    assert await told(connection) == []


async def test_who_confirms_as_it_is_asked_for_is_waited_for(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: Resource
) -> None:
    await booked(engine, connection, show, "A1")
    await begin_mailing(connection, show.id, DOORS, None)
    await write(engine)
    assert await told(connection) == []
    await clock.advance(2)
    await write(engine)
    assert len(await told(connection)) == 1
