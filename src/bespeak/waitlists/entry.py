"""Entries of waitlists and what was offered to them, as callers see them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.money import Money
from bespeak.postgres.json_text import json_text
from bespeak.reservations.contact import Contact
from bespeak.waitlists.wish import WaitlistWish, decode_wish

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

EntryState: TypeAlias = Literal["waiting", "offered", "accepted", "withdrawn", "over"]
OverReason: TypeAlias = Literal["declined", "lapsed", "until", "list_ended", "removed"]
OfferState: TypeAlias = Literal["standing", "accepted", "declined", "lapsed", "withdrawn"]
OFFERS_MAX = 10
NOTE_LENGTH_MAX = 300
BookingId: TypeAlias = Annotated[str, Meta(max_length=60)]
_CONTACT: msgspec.json.Decoder[Contact] = msgspec.json.Decoder(Contact)


class NewWaitlistEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What it takes to wait: the wish, to whom news goes, until when (null: as long as the list
    goes on). Who declines an offer or lets it lapse waits on at the same place, until there were
    `offers_max` offers. `instead_of_booking` is a booking of the owner's that is given back for
    what is offered, once that is booked."""

    wish: WaitlistWish
    contact: Contact | None = None
    until: datetime | None = None
    offers_max: Annotated[int, Meta(ge=1, le=OFFERS_MAX)] = 1
    instead_of_booking: BookingId | None = None


class WaitlistOffer(msgspec.Struct, frozen=True, kw_only=True):
    """What is or was offered: a hold, which is the owner's until `ends_at`, and what it costs. Who
    takes it up goes on to the checkout with that hold."""

    number: int
    state: OfferState
    hold_id: str
    amount: Money
    offered_at: datetime
    ends_at: datetime
    taken_up_at: datetime | None


class WaitlistEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A party on a waitlist. `place` is its number; `ahead` how many wait before it, where the
    list has an order that is known. It is `accepted` once the hold of its offer is a booking, and
    `over` for a reason; an operator who removed it left a `note`. `offer` is the last that it
    had. What confirms it cancels `instead_of_booking`, if it names one."""

    id: str
    waitlist_id: str
    owner: str
    contact: Contact | None
    wish: WaitlistWish
    state: EntryState
    reason: OverReason | None
    note: str | None = None
    place: int
    ahead: int | None
    offers_max: int
    offer: WaitlistOffer | None
    until: datetime | None
    created_at: datetime
    ended_at: datetime | None
    instead_of_booking: str | None = None
    replayed: bool = False


class WaitlistEntryPage(msgspec.Struct, frozen=True):
    """A page of entries; `next` is the cursor of the one after, null at the end."""

    items: list[WaitlistEntry]
    next: str | None


def entry_of(row: Record, *, replayed: bool = False) -> WaitlistEntry:
    """An entry from its row, with its last offer."""
    return WaitlistEntry(
        id=ids.show(ids.WAITLIST_ENTRY, row["entry_id"]),
        waitlist_id=ids.show(ids.WAITLIST, row["waitlist_id"]),
        owner=row["owner"],
        contact=None if row["contact"] is None else _CONTACT.decode(json_text(row["contact"])),
        wish=decode_wish(json_text(row["wish"])),
        state=row["state"],
        reason=row["reason"],
        note=row["note"],
        place=row["place"],
        ahead=row["ahead"],
        offers_max=row["offers_max"],
        offer=_offer_of(row),
        until=row["until"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
        instead_of_booking=_booking_of(row),
        replayed=replayed,
    )


def _booking_of(row: Record) -> str | None:
    booking = row["instead_of"]
    return None if booking is None else ids.show(ids.BOOKING, booking)


def _offer_of(row: Record) -> WaitlistOffer | None:
    if row["hold_id"] is None or row["amount"] is None:
        return None
    standing = row["offer_state"] == "standing"
    return WaitlistOffer(
        number=row["number"],
        state=row["offer_state"],
        hold_id=ids.show(ids.HOLD, row["hold_id"]),
        amount=Money(row["amount"], row["currency"]),
        offered_at=row["offered_at"],
        ends_at=row["expires_at"] if standing else row["ends_at"],
        taken_up_at=row["taken_up_at"],
    )
