"""Signed tokens (JWT, HS256), each good for one purpose: by a key, an issuer or a claim that no
other purpose has.
"""

from __future__ import annotations

import time

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

TOKEN_LENGTH_MAX = 4096
_ALGORITHM = "HS256"


class TokenInvalid(Exception):
    """The token is absent, forged, over, or of another purpose."""


class TokenSigner:
    """Makes and reads tokens that have the `needed` claims; `fixed` ones are the same in each."""

    def __init__(self, secret: bytes, *needed: str, **fixed: str) -> None:
        self._key = OctKey.import_key(secret)
        self._fixed = fixed
        options = {name: jwt.ClaimsOption(essential=True) for name in needed}
        for name, value in fixed.items():
            options[name] = jwt.ClaimsOption(essential=True, value=value)
        self._registry = jwt.JWTClaimsRegistry(**options)  # type: ignore[arg-type]

    def make(self, **claims: object) -> str:
        """A token with these claims: as `exp` when it ends, in seconds since 1970."""
        content = {**self._fixed, "iat": int(time.time()), **claims}
        return jwt.encode({"alg": _ALGORITHM}, content, self._key)

    def read(self, token: str | None) -> jwt.Claims:
        """The claims of a token. Raises TokenInvalid."""
        if not token or len(token) > TOKEN_LENGTH_MAX:
            raise TokenInvalid
        try:
            claims = jwt.decode(token, self._key, algorithms=[_ALGORITHM]).claims
            self._registry.validate(claims)
        except (JoseError, ValueError, TypeError) as error:
            raise TokenInvalid from error
        return claims
