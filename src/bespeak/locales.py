"""Which language somebody reads, and how dates, times and money are written in it, by the CLDR.
Mails and tickets are written by it; pages do the same with the `Intl` of their browser. It needs
the extra `tickets`, so that only modules which do import it.
"""

from __future__ import annotations

import tomllib
from copy import copy
from datetime import date, datetime
from functools import cache
from importlib import resources
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.dates import (
    format_date,
    format_skeleton,
    format_time,
    get_timezone_gmt,
    get_timezone_location,
    get_timezone_name,
)

from bespeak.money import Money, as_decimal, decimals_of
from bespeak.translations import OUR_LANGUAGES

LANGUAGES = OUR_LANGUAGES
_TAG_LENGTH_MAX = 35
_DAY_IN_SHORT = "yMMMEd"
_NOWHERE = "ZZ"

DayForm: TypeAlias = Literal["full", "short"]
Words: TypeAlias = dict[str, "str | Words"]


def locale_for(*tags: str | None) -> Locale:
    """By which locale somebody is written to: the first of these BCP 47 tags that is of a language
    which there are words in, with its region; else English."""
    for tag in tags:
        found = _parsed(tag or "")
        if found is not None and found.language in LANGUAGES:
            return found
    return Locale("en")


def language_for(*tags: str | None) -> str:
    """The language of ours that somebody is written to in, by their tags."""
    return str(locale_for(*tags).language)


def is_right_to_left(locale: Locale) -> bool:
    return locale.text_direction == "rtl"


@cache
def words(package: str, language: str) -> Words:
    """The words of a package in a language: its file `words/<language>.toml`."""
    file = resources.files(package).joinpath("words", f"{language}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def day(when: date, locale: Locale, form: DayForm = "full") -> str:
    """`Friday, March 1, 2030`, or in short `Fri, Mar 1, 2030`."""
    if form == "full":
        return format_date(when, "full", locale=locale)
    return format_skeleton(_DAY_IN_SHORT, when, locale=locale)


def clock(when: datetime, zone: ZoneInfo, locale: Locale) -> str:
    """`10:00 AM`, by the clocks of the zone."""
    return format_time(when, "short", tzinfo=zone, locale=locale)


def zone_name(when: datetime, zone: ZoneInfo, locale: Locale) -> str:
    """What the clocks of the zone go by at that time: `Central European Standard Time`; where that
    has no name in the language, where it is: `India Time`, or how far from UTC: `GMT+03:00`."""
    there = when.astimezone(zone)
    name = get_timezone_name(there, "long", locale=locale)
    offset = get_timezone_gmt(there, "long", locale=locale)
    if name != offset or get_global("zone_territories").get(zone.key, _NOWHERE) == _NOWHERE:
        return name
    return get_timezone_location(zone, locale=locale)


def moment(when: datetime, zone: ZoneInfo, locale: Locale, form: DayForm = "full") -> str:
    """A day and a time by the clocks of the zone, without naming it."""
    pattern = locale.datetime_formats["full"]
    shown = day(when.astimezone(zone).date(), locale, form)
    return str(pattern).replace("{0}", clock(when, zone, locale)).replace("{1}", shown)


def money(amount: Money, locale: Locale) -> str:
    """`€1,250.00`, with the decimals of the currency; those of the CLDR are of cash."""
    decimals = decimals_of(amount.currency)
    pattern = copy(locale.currency_formats["standard"])  # which all share
    pattern.frac_prec = (decimals, decimals)
    told: str = pattern.apply(
        as_decimal(amount), locale, currency=amount.currency, currency_digits=False
    )
    return told


def _parsed(tag: str) -> Locale | None:
    try:
        return Locale.parse(tag[:_TAG_LENGTH_MAX].replace("_", "-"), sep="-")
    except (UnknownLocaleError, ValueError, TypeError):
        return None
