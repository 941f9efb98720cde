"""Cross-origin requests: pages of other sites may call the API with a browser key. Never with
cookies: what they could do by those is for our own pages only.
"""

from __future__ import annotations

from bespeak.errors import InvalidSetting
from bespeak.http.server.answers import Answer
from bespeak.http.server.asgi import AsgiScope, Headers

_PREFIX = "/v1/"
_METHODS = b"GET, HEAD, POST, PATCH, DELETE"
# Not the console's CSRF header: with it, and cookies, only our own pages call.
_ASKED = (
    b"authorization, bespeak-booking-link, bespeak-challenge, bespeak-owner, bespeak-pass,"
    b" bespeak-shopper, bespeak-waitlist-link, bespeak-written, content-type, idempotency-key,"
    b" if-none-match, last-event-id, x-request-id"
)
_EXPOSED = b"Bespeak-Written, ETag, Idempotent-Replayed, Location, Retry-After, X-Request-Id"
_KEPT_SECONDS = b"7200"


class Cors:
    """Which origins may call, and what they are told."""

    def __init__(self, origins: str) -> None:
        """`origins` is `*`, or origins separated by commas, or nothing. Raises InvalidSetting."""
        named = frozenset(part.strip().rstrip("/") for part in origins.split(",") if part.strip())
        for origin in named - {"*"}:
            if not origin.startswith(("http://", "https://")) or not origin.isascii():
                raise InvalidSetting(
                    f"BESPEAK_CORS_ORIGINS: {origin!r} is not like https://shop.example",
                    variable="BESPEAK_CORS_ORIGINS",
                )
        self._everyone = "*" in named
        self._origins = {origin.encode() for origin in named}

    def preflight(self, scope: AsgiScope) -> Answer | None:
        """The answer to a browser that asks whether it may, or None: this is no such question."""
        if scope["method"] != "OPTIONS" or not scope["path"].startswith(_PREFIX):
            return None
        if _header(scope, b"access-control-request-method") is None:
            return None
        origin = _header(scope, b"origin")
        headers: list[tuple[bytes, bytes]] = [(b"vary", b"origin")]
        if origin is not None and self._allows(origin):
            headers = [
                (b"access-control-allow-methods", _METHODS),
                (b"access-control-allow-headers", _ASKED),
                (b"access-control-max-age", _KEPT_SECONDS),
            ]
        # The origin itself is added as to every answer.
        return Answer(204, headers=headers)

    def headers(self, scope: AsgiScope) -> Headers:
        """What an answer says beside its own headers."""
        origin = _header(scope, b"origin")
        if origin is None or not scope["path"].startswith(_PREFIX):
            return ()
        if not self._allows(origin):
            return ()
        exposed = (b"access-control-expose-headers", _EXPOSED)
        if self._everyone:
            return ((b"access-control-allow-origin", b"*"), exposed)
        return ((b"access-control-allow-origin", origin), exposed, (b"vary", b"origin"))

    def _allows(self, origin: bytes) -> bool:
        return self._everyone or origin in self._origins


def _header(scope: AsgiScope, name: bytes) -> bytes | None:
    for one, value in scope["headers"]:
        if one == name:
            return value
    return None
