"""Check-ins: a ticket's code is verified and lets one in, once. The database decides, whatever
gates scan at the same instant; what a gate scanned while it was offline is told later, with its
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.actors import acting
from bespeak.errors import (
    BespeakError,
    IdempotencyKeyReused,
    InternalError,
    InvalidRequest,
)
from bespeak.inventory.fingerprints import differing_fields, fingerprint
from bespeak.pages import before_position
from bespeak.postgres.composites import composite
from bespeak.postgres.pool import COLLIDED
from bespeak.postgres.queries import load
from bespeak.reservations.request import KEY_LENGTH_MAX, check_text
from bespeak.ticketing.codes import CODE_LENGTH_MAX, TicketCode
from bespeak.ticketing.errors import (
    AlreadyCheckedIn,
    TicketCancelled,
    TicketCodeInvalid,
    WrongResource,
)

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.ticketing", "check_ins.sql")
_FIELDS = ("code", "gate", "scanned_at")
_YEARS = range(1970, 9999)
_TRIES = 3
GATE_LENGTH_MAX = 100
BATCH_MAX = 500

Code = Annotated[str, Meta(min_length=1, max_length=CODE_LENGTH_MAX)]
Gate = Annotated[str, Meta(min_length=1, max_length=GATE_LENGTH_MAX)]
ScannedAt = Annotated[datetime, Meta(tz=True)]
Key = Annotated[str, Meta(min_length=1, max_length=KEY_LENGTH_MAX)]


# Any text: of a batch, one scan at a wrong entrance is refused, and the others are not.
_Entrance = Annotated[str, Meta(max_length=20)]


class Scan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A code that was scanned: at which gate, when (absent: now), and at the entrance of which
    resource (absent: any). With an idempotency key, the same scan may be told again."""

    code: Code
    gate: Gate | None = None
    scanned_at: ScannedAt | None = None
    resource_id: _Entrance | None = None
    idempotency_key: Key | None = None


class CheckIn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """That a ticket was used: which of which booking, to what it admitted, when and where.
    `recorded_at` is when it was told, later than `checked_in_at` by a gate that was offline."""

    id: str
    booking_id: str
    index: int
    resource_id: str
    unit: str | None
    gate: str | None
    checked_in_at: datetime
    recorded_at: datetime
    replayed: bool = False


class CheckInPage(msgspec.Struct, frozen=True):
    """A page of the check-ins to a resource, the latest first, and how many there are in all;
    `next` is the cursor of the page after, null at the end."""

    items: list[CheckIn]
    count: int
    next: str | None


class Entrance(msgspec.Struct, frozen=True, kw_only=True):
    """A resource whose tickets may be scanned now, and how many were let in. A resource without a
    time of its own has no `starts_at`."""

    resource_id: str
    name: str
    starts_at: datetime | None
    time_zone: str
    checked_in: int


