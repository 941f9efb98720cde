"""Lists as files for spreadsheets: what is text stays text, whatever it begins with."""

import csv
import io
from datetime import UTC, datetime

import pytest

from bespeak.http.server.spreadsheets import Cell, csv_answer, decimal, local


def read(*rows: list[Cell]) -> list[list[str]]:
    answer = csv_answer("x.csv", ["a", "b"], rows)
    text = answer.body.decode("utf-8")
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text[1:], newline="")))[1:]


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "  @x", "=HYPERLINK(\"http://evil\")",
     "=cmd|' /C calc'!A0", "\uff1d1+1", "-2+3+cmd"],
)  # fmt: skip
def test_a_formula_is_shown_as_the_text_that_it_is(text: str) -> None:
    ((shown, _),) = read([text, 1])
    assert shown == f"'{text}"


@pytest.mark.parametrize(
    "text", ["Asha", "a=b", "1-2", "two\r\nlines", 'a "b" c', "a,b;c", "عائشة", "<script>", ""]
)
def test_other_text_comes_back_as_it_was(text: str) -> None:
    assert read([text, text]) == [[text, text]]


def test_numbers_times_and_nothing() -> None:
    at = datetime(2026, 11, 21, 18, 30, tzinfo=UTC)
    assert read([-5, at], [None, 0]) == [["-5", "2026-11-21T18:30:00+00:00"], ["", "0"]]


def test_the_form_is_that_of_rfc_4180() -> None:
    answer = csv_answer("bookings.csv", ["a", "b"], [["x", 'y "z"']], next_="c1")
    assert answer.body == b'\xef\xbb\xbfa,b\r\nx,"y ""z"""\r\n'
    headers = dict(answer.headers)
    assert answer.content_type.startswith(b"text/csv")
    assert headers[b"content-disposition"] == b'attachment; filename="bookings.csv"'
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"bespeak-next"] == b"c1"


@pytest.mark.parametrize(
    ("amount", "currency", "shown"),
    [(1250, "EUR", "12.50"), (5, "EUR", "0.05"), (0, "EUR", "0.00"), (500, "JPY", "500"),
     (1234, "KWD", "1.234"), (-1250, "EUR", "-12.50")],
)  # fmt: skip
def test_amounts_are_decimals(amount: int, currency: str, shown: str) -> None:
    assert decimal(amount, currency) == shown


def test_times_are_those_of_the_place() -> None:
    at = datetime(2026, 11, 21, 18, 30, tzinfo=UTC)
    assert local(at, "Asia/Kolkata") == "2026-11-22T00:00+05:30"
    assert local(None, "UTC") is None
