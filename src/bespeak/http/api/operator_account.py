"""An operator's own account: passkeys, password, authenticator app and sessions, and the proof of
who they are that these changes and great refunds take. All by the cookie of their session.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec
import segno
from msgspec import Meta

from bespeak.errors import DatabaseUnavailable
from bespeak.http.api.console import session_of
from bespeak.http.api.operator_logins import CodeText, PasskeyName, PasskeyOptions, PasswordText
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import ANYONE, endpoint_table
from bespeak.http.server.errors import (
    ConsoleSessionInvalid,
    CsrfTokenInvalid,
    OriginNotAllowed,
    RateLimited,
)
from bespeak.http.server.operators.credentials import Credential
from bespeak.http.server.operators.errors import (
    LastLogin,
    NotAnOperator,
    OperatorSessionNotFound,
    PasskeyNotFound,
    PasskeysUnavailable,
    PasswordTooEasy,
    ProofFailed,
    StepUpRequired,
    TooManyPasskeys,
)
from bespeak.http.server.operators.own_account import OwnAccount, OwnAccountView
from bespeak.http.server.operators.passkeys import PasskeyView
from bespeak.http.server.operators.sessions import OperatorSession
from bespeak.postgres.errors import DatabaseReadOnly

ENDPOINTS, endpoint = endpoint_table(tags.CONSOLE)

_NOT_KEPT = (b"cache-control", b"no-store")
_READS = (
    ConsoleSessionInvalid,
    NotAnOperator,
    OriginNotAllowed,
    RateLimited,
    DatabaseReadOnly,
    DatabaseUnavailable,
)
_CHANGES = (CsrfTokenInvalid, StepUpRequired, *_READS)
_PROOFS = (CsrfTokenInvalid, ProofFailed, *_READS)
_Answered = TypeVar("_Answered", bound=msgspec.Struct)


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Prove who you are, by one of these: a passkey's answer, a code of the authenticator app or a
    recovery code, the password."""

    credential: Credential | None = None
    code: CodeText | None = None
    password: PasswordText | None = None


class NewPasskey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Add a passkey: what the browser answered, and a name to know it by."""

    credential: Credential
    name: PasskeyName


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Set the password: 12 to 200 characters."""

    password: PasswordText


class AuthenticatorCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first code that the authenticator app shows."""

    code: Annotated[str, Meta(min_length=6, max_length=10)]


class AuthenticatorView(msgspec.Struct, frozen=True):
    """A new secret for an authenticator app, as text to type, and as a QR code (a `data:`
    address of an SVG). It counts from its first code on."""

    secret: str
    qr: str


class RecoveryCodes(msgspec.Struct, frozen=True):
    """Codes for the day on which the telephone is lost, each good once. They are shown
    this once."""

    codes: list[str]


class Done(msgspec.Struct, frozen=True):
    """That it is done."""

    status: str


@endpoint(
    "GET",
    "/v1/operator-account",
    "Read one's own account",
    kinds=ANYONE,
    own_pages_only=True,
    errors=_READS,
)
async def get_own_account(call: Call[None, None]) -> JsonAnswer[OwnAccountView]:
    """The account of the operator of the cookie's session."""
    return _answer(await (await _account(call)).view())


@endpoint(
    "POST",
    "/v1/operator-account/proof-request",
    "Ask for a challenge to prove who one is",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(CsrfTokenInvalid, PasskeysUnavailable, *_READS),
)
async def request_proof(call: Call[None, None]) -> JsonAnswer[PasskeyOptions]:
    """What the browser is asked, for a proof by a passkey."""
    session = await _session(call)
    return _answer(PasskeyOptions(await call.service.operators.proof_request(session)))


@endpoint(
    "POST",
    "/v1/operator-account/proof",
    "Prove who one is",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(PasskeysUnavailable, *_PROOFS),
)
async def give_proof(call: Call[None, Proof]) -> JsonAnswer[Done]:
    """Counts for five minutes in this session."""
    session, body = await _session(call), call.body
    address = call.client_address.prefix
    await call.service.limits.check_operator(session.caller.id)
    try:
        await call.service.operators.prove(
            session, body.credential, body.code, body.password, address
        )
    except ProofFailed as error:
        await call.service.limits.count_wrong_password(session.caller.id)
        call.service.audit_log.count_refusal(session.caller.id, "give_proof", error.code)
        raise
    return _answer(Done("proved"))


@endpoint(
    "POST",
    "/v1/operator-account/passkey-creation",
    "Ask for a challenge to make a passkey",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(PasskeysUnavailable, *_CHANGES),
)
async def request_passkey_creation(call: Call[None, None]) -> JsonAnswer[PasskeyOptions]:
    """What the browser is asked to make a passkey with."""
    return _answer(PasskeyOptions(await (await _account(call)).passkey_creation()))


