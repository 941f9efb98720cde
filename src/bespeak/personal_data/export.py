"""The export of an owner: all that is known of it, as pages of one document, its bookings first and
then the holds that became none.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

import msgspec
from msgspec import structs

from bespeak.errors import InvalidCursor
from bespeak.feed.timeline import TimelineEntry, read_timeline
from bespeak.invoices.billing import BillingDetails
from bespeak.invoices.invoice import Invoice, invoice_of
from bespeak.payments.payment import Payment, payment_of
from bespeak.payments.refunds.record import Refund, refund_of
from bespeak.postgres.queries import load
from bespeak.reservations.checkout_answers import CheckoutAnswer, answers_of
from bespeak.reservations.contact import Contact
from bespeak.reservations.holds import Booking, Hold, booking_of, hold_of
from bespeak.reservations.request import OWNER_LENGTH_MAX, check_text
from bespeak.verticals.vertical import OwnerRecords

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.personal_data", "export.sql")
EXPORTED_MAX = 200
_ROWS = 20_000
CURSOR = "b-([0-9a-f]{1,14})-([0-9a-f]{32})|h-([0-9a-f]{1,10})-([0-9a-f]{32})"
_CURSOR = re.compile(CURSOR)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CONTACT: msgspec.json.Decoder[Contact] = msgspec.json.Decoder(Contact)


class PersonalPayment(msgspec.Struct, frozen=True):
    """A payment, with whom its news went to and where the buyer came back to. Its `action_url` is
    null: whoever gets the file could go on there, while the buyer is still asked."""

    payment: Payment
    contact: Contact | None
    return_url: str | None


class PersonalMail(msgspec.Struct, frozen=True):
    """A mail about a hold or booking: of which kind, about what was then, and what became of it.
    It went to the contact; its text is made when it is sent, and not kept."""

    id: str
    kind: str
    state: str
    at: datetime
    ended_at: datetime | None


class UsedTicket(msgspec.Struct, frozen=True):
    """A ticket that was used: which of its booking's, for what, where and when."""

    ticket: int
    unit: str | None
    gate: str | None
    checked_in_at: datetime


class AcceptedTerms(msgspec.Struct, frozen=True):
    """That terms were accepted: the digest of their wording, and when."""

    terms: str
    consented_at: datetime


class PersonalRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A hold of an owner with all that hangs on it."""

    hold: Hold
    booking: Booking | None
    contact: Contact | None
    payments: list[PersonalPayment]
    refunds: list[Refund]
    billing: BillingDetails | None
    invoices: list[Invoice]
    mails: list[PersonalMail]
    check_ins: list[UsedTicket]
    consents: list[AcceptedTerms]
    answers: list[CheckoutAnswer]
    timeline: list[TimelineEntry]


class PersonalData(msgspec.Struct, frozen=True, kw_only=True):
    """A page of what is known of an owner. `records` are what verticals keep, on the first page. A
    page may be empty though there is a `next`: go on until that is null."""

    owner: str
    items: list[PersonalRecord]
    records: dict[str, msgspec.Raw]
    next: str | None


class _Key(NamedTuple):
    home: int
    hold: UUID


class OwnerExport:
    """Reads what is known of owners. `records` are what verticals keep of them, by their names."""

    def __init__(
        self,
        database: Database,
        records: Mapping[str, OwnerRecords] | None = None,
        *,
        rows: int = _ROWS,
    ) -> None:
        self._database = database
        self._records = records or {}
        self._rows = rows

    async def page(self, owner: str, after: str | None = None, limit: int = 50) -> PersonalData:
        """A page of what is known. Raises InvalidRequest, InvalidCursor."""
        check_text(owner, "owner", OWNER_LENGTH_MAX)
        of_verticals: dict[str, msgspec.Raw] = {}
        async with (
            self._database.borrow() as connection,
            # All of a page is of one instant.
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            keys, following = await self._keys(connection, owner, after, limit)
            items = await _records(connection, owner, keys)
            if after is None:
                for name, kept in self._records.items():
                    kept_of = await kept.export(connection, owner)
                    of_verticals[name] = msgspec.Raw(msgspec.json.encode(kept_of))
        return PersonalData(owner=owner, items=items, records=of_verticals, next=following)

    async def pages(self, owner: str, limit: int) -> AsyncIterator[PersonalData]:
        """All pages of what is known. Raises InvalidRequest."""
        page = await self.page(owner, None, limit)
        yield page
        while page.next is not None:
            page = await self.page(owner, page.next, limit)
            yield page

    async def _keys(
        self, connection: Connection, owner: str, after: str | None, limit: int
    ) -> tuple[list[_Key], str | None]:
        match = _CURSOR.fullmatch(after or f"b-0-{UUID(int=0).hex}")
        if match is None:
            raise InvalidCursor(after=(after or "")[:60])
        if match[1] is not None:
            since = _EPOCH + timedelta(microseconds=int(match[1], 16))
            rows = await connection.fetch(
                _QUERIES["bookings_after"], owner, since, UUID(match[2]), limit
            )
            keys = [_Key(row["resource_id"], row["hold_id"]) for row in rows]
            if len(rows) < limit:
                return keys, f"h-0-{UUID(int=0).hex}"
            micros = (rows[-1]["confirmed_at"] - _EPOCH) // timedelta(microseconds=1)
            return keys, f"b-{micros:x}-{keys[-1].hold.hex}"
        rows = await connection.fetch(
            _QUERIES["rest_after"], owner, int(match[3], 16), UUID(match[4]), self._rows, limit
        )
        keys = [_Key(row["resource_id"], row["hold_id"]) for row in rows[:-1]]
        reached = rows[-1]["hold_id"]
        return keys, reached and f"h-{rows[-1]['resource_id']:x}-{reached.hex}"


async def document(pages: AsyncIterator[PersonalData]) -> AsyncIterator[bytes]:
    """The pages as one JSON document, in parts: an owner may have more than fits into memory."""
    is_first, has_items = True, False
    async for page in pages:
        if is_first:
            owner, records = msgspec.json.encode(page.owner), msgspec.json.encode(page.records)
            yield b'{"owner":' + owner + b',"records":' + records + b',"items":['
            is_first = False
        for item in page.items:
            yield (b",\n" if has_items else b"\n") + msgspec.json.encode(item)
            has_items = True
    yield b"]}\n"


async def _records(
    connection: Connection, owner: str, keys: Sequence[_Key]
) -> list[PersonalRecord]:
    homes, holds = [key.home for key in keys], [key.hold for key in keys]
    rows = await connection.fetch(_QUERIES["holds"], homes, holds, owner)
    payments = _by_hold(await connection.fetch(_QUERIES["payments"], holds))
    refunds = _by_hold(await connection.fetch(_QUERIES["refunds"], holds))
    billing = _by_hold(await connection.fetch(_QUERIES["billing"], homes, holds))
    invoices = _by_hold(await connection.fetch(_QUERIES["invoices"], holds))
    mails = _by_hold(await connection.fetch(_QUERIES["mails"], holds))
    check_ins = _by_hold(await connection.fetch(_QUERIES["check_ins"], homes, holds))
    answers = await answers_of(connection, holds)
    consents = _by_hold(await connection.fetch(_QUERIES["consents"], holds))
    found: list[PersonalRecord] = []
    for row in rows:
        number = row["hold"]["hold_id"]
        hold = hold_of(row["hold"], now=row["answered_at"])
        booking = None if row["booking"] is None else booking_of(row["hold"], row["booking"])
        paid = payments.get(number, [])
        found.append(
            PersonalRecord(
                hold=hold,
                booking=booking,
                contact=None if row["booking"] is None else _contact(row["booking"]),
                payments=[_payment(one) for one in paid],
                refunds=[refund_of(one["refund"]) for one in refunds.get(number, [])],
                billing=_billing(billing.get(number, [])),
                invoices=[invoice_of(one) for one in invoices.get(number, [])],
                mails=[_mail(one) for one in mails.get(number, [])],
                check_ins=[_used(one) for one in check_ins.get(number, [])],
                consents=[
                    AcceptedTerms(one["terms"], one["consented_at"])
                    for one in consents.get(number, [])
                ],
                answers=answers[number].answers if number in answers else [],
                timeline=(await read_timeline(connection, hold.id, None)).items,
            )
        )
    return found


def _by_hold(rows: Sequence[Record]) -> dict[UUID, list[Record]]:
    found: dict[UUID, list[Record]] = {}
    for row in rows:
        found.setdefault(row["hold_id"], []).append(row)
    return found


def _payment(row: Record) -> PersonalPayment:
    payment = structs.replace(payment_of(row["payment"]), action_url=None)
    return PersonalPayment(payment, _contact(row), row["return_url"])


def _contact(row: Record) -> Contact | None:
    return None if row["contact"] is None else _CONTACT.decode(row["contact"])


def _billing(rows: Sequence[Record]) -> BillingDetails | None:
    return None if not rows else msgspec.json.decode(rows[0]["details"], type=BillingDetails)


def _mail(row: Record) -> PersonalMail:
    return PersonalMail(row["id"], row["kind"], row["state"], row["at"], row["ended_at"])


def _used(row: Record) -> UsedTicket:
    return UsedTicket(row["ticket"], row["unit"], row["gate"], row["checked_in_at"])
