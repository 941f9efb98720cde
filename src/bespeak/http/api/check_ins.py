"""The calls of the gates: the keys that codes are verified with, check-ins one by one and in
batches, and who is in.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, InvalidId, ResourceNotFound
from bespeak.http.server.call import REPLAYED, Answer, Call
from bespeak.http.server.endpoint import ANYONE, OPERATORS, SERVERS, Endpoint, told
from bespeak.inventory.lines import ResourceId
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
from bespeak.ticketing.keys import PublicKeys
from bespeak.ticketing.service import PAGE_MAX

_CREATED = 201
_KEYS_GOOD = ((b"cache-control", b"public, max-age=300"),)


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


class CheckInBatchAnswer(msgspec.Struct, frozen=True):
    """What became of each scan, in the order of the request."""

    items: list[ScanOutcome]


class CheckInQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the check-ins."""

    after: Annotated[str, told("^[1-9][0-9]{0,17}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 100


class RotateTicketKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Make a key that signs from now on; without `keep_old`, all codes until now are void."""

    keep_old: bool = True


async def ticket_keys(call: Call, _: None) -> Answer:
    """The public keys of ticket codes, as a JSON Web Key Set: a gate that has them can verify codes
    without a network."""
    return Answer(200, await call.service.tickets.public_keys(), headers=_KEYS_GOOD)


async def rotate_ticket_keys(call: Call, body: RotateTicketKeys) -> Answer:
    """Makes a key that signs ticket codes from now on."""
    return Answer(_CREATED, await call.service.tickets.rotate_keys(keep_old=body.keep_old))


async def check_in(call: Call, body: CheckInTicket) -> Answer:
    """Lets the holder of a ticket in, once."""
    done = await call.service.tickets.check_in(
        Scan(
            code=body.code,
            gate=body.gate,
            scanned_at=body.scanned_at,
            resource_id=body.resource_id,
            idempotency_key=call.idempotency_key,
        )
    )
    shown = msgspec.structs.replace(done, replayed=False)  # a header says it
    return Answer(_CREATED, shown, headers=REPLAYED if done.replayed else ())


async def check_in_batch(call: Call, body: CheckInBatch) -> Answer:
    """Tells what a gate scanned while it was offline; each scan has its own outcome."""
    return Answer(200, CheckInBatchAnswer(await call.service.tickets.check_in_many(body.scans)))


async def list_check_ins(call: Call, _: None) -> Answer:
    """Who was let in to a resource, the latest first, and how many."""
    query = call.query
    if not isinstance(query, CheckInQuery):
        raise TypeError("the endpoint has this query")
    page = await call.service.tickets.check_ins(
        call.path["resource_id"], after=query.after, limit=query.limit
    )
    return Answer(200, page)


ENDPOINTS = [
    Endpoint(
        "GET",
        "/v1/ticket-keys",
        ticket_keys,
        "The public keys of tickets",
        PublicKeys,
        kinds=ANYONE,
    ),
    Endpoint(
        "POST",
        "/v1/ticket-keys",
        rotate_ticket_keys,
        "Make a key for tickets",
        PublicKeys,
        _CREATED,
        kinds=OPERATORS,
        body=RotateTicketKeys,
    ),
    Endpoint(
        "POST",
        "/v1/check-ins",
        check_in,
        "Check a ticket in",
        CheckIn,
        _CREATED,
        kinds=SERVERS,
        body=CheckInTicket,
        repeatable=True,
        errors=(TicketCodeInvalid, WrongResource, AlreadyCheckedIn, TicketCancelled, InvalidId),
    ),
    Endpoint(
        "POST",
        "/v1/check-ins/batch",
        check_in_batch,
        "Check in what was scanned offline",
        CheckInBatchAnswer,
        kinds=SERVERS,
        body=CheckInBatch,
    ),
    Endpoint(
        "GET",
        "/v1/resources/{resource_id}/check-ins",
        list_check_ins,
        "Who is in",
        CheckInPage,
        kinds=SERVERS,
        query=CheckInQuery,
        errors=(InvalidId, ResourceNotFound, InvalidCursor),
    ),
]
