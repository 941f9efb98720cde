"""Writing performances: each is a resource and a row of the programme, in one transaction, and no
two are in one hall at a time. Who writes in a hall has its row locked, so that writers of one hall
come one after the other; the constraint of the table is the last word.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import asyncpg
from msgspec import UNSET

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.inventory.resource_changes import lock_plan
from bespeak.inventory.resources import NewResource, Resource, ResourceChange
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.money import check_currency
from bespeak.postgres.queries import load
from bespeak.translations import merged
from bespeak.verticals.changes import resource_change
from bespeak.verticals.currencies import usual_currency
from bespeak.verticals.local_times import read_moment
from bespeak.verticals.once import made_before, remember
from bespeak.verticals.programme.errors import (
    HallNotFound,
    HallOccupied,
    PerformanceNotFound,
    PerformanceSold,
    ProductionNotFound,
)
from bespeak.verticals.programme.forms import NewPerformance, PerformanceChange
from bespeak.verticals.programme.names import HALL, PRODUCTION, check_id
from bespeak.verticals.programme.performance_plan import (
    HallOfPerformances,
    PerformanceTerms,
    Piece,
    PlannedPerformance,
    changed_moment,
    ends_after,
    moment_or_none,
    with_prices,
)
from bespeak.verticals.programme.places_changes import hall_plan
from bespeak.verticals.stored_texts import translations_of

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.programme", "changes.sql")
_TIMES = ("opens_at", "closes_at", "starts_at", "ends_at")


async def create_performance(
    engine: Engine, connection: Connection, workspace: str, new: NewPerformance, key: str | None
) -> tuple[str, bool]:
    """A new performance, and whether it was there by this key. Raises ProductionNotFound,
    HallNotFound, HallOccupied, CurrencyNeeded, InvalidRequest, InvalidId, ResourceNotReady,
    IdempotencyKeyReused."""
    check_id(PRODUCTION, new.production)
    check_id(HALL, new.hall)
    before = await made_before(connection, _QUERIES, workspace, key, "performance", new)
    if before is not None:
        return before, True
    piece = await take_piece(connection, workspace, new.production)
    stage = await take_stage(connection, workspace, new.hall)
    check_in_use(piece, stage)
    currency = new.currency or await usual_currency(connection, workspace)
    check_currency(currency)
    planned = PlannedPerformance(piece, stage, _new_terms(new, piece, stage, currency))
    performance_id = await make(engine, connection, workspace, planned, published=new.published)
    await remember(connection, _QUERIES, workspace, key, performance_id)
    return performance_id, False


async def make(
    engine: Engine,
    connection: Connection,
    workspace: str,
    planned: PlannedPerformance,
    *,
    published: bool,
) -> str:
    """The resource and its row, in the transaction of the caller, who has the hall. Raises
    HallOccupied, InvalidRequest, ResourceNotReady."""
    await _check_free(connection, planned, None)
    try:
        async with connection.transaction():
            made = await engine.create_resource(
                planned.resource, workspace=workspace, connection=connection
            )
            await connection.execute(
                _QUERIES["insert_performance"],
                workspace,
                ids.parse_resource(made.id),
                planned.piece.production_id,
                planned.stage.hall_id,
                planned.stage.venue_id,
                *planned.times,
                *planned.places,
                *planned.occupied,
            )
    except asyncpg.ExclusionViolationError as error:
        raise await _occupied(connection, planned, None) from error
    if published:  # a change, so that what is not ready for guests is refused
        await engine.update_resource(made.id, ResourceChange(published=True), connection=connection)
    return made.id


async def change_performance(
    engine: Engine,
    connection: Connection,
    workspace: str,
    performance_id: str,
    change: PerformanceChange,
) -> None:
    """Changes a performance with its resource. Raises PerformanceNotFound, HallOccupied,
    PerformanceSold, InvalidRequest, PlanChanged, PaymentRuleNeeded, ResourceCalledOff,
    ResourceNotReady, InvalidId."""
    number = ids.parse_resource(performance_id)
    row = await _kept(connection, workspace, number)
    # The hall first, as all writers of performances take it, and then what it is by now.
    piece = await take_piece(connection, workspace, row["production_id"])
    stage = await take_stage(connection, workspace, row["hall_id"])
    row = await _kept(connection, workspace, number)
    there = await engine.get_resource(performance_id, connection=connection)
    terms = _changed_terms(change, row, there, stage)
    planned = PlannedPerformance(piece, stage, terms)
    if terms.starts_at != row["starts_at"] and not change.moves_sold:
        await _check_unsold(connection, number)
    is_out = row["occupied"] is None and await _stays_out(connection, number, there, change)
    if not is_out:
        await _check_free(connection, planned, number)
    await engine.update_resource(
        performance_id, _resource_change(planned.resource, change), connection=connection
    )
    occupied = (None, None) if is_out else planned.occupied
    try:
        async with connection.transaction():
            await connection.execute(
                _QUERIES["update_performance"], workspace, number, *planned.times, *occupied
            )
    except asyncpg.ExclusionViolationError as error:
        raise await _occupied(connection, planned, number) from error


def _resource_change(resource: NewResource, change: PerformanceChange) -> ResourceChange:
    own = ResourceChange(payment=change.payment, state=change.state, published=change.published)
    return resource_change(resource, own, _TIMES)


async def _stays_out(
    connection: Connection, number: int, there: Resource, change: PerformanceChange
) -> bool:
    """Whether a performance that is out of its hall stays so: it was called off, or is closed and
    unpublished also after the change."""
    if await connection.fetchval(_QUERIES["is_called_off"], number):
        return True
    state = there.state if change.state is UNSET else change.state
    published = there.published if change.published is UNSET else change.published
    return state == "closed" and not published


async def take_stage(connection: Connection, workspace: str, hall_id: str) -> HallOfPerformances:
    """A hall, locked for who writes performances in it; those that were called off or retired are
    out of it then. Raises HallNotFound."""
    row = await connection.fetchrow(_QUERIES["stage"], workspace, hall_id)
    if row is None:
        raise HallNotFound(hall_id=hall_id, field="hall")
    await connection.execute(_QUERIES["vacate"], hall_id)
    values = dict(row)
    values["plan"] = hall_plan(row["plan"])
    of_venue = translations_of(values.pop("venue_translations"))
    values["translations"] = merged(of_venue, translations_of(row["translations"]))
    return HallOfPerformances(**values)


async def take_piece(connection: Connection, workspace: str, production_id: str) -> Piece:
    """A production, which stays as it is until the transaction ends. Raises ProductionNotFound."""
    row = await connection.fetchrow(_QUERIES["staged"], workspace, production_id)
    if row is None:
        raise ProductionNotFound(production_id=production_id, field="production")
    values = dict(row)
    values["translations"] = translations_of(row["translations"])
    return Piece(**values)


async def twins(
    connection: Connection, planned: Sequence[PlannedPerformance]
) -> dict[datetime, int]:
    """Which of these performances of one production in one hall are there already."""
    if not planned:
        return {}
    rows = await connection.fetch(
        _QUERIES["twins"],
        planned[0].stage.hall_id,
        planned[0].piece.production_id,
        [one.terms.starts_at for one in planned],
    )
    return {row["starts_at"]: row["resource_id"] for row in rows}


def kept_terms(row: Record, there: Resource, starts_at: datetime) -> PerformanceTerms:
    """The terms of a performance, at another time: all its times move along."""
    moved = starts_at - row["starts_at"]
    plan = seats_plan_of(there)

    def at(moment: datetime | None) -> datetime | None:
        try:
            return None if moment is None else moment + moved
        except OverflowError as error:  # its resource may say any year
            raise InvalidRequest("its sale would end beyond all calendars") from error

    return PerformanceTerms(
        starts_at=starts_at,
        ends_at=row["ends_at"] + moved,
        doors_at=at(row["doors_at"]),
        opens_at=there.opens_at,
        closes_at=at(there.closes_at) or starts_at,
        plan=plan,
        currency=there.price.currency,
        payment=there.payment,
        pricing=there.pricing,
        owner_limit=there.owner_limit,
        hold_seconds=there.hold_seconds,
        hold_seconds_max=there.hold_seconds_max,
        note=row["note"],
        translations=translations_of(row["translations"]),
        questions=there.questions,
        attributes=there.attributes,
    )


def seats_plan_of(resource: Resource) -> SeatsPlan:
    """The plan of a performance. Raises InvalidRequest where somebody gave its resource one that no
    hall has."""
    if not isinstance(resource.plan, SeatsPlan):
        raise InvalidRequest("the plan of its resource has no seats and standing areas")
    return resource.plan


def _new_terms(
    new: NewPerformance, piece: Piece, stage: HallOfPerformances, currency: str
) -> PerformanceTerms:
    zone = stage.time_zone
    starts_at = read_moment(new.starts_at, zone)
    return PerformanceTerms(
        starts_at=starts_at,
        ends_at=ends_after(starts_at, new.minutes or piece.minutes),
        doors_at=moment_or_none(new.doors_at, zone, "doors_at"),
        opens_at=moment_or_none(new.opens_at, zone, "opens_at"),
        closes_at=moment_or_none(new.closes_at, zone, "closes_at") or starts_at,
        plan=with_prices(stage.plan, new.prices),
        currency=currency,
        payment=new.payment,
        pricing=new.pricing,
        owner_limit=new.owner_limit,
        hold_seconds=new.hold_seconds,
        hold_seconds_max=new.hold_seconds_max,
        note=new.note,
        translations=new.translations,
        questions=new.questions,
    )


def _changed_terms(
    change: PerformanceChange, row: Record, there: Resource, stage: HallOfPerformances
) -> PerformanceTerms:
    zone = stage.time_zone
    starts_at: datetime = row["starts_at"]
    if change.starts_at is not UNSET:
        starts_at = read_moment(change.starts_at, zone)
    before = kept_terms(row, there, starts_at)
    ends_at = before.ends_at
    if change.minutes is not UNSET:
        ends_at = starts_at + timedelta(minutes=change.minutes)
    prices = {} if change.prices is UNSET else change.prices
    return PerformanceTerms(
        starts_at=starts_at,
        ends_at=ends_at,
        doors_at=changed_moment(change.doors_at, before.doors_at, zone, "doors_at"),
        opens_at=changed_moment(change.opens_at, before.opens_at, zone, "opens_at"),
        closes_at=changed_moment(change.closes_at, before.closes_at, zone, "closes_at")
        or starts_at,
        plan=with_prices(before.plan, prices),
        currency=before.currency,
        payment=change.payment,
        pricing=before.pricing if change.pricing is UNSET else change.pricing,
        owner_limit=before.owner_limit if change.owner_limit is UNSET else change.owner_limit,
        hold_seconds=before.hold_seconds if change.hold_seconds is UNSET else change.hold_seconds,
        hold_seconds_max=before.hold_seconds_max
        if change.hold_seconds_max is UNSET
        else change.hold_seconds_max,
        note=before.note if change.note is UNSET else change.note,
        translations=before.translations if change.translations is UNSET else change.translations,
        questions=before.questions if change.questions is UNSET else change.questions,
        attributes=there.attributes,
    )


async def _kept(connection: Connection, workspace: str, number: int) -> Record:
    row = await connection.fetchrow(_QUERIES["performance"], workspace, number)
    if row is None:
        raise PerformanceNotFound(performance_id=ids.show_resource(number))
    return row


async def _check_free(
    connection: Connection, planned: PlannedPerformance, number: int | None
) -> None:
    """Raises HallOccupied, which names the performance in the way."""
    if await connection.fetchval(_QUERIES["occupant"], *planned.occupied, number) is not None:
        raise await _occupied(connection, planned, number)


async def _occupied(
    connection: Connection, planned: PlannedPerformance, number: int | None
) -> HallOccupied:
    """The error that names the performance in the way."""
    found = await connection.fetchval(_QUERIES["occupant"], *planned.occupied, number)
    other = None if found is None else ids.show_resource(found)
    at = planned.terms.starts_at.astimezone(ZoneInfo(planned.stage.time_zone)).isoformat()
    return HallOccupied(
        f"performance {other} is in the hall at {at}",
        performance_id=other,
        at=at,
        field="starts_at",
    )


async def _check_unsold(connection: Connection, number: int) -> None:
    """Raises PerformanceSold where guests have places; none are given out until the transaction
    ends. Raises PlanChanged."""
    await lock_plan(connection, number)
    units = await connection.fetchval(_QUERIES["sold"], number)
    if units:
        raise PerformanceSold(
            f"guests hold or have booked {units} places: say moves_sold to move them too",
            units=units,
            field="starts_at",
        )


def check_in_use(piece: Piece, stage: HallOfPerformances) -> None:
    if piece.archived:
        raise InvalidRequest("production: it is archived", field="production")
    if stage.archived:
        raise InvalidRequest("hall: it or its venue is archived", field="hall")
