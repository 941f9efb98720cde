"""Rows of teams as answers, in the language of who asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import msgspec

from bespeak import ids
from bespeak.inventory.questions import CheckoutQuestion
from bespeak.inventory.shapes.registry import compile_plan
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan, TimesRate
from bespeak.inventory.shapes.times.rules import CompiledTimes
from bespeak.postgres.json_text import json_text
from bespeak.pricing.rules import Pricing
from bespeak.verticals.appointments import views
from bespeak.verticals.appointments.team_plan import whole_rates
from bespeak.verticals.stored_texts import StoredTexts, whole_translations

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

_QUESTIONS: msgspec.json.Decoder[tuple[CheckoutQuestion, ...]] = msgspec.json.Decoder(
    tuple[CheckoutQuestion, ...]
)
_TEXTS: msgspec.json.Decoder[dict[str, str]] = msgspec.json.Decoder(dict[str, str])


def plan_of(row: Record) -> TimesPlan:
    """The plan of a team's resource."""
    return msgspec.json.decode(json_text(row["plan"]), type=TimesPlan)


def ready(plan: TimesPlan) -> CompiledTimes:
    """The plan made ready, as the hot path has it too."""
    return cast(CompiledTimes, compile_plan(plan))


def shown_team(row: Record, language: str | None, *, sells: bool, whole: bool) -> views.Team:
    """A team; with its hours and the descriptions of its services if it is to be `whole`."""
    said = StoredTexts(language, row["translations"])
    plan, pricing = plan_of(row), row["pricing"]
    rates = whole_rates(plan, row["price_amount"])
    titles = _TEXTS.decode(json_text(row["titles"]))
    texts = _TEXTS.decode(json_text(row["services"])) if whole else {}
    return views.Team(
        id=ids.show_resource(row["resource_id"]),
        name=said(row["name"]),
        summary=said(row["summary"]),
        description=said(row["description"]),
        address=said(row["address"]),
        city=said(row["city"]),
        country=row["country"],
        time_zone=row["time_zone"],
        currency=row["currency"],
        price_from=min(rate.price or 0 for rate in rates),
        payment=row["payment"],
        providers=[_provider(one, titles, said, whole=whole) for one in plan.providers],
        services=[_service(one, plan, texts, said) for one in rates],
        step_minutes=plan.slot_minutes,
        notice_minutes=plan.notice_minutes,
        horizon_days=plan.horizon_days,
        capacity=plan.capacity,
        pricing=None if pricing is None else _pricing(pricing, with_codes=sells),
        owner_limit=row["owner_limit"],
        hold_seconds=row["hold_seconds"],
        hold_seconds_max=row["hold_seconds_max"],
        state=row["state"],
        published=row["published"],
        questions=_QUESTIONS.decode(json_text(row["questions"])),
        weekly=list(plan.weekly) if whole else [],
        exceptions=list(plan.exceptions) if whole else [],
        holidays=list(plan.holidays) if whole else [],
        version=row["version"] if sells else None,
        translations=whole_translations(row["translations"], language),
    )


def _provider(
    one: Provider, titles: Mapping[str, str], said: StoredTexts, *, whole: bool
) -> views.TeamProvider:
    found = views.TeamProvider(name=one.name, title=said(titles.get(one.name, one.name)))
    if not whole:
        return found
    return msgspec.structs.replace(
        found,
        weekly=None if one.weekly is None else list(one.weekly),
        exceptions=None if one.exceptions is None else list(one.exceptions),
    )


def _service(
    rate: TimesRate, plan: TimesPlan, texts: Mapping[str, str], said: StoredTexts
) -> views.TeamService:
    return views.TeamService(
        name=rate.name,
        title=said(rate.name),
        minutes=rate.minutes,
        price=rate.price or 0,
        step_minutes=rate.step_minutes or plan.slot_minutes,
        buffer_before_minutes=rate.buffer_before_minutes or 0,
        buffer_after_minutes=rate.buffer_after_minutes or 0,
        providers=list(rate.providers or (one.name for one in plan.providers)),
        description=said(texts.get(rate.name, "")),
    )


def _pricing(stored: str, *, with_codes: bool) -> Pricing:
    found = msgspec.json.decode(json_text(stored), type=Pricing)
    return found if with_codes else found.without_secrets()
