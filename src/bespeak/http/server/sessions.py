"""What the cookies of the box office say, signed: which owner a guest is, and as which admin key an
operator is logged in. A console's session is looked up with its key, so that it ends everywhere
within seconds of a logout or of the key's revocation. Those of operators with accounts are rows.
"""

from __future__ import annotations

import hmac
import secrets
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.cache import Cache
from bespeak.http.server.cookies import CONSOLE, GUEST
from bespeak.http.server.errors import ConsoleSessionInvalid, CsrfTokenInvalid
from bespeak.http.server.keys import ApiKey, KeyKind, KeyRing
from bespeak.http.server.operators.errors import OperatorSessionNotFound
from bespeak.http.server.operators.sessions import OperatorSession, OperatorSessions
from bespeak.signed_tokens import TokenInvalid, TokenSigner
from bespeak.ticketing.links import GUEST_PREFIX

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_OWNER_DIGITS = 26
# With which keys one logs in at the console. A restricted one may there what its scopes say.
CONSOLE_KINDS = frozenset((KeyKind.ADMIN, KeyKind.RESTRICTED))
_CACHED_MAX = 1000
# How often the cookie of a key is made anew while it is used.
_RENEWED_SECONDS = 300


def _signer(secret: bytes, purpose: str) -> TokenSigner:
    """By a key that is of the purpose alone."""
    own = hmac.digest(secret, f"bespeak {purpose}".encode(), "sha256")
    return TokenSigner(own, "sub", "jti", "exp")


class Guests:
    """The owners that guests are. The token is signed so that who knows an owner's name, as every
    operator does, still cannot be that guest."""

    def __init__(self, secret: bytes) -> None:
        self._signer = _signer(secret, "guest")

    def owner_of(self, token: str | None) -> str | None:
        """The owner that a cookie is of; None without a good one."""
        try:
            return str(self._signer.read(token)["sub"])
        except TokenInvalid:
            return None

    def new_owner(self) -> str:
        """An owner that nobody was before."""
        return GUEST_PREFIX + ids.random_digits(_OWNER_DIGITS)

    def token(self, owner: str) -> str:
        ends = int(time.time()) + GUEST.seconds
        return self._signer.make(sub=owner, jti=secrets.token_hex(8), exp=ends)


class ConsoleSession(NamedTuple):
    """Who is logged in: with which key, until when (seconds since 1970). Of an operator with an
    account, `key` is how all calls judge them, and `operator` their session. `renewed` is what the
    cookie of a key is to keep from now on, so that its session is not idle; None: what it has."""

    id: str
    key: ApiKey
    ends: int
    csrf_token: str
    operator: OperatorSession | None = None
    renewed: str | None = None

    def check_csrf(self, given: str | None) -> None:
        """Raises CsrfTokenInvalid for anything but the session's own token."""
        if not hmac.compare_digest((given or "").encode(), self.csrf_token.encode()):
            raise CsrfTokenInvalid

    @property
    def expires_at(self) -> datetime:
        return datetime.fromtimestamp(self.ends, UTC)


class _Claims(NamedTuple):
    """What the cookie of a key says: it is good until `exp` if it is not used meanwhile, which is
    never after the session's own end."""

    key_id: str
    number: str
    exp: int
    ends: int


class Consoles:
    """The sessions of operators at the console; one that is not used for `idle_seconds` is over."""

    def __init__(
        self, secret: bytes, keys: KeyRing, operators: OperatorSessions, idle_seconds: int
    ) -> None:
        self._operators = operators
        self._idle_seconds = idle_seconds
        self._signer = _signer(secret, "console")
        self._csrf_key = hmac.digest(secret, b"bespeak csrf", "sha256")
        self._keys = keys
        self._read: Cache[str, _Claims] = Cache(size_max=_CACHED_MAX)

    def open(self, key: ApiKey) -> tuple[str, ConsoleSession]:
        """A new session of this key, and what its cookie keeps."""
        number = secrets.token_hex(16)
        ends = int(time.time()) + CONSOLE.seconds
        token = self._token(key.id, number, ends)
        return token, ConsoleSession(number, key, ends, self._csrf(number))

    async def find(self, token: str | None) -> ConsoleSession:
        """The session of a cookie. Raises ConsoleSessionInvalid for one that is forged, over, or
        whose key was revoked or operator disabled."""
        if token is not None and self._operators.is_text(token):
            session = await self._operators.find(token)
            if session is None:
                raise ConsoleSessionInvalid
            return self.of_operator(session)
        read = self._claims(token)
        left = read.exp - time.time()
        if left <= 0:
            raise ConsoleSessionInvalid
        key = await self._keys.find_session(read.key_id, read.number)
        if key is None or key.kind not in CONSOLE_KINDS:
            raise ConsoleSessionInvalid
        renewed = None
        if read.exp < read.ends and left < self._idle_seconds - _RENEWED_SECONDS:
            renewed = self._token(key.id, read.number, read.ends)
        csrf_token = self._csrf(read.number)
        return ConsoleSession(read.number, key, read.ends, csrf_token, renewed=renewed)

    def of_operator(self, session: OperatorSession) -> ConsoleSession:
        """An operator's session as the console's."""
        ends = int(session.expires_at.timestamp())
        csrf_token = self._csrf(session.digest.hex())
        return ConsoleSession(session.id, session.caller, ends, csrf_token, session)

    async def end(self, connection: Connection, session: ConsoleSession) -> None:
        """Ends a session, for whoever may have a copy of its cookie too."""
        if session.operator is not None:
            with suppress(OperatorSessionNotFound):  # somebody else has ended it
                await self._operators.end(connection, session.key.id, session.id)
            return
        await self._keys.end_session(connection, session.key.id, session.id, session.expires_at)

    def _token(self, key_id: str, number: str, ends: int) -> str:
        until = min(ends, int(time.time()) + self._idle_seconds)
        return self._signer.make(sub=key_id, jti=number, exp=until, ends=ends)

    def _claims(self, token: str | None) -> _Claims:
        """What a cookie says. Good ones are cached: each call of the console brings one. Raises
        ConsoleSessionInvalid."""
        found = self._read.peek(token or "")
        if found is None:
            try:
                claims = self._signer.read(token)
            except TokenInvalid as error:
                raise ConsoleSessionInvalid from error
            exp = int(claims["exp"])
            # Cookies from before there was an end of idle ones say one time only.
            ends = int(claims.get("ends", exp))
            found = _Claims(str(claims["sub"]), str(claims["jti"]), exp, ends)
            self._read.put(token or "", found)
        return found

    def _csrf(self, number: str) -> str:
        return hmac.digest(self._csrf_key, number.encode(), "sha256").hex()
