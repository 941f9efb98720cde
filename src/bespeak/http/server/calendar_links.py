"""The tokens of calendar links: whoever has one may read the calendar of one resource, without a
key.
"""

from __future__ import annotations

import time

import msgspec
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from bespeak.http.server.errors import CalendarLinkInvalid

TOKEN_LENGTH_MAX = 4096
_ALGORITHM = "HS256"
# Neither is that of shopper tokens, so that no token opens what it was not made for.
_ISSUER = "bespeak/calendars"
_AUDIENCE = "calendar"


class CalendarView(msgspec.Struct, frozen=True):
    """What a calendar shows: whether it tells who has booked and why something is blocked, and
    which imported calendars it leaves out."""

    details: bool
    without: list[str]


class CalendarLinks:
    def __init__(self, secret: bytes) -> None:
        self._key = OctKey.import_key(secret)
        self._registry = jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": _ISSUER},
            aud={"essential": True, "value": _AUDIENCE},
            sub={"essential": True},
        )

    def make(
        self, resource_id: str, view: CalendarView, seconds: int | None
    ) -> tuple[str, int | None]:
        """A token for the calendar of a resource, and when it ends (seconds since 1970)."""
        now = int(time.time())
        ends = None if seconds is None else now + seconds
        claims: dict[str, object] = {
            "iss": _ISSUER,
            "aud": _AUDIENCE,
            "sub": resource_id,
            "iat": now,
            **msgspec.structs.asdict(view),
            **({} if ends is None else {"exp": ends}),
        }
        return jwt.encode({"alg": _ALGORITHM}, claims, self._key), ends

    def read(self, token: str | None, resource_id: str) -> CalendarView:
        """What a token opens. Raises CalendarLinkInvalid for one that is not of this resource."""
        if not token or len(token) > TOKEN_LENGTH_MAX:
            raise CalendarLinkInvalid
        try:
            claims = jwt.decode(token, self._key, algorithms=[_ALGORITHM]).claims
            self._registry.validate(claims)
            view = msgspec.convert(claims, CalendarView)
        except (JoseError, msgspec.ValidationError, ValueError, TypeError) as error:
            raise CalendarLinkInvalid from error
        if claims["sub"] != resource_id:
            raise CalendarLinkInvalid("the link is to the calendar of another resource")
        return view
