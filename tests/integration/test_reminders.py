"""Reminders: once for each booking and each of the hours, by the begin that counts then, and not of
what was cancelled or has begun.
"""

from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

import bespeak
from bespeak import Resource, ids
from bespeak.errors import InvalidRequest
from bespeak.inventory import resources, workspaces
from bespeak.notifications.mail.outbox import MailOutbox
from bespeak.notifications.mail.reminders import Reminders, hours_of, set_hours
from bespeak.notifications.mail.sender import OutboxFolder
from bespeak.notifications.mail.ways import OneWay
from bespeak.notifications.mail.worker import MailWorker
from bespeak.notifications.mail.writing import parse_sender
from tests.harness.clock import START, Clock
from tests.harness.database import Connection
from tests.harness.shows import book, new_show, seats

BEGINS = START + timedelta(days=3)
DAY, TWO_DAYS = 24, 48


@pytest.fixture
async def show(connection: Connection, clock: Clock) -> Resource:
    """A show in three days; buyers are reminded two days and one day before."""
    await set_hours(connection, None, [DAY, TWO_DAYS])
    return await resources.create(connection, new_show(starts_at=BEGINS))


async def booked(
    engine: bespeak.Engine, connection: Connection, show: Resource, *units: str
) -> bespeak.Booking:
    """A booking of somebody who gave an address."""
    booking = await book(engine, seats(show, *units))
    await connection.execute(
        "update bespeak.booking set contact = $2 where booking_id = $1",
        ids.parse(ids.BOOKING, booking.id),
        msgspec.json.encode({"email": "asha@example.org", "locale": "en"}).decode(),
    )
    return booking


async def remind(engine: bespeak.Engine) -> None:
    """Writes down all that is due."""
    worker = Reminders(engine.database.pool)
    while not await worker.look():
        pass


async def reminded(connection: Connection) -> list[tuple[str, str]]:
    """Of which bookings, and how many hours before."""
    rows = await connection.fetch(
        "select hold_id, occasion from bespeak.mail where kind = 'booking_reminder' "
        "order by created_at, occasion, hold_id"
    )
    return [(ids.show(ids.BOOKING, row["hold_id"]), row["occasion"]) for row in rows]


async def until(clock: Clock, hours: float) -> None:
    """So many hours before the begin."""
    await clock.set(BEGINS - timedelta(hours=hours))


async def test_each_booking_is_reminded_once_for_each_of_the_hours(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: Resource
) -> None:
    booking = await booked(engine, connection, show, "A1")
    await book(engine, seats(show, "A2"))  # who gave no address
    await until(clock, 48.1)
    await remind(engine)
    assert await reminded(connection) == []
    for hours, count in ((48, 1), (47, 1), (24, 2), (23, 2)):
        await until(clock, hours)
        for _ in range(2):
            await remind(engine)
        assert len(await reminded(connection)) == count, hours
    assert await reminded(connection) == [(booking.id, "48"), (booking.id, "24")]


async def test_two_at_once_remind_once(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    connection: Connection,
    clock: Clock,
    show: Resource,
) -> None:
    """As after a worker that died between: what it had not noted is walked through again."""
    one = await booked(engine, connection, show, "A1")
    await until(clock, 40)
    await remind(engine)
    await connection.execute(
        "update bespeak.reminder_walk set is_done = false, "
        "after_booking = '00000000-0000-0000-0000-000000000000'"
    )
    await remind(second_engine)
    assert await reminded(connection) == [(one.id, "48")]


async def test_what_is_moved_is_reminded_by_its_new_time_and_not_twice(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: Resource
) -> None:
    first = await booked(engine, connection, show, "A1")
    later = BEGINS + timedelta(days=10)
    await engine.update_resource(show.id, bespeak.ResourceChange(starts_at=later))
    await until(clock, 40)
    await remind(engine)
    assert await reminded(connection) == []
    await clock.set(later - timedelta(hours=40))
    await remind(engine)
    assert await reminded(connection) == [(first.id, "48")]
    await engine.update_resource(
        show.id, bespeak.ResourceChange(starts_at=later + timedelta(days=5))
    )
    await clock.set(later + timedelta(days=5) - timedelta(hours=40))
    await remind(engine)
    assert await reminded(connection) == [(first.id, "48")]


async def test_when_it_is_late_the_nearest_counts_and_who_just_booked_is_left_alone(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: Resource
) -> None:
    first = await booked(engine, connection, show, "A1")
    await until(clock, 10)
    await booked(engine, connection, show, "A2")
    await remind(engine)
    assert await reminded(connection) == [(first.id, "24")]


async def test_what_has_begun_is_not_reminded(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: Resource
) -> None:
    await booked(engine, connection, show, "A1")
    await until(clock, -0.1)
    await remind(engine)
    assert await reminded(connection) == []


@pytest.mark.parametrize("then", ["sent", "cancelled", "begun"])
async def test_a_reminder_leaves_only_while_it_is_true(
    engine: bespeak.Engine,
    connection: Connection,
    clock: Clock,
    show: Resource,
    tmp_path: Path,
    then: str,
) -> None:
    booking = await booked(engine, connection, show, "A1")
    await until(clock, 20)
    await remind(engine)
    if then == "cancelled":
        await engine.cancel_booking(booking.id, reason="ill")
    if then == "begun":
        await until(clock, -1)
    sender = parse_sender("Box office <box@office.example>")
    await MailWorker(engine.database.pool, OneWay(OutboxFolder(tmp_path), sender)).look()
    state = await connection.fetchval(
        "select state from bespeak.mail where kind = 'booking_reminder'"
    )
    assert state == ("sent" if then == "sent" else "dropped")
    subjects = [mail.subject for mail in MailOutbox(tmp_path).page(None, 10).items]
    assert subjects == (["Soon: Show"] if then == "sent" else [])


async def test_each_workspace_has_its_own_hours(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: Resource
) -> None:
    await workspaces.create(connection, "acme")
    theirs = await resources.create(connection, new_show(starts_at=BEGINS), workspace="acme")
    await booked(engine, connection, theirs, "A1")
    await until(clock, 20)
    await remind(engine)
    assert await reminded(connection) == []
    assert await hours_of(connection, "acme") == ([], 0)
    await set_hours(connection, "acme", [30])
    await remind(engine)
    assert [hours for _, hours in await reminded(connection)] == ["30"]
    assert await set_hours(connection, "acme", []) == ([], 0)
    assert (await hours_of(connection, None)).hours == [TWO_DAYS, DAY]
    with pytest.raises(InvalidRequest, match="twice"):
        await set_hours(connection, "acme", [DAY, DAY])