class ScanProblem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a scan of a batch let nobody in: the code of an error, and its data."""

    code: str
    detail: str
    checked_in_at: datetime | None = None
    gate: str | None = None
    admits_to: str | None = None
    field: str | None = None


class ScanOutcome(msgspec.Struct, frozen=True):
    """What became of one scan of a batch: `checked_in` now, `repeated` (the same scan was told
    before), or `refused`, with the problem."""

    outcome: Literal["checked_in", "repeated", "refused"]
    check_in: CheckIn | None = None
    problem: ScanProblem | None = None


class SeenTicket(NamedTuple):
    """A scan whose code was verified."""

    scan: Scan
    code: TicketCode

    @property
    def home(self) -> int:
        return ids.home_of(self.code.booking)

    @property
    def content(self) -> bytes:
        """By which a repeat is told from another scan with the same key."""
        moment = self.scan.scanned_at
        shown = "" if moment is None else moment.astimezone(UTC).isoformat()
        ticket = f"{self.code.booking} {self.code.ticket}"
        return fingerprint((ticket, self.scan.gate or "", shown))


@composite("check_in_request")
class CheckInRequestRow(NamedTuple):
    """A scan as the database takes it."""

    booking_id: UUID
    ticket: int
    admitted_to: int
    unit: str | None
    gate: str | None
    scanned_at: datetime | None
    idempotency_key: str | None
    fingerprint: bytes
    actor: str | None


def check_scan(scan: Scan) -> None:
    """Raises InvalidRequest for a gate, a time or a key that makes no sense, InvalidId."""
    if scan.gate is not None:
        check_text(scan.gate, "gate", GATE_LENGTH_MAX)
    if scan.idempotency_key is not None:
        check_text(scan.idempotency_key, "idempotency_key", KEY_LENGTH_MAX)
    if scan.resource_id is not None:
        ids.parse_resource(scan.resource_id)
    if scan.scanned_at is not None:
        if scan.scanned_at.tzinfo is None:
            raise InvalidRequest("scanned_at has no offset from UTC", field="scanned_at")
        if scan.scanned_at.year not in _YEARS:
            raise InvalidRequest("scanned_at is no time of a scan", field="scanned_at")


def check_gate(seen: SeenTicket) -> None:
    """Raises WrongResource for a ticket to something else than what is behind the gate."""
    admits_to = ids.show_resource(seen.code.resource)
    if seen.scan.resource_id not in (None, admits_to):
        raise WrongResource(admits_to=admits_to, unit=seen.code.unit)


async def check_in(
    connection: Connection, scans: Sequence[SeenTicket]
) -> list[CheckIn | BespeakError]:
    """Checks tickets of one home in, in one transaction: what became of each, in their order.

    The errors are AlreadyCheckedIn, TicketCancelled, TicketCodeInvalid (there is no such ticket),
    IdempotencyKeyReused.
    """
    requests = [
        CheckInRequestRow(
            booking_id=seen.code.booking,
            ticket=seen.code.ticket,
            admitted_to=seen.code.resource,
            unit=seen.code.unit,
            gate=seen.scan.gate,
            scanned_at=seen.scan.scanned_at,
            idempotency_key=seen.scan.idempotency_key,
            fingerprint=seen.content,
            actor=acting(),
        )
        for seen in scans
    ]
    for left in reversed(range(_TRIES)):
        try:
            rows = await connection.fetch(_QUERIES["check_in"], scans[0].home, requests)
            break
        except COLLIDED:
            if not left:
                raise
    found = {row["ordinal"]: row for row in rows}
    return [_outcome(seen, found[number]) for number, seen in enumerate(scans, start=1)]


def _outcome(seen: SeenTicket, row: Record) -> CheckIn | BespeakError:
    match row["outcome"]:
        case "checked_in":
            return check_in_of(row["check_in"])
        case "replayed":
            return check_in_of(row["check_in"], replayed=True)
        case "already_checked_in":
            first = check_in_of(row["check_in"])
            return AlreadyCheckedIn(checked_in_at=first.checked_in_at, gate=first.gate)
        case "cancelled":
            return TicketCancelled()
        case "not_found":
            return no_such_ticket()
        case "key_reused":
            stored: bytes = row["check_in"]["fingerprint"]
            return IdempotencyKeyReused(fields=differing_fields(_FIELDS, seen.content, stored))
    return InternalError(f"unknown outcome {row['outcome']}")


def no_such_ticket() -> TicketCodeInvalid:
    return TicketCodeInvalid("the code is signed, but there is no such ticket")


def check_in_of(row: Record, *, replayed: bool = False) -> CheckIn:
    booking_id = ids.show(ids.BOOKING, row["booking_id"])
    shown = {
        "id": f"{booking_id}-{row['ticket']}",
        "booking_id": booking_id,
        "index": row["ticket"],
        "resource_id": ids.show_resource(row["admitted_to"]),
        "replayed": replayed,
    }
    return msgspec.convert({**row, **shown}, CheckIn)


def outcome_of(result: CheckIn | BespeakError) -> ScanOutcome:
    """What a batch answers for one of its scans."""
    if isinstance(result, CheckIn):
        outcome: Literal["checked_in", "repeated"]
        outcome = "repeated" if result.replayed else "checked_in"
        return ScanOutcome(outcome, msgspec.structs.replace(result, replayed=False))
    told = {
        name: value
        for name, value in result.data.items()
        if name in ("checked_in_at", "gate", "admits_to", "field")
    }
    problem = msgspec.convert({"code": result.code, "detail": result.detail, **told}, ScanProblem)
    return ScanOutcome("refused", problem=problem)


async def list_page(
    connection: Connection, resource_id: str, after: str | None, limit: int
) -> CheckInPage:
    """A page of the check-ins to a resource. Raises InvalidCursor, InvalidId."""
    number = ids.parse_resource(resource_id)
    before = before_position(after)
    rows = await connection.fetch(_QUERIES["of_resource"], number, before, limit + 1)
    count: int = await connection.fetchval(_QUERIES["count"], number)
    following = str(rows[limit - 1]["position"]) if len(rows) > limit else None
    return CheckInPage([check_in_of(row) for row in rows[:limit]], count, following)


async def entrances(
    connection: Connection,
    text: str | None,
    only: Sequence[str] | None,
    workspace: str | None,
    limit: int,
) -> list[Entrance]:
    """Where tickets may be scanned, the earliest first: of the resources `only`, or of those with
    a text in their name, or else of those near in time; of one workspace or of all. Raises
    InvalidId."""
    numbers = None if only is None else [ids.parse_resource(one) for one in only]
    rows = await connection.fetch(_QUERIES["entrances"], numbers, text, limit, workspace)
    return [
        msgspec.convert({**row, "resource_id": ids.show_resource(row["resource_id"])}, Entrance)
        for row in rows
    ]


async def uses_of(connection: Connection, booking_id: str) -> list[Record]:
    """Which tickets of a booking were used: `ticket`, `checked_in_at`, `gate`."""
    number = ids.parse(ids.BOOKING, booking_id)
    return await connection.fetch(_QUERIES["of_booking"], ids.home_of(number), number)
