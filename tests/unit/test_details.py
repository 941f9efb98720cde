"""What an error says beyond its title: of its data, and never more than its title where there is
none, or other data than it should have.
"""

from datetime import UTC, datetime, timedelta

import pytest

from bespeak import details, errors
from bespeak.errors import BespeakError, by_code
from bespeak.payments import errors as payments
from bespeak.refusals import SHORT, Conflict
from bespeak.ticketing import errors as ticketing

AT = datetime(2030, 1, 7, 19, 30, 15, 123456, UTC)
RES = "res_kbq6mf4p"
HELD = Conflict(RES, "F8", "held", until=AT)
NIGHT = Conflict(RES, "101", "booked", from_="2030-01-07", to="2030-01-09")
FLOOR = Conflict(RES, "floor", SHORT, capacity=100, available=3)
LIMIT = {"resource_id": RES, "owner_limit": 10, "left": 2}


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (errors.UnitTaken(conflicts=[HELD]), "F8 is held until 2030-01-07T19:30:15Z"),
        (errors.UnitTaken(conflicts=[NIGHT]), "101 from 2030-01-07 to 2030-01-09 is booked"),
        (
            errors.UnitTaken(conflicts=[HELD, *([NIGHT] * 4)]),
            "F8 is held until 2030-01-07T19:30:15Z; 101 from 2030-01-07 to 2030-01-09 is booked;"
            " 101 from 2030-01-07 to 2030-01-09 is booked; and 2 more",
        ),
        (errors.SoldOut(conflicts=[FLOOR]), "floor has 3 left"),
        (errors.SoldOut(conflicts=[], available=2), "2 left"),
        (
            errors.OwnerLimitReached(limits=[LIMIT]),
            f"one owner may have 10 of {RES}, and 2 are left for this one",
        ),
        (errors.OrphanSeat(units=[{"resource_id": RES, "unit": "A3"}]), "it would leave alone: A3"),
        (errors.ResourceNotOpen(opens_at=AT), "the sale begins at 2030-01-07T19:30:15Z"),
        (errors.HoldExpired(expires_at=AT), "the hold was over at 2030-01-07T19:30:15Z"),
        (errors.HoldConfirmed(booking_id="bkg_1"), "the hold is the booking bkg_1"),
        (
            errors.ExtensionBeyondCap(extends_until=AT, seconds_max=3),
            "it can be extended until 2030-01-07T19:30:15Z at the latest",
        ),
        (errors.IdempotencyKeyReused(fields=["lines", "owner"]), "these differ: lines, owner"),
        (errors.HoldNotFound(hold_id="hold_1"), "no hold has the id hold_1"),
        (errors.BookingNotFound(booking_id="bkg_1"), "no booking has the id bkg_1"),
        (errors.ResourceNotFound(resource_id=RES), f"no resource has the id {RES}"),
        (payments.PaymentDeclined(failure="card_declined"), "the provider says: card_declined"),
        (payments.PaymentInProgress(payment_id="pay_1"), "the payment pay_1 is under way or done"),
        (payments.MoneyReturned(payment_id="pay_1"), "the payment pay_1 is given back"),
        (payments.ProviderUnknown(providers=[]), "no provider is set up here"),
        (
            payments.ProviderUnknown(providers=["sandbox", "stripe"]),
            "the providers here are: sandbox, stripe",
        ),
        (payments.RefundTooGreat(comes_to=1200), "they would come to 1200 in minor units"),
        (payments.RefundNotAtDesk(refund_id="ref_1"), "the refund ref_1 is given back elsewhere"),
        (
            ticketing.AlreadyCheckedIn(checked_in_at=AT, gate="North"),
            "the ticket was used at 2030-01-07T19:30:15Z, at the gate North",
        ),
        (
            ticketing.AlreadyCheckedIn(checked_in_at=AT, gate=None),
            "the ticket was used at 2030-01-07T19:30:15Z",
        ),
        (ticketing.WrongResource(admits_to=RES, unit="A1"), f"the ticket is for {RES}"),
    ],
)
def test_an_error_says_what_its_data_has(error: BespeakError, said: str) -> None:
    assert error.detail == said
    assert error.detail != error.title
    assert str(error) == f"{error.code}: {error.detail}"


def test_what_was_said_comes_first() -> None:
    assert errors.UnitTaken("A1 is gone", conflicts=[HELD]).detail == "A1 is gone"


def test_what_is_told_later_counts() -> None:
    """Conflicts are put in the terms of the plan after the error is made."""
    error = errors.UnitTaken(conflicts=[NIGHT])
    error.data["conflicts"] = [HELD]
    assert error.detail.startswith("F8 is held")


@pytest.mark.parametrize("code", sorted(details._TELLS))
def test_without_data_an_error_says_its_title(code: str) -> None:
    kind = by_code()[code]
    assert kind().detail == kind.title
    strange: dict[str, object] = dict.fromkeys(
        ("conflicts", "limits", "units", "fields", "expires_at", "opens_at", "gate"), timedelta(1)
    )
    assert kind(None, **strange).detail, "nor does it fail where the data is another"
