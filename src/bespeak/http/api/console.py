"""The session of an operator at the console: opened with an admin key, kept by a cookie that no
script can read and no other site can use, ended by its logout, by the key's revocation, or by time.
Operators with accounts open theirs by the calls of `operator_logins.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import DatabaseUnavailable
from bespeak.http.api.box_office import check_open
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.audit_log import NOBODY, add_entry
from bespeak.http.server.call import Call
from bespeak.http.server.cookies import CONSOLE, cookie, set_cookie
from bespeak.http.server.endpoint import ANYONE, endpoint_table
from bespeak.http.server.errors import (
    BoxOfficeClosed,
    ConsoleSessionInvalid,
    CsrfTokenInvalid,
    KeyExpired,
    KeyKindWrong,
    KeyUnknown,
    OriginNotAllowed,
    RateLimited,
)
from bespeak.http.server.keys import ApiKey
from bespeak.http.server.scopes import KeyScope
from bespeak.http.server.service import Service
from bespeak.http.server.sessions import CONSOLE_KINDS, ConsoleSession
from bespeak.notifications.mail.outbox import has_outbox
from bespeak.payments.providers.desk import Desk
from bespeak.payments.providers.sandbox import Sandbox
from bespeak.postgres.errors import DatabaseReadOnly

_NOT_KEPT = (b"cache-control", b"no-store")

ENDPOINTS, endpoint = endpoint_table(tags.CONSOLE)


class LogIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Log in at the console, with the text of an admin or restricted key."""

    key: Annotated[str, Meta(min_length=1, max_length=100)]


class ConsoleSessionView(msgspec.Struct, frozen=True):
    """A session: the token that its changes bring in the header Bespeak-CSRF, when it is over, and
    the name of its key with its scopes, its workspace, and whether it is bound to resources or a
    place; whether buyers pay with pretend money, at the sandbox, outside the demo; whether mails
    are written into an outbox that can be opened here; whether there is a desk, at which money is
    taken by hand; whether guests can pay online, and whether mails are sent. `operator_id` is null
    where somebody logged in with a key."""

    csrf_token: str
    expires_at: datetime
    name: str
    scopes: list[KeyScope]
    workspace: str
    is_bound: bool
    pretend_money: bool
    has_outbox: bool
    has_desk: bool
    takes_payments: bool
    sends_mail: bool
    has_free_sales: bool
    operator_id: str | None


class LoggedOut(msgspec.Struct, frozen=True):
    """That the session is over."""

    status: str


@endpoint(
    "POST",
    "/v1/console/session",
    "Log in at the console",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(
        BoxOfficeClosed,
        KeyUnknown,
        KeyExpired,
        KeyKindWrong,
        OriginNotAllowed,
        RateLimited,
        DatabaseReadOnly,
        DatabaseUnavailable,
    ),
)
async def log_in(call: Call[None, LogIn]) -> JsonAnswer[ConsoleSessionView]:
    """Opens a session at the console for whoever has an admin key, or a restricted one, which may
    there what its scopes say."""
    service = call.service
    check_open(call)
    address = call.client_address.prefix
    await service.limits.check_login(address)
    try:
        key = await _operators_key(call, call.body.key)
    except (KeyUnknown, KeyExpired, KeyKindWrong) as error:
        service.audit_log.count_refusal(NOBODY, "log_in", error.code)
        await service.limits.count_failed_login(address)
        raise
    await end_former(call)
    async with call.engine.database.borrow() as connection:
        await add_entry(connection, key.id, "log_in", address=address)
    token, session = service.consoles.open(key)
    return await opened(call, token, session)


@endpoint(
    "GET",
    "/v1/console/session",
    "Read the console's session",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(ConsoleSessionInvalid, OriginNotAllowed, DatabaseReadOnly, DatabaseUnavailable),
)
async def get_console_session(call: Call[None, None]) -> JsonAnswer[ConsoleSessionView]:
    """Reads the session of the console's cookie."""
    session = await session_of(call)
    return JsonAnswer(200, await _view(call.service, session), headers=(_NOT_KEPT,))


@endpoint(
    "DELETE",
    "/v1/console/session",
    "Log out of the console",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(CsrfTokenInvalid, OriginNotAllowed, DatabaseReadOnly, DatabaseUnavailable),
)
async def log_out(call: Call[None, None]) -> JsonAnswer[LoggedOut]:
    """Ends the session, for every copy of its cookie. Where there is none, that is so already."""
    try:
        session = await session_of(call)
    except ConsoleSessionInvalid:
        session = None
    if session is not None:
        session.check_csrf(call.headers.get(b"bespeak-csrf"))
        await _end(call, session)
    headers = (set_cookie(CONSOLE, "", is_https=call.is_https), _NOT_KEPT)
    return JsonAnswer(200, LoggedOut("ended"), headers=headers)


async def opened(
    call: Call[object, object], token: str, session: ConsoleSession
) -> JsonAnswer[ConsoleSessionView]:
    """The answer that logs somebody in."""
    headers = (set_cookie(CONSOLE, token, is_https=call.is_https), _NOT_KEPT)
    return JsonAnswer(200, await _view(call.service, session), headers=headers)


async def session_of(call: Call[object, object]) -> ConsoleSession:
    """The session of the call's cookie. Raises ConsoleSessionInvalid."""
    token = cookie(call.headers, CONSOLE, is_https=call.is_https)
    return await call.service.consoles.find(token)


async def _operators_key(call: Call[object, object], text: str) -> ApiKey:
    key = await call.service.keys.find(text.strip())
    if key.kind not in CONSOLE_KINDS:
        raise KeyKindWrong(kinds=sorted(CONSOLE_KINDS))
    return key


async def end_former(call: Call[object, object]) -> None:
    """Ends the session that the browser has still: its cookie is replaced, but not its copies."""
    try:
        former = await call.service.consoles.find(
            cookie(call.headers, CONSOLE, is_https=call.is_https)
        )
    except ConsoleSessionInvalid:
        return
    await _end(call, former)


async def _end(call: Call[object, object], session: ConsoleSession) -> None:
    async with call.engine.database.borrow() as connection, connection.transaction():
        await call.service.consoles.end(connection, session)
        await add_entry(connection, session.key.id, "log_out", address=call.client_address.prefix)


async def _view(service: Service, session: ConsoleSession) -> ConsoleSessionView:
    engine, key = service.engine, session.key
    pretends = Sandbox.name in engine.payments.providers and not engine.settings.demo
    operator_id = None if session.operator is None else key.id
    return ConsoleSessionView(
        session.csrf_token,
        session.expires_at,
        key.name,
        key.scopes,
        key.workspace,
        key.is_bound,
        pretends,
        has_outbox(engine.settings),
        Desk.name in engine.payments.providers,
        await engine.payments.takes_payments(),
        await service.mail_ways.sends(),
        engine.settings.free_sales,
        operator_id,
    )
