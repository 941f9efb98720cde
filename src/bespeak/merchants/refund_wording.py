"""What a cancellation gives back, as a sentence: `Full refund until Sat, Nov 21, 2026, 8:00 PM
(Central European Standard Time); then no refund`. Mails, tickets and calendar files say it; the
steps are those of the function that refunds.
"""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from babel import Locale

from bespeak import locales
from bespeak.money import Money
from bespeak.pricing.refund_steps import RefundStep

_PACKAGE = "bespeak.merchants"


def say_refunds(
    steps: Sequence[RefundStep], paid: Money, zone: ZoneInfo, locale: Locale
) -> str | None:
    """The steps in words, of what was paid; times by the clocks of a zone. None: without a step
    there is nothing to be given back."""
    words = locales.words(_PACKAGE, str(locale.language))
    if not steps:
        return None
    said, clocks = [], ""
    for step in steps:
        back = _back(step, paid, locale)
        if step.until is not None:
            until = locales.moment(step.until, zone, locale, "short")
            named = locales.zone_name(step.until, zone, locale)
            if named != clocks:  # said once, unless the clocks are changed between
                until, clocks = str(words["clocks"]).format(until=until, zone=named), named
            said.append(str(words["until"]).format(back=back, until=until))
        elif said:
            said.append(str(words["then"]).format(back=back))
        else:
            said.append(str(words["always"]).format(back=back) if step.amount else back)
    text = str(words["between"]).join(said)
    return text[:1].upper() + text[1:]


def _back(step: RefundStep, paid: Money, locale: Locale) -> str:
    words = locales.words(_PACKAGE, str(locale.language))
    if step.amount == 0:
        return str(words["none"])
    if step.amount == paid.amount:
        return str(words["full"])
    amount = locales.money(Money(step.amount, paid.currency), locale)
    return str(words["amount"]).format(amount=amount)
