"""The words of the page of a waiting room where there is no JavaScript, by language."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_timedelta
from babel.numbers import format_decimal

from bespeak import locales

_PACKAGE = "bespeak.http.api"
_UTC = ZoneInfo("UTC")


class WaitingWords:
    """The words of a language, and what is filled in, as it is written there."""

    def __init__(self, locale: Locale) -> None:
        self._locale = locale
        self._words = locales.words(_PACKAGE, str(locale.language))

    def of(self, *path: str) -> str:
        found: object = self._words
        for name in path:
            found = found[name] if isinstance(found, dict) else None
        return str(found)

    def error(self, code: str) -> str:
        known = self._words["errors"]
        return self.of("errors", code if isinstance(known, dict) and code in known else "other")

    def number(self, count: int) -> str:
        return str(format_decimal(count, locale=self._locale))

    def minutes(self, start: int, end: int) -> str:
        last = format_timedelta(
            timedelta(minutes=end), granularity="minute", threshold=90, locale=self._locale
        )
        if start == end:
            return str(last)
        return self.of("minutes_range").format(start=self.number(start), end=last)

    def lasting(self, seconds: int) -> str:
        return str(format_timedelta(timedelta(seconds=seconds), threshold=2, locale=self._locale))

    def when(self, at: datetime, now: datetime) -> str:
        """A time by the clocks of no place in particular, and how far off it is."""
        moment = locales.moment(at.astimezone(UTC), _UTC, self._locale, "short")
        if at <= now:
            return f"{moment} UTC"
        far = format_timedelta(at - now, add_direction=True, threshold=2, locale=self._locale)
        return f"{moment} UTC ({far})"
