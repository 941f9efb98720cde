"""What the law of a country wants of an order in a shop: the words on the button, and how terms are
accepted. A table with its sources, and no legal advice: who sells answers for the shop.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from bespeak.merchants.profile import MerchantProfile, terms_digest

ButtonWords: TypeAlias = Literal["pay", "obligation_to_pay"]
ConsentForm: TypeAlias = Literal["none", "sentence", "checkbox"]

EUROPEAN_UNION = frozenset(
    {
        *("AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES"),
        *("FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU"),
        *("LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK"),
    }
)
EUROPEAN_ECONOMIC_AREA = EUROPEAN_UNION | frozenset(("IS", "LI", "NO"))

# "order with obligation to pay" on the button of an order that costs:
# - European Union: Directive 2011/83/EU, article 8(2). Germany: section 312j(3) BGB, with the words
#   "zahlungspflichtig bestellen"; Austria: section 8(2) FAGG; the other states by the same words.
# - Iceland, Liechtenstein, Norway: the Directive is part of the EEA Agreement, annex XIX, 7i.
# - United Kingdom: Consumer Contracts Regulations 2013 (SI 2013/3134), regulation 14(4).
WITH_OBLIGATION = EUROPEAN_ECONOMIC_AREA | {"GB"}

# A box that the buyer ticks, and nobody has ticked before. In most of these states terms become a
# part of a contract by less, but buyers must have been able to know them: Directive 93/13/EEC,
# annex, 1(i); Directive 2011/83/EU, article 22 (no ticked boxes); Italy: article 1341, civil code.
WITH_CHECKBOX = EUROPEAN_ECONOMIC_AREA | {"GB"}

# What takes place on a date cannot be withdrawn from, and the buyer is told so before the order:
# Directive 2011/83/EU, articles 6(1)(k) and 16(l); SI 2013/3134, regulation 28(1)(h).
WITHOUT_WITHDRAWAL = EUROPEAN_ECONOMIC_AREA | {"GB"}


class OrderRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a page does about an order: the `button` of one that costs; how the terms with this
    digest (`terms`, null: there are none) are accepted; whether buyers are told that there is no
    right of withdrawal."""

    button: ButtonWords
    consent: ConsentForm
    terms: str | None
    tells_no_withdrawal: bool


def order_rules(profile: MerchantProfile) -> OrderRules:
    """The rules of a merchant's country; without one, those that ask for least."""
    country = profile.country or ""
    terms = terms_digest(profile)
    consent: ConsentForm = "none"
    if terms is not None:
        consent = "checkbox" if country in WITH_CHECKBOX else "sentence"
    return OrderRules(
        button="obligation_to_pay" if country in WITH_OBLIGATION else "pay",
        consent=consent,
        terms=terms,
        tells_no_withdrawal=country in WITHOUT_WITHDRAWAL,
    )
