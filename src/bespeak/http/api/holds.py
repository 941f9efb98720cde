"""The calls that place, read, extend and release holds."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.errors import (
    BespeakError,
    CurrenciesDiffer,
    DuplicateLine,
    ExtensionBeyondCap,
    HoldConfirmed,
    HoldExpired,
    HoldNotFound,
    HoldReleased,
    HoldTimeBeyondCap,
    InvalidId,
    InvalidRequest,
    NotOnSale,
    NotOwner,
    NotTogether,
    OrphanSeat,
    OwnerLimitReached,
    PlanChanged,
    Refused,
    ResourceClosed,
    ResourceNotFound,
    ResourceNotOpen,
    SoldOut,
    UnitTaken,
    UnknownCode,
    UnknownUnit,
)
from bespeak.http.server.call import REPLAYED, Answer, Call
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.metrics import BOOKINGS, HOLDS
from bespeak.inventory.lines import Line, ResourceId
from bespeak.money import Money
from bespeak.pricing.quotes import Quote
from bespeak.reservations.verbs import ALTERNATIVES
from bespeak.reservations.offers import OFFERS_MAX

if TYPE_CHECKING:
    from bespeak.reservations.holds import Hold

_CREATED = 201
_HELD = HOLDS.labels("held")
_HELD_AGAIN = HOLDS.labels("replayed")
_CONFIRMED = BOOKINGS.labels("confirmed")
_CONFIRMED_AGAIN = BOOKINGS.labels("replayed")

Owner = Annotated[str, Meta(min_length=1, max_length=200)]
Date = Annotated[str, Meta(max_length=10, extra_json_schema={"format": "date"})]
Lines = Annotated[list[Line], Meta(min_length=1, max_length=1000)]


class PlaceHold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a hold. A server names the owner; a shopper token holds for its subject.

    `partial` takes as much of the lines as there is. The short form of a stay names `room_id`,
    `start_date` and `end_date` in place of `lines`, and may bring its key in the body.
    """

    lines: Lines | UnsetType = UNSET
    owner: Owner | None = None
    hold_seconds: Annotated[int, Meta(ge=1, le=604_800)] | None = None
    partial: Literal["best"] | None = None
    alternatives: Annotated[int, Meta(ge=0, le=OFFERS_MAX)] = ALTERNATIVES
    room_id: ResourceId | UnsetType = UNSET
    start_date: Date | UnsetType = UNSET
    end_date: Date | UnsetType = UNSET
    idempotency_key: Owner | UnsetType = UNSET


class ExtendHold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask that a hold last so many seconds from now."""

    seconds: Annotated[int, Meta(ge=1, le=604_800)]


class HoldView(msgspec.Struct, frozen=True, kw_only=True):
    """A hold. `expires_in_ms` is by the server's clock, which is the one that counts."""

    id: str
    state: str
    owner: str
    lines: list[Line]
    created_at: datetime
    expires_at: datetime
    expires_in_ms: int
    extends_until: datetime
    amount: Money
    missing: list[Line]
    ended_at: datetime | None
    quote: Quote | None


async def place_hold(call: Call, body: PlaceHold) -> Answer:
    """Holds all the lines for one owner, or none of them."""
    engine = call.service.engine
    try:
        hold = await engine.place_hold(
            owner=call.placing_owner(body.owner),
            lines=_asked_lines(body),
            hold_seconds=body.hold_seconds,
            partial=body.partial is not None,
            alternatives=body.alternatives,
            idempotency_key=_asked_key(call, body),
        )
    except BespeakError as error:
        HOLDS.labels(error.code).inc()
        if isinstance(error, Refused):
            call.service.refusals.count(error.code)
        raise
    (_HELD_AGAIN if hold.replayed else _HELD).inc()
    return _hold_answer(call, hold, _CREATED)


