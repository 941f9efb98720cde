"""A team as a resource: its services are the rates of a plan of times, its texts the words of the
resource for mails, tickets and calendars; and providers and services as they were said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import gcd
from typing import TypeAlias

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.inventory.resources import NewResource, Price, Resource
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan, TimesRate
from bespeak.inventory.timeline.hours import Exceptions, Weekly
from bespeak.translations import (
    LANGUAGES_MAX,
    OUR_LANGUAGES,
    Translation,
    check_translations,
    merged,
    words_in,
)
from bespeak.verticals.appointments.forms import NewProvider, NewService, NewTeam
from bespeak.verticals.appointments.names import KIND

Attributes: TypeAlias = dict[str, str | int | float | bool | None]

# What of the attributes is ours to say; others may have been added to the resource.
_OURS = ("location", "address", "city")
# Fine enough for nearly every service that comes later: what is booked keeps its raster.
_RASTER_MINUTES = 5
HOURS_MAX, GIVEN_MAX = 10_000, 5000
"""The most hours and exceptions of all providers together; and of the providers of all services."""


def resource_of_team(said: NewTeam, currency: str, there: Resource | None = None) -> NewResource:
    """The resource of a team, which is not published yet. Raises InvalidRequest."""
    _check_sizes(said)
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


def _check_sizes(said: NewTeam) -> None:
    """Raises InvalidRequest where all of it is too much: every question reads a team whole."""
    hours = len(said.weekly) + _count(said.exceptions)
    hours += sum(len(one.weekly or ()) + _count(one.exceptions or ()) for one in said.providers)
    if hours > HOURS_MAX:
        raise InvalidRequest(
            f"{hours} hours and exceptions in all; the limit is {HOURS_MAX}", field="providers"
        )
    given = sum(len(one.providers or said.providers) for one in said.services)
    if given > GIVEN_MAX:
        raise InvalidRequest(
            f"its services are given by {given} providers, each counted; the limit is {GIVEN_MAX}",
            field="services",
        )


def _count(exceptions: Exceptions) -> int:
    return sum(1 + len(one.hours) for one in exceptions)


def _plan_of(said: NewTeam, before: object) -> TimesPlan:
    there = before.providers if isinstance(before, TimesPlan) else ()
    capacities = {one.name: one.capacity for one in there}  # who changed the resource said these
    return TimesPlan(
        slot_minutes=said.step_minutes,
        weekly=said.weekly,
        exceptions=said.exceptions,
        holidays=said.holidays,
        providers=tuple(
            Provider(one.name, one.weekly, one.exceptions, capacities.get(one.name))
            for one in said.providers
        ),
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
    others = [*_place(said), *(one.name for one in said.services)]
    if said.pricing is not None:
        others += [fee.name for fee in said.pricing.fees]
        others += [tax.name for tax in said.pricing.taxes]
    for question in said.questions:
        others += [question.text, *question.choices]
    _check_titles(titles, others)
    plain = [*others, *names_in(said)]
    found = []
    for language in _languages(said, titles):
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


def _languages(said: NewTeam, titles: Mapping[str, str]) -> list[str]:
    """Those that it has translations for; and for titles those of our mails, which know a provider
    by its name only."""
    found = {one.language.lower(): one.language for one in merged(said.translations)}
    for language in OUR_LANGUAGES if titles else ():
        if len(found) < LANGUAGES_MAX:
            found.setdefault(language, language)
    return list(found.values())


def _check_titles(titles: Mapping[str, str], others: Collection[str]) -> None:
    """Raises InvalidRequest for a provider who is called by a title, and by its name something
    else is: one text cannot be called two things."""
    for name in sorted(titles.keys() & set(others)):
        raise InvalidRequest(
            f"{name[:60]!r} is not only a provider: give that one another name beside its title",
            field="providers",
        )


def provider_said(one: Provider, titles: Mapping[str, str]) -> NewProvider:
    """A provider as it was said last."""
    return NewProvider(
        name=one.name,
        title=titles.get(one.name),
        weekly=one.weekly,
        exceptions=one.exceptions,
    )


def service_said(rate: TimesRate, texts: Mapping[str, str]) -> NewService:
    """A service as it was said last, of a rate that is whole."""
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


def whole_rates(plan: TimesPlan, price: int) -> list[TimesRate]:
    """The rates of a plan, each with what it has of the plan, or of its resource: who changed that
    need not have said it of each."""
    usual = price if plan.price is None else plan.price
    return [
        msgspec.structs.replace(
            one,
            step_minutes=one.step_minutes or plan.step_minutes,
            buffer_before_minutes=_or(one.buffer_before_minutes, plan.buffer_before_minutes),
            buffer_after_minutes=_or(one.buffer_after_minutes, plan.buffer_after_minutes),
            price=_or(one.price, usual),
        )
        for one in plan.rates
    ]


def _or(own: int | None, usual: int) -> int:
    return usual if own is None else own
