"""The invoices of bookings, for one process: issued on demand, each once, and read as they were
issued. What may be issued, and its number, is decided by one function of the database.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.errors import BookingNotFound, InvalidCursor
from bespeak.inventory import resources
from bespeak.inventory.resources import ReadyResource
from bespeak.invoices.billing import BillingDetails
from bespeak.invoices.composing import compose_credit_note, compose_invoice
from bespeak.invoices.content import InvoiceContent, seller_of
from bespeak.invoices.errors import BookingNotPaid, InvoiceIssued, InvoiceNotFound
from bespeak.invoices.invoice import Invoice, InvoicePage, invoice_of
from bespeak.merchants.merchants import Merchant, read_merchant
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.reservations.holds import Booking, booking_of

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.invoices", "invoices.sql")
_LISTS = load("bespeak.invoices", "invoice_lists.sql")
_CURSOR = re.compile(r"([0-9a-f]{1,14})-([0-9a-f]{32})")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOWHERE = UUID(int=0)
ISSUED_MAX = 100
"""For how many bookings one call issues what is outstanding."""


class Invoices:
    """Issues and reads invoices. Where a method takes `owner`, naming one asserts that the booking
    is theirs (else NotOwner); those about a booking raise BookingNotFound and InvalidId."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._database = engine.database
        # One document at a time, as with tickets.
        self._typesetting = asyncio.Semaphore(1)

    async def issue(self, booking_id: str, *, owner: str | None = None) -> list[Invoice]:
        """Issues what there is to be issued of a booking: the invoice of its payment, and a credit
        note for each refund that was made. Repeated, it answers the same. Raises BookingNotPaid."""
        number = ids.parse(ids.BOOKING, booking_id)
        async with self._database.borrow() as connection:
            await self._engine.get_booking(booking_id, owner=owner, connection=connection)
            await self._issue(connection, number)
            return await _of_booking(connection, number)

    async def of_booking(self, booking_id: str, *, owner: str | None = None) -> list[Invoice]:
        """What was issued of a booking, in the order of the numbers."""
        async with self._database.borrow() as connection:
            await self._engine.get_booking(booking_id, owner=owner, connection=connection)
            return await _of_booking(connection, ids.parse(ids.BOOKING, booking_id))

    async def get(self, invoice_id: str, *, booking_id: str | None = None) -> Invoice:
        """One document; of this booking, if it is named. Raises InvoiceNotFound, InvalidId."""
        number = ids.parse(ids.INVOICE, invoice_id)
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["get"], number)
        found = None if row is None else invoice_of(row)
        if found is None or booking_id not in (None, found.booking_id):
            raise InvoiceNotFound
        return found

    async def pdf(
        self,
        invoice_id: str,
        *,
        booking_id: str | None = None,
        owner: str | None = None,
        language: str | None = None,
    ) -> tuple[str, bytes]:
        """The number of a document, and its PDF. Raises InvoiceNotFound, InvalidId; with a booking
        also what reading that raises."""
        if booking_id is not None:
            await self._engine.get_booking(booking_id, owner=owner)
        found = await self.get(invoice_id, booking_id=booking_id)
        corrected = None
        if found.corrects is not None:
            corrected = (await self.get(found.corrects)).number
        # The typesetter and its fonts are loaded by those processes that need them.
        from bespeak.invoices.documents import write_invoice  # noqa: PLC0415

        async with self._typesetting:
            body = await asyncio.to_thread(write_invoice, found, corrected, language)
        return found.number, body

    async def billing(self, booking_id: str, *, owner: str | None = None) -> BillingDetails:
        """What a buyer wants to stand on the invoice of a booking."""
        number = ids.parse(ids.BOOKING, booking_id)
        async with self._database.borrow() as connection:
            await self._engine.get_booking(booking_id, owner=owner, connection=connection)
            found = await connection.fetchval(_QUERIES["billing"], ids.home_of(number), number)
        if found is None:
            return BillingDetails()
        return msgspec.json.decode(json_text(found), type=BillingDetails)

    async def keep_billing(
        self, booking_id: str, details: BillingDetails, *, owner: str | None = None
    ) -> None:
        """Keeps what is to stand on the invoice. What stands there already may be said again.
        Raises InvoiceIssued."""
        number = ids.parse(ids.BOOKING, booking_id)
        if await self.billing(booking_id, owner=owner) == details:
            return
        text = msgspec.json.encode(details).decode()
        async with self._database.borrow() as connection:
            match await connection.fetchval(
                _QUERIES["keep_billing"], ids.home_of(number), number, text
            ):
                case "not_found":
                    raise BookingNotFound
                case "issued":
                    raise InvoiceIssued

    async def page(
        self,
        since: datetime,
        until: datetime,
        *,
        workspace: str | None,
        after: str | None,
        limit: int,
    ) -> InvoicePage:
        """A page of what was issued in a time, of a workspace or of all. Raises InvalidCursor."""
        place = _place_of(after)
        async with self._database.borrow() as connection:
            rows = await connection.fetch(
                _LISTS["issued"], since, until, *place, workspace, limit + 1
            )
        items = [invoice_of(row) for row in rows[:limit]]
        return InvoicePage(items, _cursor(rows[limit - 1]) if len(rows) > limit else None)

    async def issue_outstanding(
        self, since: datetime, until: datetime, *, workspace: str | None
    ) -> tuple[int, bool]:
        """Issues what is outstanding of a time, in the order of the payments: for how many
        bookings, and whether that was all. Each is a transaction of its own: whoever dies in
        between has issued those before, and a repeat goes on."""
        async with self._database.borrow() as connection:
            rows = await connection.fetch(
                _LISTS["outstanding"], since, until, workspace, ISSUED_MAX + 1
            )
            done = 0
            for row in rows[:ISSUED_MAX]:
                try:
                    await self._issue(connection, row["booking_id"])
                except BookingNotPaid:
                    continue  # its money went back as a whole since
                done += 1
        return done, len(rows) <= ISSUED_MAX

    async def _issue(self, connection: Connection, number: UUID) -> None:
        home = ids.home_of(number)
        row = await connection.fetchrow(_QUERIES["to_issue"], home, number)
        if row is None:
            raise BookingNotFound
        if row["payment"] is None:
            raise BookingNotPaid
        merchant = await read_merchant(connection, row["workspace"])
        booking = booking_of(row["hold"], row["booking"])
        ready = await _ready(connection, booking)
        content = compose_invoice(row, booking, ready, seller_of(merchant.profile))
        amount: int = row["payment"]["captured"]
        outcome = await self._write(connection, row, merchant, None, amount, content)
        if outcome is None:
            raise BookingNotPaid
        payment = row["payment"]["payment_id"]
        before = 0
        for refund in await connection.fetch(_QUERIES["refunds_done"], home, payment):
            note = compose_credit_note(
                outcome.content, amount, before, refund["amount"], refund["cause"]
            )
            before += refund["amount"]
            await self._write(
                connection, row, merchant, refund["refund_id"], refund["amount"], note
            )

    async def _write(
        self,
        connection: Connection,
        row: Record,
        merchant: Merchant,
        refund: UUID | None,
        amount: int,
        content: InvoiceContent,
    ) -> Invoice | None:
        """The document, issued now or before; None where there is nothing that it would be of."""
        payment, booking = row["payment"], row["booking"]
        written = await connection.fetchrow(
            _QUERIES["issue"],
            booking["resource_id"],
            booking["booking_id"],
            payment["payment_id"],
            refund,
            row["workspace"],
            merchant.profile.invoice_prefix,
            merchant.profile.time_zone or "UTC",
            amount,
            payment["captured_currency"],
            msgspec.json.encode(content).decode(),
            self._engine.settings.keep_invoice_years,
        )
        if written is None or written["outcome"] not in ("issued", "replayed"):
            return None
        return invoice_of(written)


async def _of_booking(connection: Connection, number: UUID) -> list[Invoice]:
    rows = await connection.fetch(_QUERIES["of_booking"], ids.home_of(number), number)
    return [invoice_of(row) for row in rows]


async def _ready(connection: Connection, booking: Booking) -> Mapping[str, ReadyResource]:
    numbers = {ids.parse_resource(line.resource_id) for line in booking.lines}
    found = await resources.get_many(connection, sorted(numbers))
    return {each.id: resources.ready_resource(each) for each in found}


def _cursor(row: Record) -> str:
    found = row["invoice"]
    micros = (found["issued_at"] - _EPOCH) // timedelta(microseconds=1)
    return f"{micros:x}-{found['invoice_id'].hex}"


def _place_of(after: str | None) -> tuple[datetime, UUID]:
    if after is None:
        return _EPOCH, _NOWHERE
    match = _CURSOR.fullmatch(after)
    try:
        if match is not None:
            return _EPOCH + timedelta(microseconds=int(match[1], 16)), UUID(match[2])
    except OverflowError:
        pass
    raise InvalidCursor(after=after[:60])
