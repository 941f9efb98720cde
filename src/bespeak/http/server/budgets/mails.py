"""Mails that a guest has the server send: how many an hour to one address, and on behalf of one
guest or of one address of the network. What is asked for with another's address floods them.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from bespeak.http.server.budgets import policy
from bespeak.http.server.budgets.gate import Budgets, Spender, Trial, Visitor
from bespeak.http.server.budgets.policy import Budget


def trying_mail(
    budgets: Budgets, visitor: Visitor, recipient: str
) -> AbstractContextManager[Trial]:
    """A request that will have a mail sent to this address. Where no mail comes of it, set the
    trial's `is_good`. Every call by which a guest can have mails sent goes through here. Raises
    BudgetSpent."""
    known = budgets.digest(recipient.strip().casefold())
    return budgets.trying(
        Budget.MAILS,
        [
            Spender(f"recipient:{known}", policy.MAILS_OF_RECIPIENT),
            *budgets.spenders(visitor, policy.MAILS_OF_GUEST, policy.MAILS_OF_ADDRESS),
        ],
    )


def trying_test_mail(
    budgets: Budgets, sender: str, recipient: str
) -> AbstractContextManager[Trial]:
    """A mail that somebody at the console sends to try it: an address is not flooded by those
    either. Raises BudgetSpent."""
    known = budgets.digest(recipient.strip().casefold())
    return budgets.trying(
        Budget.MAILS,
        [
            Spender(f"recipient:{known}", policy.MAILS_OF_RECIPIENT),
            Spender(f"tester:{sender}", policy.MAILS_OF_GUEST),
        ],
    )
