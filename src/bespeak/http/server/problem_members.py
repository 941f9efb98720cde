"""What problem documents have beside the fields that all have, by the error: for the OpenAPI
document, and for the tests, which hold every problem that they meet to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import UnionType
from typing import Literal, TypeAlias, cast, get_args

import msgspec
from msgspec import UNSET, UnsetType

from bespeak import errors
from bespeak.admission import errors as admission
from bespeak.errors import BespeakError
from bespeak.feed.errors import CursorExpired, CursorOfAnotherLife
from bespeak.http.server import errors as http
from bespeak.http.server.budgets.challenge import ChallengeView
from bespeak.http.server.budgets.policy import Budget
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.operators import errors as operators
from bespeak.http.server.operators.sessions import ProvedBy
from bespeak.http.server.scopes import KeyScope
from bespeak.inventory import errors as inventory
from bespeak.inventory.readiness import Gap
from bespeak.merchants import errors as merchants
from bespeak.notifications import errors as notifications
from bespeak.payments import errors as payments
from bespeak.personal_data import errors as personal
from bespeak.refusals import Alternative, Conflict
from bespeak.reservations import errors as reservations
from bespeak.ticketing import errors as ticketing
from bespeak.waitlists import errors as waitlists

Members: TypeAlias = Mapping[str, type | UnionType]


class NamedUnit(msgspec.Struct, frozen=True):
    """A unit of a resource that a problem speaks of."""

    resource_id: str
    unit: str | None


class MissingAnswer(msgspec.Struct, frozen=True):
    """A question that has to be answered: of which resource, and for which ticket of the booking,
    null where it is asked once."""

    resource_id: str
    question: str
    ticket: int | None


class OwnerLimit(msgspec.Struct, frozen=True):
    """How much of a resource one owner may have, and how much of that is left."""

    resource_id: str
    owner_limit: int
    left: int


_LINE: Members = {"line": int | UnsetType}  # which of the request's lines it is about, from 0
_REFUSED_LINES: Members = {**_LINE, "alternatives": list[Alternative] | UnsetType}
_RESOURCE: Members = {"resource_id": str | UnsetType}
_PAYMENT: Members = {"payment_id": str | UnsetType}

# Each has those of the classes that it descends from as well.
_MEMBERS: Mapping[type[BespeakError], Members] = {
    errors.Unavailable: {"retry_after_seconds": int},
    errors.DatabaseUnavailable: {"cause": str | UnsetType},
    errors.InternalError: {"cause": str | UnsetType},
    http.RateLimited: {"limit": str},
    http.TooManyStreams: {"limit": int},
    http.SignInCodeWrong: {"tries_left": int},
    http.CalendarLinksFull: {"limit": int},
    http.BudgetSpent: {"budget": Budget, "limit": int},
    http.ChallengeRequired: {"budget": Budget, "challenge": ChallengeView},
    # The inventory says no.
    errors.UnitTaken: {"conflicts": list[Conflict], **_REFUSED_LINES},
    errors.SoldOut: {
        "conflicts": list[Conflict] | UnsetType,
        "available": int | UnsetType,
        **_RESOURCE,
        **_REFUSED_LINES,
    },
    errors.NotOnSale: {
        "reasons": list[dict[str, str | int]],
        "field": str | UnsetType,  # of the wish of a waitlist
        **_RESOURCE,
        **_REFUSED_LINES,
    },
    errors.NotTogether: {"available": int, **_RESOURCE, **_REFUSED_LINES},
    errors.OrphanSeat: {"units": list[NamedUnit], **_RESOURCE, **_REFUSED_LINES},
    errors.OwnerLimitReached: {"limits": list[OwnerLimit], **_REFUSED_LINES},
    errors.ResourceNotFound: {**_RESOURCE, **_LINE},
    errors.ResourceClosed: {**_RESOURCE, **_LINE, "closes_at": datetime | UnsetType},
    errors.ResourceNotOpen: {**_RESOURCE, **_LINE, "opens_at": datetime},
    reservations.KeptForWaitlist: {**_RESOURCE, **_LINE},
    errors.ResourceInUse: {"units": list[str]},
    # The state of things says no.
    errors.HoldNotFound: {"hold_id": str | UnsetType},
    errors.HoldExpired: {"expires_at": datetime | UnsetType},
    errors.HoldConfirmed: {"booking_id": str | UnsetType},
    errors.BookingNotFound: {"booking_id": str | UnsetType},
    inventory.ResourceNotReady: {"missing": list[Gap]},
    inventory.PaymentRuleNeeded: {"choices": list[str]},
    inventory.UnitNotMovable: {
        **_RESOURCE,
        "unit": str | UnsetType,
        "reason": str,
    },
    inventory.BlockNotFound: {"block_id": str | UnsetType},
    errors.VersionMismatch: {"version": int},
    ticketing.TicketNotFound: {"count": int},
    ticketing.AlreadyCheckedIn: {"checked_in_at": datetime, "gate": str | UnsetType},
    ticketing.WrongResource: {"admits_to": str, "unit": str | UnsetType},
    notifications.WebhookEndpointDisabled: {"disabled_because": str | UnsetType},
    notifications.WebhookEndpointsFull: {"endpoints_max": int},
    waitlists.WaitlistNotFound: {"waitlist_id": str | UnsetType, **_RESOURCE},
    waitlists.WaitlistEntryNotFound: {"entry_id": str | UnsetType},
    waitlists.WaitlistFull: {"limit": int},
    waitlists.WaitlistEntriesTooMany: {"limit": int},
    waitlists.ResourceHasWaitlist: {"resource_ids": list[str]},
    waitlists.NoOfferStands: {"state": str},
    reservations.BookingNotExchangeable: {
        "reason": str,
        "hold_id": str | UnsetType,  # of another that is in its place already
        "expires_at": datetime | UnsetType,
    },
    personal.MoneyMoving: {"payments": list[str], "refunds": list[str]},
    personal.BookingsUpcoming: {"bookings": list[str]},
    personal.ErasureNotFound: {"erasure_id": str},
    # Money.
    payments.PaymentDeclined: {**_PAYMENT, "failure": str | UnsetType},
    payments.MoneyReturned: {**_PAYMENT, "failure": str | UnsetType},
    payments.PaymentInProgress: _PAYMENT,
    payments.PaymentNotFound: _PAYMENT,
    payments.CallbackMismatch: _PAYMENT,
    payments.ProviderUnknown: {"providers": list[str]},
    payments.RefundNotFound: {"refund_id": str | UnsetType},
    payments.RefundNotFailed: {"refund_id": str | UnsetType},
    payments.RefundNotAtDesk: {"refund_id": str | UnsetType},
    payments.NotCalledOff: _RESOURCE,
    # Waiting rooms.
    admission.WaitingRoomNotFound: {"waiting_room_id": str},
    admission.WaitingRoomOpened: {"opened_at": datetime},
    admission.WaitingRoomClosed: {"early_opens_at": datetime | UnsetType},
    admission.ResourceInWaitingRoom: {"resources": list[str], "field": str},
    admission.NotYourTurn: {
        "retry_after_seconds": int,
        "opens_at": datetime | UnsetType,
        "state": str | UnsetType,
        "sold_out": bool | UnsetType,
    },
    admission.TurnLost: {"grace_seconds": int},
    admission.PassEnded: {"ended_as": str, "ended_at": datetime | UnsetType},
    admission.InviteCodeMistyped: {"field": str},
    admission.InviteCodeUnknown: {"field": str},
    admission.InviteCodeRevoked: {"revoked_at": datetime, "field": str},
    admission.InviteCodeExpired: {"until": datetime, "field": str},
    admission.InviteCodeUsedUp: {"persons": int, "field": str},
    admission.InviteBatchNotFound: {"batch": int | UnsetType},
    admission.InviteBatchesTooMany: {"limit": int},
    admission.PublicValueStands: {"early_opens_at": datetime},
    admission.EarlyOrderStands: {"early_opens_at": datetime},
    admission.OpeningsTakenBack: {"limit": int},
    admission.PassRequired: {"waiting_room_id": str, "opens_at": datetime},
    admission.PassInvalid: {"waiting_room_id": str | UnsetType},
    # The request makes no sense.
    errors.InvalidRequest: {
        **_LINE,
        "field": str | UnsetType,
        "limit": int | UnsetType,
        "known": list[str] | UnsetType,
        # Of a file: its line is that of the file.
        "column": str | UnsetType,
        "reason": str | UnsetType,
        "value": str | UnsetType,
        "uid": str | UnsetType,
    },
    errors.InvalidId: {"kind": str | UnsetType},
    errors.InvalidCursor: {"after": str | UnsetType},
    errors.UnknownUnit: {**_RESOURCE, "unit": str | UnsetType},
    errors.UnknownCode: _RESOURCE,
    errors.DuplicateLine: {"units": list[str] | UnsetType},
    errors.NotInBooking: {"lines": list[NamedUnit]},
    errors.HoldTimeBeyondCap: {"hold_seconds_max": int},
    errors.ExtensionBeyondCap: {"extends_until": datetime, "seconds_max": int},
    errors.IdempotencyKeyReused: {"fields": list[str]},
    CursorExpired: {"cursor": str},
    CursorOfAnotherLife: {"cursor": str | UnsetType},
    http.BodyTooLarge: {"limit_bytes": int},
    http.UnsupportedMediaType: {"content_type": str},
    notifications.MailTextInvalid: {"placeholder": str, "placeholders": list[str]},
    notifications.MailTextNotFound: {"kinds": list[str], "languages": list[str]},
    # A Literal is no `type`; msgspec takes it for one.
    notifications.MailServerFixed: {"fixed_by": cast("type", Literal["environment", "demo"])},
    payments.PaymentProviderFixed: {"fixed_by": cast("type", Literal["environment", "demo"])},
    payments.PaymentProviderInUse: {"payments": int},
    notifications.MailNotSent: {"reason": str, "retry_after_seconds": int},
    merchants.ColourIllegible: {"nearest": str},
    merchants.ConsentRequired: {"terms": str},
    reservations.AnswersRequired: {"questions": list[MissingAnswer]},
    reservations.AnswerInvalid: {**_RESOURCE, "question": str, "ticket": int | UnsetType},
    # The caller may not.
    http.PathNotFound: {"path": str},
    http.MethodNotAllowed: {"methods": list[str]},
    http.KeyKindWrong: {"kinds": list[KeyKind]},
    http.KeyExpired: {"expires_at": datetime},
    http.MissingScope: {"scopes": list[KeyScope], "needs_all": bool},
    http.KeyBound: _RESOURCE,
    http.BoxOfficeClosed: {"because": str},
    operators.StepUpRequired: {"ways": list[ProvedBy]},
    operators.TooManyPasskeys: {"limit": int},
}


_structs: dict[type[BespeakError], type[msgspec.Struct]] = {}


def members_of(error: type[BespeakError]) -> type[msgspec.Struct]:
    """The members as a struct, the same each time; what need not be there may be UNSET. What an
    error of another package brings along is not known here."""
    if error not in _structs:
        _structs[error] = _struct_of(error)
    return _structs[error]


def _struct_of(error: type[BespeakError]) -> type[msgspec.Struct]:
    found: dict[str, object] = {}
    for ancestor in reversed(error.__mro__):
        if issubclass(ancestor, BespeakError):
            found |= _MEMBERS.get(ancestor, {})
    fields = [
        (name, kind, UNSET) if UnsetType in get_args(kind) else (name, kind)
        for name, kind in found.items()
    ]
    return msgspec.defstruct(f"{error.__name__}Members", fields, kw_only=True)
