"""The engine as `bespeak.connect` opens it: every verb, the feed, the settlement of payments."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import (
    Any,  # any: see its use
    Concatenate,
    Literal,
    ParamSpec,
    TypeVar,
)

from bespeak.actors import acting_as
from bespeak.admission.service import WaitingRoomVerbs
from bespeak.arguments import check_limit, checked
from bespeak.errors import InvalidRequest
from bespeak.feed import reader
from bespeak.feed.feed_snapshot import FeedSnapshotPage, read_feed_snapshot
from bespeak.feed.live_hub import Live
from bespeak.feed.live_news import LiveNews
from bespeak.feed.reader import EventPage
from bespeak.feed.timeline import Timeline, read_timeline
from bespeak.inventory.resources import Resource
from bespeak.lines import Line
from bespeak.payments.refunds.call_off import CalledOff, CallingOff
from bespeak.payments.refunds.cancellation import Cancelling, RefundTerms
from bespeak.payments.refunds.owed import RefundQuote
from bespeak.payments.refunds.record import Refunds
from bespeak.payments.settlement import Settlement
from bespeak.postgres.callers import CallersConnection, Opened, opened_by
from bespeak.postgres.lsn import parse_lsn, show_lsn
from bespeak.postgres.pool import Connection
from bespeak.reservations.engine_parts import EngineParts
from bespeak.reservations.holds import Booking
from bespeak.reservations.verbs import Reservations
from bespeak.waitlists.service import Waitlists

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


class Engine(Reservations):
    """The engine with its feed (`live` is what watches it), and with the settlement of its payments
    (`payments`). Made by `bespeak.connect`."""

    live: Live
    payments: Settlement

    def __init__(self, parts: EngineParts) -> None:
        super().__init__(parts)
        database, ready, settings = parts.database, parts.ready_resources, parts.settings
        self.refunds = Refunds(database, parts.committer, settings)
        self._cancelling = Cancelling(database, ready, parts.changer, settings)
        self._calling_off = CallingOff(database, ready, settings)
        self.waitlists = Waitlists(self)
        self.waiting_rooms = WaitingRoomVerbs(database)

    def for_guests(self) -> Engine:
        """This engine as guests have it, sharing all that it knows: what is not published is not
        found, neither to be read nor to be held. Holds and bookings of it stay as they are."""
        return GuestsEngine(self)

    @checked
    async def cancel_booking(
        self,
        booking_id: str,
        *,
        reason: str,
        lines: Sequence[Line] | None = None,
        refund: RefundTerms = "policy",
        refunds_max: int | None = None,
        owner: str | None = None,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Booking:
        """Gives a booking back, or some lines of it; the units are free at once, and what is due of
        the money is written down with it: by the policy that it was sold with, in `full`, or
        `none`. With `refunds_max`, nothing is done where all refunds of the booking would come to
        more minor units than that.

        Raises BookingNotFound, NotOwner, BookingCancelled, NotInBooking, RefundTooGreat,
        IdempotencyKeyReused.
        """
        return await self._cancelling.cancel(
            booking_id,
            reason=reason,
            lines=lines,
            refund=refund,
            owner=owner,
            key=idempotency_key,
            connection=connection,
            refunds_max=refunds_max,
        )

    @checked
    async def refund_quote(
        self,
        booking_id: str,
        *,
        lines: Sequence[Line] | None = None,
        owner: str | None = None,
        timeout: float | None = None,
    ) -> RefundQuote:
        """What cancelling a booking, or some lines of it, would give back now, by the policy that
        it was sold with. Raises BookingNotFound, NotOwner, BookingCancelled, NotInBooking."""
        return await self._cancelling.quote(booking_id, lines=lines, owner=owner)

    @checked
    async def call_off(
        self,
        resource_id: str,
        *,
        reason: str,
        refund: Literal["full", "policy"] = "full",
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> CalledOff:
        """Closes a resource and has all its holds released and all its bookings cancelled, in the
        background. Raises ResourceNotFound, ResourceCalledOff, PlanChanged,
        IdempotencyKeyReused."""
        return await self._calling_off.begin(
            resource_id, reason=reason, refund=refund, key=idempotency_key
        )

    @checked
    async def cancellation(self, resource_id: str, *, timeout: float | None = None) -> CalledOff:
        """How far the calling off of a resource has come. Raises NotCalledOff."""
        return await self._calling_off.progress(resource_id)

    @checked
    async def reopen(self, resource_id: str, *, timeout: float | None = None) -> Resource:
        """Opens a resource again that was called off; what was cancelled stays so. Raises
        NotCalledOff, CallingOffRuns."""
        await self._calling_off.reopen(resource_id)
        return await self.get_resource(resource_id)

    async def written(self) -> str:
        """How far the database's log went after all that was answered before: what a read must
        find on a replica to see it. Without a replica any read does, and this costs nothing."""
        return show_lsn(await self.reads.written())

    @contextmanager
    def reading_after(self, written: str) -> Iterator[None]:
        """Reads within the block see what was written before `written()` was answered, in this or
        another process. What is no such text makes them read from the primary."""
        with self.reads.after(parse_lsn(written)):
            yield

    @contextmanager
    def acting_as(self, actor: str) -> Iterator[None]:
        """What is written within the block is this actor's: 1 to 64 characters, which events and
        timelines show. Raises InvalidRequest."""
        with acting_as(actor):
            yield

    @checked
    async def timeline(
        self, place_id: str, *, owner: str | None = None, timeout: float | None = None
    ) -> Timeline:
        """What happened to a hold or booking (by the id of either) and to its money.
        Raises InvalidId, HoldNotFound, BookingNotFound, NotOwner."""
        async with self.database.borrow() as connection:
            return await read_timeline(connection, place_id, owner)

    @checked
    async def events(
        self,
        *,
        after: str | None = None,
        limit: int = 100,
        resource_id: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> EventPage:
        """A page of the feed after a cursor, of a `workspace` or of all. A page of a workspace may
        be empty though there is more behind it. Raises InvalidCursor."""
        check_limit(limit)
        return await self.reads.run(
            lambda used: reader.read(used, after, limit, resource_id, workspace)
        )

    @checked
    async def events_snapshot(
        self,
        *,
        after: str | None = None,
        limit: int = 100,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> FeedSnapshotPage:
        """A page of what stands, in a `workspace` or in all, and the cursor to follow the feed
        from. Raises InvalidCursor."""
        check_limit(limit)
        async with self.database.borrow() as connection:
            return await read_feed_snapshot(connection, after, limit, workspace)

    def within(self, connection: CallersConnection) -> Within:
        """The verbs in the caller's transaction: on a connection of asyncpg or psycopg, or an
        `AsyncConnection` or `AsyncSession` of SQLAlchemy, which is made to begin if it has not.
        Raises InvalidRequest for what is none of these."""
        return Within(self, opened_by(connection))

    @checked
    def watch(self, resource_id: str, *, after: str | None = None) -> AsyncIterator[LiveNews]:
        """What happens to a resource, as it happens: a snapshot and then changes, at most twenty
        times a second. With a cursor that came before, it goes on from there; who is slow gets a
        fresh snapshot instead of what it missed. It ends when the engine closes.

        The iterator raises ResourceNotFound, InvalidId, InvalidCursor, DatabaseUnavailable; the
        call WrongEventLoop, ForkedEngine.
        """
        self.database.own_loop.check()
        return self.live.watch(resource_id, after, published_only=self.published_only)


class GuestsEngine(Engine):
    """An engine that shares all with another one, and finds only what is published."""

    published_only = True

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine.parts)
        self.live = engine.live
        self.payments = engine.payments


def _inside(
    verb: Callable[Concatenate[Engine, Parameters], Coroutine[object, object, Answer]],
) -> Callable[Concatenate[Within, Parameters], Coroutine[object, object, Answer]]:
    """A verb of the engine in the caller's transaction."""

    @wraps(verb)
    async def call(
        self: Within, /, *arguments: Parameters.args, **named: Parameters.kwargs
    ) -> Answer:
        if "connection" in named:
            raise InvalidRequest("`within` has named the connection already", field="connection")
        own: Any = {"connection": await self.open()}  # any: an argument of every such verb
        bound: Any = getattr(self.engine, verb.__name__)  # any: it may be another engine's verb
        answer: Answer = await bound(*arguments, **named, **own)
        return answer

    return call


class Within:
    """The verbs that can be part of a caller's transaction, which they commit or vanish with. Made
    by `Engine.within`; used by one task at a time, as the connection is. Beside what the engine's
    verbs raise: NoTransaction, where the connection commits each statement by itself."""

    def __init__(self, engine: Engine, opened: Opened) -> None:
        self.engine = engine
        self.open = opened

    place_hold = _inside(Engine.place_hold)
    change_stay = _inside(Engine.change_stay)
    quote = _inside(Engine.quote)
    confirm_hold = _inside(Engine.confirm_hold)
    extend_hold = _inside(Engine.extend_hold)
    release_hold = _inside(Engine.release_hold)
    cancel_booking = _inside(Engine.cancel_booking)
    get_hold = _inside(Engine.get_hold)
    list_holds = _inside(Engine.list_holds)
    get_booking = _inside(Engine.get_booking)
    create_resource = _inside(Engine.create_resource)
    create_resources = _inside(Engine.create_resources)
    get_resource = _inside(Engine.get_resource)
    update_resource = _inside(Engine.update_resource)
