"""Links to the page of one booking, as mails carry them: whoever has one may read that booking and
do with it what its policy allows: cancel it, or change it for another stay, with the holds and
payments of that; and is not the guest by it. A link ends some time after what was booked is over,
or when the links of its booking are ended. Its token stands behind the `#`, which browsers keep to
themselves, so that it is in no log on the way.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from datetime import time as day_time
from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.errors import InvalidId
from bespeak.inventory import resources
from bespeak.inventory.resources import ready_resource
from bespeak.postgres.queries import load
from bespeak.postgres.secrets import installation_secret
from bespeak.signed_tokens import TokenInvalid, TokenSigner
from bespeak.ticketing.errors import BookingLinkInvalid
from bespeak.ticketing.occasions import occasion_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from bespeak.inventory.calendars.events import When
    from bespeak.postgres.pool import Connection
    from bespeak.reservations.holds import Booking
    from bespeak.reservations.verbs import Reservations

_QUERIES = load("bespeak.ticketing", "links.sql")
GUEST_PREFIX = "guest_"
"""How the owners begin that guests of the box office are."""
_SECRET_NAME = "booking_links"  # noqa: S105 (the name of the secret, not its value)
# After what was booked is over there may be money to come back; where nobody says when that is, and
# where it is over already, a link is good for some time from now.
_SECONDS_AFTER = 14 * 86_400
_SECONDS_WITHOUT_DATE = 90 * 86_400
_ANOTHER = "the link is to another booking"
_NAMES = {"booking_id": ids.BOOKING, "hold_id": ids.HOLD, "payment_id": ids.PAYMENT}


class BookingLink(NamedTuple):
    """What a link opens: a booking of this owner, and holds that are in place of it."""

    booking: UUID
    owner: str


class BookingLinks:
    """Makes, reads and ends links to bookings. Made by `open_links`."""

    def __init__(self, engine: Reservations, secret: bytes) -> None:
        self._engine = engine
        self._signer = TokenSigner(secret, "sub", "booking", "exp")

    async def token(self, booking: Booking) -> str | None:
        """What opens the booking; None for owners who are no guests, who have a page of their own
        shop's. Raises DatabaseUnavailable."""
        if not booking.owner.startswith(GUEST_PREFIX):
            return None
        return await self._made(booking, await self._ends_so_far(booking))

    async def token_by_link(self, booking: Booking) -> str | None:
        """The same for who came by the link that led to the booking, whoever its owner is; None
        once its links were ended: then that link leads no further. Raises DatabaseUnavailable."""
        ends_so_far = await self._ends_so_far(booking)
        return None if ends_so_far else await self._made(booking, ends_so_far)

    async def _ends_so_far(self, booking: Booking) -> int:
        async with self._engine.database.borrow() as connection:
            return await _ends_so_far(connection, ids.parse(ids.BOOKING, booking.id))

    async def _made(self, booking: Booking, ends_so_far: int) -> str:
        async with self._engine.database.borrow() as connection:
            over = await _over_at(connection, booking)
        now = time.time()
        ends = now + _SECONDS_WITHOUT_DATE
        if over is not None:
            ends = max(over.timestamp(), now) + _SECONDS_AFTER
        return self._signer.make(
            sub=booking.owner, booking=booking.id, ended=ends_so_far, exp=int(ends)
        )

    async def open(self, token: str, names: Mapping[str, str]) -> BookingLink:
        """What a token opens, where a path names nothing else: its booking, a hold in place of it,
        or a payment for such a hold. Raises BookingLinkInvalid; InvalidId, DatabaseUnavailable."""
        named = _named_in(names)
        try:
            claims = self._signer.read(token)
            booking = ids.parse(ids.BOOKING, str(claims["booking"]))
            # The links of mails from before say nothing of it: they were made before any end.
            ends_so_far = int(claims.get("ended", 0))
        except (TokenInvalid, InvalidId, TypeError, ValueError) as error:
            raise BookingLinkInvalid from error
        if named.get(ids.BOOKING, booking) != booking:
            raise BookingLinkInvalid(_ANOTHER)
        link = BookingLink(booking, str(claims["sub"]))
        # Asked of the database each time, and of the primary: what was ended opens nothing more.
        async with self._engine.database.borrow() as connection:
            if await _ends_so_far(connection, booking) != ends_so_far:
                raise BookingLinkInvalid("the links of this booking were ended")
            for prefix in (ids.HOLD, ids.PAYMENT):
                if prefix in named:
                    await _check_change(connection, link, prefix, named[prefix])
        return link

    async def check_body(
        self, link: BookingLink, *, booking_id: str | None, hold_id: str | None
    ) -> None:
        """Whether a body names what the link opens: a hold in place of its booking, or if none is
        named, the booking. Raises BookingLinkInvalid, InvalidId, DatabaseUnavailable."""
        if hold_id is not None:
            number = ids.parse(ids.HOLD, hold_id)
            async with self._engine.database.borrow() as connection:
                await _check_change(connection, link, ids.HOLD, number)
        elif booking_id is None or ids.parse(ids.BOOKING, booking_id) != link.booking:
            raise BookingLinkInvalid(_ANOTHER)

    async def end(self, booking_id: str, *, owner: str | None = None) -> datetime:
        """Ends all links of a booking that there are; those that are made later are good. Raises
        BookingNotFound, NotOwner, InvalidId, DatabaseUnavailable."""
        number = ids.parse(ids.BOOKING, booking_id)
        async with self._engine.database.borrow() as connection:
            await self._engine.get_booking(booking_id, owner=owner, connection=connection)
            ended_at: datetime = await connection.fetchval(
                _QUERIES["end_links"], ids.home_of(number), number
            )
        return ended_at


