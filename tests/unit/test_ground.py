"""The ground floor: settings, money, errors, lines and fingerprints."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bespeak
from bespeak import BespeakError, Line, Money, Settings, errors
from bespeak.errors import InvalidSetting, by_code
from bespeak.inventory.conflicts import RawConflict
from bespeak.inventory.fingerprints import differing_fields, fingerprint
from bespeak.inventory.lines import check_line, lines_text
from bespeak.reservations.outcomes import change_error, refusal_of


def test_settings_have_defaults_and_are_read_from_the_environment() -> None:
    assert Settings.read({}) == Settings()
    read = Settings.read({"BESPEAK_LANES": "2", "BESPEAK_DATABASE_URL": "x", "LANES": "9"})
    assert (read.lanes, read.database_url) == (2, "x")
    assert Settings.read({"BESPEAK_KNOWN_TAKEN_SECONDS": "0.5"}).known_taken_seconds == 0.5


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LANES", "0"),
        ("LANES", "x"),
        ("QUEUE_MAX", "-1"),
        ("LANES", ""),
        ("SIGNING_SECRET", ""),
        ("SIGNING_SECRET", "s3cret" * 5),  # 30 characters, which somebody may guess
    ],
)
def test_a_setting_that_cannot_be_is_named(name: str, value: str) -> None:
    with pytest.raises(InvalidSetting) as caught:
        Settings.read({f"BESPEAK_{name}": value})
    assert caught.value.data == {"variable": f"BESPEAK_{name}"}
    assert "s3cret" not in str(caught.value)


def test_money_is_whole_minor_units() -> None:
    assert msgspec.json.decode(b'{"amount":1250,"currency":"EUR"}', type=Money) == Money(
        1250, "EUR"
    )
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"amount":12.5,"currency":"EUR"}', type=Money)


def _tree(root: type[BespeakError]) -> list[type[BespeakError]]:
    return [root, *(one for child in root.__subclasses__() for one in _tree(child))]


def test_every_error_has_a_code_status_and_state_of_its_own() -> None:
    ours = [one for one in _tree(BespeakError) if one.__module__ == errors.__name__]
    assert len({one.code for one in ours}) == len(ours)
    states = [vars(one)["sqlstate"] for one in ours if vars(one).get("sqlstate")]
    assert len(set(states)) == len(states)
    assert all(state.startswith("BS") and len(state) == 5 for state in states)
    assert all(400 <= one.status < 600 for one in ours)
    assert all(one.__doc__ and one.title for one in ours)


def test_errors_are_found_by_their_codes_and_tell_them() -> None:
    assert by_code()["unit_taken"] is errors.UnitTaken
    error = errors.UnitTaken("A1 is gone", unit="A1")
    assert (str(error), error.detail, error.data) == (
        "unit_taken: A1 is gone",
        "A1 is gone",
        {"unit": "A1"},
    )
    assert str(errors.SoldOut()) == "sold_out: There are not enough left"


def test_what_may_be_retried_says_so() -> None:
    assert {code for code, error in by_code().items() if error.retryable} >= {
        "unit_taken", "sold_out", "overloaded", "database_unavailable", "plan_changed",
    }  # fmt: skip
    assert not errors.OwnerLimitReached.retryable
    assert not errors.InvalidRequest.retryable


def test_the_public_names_are_there() -> None:
    for name in bespeak.__all__:
        assert getattr(bespeak, name) is not None


OUTCOMES = {
    "not_found": errors.HoldNotFound,
    "not_owner": errors.NotOwner,
    "hold_expired": errors.HoldExpired,
    "hold_released": errors.HoldReleased,
    "hold_confirmed": errors.HoldConfirmed,
    "payment_required": errors.PaymentRequired,
    "booking_cancelled": errors.BookingCancelled,
    "key_reused": errors.IdempotencyKeyReused,
    "not_in_booking": errors.NotInBooking,
    "gibberish": errors.InternalError,
}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_an_outcome_is_an_error(outcome: str) -> None:
    row = {"outcome": outcome, "hold": None, "details": None}
    assert type(change_error(row)) is OUTCOMES[outcome]  # type: ignore[arg-type]


def test_units_come_before_pools_and_pools_before_limits() -> None:
    unit = RawConflict(1, "A1", "held")
    pool = RawConflict(1, "floor", "short", capacity=5, available=-1)
    limit = RawConflict(1, "owner:asha", "short", capacity=4, available=1)
    assert isinstance(refusal_of([limit, pool, unit]), errors.UnitTaken)
    assert isinstance(refusal_of([limit, pool]), errors.SoldOut)
    assert isinstance(refusal_of([limit]), errors.OwnerLimitReached)
    assert isinstance(refusal_of([]), errors.UnitTaken)
    assert "owner:" not in str(refusal_of([limit, pool, unit]).data)


lines = st.builds(
    Line,
    resource_id=st.just("res_00000001"),
    unit=st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=9),
    quantity=st.none() | st.integers(1, 9),
)


@given(st.lists(lines, max_size=4), st.lists(lines, max_size=4))
def test_lines_have_one_text_each(some: list[Line], others: list[Line]) -> None:
    assert (lines_text(some) == lines_text(others)) == (some == others)


@given(st.lists(st.text(), min_size=3, max_size=3), st.lists(st.text(), min_size=3, max_size=3))
def test_fingerprints_name_what_differs(some: list[str], others: list[str]) -> None:
    names = ["one", "two", "three"]
    found = differing_fields(names, fingerprint(some), fingerprint(others))
    assert found == [name for name, a, b in zip(names, some, others, strict=True) if a != b]


def test_a_fingerprint_of_another_shape_differs_in_all() -> None:
    assert differing_fields(["one"], fingerprint(["x"]), None) == ["one"]
    assert differing_fields(["one"], fingerprint(["x"]), b"short") == ["one"]


@given(lines)
def test_good_lines_pass(line: Line) -> None:
    check_line(line)
