"""A performance given again at other times: listed, or each week. By the clocks of the venue, so
that 20:00 stays 20:00 when summer time ends. What is there already is not made again.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.inventory.fields import WEEKDAYS
from bespeak.postgres.queries import load
from bespeak.verticals.local_times import read_moment
from bespeak.verticals.programme.errors import PerformanceNotFound
from bespeak.verticals.programme.forms import COPIES_MAX, NewCopies, Weekly
from bespeak.verticals.programme.performance_plan import PlannedPerformance
from bespeak.verticals.programme.performances import (
    check_in_use,
    kept_terms,
    make,
    take_piece,
    take_stage,
    twins,
)

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.programme", "changes.sql")
_YEARS_MAX = 3


async def copy_performance(
    engine: Engine, connection: Connection, workspace: str, performance_id: str, asked: NewCopies
) -> tuple[list[int], int]:
    """The numbers of the performances at these times, and how many were made now: all, or none.
    Raises PerformanceNotFound, HallOccupied, InvalidRequest, InvalidId, ResourceNotReady."""
    number = ids.parse_resource(performance_id)
    row = await connection.fetchrow(_QUERIES["performance"], workspace, number)
    if row is None:
        raise PerformanceNotFound(performance_id=performance_id)
    piece = await take_piece(connection, workspace, row["production_id"])
    stage = await take_stage(connection, workspace, row["hall_id"])
    check_in_use(piece, stage)
    there = await engine.get_resource(performance_id, connection=connection)
    planned = [
        PlannedPerformance(piece, stage, kept_terms(row, there, starts_at))
        for starts_at in copy_times(asked, row["starts_at"], stage.time_zone)
    ]
    published = there.published if asked.published is None else asked.published
    found = await twins(connection, planned)
    made = [one for one in planned if one.terms.starts_at not in found]
    numbers = list(found.values())
    for one in made:
        copy = await make(engine, connection, workspace, one, published=published)
        numbers.append(ids.parse_resource(copy))
    return numbers, len(made)


def copy_times(asked: NewCopies, starts_at: datetime, time_zone: str) -> list[datetime]:
    """At which times copies are asked for, in order. Raises InvalidRequest."""
    if bool(asked.starts_at) == (asked.weekly is not None):
        raise InvalidRequest("say either starts_at or weekly", field="starts_at")
    if asked.weekly is None:
        found = {read_moment(text, time_zone) for text in asked.starts_at}
    else:
        local = starts_at.astimezone(ZoneInfo(time_zone))
        clock = _clock(asked.weekly, local)
        found = {
            read_moment(datetime.combine(day, clock).isoformat(), time_zone, "weekly")
            for day in _days(asked.weekly, local.date())
        }
    if len(found) > COPIES_MAX:
        raise InvalidRequest(f"at most {COPIES_MAX} copies at a time", field="weekly")
    if not found:
        raise InvalidRequest("no such day comes until then", field="weekly")
    return sorted(found)


def _days(weekly: Weekly, after: date) -> Iterator[date]:
    """The days after a date. Raises InvalidRequest."""
    if not after < weekly.until <= after + timedelta(days=366 * _YEARS_MAX):
        raise InvalidRequest(
            f"until: it is not within {_YEARS_MAX} years after the performance",
            field="weekly.until",
        )
    day = after + timedelta(days=1)
    while day <= weekly.until:
        if WEEKDAYS[day.weekday()] in weekly.days:
            yield day
        day += timedelta(days=1)


def _clock(weekly: Weekly, local: datetime) -> time:
    if weekly.time is None:
        return local.time()
    try:
        clock = time.fromisoformat(weekly.time)
    except ValueError as error:
        raise InvalidRequest(
            f"time: {weekly.time[:20]!r} is no time of day", field="weekly.time"
        ) from error
    if clock.tzinfo is not None:
        raise InvalidRequest("time: by the venue's clocks, without an offset", field="weekly.time")
    return clock
