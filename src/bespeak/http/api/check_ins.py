"""Check-ins at the gates: one by one, in batches, and who is in."""

from __future__ import annotations

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
from bespeak.lines import ResourceId
from bespeak.ticketing.check_ins import (
    BATCH_MAX,
    CheckIn,
    CheckInPage,
    Code,
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
from bespeak.ticketing.service import PAGE_MAX

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

    after: Annotated[str, documented("^[1-9][0-9]{0,17}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 100


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
    body_about=_entrance,
)
async def check_in(call: Call[None, CheckInTicket]) -> JsonAnswer[CheckIn]:
    """Lets the holder of a ticket in, once."""
    scan = Scan(**msgspec.structs.asdict(call.body), idempotency_key=call.idempotency_key)
    return once(201, await call.service.tickets.check_in(scan))


@endpoint(
    "POST",
    "/v1/check-ins/batch",
    "Check in what was scanned offline",
    kinds=SERVERS,
    scopes=CHECK_IN,
    body_about=_entrances,
)
async def check_in_batch(call: Call[None, CheckInBatch]) -> CheckInBatchAnswer:
    """Tells what a gate scanned while it was offline; each scan has its own outcome."""
    return CheckInBatchAnswer(await call.service.tickets.check_in_many(call.body.scans))


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
