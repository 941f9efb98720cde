"""The tokens of the sandbox: what each makes of a payment. They are constants that anybody may use,
documented in docs/reference/sandbox.md; personal tokens stand for one of them and one buyer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from bespeak.payments.providers.provider import StandingState

TOKEN_PREFIX = "tok_"  # noqa: S105 (how tokens begin, not one)
PERSONAL_PREFIX = "tok_u_"
SECONDS_MAX = 60
SECONDS_UNLESS_TOLD = 2

_FORM = re.compile(r"(?P<name>[a-z_]{1,40}?)(?:_(?P<seconds>[0-9]{1,2}))?", re.ASCII)


class Outcome(StrEnum):
    """What becomes of a payment. The public token of each is `tok_` and this."""

    SUCCESS = "success"
    DECLINED = "declined"
    INSUFFICIENT_FUNDS = "insufficient_funds"
    EXPIRED_CARD = "expired_card"
    CHALLENGE = "challenge"
    SLOW = "slow"
    PENDING = "pending"
    PENDING_DECLINED = "pending_declined"
    TIMEOUT_BEFORE = "timeout_before"
    TIMEOUT_BEFORE_ONCE = "timeout_before_once"
    TIMEOUT_AFTER = "timeout_after"
    DUPLICATE_CALLBACK = "duplicate_callback"
    OUT_OF_ORDER = "out_of_order"
    CALLBACK_FIRST = "callback_first"
    CAPTURE_FAILS = "capture_fails"
    PARTIAL_CAPTURE = "partial_capture"
    OTHER_AMOUNT = "other_amount"
    REFUND_FAILS_ONCE = "refund_fails_once"
    REFUND_FAILS = "refund_fails"
    REFUND_PENDING = "refund_pending"
    WRONG_AMOUNT = "wrong_amount"
    WRONG_CURRENCY = "wrong_currency"


# Those whose name may end in a number of seconds, as tok_slow_5.
TIMED = frozenset((Outcome.SLOW, Outcome.PENDING, Outcome.PENDING_DECLINED))


class Wish(NamedTuple):
    """What a token asks for: the outcome, and for the timed ones in how many seconds."""

    outcome: Outcome
    seconds: int


@dataclass(frozen=True)
class Beginning:
    """How a new payment stands, and the callback that it sets off: in how many seconds, how
    often."""

    state: str
    failure: str | None = None
    tells: bool = False
    tell_seconds: float = 0
    tell_copies: int = 1


UNHEARD = "unheard"
_BY_NAME = {outcome.value: outcome for outcome in Outcome}
_AUTHORIZED = Beginning(StandingState.AUTHORIZED)
_TOLD = Beginning(StandingState.AUTHORIZED, tells=True)
_PENDING = Beginning(StandingState.PENDING)

BEGINNINGS: dict[Outcome, Beginning] = {
    **dict.fromkeys(Outcome, _AUTHORIZED),
    **{
        outcome: Beginning(StandingState.FAILED, failure=outcome.value)
        for outcome in (Outcome.DECLINED, Outcome.INSUFFICIENT_FUNDS, Outcome.EXPIRED_CARD)
    },
    Outcome.CHALLENGE: Beginning(StandingState.CHALLENGE),
    Outcome.SLOW: _PENDING,
    Outcome.PENDING: _PENDING,
    Outcome.PENDING_DECLINED: _PENDING,
    Outcome.TIMEOUT_BEFORE_ONCE: Beginning(UNHEARD),
    # Late enough that whoever recovers by asking comes first as often as not.
    Outcome.TIMEOUT_AFTER: Beginning(StandingState.AUTHORIZED, tells=True, tell_seconds=1),
    Outcome.DUPLICATE_CALLBACK: Beginning(StandingState.AUTHORIZED, tells=True, tell_copies=2),
    Outcome.CALLBACK_FIRST: _TOLD,
    Outcome.WRONG_AMOUNT: _TOLD,
    Outcome.WRONG_CURRENCY: _TOLD,
}


def wish_of(name: str) -> Wish | None:
    """The wish that a name like `success` or `slow_5` stands for; None if there is none."""
    found = _FORM.fullmatch(name)
    outcome = _BY_NAME.get(found["name"]) if found is not None else None
    if found is None or outcome is None:
        return None
    if found["seconds"] is None:
        return Wish(outcome, SECONDS_UNLESS_TOLD)
    if outcome not in TIMED or int(found["seconds"]) > SECONDS_MAX:
        return None
    return Wish(outcome, int(found["seconds"]))
