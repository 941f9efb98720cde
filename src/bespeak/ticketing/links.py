"""Links to the page of a booking, as mails carry them: whoever has one is the booking's guest. The
token stands behind the `#`, which browsers keep to themselves, so that it is in no log on the way.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.errors import InvalidId
from bespeak.postgres.secrets import installation_secret
from bespeak.signed_tokens import TokenInvalid, TokenSigner
from bespeak.ticketing.errors import BookingLinkInvalid

if TYPE_CHECKING:
    from bespeak.reservations.holds import Booking
    from bespeak.reservations.verbs import Reservations

GUEST_PREFIX = "guest_"
"""How the owners begin that guests of the box office are."""
_SECRET_NAME = "booking_links"  # noqa: S105 (the name of the secret, not its value)
_SECONDS = 90 * 86_400


class BookingLinks:
    """Makes and reads the tokens of links to bookings. Made by `open_links`."""

    def __init__(self, secret: bytes) -> None:
        self._signer = TokenSigner(secret, "sub", "booking", "exp")

    def token(self, booking: Booking) -> str | None:
        """What makes its holder the booking's owner; None for owners who are no guests, who may
        have more than one browser's bookings, and a page of their own shop's."""
        if not booking.owner.startswith(GUEST_PREFIX):
            return None
        ends = int(time.time()) + _SECONDS
        return self._signer.make(sub=booking.owner, booking=booking.id, exp=ends)

    def owner_by(self, token: str) -> str:
        """The owner that a token makes of its holder. Raises BookingLinkInvalid."""
        try:
            claims = self._signer.read(token)
            ids.parse(ids.BOOKING, str(claims["booking"]))
        except (TokenInvalid, InvalidId) as error:
            raise BookingLinkInvalid from error
        return str(claims["sub"])


async def open_links(engine: Reservations) -> BookingLinks:
    """The links of an installation. Raises DatabaseUnavailable."""
    async with engine.database.borrow() as connection:
        return BookingLinks(await installation_secret(connection, _SECRET_NAME))
