"""Calendar links: whoever has one may read the calendar of one resource, without a key. Each has a
row, by which it is listed, ends and is revoked; its token is signed, so that a made-up one costs
the database nothing.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak import ids
from bespeak.http.server.errors import (
    CalendarLinkInvalid,
    CalendarLinkNotFound,
    CalendarLinksFull,
)
from bespeak.postgres.errors import DatabaseReadOnly
from bespeak.postgres.queries import load
from bespeak.signed_tokens import TokenInvalid, TokenSigner

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.http.server", "calendar_links.sql")
# Neither is that of shopper tokens, so that no token opens what it was not made for.
_ISSUER = "bespeak/calendars"
_AUDIENCE = "calendar"
_ID_DIGITS = 16
LINKS_MAX = 100
"""How many good links a resource may have at once."""


class CalendarView(NamedTuple):
    """What a calendar shows: whether it tells who has booked and why something is blocked, and
    which imported calendars it leaves out."""

    details: bool
    without: list[str]


class CalendarLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link to the calendar of a resource, as it can be shown: never its token. `used_at` is the
    hour in which it was last used."""

    id: str
    resource_id: str
    name: str | None
    details: bool
    without: list[str]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    is_over: bool


class CalendarLinkPage(msgspec.Struct, frozen=True):
    """A page of calendar links, the latest first; `next` is the cursor of the page after."""

    items: list[CalendarLink]
    next: str | None


class CalendarLinks:
    def __init__(self, secret: bytes, database: Database) -> None:
        self._database = database
        self._signer = TokenSigner(secret, "sub", "jti", iss=_ISSUER, aud=_AUDIENCE)

    async def make(
        self, resource_id: str, view: CalendarView, name: str | None, seconds: int | None
    ) -> tuple[str, CalendarLink]:
        """A new link to the calendar of a resource, and its token. Raises CalendarLinksFull,
        DatabaseUnavailable."""
        link_id = "cal_" + ids.random_digits(_ID_DIGITS)
        number = ids.parse_resource(resource_id)
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(
                _QUERIES["make"],
                *(link_id, number, name, view.details, view.without, seconds, LINKS_MAX),
            )
        if row is None:
            raise CalendarLinksFull(limit=LINKS_MAX)
        return self._signer.make(sub=resource_id, jti=link_id), _link_of(row, is_over=False)

    def read(self, token: str | None, resource_id: str) -> str:
        """The id of the link that a token is of. Raises CalendarLinkInvalid for one that is not of
        this resource."""
        try:
            claims = self._signer.read(token)
        except TokenInvalid as error:
            raise CalendarLinkInvalid from error
        if claims["sub"] != resource_id:
            raise CalendarLinkInvalid("the link is to the calendar of another resource")
        return str(claims["jti"])

    async def open(self, token: str | None, resource_id: str) -> CalendarView:
        """What a token opens now. Raises CalendarLinkInvalid, DatabaseUnavailable."""
        link_id = self.read(token, resource_id)
        number = ids.parse_resource(resource_id)
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["open"], link_id, number)
        if row is None:
            raise CalendarLinkInvalid("the link is over, or was revoked")
        if row["is_first_use"]:
            # The calendar is read all the same where nothing can be written.
            with suppress(DatabaseReadOnly):
                async with self._database.borrow() as connection:
                    await connection.execute(_QUERIES["use"], link_id)
        return CalendarView(row["details"], row["without"])


async def list_links(
    connection: Connection,
    before: int,
    resource_id: str | None,
    limit: int,
    *,
    workspace: str | None = None,
) -> CalendarLinkPage:
    """A page of links, those after a cursor, of a workspace or of all. Raises InvalidId."""
    number = None if resource_id is None else ids.parse_resource(resource_id)
    rows = await connection.fetch(_QUERIES["list"], before, number, limit + 1, workspace)
    items = [_link_of(row, is_over=row["is_over"]) for row in rows[:limit]]
    return CalendarLinkPage(items, str(rows[limit - 1]["number"]) if len(rows) > limit else None)


async def revoke_link(connection: Connection, resource_id: str, link_id: str) -> CalendarLink:
    """Ends a link, everywhere and at once. Raises CalendarLinkNotFound, InvalidId."""
    number = ids.parse_resource(resource_id)
    row = None
    if link_id.isprintable():  # PostgreSQL takes no text with a zero byte
        row = await connection.fetchrow(_QUERIES["revoke"], link_id, number)
    if row is None:
        raise CalendarLinkNotFound
    return _link_of(row, is_over=True)


def _link_of(row: Record, *, is_over: bool) -> CalendarLink:
    return CalendarLink(
        id=row["link_id"],
        resource_id=ids.show_resource(row["resource_id"]),
        name=row["name"],
        details=row["details"],
        without=row["without"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        used_at=row["used_at"],
        is_over=is_over,
    )
