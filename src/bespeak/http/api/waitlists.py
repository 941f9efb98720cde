"""Waitlists: set up, read, changed and ended by operators; found and joined by who waits."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import (
    BookingCancelled,
    BookingNotFound,
    IdempotencyKeyReused,
    InvalidCursor,
    InvalidId,
    InvalidRequest,
    NotOnSale,
    NotOwner,
    ResourceNotFound,
    VersionMismatch,
)
from bespeak.http.api.asked_holds import Owner
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer, WholeList, once
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_RESOURCE, OPERATORS, endpoint_table
from bespeak.http.server.scopes import MANAGE, READ, SELL
from bespeak.http.server.workspaces import Reach, key_within
from bespeak.reservations.contact import Contact
from bespeak.reservations.errors import BookingNotExchangeable
from bespeak.waitlists.entry import (
    OFFERS_MAX,
    BookingId,
    EntryState,
    NewWaitlistEntry,
    WaitlistEntry,
    WaitlistEntryPage,
)
from bespeak.waitlists.errors import (
    BookingWaits,
    ResourceHasWaitlist,
    WaitlistClosed,
    WaitlistEntriesTooMany,
    WaitlistFull,
    WaitlistNotFound,
    WaitlistWithoutExchange,
)
from bespeak.waitlists.outlook import Outlook, Sources
from bespeak.waitlists.waitlist import NewWaitlist, PublicWaitlist, Waitlist, WaitlistChange
from bespeak.waitlists.wish import WaitlistWish

ENDPOINTS, endpoint = endpoint_table(tags.WAITLISTS)
_ALL = "/v1/waitlists"
_ONE = f"{_ALL}/{{waitlist_id}}"
_OF_LIST = (InvalidId, WaitlistNotFound)


class PublicWaitlistList(WholeList[PublicWaitlist], frozen=True):
    """The waitlist of a resource; empty where it has none."""


class WaitlistList(WholeList[Waitlist], frozen=True):
    """The newest waitlists, at most 200."""


class EntryQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of the entries, in a state or in any."""

    state: EntryState | None = None
    after: Annotated[str, Meta(max_length=18)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


class OutlookQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of what it is asked whether it were gone."""

    of: Sources = "holds"


class JoinWaitlist(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask to wait. A server names the owner; a shopper token waits for its subject. News goes to
    the `contact`. Who declines an offer or lets it lapse waits on at the same place, until there
    were `offers_max` offers; `until` is how long it would still be wanted. Who names a booking of
    the owner's would give it back for what is offered: it is cancelled, with all of its money, by
    what confirms that."""

    wish: WaitlistWish
    owner: Owner | None = None
    contact: Contact | None = None
    until: datetime | None = None
    offers_max: Annotated[int, Meta(ge=1, le=OFFERS_MAX)] = 1
    instead_of_booking: BookingId | None = None


@endpoint(
    "POST",
    _ALL,
    "Set up a waitlist",
    status=201,
    kinds=OPERATORS,
    errors=(*OF_RESOURCE, InvalidRequest, ResourceHasWaitlist),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def create_waitlist(call: Call[None, NewWaitlist]) -> JsonAnswer[Waitlist]:
    """Sets up a waitlist for a resource, or for several that are dates of one thing."""
    made = await call.engine.waitlists.create(call.body, workspace=call.workspace)
    return JsonAnswer(201, made)


@endpoint(
    "GET",
    _ALL,
    "List waitlists",
    kinds=OPERATORS,
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
)
async def list_waitlists(call: Call[None, None]) -> WaitlistList:
    """Lists the waitlists, the newest first, with how many wait."""
    return WaitlistList(await call.engine.waitlists.list_all(workspace=call.workspace))


@endpoint(
    "GET",
    _ONE,
    "Read a waitlist",
    kinds=OPERATORS,
    errors=_OF_LIST,
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
)
async def get_waitlist(call: Call[None, None]) -> Waitlist:
    """Reads a waitlist with its settings."""
    return await call.engine.waitlists.get(call.path["waitlist_id"], workspace=call.workspace)


@endpoint(
    "PATCH",
    _ONE,
    "Change a waitlist",
    kinds=OPERATORS,
    errors=(*_OF_LIST, InvalidRequest, VersionMismatch, WaitlistClosed),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def update_waitlist(call: Call[None, WaitlistChange]) -> Waitlist:
    """Changes the settings of a waitlist. Who waits keeps place and lot."""
    return await call.engine.waitlists.update(
        call.path["waitlist_id"], call.body, workspace=call.workspace
    )


@endpoint(
    "DELETE",
    _ONE,
    "End a waitlist",
    kinds=OPERATORS,
    errors=_OF_LIST,
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def end_waitlist(call: Call[None, None]) -> Waitlist:
    """Ends a waitlist for good: nobody waits any more, and nothing is kept. Offers that stand stay
    good. Repeated, it changes nothing."""
    return await call.engine.waitlists.end(call.path["waitlist_id"], workspace=call.workspace)


@endpoint(
    "GET",
    f"{_ONE}/entries",
    "List who waits",
    kinds=OPERATORS,
    errors=(*_OF_LIST, InvalidCursor, InvalidRequest),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
)
async def list_entries_of_waitlist(call: Call[EntryQuery, None]) -> WaitlistEntryPage:
    """Lists the entries of a waitlist by their places, with what is offered to them."""
    query = call.query
    return await call.engine.waitlists.list_entries(
        waitlist_id=call.path["waitlist_id"],
        state=query.state,
        after=query.after,
        limit=query.limit,
        workspace=call.workspace,
    )


@endpoint(
    "GET",
    f"{_ONE}/outlook",
    "What would serve who waits",
    kinds=OPERATORS,
    errors=(*_OF_LIST, InvalidRequest),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
)
async def get_waitlist_outlook(call: Call[OutlookQuery, None]) -> Outlook:
    """Says what would be freed by what: for each of the ten holds that end first, or of the newest
    blocks or bookings, which parties would be offered something if it were gone, and by all of
    them together. It is found out by the matcher itself and undone; it changes nothing."""
    return await call.engine.waitlists.outlook(
        call.path["waitlist_id"], of=call.query.of, workspace=call.workspace
    )


@endpoint(
    "POST",
    f"{_ONE}/entries",
    "Join a waitlist",
    status=201,
    needs_shopper=True,
    repeatable=True,
    errors=(
        BookingCancelled,
        BookingNotExchangeable,
        BookingNotFound,
        BookingWaits,
        IdempotencyKeyReused,
        InvalidId,
        InvalidRequest,
        NotOnSale,
        NotOwner,
        ResourceNotFound,
        WaitlistClosed,
        WaitlistEntriesTooMany,
        WaitlistFull,
        WaitlistNotFound,
        WaitlistWithoutExchange,
    ),
    scopes=SELL,
    reach=Reach.WORKSPACE,
)
async def join_waitlist(call: Call[None, JoinWaitlist]) -> JsonAnswer[WaitlistEntry]:
    """Puts a party on a waitlist, at its end. What comes back is held for it when it is its turn,
    and offered."""
    body, key = call.body, call.idempotency_key
    made = await call.engine.waitlists.join(
        call.path["waitlist_id"],
        NewWaitlistEntry(
            wish=body.wish,
            contact=body.contact,
            until=body.until,
            offers_max=body.offers_max,
            instead_of_booking=body.instead_of_booking,
        ),
        owner=call.placing_owner(body.owner),
        idempotency_key=None if key is None else key_within(call.workspace, key),
        workspace=call.workspace,
        published_only=call.engine.published_only,
    )
    return once(201, made)


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/waitlists",
    "Find the waitlist of a resource",
    errors=(InvalidId, ResourceNotFound),
    scopes=READ,
)
async def list_waitlists_of_resource(call: Call[None, None]) -> PublicWaitlistList:
    """Finds the waitlist that a resource is of, if it is of one: whether it takes anybody, how many
    wait."""
    try:
        found = await call.engine.waitlists.of_resource(
            call.path["resource_id"], published_only=call.engine.published_only
        )
    except WaitlistNotFound:
        return PublicWaitlistList([])
    shown = PublicWaitlist(
        id=found.id,
        resource_ids=found.resource_ids,
        state=found.state,
        policy=found.policy,
        decide_seconds=found.decide_seconds,
        party_max=found.party_max,
        waiting=found.waiting,
        exchange=found.exchange,
    )
    return PublicWaitlistList([shown])
