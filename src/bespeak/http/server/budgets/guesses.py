"""Guesses at what is not one's own: ids of holds, bookings, payments and refunds, and codes of
tickets. Only what failed is counted and judged, so nobody is kept from what is theirs, and a door
never closes because a camera misreads. Links are signed: there is nothing to be guessed.
"""

from __future__ import annotations

from bespeak.errors import BookingNotFound, HoldNotFound, NotOwner
from bespeak.http.server.budgets import policy
from bespeak.http.server.budgets.gate import Budgets, Spender, Visitor
from bespeak.http.server.budgets.policy import Budget
from bespeak.payments.errors import PaymentNotFound, RefundNotFound

GUESSED = (
    BookingNotFound,
    HoldNotFound,
    NotOwner,
    PaymentNotFound,
    RefundNotFound,
)
"""What a guess at an id is answered."""


class Guesses:
    """The guesses that a worker has seen."""

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets

    def failed(self, visitor: Visitor) -> None:
        """Counts a guess of a guest. Raises BudgetSpent from so many on, whatever the answer would
        have been: whether there is such a thing is not told any more."""
        limits = policy.GUESSES_OF_GUEST, policy.GUESSES_OF_ADDRESS
        with self._budgets.trying(Budget.GUESSES, self._budgets.spenders(visitor, *limits)):
            pass  # it was not good

    def bad_codes(self, key_id: str, count: int = 1) -> None:
        """Counts ticket codes that nobody signed, by the key that brought them. They are told and
        never refused: a code is 64 signed bytes, which nobody guesses, and whoever stands at a door
        with a good ticket is let in, however often the camera misread before."""
        who = f"key:{key_id}"
        self._budgets.note(Budget.TICKET_CODES, Spender(who, policy.TICKET_CODES_OF_KEY), count)
