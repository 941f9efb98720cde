"""A team as a resource: its services are the rates of a plan of times, its texts the words of the
resource for mails, tickets and calendars; and providers and services as they were said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd
from typing import TypeAlias

from bespeak.inventory.resources import NewResource, Price, Resource
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan, TimesRate
from bespeak.inventory.timeline.hours import Exceptions, Weekly
from bespeak.translations import Translation, check_translations, merged, words_in
from bespeak.verticals.appointments.forms import NewProvider, NewService, NewTeam
from bespeak.verticals.appointments.names import KIND

Attributes: TypeAlias = dict[str, str | int | float | bool | None]

# What of the attributes is ours to say; others may have been added to the resource.
_OURS = ("location", "address", "city")
# Fine enough for nearly every service that comes later: what is booked keeps its raster.
_RASTER_MINUTES = 5


def resource_of_team(said: NewTeam, currency: str, there: Resource | None = None) -> NewResource:
    """The resource of a team, which is not published yet. Raises InvalidRequest."""
    return NewResource(
        name=said.name,
        kind=KIND,
        plan=_plan_of(said, None if there is None else there.plan),
        published=False,
        time_zone=said.time_zone,
        hold_seconds=said.hold_seconds,
        hold_seconds_max=max(said.hold_seconds, said.hold_seconds_max),
        owner_limit=said.owner_limit,
        payment=said.payment,
        price=Price(min(service.price for service in said.services), currency),
        pricing=said.pricing,
        attributes=_attributes(said, {} if there is None else there.attributes),
        translations=_words(said),
        questions=said.questions,
    )


def _plan_of(said: NewTeam, before: object) -> TimesPlan:
    return TimesPlan(
        slot_minutes=said.step_minutes,
        weekly=said.weekly,
        exceptions=said.exceptions,
        holidays=said.holidays,
        providers=tuple(Provider(one.name, one.weekly, one.exceptions) for one in said.providers),
        notice_minutes=said.notice_minutes,
        horizon_days=said.horizon_days,
        capacity=said.capacity,
        raster_minutes=_raster_minutes(said, before),
        rates=tuple(_rate_of(one) for one in said.services),
    )


def _rate_of(service: NewService) -> TimesRate:
    return TimesRate(
        name=service.name,
        minutes=service.minutes,
        step_minutes=service.step_minutes,
        buffer_before_minutes=service.buffer_before_minutes,
        buffer_after_minutes=service.buffer_after_minutes,
        price=service.price,
        providers=service.providers,
    )


def _raster_minutes(said: NewTeam, before: object) -> int:
    """How long the cells are: five minutes, or less where lengths or hours need it. Once they are
    so short they stay so, because what is booked has them."""
    kept = before.raster_minutes if isinstance(before, TimesPlan) else None
    return gcd(kept or _RASTER_MINUTES, *_lengths(said), *_beginnings(said))


def _lengths(said: NewTeam) -> Iterator[int]:
    yield said.step_minutes
    for service in said.services:
        yield service.minutes
        yield service.step_minutes or 0
        yield service.buffer_before_minutes
        yield service.buffer_after_minutes


def _beginnings(said: NewTeam) -> Iterator[int]:
    """The minutes of an hour at which hours begin."""
    yield from _begin_of(said.weekly, said.exceptions)
    for provider in said.providers:
        yield from _begin_of(provider.weekly or (), provider.exceptions or ())


def _begin_of(weekly: Weekly, exceptions: Exceptions) -> Iterator[int]:
    for hours in weekly:
        yield int(hours.from_[3:])
    for special in exceptions:
        for other in special.hours:
            yield int(other.from_[3:])


def _attributes(said: NewTeam, before: Mapping[str, object]) -> Attributes:
    """The attributes of the resource; those that others added stay."""
    found: Attributes = {
        key: value
        for key, value in before.items()
        if key not in _OURS and isinstance(value, str | int | float | bool | None)
    }
    location = _location(*_place(said))
    return found | {"location": location, "address": said.address, "city": said.city}


def names_in(said: NewTeam) -> list[str]:
    """The names of services and providers."""
    return [*(one.name for one in said.services), *(one.name for one in said.providers)]


def _place(said: NewTeam) -> tuple[str, ...]:
    return (said.name, said.address, said.city)


def _location(*parts: str) -> str:
    """Where it is, in one line, for tickets and calendars."""
    return ", ".join(filter(None, parts))


def _words(said: NewTeam) -> tuple[Translation, ...]:
    """The translations of the resource: of the texts that stand in it, and of the names of
    providers, who are called by their titles. Raises InvalidRequest."""
    check_translations(said.translations)
    titles = {one.name: one.title for one in said.providers if one.title is not None}
    plain = [*_place(said), *names_in(said)]
    if said.pricing is not None:
        plain += [fee.name for fee in said.pricing.fees]
        plain += [tax.name for tax in said.pricing.taxes]
    for question in said.questions:
        plain += [question.text, *question.choices]
    found = []
    for language in (one.language for one in merged(said.translations)):
        words = words_in(language, said.translations)
        told = {text: words[text] for text in plain if text in words}
        told |= {name: words.get(title, title) for name, title in titles.items()}
        if any(text in words for text in _place(said)):
            told[_location(*_place(said))] = _location(
                *(words.get(text, text) for text in _place(said))
            )
        if told:
            found.append(Translation(language, told))
    return tuple(found)


def provider_said(one: Provider, titles: Mapping[str, str]) -> NewProvider:
    """A provider as it was said last."""
    return NewProvider(
        name=one.name,
        title=titles.get(one.name),
        weekly=one.weekly,
        exceptions=one.exceptions,
    )


def service_said(rate: TimesRate, texts: Mapping[str, str]) -> NewService:
    """A service as it was said last."""
    return NewService(
        name=rate.name,
        minutes=rate.minutes,
        description=texts.get(rate.name, ""),
        price=rate.price or 0,
        step_minutes=rate.step_minutes,
        buffer_before_minutes=rate.buffer_before_minutes or 0,
        buffer_after_minutes=rate.buffer_after_minutes or 0,
        providers=rate.providers,
    )
