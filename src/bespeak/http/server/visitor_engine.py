"""The engine as the handler of a vertical has it where a guest calls: whatever hold that handler
places, asks the price of, books or lets go is judged by the guest's budgets and noted there, as by
the API's own calls.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from bespeak.engine import Engine, GuestsEngine
from bespeak.pricing.quotes import Quote
from bespeak.reservations.contact import Contact
from bespeak.reservations.holds import Booking, Hold
from bespeak.reservations.request import UNBOUNDED, HoldBounds
from bespeak.reservations.verbs import ALTERNATIVES

if TYPE_CHECKING:
    from bespeak.http.server.budgets.gate import Visitor
    from bespeak.http.server.service import Service
    from bespeak.lines import Line
    from bespeak.postgres.pool import Connection


class VisitorEngine(GuestsEngine):
    """An engine that shares all with another one, for one call of a guest. It finds what that one
    finds: a server that names a shopper's address sees what is not published."""

    def __init__(
        self, engine: Engine, service: Service, visitor: Visitor, waiting_pass: str | None
    ) -> None:
        super().__init__(engine)
        self.published_only = engine.published_only
        self._budgets, self._rooms = service.budgets, service.waiting_rooms
        self._pass = waiting_pass
        self._visitor = visitor

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
        """As of an engine. Raises BudgetSpent, ChallengeRequired, PassRequired and PassInvalid
        beside."""
        place = functools.partial(
            super().place_hold,
            owner=owner,
            lines=lines,
            hold_seconds=hold_seconds,
            partial=partial,
            alternatives=alternatives,
            idempotency_key=idempotency_key,
            connection=connection,
            timeout=timeout,
        )
        return await self._admitted(place, owner, lines, bounds, idempotency_key)

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
        """As of an engine. Raises BudgetSpent, ChallengeRequired, PassRequired and PassInvalid
        beside."""
        place = functools.partial(
            super().change_stay,
            booking_id,
            owner=owner,
            lines=lines,
            hold_seconds=hold_seconds,
            alternatives=alternatives,
            idempotency_key=idempotency_key,
            connection=connection,
            timeout=timeout,
        )
        return await self._admitted(place, owner, lines, bounds, idempotency_key)

    async def _admitted(
        self,
        place: Callable[..., Awaitable[Hold]],
        owner: str,
        lines: Sequence[Line],
        bounds: HoldBounds,
        idempotency_key: str | None,
    ) -> Hold:
        """Places a hold within what the budgets of the visitor and their pass allow, and notes it
        there."""
        visitor = self._visitor._replace(owner=owner)
        units = await self._rooms.check_pass(lines, owner, self._pass)
        budgets = self._budgets
        with (
            budgets.trying_codes(visitor, lines),
            budgets.hold_admission(visitor, lines, idempotency_key) as admission,
        ):
            narrower = HoldBounds(await admission.seconds_max(), units)
            hold = await place(bounds=bounds.within(narrower))
            admission.placed(hold)
        return hold

    async def quote(
        self,
        lines: Sequence[Line],
        *,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Quote:
        """As of an engine. Raises BudgetSpent, PassRequired and PassInvalid beside."""
        await self._rooms.check_pass(lines, self._visitor.owner, self._pass)
        with self._budgets.trying_codes(self._visitor, lines):
            return await super().quote(lines, connection=connection, timeout=timeout)

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
        booking = await super().confirm_hold(
            hold_id,
            owner=owner,
            idempotency_key=idempotency_key,
            contact=contact,
            of_shopper=of_shopper,
            connection=connection,
            timeout=timeout,
        )
        self._note_end(hold_id, connection, is_booked=True)
        return booking

    async def release_hold(
        self,
        hold_id: str,
        *,
        owner: str | None = None,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Hold:
        hold = await super().release_hold(
            hold_id,
            owner=owner,
            idempotency_key=idempotency_key,
            connection=connection,
            timeout=timeout,
        )
        self._note_end(hold_id, connection, is_booked=False)
        return hold

    def _note_end(self, hold_id: str, connection: Connection | None, *, is_booked: bool) -> None:
        """What is part of a transaction may still be undone: it is looked up when its time is
        over."""
        if connection is None:
            self._budgets.ended(hold_id, "booked" if is_booked else "wasted")
