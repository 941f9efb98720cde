"""The verbs of the client for holds and for the bookings that come of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from bespeak.client.answers import BatchOutcomes, paid
from bespeak.client.async_transport import AsyncTransport
from bespeak.client.requests import ask, given, part, read, wanted_body, write
from bespeak.lines import Line
from bespeak.payments.payment import Paid
from bespeak.payments.refunds.owed import RefundQuote
from bespeak.pricing.quotes import Quote
from bespeak.reservations.contact import Contact
from bespeak.reservations.hold_batches import HoldOutcome, WantedHold
from bespeak.reservations.holds import Booking, Hold, HoldBooking
from bespeak.reservations.live_holds import HoldPage
from bespeak.reservations.move_requests import Move


class AsyncHolds(AsyncTransport):
    """Holds and bookings of a server."""

    async def place_hold(
        self,
        *,
        lines: Sequence[Line],
        owner: str | None = None,
        hold_seconds: int | None = None,
        partial: bool = False,
        alternatives: int | None = None,
        instead_of_booking: str | None = None,
        waiting_pass: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Hold:
        """Places a hold on all the lines, or on none. A shopper's token says who the owner is, and
        the pass of a waiting room that the shopper was let in. `instead_of_booking` is a stay of
        the owner's that is changed: what confirms the hold cancels it, with all of its money."""
        body = given(
            lines=list(lines),
            owner=owner,
            hold_seconds=hold_seconds,
            partial="best" if partial else None,
            alternatives=alternatives,
            instead_of_booking=instead_of_booking,
        )
        asked = write(
            "POST", "/v1/holds", Hold, body, key=idempotency_key, waiting_pass=waiting_pass
        )
        return await self._send(asked, timeout)

    async def place_holds(
        self,
        wanted: Sequence[WantedHold],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> list[HoldOutcome]:
        """Places up to 500 holds, none of which hangs on another: a list in their order, of holds
        and of the errors that `place_hold` would have raised. What has no key of its own goes under
        that of the call, with its place."""
        body = {"holds": [wanted_body(one) for one in wanted]}
        asked = write("POST", "/v1/holds/batch", BatchOutcomes, body, key=idempotency_key)
        items = (await self._send(asked, timeout)).items
        for item in items:
            self._hold_ends.note(item.hold)
        return [item.outcome() for item in items]

    async def quote(
        self,
        lines: Sequence[Line],
        *,
        waiting_pass: str | None = None,
        timeout: float | None = None,
    ) -> Quote:
        """What a hold of these lines would cost now."""
        body = {"lines": list(lines)}
        asked = ask("/v1/quotes", Quote, body, waiting_pass=waiting_pass)
        return await self._send(asked, timeout)

    async def confirm_hold(
        self,
        hold_id: str,
        *,
        owner: str | None = None,
        contact: Contact | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Booking:
        """Makes a booking of a hold that costs nothing, or was paid."""
        body = given(hold_id=hold_id, contact=contact)
        asked = write(
            "POST", "/v1/bookings", Booking, body, owner=owner, key=idempotency_key, hold_id=hold_id
        )
        return await self._send(asked, timeout)

    async def pay(
        self,
        hold_id: str,
        *,
        token: str,
        owner: str | None = None,
        provider: str | None = None,
        return_url: str | None = None,
        contact: Contact | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Paid:
        """Pays for a hold with what `token` stands for, and books it, as `engine.payments.pay`.
        Without a booking in the answer the payment is under way."""
        body = given(
            hold_id=hold_id,
            payment_token=token,
            provider=provider,
            return_url=return_url,
            contact=contact,
        )
        asked = write(
            "POST", "/v1/bookings", Paid, body, owner=owner, key=idempotency_key, hold_id=hold_id
        )
        return await self._send(replace(asked, decode=paid), timeout)

    async def extend_hold(
        self,
        hold_id: str,
        *,
        seconds: int,
        owner: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Hold:
        """Lets a hold last so many seconds from now, within its cap."""
        asked = write(
            "POST",
            f"/v1/holds/{part(hold_id, 'hold_id')}/extend",
            Hold,
            {"seconds": seconds},
            owner=owner,
            key=idempotency_key,
            hold_id=hold_id,
        )
        return await self._send(asked, timeout)

    async def release_hold(
        self,
        hold_id: str,
        *,
        owner: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Hold:
        """Lets a hold go; its units are free at once."""
        path = f"/v1/holds/{part(hold_id, 'hold_id')}"
        asked = write("DELETE", path, Hold, owner=owner, key=idempotency_key)
        return await self._send(asked, timeout)

    async def get_hold(
        self, hold_id: str, *, owner: str | None = None, timeout: float | None = None
    ) -> Hold:
        """Reads a hold."""
        path = f"/v1/holds/{part(hold_id, 'hold_id')}"
        return await self._send(read(path, Hold, owner=owner), timeout)

    async def booking_of_hold(
        self, hold_id: str, *, owner: str | None = None, timeout: float | None = None
    ) -> HoldBooking:
        """What a hold was booked as, also where its payment came late."""
        path = f"/v1/holds/{part(hold_id, 'hold_id')}/booking"
        return await self._send(read(path, HoldBooking, owner=owner), timeout)

    async def list_holds(
        self, *, owner: str | None = None, limit: int = 100, timeout: float | None = None
    ) -> HoldPage:
        """The first so many of an owner's holds that are still good, or of all, or, with a token,
        of the shopper's own; those that end first at the front."""
        asked = read("/v1/holds", HoldPage, owner_=owner, limit=limit)
        return await self._send(asked, timeout)

    async def get_booking(
        self, booking_id: str, *, owner: str | None = None, timeout: float | None = None
    ) -> Booking:
        """Reads a booking."""
        path = f"/v1/bookings/{part(booking_id, 'booking_id')}"
        return await self._send(read(path, Booking, owner=owner), timeout)

    async def cancel_booking(
        self,
        booking_id: str,
        *,
        reason: str,
        lines: Sequence[Line] | None = None,
        refund: Literal["policy", "full", "none"] = "policy",
        owner: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Booking:
        """Gives a booking back, or some lines of it; what is due of the money is on its way."""
        path = f"/v1/bookings/{part(booking_id, 'booking_id')}"
        body = given(reason=reason, refund=refund, lines=None if lines is None else list(lines))
        asked = write("DELETE", path, Booking, body, owner=owner, key=idempotency_key)
        return await self._send(asked, timeout)

    async def move_booking(
        self,
        booking_id: str,
        moves: Sequence[Move],
        *,
        resource_id: str | None = None,
        send_mail: bool = True,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Booking:
        """Moves what a booking has to other units of one resource, all or nothing."""
        path = f"/v1/bookings/{part(booking_id, 'booking_id')}/moves"
        body = given(moves=list(moves), resource_id=resource_id, send_mail=send_mail)
        return await self._send(write("POST", path, Booking, body, key=idempotency_key), timeout)

    async def refund_quote(
        self,
        booking_id: str,
        *,
        lines: Sequence[Line] | None = None,
        owner: str | None = None,
        timeout: float | None = None,
    ) -> RefundQuote:
        """What cancelling a booking, or some lines of it, would give back now."""
        path = f"/v1/bookings/{part(booking_id, 'booking_id')}/refund-quote"
        body = given(lines=None if lines is None else list(lines))
        return await self._send(ask(path, RefundQuote, body, owner=owner), timeout)
