"""Who was moved to another room or seat is written to: once a move, in their language, of what they
have now; and not where the operator says so, or the booking is gone meanwhile.
"""

from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

import bespeak
from bespeak import Line, Move, NightsPlan, Resource, ids
from bespeak.errors import IdempotencyKeyReused, UnitTaken
from bespeak.merchants.profile import Language
from bespeak.notifications.announcer import Announcer
from bespeak.notifications.mail.outbox import MailOutbox
from bespeak.notifications.mail.sender import OutboxFolder
from bespeak.notifications.mail.shops_parts import ShopsParts
from bespeak.notifications.mail.texts import MailText, MailTexts
from bespeak.notifications.mail.ways import OneWay
from bespeak.notifications.mail.worker import MailWorker
from bespeak.notifications.mail.writing import parse_sender
from tests.harness.clock import START
from tests.harness.database import Connection, feed_settled
from tests.harness.shows import MakeShow, book, seats

pytestmark = pytest.mark.usefixtures("clock")
DAYS = [str((START + timedelta(days=n)).date()) for n in range(6)]


@pytest.fixture
async def house(make_show: MakeShow) -> Resource:
    plan = NightsPlan(rooms=("101", "102", "103"), buffer_nights=1, price=9000)
    return await make_show(name="Heron", plan=plan, time_zone="Europe/Lisbon")


async def booked(
    engine: bespeak.Engine,
    connection: Connection,
    lines: list[Line],
    locale: Language = "en",
    owner: str = "asha",
) -> bespeak.Booking:
    """A booking of somebody who gave an address, whose confirmation is of no interest."""
    booking = await book(engine, lines, owner)
    await announce(engine, connection)
    await connection.execute(
        "update bespeak.booking set contact = $2 where booking_id = $1",
        ids.parse(ids.BOOKING, booking.id),
        msgspec.json.encode({"email": f"{owner}@example.org", "locale": locale}).decode(),
    )
    return booking


async def announce(engine: bespeak.Engine, connection: Connection) -> None:
    await feed_settled(connection)
    announcer = Announcer(engine.database.pool)
    while not await announcer.look():
        pass


async def states(connection: Connection) -> list[tuple[str, str]]:
    rows = await connection.fetch("select kind, state from bespeak.mail order by created_at, kind")
    return [(row["kind"], row["state"]) for row in rows]


async def sent(
    engine: bespeak.Engine, tmp_path: Path, texts: MailTexts | None = None
) -> list[tuple[str, str]]:
    """Subjects and texts of all that was sent."""
    sender = parse_sender("Box office <box@office.example>")
    postman = MailWorker(
        engine.database.pool, OneWay(OutboxFolder(tmp_path), sender), parts=ShopsParts(texts=texts)
    )
    while not await postman.look():
        pass
    box = MailOutbox(tmp_path)
    listed = box.page(None, 10).items
    return [(one.subject, box.open(one.id).text.replace("\xa0", " ")) for one in listed]


@pytest.mark.parametrize(
    ("locale", "subject", "said"),
    [
        ("en", "Your booking has changed: Heron", "was moved to another room"),
        ("de-AT", "Ihre Buchung hat sich geändert: Heron", "in ein anderes Zimmer"),
        ("ar", "تغيّر حجزك: Heron", "غرفة أخرى"),
    ],
)
async def test_a_guest_who_is_moved_is_written_to_in_their_language(
    engine: bespeak.Engine,
    connection: Connection,
    house: Resource,
    tmp_path: Path,
    locale: Language,
    subject: str,
    said: str,
) -> None:
    stay = Line(house.id, "101", from_=DAYS[2], to=DAYS[4])
    booking = await booked(engine, connection, [stay], locale)
    await engine.move_booking(booking.id, [Move("101", "102")])
    await announce(engine, connection)
    ((found, text),) = await sent(engine, tmp_path)
    assert found == subject
    assert said in text and booking.code in text
    assert "102" in text and "101" not in text.replace(booking.code, "")


async def test_one_mail_for_each_move_and_none_for_a_repeat(
    engine: bespeak.Engine, connection: Connection, show: Resource
) -> None:
    booking = await booked(engine, connection, seats(show, "A1", "A2"))
    moves = [Move("A1", "A7"), Move("A2", "A8")]
    for _ in range(2):
        await engine.move_booking(booking.id, moves, idempotency_key="k")
    await announce(engine, connection)
    assert await states(connection) == [("booking_moved", "pending")]
    await engine.move_booking(booking.id, [Move("A7", "A1")])
    await announce(engine, connection)
    assert await states(connection) == [("booking_moved", "pending")] * 2


async def test_nobody_is_written_to_where_the_operator_says_so_or_nothing_was_moved(
    engine: bespeak.Engine, connection: Connection, show: Resource
) -> None:
    booking = await booked(engine, connection, seats(show, "A1"))
    await book(engine, seats(show, "A9"), "bela")
    with pytest.raises(UnitTaken):
        await engine.move_booking(booking.id, [Move("A1", "A9")])
    await engine.move_booking(booking.id, [Move("A1", "A7")], send_mail=False, idempotency_key="k")
    with pytest.raises(IdempotencyKeyReused) as refused:
        await engine.move_booking(booking.id, [Move("A1", "A7")], idempotency_key="k")
    assert refused.value.data["fields"] == ["send_mail"]
    await announce(engine, connection)
    assert await states(connection) == []
    # Who follows the feed is told of it all the same, and that it is quiet.
    (moved,) = [one for one in (await engine.events()).items if one.kind == "moved"]
    assert moved.data == {"mail": False}


async def test_without_an_address_there_is_nobody_to_write_to(
    engine: bespeak.Engine, connection: Connection, show: Resource
) -> None:
    booking = await book(engine, seats(show, "A1"))
    await engine.move_booking(booking.id, [Move("A1", "A7")])
    await announce(engine, connection)
    assert await states(connection) == []


async def test_what_was_cancelled_meanwhile_is_not_said_to_be_moved(
    engine: bespeak.Engine, connection: Connection, show: Resource, tmp_path: Path
) -> None:
    booking = await booked(engine, connection, seats(show, "A1"))
    await engine.move_booking(booking.id, [Move("A1", "A7")])
    await announce(engine, connection)
    await engine.cancel_booking(booking.id, reason="ill")
    assert await sent(engine, tmp_path) == []
    assert await states(connection) == [("booking_moved", "dropped")]


async def test_a_merchant_says_it_in_words_of_their_own(
    engine: bespeak.Engine, connection: Connection, show: Resource, tmp_path: Path
) -> None:
    texts = MailTexts(engine.database)
    own = MailText(subject="A better seat for {title}", introduction="The row is being repaired.")
    await texts.set(None, "booking_moved", "en", own)
    booking = await booked(engine, connection, seats(show, "A1"))
    await engine.move_booking(booking.id, [Move("A1", "A7")])
    await announce(engine, connection)
    ((subject, text),) = await sent(engine, tmp_path, texts)
    assert subject == f"A better seat for {show.name}"
    assert "The row is being repaired." in text and "was moved" in text
