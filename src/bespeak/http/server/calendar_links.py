"""The tokens of calendar links: whoever has one may read the calendar of one resource, without a
key.
"""

from __future__ import annotations

import time

import msgspec

from bespeak.http.server.errors import CalendarLinkInvalid
from bespeak.signed_tokens import TokenInvalid, TokenSigner

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
        self._signer = TokenSigner(secret, "sub", iss=_ISSUER, aud=_AUDIENCE)

    def make(
        self, resource_id: str, view: CalendarView, seconds: int | None
    ) -> tuple[str, int | None]:
        """A token for the calendar of a resource, and when it ends (seconds since 1970)."""
        ends = None if seconds is None else int(time.time()) + seconds
        until = {} if ends is None else {"exp": ends}
        claims = {"sub": resource_id, **msgspec.structs.asdict(view), **until}
        return self._signer.make(**claims), ends

    def read(self, token: str | None, resource_id: str) -> CalendarView:
        """What a token opens. Raises CalendarLinkInvalid for one that is not of this resource."""
        try:
            claims = self._signer.read(token)
            view = msgspec.convert(claims, CalendarView)
        except (TokenInvalid, msgspec.ValidationError) as error:
            raise CalendarLinkInvalid from error
        if claims["sub"] != resource_id:
            raise CalendarLinkInvalid("the link is to the calendar of another resource")
        return view
