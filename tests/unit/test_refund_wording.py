"""What a cancellation gives back, as a sentence of each language."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bespeak import locales
from bespeak.merchants.refund_wording import say_refunds
from bespeak.money import Money
from bespeak.pricing.refund_steps import RefundStep

PAID = Money(2500, "EUR")
BERLIN = ZoneInfo("Europe/Berlin")
FIRST = RefundStep(datetime(2026, 11, 21, 19, tzinfo=UTC), 2500, 10_000)
SECOND = RefundStep(datetime(2026, 11, 24, 19, tzinfo=UTC), 1250, 5000)
NONE = RefundStep(None, 0, 0)


def said(*steps: RefundStep, tag: str = "en-GB") -> str | None:
    text = say_refunds(steps, PAID, BERLIN, locales.locale_for(tag))
    return None if text is None else text.replace("\xa0", " ").replace("\u202f", " ")


def test_the_steps_are_one_sentence() -> None:
    assert said(FIRST, SECOND, NONE) == (
        "Full refund until Sat, 21 Nov 2026, 20:00 (Central European Standard Time); "
        "€12.50 back until Tue, 24 Nov 2026, 20:00; then no refund"
    )


def test_each_time_names_its_clocks_where_they_are_changed_between() -> None:
    summer = RefundStep(datetime(2026, 10, 20, 18, tzinfo=UTC), 2500, 10_000)
    text = said(summer, SECOND, NONE)
    assert text is not None
    assert "20:00 (Central European Summer Time)" in text
    assert "20:00 (Central European Standard Time)" in text


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (RefundStep(None, 2500, 10_000), "Full refund at any time"),
        (RefundStep(None, 2400, None), "€24.00 back at any time"),
        (NONE, "No refund"),
    ],
)
def test_one_step_is_for_good(step: RefundStep, text: str) -> None:
    assert said(step) == text


def test_without_a_step_nothing_is_said() -> None:
    assert said() is None


@pytest.mark.parametrize(
    ("tag", "begin", "end"),
    [
        ("de", "Volle Erstattung bis Sa., 21. Nov. 2026, 20:00", "; danach keine Erstattung"),
        ("ar", "استرداد كامل حتى ", "؛ ثم لا استرداد"),
    ],
)
def test_other_languages(tag: str, begin: str, end: str) -> None:
    text = said(FIRST, NONE, tag=tag)
    assert text is not None and text.startswith(begin) and text.endswith(end)
