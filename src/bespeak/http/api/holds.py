"""Holds: placed, read, listed, extended and released."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.admission.errors import PassInvalid, PassRequired
from bespeak.errors import (
    BespeakError,
    BookingCancelled,
    BookingNotFound,
    ExtensionBeyondCap,
    HoldConfirmed,
    HoldExpired,
    HoldReleased,
    InvalidRequest,
    NotOwner,
    Refused,
)
from bespeak.http.api.asked_holds import AskedHold, key_of, lines_of, resources_of
from bespeak.http.server import tags
from bespeak.http.server.answers import REPLAYED, JsonAnswer, WholeList
from bespeak.http.server.bindings import Subject
from bespeak.http.server.budgets.gate import Visitor
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_HOLD, endpoint_table
from bespeak.http.server.errors import BudgetSpent, ChallengeRequired, KeyBound
from bespeak.http.server.metrics import HOLDS
from bespeak.http.server.scopes import READ, SELL
from bespeak.http.server.workspaces import Reach, key_within
from bespeak.lines import Line
from bespeak.money import Money
from bespeak.pricing.quotes import Quote
from bespeak.reservations.alternatives import OFFERS_MAX
from bespeak.reservations.errors import PLACING, BookingNotExchangeable
from bespeak.reservations.holds import Hold, HoldBooking
from bespeak.reservations.request import (
    OWNER_LENGTH_MAX,
    UNBOUNDED,
    HoldBounds,
    check_text,
)
from bespeak.reservations.verbs import ALTERNATIVES
from bespeak.states import HoldState
from bespeak.waitlists.entry import BookingId

_HELD = HOLDS.labels("held")
_HELD_AGAIN = HOLDS.labels("replayed")
_LISTED_MAX = 1000

_ENDED = (HoldExpired, HoldReleased, HoldConfirmed)
ENDPOINTS, endpoint = endpoint_table(tags.HOLDS)


class PlaceHold(AskedHold, frozen=True):
    """Ask for a hold. A server names the owner; a shopper token holds for its subject.

    `partial` takes as much of the lines as there is. The short form of a stay names `room_id`,
    `start_date` and `end_date` in place of `lines`, with its `guests`, the `ages` of the children
    among them and its `rate`, and may bring its key in the body.

    `instead_of_booking` is a stay of the same owner's that is changed: what confirms this hold
    cancels that booking, with all of its money, in one transaction. Nights of it may be among those
    wanted.
    """

    alternatives: Annotated[int, Meta(ge=0, le=OFFERS_MAX)] = ALTERNATIVES
    instead_of_booking: BookingId | None = None


class ExtendHold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask that a hold last so many seconds from now."""

    seconds: Annotated[int, Meta(ge=1, le=604_800)]


class HoldView(msgspec.Struct, frozen=True, kw_only=True):
    """A hold. `expires_in_ms` is by the server's clock, which is the one that counts."""

    id: str
    state: HoldState
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


class HoldQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose live holds, and how many at most."""

    owner: Annotated[str, Meta(min_length=1, max_length=OWNER_LENGTH_MAX)] | None = None
    state: Literal["held"] = "held"
    limit: Annotated[int, Meta(ge=1, le=_LISTED_MAX)] = 100


class HoldList(WholeList[HoldView], frozen=True):
    """Live holds, those that end first at the front."""


HOLDING = (*PLACING, BudgetSpent, ChallengeRequired, PassRequired, PassInvalid)
"""What a hold is refused for."""
_CHANGING = (BookingNotFound, BookingCancelled, BookingNotExchangeable)


@endpoint(
    "POST",
    "/v1/holds",
    "Place a hold",
    status=201,
    needs_shopper=True,
    booking_link_opens=True,
    repeatable=True,
    errors=(*HOLDING, *_CHANGING),
    scopes=SELL,
    reach=Reach.IDS,
    body_about=lambda call: Subject(
        sorted(resources_of(call.body)), booking=call.body.instead_of_booking
    ),
)
async def place_hold(call: Call[None, PlaceHold]) -> JsonAnswer[HoldView]:
    """Holds all the lines for one owner, or none of them."""
    body = call.body
    try:
        key = key_of(call.idempotency_key, body.idempotency_key)
        hold = await place_asked(call, body, key, body.alternatives, body.instead_of_booking)
    except BespeakError as error:
        note_refused(call, error)
        if isinstance(error, BookingNotExchangeable):
            await _hide_unseen(call, error)
        raise
    note_held(hold)
    return hold_answer(call, hold, 201)


async def _hide_unseen(call: Call[None, object], error: BookingNotExchangeable) -> None:
    """Leaves out the hold that is in the way where the key is bound and may not read it: a stay may
    be changed to what is another's. When that hold ends is told all the same."""
    bound, hold = call.caller.bound, error.data.get("hold_id")
    if bound is None or not isinstance(hold, str):
        return
    try:
        await call.service.bindings.check(bound, Subject(hold=hold))
    except KeyBound:
        del error.data["hold_id"]


