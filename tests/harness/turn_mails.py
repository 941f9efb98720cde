"""Mails of turns as tests of them ask for them, and see them leave."""

from pathlib import Path

import bespeak
from bespeak.admission.queue_tokens import QueueToken
from bespeak.admission.told import TurnMail
from bespeak.admission.turn_mails import MailTo, ask_mail
from bespeak.notifications.mail.outbox import MailOutbox
from bespeak.notifications.mail.sender import OutboxFolder
from bespeak.notifications.mail.shops_parts import ShopsParts
from bespeak.notifications.mail.turns import PlaceInQueue, TurnMailer
from bespeak.notifications.mail.ways import OneWay
from bespeak.notifications.mail.writing import parse_sender
from tests.harness.database import Connection
from tests.harness.waiting import TOKENS, Worker

SENDER = parse_sender("Box office <box@office.example>")
STATES = "select state from bespeak.turn_mail order by email nulls last, queue"


async def ask(
    connection: Connection,
    worker: Worker,
    token: QueueToken,
    email: str = "ada@example.com",
    locale: str | None = None,
    owner: str = "ada",
) -> TurnMail:
    """Asks for the mail of a turn, at a worker as it knows the room."""
    room = worker.board.rooms[worker.room_id]
    to = MailTo(owner, email, locale, TOKENS.address_of(room.room_id, email))
    return await ask_mail(connection, room, token, to)


def link(place: PlaceInQueue) -> str:
    """The page of a place, with a queue token that tests can read."""
    token = QueueToken(place.queue, place.joined_us, place.subject)
    return f"https://shop.example/waiting/{place.room_id}#token={TOKENS.make(place.room_id, token)}"


def mailer(engine: bespeak.Engine, folder: Path, parts: ShopsParts | None = None) -> TurnMailer:
    """Who sends the mails, into a folder."""
    way = OneWay(OutboxFolder(folder), SENDER)
    return TurnMailer(engine.database.pool, way, link, parts or ShopsParts(), observer=None)


async def mailed(
    engine: bespeak.Engine, folder: Path, parts: ShopsParts | None = None
) -> list[str]:
    """Sends what is due; to whom all mails went until now."""
    await mailer(engine, folder, parts).look()
    return sorted(mail.to for mail in MailOutbox(folder).page(None, 50).items)


async def states(connection: Connection) -> list[str]:
    """How all mails stand."""
    return [row["state"] for row in await connection.fetch(STATES)]
