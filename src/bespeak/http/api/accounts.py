"""The account of an address of e-mail at the box office: signing in by the code of a mail, and the
bookings of that address together, each with the link by which its page opens.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import DatabaseUnavailable, InvalidCursor, InvalidRequest
from bespeak.http.api.booking_lists import ListedBooking, bookings_of_email
from bespeak.http.api.box_office import check_open
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.cookies import SIGN_IN, cookie, set_cookie, taken_away
from bespeak.http.server.endpoint import ANYONE, documented, endpoint_table
from bespeak.http.server.errors import (
    BoxOfficeClosed,
    NotSignedIn,
    OriginNotAllowed,
    RateLimited,
    SignInCodeWrong,
    SignInOver,
)
from bespeak.http.server.languages import answered_in
from bespeak.http.server.sign_ins import SignedIn
from bespeak.notifications.errors import MailedTooOften
from bespeak.postgres.errors import DatabaseReadOnly
from bespeak.reservations.contact import EmailAddress, LocaleName

_NOT_KEPT = (b"cache-control", b"no-store")
_PAGE_MAX = 20
_DATABASE = (DatabaseReadOnly, DatabaseUnavailable)

ENDPOINTS, endpoint = endpoint_table(tags.BOX_OFFICE)


class AskSignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a mail with a code to this address, in this language."""

    email: EmailAddress
    locale: LocaleName | None = None


class SignInCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code of the mail."""

    code: Annotated[
        str,
        Meta(
            pattern=r"^[0-9]{8}\Z",
            extra_json_schema={"pattern": "^[0-9]{8}$"},
            description="the eight digits of the mail",
            examples=["01234567"],
        ),
    ]


class AskedSignIn(msgspec.Struct, frozen=True):
    """If the address has bookings here, a mail is on its way; its code is good until then."""

    ends_at: datetime


class AccountView(msgspec.Struct, frozen=True):
    """Whose bookings this browser may see together, and until when."""

    email: str
    ends_at: datetime


class SignedOut(msgspec.Struct, frozen=True):
    """Nobody is signed in with this browser any more."""

    status: Literal["ended"]


class AccountQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the bookings."""

    after: Annotated[str, documented("^[0-9a-f]{1,14}-[0-9a-f]{32}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=_PAGE_MAX)] = _PAGE_MAX


class AccountBooking(msgspec.Struct, frozen=True):
    """A booking of the address, with the token of a link to it."""

    listed: ListedBooking
    link: str


class AccountBookings(msgspec.Struct, frozen=True):
    """A page of bookings, the latest first; `next` is the cursor of the one after."""

    items: list[AccountBooking]
    next: str | None


@endpoint(
    "POST",
    "/v1/box-office/account/sign-ins",
    "Ask for the mail of a sign-in",
    status=202,
    kinds=ANYONE,
    own_pages_only=True,
    errors=(BoxOfficeClosed, OriginNotAllowed, RateLimited, MailedTooOften, *_DATABASE),
)
async def ask_sign_in(call: Call[None, AskSignIn]) -> JsonAnswer[AskedSignIn]:
    """Sends a code to an address, if it has bookings here; the answer is the same if not. The code
    is good in the browser that asked, once."""
    check_open(call)
    await call.service.limits.count_sign_in(call.client_address.prefix)
    kept, ends_at = await call.service.sign_ins.ask(call.body.email, call.body.locale)
    headers = (set_cookie(SIGN_IN, kept, is_https=call.is_https), _NOT_KEPT)
    return JsonAnswer(202, AskedSignIn(ends_at), headers=headers)


@endpoint(
    "POST",
    "/v1/box-office/account",
    "Sign in by the code of a mail",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(BoxOfficeClosed, OriginNotAllowed, SignInCodeWrong, SignInOver, *_DATABASE),
)
async def sign_in(call: Call[None, SignInCode]) -> JsonAnswer[AccountView]:
    """Signs in the browser that asked for the code."""
    check_open(call)
    signed_in = await call.service.sign_ins.use(_kept(call), call.body.code)
    return JsonAnswer(200, _view(signed_in), headers=(_NOT_KEPT,))


@endpoint(
    "GET",
    "/v1/box-office/account",
    "Read who is signed in",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(BoxOfficeClosed, OriginNotAllowed, NotSignedIn, *_DATABASE),
)
async def get_account(call: Call[None, None]) -> JsonAnswer[AccountView]:
    """Whose bookings this browser may see together."""
    check_open(call)
    signed_in = await call.service.sign_ins.find(_kept(call))
    return JsonAnswer(200, _view(signed_in), headers=(_NOT_KEPT,))


@endpoint(
    "DELETE",
    "/v1/box-office/account",
    "Sign out",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(OriginNotAllowed, *_DATABASE),
)
async def sign_out(call: Call[None, None]) -> JsonAnswer[SignedOut]:
    """Signs out, for each copy of the cookie. Where nobody is signed in, that is so already."""
    await call.service.sign_ins.end(_kept(call))
    headers = [_NOT_KEPT, *taken_away(SIGN_IN, is_https=call.is_https)]
    return JsonAnswer(200, SignedOut("ended"), headers=headers)


@endpoint(
    "GET",
    "/v1/box-office/account/bookings",
    "List the bookings of an address",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(
        BoxOfficeClosed,
        OriginNotAllowed,
        NotSignedIn,
        InvalidCursor,
        InvalidRequest,
        *_DATABASE,
    ),
)
async def list_account_bookings(call: Call[AccountQuery, None]) -> JsonAnswer[AccountBookings]:
    """The bookings that guests have made with the address of who is signed in."""
    check_open(call)
    service = call.service
    signed_in = await service.sign_ins.find(_kept(call))
    query = call.query
    language = answered_in(call.caller, call.headers, None)
    page = await bookings_of_email(
        call.engine.reads, signed_in.email, query.after, query.limit, language
    )
    items: list[AccountBooking] = []
    for listed in page.items:
        link = await service.booking_links.token(await call.engine.get_booking(listed.booking.id))
        if link is not None:  # None: it was erased a moment ago
            items.append(AccountBooking(listed, link))
    return JsonAnswer(200, AccountBookings(items, page.next), headers=(_NOT_KEPT,))


def _kept(call: Call[object, object]) -> str | None:
    return cookie(call.headers, SIGN_IN, is_https=call.is_https)


def _view(signed_in: SignedIn) -> AccountView:
    return AccountView(signed_in.email, signed_in.ends_at)
