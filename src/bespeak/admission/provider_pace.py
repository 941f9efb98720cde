"""How many may come in by what the payment provider does: arithmetic, without a look at anything.
Who comes in while payments pile up only makes the pile larger, and what they hold is lost to them
when its time is over.
"""

from __future__ import annotations

from typing import NamedTuple

from bespeak.admission.alarms import STUCK_SECONDS, Waits, is_slow
from bespeak.admission.forms import PaymentsPace
from bespeak.admission.pace import Chances

PAYMENTS_KEPT_SECONDS = 2 * STUCK_SECONDS
"""Payments that have waited for longer say nothing of the provider any more."""
ANSWERS_SECONDS = 20.0
"""A provider that has payments to answer, and has answered none for so long, does not answer."""
_TRIED_A_MINUTE = 6.0
_MANY = 3


class RoomPayments(NamedTuple):
    """Payments for what is behind a room: how many wait for their provider, and how many of these
    for too long; how many have waited so long that they are no news (`stuck`); and how many it has
    answered in the last minute and (`just_answered`) in the last ANSWERS_SECONDS."""

    waiting: int = 0
    slow: int = 0
    stuck: int = 0
    answered: int = 0
    just_answered: int = 0


class ProviderPace(NamedTuple):
    """How payments go, and how many persons a minute may come in by that."""

    payments: PaymentsPace
    a_minute: float


def provider_pace(payments: RoomPayments, chances: Chances, a_minute: int) -> ProviderPace:
    """As many as the operator allows, while payments are answered in time. If many wait too long,
    as many as will pay what the provider answers, less the share that waits too long, so that the
    pile gets smaller; and nobody while it answers nothing. After a long silence some are let in,
    by whom one sees whether it is over."""
    if is_slow(Waits(payments.waiting, payments.slow)):
        if not payments.just_answered:
            return ProviderPace("stopped", 0.0)
        in_time = 1 - payments.slow / payments.waiting
        return ProviderPace("slow", min(a_minute, payments.answered * in_time / chances.holds))
    if payments.stuck >= _MANY and not payments.answered:
        if payments.slow:
            return ProviderPace("stopped", 0.0)
        return ProviderPace("slow", min(a_minute, _TRIED_A_MINUTE))
    return ProviderPace("well", float(a_minute))
