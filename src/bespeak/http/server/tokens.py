"""Shopper tokens: signed JWTs that let a browser hold and confirm for one owner, the token's
subject. The integrator's server has them minted with its sk_ key and hands them to its shoppers.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from bespeak.cache import Cache
from bespeak.http.server.errors import ShopperTokenInvalid
from bespeak.postgres.secrets import installation_secret

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_ALGORITHM = "HS256"
_ISSUER = "bespeak"
_SECRET_NAME = "shopper_tokens"  # noqa: S105 (the name of the secret, not its value)
_CACHED_MAX = 20_000
_LENGTH_MAX = 4096


async def signing_secret(connection: Connection, setting: str | None) -> bytes:
    """The secret of this installation: the setting, or one that it made for itself."""
    return setting.encode() if setting else await installation_secret(connection, _SECRET_NAME)


class ShopperTokens:
    """Mints and verifies shopper tokens; keeps those that it verified in a cache."""

    def __init__(self, secret: bytes) -> None:
        self._key = OctKey.import_key(secret)
        self._registry = jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": _ISSUER},
            sub={"essential": True},
            exp={"essential": True},
        )
        self._verified: Cache[str, tuple[str, int]] = Cache(size_max=_CACHED_MAX)

    def mint(self, owner: str, seconds: int) -> tuple[str, int]:
        """A token for this owner, and when it ends (seconds since 1970)."""
        now = int(time.time())
        claims = {"iss": _ISSUER, "sub": owner, "iat": now, "exp": now + seconds}
        return jwt.encode({"alg": _ALGORITHM}, claims, self._key), now + seconds

    def owner_of(self, token: str | None) -> str:
        """The owner that a token speaks for. Raises ShopperTokenInvalid."""
        if not token or len(token) > _LENGTH_MAX:
            raise ShopperTokenInvalid
        known = self._verified.peek(token)
        if known is None:
            known = self._verify(token)
            self._verified.put(token, known)
        if known[1] <= time.time():
            raise ShopperTokenInvalid("the shopper token has expired")
        return known[0]

    def _verify(self, token: str) -> tuple[str, int]:
        try:
            claims = jwt.decode(token, self._key, algorithms=[_ALGORITHM]).claims
            self._registry.validate(claims)
        except (JoseError, ValueError, TypeError) as error:
            raise ShopperTokenInvalid from error
        return str(claims["sub"]), int(claims["exp"])
