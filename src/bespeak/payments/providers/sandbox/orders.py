"""What the sandbox writes down of an order: how the payment begins, by the wish of its token, and
only text and addresses that can be kept and shown.
"""

from __future__ import annotations

import re
import secrets
from typing import NamedTuple
from uuid import UUID

import msgspec

from bespeak.money import Money
from bespeak.payments.providers.provider import Order, StandingState
from bespeak.payments.providers.sandbox.outcomes import BEGINNINGS, TIMED, Beginning, Outcome, Wish
from bespeak.postgres.composites import composite

# The reply to a slow order is sent by who took it; the bank decides alone only if that one is gone.
GRACE_SECONDS = 5

_TOKEN_LENGTH_MAX = 100
_MORE = 100
_DESCRIPTION_LENGTH_MAX = 500
_URL_LENGTH_MAX = 2000
_WEB_URL = re.compile(
    r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][!-~]*)?", re.IGNORECASE
)


@composite("sandbox_order")
class SandboxOrderRow(NamedTuple):
    """An order as the bank's database takes it."""

    payment_id: UUID
    reference: str
    owner: str
    token: str
    outcome: str
    state: str
    failure: str | None
    amount: int
    currency: str
    description: str
    return_url: str | None
    decide_seconds: float | None
    tells: str | None
    tell_seconds: float
    tell_copies: int
    tell_amount: int
    tell_currency: str
    ordered: str


def order_row(
    order: Order, payment: UUID, wish: Wish | None, failure: str | None
) -> SandboxOrderRow:
    """The row of an order whose token asks for this, or is no good for this reason."""
    outcome = Outcome.DECLINED if wish is None else wish.outcome
    beginning = BEGINNINGS[outcome]
    if failure is not None:
        beginning = Beginning(StandingState.FAILED, failure)
    # The bank gets the order wrong.
    more = _MORE if outcome is Outcome.OTHER_AMOUNT else 0
    amount = Money(order.amount.amount + more, order.amount.currency)
    return SandboxOrderRow(
        payment_id=payment,
        reference="sbx" + secrets.token_hex(16),
        owner=order.owner,
        token=_plain(order.token, _TOKEN_LENGTH_MAX),
        outcome=outcome.value,
        state=beginning.state,
        failure=beginning.failure,
        amount=amount.amount,
        currency=amount.currency,
        description=_plain(order.description, _DESCRIPTION_LENGTH_MAX),
        return_url=web_address(order.return_url),
        decide_seconds=_decide_seconds(wish),
        tells="payment.authorized" if beginning.tells else None,
        tell_seconds=beginning.tell_seconds,
        tell_copies=beginning.tell_copies,
        tell_amount=amount.amount + (outcome is Outcome.WRONG_AMOUNT),
        tell_currency=_other(amount.currency)
        if outcome is Outcome.WRONG_CURRENCY
        else amount.currency,
        ordered=msgspec.json.encode(order.ordered).decode(),
    )


def web_address(url: str | None) -> str | None:
    """The address, if it is one of the web that a browser can be sent to; else None."""
    if url is None or len(url) > _URL_LENGTH_MAX or _WEB_URL.fullmatch(url) is None:
        return None
    return url


def _decide_seconds(wish: Wish | None) -> float | None:
    if wish is None or wish.outcome not in TIMED:
        return None
    return wish.seconds + (GRACE_SECONDS if wish.outcome is Outcome.SLOW else 0)


def _other(currency: str) -> str:
    return "EUR" if currency != "EUR" else "USD"


def _plain(text: str, length_max: int) -> str:
    """What the database can keep and a page can show of any text."""
    kept = "".join(one if one.isprintable() else " " for one in text[:length_max])
    return kept.encode(errors="replace").decode()
