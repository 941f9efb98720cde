"""Writing teams: each is a resource and a row beside it, in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.inventory.resource_checks import check_time_zone
from bespeak.inventory.resources import Resource, ResourceChange
from bespeak.inventory.shapes.times.plan import TimesPlan
from bespeak.money import check_currency
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.verticals.appointments.errors import TeamNotFound
from bespeak.verticals.appointments.forms import NewTeam, TeamChange
from bespeak.verticals.appointments.team_plan import (
    names_in,
    provider_said,
    resource_of_team,
    service_said,
    whole_rates,
)
from bespeak.verticals.changes import resource_change, with_changes
from bespeak.verticals.currencies import usual_currency
from bespeak.verticals.once import made_before, remember
from bespeak.verticals.searching import searchable
from bespeak.verticals.stored_texts import stored_translations, translations_of

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.appointments", "changes.sql")
_TEXTS: msgspec.json.Decoder[dict[str, str]] = msgspec.json.Decoder(dict[str, str])


async def create_team(
    engine: Engine, connection: Connection, workspace: str, new: NewTeam, key: str | None
) -> tuple[str, bool]:
    """A new team with its resource, and whether it was there by this key. Raises CurrencyNeeded,
    InvalidRequest, ResourceNotReady, IdempotencyKeyReused."""
    before = await made_before(connection, _QUERIES, workspace, key, "team", new)
    if before is not None:
        return before, True
    check_time_zone(new.time_zone)
    currency = new.currency or await usual_currency(connection, workspace)
    check_currency(currency)
    made = await engine.create_resource(
        resource_of_team(new, currency), workspace=workspace, connection=connection
    )
    await connection.execute(
        _QUERIES["insert_team"], workspace, ids.parse_resource(made.id), *_columns(new)
    )
    if new.published:  # a change, so that what is not ready for guests is refused
        await engine.update_resource(made.id, ResourceChange(published=True), connection=connection)
    await remember(connection, _QUERIES, workspace, key, made.id)
    return made.id, False


async def change_team(
    engine: Engine, connection: Connection, workspace: str, team_id: str, change: TeamChange
) -> None:
    """Changes a team with its resource. Raises TeamNotFound, InvalidRequest, VersionMismatch,
    PlanChanged, PaymentRuleNeeded, ResourceInUse, ResourceNotReady, InvalidId."""
    number = ids.parse_resource(team_id)
    row = await connection.fetchrow(_QUERIES["team"], workspace, number)
    if row is None:
        raise TeamNotFound(team_id=team_id)
    there = await engine.get_resource(team_id, connection=connection)
    said = _said(row, there)
    after = with_changes(msgspec.structs.replace(said, payment=UNSET), change)
    resource = resource_of_team(after, there.price.currency, there)
    own = ResourceChange(version=change.version, payment=change.payment, published=change.published)
    await engine.update_resource(team_id, resource_change(resource, own), connection=connection)
    await connection.execute(_QUERIES["update_team"], workspace, number, *_columns(after))


def _said(row: Record, there: Resource) -> NewTeam:
    """A team as it was said last. Raises TeamNotFound where somebody gave its resource another
    plan."""
    plan = there.plan
    if not isinstance(plan, TimesPlan) or not plan.rates or not plan.providers:
        raise TeamNotFound(team_id=there.id)
    texts = _TEXTS.decode(json_text(row["services"]))
    titles = _TEXTS.decode(json_text(row["titles"]))
    return NewTeam(
        name=row["name"],
        time_zone=there.time_zone,
        providers=tuple(provider_said(one, titles) for one in plan.providers),
        services=tuple(service_said(one, texts) for one in whole_rates(plan, there.price.amount)),
        weekly=plan.weekly,
        exceptions=plan.exceptions,
        holidays=plan.holidays,
        summary=row["summary"],
        description=row["description"],
        address=row["address"],
        city=row["city"],
        country=row["country"],
        currency=there.price.currency,
        payment=there.payment,
        step_minutes=plan.slot_minutes,
        notice_minutes=plan.notice_minutes,
        horizon_days=plan.horizon_days,
        capacity=plan.capacity,
        pricing=there.pricing,
        owner_limit=there.owner_limit,
        hold_seconds=there.hold_seconds,
        hold_seconds_max=there.hold_seconds_max,
        published=there.published,
        translations=translations_of(row["translations"]),
        questions=there.questions,
    )


def _columns(said: NewTeam) -> tuple[object, ...]:
    """The columns of a team in their order. Raises InvalidRequest."""
    texts = {one.name: one.description for one in said.services if one.description}
    titles = {one.name: one.title for one in said.providers if one.title is not None}
    words = [word for one in said.translations for word in one.words.values()]
    return (
        said.name,
        said.summary,
        said.description,
        said.address,
        said.city,
        said.country,
        msgspec.json.encode(texts).decode(),
        msgspec.json.encode(titles).decode(),
        stored_translations(said.translations),
        searchable(said.name, said.city, *names_in(said), *titles.values(), *words),
    )
