"""The logins of operators with accounts: by a passkey, by a password, and by the link that sets one
of them up. Whatever fails is counted against the address, and against the name that was typed.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import DatabaseUnavailable
from bespeak.http.api.box_office import check_open
from bespeak.http.api.console import ConsoleSessionView, end_former, opened
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.asgi import all_headers
from bespeak.http.server.audit_log import NOBODY
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import ANYONE, endpoint_table
from bespeak.http.server.errors import BoxOfficeClosed, OriginNotAllowed, RateLimited
from bespeak.http.server.operators.accounts import NAME_LENGTH_MAX
from bespeak.http.server.operators.credentials import Credential, JsonObject
from bespeak.http.server.operators.errors import (
    LoginFailed,
    OperatorLinkInvalid,
    PasskeysUnavailable,
    PasswordTooEasy,
    ProofFailed,
    SecondFactorRequired,
)
from bespeak.http.server.operators.links import LinkPurpose
from bespeak.http.server.operators.logins import Visit
from bespeak.http.server.operators.roles import OperatorRole
from bespeak.http.server.operators.sessions import OperatorSession
from bespeak.postgres.errors import DatabaseReadOnly

ENDPOINTS, endpoint = endpoint_table(tags.CONSOLE)

_DATABASE = (DatabaseReadOnly, DatabaseUnavailable)
_LOGIN_ERRORS = (BoxOfficeClosed, OriginNotAllowed, RateLimited, *_DATABASE)
PasswordText = Annotated[str, Meta(min_length=1, max_length=1000)]
CodeText = Annotated[str, Meta(min_length=1, max_length=40)]
PasskeyName = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH_MAX)]


class PasskeyOptions(msgspec.Struct, frozen=True):
    """What the page gives to the browser, to make a passkey or to use one: as
    `PublicKeyCredential.parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` take it."""

    options: JsonObject


class PasskeyLogin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Log in with a passkey: what the browser answered, by `toJSON`."""

    credential: Credential


class PasswordLogin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Log in with a password, and with the code of the authenticator app, or a recovery code, where
    there is one."""

    login: Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH_MAX)]
    password: PasswordText
    code: CodeText | None = None


class OperatorLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The secret of a link: what stands behind its `#`."""

    link: Annotated[str, Meta(min_length=1, max_length=100)]


class OperatorLinkView(msgspec.Struct, frozen=True, kw_only=True):
    """Whom a link is for, until when it is good, and what the browser is asked to make a passkey
    with; `options` is null where there are no passkeys at this address."""

    login: str
    name: str
    role: OperatorRole
    purpose: LinkPurpose
    expires_at: datetime
    options: JsonObject | None


class SetUpLogin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Set up a login by a link: with a passkey that the browser made, or else with a password."""

    link: Annotated[str, Meta(min_length=1, max_length=100)]
    credential: Credential | None = None
    passkey_name: PasskeyName = "passkey"
    password: PasswordText | None = None


@endpoint(
    "POST",
    "/v1/operator-logins/passkey-request",
    "Ask for a challenge to log in with a passkey",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(PasskeysUnavailable, *_LOGIN_ERRORS),
)
async def request_passkey(call: Call[None, None]) -> JsonAnswer[PasskeyOptions]:
    """What the browser is asked, for a login. Nothing is kept of it."""
    check_open(call)
    await call.service.limits.check_login(call.client_address.prefix)
    return JsonAnswer(200, PasskeyOptions(await call.service.operators.passkey_request()))


@endpoint(
    "POST",
    "/v1/operator-logins/passkey",
    "Log in with a passkey",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(LoginFailed, PasskeysUnavailable, *_LOGIN_ERRORS),
)
async def log_in_by_passkey(call: Call[None, PasskeyLogin]) -> JsonAnswer[ConsoleSessionView]:
    """Opens a session at the console for the operator whose passkey it is."""
    service = call.service
    check_open(call)
    await service.limits.check_login(call.client_address.prefix)
    try:
        made = await service.operators.log_in_by_passkey(call.body.credential, visit_of(call))
    except LoginFailed as error:
        await _count_failure(call, error)
        raise
    return await _logged_in(call, *made)


@endpoint(
    "POST",
    "/v1/operator-logins/password",
    "Log in with a password",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(LoginFailed, SecondFactorRequired, *_LOGIN_ERRORS),
)
async def log_in_by_password(call: Call[None, PasswordLogin]) -> JsonAnswer[ConsoleSessionView]:
    """Opens a session at the console for the operator with this login. `second_factor_required`
    says that the password is right, and that a code is needed as well."""
    service, body = call.service, call.body
    check_open(call)
    login = body.login.strip().lower()
    await service.limits.check_login(call.client_address.prefix)
    await service.limits.check_operator(login)
    try:
        made = await service.operators.log_in_by_password(
            login, body.password, body.code, visit_of(call)
        )
    except LoginFailed as error:
        await service.limits.count_wrong_password(login)
        await _count_failure(call, error)
        raise
    return await _logged_in(call, *made)


@endpoint(
    "POST",
    "/v1/operator-logins/link",
    "Look at a link that sets up a login",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(OperatorLinkInvalid, *_LOGIN_ERRORS),
)
async def look_at_link(call: Call[None, OperatorLink]) -> JsonAnswer[OperatorLinkView]:
    """Whom a link is for. It stays as good as it is: mail programs look at links too."""
    check_open(call)
    await call.service.limits.check_login(call.client_address.prefix)
    try:
        found, options = await call.service.operators.look(call.body.link)
    except OperatorLinkInvalid as error:
        await _count_failure(call, error)
        raise
    return JsonAnswer(
        200,
        OperatorLinkView(
            login=found.operator.login,
            name=found.operator.name,
            role=found.operator.role,
            purpose=found.purpose,
            expires_at=found.expires_at,
            options=options,
        ),
    )


@endpoint(
    "POST",
    "/v1/operator-logins/link/login",
    "Set up a login by a link",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(
        OperatorLinkInvalid,
        ProofFailed,
        PasswordTooEasy,
        PasskeysUnavailable,
        *_LOGIN_ERRORS,
    ),
)
async def set_up_login(call: Call[None, SetUpLogin]) -> JsonAnswer[ConsoleSessionView]:
    """Uses a link up: its operator has this login from now on, and is logged in. Of a reset, all
    that was there before is gone."""
    check_open(call)
    await call.service.limits.check_login(call.client_address.prefix)
    body = call.body
    try:
        made = await call.service.operators.set_up(
            body.link, body.credential, body.password, body.passkey_name, visit_of(call)
        )
    except OperatorLinkInvalid as error:
        await _count_failure(call, error)
        raise
    return await _logged_in(call, *made)


def visit_of(call: Call[object, object]) -> Visit:
    """Where a login comes from."""
    agent = all_headers(call.scope["headers"]).get("user-agent")
    return Visit(call.client_address.prefix, agent)


async def _count_failure(
    call: Call[object, object], error: LoginFailed | OperatorLinkInvalid
) -> None:
    call.service.audit_log.count_refusal(NOBODY, "log_in", error.code)
    await call.service.limits.count_failed_login(call.client_address.prefix)


async def _logged_in(
    call: Call[object, object], token: str, session: OperatorSession
) -> JsonAnswer[ConsoleSessionView]:
    await end_former(call)
    return await opened(call, token, call.service.consoles.of_operator(session))
