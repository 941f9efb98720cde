"""The session of the shop's own pages: who comes without an account is a guest, the same owner as
long as the browser keeps its cookie. The pages then speak the public API as any browser does, with
a pk_ key that is the installation's own and a shopper token of the guest.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import DatabaseUnavailable
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.cookies import GUEST, cookie, set_cookie
from bespeak.http.server.endpoint import ANYONE, OPERATORS, endpoint_table
from bespeak.http.server.errors import (
    BoxOfficeClosed,
    BudgetSpent,
    ChallengeRequired,
    OriginNotAllowed,
    RateLimited,
)
from bespeak.http.server.keys import ApiKey, renew_box_office_key
from bespeak.http.server.origins import is_https
from bespeak.http.server.scopes import ADMIN
from bespeak.payments.providers.sandbox import Sandbox
from bespeak.postgres.errors import DatabaseReadOnly
from bespeak.ticketing.errors import BookingLinkInvalid
from bespeak.verticals.installed import installed

_TOKEN_SECONDS = 4 * 3600
LOCALES = ["en", "de", "ar"]
"""The languages of the pages."""

ENDPOINTS, endpoint = endpoint_table(tags.BOX_OFFICE)


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


@endpoint(
    "POST",
    "/v1/box-office/session",
    "Open the session of a guest",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(
        BudgetSpent,
        ChallengeRequired,
        BoxOfficeClosed,
        BookingLinkInvalid,
        OriginNotAllowed,
        RateLimited,
        DatabaseReadOnly,
        DatabaseUnavailable,
    ),
)
async def open_box_office_session(
    call: Call[None, OpenBoxOffice | None],
) -> JsonAnswer[BoxOfficeSession]:
    """Opens the session of a guest, for the shop's own pages: the same owner as before, where the
    browser still has its cookie."""
    service = call.service
    check_open(call)
    await service.limits.count_guest_session(call.client_address.prefix)
    publishable = await service.box_office_key.text()
    https = is_https(service.engine.settings.public_url, call.scope["scheme"])
    kept = service.guests.owner_of(cookie(call.headers, GUEST, is_https=https))
    link = None if call.body is None else call.body.booking_token
    owner = kept or service.guests.new_owner()
    if kept is None:
        await service.budgets.admit_guest(call.visitor(owner))
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
    if link is None:
        # Who follows a link stays who they are, or nobody: whoever forwards a mail, or makes
        # somebody click on a link of theirs, must not share an identity with them for a year.
        headers.append(set_cookie(GUEST, service.guests.token(owner), is_https=https))
    return JsonAnswer(200, session, headers=headers)


def check_open(call: Call[object, object]) -> None:
    """Raises BoxOfficeClosed where the installation has no box office."""
    if not call.engine.settings.box_office:
        raise BoxOfficeClosed("this installation has no box office", because="setting")


@endpoint(
    "POST",
    "/v1/box-office/key",
    "Renew the box office's key",
    status=201,
    kinds=OPERATORS,
    scopes=ADMIN,
    audited=True,
)
async def renew_shop_key(call: Call[None, RenewBoxOfficeKey]) -> ApiKey:
    """Makes a new key for the shop's pages and revokes the one before. Open pages notice, and ask
    for the new one."""
    async with call.engine.database.borrow() as connection, connection.transaction():
        return await renew_box_office_key(connection, call.body.keep_old)
