"""Check-ins at the gates: one by one, in batches, and who is in."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, InvalidId
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer, WholeList, once
from bespeak.http.server.bindings import Subject
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_RESOURCE, SERVERS, documented, endpoint_table
from bespeak.http.server.errors import KeyBound
from bespeak.http.server.scopes import CHECK_IN, READ
from bespeak.http.server.subjects import within_bounds
from bespeak.http.server.workspaces import Reach
from bespeak.lines import ResourceId
from bespeak.pages import POSITION_PATTERN
from bespeak.ticketing.check_ins import (
    BATCH_MAX,
    CheckIn,
    CheckInPage,
    Code,
    Entrance,
    Gate,
    Scan,
    ScannedAt,
    ScanOutcome,
)
from bespeak.ticketing.errors import (
    AlreadyCheckedIn,
    TicketCancelled,
    TicketCodeInvalid,
    WrongResource,
)
from bespeak.ticketing.service import ENTRANCE_TEXT_MAX, PAGE_MAX

# The page of a key that is bound to a place is picked out of so many.
_ENTRANCES_MAX, _CANDIDATES_MAX = 200, 5000

ENDPOINTS, endpoint = endpoint_table(tags.TICKETS)


class CheckInTicket(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A code that was scanned: at which gate, when (absent: now), and at the entrance of which
    resource (absent: any)."""

    code: Code
    gate: Gate | None = None
    scanned_at: ScannedAt | None = None
    resource_id: ResourceId | None = None


class CheckInBatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a gate scanned while it was offline."""

    scans: Annotated[list[Scan], Meta(min_length=1, max_length=BATCH_MAX)]


class CheckInBatchAnswer(WholeList[ScanOutcome], frozen=True):
    """What became of each scan, in the order of the request."""


class CheckInQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the check-ins."""

    after: Annotated[str, documented(POSITION_PATTERN)] | None = None
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 100


class EntranceQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """With a text in their name."""

    q: Annotated[str, Meta(max_length=ENTRANCE_TEXT_MAX)] | None = None


class EntranceList(WholeList[Entrance], frozen=True):
    """Where tickets may be scanned, the earliest first, at most 200."""


def _entrance(call: Call[None, CheckInTicket]) -> Subject:
    return _at([call.body.resource_id])


def _entrances(call: Call[None, CheckInBatch]) -> Subject:
    return _at([scan.resource_id for scan in call.body.scans])


def _at(entrances: list[str | None]) -> Subject:
    """A bound key says at whose entrance each code was scanned: a ticket to anything else is then
    refused. Raises KeyBound."""
    named = {one for one in entrances if one is not None}
    if None in entrances:
        raise KeyBound("a bound key says at which entrance it scans: resource_id")
    return Subject(sorted(named))


@endpoint(
    "POST",
    "/v1/check-ins",
    "Check a ticket in",
    status=201,
    kinds=SERVERS,
    repeatable=True,
    errors=(TicketCodeInvalid, WrongResource, AlreadyCheckedIn, TicketCancelled, InvalidId),
    scopes=CHECK_IN,
    reach=Reach.IDS,
    body_about=_entrance,
)
async def check_in(call: Call[None, CheckInTicket]) -> JsonAnswer[CheckIn]:
    """Lets the holder of a ticket in, once."""
    scan = Scan(**msgspec.structs.asdict(call.body), idempotency_key=call.idempotency_key)
    try:
        return once(201, await call.service.tickets.check_in(scan, call.others))
    except TicketCodeInvalid:
        call.service.guesses.bad_codes(call.caller.key_id or "")
        raise


@endpoint(
    "POST",
    "/v1/check-ins/batch",
    "Check in what was scanned offline",
    kinds=SERVERS,
    scopes=CHECK_IN,
    reach=Reach.IDS,
    body_about=_entrances,
)
async def check_in_batch(call: Call[None, CheckInBatch]) -> CheckInBatchAnswer:
    """Tells what a gate scanned while it was offline; each scan has its own outcome."""
    outcomes = await call.service.tickets.check_in_many(call.body.scans, call.others)
    bad = [one for one in outcomes if one.problem and one.problem.code == TicketCodeInvalid.code]
    call.service.guesses.bad_codes(call.caller.key_id or "", len(bad))
    return CheckInBatchAnswer(outcomes)


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/check-ins",
    "Who is in",
    kinds=SERVERS,
    errors=(*OF_RESOURCE, InvalidCursor),
    scopes=CHECK_IN | READ,
)
async def list_check_ins(call: Call[CheckInQuery, None]) -> CheckInPage:
    """Who was let in to a resource, the latest first, and how many."""
    return await call.service.tickets.check_ins(
        call.path["resource_id"], after=call.query.after, limit=call.query.limit
    )


@endpoint(
    "GET",
    "/v1/check-ins/entrances",
    "List entrances",
    kinds=SERVERS,
    scopes=CHECK_IN,
    reach=Reach.WORKSPACE,
    about=within_bounds,
)
async def list_entrances(call: Call[EntranceQuery, None]) -> EntranceList:
    """Lists what tickets may be scanned for now: what began less than a day ago, begins within two
    days, or has no time of its own; with `q` whatever has it in its name. Of a bound key only what
    is within its bounds."""
    bound = call.caller.bound
    text = (call.query.q or "").strip() or None
    find = partial(call.service.tickets.entrances, text=text, workspace=call.workspace)
    if bound is None or bound.place is None:
        only = None if bound is None else bound.resources
        return EntranceList(await find(only=only, limit=_ENTRANCES_MAX))
    found = await find(limit=_CANDIDATES_MAX)
    within = await call.service.bindings.within(bound.place, [one.resource_id for one in found])
    return EntranceList([one for one in found if one.resource_id in within][:_ENTRANCES_MAX])
