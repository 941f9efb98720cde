"""When an operator must prove again who they are before money goes back: where the booking's
refunds come to more than the setting allows without. Keys of servers are not asked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bespeak.http.server.call import Call
from bespeak.payments.errors import RefundTooGreat
from bespeak.reservations.holds import Booking


async def within_limit(
    call: Call[object, object], cancel: Callable[[int | None], Awaitable[Booking]]
) -> Booking:
    """Cancels, told the most that the booking's refunds may come to. What went back before counts:
    many small parts are one great refund, also when they are asked for at once. Raises
    StepUpRequired, and what `cancel` does."""
    session = call.caller.operator
    if session is None:
        return await cancel(None)
    try:
        return await cancel(call.engine.settings.step_up_refund_over)
    except RefundTooGreat:
        await call.service.operators.check_proof(session)
    return await cancel(None)
