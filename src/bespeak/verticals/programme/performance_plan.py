"""A performance made of a production, a hall and a time: its resource with the prices of its
places, its row in the programme, and the stretch of time for which it has the hall.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeAlias
from zoneinfo import ZoneInfo

import msgspec
from msgspec import UNSET, UnsetType

from bespeak.errors import InvalidRequest
from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.questions import CheckoutQuestion
from bespeak.inventory.resources import NewResource, Price
from bespeak.inventory.shapes.registry import compile_seats
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation, check_translations, merged, words_in
from bespeak.verticals.local_times import read_moment

Attributes: TypeAlias = dict[str, str | int | float | bool | None]

KIND = "performance"
# What of the attributes is ours to say; others may have been added to the resource.
_OURS = ("location", "venue", "hall", "address", "city", "production_id", "doors_at", "note")
_HALL_SPAN = 1 << 33  # more seconds than there are from 1970 to the last year


@dataclass(frozen=True)
class HallOfPerformances:
    """A hall with all that a performance in it needs to know; `translations` are those of its
    venue and its own."""

    hall_id: str
    number: int
    name: str
    plan: SeatsPlan
    archived: bool
    venue_id: str
    venue_name: str
    address: str
    city: str
    time_zone: str
    translations: tuple[Translation, ...] = ()

    @property
    def location(self) -> str:
        """Where it is, in one line, for tickets and calendars."""
        return ", ".join(filter(None, (self.venue_name, self.name, self.address, self.city)))


@dataclass(frozen=True)
class Piece:
    """A production with all that a performance of it needs to know."""

    production_id: str
    title: str
    minutes: int | None
    archived: bool
    translations: tuple[Translation, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PerformanceTerms:
    """When a performance is, and by what it is sold; `attributes` are those that its resource has
    already."""

    starts_at: datetime
    ends_at: datetime
    doors_at: datetime | None
    opens_at: datetime | None
    closes_at: datetime
    plan: SeatsPlan
    currency: str
    payment: PaymentRule | UnsetType
    pricing: Pricing | None
    owner_limit: int | None
    hold_seconds: int
    hold_seconds_max: int
    note: str
    translations: tuple[Translation, ...]
    questions: tuple[CheckoutQuestion, ...] = ()
    attributes: Attributes = field(default_factory=dict)

    @property
    def price_from(self) -> int:
        return min((category.price or 0 for category in self.plan.categories), default=0)


@dataclass(frozen=True)
class PlannedPerformance:
    """A performance as it is to be: the resource, and its row beside it."""

    piece: Piece
    stage: HallOfPerformances
    terms: PerformanceTerms

    @property
    def resource(self) -> NewResource:
        """Its resource, which is not published yet. Raises InvalidRequest."""
        terms, stage = self.terms, self.stage
        if terms.doors_at is not None and terms.doors_at > terms.starts_at:
            raise InvalidRequest("doors_at is after starts_at", field="doors_at")
        return NewResource(
            name=self.piece.title,
            kind=KIND,
            plan=terms.plan,
            published=False,
            time_zone=stage.time_zone,
            opens_at=terms.opens_at,
            closes_at=terms.closes_at,
            starts_at=terms.starts_at,
            ends_at=terms.ends_at,
            hold_seconds=terms.hold_seconds,
            hold_seconds_max=max(terms.hold_seconds, terms.hold_seconds_max),
            owner_limit=terms.owner_limit,
            payment=terms.payment,
            price=Price(terms.price_from, terms.currency),
            pricing=terms.pricing,
            attributes=self._attributes(),
            translations=self._words(),
            questions=terms.questions,
        )

    @property
    def occupied(self) -> tuple[int, int]:
        """From when until when it has which hall, as numbers."""
        base = self.stage.number * _HALL_SPAN
        return (
            base + int(self.terms.starts_at.timestamp()),
            base + math.ceil(self.terms.ends_at.timestamp()),
        )

    @property
    def times(self) -> tuple[object, ...]:
        """The columns that a change writes anew, in their order."""
        terms = self.terms
        return (
            terms.starts_at,
            terms.ends_at,
            terms.doors_at,
            terms.starts_at.astimezone(ZoneInfo(self.stage.time_zone)).date(),
            terms.note,
            msgspec.json.encode(terms.translations).decode(),
            terms.price_from,
        )

    @property
    def places(self) -> tuple[int, list[str]]:
        """How many places it has, and its standing areas."""
        compiled = compile_seats(self.terms.plan)
        return compiled.units_total(), list(compiled.pools)

    def _attributes(self) -> Attributes:
        stage, terms = self.stage, self.terms
        found = {name: value for name, value in terms.attributes.items() if name not in _OURS}
        found |= {
            "location": stage.location,
            "venue": stage.venue_name,
            "hall": stage.name,
            "address": stage.address,
            "city": stage.city,
            "production_id": self.piece.production_id,
        }
        if terms.doors_at is not None:
            zone = ZoneInfo(stage.time_zone)
            found["doors_at"] = terms.doors_at.astimezone(zone).isoformat()
        if terms.note:
            found["note"] = terms.note
        return found

    def _words(self) -> tuple[Translation, ...]:
        """The translations of the resource: of the texts that stand in it. Raises
        InvalidRequest."""
        stage, terms = self.stage, self.terms
        check_translations(terms.translations)
        everything = merged(stage.translations, self.piece.translations, terms.translations)
        place = (stage.venue_name, stage.name, stage.address, stage.city)
        plain = [self.piece.title, terms.note, *place]
        if terms.pricing is not None:
            plain += [fee.name for fee in terms.pricing.fees]
            plain += [tax.name for tax in terms.pricing.taxes]
        for question in terms.questions:
            plain += [question.text, *question.choices]
        found = []
        for language in (one.language for one in everything):
            words = words_in(language, everything)
            own = {text: words[text] for text in plain if text in words}
            if any(text in own for text in place):
                own[stage.location] = ", ".join(own.get(text, text) for text in place if text)
            if own:
                found.append(Translation(language, own))
        return tuple(found)


def with_prices(plan: SeatsPlan, prices: Mapping[str, int]) -> SeatsPlan:
    """The plan with these prices; what they do not name keeps its own. Either all categories have a
    price, or none has. Raises InvalidRequest."""
    known = {one.name for one in plan.categories}
    unknown = sorted(set(prices) - known)
    if unknown:
        raise InvalidRequest(
            f"prices: the hall has no category {unknown[0][:60]!r}, but "
            f"{', '.join(sorted(known))[:200]}",
            field="prices",
        )
    categories = tuple(
        msgspec.structs.replace(one, price=prices.get(one.name, one.price))
        for one in plan.categories
    )
    bare = [one.name for one in categories if one.price is None]
    if bare and len(bare) < len(categories):
        raise InvalidRequest(f"prices: {bare[0][:60]!r} has no price; 0 is free", field="prices")
    return msgspec.structs.replace(plan, categories=categories)


def ends_after(starts_at: datetime, minutes: int | None) -> datetime:
    """When it ends. Raises InvalidRequest where nobody says how long it is."""
    if minutes is None:
        raise InvalidRequest(
            "minutes: neither the performance nor its production says how long it is",
            field="minutes",
        )
    return starts_at + timedelta(minutes=minutes)


def moment_or_none(text: str | None, time_zone: str, field: str) -> datetime | None:
    """A time that may be left out. Raises InvalidRequest."""
    return None if text is None else read_moment(text, time_zone, field)


def changed_moment(
    text: str | UnsetType | None, before: datetime | None, time_zone: str, field: str
) -> datetime | None:
    """A time as a change says it. Raises InvalidRequest."""
    return before if text is UNSET else moment_or_none(text, time_zone, field)
