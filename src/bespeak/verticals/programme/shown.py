"""Rows of the programme as answers, in the language of who asks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import msgspec

from bespeak import ids
from bespeak.inventory.questions import CheckoutQuestion
from bespeak.inventory.shapes.seats.plan import Category, SeatsPlan
from bespeak.money import Money
from bespeak.postgres.json_text import json_text
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation, words_in
from bespeak.verticals.programme import views
from bespeak.verticals.stored_texts import StoredTexts, whole_translations

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

_QUESTIONS: msgspec.json.Decoder[tuple[CheckoutQuestion, ...]] = msgspec.json.Decoder(
    tuple[CheckoutQuestion, ...]
)
_CATEGORIES: msgspec.json.Decoder[tuple[Category, ...]] = msgspec.json.Decoder(tuple[Category, ...])
# What a production is called over all its performances: the first that one of them is.
_STATES: tuple[views.ProductionState, ...] = (
    "on_sale",
    "not_yet",
    "sold_out",
    "closed",
    "called_off",
)


class _Venue(msgspec.Struct):
    id: str
    name: str
    city: str
    translations: tuple[Translation, ...] = ()


class _Next(msgspec.Struct):
    id: int
    starts_at: datetime
    time_zone: str
    venue: str


def shown_venue(row: Record, language: str | None) -> views.Venue:
    said = StoredTexts(language, row["translations"])
    return views.Venue(
        id=row["venue_id"],
        name=said(row["name"]),
        address=said(row["address"]),
        city=said(row["city"]),
        country=row["country"],
        time_zone=row["time_zone"],
        website=row["website"],
        accessibility=said(row["accessibility"]),
        halls=row["halls"],
        archived=row["archived"],
        translations=whole_translations(row["translations"], language),
    )


def shown_hall(row: Record, language: str | None) -> views.Hall:
    said = StoredTexts(
        language, row["plan_translations"], row["venue_translations"], row["translations"]
    )
    plan = row["plan"]
    return views.Hall(
        id=row["hall_id"],
        venue=views.VenueOfHall(row["venue_id"], said(row["venue_name"])),
        name=said(row["name"]),
        categories=[
            views.HallCategory(one.name, said(one.name)) for one in _categories(row["categories"])
        ],
        capacity=row["capacity"],
        archived=row["archived"],
        plan=None if plan is None else msgspec.json.decode(json_text(plan), type=SeatsPlan),
        translations=whole_translations(row["translations"], language),
    )


def shown_production(row: Record, language: str | None) -> views.Production:
    said = StoredTexts(language, row["translations"])
    venues = _venues(row["venues"], language)
    return views.Production(
        id=row["production_id"],
        title=said(row["title"]),
        kind=row["kind"],
        series=said.or_none(row["series"]),
        performers=[said(one) for one in row["performers"]],
        summary=said(row["summary"]),
        description=said(row["description"]),
        minutes=row["minutes"],
        age_from=row["age_from"],
        website=row["website"],
        picture=picture_path(row["production_id"], row["picture"]),
        picture_text=said.or_none(row["picture_text"]),
        next_performance=_next(row["next_performance"], venues),
        performances=row["performances"],
        price_from=_money(row["price_from"]),
        units_free=row["units_free"],
        state=_state(row["states"] or ()),
        venues=venues,
        archived=row["archived"],
        units_total=row["units_total"],
        sold=row["sold"],
        translations=whole_translations(row["translations"], language),
    )


def shown_performance(row: Record, language: str | None) -> views.Performance:
    said = StoredTexts(
        language,
        row["plan_translations"],
        row["venue_translations"],
        row["hall_translations"],
        row["production_translations"],
        row["own_translations"],
    )
    zone = ZoneInfo(row["time_zone"])
    return views.Performance(
        id=ids.show_resource(row["resource_id"]),
        production=_production_of(row, said),
        venue=_venue_of(row, said),
        hall=views.HallOfPerformance(row["hall_id"], said(row["hall_name"])),
        starts_at=row["starts_at"].astimezone(zone),
        ends_at=row["ends_at"].astimezone(zone),
        doors_at=_local(row["doors_at"], zone),
        time_zone=row["time_zone"],
        opens_at=_local(row["opens_at"], zone),
        closes_at=_local(row["closes_at"], zone),
        price_from=row["price_from"],
        currency=row["currency"],
        categories=[
            views.PricedCategory(code=one.name, name=said(one.name), price=one.price)
            for one in _categories(row["categories"])
        ],
        units_total=row["units_total"],
        units_free=row["units_free"],
        state=row["state"],
        published=row["published"],
        payment=row["payment"],
        pricing=_pricing(row["pricing"]),
        owner_limit=row["owner_limit"],
        hold_seconds=row["hold_seconds"],
        hold_seconds_max=row["hold_seconds_max"],
        note=said(row["note"]),
        sold=row["sold"],
        translations=whole_translations(row["own_translations"], language),
        questions=_QUESTIONS.decode(json_text(row["questions"])),
    )


def _production_of(row: Record, said: StoredTexts) -> views.ProductionOfPerformance:
    return views.ProductionOfPerformance(
        id=row["production_id"],
        title=said(row["title"]),
        kind=row["kind"],
        picture=picture_path(row["production_id"], row["picture"]),
    )


def _venue_of(row: Record, said: StoredTexts) -> views.VenueOfPerformance:
    return views.VenueOfPerformance(
        id=row["venue_id"],
        name=said(row["venue_name"]),
        address=said(row["address"]),
        city=said(row["city"]),
        country=row["country"],
        accessibility=said(row["accessibility"]),
    )


def picture_path(production_id: str, digest: str | None) -> str | None:
    """Where a picture is, for ever: another one has another path."""
    if digest is None:
        return None
    return f"/v1/programme/productions/{production_id}/picture?v={digest}"


def _categories(stored: str) -> tuple[Category, ...]:
    return _CATEGORIES.decode(json_text(stored))


def _pricing(stored: str | None) -> Pricing | None:
    return None if stored is None else msgspec.json.decode(json_text(stored), type=Pricing)


def _local(moment: datetime | None, zone: ZoneInfo) -> datetime | None:
    return None if moment is None else moment.astimezone(zone)


def _venues(stored: str | None, language: str | None) -> list[views.VenueOfProduction]:
    if stored is None:
        return []
    found = []
    for one in msgspec.json.decode(json_text(stored), type=list[_Venue]):
        words = words_in(language, one.translations)
        name, city = words.get(one.name, one.name), words.get(one.city, one.city)
        found.append(views.VenueOfProduction(one.id, name, city))
    return found


def _next(
    stored: str | None, venues: Sequence[views.VenueOfProduction]
) -> views.NextPerformance | None:
    if stored is None:
        return None
    found = msgspec.json.decode(json_text(stored), type=_Next)
    places = [one for one in venues if one.id == found.venue]
    if not places:  # all were called off
        return None
    starts_at = found.starts_at.astimezone(ZoneInfo(found.time_zone))
    return views.NextPerformance(ids.show_resource(found.id), starts_at, found.time_zone, places[0])


def _money(stored: str | None) -> Money | None:
    return None if stored is None else msgspec.json.decode(json_text(stored), type=Money)


def _state(states: Sequence[str]) -> views.ProductionState:
    return next((state for state in _STATES if state in states), "none")
