"""The client without asyncio, for any thread. Written by `scripts/sync-client` from
`async_client.py`; change that one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from msgspec import structs

from bespeak.client.answers import BatchOutcomes, paid
from bespeak.client.requests import (
    MintedToken,
    ask,
    given,
    of_resource,
    part,
    read,
    wanted_body,
    write,
)
from bespeak.client.sync_blocks import SyncBlocks
from bespeak.errors import Unavailable
from bespeak.feed.feed_snapshot import FeedSnapshotPage
from bespeak.feed.reader import Event, EventPage
from bespeak.inventory.audit import Audit
from bespeak.inventory.plans import Availability, AvailabilityQuery
from bespeak.inventory.resources import NewResource, Resource, ResourceChange, ResourcePage
from bespeak.inventory.shapes import registry
from bespeak.lines import Line
from bespeak.payments.payment import Paid
from bespeak.payments.refunds.call_off import CalledOff
from bespeak.payments.refunds.owed import RefundQuote
from bespeak.pricing.quotes import Quote
from bespeak.reservations.contact import Contact
from bespeak.reservations.hold_batches import HoldOutcome, WantedHold
from bespeak.reservations.holds import Booking, Hold
from bespeak.reservations.live_holds import HoldPage
from bespeak.reservations.move_requests import Move

Answer = TypeVar("Answer")

_FOLLOW_PAUSE_SECONDS = 0.2
_FOLLOW_PAUSE_SECONDS_MAX = 2.0
_PAGE = 500


class SyncClient(SyncBlocks):
    """A server at `url`, with one of its keys; a `pk_` key wants the token of a shopper too. Use it
    from many threads, and close it (`with`).

    What the server cannot answer now is asked for again, for `timeout` seconds in all. What changes
    something goes under an idempotency key, by default one of the client's own, so that it is done
    once. Verbs raise what those of the library raise, and ServerUnreachable.
    A verb that is given an `owner` asserts that the hold or booking is theirs (else NotOwner).
    """

    def place_hold(
        self,
        *,
        lines: Sequence[Line],
        owner: str | None = None,
        hold_seconds: int | None = None,
        partial: bool = False,
        alternatives: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Hold:
        """Places a hold on all the lines, or on none. A shopper's token says who the owner is."""
        body = given(
            lines=list(lines),
            owner=owner,
            hold_seconds=hold_seconds,
            partial="best" if partial else None,
            alternatives=alternatives,
        )
        return self._send(write("POST", "/v1/holds", Hold, body, key=idempotency_key), timeout)

    def place_holds(
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
        items = (self._send(asked, timeout)).items
        for item in items:
            self._hold_ends.note(item.hold)
        return [item.outcome() for item in items]

    def quote(self, lines: Sequence[Line], *, timeout: float | None = None) -> Quote:
        """What a hold of these lines would cost now."""
        return self._send(ask("/v1/quotes", Quote, {"lines": list(lines)}), timeout)

    def confirm_hold(
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
        return self._send(asked, timeout)

    def pay(
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
        return self._send(replace(asked, decode=paid), timeout)

    def extend_hold(
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
        return self._send(asked, timeout)

    def release_hold(
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
        return self._send(asked, timeout)

    def get_hold(
        self, hold_id: str, *, owner: str | None = None, timeout: float | None = None
    ) -> Hold:
        """Reads a hold."""
        path = f"/v1/holds/{part(hold_id, 'hold_id')}"
        return self._send(read(path, Hold, owner=owner), timeout)

    def list_holds(
        self, *, owner: str | None = None, limit: int = 100, timeout: float | None = None
    ) -> HoldPage:
        """The first so many of an owner's holds that are still good, or of all, or, with a token,
        of the shopper's own; those that end first at the front."""
        asked = read("/v1/holds", HoldPage, owner_=owner, limit=limit)
        return self._send(asked, timeout)

    def get_booking(
        self, booking_id: str, *, owner: str | None = None, timeout: float | None = None
    ) -> Booking:
        """Reads a booking."""
        path = f"/v1/bookings/{part(booking_id, 'booking_id')}"
        return self._send(read(path, Booking, owner=owner), timeout)

    def cancel_booking(
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
        return self._send(asked, timeout)

    def move_booking(
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
        return self._send(write("POST", path, Booking, body, key=idempotency_key), timeout)

    def refund_quote(
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
        return self._send(ask(path, RefundQuote, body, owner=owner), timeout)

    def create_resource(
        self,
        new: NewResource,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Resource:
        """Creates a resource with its plan."""
        asked = write("POST", "/v1/resources", Resource, new, key=idempotency_key)
        return self._send(asked, timeout)

    def get_resource(self, resource_id: str, *, timeout: float | None = None) -> Resource:
        """Reads a resource."""
        return self._send(read(of_resource(resource_id), Resource), timeout)

    def update_resource(
        self, resource_id: str, change: ResourceChange, *, timeout: float | None = None
    ) -> Resource:
        """Changes fields of a resource. It has no key: after ServerUnreachable, read it."""
        asked = write("PATCH", of_resource(resource_id), Resource, change)
        return self._send(replace(asked, key=None), timeout)

    def list_resources(
        self,
        *,
        after: str | None = None,
        limit: int = 100,
        kind: str | None = None,
        timeout: float | None = None,
    ) -> ResourcePage:
        """A page of resources."""
        asked = read("/v1/resources", ResourcePage, after=after, limit=limit, kind=kind)
        return self._send(asked, timeout)

    def each_resource(self, *, kind: str | None = None) -> Iterator[Resource]:
        """All resources, page by page."""
        after = None
        while True:
            page = self.list_resources(after=after, limit=_PAGE, kind=kind)
            for resource in page.items:
                yield resource
            after = page.next
            if after is None:
                return

    def availability(
        self,
        resource_id: str,
        query: AvailabilityQuery | None = None,
        *,
        timeout: float | None = None,
    ) -> Availability:
        """What of a resource is taken; its class is that of the resource's plan."""
        asked = structs.asdict(query) if query is not None else {}
        path = f"{of_resource(resource_id)}/availability"
        shape: type[Availability] = registry.AnyAvailability
        return self._send(read(path, shape, **asked), timeout)

    def call_off(
        self,
        resource_id: str,
        *,
        reason: str,
        refund: Literal["full", "policy"] = "full",
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> CalledOff:
        """Closes a resource and has all its bookings cancelled, in the background."""
        path, body = f"{of_resource(resource_id)}/cancellation", given(reason=reason, refund=refund)
        return self._send(write("POST", path, CalledOff, body, key=idempotency_key), timeout)

    def cancellation(self, resource_id: str, *, timeout: float | None = None) -> CalledOff:
        """How far the calling off of a resource has come."""
        return self._send(read(f"{of_resource(resource_id)}/cancellation", CalledOff), timeout)

    def audit(self, resource_id: str, *, timeout: float | None = None) -> Audit:
        """Recounts a resource from its holds and bookings."""
        return self._send(read(f"{of_resource(resource_id)}/audit", Audit), timeout)

    def events(
        self,
        *,
        after: str | None = None,
        limit: int = 100,
        resource_id: str | None = None,
        timeout: float | None = None,
    ) -> EventPage:
        """A page of the feed after a cursor."""
        asked = read("/v1/events", EventPage, after=after, limit=limit, resource_id=resource_id)
        return self._send(asked, timeout)

    def events_snapshot(
        self, *, after: str | None = None, limit: int = 100, timeout: float | None = None
    ) -> FeedSnapshotPage:
        """A page of what stands, and the cursor to follow the feed from."""
        asked = read("/v1/events/snapshot", FeedSnapshotPage, after=after, limit=limit)
        return self._send(asked, timeout)

    def follow(
        self, *, after: str | None = None, resource_id: str | None = None
    ) -> Iterator[Event]:
        """The events of the feed after a cursor, and then each as it comes, without an end, through
        any absence of the server. Keep the `cursor` of what you have done, and begin there again.
        Raises CursorExpired, CursorOfAnotherLife, InvalidCursor."""
        pause = _FOLLOW_PAUSE_SECONDS
        while True:
            try:
                page = self.events(after=after, limit=_PAGE, resource_id=resource_id)
            except Unavailable:
                continue  # it was tried for as long as a verb may take
            for event in page.items:
                yield event
            after = page.next
            longer = min(_FOLLOW_PAUSE_SECONDS_MAX, pause * 1.5)
            pause = _FOLLOW_PAUSE_SECONDS if page.items else longer
            if len(page.items) < _PAGE:
                time.sleep(pause)

    def mint_token(
        self, owner: str, *, expires_in_seconds: int | None = None, timeout: float | None = None
    ) -> MintedToken:
        """A token with which a browser may hold for this owner."""
        body = given(owner=owner, expires_in_seconds=expires_in_seconds)
        return self._send(ask("/v1/shopper-tokens", MintedToken, body), timeout)