@endpoint(
    "POST",
    "/v1/operator-account/passkeys",
    "Add a passkey",
    status=201,
    kinds=ANYONE,
    own_pages_only=True,
    errors=(ProofFailed, TooManyPasskeys, PasskeysUnavailable, *_CHANGES),
)
async def add_passkey(call: Call[None, NewPasskey]) -> JsonAnswer[PasskeyView]:
    """Adds a passkey to one's own account; there may be 20."""
    account = await _account(call)
    made = await account.add_passkey(call.body.credential, call.body.name)
    return JsonAnswer(201, made, headers=(_NOT_KEPT,))


@endpoint(
    "DELETE",
    "/v1/operator-account/passkeys/{passkey_id}",
    "Remove a passkey",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(PasskeyNotFound, LastLogin, *_CHANGES),
)
async def remove_passkey(call: Call[None, None]) -> JsonAnswer[Done]:
    """Removes a passkey of one's own account, unless it is the only way to log in."""
    await (await _account(call)).remove_passkey(call.path["passkey_id"])
    return _answer(Done("removed"))


@endpoint(
    "PUT",
    "/v1/operator-account/password",
    "Set one's own password",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(PasswordTooEasy, *_CHANGES),
)
async def set_password(call: Call[None, NewPassword]) -> JsonAnswer[Done]:
    """Sets the password; all other sessions of the operator end."""
    await (await _account(call)).set_password(call.body.password)
    return _answer(Done("set"))


@endpoint(
    "DELETE",
    "/v1/operator-account/password",
    "Remove one's own password",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(LastLogin, *_CHANGES),
)
async def remove_password(call: Call[None, None]) -> JsonAnswer[Done]:
    """Removes the password, unless it is the only way to log in."""
    await (await _account(call)).remove_password()
    return _answer(Done("removed"))


@endpoint(
    "POST",
    "/v1/operator-account/authenticator",
    "Begin to set up an authenticator app",
    kinds=ANYONE,
    own_pages_only=True,
    errors=_CHANGES,
)
async def begin_authenticator(call: Call[None, None]) -> JsonAnswer[AuthenticatorView]:
    """A new secret for the app. What there was before counts until the first code of this one."""
    made = await (await _account(call)).begin_authenticator()
    drawn = segno.make(made.uri, error="m").svg_data_uri(
        scale=4, border=4, dark="#000", light="#fff"
    )
    return _answer(AuthenticatorView(made.secret, drawn))


@endpoint(
    "POST",
    "/v1/operator-account/authenticator/code",
    "Finish setting up an authenticator app",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(ProofFailed, *_CHANGES),
)
async def finish_authenticator(call: Call[None, AuthenticatorCode]) -> JsonAnswer[RecoveryCodes]:
    """Takes the app that shows this code, and answers recovery codes."""
    return _answer(RecoveryCodes(await (await _account(call)).finish_authenticator(call.body.code)))


@endpoint(
    "DELETE",
    "/v1/operator-account/authenticator",
    "Remove the authenticator app",
    kinds=ANYONE,
    own_pages_only=True,
    errors=_CHANGES,
)
async def remove_authenticator(call: Call[None, None]) -> JsonAnswer[Done]:
    """Removes the app and the recovery codes."""
    await (await _account(call)).remove_authenticator()
    return _answer(Done("removed"))


@endpoint(
    "DELETE",
    "/v1/operator-account/sessions/{session_id}",
    "End one of one's own sessions",
    kinds=ANYONE,
    own_pages_only=True,
    errors=(OperatorSessionNotFound, *_CHANGES),
)
async def end_own_session(call: Call[None, None]) -> JsonAnswer[Done]:
    """Ends a session; within seconds its cookie is refused everywhere."""
    await (await _account(call)).end_session(call.path["session_id"])
    return _answer(Done("ended"))


async def _account(call: Call[object, object]) -> OwnAccount:
    """Raises ConsoleSessionInvalid, NotAnOperator, CsrfTokenInvalid, RateLimited."""
    session = await _session(call)
    address = call.client_address.prefix
    return OwnAccount(call.engine.database, call.service.operators, session, address)


async def _session(call: Call[object, object]) -> OperatorSession:
    session = await session_of(call)
    if call.scope["method"] not in ("GET", "HEAD"):
        session.check_csrf(call.headers.get(b"bespeak-csrf"))
    if session.operator is None:
        raise NotAnOperator
    await call.service.limits.count_key(session.key.kind, session.key.id)
    return session.operator


def _answer(made: _Answered) -> JsonAnswer[_Answered]:
    return JsonAnswer(200, made, headers=(_NOT_KEPT,))
