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

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from bespeak.cache import Cache
from bespeak.http.server.cookies import CONSOLE, GUEST
from bespeak.http.server.errors import ConsoleSessionInvalid, CsrfTokenInvalid
from bespeak.http.server.keys import ApiKey, KeyKind, KeyRing
from bespeak.ticketing.links import GUEST_PREFIX

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_ALGORITHM = "HS256"
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_OWNER_DIGITS = 26
_LENGTH_MAX = 4096
_CACHED_MAX = 1000


class _Seal:
    """Signs and reads tokens of one purpose, by a key that is of that purpose alone: a token that
    was made for one thing is never good for another."""

    def __init__(self, secret: bytes, purpose: str) -> None:
        own = hmac.digest(secret, f"bespeak {purpose}".encode(), "sha256")
        self._key = OctKey.import_key(own)
        self._registry = jwt.JWTClaimsRegistry(
            sub={"essential": True}, jti={"essential": True}, exp={"essential": True}
        )

    def make(self, subject: str, number: str, seconds: int) -> tuple[str, int]:
        """A token, and when it ends (seconds since 1970)."""
        now = int(time.time())
        claims = {"sub": subject, "jti": number, "iat": now, "exp": now + seconds}
        return jwt.encode({"alg": _ALGORITHM}, claims, self._key), now + seconds

    def read(self, token: str) -> tuple[str, str, int] | None:
        """Subject, number and end of a token; None for one that is forged or over."""
        if len(token) > _LENGTH_MAX:
            return None
        try:
            claims = jwt.decode(token, self._key, algorithms=[_ALGORITHM]).claims
            self._registry.validate(claims)
            return str(claims["sub"]), str(claims["jti"]), int(claims["exp"])
        except (JoseError, ValueError, TypeError):
            return None


class Guests:
    """The owners that guests are. The token is signed so that who knows an owner's name, as every
    operator does, still cannot be that guest."""

    def __init__(self, secret: bytes) -> None:
        self._seal = _Seal(secret, "guest")

    def owner_of(self, token: str | None) -> str | None:
        """The owner that a cookie is of; None without a good one."""
        found = None if token is None else self._seal.read(token)
        return None if found is None else found[0]

    def new_owner(self) -> str:
        """An owner that nobody was before."""
        return GUEST_PREFIX + "".join(secrets.choice(_DIGITS) for _ in range(_OWNER_DIGITS))

    def token(self, owner: str) -> str:
        return self._seal.make(owner, secrets.token_hex(8), GUEST.seconds)[0]


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
        self._seal = _Seal(secret, "console")
        self._csrf_key = hmac.digest(secret, b"bespeak csrf", "sha256")
        self._keys = keys
        self._read: Cache[str, tuple[str, str, int]] = Cache(size_max=_CACHED_MAX)

    def open(self, key: ApiKey) -> tuple[str, ConsoleSession]:
        """A new session of this key, and what its cookie keeps."""
        number = secrets.token_hex(16)
        token, ends = self._seal.make(key.id, number, CONSOLE.seconds)
        return token, ConsoleSession(number, key, ends, self._csrf(number))

    async def find(self, token: str | None) -> ConsoleSession:
        """The session of a cookie. Raises ConsoleSessionInvalid for one that is forged, over, or
        whose key was revoked."""
        read = None if token is None else self._claims(token)
        if read is None or read[2] <= time.time():
            raise ConsoleSessionInvalid
        key = await self._keys.find_session(read[0], read[1])
        if key is None or key.kind is not KeyKind.ADMIN:
            raise ConsoleSessionInvalid
        return ConsoleSession(read[1], key, read[2], self._csrf(read[1]))

    async def end(self, connection: Connection, session: ConsoleSession) -> None:
        """Ends a session, for whoever may have a copy of its cookie too."""
        await self._keys.end_session(connection, session.key.id, session.id, session.expires_at)

    def _claims(self, token: str) -> tuple[str, str, int] | None:
        """What a token says. Good ones are cached: each call of the console brings one."""
        found = self._read.peek(token)
        if found is None:
            found = self._seal.read(token)
            if found is not None:
                self._read.put(token, found)
        return found

    def _csrf(self, number: str) -> str:
        return hmac.digest(self._csrf_key, number.encode(), "sha256").hex()
