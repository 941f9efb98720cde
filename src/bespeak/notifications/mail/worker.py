"""The postman: takes mails that are due, composes them from the record as it is now, and sends
them. Any number may run. A mail may be sent twice when the process dies between sending and
recording it; it then has the same Message-ID.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from email.message import EmailMessage
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias
from uuid import UUID

import msgspec
import structlog

from bespeak import ids, locales
from bespeak.money import Money
from bespeak.notifications.mail.line_words import MailResource, stops_of, translations_of
from bespeak.notifications.mail.mailings import text_in, texts_of_mailings
from bespeak.notifications.mail.message import (
    Attachment,
    MailContact,
    MailData,
    compose,
)
from bespeak.notifications.mail.sender import MailRefused, MailRoute, MailServerAway, SendMail
from bespeak.notifications.mail.shops_parts import ShopsParts
from bespeak.notifications.mail.texts import LINKED
from bespeak.notifications.mail.ways import AWAY_SECONDS, MailWays
from bespeak.notifications.mail.writing import FromAddress, UnusableContact
from bespeak.notifications.observer import NotificationObserver
from bespeak.postgres.pool import FAULTS
from bespeak.postgres.queries import load
from bespeak.reservations.holds import booking_of, hold_of
from bespeak.reservations.lines import BookedLine, booked
from bespeak.states import BookingState

if TYPE_CHECKING:
    from bespeak.notifications.mail.mailings import MailingText
    from bespeak.postgres.pool import Pool, Record

_QUERIES = load("bespeak.notifications.mail", "mails.sql")
RETRY_SECONDS = (60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000)
BLOCKED_SECONDS = 30.0
LEASE_SECONDS = 300
_BATCH = 100
_VENUE_LENGTH_MAX = 300
_EXCHANGED = "exchanged"
"""The reason of what an exchange cancels."""
_WITH_TICKETS = ("booking_confirmed", "booking_reminder")
_MAIL_SECONDS_MAX = 60.0
_PAUSE_SECONDS = 0.5
_Mailings: TypeAlias = "Mapping[str, Sequence[MailingText]]"
_log = structlog.get_logger()


class TicketsOfBooking(Protocol):
    """Where a booking's tickets come from, for the mail that confirms it."""

    async def link(self, booking_id: str) -> str | None:
        """An address at which the buyer has them."""

    async def refunds(self, booking_id: str, language: str | None) -> str | None:
        """What cancelling gives back, in words of a language; None: nothing was paid."""

    async def files(self, booking_id: str, language: str | None) -> Sequence[Attachment]:
        """Files that go with the mail, in its language (a BCP 47 tag)."""


class _Task(NamedTuple):
    mail_id: UUID
    tries: int
    lease: datetime
    mail: EmailMessage


