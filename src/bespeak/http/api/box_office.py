"""The session of the shop's own pages: who comes without an account is a guest, the same owner as
long as the browser keeps its cookie. The pages then speak the public API as any browser does, with
a pk_ key that is the installation's own and a shopper token of the guest.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

import msgspec

from bespeak.errors import DatabaseUnavailable, Unavailable
from bespeak.http.api.merchants import MerchantView, merchant_view
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.cookies import GUEST, cookie, places_taken_away, set_cookie, taken_away
from bespeak.http.server.endpoint import ANYONE, OPERATORS, endpoint_table
from bespeak.http.server.errors import (
    BoxOfficeClosed,
    BudgetSpent,
    ChallengeRequired,
    OriginNotAllowed,
    RateLimited,
)
from bespeak.http.server.keys import ApiKey, renew_box_office_key
from bespeak.http.server.map_tiles import MapTiles, map_tiles_of
from bespeak.http.server.scopes import ADMIN
from bespeak.http.server.service import Service
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.workspaces import DEFAULT
from bespeak.payments.forms import payment_form
from bespeak.payments.providers.provider import PaymentForm
from bespeak.postgres.errors import DatabaseReadOnly
from bespeak.verticals.installed import installed

_TOKEN_SECONDS = 4 * 3600
LOCALES = ["en", "de", "ar"]
"""The languages of the pages."""

ENDPOINTS, endpoint = endpoint_table(tags.BOX_OFFICE)


class RenewBoxOfficeKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a new key for the shop's pages; with `keep_old` the one before stays good until it is
    revoked by hand."""

    keep_old: bool = False


class BoxOfficeSession(msgspec.Struct, frozen=True, kw_only=True):
    """What the shop's pages work with: a key, a shopper token until `expires_at`, the owner that
    the guest is, and by `now` the server's time; who sells, so that the first page need not ask
    (null: it could not be read now); the form in which buyers pay in these pages (null: they
    cannot), whose `provider` the page names with what it pays; the verticals, and those whose
    catalogue comes from files too (`imports`); and the tiles of the map of stays
    (null: it has its own outline)."""

    publishable_key: str
    shopper_token: str
    expires_at: datetime
    owner: str
    now: datetime
    demo: bool
    payment_form: PaymentForm | None
    verticals: list[str]
    imports: list[str]
    locales: list[str]
    merchant: MerchantView | None
    map_tiles: MapTiles | None


class ForgottenGuest(msgspec.Struct, frozen=True):
    """This browser is nobody's any more."""

    status: Literal["forgotten"]


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
        OriginNotAllowed,
        RateLimited,
        DatabaseReadOnly,
        DatabaseUnavailable,
    ),
)
async def open_box_office_session(
    call: Call[None, None],
) -> JsonAnswer[BoxOfficeSession]:
    """Opens the session of a guest, for the shop's own pages: the same owner as before, where the
    browser still has its cookie."""
    service = call.service
    check_open(call)
    await service.limits.count_guest_session(call.client_address.prefix)
    publishable = await service.box_office_key.text()
    kept = service.guests.owner_of(cookie(call.headers, GUEST, is_https=call.is_https))
    owner = kept or service.guests.new_owner()
    if kept is None:
        await service.budgets.admit_guest(call.visitor(owner))
    token, ends = service.tokens.mint(owner, _TOKEN_SECONDS)
    settings = service.engine.settings
    session = BoxOfficeSession(
        publishable_key=publishable,
        shopper_token=token,
        expires_at=datetime.fromtimestamp(ends, UTC),
        owner=owner,
        now=service.engine.clock.now(),
        demo=settings.demo,
        payment_form=await payment_form(service.engine.payments),
        verticals=[vertical.name for vertical in installed()],
        imports=[
            vertical.name
            for vertical in installed()
            if any(call.path == "/import" for call in vertical.calls)
        ],
        locales=LOCALES,
        merchant=await _merchant(service),
        map_tiles=map_tiles_of(settings),
    )
    guest = set_cookie(GUEST, service.guests.token(owner), is_https=call.is_https)
    headers = [(b"cache-control", b"no-store"), guest]
    return JsonAnswer(200, session, headers=headers)


@endpoint(
    "DELETE",
    "/v1/box-office/session",
    "Forget the guest on this device",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(OriginNotAllowed,),
)
async def forget_guest(call: Call[None, None]) -> JsonAnswer[ForgottenGuest]:
    """Takes the guest's cookie away from this browser, under each name that it may have, and the
    places in waiting rooms. Bookings stay; the page releases what it holds before."""
    https = call.is_https
    away = [*taken_away(GUEST, is_https=https), *places_taken_away(call.headers, is_https=https)]
    headers = [(b"cache-control", b"no-store"), *away]
    return JsonAnswer(200, ForgottenGuest("forgotten"), headers=headers)


async def _merchant(service: Service) -> MerchantView | None:
    """Who sells; a shop goes on showing what it has while the database is away."""
    try:
        return merchant_view(await service.merchants.of(DEFAULT))
    except Unavailable:
        return None


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
    reach=Reach.INSTALLATION,
    audited=True,
)
async def renew_shop_key(call: Call[None, RenewBoxOfficeKey]) -> ApiKey:
    """Makes a new key for the shop's pages and revokes the one before. Open pages notice, and ask
    for the new one."""
    async with call.engine.database.borrow() as connection, connection.transaction():
        return await renew_box_office_key(connection, call.body.keep_old)
