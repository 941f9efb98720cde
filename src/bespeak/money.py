"""Money: integer minor units (cents) and an ISO 4217 currency. There are no floats of money. Which
currencies there are, and how many decimals each has, stands here and nowhere else.
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from bespeak.errors import InvalidRequest


class Money(msgspec.Struct, frozen=True):
    """An amount in minor units of its currency: Money(1250, "EUR") is 12.50 euros."""

    amount: int
    currency: str


# The active list of ISO 4217, without what has no minor unit (metals, units of account, tests).
# CLDR's data, which browsers and Babel have, is of what people do with cash: it gives no decimals
# to dinars that banks and payment providers count in hundredths, so it is no source for amounts.
_LIST = {
    2: """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD
        CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
        GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD
        LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB
        PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP
        SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
    """,
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
_USUAL = 2
_DECIMALS = {code: decimals for decimals, codes in _LIST.items() for code in codes.split()}


def decimals_of(currency: str) -> int:
    """How many decimals a currency has; two for what is stored and not in the list."""
    return _DECIMALS.get(currency, _USUAL)


def as_decimal(money: Money) -> Decimal:
    """The amount in whole units, with all its decimals: 1250 EUR is 12.50, 1250 JPY is 1250."""
    return Decimal(money.amount).scaleb(-decimals_of(money.currency))


def check_currency(code: str, field: str = "currency") -> None:
    """Raises InvalidRequest for what is not in the list of ISO 4217."""
    if code not in _DECIMALS:
        raise InvalidRequest(
            f"there is no currency {code[:10]!r} (ISO 4217 has three letters for each, as EUR)",
            field=field,
        )