def note_held(hold: Hold) -> None:
    """Counts a hold for the metrics."""
    (_HELD_AGAIN if hold.replayed else _HELD).inc()


def note_refused(call: Call[None, object], error: BespeakError) -> None:
    """Counts a refusal for the metrics, and for the overview."""
    HOLDS.labels(error.code).inc()
    if isinstance(error, Refused):
        call.service.refusals.count(error.code, call.workspace)


def place_asked(
    call: Call[None, object],
    asked: AskedHold,
    key: str | None,
    alternatives: int,
    instead_of: str | None = None,
) -> Coroutine[object, None, Hold]:
    """Places a hold that a call asks for, within the budgets of whoever has some. No coroutine of
    its own stands between: a rush is thousands of these a second."""
    owner, lines = call.placing_owner(asked.owner), lines_of(asked)
    if key is not None:
        key = key_within(call.workspace, key)
    visitor = call.visitor(owner)
    if visitor is None:
        return _hold(call, asked, owner, lines, key, alternatives, UNBOUNDED, instead_of)
    return _hold_within_budgets(call, asked, visitor, lines, key, alternatives, instead_of)


async def _hold_within_budgets(
    call: Call[None, object],
    asked: AskedHold,
    visitor: Visitor,
    lines: list[Line],
    key: str | None,
    alternatives: int,
    instead_of: str | None,
) -> Hold:
    budgets = call.service.budgets
    units_max = await call.service.waiting_rooms.check_pass(
        lines, visitor.owner, call.headers.get(b"bespeak-pass")
    )
    with (
        budgets.trying_codes(visitor, lines),
        budgets.hold_admission(visitor, lines, key) as admission,
    ):
        bounds = HoldBounds(await admission.seconds_max(), units_max)
        hold = await _hold(call, asked, visitor.owner, lines, key, alternatives, bounds, instead_of)
        admission.placed(hold)
    return hold


def _hold(
    call: Call[None, object],
    asked: AskedHold,
    owner: str,
    lines: list[Line],
    key: str | None,
    alternatives: int,
    bounds: HoldBounds,
    instead_of: str | None,
) -> Coroutine[object, None, Hold]:
    if instead_of is not None:
        if asked.partial is not None:
            raise InvalidRequest("less than was asked for changes no stay", field="partial")
        return call.engine.change_stay(
            instead_of,
            owner=owner,
            lines=lines,
            hold_seconds=asked.hold_seconds,
            bounds=bounds,
            alternatives=alternatives,
            idempotency_key=key,
        )
    return call.engine.place_hold(
        owner=owner,
        lines=lines,
        hold_seconds=asked.hold_seconds,
        bounds=bounds,
        partial=asked.partial is not None,
        alternatives=alternatives,
        idempotency_key=key,
    )


@endpoint(
    "GET",
    "/v1/holds/{hold_id}",
    "Read a hold",
    needs_shopper=True,
    booking_link_opens=True,
    waitlist_link_opens=True,
    errors=OF_HOLD,
    scopes=READ | SELL,
)
async def get_hold(call: Call[None, None]) -> JsonAnswer[HoldView]:
    """Reads a hold."""
    hold = await call.engine.get_hold(call.path["hold_id"], owner=call.acting_owner())
    return hold_answer(call, hold)


