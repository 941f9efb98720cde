"""Links that are good once, for a day: with one a new operator sets up a login, and one whose
telephone is lost sets it up anew. The database keeps the hash of what the link has in it.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.http.server.operators.accounts import Operator, OperatorState, get
from bespeak.http.server.operators.errors import OperatorDisabled, OperatorLinkInvalid
from bespeak.http.server.operators.sites import relying_party
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.http.server.operators", "links.sql")
_PREFIX = "opl_"
_DIGITS = 32
_LENGTH_MAX = 100
# What the link opens; the secret stands behind `#`, which browsers send to no server.
_PAGE = "/console/set-up#"


class LinkPurpose(StrEnum):
    """`invite`: the first login. `reset`: whatever was there before is gone when it is used."""

    INVITE = "invite"
    RESET = "reset"


class OpenedLink(NamedTuple):
    """A link that is good: whose it is, and what for."""

    operator: Operator
    purpose: LinkPurpose
    expires_at: datetime


async def make_link(connection: Connection, operator: Operator) -> tuple[str, datetime]:
    """The secret of a new link, and until when it is good; those before are good no more. For who
    had a login it is a reset, and all their sessions end. In a transaction of the caller's.
    Raises OperatorDisabled."""
    text = _PREFIX + ids.random_digits(_DIGITS)
    purpose = LinkPurpose.INVITE
    if operator.state is not OperatorState.INVITED:
        purpose = LinkPurpose.RESET
    row = await connection.fetchrow(_QUERIES["make"], digest_of(text), operator.id, purpose.value)
    if row is None:
        raise OperatorDisabled
    return text, row["expires_at"]


async def look_at_link(connection: Connection, text: str) -> OpenedLink:
    """What a link is for; it stays as good as it is. Raises OperatorLinkInvalid."""
    row = await connection.fetchrow(_QUERIES["look"], digest_of(text))
    if row is None:
        raise OperatorLinkInvalid
    operator = await get(connection, row["operator_id"])
    return OpenedLink(operator, LinkPurpose(row["purpose"]), row["expires_at"])


async def use_link(connection: Connection, text: str) -> OpenedLink:
    """Uses a link up. A reset takes all ways to log in away, for the new one. In the transaction
    that sets up the login. Raises OperatorLinkInvalid."""
    row = await connection.fetchrow(_QUERIES["use"], digest_of(text))
    if row is None:
        raise OperatorLinkInvalid
    if row["purpose"] == LinkPurpose.RESET:
        for name in ("forget_operator", "forget_passkeys", "forget_codes", "end_sessions"):
            await connection.execute(_QUERIES[name], row["operator_id"])
    await connection.execute(_QUERIES["activate"], row["operator_id"])
    operator = await get(connection, row["operator_id"])
    return OpenedLink(operator, LinkPurpose(row["purpose"]), row["expires_at"])


def link_at(public_url: str, text: str) -> str:
    """Where a link is opened: at the name for which browsers have passkeys, where there is one."""
    site = relying_party(public_url)
    origin = public_url.rstrip("/") if site is None else site.origin
    return f"{origin}{_PAGE}{text}"


def digest_of(text: str) -> bytes:
    """What is kept of a link. Raises OperatorLinkInvalid."""
    if len(text) > _LENGTH_MAX or not text.startswith(_PREFIX):
        raise OperatorLinkInvalid
    # It has 160 random bits, so a plain fast hash keeps it.
    return hashlib.sha256(text.encode()).digest()
