"""The engine as the handler of a vertical has it where a guest calls: whatever hold that handler
places, asks the price of, books or lets go is judged by the guest's budgets and noted there, as by
the API's own calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bespeak.engine import Engine, GuestsEngine
from bespeak.pricing.quotes import Quote
from bespeak.reservations.contact import Contact
from bespeak.reservations.holds import Booking, Hold
from bespeak.reservations.verbs import ALTERNATIVES

if TYPE_CHECKING:
    from bespeak.http.server.budgets.gate import Budgets, Visitor
    from bespeak.lines import Line
    from bespeak.postgres.pool import Connection


class VisitorEngine(GuestsEngine):
    """An engine that shares all with another one, for one call of a guest. It finds what that one
    finds: a server that names a shopper's address sees what is not published."""

    def __init__(self, engine: Engine, budgets: Budgets, visitor: Visitor) -> None:
        super().__init__(engine)
        self.published_only = engine.published_only
        self._budgets = budgets
        self._visitor = visitor

    async def place_hold(
        self,
        *,
        owner: str,
        lines: Sequence[Line],
        hold_seconds: int | None = None,
        partial: bool = False,
        alternatives: int = ALTERNATIVES,
        hold_seconds_max: int | None = None,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Hold:
        """As of an engine. Raises BudgetSpent and ChallengeRequired beside."""
        visitor = self._visitor._replace(owner=owner)
        budgets = self._budgets
        with (
            budgets.trying_codes(visitor, lines),
            budgets.hold_admission(visitor, lines, idempotency_key) as admission,
        ):
            most = await admission.seconds_max()
            if most is None or (hold_seconds_max is not None and hold_seconds_max < most):
                most = hold_seconds_max
            hold = await super().place_hold(
                owner=owner,
                lines=lines,
                hold_seconds=hold_seconds,
                partial=partial,
                alternatives=alternatives,
                hold_seconds_max=most,
                idempotency_key=idempotency_key,
                connection=connection,
                timeout=timeout,
            )
            admission.placed(hold)
        return hold

    async def quote(
        self,
        lines: Sequence[Line],
        *,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Quote:
        """As of an engine. Raises BudgetSpent beside."""
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
