"""How many a waiting room lets in by what the payment provider does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.admission.forms import PaymentsPace
from bespeak.admission.pace import Chances
from bespeak.admission.provider_pace import RoomPayments, provider_pace

HALF_PAY = Chances(comes=1.0, holds=0.5, units=1.0, buys=0.8)
A_MINUTE = 600
COUNTS = st.integers(0, 10_000)


@pytest.mark.parametrize(
    ("payments", "wanted", "a_minute"),
    [
        (RoomPayments(), "well", 600),
        # Many wait, and none for long.
        (RoomPayments(waiting=500, slow=2, answered=90, just_answered=9), "well", 600),
        (RoomPayments(waiting=30, slow=9, answered=60, just_answered=20), "well", 600),
        # It keeps up with 30 a minute, and half of those who come in pay: 60, less those too late.
        (RoomPayments(waiting=10, slow=4, answered=30, just_answered=5), "slow", 36),
        (RoomPayments(waiting=10, slow=5, answered=30, just_answered=5), "slow", 30),
        (RoomPayments(waiting=10, slow=10, answered=30, just_answered=1), "slow", 0),
        # Never more than the operator says.
        (RoomPayments(waiting=900, slow=400, answered=2_000, just_answered=9), "slow", 600),
        # It has answered nothing for a while.
        (RoomPayments(waiting=3, slow=3, answered=30), "stopped", 0),
        (RoomPayments(waiting=900, slow=900), "stopped", 0),
        # For long nothing: some try it, and if theirs wait too, nobody more.
        (RoomPayments(stuck=50), "slow", 6),
        (RoomPayments(waiting=2, stuck=50), "slow", 6),
        (RoomPayments(waiting=2, slow=1, stuck=50), "stopped", 0),
        # It answers again, or some are left over for a reason of their own.
        (RoomPayments(waiting=2, slow=1, stuck=50, answered=1, just_answered=1), "well", 600),
        (RoomPayments(stuck=2), "well", 600),
    ],
)
def test_by_what_waits_and_what_is_answered(
    payments: RoomPayments, wanted: PaymentsPace, a_minute: float
) -> None:
    found = provider_pace(payments, HALF_PAY, A_MINUTE)
    assert found.payments == wanted
    assert found.a_minute == pytest.approx(a_minute)


@given(COUNTS, COUNTS, COUNTS, COUNTS, COUNTS)
def test_never_more_than_the_operator_allows_and_nobody_while_it_is_silent(
    waiting: int, slow: int, stuck: int, answered: int, just_answered: int
) -> None:
    payments = RoomPayments(waiting + slow, slow, stuck, answered + just_answered, just_answered)
    found = provider_pace(payments, HALF_PAY, A_MINUTE)
    assert 0 <= found.a_minute <= A_MINUTE
    if found.payments == "stopped":
        assert found.a_minute == 0
    if found.payments == "well":
        assert found.a_minute == A_MINUTE
