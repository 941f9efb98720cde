"""Mails to buyers: composed from the record, sent once each through a real SMTP server or into a
folder, and not sent for what is not true any more.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from socket import create_server
from typing import TYPE_CHECKING, TypeAlias
from uuid import UUID

import msgspec
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

import bespeak
from bespeak import Resource, ids
from bespeak.notifications.announcer import Announcer
from bespeak.notifications.mail.message import Attachment
from bespeak.notifications.mail.sender import MailRoute, OutboxFolder, SmtpRoute, parse_smtp_url
from bespeak.notifications.mail.ways import OneWay
from bespeak.notifications.mail.worker import (
    BLOCKED_SECONDS,
    LEASE_SECONDS,
    RETRY_SECONDS,
    MailWorker,
)
from bespeak.notifications.mail.writing import parse_sender
from bespeak.postgres.pool import open_pool
from tests.harness.clock import Clock
from tests.harness.database import Connection, feed_settled
from tests.harness.shows import MakeShow, book, pool, seats, take

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool
else:
    Pool: TypeAlias = object

SENDER = parse_sender("Box office <box@office.example>")
TIMES = "\N{MULTIPLICATION SIGN}"
ASHA = {"email": "asha@example.org", "name": "Asha", "locale": "en"}


@dataclass
class Mailbox:
    """What an SMTP server took, and what it answers to a recipient."""

    mails: list[EmailMessage] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)

    async def handle_RCPT(  # noqa: N802 (the name that aiosmtpd calls)
        self, server: SMTP, session: Session, envelope: Envelope,
        address: str, options: list[str],
    ) -> str:  # fmt: skip
        answer = self.answers.get(address, "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        assert isinstance(envelope.content, bytes)
        found = message_from_bytes(envelope.content, policy=policy.default)
        self.mails.append(found)
        return "250 taken"


@dataclass(frozen=True)
class SmtpServer:
    controller: Controller
    mailbox: Mailbox
    url: str


@pytest.fixture
def smtp() -> Iterator[SmtpServer]:
    mailbox = Mailbox()
    with closing(create_server(("127.0.0.1", 0))) as probe:
        port = probe.getsockname()[1]
    controller = Controller(mailbox, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield SmtpServer(controller, mailbox, f"smtp://127.0.0.1:{port}?starttls=0")
    finally:
        controller.stop()


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Pool]:
    made = await open_pool(database_url, 6)
    try:
        yield made
    finally:
        await made.close()


async def contact(connection: Connection, booking: bespeak.Booking, **fields: str) -> None:
    """Says who is written to about a booking."""
    await connection.execute(
        "update bespeak.booking set contact = $2 where booking_id = $1",
        ids.parse(ids.BOOKING, booking.id),
        msgspec.json.encode({**ASHA, **fields}).decode(),
    )


async def happened(connection: Connection, kind: str, hold_id: str, **data: object) -> None:
    """An event of the payment of a hold."""
    number = ids.parse(ids.HOLD, hold_id)
    await connection.execute(
        """
        insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
        values ($1, bespeak.horizon(), $2, $3, bespeak.now(), $4)
        """,
        ids.home_of(number),
        kind,
        number,
        msgspec.json.encode(data).decode(),
    )


async def pay(connection: Connection, hold_id: str, state: str, *, late: bool = False) -> str:
    """A payment of a hold, in a state, with a contact; answers its id."""
    number = ids.parse(ids.HOLD, hold_id)
    made: UUID = await connection.fetchval(
        """
        insert into bespeak.payment (resource_id, payment_id, hold_id, owner, provider, state,
            amount, currency, captured, captured_currency, contact, window_ends_at, created_at,
            captured_at, step, due_at)
        select $1, bespeak.new_id($1), $2, 'asha', 'sandbox', $3, 2500, 'EUR',
            case when $3 = 'captured' then 2500 else 0 end,
            case when $3 = 'captured' then 'EUR' end, $4, t.now, t.now,
            case when $3 = 'captured' then t.now end, case when $3 = 'pending' then 'await' end,
            case when $3 = 'pending' then t.now end
        from (select bespeak.now() as now) t
        returning payment_id
        """,
        ids.home_of(number),
        number,
        state,
        msgspec.json.encode(ASHA).decode(),
    )
    return ids.show(ids.PAYMENT, made)


async def announce(connection: Connection, db: Pool) -> None:
    await feed_settled(connection)
    announcer = Announcer(db)
    while not await announcer.look():
        pass


async def post(db: Pool, way: MailRoute) -> None:
    """Sends all that is due."""
    postman = MailWorker(db, OneWay(way, SENDER))
    while not await postman.look():
        pass


async def states(connection: Connection) -> list[tuple[str, str, int]]:
    rows = await connection.fetch(
        "select kind, state, tries from bespeak.mail order by position, kind"
    )
    return [tuple(row) for row in rows]


def plain(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\xa0", " ").replace("\r\n", "\n")


def html(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content()).replace("\xa0", " ").replace("\r\n", "\n")


async def test_a_booking_is_written_about_once(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, make_show: MakeShow
) -> None:
    show = await make_show(name="Romeo & Juliet", price=bespeak.Price(1250))
    booking = await book(engine, [*seats(show, "A1"), pool(show, "floor", 2)])
    await contact(connection, booking)
    await announce(connection, db)
    way = SmtpRoute(parse_smtp_url(smtp.url))
    await post(db, way)
    await announce(connection, db)
    await post(db, way)
    (mail,) = smtp.mailbox.mails
    assert mail["Subject"] == "Your booking is confirmed: Romeo & Juliet"
    assert mail["From"] == "Box office <box@office.example>"
    assert mail["To"] == "Asha <asha@example.org>"
    assert mail["Message-ID"].endswith("@office.example>")
    assert f"- Romeo & Juliet, A1\n- 2 {TIMES} Romeo & Juliet, floor\n" in plain(mail)
    assert "Total: €37.50" in plain(mail)
    assert booking.code in plain(mail)
    assert "<li>Romeo &amp; Juliet, A1</li>" in html(mail)
    assert await states(connection) == [("booking_confirmed", "sent", 1)]


async def test_nobody_is_written_to_without_an_address(
    engine: bespeak.Engine, connection: Connection, db: Pool, show: Resource
) -> None:
    await book(engine, seats(show, "A1"))
    await announce(connection, db)
    assert await states(connection) == []


async def test_in_the_language_of_the_buyer(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, make_show: MakeShow
) -> None:
    show = await make_show(
        name="Faust",
        price=bespeak.Price(250_000),
        time_zone="Europe/Berlin",
        starts_at=datetime(2030, 3, 1, 18, 30, tzinfo=UTC),
    )
    booking = await book(engine, seats(show, "A1"))
    await contact(connection, booking, locale="de-AT", name="Jörg Müller")
    await announce(connection, db)
    await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    (mail,) = smtp.mailbox.mails
    assert mail["Subject"] == "Ihre Buchung ist bestätigt: Faust"
    assert "Guten Tag Jörg Müller," in plain(mail)
    assert "1. März 2030" in plain(mail) and "19:30" in plain(mail)
    assert "Summe: € 2.500,00" in plain(mail)
    assert '<html lang="de" dir="ltr">' in html(mail)


async def test_a_hold_over_two_resources_is_one_mail(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, make_show: MakeShow
) -> None:
    one, other = await make_show(name="One"), await make_show(name="Other")
    booking = await book(engine, [*seats(one, "A1"), *seats(other, "A1")])
    await contact(connection, booking)
    await announce(connection, db)
    await engine.cancel_booking(booking.id, reason="r", lines=seats(other, "A1"))
    await announce(connection, db)
    await engine.cancel_booking(booking.id, reason="r")
    await announce(connection, db)
    assert await states(connection) == [
        ("booking_confirmed", "pending", 0),
        ("booking_cancelled", "pending", 0),
        ("booking_cancelled", "pending", 0),
    ]
    await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    assert len(smtp.mailbox.mails) == 3
    assert len({mail["Message-ID"] for mail in smtp.mailbox.mails}) == 3
    assert smtp.mailbox.mails[0]["Subject"] == "Your booking is confirmed: One, Other"


async def test_a_part_that_is_cancelled_and_what_is_given_back(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, make_show: MakeShow,
    clock: Clock,
) -> None:  # fmt: skip
    show = await make_show(price=bespeak.Price(1250))
    booking = await book(engine, [*seats(show, "A1"), pool(show, "floor", 3)])
    await announce(connection, db)
    await contact(connection, booking)
    await engine.cancel_booking(booking.id, reason="r", lines=[pool(show, "floor", 2)])
    data = {"amount": 2500, "currency": "EUR", "cause": "cancelled"}
    await happened(connection, "refund_begun", booking.hold_id, **data)
    await announce(connection, db)
    await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    (mail,) = smtp.mailbox.mails
    assert "Part of your booking was cancelled" in plain(mail)
    assert "You get €25.00 back" in plain(mail)
    assert f"- 3 {TIMES} Show, floor (2 cancelled)" in plain(mail)
    await clock.advance(60)
    await happened(connection, "refunded", booking.hold_id, **data)
    await engine.cancel_booking(booking.id, reason="r")
    await announce(connection, db)
    await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    subjects = [str(one["Subject"]).replace("\xa0", " ") for one in smtp.mailbox.mails[1:]]
    assert sorted(subjects) == ["You get €25.00 back", "Your booking is cancelled: Show"]


async def test_who_has_paid_and_has_it_all_back_is_still_written_to(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, show: Resource
) -> None:
    """The contact may stand with the payment alone, and the money is back before the mail goes."""
    booking = await book(engine, seats(show, "A1"))
    await pay(connection, booking.hold_id, "captured")
    await announce(connection, db)
    await engine.cancel_booking(booking.id, reason="r")
    await connection.execute("update bespeak.payment set state = 'refunded', captured_at = null")
    await announce(connection, db)
    await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    assert [(kind, state) for kind, state, _ in await states(connection)] == [
        ("booking_confirmed", "sent"),
        ("booking_cancelled", "sent"),
    ]


@pytest.mark.parametrize(
    ("late", "words"),
    [
        ("same_units", "still free, and it is booked for you"),
        ("equal_offer", "something equal instead"),
        ("refund", "you get €25.00 back"),
    ],
)
async def test_late_money_is_explained(
    late: str, words: str, engine: bespeak.Engine, connection: Connection, db: Pool,
    smtp: SmtpServer, show: Resource,
) -> None:  # fmt: skip
    hold = await take(engine, seats(show, "A1"))
    payment = await pay(connection, hold.id, "captured")
    data = {"payment_id": payment, "amount": 2500, "currency": "EUR", "late": late}
    await happened(connection, "payment_late", hold.id, **data)
    await announce(connection, db)
    await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    (mail,) = smtp.mailbox.mails
    assert words in plain(mail).replace("\n", " ") and words in html(mail)


async def test_a_failed_payment_is_told_when_no_second_try_has_paid(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, show: Resource,
    clock: Clock,
) -> None:  # fmt: skip
    way = SmtpRoute(parse_smtp_url(smtp.url))
    unlucky = await take(engine, seats(show, "A1"))
    stubborn = await take(engine, seats(show, "A2"))
    before = await book(engine, seats(show, "A3"))
    await contact(connection, before)
    for hold in (unlucky, stubborn):
        failed = await pay(connection, hold.id, "failed")
        data = {"payment_id": failed, "amount": 2500, "currency": "EUR", "failure": "declined"}
        await happened(connection, "payment_failed", hold.id, **data)
    await pay(connection, stubborn.id, "pending")
    await announce(connection, db)
    await clock.advance(119)
    await post(db, way)
    assert ["confirmed" in str(mail["Subject"]) for mail in smtp.mailbox.mails] == [True]
    smtp.mailbox.mails.clear()
    await clock.advance(1)
    await post(db, way)
    (mail,) = smtp.mailbox.mails
    assert unlucky.id in plain(mail) and "you were not charged" in plain(mail)
    assert [state for _, state, _ in await states(connection)][-2:] == ["sent", "dropped"]


async def test_an_address_with_which_nobody_booked_is_told_of_no_failed_payment(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, show: Resource,
    clock: Clock,
) -> None:  # fmt: skip
    """A guest with a card that is declined could write to anybody, as often as they like."""
    other = await book(engine, seats(show, "A2"), owner="ben")
    await contact(connection, other)  # that somebody else has booked with it is no leave
    mine = await book(engine, seats(show, "A3"))
    await contact(connection, mine, email="mine@example.org")  # nor is another address
    await announce(connection, db)
    await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    smtp.mailbox.mails.clear()
    hold = await take(engine, seats(show, "A1"))
    failed = await pay(connection, hold.id, "failed")
    data = {"payment_id": failed, "amount": 2500, "currency": "EUR", "failure": "declined"}
    await happened(connection, "payment_failed", hold.id, **data)
    await announce(connection, db)
    await clock.advance(121)
    await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    assert smtp.mailbox.mails == []
    assert (await states(connection))[-1][1] == "dropped"


async def test_an_address_that_is_refused_fails_and_holds_up_nobody(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, show: Resource,
    clock: Clock,
) -> None:  # fmt: skip
    smtp.mailbox.answers = {"gone@example.org": "550 unknown", "full@example.org": "452 full"}
    emails = ["gone@example.org", "full@example.org", "no address", "b@example.org\r\nBcc: x@y.z"]
    for number, email in enumerate([*emails, "well@example.org"], start=1):
        booking = await book(engine, seats(show, f"A{number}"))
        await contact(connection, booking, email=email)
    await announce(connection, db)
    await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    assert [mail["To"] for mail in smtp.mailbox.mails] == ["Asha <well@example.org>"]
    found = [(state, tries) for _, state, tries in await states(connection)]
    assert found == [("failed", 1), ("pending", 1), ("failed", 1), ("failed", 1), ("sent", 1)]
    for wait in RETRY_SECONDS:
        await clock.advance(wait)
        await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    found = [(state, tries) for _, state, tries in await states(connection)]
    assert found[1] == ("failed", len(RETRY_SECONDS) + 1)


async def test_nothing_typed_breaks_out_of_its_place(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, make_show: MakeShow
) -> None:
    show = await make_show(name="<script>alert(1)</script> {name}")
    booking = await book(engine, seats(show, "A1"))
    name = 'Eve"\r\nBcc: all@example.org\r\n\r\n<b>{total}</b>'
    await contact(connection, booking, name=name)
    await announce(connection, db)
    await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    (mail,) = smtp.mailbox.mails
    assert mail["Bcc"] is None
    assert mail["To"].addresses[0].addr_spec == "asha@example.org"
    assert "<script>" not in html(mail) and "<b>" not in html(mail)
    assert "&lt;script&gt;" in html(mail)
    assert "<script>alert(1)</script> {name}" in plain(mail)


async def test_while_the_server_is_away_no_mail_is_given_up(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, show: Resource,
    clock: Clock,
) -> None:  # fmt: skip
    booking = await book(engine, seats(show, "A1"))
    await contact(connection, booking)
    await announce(connection, db)
    way = SmtpRoute(parse_smtp_url("smtp://127.0.0.1:1?starttls=0"))
    for _ in range(20):
        await post(db, way)
        await clock.advance(BLOCKED_SECONDS)
    assert await states(connection) == [("booking_confirmed", "pending", 0)]
    await post(db, SmtpRoute(parse_smtp_url(smtp.url)))
    assert len(smtp.mailbox.mails) == 1


async def test_a_postman_that_dies_leaves_its_mails_to_the_next(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, show: Resource,
    clock: Clock,
) -> None:  # fmt: skip
    booking = await book(engine, seats(show, "A1"))
    await contact(connection, booking)
    await announce(connection, db)
    taken = await db.fetch("select * from bespeak.claim_mails(10, $1)", LEASE_SECONDS)
    assert len(taken) == 1
    way = SmtpRoute(parse_smtp_url(smtp.url))
    await post(db, way)
    assert smtp.mailbox.mails == []
    await clock.advance(LEASE_SECONDS)
    await post(db, way)
    (mail,) = smtp.mailbox.mails
    assert str(taken[0]["mail"]["mail_id"]) in mail["Message-ID"]


async def test_two_postmen_send_each_mail_once(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, show: Resource
) -> None:
    for number in range(1, 21):
        await contact(connection, await book(engine, seats(show, f"A{number}")))
    await announce(connection, db)
    ways = [SmtpRoute(parse_smtp_url(smtp.url)) for _ in range(2)]
    await asyncio.gather(*(post(db, way) for way in ways))
    sent = [mail["Message-ID"] for mail in smtp.mailbox.mails]
    assert len(sent) == len(set(sent)) == 20


async def test_the_outbox_has_a_file_a_mail(
    engine: bespeak.Engine, connection: Connection, db: Pool, show: Resource, tmp_path: Path,
    clock: Clock,
) -> None:  # fmt: skip
    booking = await book(engine, seats(show, "A1"))
    await contact(connection, booking)
    await announce(connection, db)
    folder = tmp_path / "deep" / "outbox"
    await db.fetch("select * from bespeak.claim_mails(10, 0)")
    await post(db, OutboxFolder(folder))
    (file,) = folder.iterdir()
    assert file.suffix == ".eml"
    mail = message_from_bytes(file.read_bytes(), policy=policy.default)
    assert mail["Subject"] == "Your booking is confirmed: Show"
    await connection.execute(
        "update bespeak.mail set state = 'pending', due_at = bespeak.now(), ended_at = null"
    )
    await post(db, OutboxFolder(folder))
    assert list(folder.iterdir()) == [file], "sent again, it is the same file"


async def test_a_folder_that_cannot_be_written_puts_mails_off(
    engine: bespeak.Engine, connection: Connection, db: Pool, show: Resource, tmp_path: Path
) -> None:
    booking = await book(engine, seats(show, "A1"))
    await contact(connection, booking)
    await announce(connection, db)
    (tmp_path / "file").write_text("in the way")
    await post(db, OutboxFolder(tmp_path / "file" / "outbox"))
    assert await states(connection) == [("booking_confirmed", "pending", 0)]


class Tickets:
    async def link(self, booking_id: str) -> str:
        return f"https://box.example/t/{booking_id}?a=1&b=2"

    async def refunds(self, booking_id: str, language: str | None) -> str:
        return "Full refund at any time"

    async def files(self, booking_id: str, language: str | None) -> list[Attachment]:
        return [Attachment("tickets.pdf", "application/pdf", b"%PDF")]


async def test_the_tickets_go_with_the_confirmation(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, show: Resource
) -> None:
    booking = await book(engine, seats(show, "A1"))
    await contact(connection, booking)
    await announce(connection, db)
    way = SmtpRoute(parse_smtp_url(smtp.url))
    await MailWorker(db, OneWay(way, SENDER), tickets=Tickets()).look()
    (mail,) = smtp.mailbox.mails
    assert f"https://box.example/t/{booking.id}?a=1&b=2" in plain(mail)
    assert "?a=1&amp;b=2" in html(mail)
    assert "If you cancel: Full refund at any time" in plain(mail)
    (file,) = mail.iter_attachments()
    assert (file.get_filename(), file.get_content()) == ("tickets.pdf", b"%PDF")


class NoTickets(Tickets):
    async def files(self, booking_id: str, language: str | None) -> list[Attachment]:
        raise RuntimeError("the printer is on fire")


async def test_tickets_that_cannot_be_made_are_tried_again(
    engine: bespeak.Engine, connection: Connection, db: Pool, smtp: SmtpServer, show: Resource
) -> None:
    booking = await book(engine, seats(show, "A1"))
    await contact(connection, booking)
    await announce(connection, db)
    way = SmtpRoute(parse_smtp_url(smtp.url))
    await MailWorker(db, OneWay(way, SENDER), tickets=NoTickets()).look()
    assert smtp.mailbox.mails == []
    assert await states(connection) == [("booking_confirmed", "pending", 1)]
