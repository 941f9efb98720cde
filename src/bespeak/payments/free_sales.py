"""The free list: holds that the desk gives for nothing, to guests, the press, sponsors. The price
of the hold goes, the reason is kept, and the hold is confirmed as any that costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from bespeak import ids
from bespeak.actors import acting
from bespeak.errors import HoldNotFound
from bespeak.payments.errors import FreeSalesOff, PaymentInProgress
from bespeak.postgres.queries import load
from bespeak.reservations.holds import Hold, hold_of
from bespeak.reservations.outcomes import change_error

if TYPE_CHECKING:
    from bespeak.reservations.verbs import Reservations

_QUERIES = load("bespeak.payments", "free_sales.sql")

FreeReason: TypeAlias = Literal["guest_list", "press", "staff", "sponsor", "other"]


async def give_free(engine: Reservations, hold_id: str, reason: FreeReason) -> Hold:
    """Makes a hold cost nothing. Repeated, it answers the same.

    Raises FreeSalesOff, HoldNotFound, HoldConfirmed, HoldReleased, HoldExpired, PaymentInProgress,
    InvalidId, DatabaseUnavailable.
    """
    if not engine.settings.free_sales:
        raise FreeSalesOff
    number = ids.parse(ids.HOLD, hold_id)
    async with engine.database.borrow() as connection:
        row = await connection.fetchrow(
            _QUERIES["give_free"], ids.home_of(number), number, reason, acting()
        )
    if row is None or row["outcome"] == "not_found":
        raise HoldNotFound(hold_id=hold_id)
    if row["outcome"] == "payment_in_progress":
        raise PaymentInProgress("somebody pays for this hold, or tried to")
    if row["outcome"] not in ("free", "replayed"):
        raise change_error(row)
    return hold_of(row["hold"], replayed=row["outcome"] == "replayed", now=row["answered_at"])
