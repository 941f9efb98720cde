"""Codes of bookings: read as they were written, and no slip of a pen is another booking's code."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from bespeak import ids
from bespeak.reservations.booking_code import BookingCode

LETTERS = ids.ALPHABET.upper()
CODES = st.builds(BookingCode, st.integers(0, (1 << 25) - 1), st.integers(0, 1023))
NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)


@given(CODES)
def test_a_code_is_read_as_it_was_written(code: BookingCode) -> None:
    text = str(code)
    assert BookingCode.read(text) == code
    for spoken in (text.lower(), text.replace("-", ""), text.replace("-", " ")):
        assert BookingCode.read(spoken) == code


@given(CODES, st.integers(0, 7), st.sampled_from(LETTERS))
def test_one_wrong_letter_is_found(code: BookingCode, place: int, letter: str) -> None:
    text = str(code).replace("-", "")
    wrong = text[:place] + letter + text[place + 1 :]
    assert (BookingCode.read(wrong) is None) == (wrong != text)


@given(CODES, st.integers(0, 7), st.integers(0, 7))
def test_two_letters_that_changed_places_are_found(code: BookingCode, one: int, other: int) -> None:
    letters = list(str(code).replace("-", ""))
    letters[one], letters[other] = letters[other], letters[one]
    wrong = "".join(letters)
    assert (BookingCode.read(wrong) is None) == (wrong != str(code).replace("-", ""))


@given(CODES)
def test_what_looks_alike_is_read_as_it_was_meant(code: BookingCode) -> None:
    text = str(code)
    assert not set(text) & set("ILOU")
    for written, meant in ("O0", "o0", "I1", "l1"):
        assert BookingCode.read(text.replace(meant, written)) == code


@given(
    st.timedeltas(timedelta(0), timedelta(days=4 * 388 - 1)),
    st.integers(0, (1 << 128) - 1),
)
def test_it_leads_back_to_the_second_of_the_booking(ago: timedelta, number: int) -> None:
    at = NOW - ago
    code = BookingCode.of(UUID(int=number), at)
    assert at.replace(microsecond=0) in list(code.moments(NOW))
    assert code.tail == number & 1023


def test_moments_are_the_latest_first_and_not_in_the_future() -> None:
    code = BookingCode.of(UUID(int=7), NOW)
    assert next(code.moments(NOW)) == NOW
    assert next(code.moments(NOW - timedelta(seconds=50))) == NOW
    moments = list(code.moments(NOW - timedelta(hours=1)))
    assert moments == sorted(moments, reverse=True)
    assert moments[0] < NOW - timedelta(days=380)


def test_neighbours_are_not_alike() -> None:
    texts = [
        str(BookingCode.of(UUID(int=tail), NOW + timedelta(seconds=second)))
        for second in range(50)
        for tail in range(50)
    ]
    assert len(set(texts)) == len(texts)
    assert len({text[:3] for text in texts}) > 1500


def test_what_is_no_code_is_none() -> None:
    for text in (
        "",
        "7K3M",
        "7K3M-Q2XDD",
        "7K3M--Q2X",
        "UUUU-UUUU",
        "asha",
        "K\N{KELVIN SIGN}3M-Q2XD",
    ):
        assert BookingCode.read(text) is None