class MailWorker:
    """Sends mails, for as long as `look` is called."""

    name = "postman"

    def __init__(
        self,
        pool: Pool,
        ways: MailWays,
        *,
        tickets: TicketsOfBooking | None = None,
        parts: ShopsParts | None = None,
        observer: NotificationObserver | None = None,
    ) -> None:
        self._pool = pool
        self._ways = ways
        self._tickets = tickets
        self._parts = parts or ShopsParts()
        self._observer = observer or NotificationObserver()

    async def look(self) -> float:
        """Sends what is due; answers seconds until the next look. Raises what asyncpg raises."""
        good_until = time.monotonic() + LEASE_SECONDS - _MAIL_SECONDS_MAX
        try:
            way = await self._ways.now()
        except MailServerAway:
            return AWAY_SECONDS  # before anything is taken: it is no try of any mail
        rows = await self._pool.fetch(_QUERIES["claim"], _BATCH, LEASE_SECONDS)
        if not rows:
            return _PAUSE_SECONDS
        tasks = deque(await self._composed(rows, way.sender))
        if tasks:
            count = min(way.route.parallel, len(tasks))
            work = [self._send_some(way.route, tasks, good_until) for _ in range(count)]
            for error in await asyncio.gather(*work, return_exceptions=True):
                if error is not None:
                    raise error
        return 0.0 if len(rows) == _BATCH else _PAUSE_SECONDS

    async def _send_some(self, route: MailRoute, tasks: deque[_Task], good_until: float) -> None:
        try:
            async with route.opened() as send:
                while tasks and time.monotonic() < good_until:
                    await self._send(send, tasks.popleft())
        except MailServerAway as error:
            _log.warning("mails do not leave", reason=str(error))
            while tasks:  # the way is at fault, not these mails: it is no try of theirs
                await self._settle(tasks.popleft(), "pending", str(error), BLOCKED_SECONDS, tries=0)

    async def _send(self, send: SendMail, task: _Task) -> None:
        """Sends one mail and records it. Raises MailServerAway."""
        try:
            await send(task.mail)
        except MailRefused as error:
            await self._refused(task, error)
        except MailServerAway as error:
            # It may be this mail that breaks the way: it counts as a try, so that it comes last.
            await self._refused(task, MailRefused(str(error), final=False))
            raise
        else:
            await self._settle(task, "sent")
            self._observer.mail("sent")

    async def _refused(self, task: _Task, error: MailRefused) -> None:
        if error.final or task.tries >= len(RETRY_SECONDS):
            await self._fail(task, str(error))
            return
        delay = float(RETRY_SECONDS[task.tries])
        await self._settle(task, "pending", str(error), delay)
        self._observer.mail("retried")

    async def _fail(self, task: _Task, reason: str) -> None:
        await self._settle(task, "failed", reason)
        _log.warning("mail failed", mail=str(task.mail_id), reason=reason)
        self._observer.mail("failed")

    async def _settle(
        self,
        task: _Task,
        state: str,
        failure: str | None = None,
        delay: float = 0.0,
        *,
        tries: int = 1,
    ) -> None:
        await self._pool.execute(
            _QUERIES["settle"], task.mail_id, task.lease, state, tries, failure, delay
        )

    async def _composed(self, rows: Sequence[Record], sender: FromAddress) -> list[_Task]:
        numbers = {number for row in rows if row["hold"] for number in row["hold"]["resources"]}
        found = await self._pool.fetch(_QUERIES["resources"], list(numbers))
        things = {
            ids.show_resource(row["resource_id"]): MailResource(
                row["name"],
                row["time_zone"],
                _starts_at(row),
                translations_of(row),
                row["workspace"],
                (row["said_to_be_at"] or "")[:_VENUE_LENGTH_MAX],
                stops_of(row),
            )
            for row in found
        }
        mailings = await texts_of_mailings(
            self._pool, (row["mail"]["occasion"] for row in rows if _is_mailing(row))
        )
        tasks = []
        for row in rows:
            if row["mail"]["state"] == "dropped":
                self._observer.mail("dropped")
            elif (task := await self._task(row, things, mailings, sender)) is not None:
                tasks.append(task)
        return tasks

    async def _task(
        self,
        row: Record,
        things: dict[str, MailResource],
        mailings: _Mailings,
        sender: FromAddress,
    ) -> _Task | None:
        """A mail ready to be sent; None for one that cannot be composed, and holds up no other."""
        mail = row["mail"]
        task = _Task(mail["mail_id"], mail["tries"], mail["due_at"], EmailMessage())
        try:
            matter = await self._matter(row, things, mailings)
            return task._replace(mail=compose(matter, sender))
        except FAULTS:
            raise
        except (UnusableContact, msgspec.ValidationError) as error:
            await self._fail(task, f"no contact: {error}"[:300])
        except Exception as error:
            _log.exception("mail cannot be composed", mail=str(task.mail_id))
            reason = f"cannot be composed: {type(error).__name__}"
            await self._refused(task, MailRefused(reason, final=False))
        return None

    async def _matter(
        self, row: Record, things: dict[str, MailResource], mailings: _Mailings
    ) -> MailData:
        """What a mail is about. Raises UnusableContact, msgspec.ValidationError."""
        mail, hold, booking = row["mail"], row["hold"], row["booking"]
        if row["contact"] is None or hold is None:
            raise UnusableContact("there is none any more")
        data: dict[str, object] = msgspec.json.decode(mail["data"] or "{}", type=dict[str, object])
        lines: Sequence[BookedLine]
        if booking is not None:
            of = booking_of(hold, booking)
            reference, lines, amount = of.code, of.lines, of.amount
            partly = of.state is BookingState.CONFIRMED
        else:
            placed = hold_of(hold)
            reference, amount, partly = placed.id, placed.amount, False
            lines = [booked(line, 0) for line in placed.lines]
        linked = self._tickets if mail["kind"] in LINKED else None
        confirmed = self._tickets if mail["kind"] in _WITH_TICKETS else None
        booking_id = ids.show(ids.BOOKING, mail["hold_id"])
        contact = msgspec.json.decode(row["contact"], type=MailContact)
        home = next(
            (things[line.resource_id] for line in lines if line.resource_id in things), None
        )
        workspace = None if home is None else home.workspace
        part = await self._parts.of(workspace, mail["kind"], contact.locale)
        return MailData(
            mail_id=mail["mail_id"],
            kind=mail["kind"],
            at=mail["at"],
            contact=contact,
            reference=reference,
            lines=lines,
            things=things,
            amount=amount,
            moved=_moved(data, row["refunding"], amount.currency),
            late=str(data["late"]) if "late" in data else None,
            partly=partly,
            exchanged=not partly and booking is not None and booking["reason"] == _EXCHANGED,
            link=None if linked is None else await linked.link(booking_id),
            refunds=None
            if confirmed is None
            else await confirmed.refunds(booking_id, contact.locale),
            enclosures=()
            if confirmed is None
            else await confirmed.files(booking_id, contact.locale),
            letterhead=part.letterhead,
            text=text_in(mailings[mail["occasion"]], locales.language_for(contact.locale))
            if _is_mailing(row)
            else part.text,
        )


def _is_mailing(row: Record) -> bool:
    return bool(row["mail"]["kind"] == "mailing")


def _starts_at(row: Record) -> str | None:
    """When a resource begins, else when its attributes say so."""
    if row["starts_at"] is not None:
        return str(row["starts_at"].isoformat())
    said: str | None = row["said_to_start_at"]
    return said


def _moved(data: dict[str, object], refunding: int | None, currency: str) -> Money | None:
    """How much was paid or is given back."""
    if refunding is not None:
        return Money(refunding, currency)
    amount, of = data.get("amount"), data.get("currency")
    if isinstance(amount, int) and isinstance(of, str):
        return Money(amount, of)
    return None
