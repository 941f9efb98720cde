"""Requests and answers of a verb on a connection of the caller's: as JSON text, because a codec
that the connection has for its own purposes changes what values come to, and makes asyncpg refuse
records that have such a value in them. Answers read as the rows of our own connections do.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import (
    TYPE_CHECKING,
    Any,  # any: JSON, which is decoded where its type is known
    TypedDict,
    cast,
)
from uuid import UUID

import msgspec

from bespeak.errors import InternalError
from bespeak.postgres.pool import require_transaction

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record


_JSON_FIELDS = ("contact",)  # of requests: what stands in them is JSON already


class _Bytes(bytes):
    """A bytea, which JSON has as `\\x` and hexadecimal digits."""


class _HoldRow(TypedDict):
    resource_id: int
    hold_id: UUID
    owner: str
    state: str
    resources: list[int]
    units: list[str]
    quantities: list[int | None]
    limit_lines: int
    created_at: datetime
    expires_at: datetime
    extends_until: datetime
    ended_at: datetime | None
    fingerprint: _Bytes | None
    amount: int
    currency: str
    shown_quantities: list[int] | None
    shown: Any  # any: see json_text
    amounts: list[int] | None
    quote: Any  # any: as above


class _BookingRow(TypedDict):
    resource_id: int
    booking_id: UUID
    owner: str
    state: str
    amount: int
    currency: str
    cancelled: list[int] | None
    confirmed_at: datetime
    cancelled_at: datetime | None
    reason: str | None
    cancelled_shown: list[int] | None


class _PaymentRow(TypedDict):
    amount: int
    refunding: int


class _Row(TypedDict, total=False):
    ordinal: int
    outcome: str
    answered_at: datetime
    hold: _HoldRow | None
    booking: _BookingRow | None
    payment: _PaymentRow | None
    details: Any  # any: as above
    numbers: list[int]
    versions: list[int]


async def fetch_caller_row(
    connection: Connection, statement: str, *arguments: object
) -> Record | None:
    """The one row of a statement that answers it as JSON text; None where there is none."""
    text: str | None = await connection.fetchval(statement, *arguments)
    return None if text is None else cast("Record", _in_utc(_DECODER.decode(text)))


async def write_as_caller(
    connection: Connection, statement: str | None, arguments: Iterable[object]
) -> Record:
    """The answer of a batched statement, in its form for callers, to its one request: part of the
    caller's transaction. Raises NoTransaction."""
    require_transaction(connection)
    if statement is None:
        raise InternalError("this verb is not for a caller's connection")
    as_json = [_as_json(one) if _has_rows(one) else one for one in arguments]
    row = await fetch_caller_row(connection, statement, *as_json)
    if row is None:
        raise InternalError("a verb answers one row for each request")
    return row


def _has_rows(argument: object) -> bool:
    return isinstance(argument, list) and bool(argument) and isinstance(argument[0], tuple)


def _as_json(rows: object) -> str:
    return msgspec.json.encode(_named(rows)).decode()


def _named(value: object) -> object:
    """A row as an object with the names of its fields; a bytea as PostgreSQL reads it."""
    match value:
        case bytes():
            return f"\\x{value.hex()}"
        case tuple() if hasattr(value, "_fields"):
            named = {name: _named(inner) for name, inner in zip(value._fields, value, strict=True)}
            return named | {
                name: msgspec.Raw(text.encode())
                for name in _JSON_FIELDS
                if isinstance(text := named.get(name), str)
            }
        case list() | tuple():
            return [_named(inner) for inner in value]
    return value


def _in_utc(value: object) -> object:
    match value:
        case dict():
            return {key: _in_utc(inner) for key, inner in value.items()}
        case datetime():
            return value.astimezone(UTC)
    return value


def _read_bytes(kind: type, value: object) -> object:
    if kind is not _Bytes or not isinstance(value, str):
        raise NotImplementedError(kind)
    return _Bytes.fromhex(value.removeprefix("\\x"))


_DECODER: msgspec.json.Decoder[_Row] = msgspec.json.Decoder(_Row, dec_hook=_read_bytes)
