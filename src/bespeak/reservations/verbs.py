"""The verbs of holds and bookings, on the process's own connections, or on the caller's
(`connection=`), where it is part of the caller's transaction and commits or vanishes with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bespeak import ids
from bespeak.arguments import check_limit, checked
from bespeak.errors import InvalidRequest, PlanChanged
from bespeak.inventory.lines import check_line
from bespeak.lines import Line
from bespeak.postgres.pool import COLLIDED, Connection
from bespeak.pricing.quotes import Quote
from bespeak.reservations import moves as moving
from bespeak.reservations import positions
from bespeak.reservations.alternatives import OFFERS_MAX
from bespeak.reservations.changes import BookingChanged
from bespeak.reservations.contact import Contact
from bespeak.reservations.engine_parts import EngineParts
from bespeak.reservations.hold_batches import HoldOutcome, WantedHold, hold_keys
from bespeak.reservations.holds import Booking, Hold
from bespeak.reservations.inventory_verbs import InventoryVerbs
from bespeak.reservations.live_holds import HoldPage, list_owned
from bespeak.reservations.move_requests import Move, check_moves
from bespeak.reservations.positions import Positions
from bespeak.reservations.request import (
    KEY_LENGTH_MAX,
    OWNER_LENGTH_MAX,
    UNBOUNDED,
    HoldBounds,
    HoldRequest,
    check_text,
)

ALTERNATIVES = 3
_MOVE_ATTEMPTS_MAX = 5
_PLANNED_ANEW: tuple[type[Exception], ...] = (PlanChanged, BookingChanged, *COLLIDED)


class Reservations(InventoryVerbs):
    """Holds, confirms, extends, releases, cancels; and the resources that this is done to.

    Where a verb takes `owner`, naming one asserts that the hold or booking is theirs (else
    NotOwner); None is a trusted caller. Every verb may be repeated with its `idempotency_key`.
    """

    def __init__(self, parts: EngineParts) -> None:
        super().__init__(parts)
        self.committer = parts.committer
        self.hold_batches = parts.hold_batches
        self._placer = parts.placer
        self._changer = parts.changer

    @checked
    async def place_hold(
        self,
        *,
        owner: str,
        lines: Sequence[Line],
        hold_seconds: int | None = None,
        partial: bool = False,
        alternatives: int = ALTERNATIVES,
        bounds: HoldBounds = UNBOUNDED,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Hold:
        """Places a hold on all the lines, or on none; with `partial` on as much of them as there
        is, and the hold says what is `missing`. A refusal carries up to so many `alternatives`.
        `bounds` are what the owner gets at most, whatever the resource allows; a repeat by key need
        not agree in them.

        Raises UnitTaken, SoldOut, NotTogether, OrphanSeat, NotOnSale, OwnerLimitReached;
        UnknownUnit, UnknownCode, DuplicateLine, InvalidRequest, HoldTimeBeyondCap,
        CurrenciesDiffer; ResourceNotFound, ResourceClosed, ResourceNotOpen, PlanChanged;
        IdempotencyKeyReused; Overloaded, ShuttingDown, DatabaseUnavailable.
        """
        for line in lines:
            check_line(line)
        if not 0 <= alternatives <= OFFERS_MAX:
            raise InvalidRequest(f"alternatives are 0 to {OFFERS_MAX}", field="alternatives")
        return await self._placer.place(
            HoldRequest(
                owner,
                lines,
                hold_seconds,
                idempotency_key,
                partial,
                alternatives,
                bounds,
                self.published_only,
            ),
            connection,
        )

    @checked
    async def change_stay(
        self,
        booking_id: str,
        *,
        owner: str,
        lines: Sequence[Line],
        hold_seconds: int | None = None,
        alternatives: int = ALTERNATIVES,
        bounds: HoldBounds = UNBOUNDED,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Hold:
        """Places a hold in place of a booking of the owner's, which is cancelled, with all of its
        money, by what confirms the hold. Nights of both stay the booking's until then.

        Raises as place_hold does; BookingNotFound, NotOwner, BookingCancelled,
        BookingNotExchangeable.
        """
        for line in lines:
            check_line(line)
        if not 0 <= alternatives <= OFFERS_MAX:
            raise InvalidRequest(f"alternatives are 0 to {OFFERS_MAX}", field="alternatives")
        ids.parse(ids.BOOKING, booking_id)
        request = HoldRequest(
            owner,
            lines,
            hold_seconds,
            idempotency_key,
            alternatives=alternatives,
            bounds=bounds,
            published_only=self.published_only,
            instead_of=booking_id,
        )
        return await self._placer.place(request, connection)

    @checked
    async def place_holds(
        self,
        wanted: Sequence[WantedHold],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> list[HoldOutcome]:
        """Places up to 500 holds, none of which hangs on another: a list in their order, of holds
        and of the errors that `place_hold` would have raised, which carry no alternatives. Single
        holds of others go first. What has no key of its own goes under `idempotency_key`, a slash
        and its place.

        Raises InvalidRequest, also for a key that an owner has twice; Overloaded.
        """
        keys = hold_keys([(one.owner, one.idempotency_key) for one in wanted], idempotency_key)
        return await self.hold_batches.place(
            [
                partial(
                    self.place_hold,
                    owner=one.owner,
                    lines=one.lines,
                    hold_seconds=one.hold_seconds,
                    partial=one.partial,
                    alternatives=0,
                    idempotency_key=key,
                )
                for one, key in zip(wanted, keys, strict=True)
            ]
        )

    @checked
    async def quote(
        self,
        lines: Sequence[Line],
        *,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Quote:
        """What a hold of these lines would cost now, part by part, by the same rule; nothing is
        held. For lines that leave a choice, something free is chosen.

        Raises UnknownUnit, UnknownCode, DuplicateLine, InvalidRequest, CurrenciesDiffer, NotOnSale,
        ResourceNotFound; SoldOut, NotTogether, OrphanSeat where nothing is left to choose.
        """
        for line in lines:
            check_line(line)
        return await self._placer.quote(lines, connection, published_only=self.published_only)

    @checked
    async def confirm_hold(
        self,
        hold_id: str,
        *,
        owner: str | None = None,
        idempotency_key: str | None = None,
        contact: Contact | None = None,
        of_shopper: bool = False,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Booking:
        """Makes a booking of a hold that costs nothing, or was paid. News goes to `contact`. Where
        the shopper itself asks (`of_shopper`), what costs must be paid here, unless its resources
        say that it is paid `at_venue`.

        Raises HoldNotFound, NotOwner, HoldExpired, HoldReleased, HoldConfirmed, PaymentRequired,
        IdempotencyKeyReused, and what says that the service is away.
        """
        return await self._changer.confirm(
            hold_id, owner, idempotency_key, connection, contact, of_shopper=of_shopper
        )

    @checked
    async def extend_hold(
        self,
        hold_id: str,
        *,
        seconds: int,
        owner: str | None = None,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Hold:
        """Lets a hold last `seconds` from now; never beyond `extends_until` (ExtensionBeyondCap),
        never shorter than before. Raises as confirm_hold does otherwise."""
        return await self._changer.extend(hold_id, seconds, owner, idempotency_key, connection)

    @checked
    async def release_hold(
        self,
        hold_id: str,
        *,
        owner: str | None = None,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Hold:
        """Lets a hold go; its units are free at once. Raises as confirm_hold does."""
        return await self._changer.release(hold_id, owner, idempotency_key, connection)

    @checked
    async def cancel_booking(
        self,
        booking_id: str,
        *,
        reason: str,
        lines: Sequence[Line] | None = None,
        owner: str | None = None,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Booking:
        """Gives a booking back, or some lines of it; the units are free at once.

        Raises BookingNotFound, NotOwner, BookingCancelled, NotInBooking, IdempotencyKeyReused.
        """
        return await self._changer.cancel(
            booking_id, reason, lines, owner, idempotency_key, connection
        )

    @checked
    async def move_booking(
        self,
        booking_id: str,
        moves: Sequence[Move],
        *,
        resource_id: str | None = None,
        send_mail: bool = True,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Booking:
        """Moves what a booking has to other units of one resource (None: its only one), all or
        nothing: a guest to another room, whose nights to clean go along; a seat to another. Price,
        payment, owner and tickets stay. Who booked is written to, unless `send_mail` is false. An
        operator's verb: the rules of the sale are not asked.

        Raises BookingNotFound, BookingCancelled, NotInBooking, UnitTaken, UnknownUnit,
        UnitNotMovable, TicketUsed, ResourceCalledOff, PlanChanged, IdempotencyKeyReused.
        """
        wanted = check_moves(moves)
        if idempotency_key is not None:
            check_text(idempotency_key, "idempotency_key", KEY_LENGTH_MAX)
        async with self.database.borrow() as connection:
            attempts = 0
            while True:
                try:
                    moved = await self._move(
                        connection, booking_id, wanted, resource_id, idempotency_key, send_mail
                    )
                    break
                except _PLANNED_ANEW as error:
                    attempts += 1
                    if attempts == _MOVE_ATTEMPTS_MAX:
                        raise PlanChanged if isinstance(error, BookingChanged) else error from error
        self._forget(moved.freed)
        return moved.booking

    async def _move(
        self,
        connection: Connection,
        booking_id: str,
        moves: Sequence[Move],
        resource_id: str | None,
        key: str | None,
        send_mail: bool,
    ) -> moving.Moved:
        row = await moving.read_booking(connection, booking_id)
        named = moving.resource_of(row, resource_id)
        contents = moving.contents_of(
            row["booking"]["booking_id"], named, moves, send_mail=send_mail
        )
        known = await moving.recall(connection, row, key, contents)
        if known is not None:
            return moving.Moved(known, [])
        ready = await self._read_resource(connection, named)
        return await moving.move(connection, row, ready, moves, key, contents, send_mail=send_mail)

    @checked
    async def get_hold(
        self,
        hold_id: str,
        *,
        owner: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Hold:
        """Reads a hold. Raises HoldNotFound, NotOwner."""
        return await self._changer.get_hold(hold_id, owner, connection)

    @checked
    async def list_holds(
        self,
        *,
        owner: str,
        after: str | None = None,
        limit: int = 100,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> HoldPage:
        """A page of an owner's holds that are still good, those that end first at the front: what
        a call that was cancelled may have left. Raises InvalidCursor, InvalidRequest."""
        check_limit(limit)
        check_text(owner, "owner", OWNER_LENGTH_MAX)
        async with self.database.borrow(connection) as used:
            return await list_owned(used, owner, after, limit)

    @checked
    async def get_booking(
        self,
        booking_id: str,
        *,
        owner: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Booking:
        """Reads a booking. Raises BookingNotFound, NotOwner."""
        return await self._changer.get_booking(booking_id, owner, connection)

    @checked
    async def positions(
        self, place_id: str, *, owner: str | None = None, timeout: float | None = None
    ) -> Positions:
        """Where a hold or booking with numbers stands in line. Raises HoldNotFound, NotOwner."""
        async with self.database.borrow() as connection:
            return await positions.positions(connection, positions.parse_place(place_id), owner)

    @checked
    async def set_serving(
        self, resource_id: str, number: int, *, timeout: float | None = None
    ) -> int:
        """Says which number of a resource is being served. Raises ResourceNotFound."""
        async with self.database.borrow() as connection:
            return await positions.set_serving(connection, resource_id, number)
