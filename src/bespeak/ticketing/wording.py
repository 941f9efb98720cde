"""What tickets say in the language of who has them: times, ranges, the words around a seat. A time
is written by the resource's own clocks.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from babel import Locale
from msgspec import UNSET
from msgspec.structs import replace

from bespeak import locales
from bespeak.inventory.resources import ReadyResource, texts_in
from bespeak.inventory.shapes.legs.plan import LegsPlan
from bespeak.reservations.lines import BookedLine
from bespeak.reservations.parted_stays import stayed_in
from bespeak.ticketing.occasions import Occasion, occasion_of

_PACKAGE = "bespeak.ticketing"


class RoomNights(NamedTuple):
    """A room and the nights in it, as they are written."""

    room: str
    nights: str


class Wording(NamedTuple):
    """The words of tickets in the language of a locale."""

    locale: Locale

    def said(self, text: str, **filled: object) -> str:
        words = locales.words(_PACKAGE, str(self.locale.language))
        return str(words[text]).format(**filled)

    def named(self, ready: ReadyResource, text: str) -> str:
        """What a text of a resource is called in this language; a name that nobody translated
        stays."""
        tag = str(self.locale).replace("_", "-")
        return texts_in(ready.resource, tag).get(text, text)

    def unit(self, shape: str) -> str:
        """What a unit of a shape is called."""
        named = self._table("unit")
        return named.get(shape, named["other"])

    def kind(self, kind: str) -> str:
        """A kind of resources, where it is one of those that have a name here."""
        return self._table("kind").get(kind, kind)

    def when(self, occasion: Occasion, zone: ZoneInfo) -> str:
        """`Sat, Jan 5, 2030, 8:00 PM to 10:30 PM`. Empty where nobody says when."""
        start, end = occasion
        if start is None:
            return ""
        if not isinstance(start, datetime):
            first = locales.day(start, self.locale, "short")
            if end is None:
                return first
            return self.said("range", start=first, end=locales.day(end, self.locale, "short"))
        shown = locales.moment(start, zone, self.locale, "short")
        if not isinstance(end, datetime) or end <= start:
            return shown
        same_day = start.astimezone(zone).date() == end.astimezone(zone).date()
        if same_day:
            return self.said("range", start=shown, end=locales.clock(end, zone, self.locale))
        ends = locales.moment(end, zone, self.locale, "short")
        return self.said("range", start=shown, end=ends)

    def range_of(self, ready: ReadyResource, line: BookedLine) -> str:
        """The range of a line: stops of a run, else when it is; empty without a range."""
        if line.from_ is UNSET:
            return ""
        plan = ready.resource.plan
        if isinstance(plan, LegsPlan):
            names = {stop.code: stop.name or stop.code for stop in plan.stops}
            first = self.named(ready, names.get(line.from_, line.from_))
            if line.to is UNSET:
                return first
            last = self.named(ready, names.get(line.to, line.to))
            return self.said("range", start=first, end=last)
        return self.when(occasion_of(ready, line), ready.zone)

    def service_of(self, ready: ReadyResource, line: BookedLine) -> str:
        """What one comes for: the rate of times. Empty where a rate is only a price."""
        if line.rate is UNSET or ready.plan.range_kind != "times":
            return ""
        return self.named(ready, line.rate)

    def rooms_of(self, ready: ReadyResource, line: BookedLine) -> list[RoomNights]:
        """The rooms of a stay that is in several, each with its nights; none of any other."""
        return [
            RoomNights(
                self.named(ready, one.unit),
                self.range_of(ready, replace(line, from_=one.first, to=one.last)),
            )
            for one in stayed_in(line)
        ]

    def label_of(self, ready: ReadyResource, line: BookedLine, number: int) -> str:
        """What a ticket is for, in a few words: `Stalls, F7`; `floor, 2 of 4`; `12A, A to C`;
        `Check-up, Dr. Rao` with the time. A stay in several rooms names each with its nights."""
        rooms = self.rooms_of(ready, line)
        if rooms:
            return self.said("then").join(self.said("between").join(one) for one in rooms)
        quantity = line.quantity or 1
        parts = [
            self.service_of(ready, line),
            "" if line.unit is None else self.named(ready, ready.plan.section_of(line.unit)),
            self.named(ready, line.unit or ""),
            self.range_of(ready, line),
            self.said("number", number=number, count=quantity) if quantity > 1 else "",
        ]
        named = self.said("between").join(part for part in parts if part)
        return named or self.said("number", number=1, count=1)

    def _table(self, name: str) -> dict[str, str]:
        table = locales.words(_PACKAGE, str(self.locale.language))[name]
        if not isinstance(table, dict):
            raise TypeError("these words are a table")
        return {key: str(value) for key, value in table.items()}


def wording_for(*tags: str | None) -> Wording:
    """The words for who asks for these languages, the first that there are words in; else
    English."""
    return Wording(locales.locale_for(*tags))
