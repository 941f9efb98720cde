"""The session of the shop's own pages: who comes without an account is a guest, the same owner as
long as the browser keeps its cookie. The pages then speak the public API as any browser does, with
a pk_ key that is the installation's own and a shopper token of the guest.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import DatabaseUnavailable
from bespeak.http.server.authentication import address_of
from bespeak.http.server.call import Answer, Call
from bespeak.http.server.cookies import GUEST, cookie, set_cookie
from bespeak.http.server.endpoint import ANYONE, OPERATORS, Endpoint
from bespeak.http.server.errors import BoxOfficeClosed, KeyUnknown, OriginNotAllowed, RateLimited
from bespeak.http.server.keys import ApiKey, KeyKind, KeyRing, box_office_key, renew_box_office_key
from bespeak.http.server.origins import is_https
from bespeak.payments.providers.sandbox import Sandbox
from bespeak.ticketing.errors import BookingLinkInvalid
from bespeak.verticals.installed import installed

if TYPE_CHECKING:
    from bespeak.engine import Engine

_CREATED = 201
_TOKEN_SECONDS = 4 * 3600
# So long at most after a renewal that keeps it, a process gives out the old key.
_LOOK_SECONDS = 10.0
LOCALES = ["en", "de", "ar"]
"""The languages of the pages."""


class OpenBoxOffice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for the session of a guest. `booking_token` comes from the link in a booking's mail: the
    session is then of the booking's owner."""

    booking_token: Annotated[str, Meta(min_length=1, max_length=4096)] | None = None


class RenewBoxOfficeKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a new key for the shop's pages; with `keep_old` the one before stays good until it is
    revoked by hand."""

    keep_old: bool = False


class BoxOfficeSession(msgspec.Struct, frozen=True, kw_only=True):
    """What the shop's pages work with: a key, a shopper token until `expires_at`, the owner that
    the guest is, and by `now` the server's time."""

    publishable_key: str
    shopper_token: str
    expires_at: datetime
    owner: str
    now: datetime
    demo: bool
    sandbox: bool
    verticals: list[str]
    locales: list[str]


class OwnKey:
    """The key of the shop's pages, as this process knows it."""

    def __init__(self, engine: Engine, ring: KeyRing) -> None:
        self._engine = engine
        self._ring = ring
        self._text: str | None = None
        self._look_at = 0.0

    async def text(self) -> str:
        """Its text. Raises BoxOfficeClosed where it was revoked and no other was made."""
        if self._text is not None and time.monotonic() < self._look_at:
            try:
                await self._ring.find(self._text)
                return self._text
            except KeyUnknown:
                pass  # revoked: there may be another by now
        async with self._engine.database.borrow() as found:
            text = await box_office_key(found)
        if text != self._text:
            self._ring.forget(text)
        try:
            await self._ring.find(text)
        except KeyUnknown as error:
            raise BoxOfficeClosed("the box office's key was revoked", because="key") from error
        self._text, self._look_at = text, time.monotonic() + _LOOK_SECONDS
        return text


async def open_box_office(call: Call, body: OpenBoxOffice | None) -> Answer:
    """Opens the session of a guest, for the shop's own pages: the same owner as before, where the
    browser still has its cookie."""
    service = call.service
    check_open(call)
    await service.limits.count(KeyKind.PUBLISHABLE, address_of(call.scope))
    publishable = await service.own_key.text()
    kept = service.guests.owner_of(cookie(call.headers, GUEST))
    link = None if body is None else body.booking_token
    owner = kept or service.guests.new_owner()
    if link is not None:
        owner = service.booking_links.owner_by(link)
    token, ends = service.tokens.mint(owner, _TOKEN_SECONDS)
    settings = service.engine.settings
    session = BoxOfficeSession(
        publishable_key=publishable,
        shopper_token=token,
        expires_at=datetime.fromtimestamp(ends, UTC),
        owner=owner,
        now=service.engine.clock.now(),
        demo=settings.demo,
        sandbox=Sandbox.name in service.engine.payments.providers,
        verticals=[vertical.name for vertical in installed()],
        locales=LOCALES,
    )
    headers = [(b"cache-control", b"no-store")]
    if link is None or kept is None:
        # Who follows a link of a friend's mail stays who they are; only this page sees the booking.
        https = is_https(settings.public_url, call.scope["scheme"])
        headers.append(set_cookie(GUEST, service.guests.token(owner), is_https=https))
    return Answer(200, session, headers=headers)


def check_open(call: Call) -> None:
    """Raises BoxOfficeClosed where the installation has no box office."""
    if not call.service.engine.settings.box_office:
        raise BoxOfficeClosed("this installation has no box office", because="setting")


async def renew_key(call: Call, body: RenewBoxOfficeKey) -> Answer:
    """Makes a new key for the shop's pages and revokes the one before. Open pages notice, and ask
    for the new one."""
    engine = call.service.engine
    async with (
        engine.database.borrow() as connection,
        connection.transaction(),
    ):
        return Answer(_CREATED, await renew_box_office_key(connection, body.keep_old))


ENDPOINTS = [
    Endpoint(
        "POST",
        "/v1/box-office/session",
        open_box_office,
        "Open the session of a guest",
        BoxOfficeSession,
        kinds=ANYONE,
        body=OpenBoxOffice,
        body_required=False,
        own_pages_only=True,
        errors=(
            BoxOfficeClosed,
            BookingLinkInvalid,
            OriginNotAllowed,
            RateLimited,
            DatabaseUnavailable,
        ),
    ),
    Endpoint(
        "POST",
        "/v1/box-office/key",
        renew_key,
        "Renew the box office's key",
        ApiKey,
        _CREATED,
        kinds=OPERATORS,
        body=RenewBoxOfficeKey,
    ),
]
