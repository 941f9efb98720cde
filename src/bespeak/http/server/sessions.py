"""What the cookies of the box office say, signed: which owner a guest is, and as which admin key an
operator is logged in. A console's session is looked up with its key, so that it ends everywhere
within seconds of a logout or of the key's revocation.
"""

from __future__ import annotations

import hmac
import secrets
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.cache import Cache
from bespeak.http.server.cookies import CONSOLE, GUEST
from bespeak.http.server.errors import ConsoleSessionInvalid, CsrfTokenInvalid
from bespeak.http.server.keys import ApiKey, KeyKind, KeyRing
from bespeak.signed_tokens import TokenInvalid, TokenSigner
from bespeak.ticketing.links import GUEST_PREFIX

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_OWNER_DIGITS = 26
# With which keys one logs in at the console. A restricted one may there what its scopes say.
CONSOLE_KINDS = frozenset((KeyKind.ADMIN, KeyKind.RESTRICTED))
_CACHED_MAX = 1000


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
    """An operator who is logged in: with which key, until when (seconds since 1970)."""

    id: str
    key: ApiKey
    ends: int
    csrf_token: str

    def check_csrf(self, given: str | None) -> None:
        """Raises CsrfTokenInvalid for anything but the session's own token."""
        if not hmac.compare_digest((given or "").encode(), self.csrf_token.encode()):
            raise CsrfTokenInvalid

    @property
    def expires_at(self) -> datetime:
        return datetime.fromtimestamp(self.ends, UTC)


class Consoles:
    """The sessions of operators at the console."""

    def __init__(self, secret: bytes, keys: KeyRing) -> None:
        self._signer = _signer(secret, "console")
        self._csrf_key = hmac.digest(secret, b"bespeak csrf", "sha256")
        self._keys = keys
        self._read: Cache[str, tuple[str, str, int]] = Cache(size_max=_CACHED_MAX)

    def open(self, key: ApiKey) -> tuple[str, ConsoleSession]:
        """A new session of this key, and what its cookie keeps."""
        number = secrets.token_hex(16)
        ends = int(time.time()) + CONSOLE.seconds
        token = self._signer.make(sub=key.id, jti=number, exp=ends)
        return token, ConsoleSession(number, key, ends, self._csrf(number))

    async def find(self, token: str | None) -> ConsoleSession:
        """The session of a cookie. Raises ConsoleSessionInvalid for one that is forged, over, or
        whose key was revoked."""
        read = self._claims(token)
        if read[2] <= time.time():
            raise ConsoleSessionInvalid
        key = await self._keys.find_session(read[0], read[1])
        if key is None or key.kind not in CONSOLE_KINDS:
            raise ConsoleSessionInvalid
        return ConsoleSession(read[1], key, read[2], self._csrf(read[1]))

    async def end(self, connection: Connection, session: ConsoleSession) -> None:
        """Ends a session, for whoever may have a copy of its cookie too."""
        await self._keys.end_session(connection, session.key.id, session.id, session.expires_at)

    def _claims(self, token: str | None) -> tuple[str, str, int]:
        """The key, number and end of a session. Good ones are cached: each call of the console
        brings one. Raises ConsoleSessionInvalid."""
        found = self._read.peek(token or "")
        if found is None:
            try:
                claims = self._signer.read(token)
            except TokenInvalid as error:
                raise ConsoleSessionInvalid from error
            found = str(claims["sub"]), str(claims["jti"]), int(claims["exp"])
            self._read.put(token or "", found)
        return found

    def _csrf(self, number: str) -> str:
        return hmac.digest(self._csrf_key, number.encode(), "sha256").hex()
