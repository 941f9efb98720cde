"""What a line of a mail says: what the resource is called, when it is, what of it, and from when to
when. Nights are dates, times are by the clocks of the resource, stops of a run have their names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import msgspec

from bespeak import locales
from bespeak.inventory.shapes.legs.plan import Stop
from bespeak.notifications.mail.writing import WordsOf
from bespeak.postgres.json_text import json_text
from bespeak.reservations.lines import BookedLine
from bespeak.translations import Translation, merged, words_in

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

TIMES = "\N{MULTIPLICATION SIGN}"
_TRANSLATIONS: msgspec.json.Decoder[tuple[Translation, ...]] = msgspec.json.Decoder(
    tuple[Translation, ...]
)
_STOPS: msgspec.json.Decoder[tuple[Stop, ...]] = msgspec.json.Decoder(tuple[Stop, ...])


class MailResource(msgspec.Struct, frozen=True):
    """A resource, as people know it, what its texts are called in other languages, and in which
    workspace it is (None: the default one). `venue` is where it is, as its attributes say; `stops`
    are the names of the stops of a run, by their codes."""

    name: str
    time_zone: str
    starts_at: str | None
    translations: Sequence[Translation] = ()
    workspace: str | None = None
    venue: str = ""
    stops: Mapping[str, str] = {}


def translations_of(row: Record) -> tuple[Translation, ...]:
    """What the texts of a resource and of its plan are called, from a row that has both."""
    plans = row["plan_translations"]
    return merged(
        () if plans is None else _TRANSLATIONS.decode(json_text(plans)),
        _TRANSLATIONS.decode(json_text(row["translations"])),
    )


def stops_of(row: Record) -> dict[str, str]:
    """The names of the stops of a run by their codes, from a row of its resource."""
    if row["stops"] is None:
        return {}
    return {one.code: one.name or one.code for one in _STOPS.decode(json_text(row["stops"]))}


def named(wording: WordsOf, thing: MailResource, text: str) -> str:
    """What a text of a resource is called in this language."""
    tag = str(wording.locale).replace("_", "-")
    return words_in(tag, thing.translations).get(text, text)


def line_text(line: BookedLine, things: Mapping[str, MailResource], wording: WordsOf) -> str:
    """A line in words: how many of what, when, and for how many guests."""
    thing = things.get(line.resource_id) or MailResource(line.resource_id, "UTC", None)
    parts = [named(wording, thing, thing.name)]
    if thing.starts_at:
        parts.append(when(thing, [thing.starts_at], wording))
    if line.unit is not None:
        parts.append(named(wording, thing, line.unit))
    if isinstance(line.from_, str):
        ends = [line.from_, line.to] if isinstance(line.to, str) else [line.from_]
        parts.append(when(thing, ends, wording))
    for one in line.later or ():
        parts.append(wording.said("later", unit=one.unit, day=when(thing, [one.from_], wording)))
    if isinstance(line.guests, int):
        parts.append(wording.said("guests", count=line.guests))
    if isinstance(line.rate, str):
        parts.append(named(wording, thing, line.rate))
    text = wording.said("between").join(parts)
    return text if line.quantity is None else f"{line.quantity} {TIMES} {text}"


def when(thing: MailResource, ends: Sequence[str], wording: WordsOf) -> str:
    """Dates or times as one says them there, with what the clocks go by; a stop of a run is its own
    name. Who reads it may be anywhere."""
    zone = _zone(thing.time_zone)
    shown = [_end(end, thing, zone, wording) for end in ends]
    text = wording.said("range", start=shown[0], end=shown[-1]) if len(shown) > 1 else shown[0]
    at = None if ends[0] in thing.stops else _time(ends[0], zone)
    if at is None or zone is None:
        return text
    return f"{text} ({locales.zone_name(at, zone, wording.locale)})"


def begin(thing: MailResource, from_: object, wording: WordsOf) -> str:
    """When something begins: by its line, else with the resource; empty where neither says a time.
    A run's lines begin at a stop, which is none."""
    for end in (from_, thing.starts_at):
        if isinstance(end, str) and end not in thing.stops:
            return when(thing, [end], wording)
    return ""


def is_said(thing: MailResource, end: str) -> bool:
    """Whether an end of a range is a stop of the resource, a date or a time. What somebody typed in
    place of one is nothing for a mail, which goes to whatever address they typed too."""
    with suppress(ValueError):
        return end in thing.stops or bool(date.fromisoformat(end))
    at = _time(end, None)
    # At the ends of the calendar another zone has no such time.
    return at is not None and date.min.year < at.year < date.max.year


def _end(text: str, thing: MailResource, zone: ZoneInfo | None, wording: WordsOf) -> str:
    if text in thing.stops:
        return named(wording, thing, thing.stops[text])
    with suppress(ValueError):
        return locales.day(date.fromisoformat(text), wording.locale)
    at = _time(text, zone)
    return text if at is None or zone is None else locales.moment(at, zone, wording.locale)


def _time(text: str, zone: ZoneInfo | None) -> datetime | None:
    """The time that a text is; None for a date, and for what is neither. Without an offset it is
    what the clocks of the zone show."""
    if text[10:11] not in ("T", "t", " "):
        return None
    with suppress(ValueError):
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=zone) if at.tzinfo is None else at
    return None


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        return None
