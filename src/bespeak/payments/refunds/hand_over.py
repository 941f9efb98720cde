"""Refunds at the desk: the money is handed over by somebody, who says so here. Until then the
refund is pending, however often the refunder looks.
"""

from __future__ import annotations

from bespeak.actors import acting
from bespeak.errors import DatabaseUnavailable
from bespeak.payments.errors import RefundNotAtDesk
from bespeak.payments.providers.desk import Desk
from bespeak.payments.providers.provider import ProviderUnavailable, RefundState
from bespeak.payments.refunds.record import Refund, Refunds
from bespeak.payments.settlement import Settlement
from bespeak.states import PaymentState


async def hand_over_refund(settlement: Settlement, refunds: Refunds, refund_id: str) -> Refund:
    """Notes that the money of a refund was handed over at the desk. Repeated, it changes nothing.
    Raises InvalidId, RefundNotFound, RefundNotAtDesk, DatabaseUnavailable."""
    refund, work = await refunds.work(refund_id)
    desk = settlement.providers.get(work.payment.provider)
    if refund.state is RefundState.REFUNDED:
        return refund
    if not isinstance(desk, Desk) or refund.state is RefundState.FAILED:
        raise RefundNotAtDesk(refund_id=refund_id)
    payment = work.payment
    if payment.state is PaymentState.AUTHORIZED:
        # Cancelled a moment after it was sold: that the money stays is noted first.
        payment, _ = await settlement.advance(payment)
    # The refunder may not have been here yet; then this is what it would have done.
    try:
        await desk.refund(payment.charge, refund_id, work.amount.amount)
    except ProviderUnavailable as error:  # its books are tables of ours
        raise DatabaseUnavailable(error.detail) from error
    await desk.hand_over(refund_id, acting())
    return await refunds.settle(work._replace(payment=payment), RefundState.REFUNDED, None)
