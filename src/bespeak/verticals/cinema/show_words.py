"""What the texts of a show are called in other languages: those of its film, screen, cinema and
city that stand in its resource, and the name and the place that are made of them.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation, check_translations, merged, words_in
from bespeak.verticals.cinema.forms import NewShow
from bespeak.verticals.cinema.show_parts import FilmOfShows, ScreenOfShows


class ShowTexts(NamedTuple):
    """The texts of a show's resource that are made of others: its name, its place; and its
    prices."""

    name: str
    location: str
    pricing: Pricing | None


def show_words(
    new: NewShow, room: ScreenOfShows, film: FilmOfShows, local: datetime, made: ShowTexts
) -> tuple[Translation, ...]:
    """The translations of the resource of a show. Raises InvalidRequest."""
    check_translations(new.translations)
    everything = merged(room.translations, film.translations, new.translations)
    plain = _plain_texts(new, room, film, made.pricing)
    found = []
    for language in (one.language for one in everything):
        words = words_in(language, everything)
        own = {text: words[text] for text in plain if text in words}
        if not own:
            continue
        named = {text: own.get(text, text) for text in plain}
        place = (room.cinema_name, room.address, room.city_name)
        own[made.location] = ", ".join(named[text] for text in place if text)
        own[made.name] = (
            f"{named[film.title]}, {named[room.cinema_name]} {named[room.name]}, "
            f"{_moment(local, language, room.time_zone)}"
        )
        found.append(Translation(language, own))
    return tuple(found)


def _plain_texts(
    new: NewShow, room: ScreenOfShows, film: FilmOfShows, pricing: Pricing | None
) -> list[str]:
    """The texts that stand in the resource, or on the ticket and the pages of a show, as they were
    typed; its plan's have their translations there, or with the screen."""
    texts = [film.title, film.rating, room.city_name, room.cinema_name, room.address, room.name]
    texts += [new.language, new.format, new.subtitles or ""]
    texts += [category.name for category in room.plan.categories]
    texts += [section.name for section in room.plan.sections]
    texts += [pool.unit for pool in room.plan.pools]
    if pricing is not None:
        texts += [fee.name for fee in pricing.fees] + [tax.name for tax in pricing.taxes]
    return list(dict.fromkeys(texts))


def _moment(local: datetime, language: str, time_zone: str) -> str:
    # With Babel, which a program that only sells what is there need not have.
    from bespeak import locales  # noqa: PLC0415

    return locales.moment(local, ZoneInfo(time_zone), locales.locale_for(language), "short")
