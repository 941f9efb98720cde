"""Ticket codes: the signed text in a ticket's QR code. It is a compact JWS (RFC 7515) whose payload
is a JSON array, which keeps it to about 200 characters; whoever has the public keys can verify it.

The payload: the booking's id without its prefix, which of its tickets (from 1), the resource's id
without its prefix, the unit or null, and when it begins: seconds since 1970, a date, or null.
"""

from __future__ import annotations

from typing import TypeAlias
from uuid import UUID

import msgspec
from joserfc import jws
from joserfc.errors import JoseError

from bespeak import ids
from bespeak.errors import InvalidId
from bespeak.ticketing.errors import TicketCodeInvalid
from bespeak.ticketing.keys import ALGORITHM, TicketKeys

CODE_LENGTH_MAX = 2000
_Begins: TypeAlias = int | str | None
_Payload: TypeAlias = tuple[str, int, str, str | None, _Begins]
_DECODER: msgspec.json.Decoder[_Payload] = msgspec.json.Decoder(_Payload)
_TICKET_MAX = 2_000_000_000


class TicketCode(msgspec.Struct, frozen=True):
    """What a code says: which ticket of which booking it is, and what for, as it was when the code
    was made. `begins` is seconds since 1970, a date, or None."""

    booking: UUID
    ticket: int
    resource: int
    unit: str | None
    begins: _Begins = None


def sign(code: TicketCode, keys: TicketKeys) -> str:
    """The code as a text, signed by the newest key."""
    payload: _Payload = (
        ids.show(ids.BOOKING, code.booking).partition("_")[2],
        code.ticket,
        ids.show_resource(code.resource).partition("_")[2],
        code.unit,
        code.begins,
    )
    header = {"alg": ALGORITHM, "kid": keys.newest_id}
    return jws.serialize_compact(
        header, msgspec.json.encode(payload), keys.newest, algorithms=[ALGORITHM]
    )


def key_named(text: str) -> str:
    """The id of the key that a code says it was signed with; empty for what is no code."""
    if len(text) > CODE_LENGTH_MAX:
        return ""
    try:
        named = jws.extract_compact(text.strip().encode("ascii")).headers().get("kid")
    except (JoseError, ValueError, TypeError):
        return ""
    return named if isinstance(named, str) else ""


def read(text: str, keys: TicketKeys) -> TicketCode:
    """What a code says. Raises TicketCodeInvalid for one that these keys did not sign."""
    named = key_named(text)
    key = keys.get(named)
    if key is None:
        raise TicketCodeInvalid("it was signed with another key" if named else None)
    try:
        content = jws.deserialize_compact(text.strip(), key, algorithms=[ALGORITHM]).payload
        booking, ticket, resource, unit, begins = _DECODER.decode(content)
        code = TicketCode(
            ids.parse(ids.BOOKING, f"{ids.BOOKING}_{booking}"),
            ticket,
            ids.parse_resource(f"res_{resource}"),
            unit,
            begins,
        )
    except (JoseError, InvalidId, msgspec.DecodeError, ValueError, TypeError) as error:
        raise TicketCodeInvalid from error
    if not 1 <= code.ticket <= _TICKET_MAX:
        raise TicketCodeInvalid
    return code
