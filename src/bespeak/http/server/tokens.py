"""Shopper tokens: signed JWTs that let a browser hold and confirm for one owner, the token's
subject. The integrator's server has them minted with its sk_ key and hands them to its shoppers.
"""

from __future__ import annotations

import time

from bespeak.cache import Cache
from bespeak.http.server.errors import ShopperTokenInvalid
from bespeak.inventory.workspaces import DEFAULT
from bespeak.signed_tokens import TokenInvalid, TokenSigner

_ISSUER = "bespeak"
_CACHED_MAX = 20_000
_WORKSPACE = "bespeak_workspace"  # the claim


class ShopperTokens:
    """Mints and verifies shopper tokens; keeps those that it verified in a cache."""

    def __init__(self, secret: bytes) -> None:
        self._signer = TokenSigner(secret, "sub", "exp", iss=_ISSUER)
        self._verified: Cache[str, tuple[str, int, str]] = Cache(size_max=_CACHED_MAX)

    def mint(self, owner: str, seconds: int, workspace: str | None = None) -> tuple[str, int]:
        """A token for this owner in a workspace (None: the default one), and when it ends (seconds
        since 1970)."""
        ends = int(time.time()) + seconds
        within = {} if workspace in (None, DEFAULT) else {_WORKSPACE: workspace}
        return self._signer.make(sub=owner, exp=ends, **within), ends

    def owner_of(self, token: str | None, workspace: str = DEFAULT) -> str:
        """The owner that a token speaks for: in one workspace, and to the others it is no token.
        Raises ShopperTokenInvalid."""
        known = self._verified.peek(token or "")
        if known is None:
            try:
                claims = self._signer.read(token)
            except TokenInvalid as error:
                raise ShopperTokenInvalid from error
            within = str(claims.get(_WORKSPACE, DEFAULT))
            known = str(claims["sub"]), int(claims["exp"]), within
            self._verified.put(token or "", known)
        if known[2] != workspace:
            raise ShopperTokenInvalid
        if known[1] <= time.time():
            raise ShopperTokenInvalid("the shopper token has expired")
        return known[0]
