"""Entries of waitlists: read, withdrawn; what is offered taken up or declined."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import (
    InvalidCursor,
    InvalidId,
    InvalidRequest,
    NotOwner,
)
from bespeak.http.api.asked_holds import Owner
from bespeak.http.api.holds import HoldView, hold_answer
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.scopes import MANAGE, SELL
from bespeak.http.server.workspaces import Reach
from bespeak.waitlists.entry import NOTE_LENGTH_MAX, WaitlistEntry, WaitlistEntryPage
from bespeak.waitlists.errors import (
    NoOfferStands,
    WaitlistEntryNotFound,
)

ENDPOINTS, endpoint = endpoint_table(tags.WAITLISTS)
_ALL = "/v1/waitlist-entries"
_ONE = f"{_ALL}/{{entry_id}}"
_LISTED_MAX = 100
_OF_ENTRY = (InvalidId, NotOwner, WaitlistEntryNotFound)


class OwnEntriesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose entries, where a page begins, and how many are on it."""

    owner: Owner | None = None
    after: Annotated[str, Meta(max_length=200)] | None = None
    limit: Annotated[int, Meta(ge=1, le=_LISTED_MAX)] = _LISTED_MAX


class Removal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a party is taken off a list, in words that it is told."""

    note: Annotated[str, Meta(min_length=1, max_length=NOTE_LENGTH_MAX)]


@endpoint(
    "GET",
    _ALL,
    "List an owner's entries",
    needs_shopper=True,
    errors=(InvalidCursor, InvalidRequest, NotOwner),
    scopes=SELL,
    reach=Reach.WORKSPACE,
)
async def list_waitlist_entries(call: Call[OwnEntriesQuery, None]) -> WaitlistEntryPage:
    """Lists the entries of an owner: with a pk_ key the shopper's own. Those that wait or are
    offered something come first, then those that ended, of each the newest first. What ends while
    pages are read stays where it was."""
    query = call.query
    return await call.engine.waitlists.list_entries(
        owner=call.listing_owner(query.owner),
        after=query.after,
        limit=query.limit,
        workspace=call.workspace,
    )


@endpoint(
    "GET",
    _ONE,
    "Read an entry",
    needs_shopper=True,
    waitlist_link_opens=True,
    errors=_OF_ENTRY,
    scopes=SELL,
    reach=Reach.WORKSPACE,
)
async def get_waitlist_entry(call: Call[None, None]) -> WaitlistEntry:
    """Reads an entry: how many wait before it, and what is offered to it."""
    return await call.engine.waitlists.get_entry(
        call.path["entry_id"], owner=call.acting_owner(), workspace=call.workspace
    )


@endpoint(
    "POST",
    f"{_ONE}/accept",
    "Take an offer up",
    needs_shopper=True,
    waitlist_link_opens=True,
    errors=(*_OF_ENTRY, NoOfferStands),
    scopes=SELL,
    reach=Reach.WORKSPACE,
)
async def accept_waitlist_offer(call: Call[None, None]) -> JsonAnswer[HoldView]:
    """Takes an offer up: answers its hold, with the usual time for the checkout from now. It is
    bought as any hold is: paid or confirmed. Repeated, it answers the hold as it is."""
    hold = await call.engine.waitlists.accept(
        call.path["entry_id"], owner=call.acting_owner(), workspace=call.workspace
    )
    return hold_answer(call, hold)


@endpoint(
    "POST",
    f"{_ONE}/decline",
    "Decline an offer",
    needs_shopper=True,
    waitlist_link_opens=True,
    errors=(*_OF_ENTRY, NoOfferStands),
    scopes=SELL,
    reach=Reach.WORKSPACE,
)
async def decline_waitlist_offer(call: Call[None, None]) -> WaitlistEntry:
    """Declines an offer, which goes to the next at once. The entry is over, unless it waits on for
    more offers."""
    return await call.engine.waitlists.decline(
        call.path["entry_id"], owner=call.acting_owner(), workspace=call.workspace
    )


@endpoint(
    "DELETE",
    _ONE,
    "Leave a waitlist",
    needs_shopper=True,
    waitlist_link_opens=True,
    errors=_OF_ENTRY,
    scopes=SELL,
    reach=Reach.WORKSPACE,
)
async def withdraw_waitlist_entry(call: Call[None, None]) -> WaitlistEntry:
    """Takes an entry off its list for good, with what is offered to it. Repeated, it changes
    nothing."""
    return await call.engine.waitlists.withdraw(
        call.path["entry_id"], owner=call.acting_owner(), workspace=call.workspace
    )


@endpoint(
    "POST",
    f"{_ONE}/remove",
    "Take a party off a waitlist",
    kinds=OPERATORS,
    errors=(InvalidId, InvalidRequest, WaitlistEntryNotFound),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def remove_waitlist_entry(call: Call[None, Removal]) -> WaitlistEntry:
    """Takes a party off its list for good, with what is offered to it, and tells it why. Of one
    that has ended, it changes nothing."""
    return await call.engine.waitlists.remove(
        call.path["entry_id"], note=call.body.note, workspace=call.workspace
    )
