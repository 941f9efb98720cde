"""Currencies: those of ISO 4217, each with its own decimals, in all that shows amounts."""

import re
from datetime import date
from pathlib import Path

import pytest
from babel import Locale
from babel.core import get_global
from babel.numbers import get_territory_currencies

from bespeak import locales
from bespeak.errors import InvalidRequest
from bespeak.http.api.sandbox import shown
from bespeak.http.server.spreadsheets import decimal
from bespeak.money import Money, as_decimal, check_currency, decimals_of

TODAY = date(2026, 11, 1)
# In CLDR still, and replaced since: Bulgaria has the euro since January 2026.
_GONE = {"BGN"}
_WEB = Path(__file__).parents[2] / "web" / "src" / "i18n" / "currencies.ts"


@pytest.mark.parametrize("code", ["ZZZ", "XPT", "XTS", "XAU", "eur", "EU", "", "DEM"])
def test_what_is_no_currency_is_refused(code: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_currency(code, "price.currency")
    assert refused.value.field == "price.currency"


def test_what_any_country_pays_with_is_one() -> None:
    for territory in get_global("territory_currencies"):
        for code in get_territory_currencies(territory, TODAY):
            if code not in _GONE:
                check_currency(code)


@pytest.mark.parametrize(
    ("money", "table", "bank", "english", "german"),
    [
        (Money(1250, "EUR"), "12.50", "12.50 EUR", "€12.50", "12,50 €"),
        (Money(1250, "JPY"), "1250", "1,250 JPY", "¥1,250", "1.250 ¥"),
        (Money(1250, "KWD"), "1.250", "1.250 KWD", "KWD 1.250", "1,250 KWD"),
        (Money(1250, "RSD"), "12.50", "12.50 RSD", "RSD 12.50", "12,50 RSD"),
        (Money(1250, "IQD"), "1.250", "1.250 IQD", "IQD 1.250", "1,250 IQD"),
    ],
)
def test_each_is_shown_with_its_own_decimals(
    money: Money, table: str, bank: str, english: str, german: str
) -> None:
    assert str(as_decimal(money)) == table == decimal(money.amount, money.currency)
    assert shown(money) == bank
    for language, wanted in (("en", english), ("de", german)):
        told = locales.money(money, Locale(language))
        assert re.sub(r"\s", "", told) == wanted.replace(" ", "")


def test_the_pages_have_the_same_decimals() -> None:
    """A twin, because browsers differ in what they know and pages answer at once."""
    text = _WEB.read_text()
    found = {
        code: int(decimals)
        for decimals, codes in re.findall(r"(\d): \"([A-Z ]+)\"", text)
        for code in codes.split()
    }
    assert found and found == {code: decimals_of(code) for code in found}
    others = [code for code in get_global("all_currencies") if decimals_of(code) != 2]
    assert set(others) <= set(found)