async def open_links(engine: Reservations) -> BookingLinks:
    """The links of an installation. Raises DatabaseUnavailable."""
    async with engine.database.borrow() as connection:
        secret = await installation_secret(connection, _SECRET_NAME)
    return BookingLinks(engine, secret)


def _named_in(names: Mapping[str, str]) -> dict[str, UUID]:
    """What a path names of bookings, holds and payments. Raises InvalidId; BookingLinkInvalid for
    one that names other things alone."""
    found = {_NAMES[name]: text for name, text in names.items() if name in _NAMES}
    if names and not found:
        raise BookingLinkInvalid(_ANOTHER)
    return {prefix: ids.parse(prefix, text) for prefix, text in found.items()}


async def _check_change(
    connection: Connection, link: BookingLink, prefix: str, number: UUID
) -> None:
    """Raises BookingLinkInvalid unless this hold, or the one of this payment, is in place of the
    link's booking."""
    query = _QUERIES["is_hold_of_change" if prefix == ids.HOLD else "is_payment_of_change"]
    if not await connection.fetchval(query, ids.home_of(number), number, link.booking):
        raise BookingLinkInvalid(_ANOTHER)


async def _ends_so_far(connection: Connection, number: UUID) -> int:
    found: int = await connection.fetchval(_QUERIES["ends_so_far"], ids.home_of(number), number)
    return found


async def _over_at(connection: Connection, booking: Booking) -> datetime | None:
    """When all that was booked is over; None where nobody says so of some of it."""
    numbers = {ids.parse_resource(line.resource_id) for line in booking.lines}
    found = await resources.get_many(connection, sorted(numbers))
    ready = {each.id: ready_resource(each) for each in found}
    latest: datetime | None = None
    for line in booking.lines:
        if line.resource_id not in ready:
            return None
        occasion = occasion_of(ready[line.resource_id], line)
        if occasion.start is None:
            return None
        ends = _moment(occasion.start if occasion.end is None else occasion.end)
        latest = ends if latest is None else max(latest, ends)
    return latest


def _moment(when: When) -> datetime:
    """A time; of a date, the end of the day wherever one is."""
    if isinstance(when, datetime):
        return when
    return datetime.combine(when + timedelta(days=2), day_time(), UTC)
