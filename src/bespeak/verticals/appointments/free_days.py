"""Which dates have a free time for a service: counted in the availability of the team's resource,
which asks the same rules as a hold does. A question looks at so many slots at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from bespeak import ids
from bespeak.errors import InvalidRequest, UnknownUnit
from bespeak.inventory.plans import AvailabilityQuery
from bespeak.inventory.shapes.times.availability import TimesAvailability
from bespeak.inventory.shapes.times.plan import TimesPlan
from bespeak.inventory.timeline.instants import FIRST_DATE
from bespeak.verticals.appointments.queries import DAYS_MAX, DAYS_SHOWN, FreeDaysQuestion
from bespeak.verticals.appointments.shown import plan_of, ready
from bespeak.verticals.appointments.views import FreeDay, FreeDays

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Record

SLOTS_MAX = 200_000
"""The most slots, of all providers together, of the dates that are asked for; and of those that are
looked through behind them."""
# What one availability takes, and up to which it reads no more than what is asked about.
_SLOTS_OF_PART_MAX, _CELLS_OF_PART_MAX = 20_000, 5000
_DAY = timedelta(days=1)
_NAMES_SHOWN_MAX = 600


class _Days(NamedTuple):
    """Dates from one until before another."""

    first: date
    past: date


class _Size(NamedTuple):
    """How many slots and cells a date has, over all providers."""

    slots: int
    cells: int


class _Free(NamedTuple):
    """How many beginnings of a date are free, and the first."""

    beginnings: int
    first: datetime


async def free_days(engine: Engine, row: Record, asked: FreeDaysQuestion) -> FreeDays:
    """The dates that are asked for. Raises InvalidRequest, UnknownUnit."""
    plan = plan_of(row)
    team_id = ids.show_resource(row["resource_id"])
    _check(plan, team_id, asked)
    today = row["now"].astimezone(ZoneInfo(row["time_zone"])).date()
    days = _asked_days(asked, today)
    sold = _Days(today, today + timedelta(days=plan.horizon_days + 1 if row["on_sale"] else 0))
    look = _Look(engine, plan, team_id, asked, ZoneInfo(row["time_zone"]))
    within = _Days(max(days.first, sold.first), min(days.past, sold.past))
    if look.slots_of(within) > SLOTS_MAX:
        raise InvalidRequest(
            f"more than {SLOTS_MAX} slots: ask for fewer days, or for one `provider`", field="to"
        )
    found: dict[date, _Free] = {}
    for part in look.parts(within):
        found |= await look.free(part)
    next_free = min((one.first for one in found.values()), default=None)
    until = max(within.first, within.past)
    if next_free is None:
        next_free, until = await look.first_from(_Days(max(days.past, sold.first), sold.past))
    return FreeDays(
        time_zone=row["time_zone"],
        items=[_shown(day, found.get(day)) for day in _each(days)],
        next_free=next_free,
        looked_until=until,
    )


class _Look:
    """Looks through the availability of a service, date by date."""

    def __init__(
        self, engine: Engine, plan: TimesPlan, team_id: str, asked: FreeDaysQuestion, zone: ZoneInfo
    ) -> None:
        self._engine, self._team_id, self._asked, self._zone = engine, team_id, asked, zone
        self._rule = ready(plan).rates.of_name(asked.service, "service")
        self._tracks = [one for one in self._rule.tracks if asked.provider in (None, one.name)]

    def slots_of(self, days: _Days) -> int:
        """How many slots there are on these dates, over all providers."""
        return sum(self._size_of(day).slots for day in _each(days))

    def parts(self, days: _Days) -> Iterator[_Days]:
        """These dates in parts, of each of which one availability reads what it asks about and no
        more. It looks at the date before as well, whose hours may run into the first."""
        first, size = days.first, self._size_of(days.first - _DAY)
        for day in _each(days):
            more = self._size_of(day)
            if day > first and (
                size.slots + more.slots > _SLOTS_OF_PART_MAX
                or size.cells + more.cells > _CELLS_OF_PART_MAX
                or (day - first).days == DAYS_MAX
            ):
                yield _Days(first, day)
                first, size = day, self._size_of(day - _DAY)
            size = _Size(size.slots + more.slots, size.cells + more.cells)
        if first < days.past:
            yield _Days(first, days.past)

    async def free(self, days: _Days) -> dict[date, _Free]:
        """The dates of a part that have free beginnings."""
        query = AvailabilityQuery(
            from_=days.first.isoformat(),
            to=days.past.isoformat(),
            unit=self._asked.provider,
            rate=self._asked.service,
        )
        answer = await self._engine.availability(self._team_id, query, form=TimesAvailability)
        found: dict[date, _Free] = {}
        for slot in answer.slots:
            if slot.reason is None:
                start = datetime.fromisoformat(slot.from_)
                day = start.astimezone(self._zone).date()
                known = found.get(day)
                found[day] = (
                    _Free(1, start)
                    if known is None
                    else known._replace(beginnings=known.beginnings + 1)
                )
        return found

    async def first_from(self, days: _Days) -> tuple[datetime | None, date]:
        """The first free beginning on these dates, and until which they were looked at."""
        seen = 0
        for part in self.parts(days):
            seen += self.slots_of(part)
            if seen > SLOTS_MAX:
                return None, part.first
            found = await self.free(part)
            if found:
                return min(one.first for one in found.values()), part.past
        return None, max(days.first, days.past)

    def _size_of(self, day: date) -> _Size:
        number = day.toordinal() - FIRST_DATE
        found = [self._rule.day(one.schedule, self._zone, number) for one in self._tracks]
        return _Size(sum(len(one.starts) for one in found), sum(len(one.cells) for one in found))


def _check(plan: TimesPlan, team_id: str, asked: FreeDaysQuestion) -> None:
    """Raises InvalidRequest for a service that there is not, UnknownUnit for a provider who does
    not give it."""
    rate = next((one for one in plan.rates if one.name == asked.service), None)
    if rate is None:
        told = ", ".join(repr(one.name) for one in plan.rates)[:_NAMES_SHOWN_MAX]
        raise InvalidRequest(f"say which `service`, one of {told}", field="service")
    names = rate.providers or tuple(one.name for one in plan.providers)
    if asked.provider is not None and asked.provider not in names:
        raise UnknownUnit(resource_id=team_id, unit=asked.provider, field="provider")


def _asked_days(asked: FreeDaysQuestion, today: date) -> _Days:
    """Raises InvalidRequest."""
    first = asked.from_ or today
    try:
        past = asked.to or first + timedelta(days=DAYS_SHOWN)
    except OverflowError as error:
        raise InvalidRequest("from: no calendar goes on so long", field="from") from error
    if not 0 < (past - first).days <= DAYS_MAX:
        raise InvalidRequest(f"`to` is 1 to {DAYS_MAX} days after `from`", field="to")
    return _Days(first, past)


def _each(days: _Days) -> Iterator[date]:
    for day in range(days.first.toordinal(), days.past.toordinal()):
        yield date.fromordinal(day)


def _shown(day: date, found: _Free | None) -> FreeDay:
    return FreeDay(day, 0, None) if found is None else FreeDay(day, found.beginnings, found.first)