def _asked_lines(body: PlaceHold) -> list[Line]:
    """The lines of the request, in whichever form it has. Raises InvalidRequest."""
    stay = (body.room_id, body.start_date, body.end_date)
    if body.lines is not UNSET:
        if any(part is not UNSET for part in stay):
            raise InvalidRequest("either `lines`, or the short form of a stay", field="lines")
        return body.lines
    if body.room_id is UNSET or body.start_date is UNSET or body.end_date is UNSET:
        raise InvalidRequest(
            "`lines` is missing (or `room_id`, `start_date` and `end_date` of a stay)",
            field="lines",
        )
    return [Line(body.room_id, from_=body.start_date, to=body.end_date)]


def _asked_key(call: Call, body: PlaceHold) -> str | None:
    """The idempotency key, from the header or the body. Raises InvalidRequest if they differ."""
    if body.idempotency_key is UNSET:
        return call.idempotency_key
    if call.idempotency_key not in (None, body.idempotency_key):
        raise InvalidRequest("the header names another key", field="idempotency_key")
    return body.idempotency_key


async def get_hold(call: Call, _: None) -> Answer:
    """Reads a hold."""
    hold = await call.service.engine.get_hold(call.path["hold_id"], owner=call.acting_owner())
    return _hold_answer(call, hold, 200)


async def extend_hold(call: Call, body: ExtendHold) -> Answer:
    """Lets a hold last longer, within its cap."""
    hold = await call.service.engine.extend_hold(
        call.path["hold_id"],
        seconds=body.seconds,
        owner=call.acting_owner(),
        idempotency_key=call.idempotency_key,
    )
    return _hold_answer(call, hold, 200)


async def release_hold(call: Call, _: None) -> Answer:
    """Lets a hold go; its units are free at once."""
    hold = await call.service.engine.release_hold(
        call.path["hold_id"], owner=call.acting_owner(), idempotency_key=call.idempotency_key
    )
    return _hold_answer(call, hold, 200)


def _hold_answer(call: Call, hold: Hold, status: int) -> Answer:
    view = hold_view(hold, call.service.engine.clock.seconds())
    return Answer(status, view, headers=REPLAYED if hold.replayed else ())


def hold_view(hold: Hold, now: float) -> HoldView:
    """A hold as it is answered at this time (seconds since 1970, by the database's clock)."""
    left = hold.expires_at.timestamp() - now
    return HoldView(
        id=hold.id,
        state=hold.state,
        owner=hold.owner,
        lines=hold.lines,
        created_at=hold.created_at,
        expires_at=hold.expires_at,
        expires_in_ms=max(0, int(left * 1000)) if hold.state == "held" else 0,
        extends_until=hold.extends_until,
        amount=hold.amount,
        quote=hold.quote,
        missing=hold.missing,
        ended_at=hold.ended_at,
    )


_OF_HOLD = (InvalidId, HoldNotFound, NotOwner)
_ENDED = (HoldExpired, HoldReleased, HoldConfirmed)

ENDPOINTS = [
    Endpoint(
        "POST",
        "/v1/holds",
        place_hold,
        "Place a hold",
        HoldView,
        _CREATED,
        needs_shopper=True,
        body=PlaceHold,
        repeatable=True,
        errors=(
            UnitTaken,
            SoldOut,
            NotTogether,
            NotOnSale,
            OrphanSeat,
            OwnerLimitReached,
            UnknownUnit,
            UnknownCode,
            DuplicateLine,
            InvalidId,
            HoldTimeBeyondCap,
            CurrenciesDiffer,
            ResourceNotFound,
            ResourceClosed,
            ResourceNotOpen,
            PlanChanged,
            NotOwner,
        ),
    ),
    Endpoint(
        "GET",
        "/v1/holds/{hold_id}",
        get_hold,
        "Read a hold",
        HoldView,
        needs_shopper=True,
        errors=_OF_HOLD,
    ),
    Endpoint(
        "DELETE",
        "/v1/holds/{hold_id}",
        release_hold,
        "Release a hold",
        HoldView,
        needs_shopper=True,
        repeatable=True,
        errors=(*_OF_HOLD, *_ENDED),
    ),
    Endpoint(
        "POST",
        "/v1/holds/{hold_id}/extend",
        extend_hold,
        "Extend a hold",
        HoldView,
        needs_shopper=True,
        body=ExtendHold,
        repeatable=True,
        errors=(*_OF_HOLD, *_ENDED, ExtensionBeyondCap),
    ),
]