@endpoint(
    "POST",
    "/v1/holds/{hold_id}/extend",
    "Extend a hold",
    needs_shopper=True,
    booking_link_opens=True,
    waitlist_link_opens=True,
    repeatable=True,
    errors=(*OF_HOLD, *_ENDED, ExtensionBeyondCap),
    scopes=SELL,
)
async def extend_hold(call: Call[None, ExtendHold]) -> JsonAnswer[HoldView]:
    """Lets a hold last longer, within its cap."""
    hold = await call.engine.extend_hold(
        call.path["hold_id"],
        seconds=call.body.seconds,
        owner=call.acting_owner(),
        idempotency_key=call.idempotency_key,
    )
    call.service.budgets.extended(hold)
    return hold_answer(call, hold)


@endpoint(
    "DELETE",
    "/v1/holds/{hold_id}",
    "Release a hold",
    needs_shopper=True,
    booking_link_opens=True,
    waitlist_link_opens=True,
    repeatable=True,
    errors=(*OF_HOLD, *_ENDED),
    scopes=SELL,
)
async def release_hold(call: Call[None, None]) -> JsonAnswer[HoldView]:
    """Lets a hold go; its units are free at once."""
    hold = await call.engine.release_hold(
        call.path["hold_id"], owner=call.acting_owner(), idempotency_key=call.idempotency_key
    )
    call.service.budgets.ended(hold.id, "wasted")
    return hold_answer(call, hold)


@endpoint(
    "GET",
    "/v1/holds/{hold_id}/booking",
    "Find the booking of a hold",
    needs_shopper=True,
    booking_link_opens=True,
    waitlist_link_opens=True,
    errors=(*OF_HOLD, BookingNotFound),
    scopes=READ | SELL,
)
async def get_booking_of_hold(call: Call[None, None]) -> HoldBooking:
    """Finds what a hold was booked as, also after its payment was late."""
    number = ids.parse(ids.HOLD, call.path["hold_id"])
    booking_id = ids.show(ids.BOOKING, number)
    # Of a hold elsewhere it is said that there is no such hold, by the id that was asked for.
    await call.engine.get_hold(call.path["hold_id"], owner=call.acting_owner())
    booking = await call.engine.get_booking(booking_id, owner=call.acting_owner())
    link = None
    if call.caller.link is not None:
        link = await call.service.booking_links.token_by_link(booking)
    return HoldBooking(booking.id, link)


@endpoint(
    "GET",
    "/v1/holds",
    "List live holds",
    needs_shopper=True,
    errors=(InvalidRequest, NotOwner),
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def list_holds(call: Call[HoldQuery, None]) -> HoldList:
    """Lists live holds: with a pk_ key the shopper's own, else an owner's or all."""
    query, live = call.query, call.service.live_holds
    owner = call.listing_owner(query.owner)
    if owner is None:
        found = await live.all(query.limit, call.workspace)
    else:
        check_text(owner, "owner", OWNER_LENGTH_MAX)
        # One question is asked for the owners of all workspaces.
        found = await live.of_owner(owner)
        others = await call.others(map(_home, found))
        found = [hold for hold in found if _home(hold) not in others][: query.limit]
    now = call.engine.clock.seconds()
    return HoldList([view_of(hold, now) for hold in found])


def _home(hold: Hold) -> int:
    return ids.home_of(ids.parse(ids.HOLD, hold.id))


def hold_answer(call: Call[object, object], hold: Hold, status: int = 200) -> JsonAnswer[HoldView]:
    view = view_of(hold, call.engine.clock.seconds())
    return JsonAnswer(status, view, headers=REPLAYED if hold.replayed else ())


def view_of(hold: Hold, now: float) -> HoldView:
    """`now` in seconds since 1970, by the database's clock."""
    left = hold.expires_at.timestamp() - now
    return HoldView(  # field by field: it is made for every hold
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
