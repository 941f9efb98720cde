"""Which dates have a free time for a service: counted in the availability of the team's resource,
which asks the same rules as a hold does. A question looks at so much at most, and lets others in
between its parts.
"""

from __future__ import annotations

from collections import Counter
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

WORK_MAX = 500_000
"""The most slots and cells, of all providers together, that one question looks at: some seconds of
a processor, in parts."""
# What one availability takes: some hundredths of a second, and no more cells than are read alone.
_WORK_OF_PART_MAX, _CELLS_OF_PART_MAX = 20_000, 5000
_WORK_OF_DATE = 4  # of a provider who has no hours on it
_DAY = timedelta(days=1)
_NAMES_SHOWN_MAX = 600


class _Days(NamedTuple):
    """Dates from one until before another."""

    first: date
    past: date


class _Size(NamedTuple):
    """What a date weighs: how many slots and cells it has, and how many cells."""

    work: int = 0
    cells: int = 0

    def plus(self, other: _Size) -> _Size:
        return _Size(self.work + other.work, self.cells + other.cells)

    def is_much(self) -> bool:
        return self.work > _WORK_OF_PART_MAX or self.cells > _CELLS_OF_PART_MAX


class _DateSize(NamedTuple):
    """What a date weighs: of all providers together, and of the one that has most."""

    all: _Size
    most: _Size


class _Part(NamedTuple):
    """Dates that are looked at together, for these providers one by one (None: for all at once),
    and the work of that."""

    days: _Days
    units: tuple[str | None, ...]
    work: int


_Starts = dict[date, set[datetime]]


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
    parts = list(look.parts(within))
    if sum(part.work for part in parts) > WORK_MAX:
        raise InvalidRequest(
            "it has too many times for one question: ask for fewer days, or for one `provider`",
            field="to",
        )
    found: _Starts = {}
    for part in parts:
        found |= await look.free(part)
    next_free = _first(found)
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
        tracks = [one for one in self._rule.tracks if asked.provider in (None, one.name)]
        self._names = tuple(one.name for one in tracks)
        self._schedules = Counter(one.schedule for one in tracks)

    def parts(self, days: _Days) -> Iterator[_Part]:
        """These dates in parts, of each of which an availability reads what it asks about and no
        more: of all providers at once, or of each where already one date of all is too much. It
        looks at the date before as well, whose hours may run into the first."""
        dates = list(_each(days))
        before = self._size_of(days.first - _DAY) if dates else None
        at = 0
        while at < len(dates) and before is not None:
            first, size = dates[at], self._size_of(dates[at])
            is_whole = len(self._names) == 1 or not before.all.plus(size.all).is_much()
            heaviest = before.all.plus(size.all) if is_whole else before.most.plus(size.most)
            work = before.all.work + size.all.work
            before, at = size, at + 1
            while at < len(dates) and (dates[at] - first).days < DAYS_MAX:
                size = self._size_of(dates[at])
                more = heaviest.plus(size.all if is_whole else size.most)
                if more.is_much():
                    break
                heaviest, work, before, at = more, work + size.all.work, size, at + 1
            units = (self._asked.provider,) if is_whole else self._names
            yield _Part(_Days(first, dates[at - 1] + _DAY), units, work)

    async def free(self, part: _Part) -> _Starts:
        """The dates of a part that have free beginnings, with these."""
        found: _Starts = {}
        for unit in part.units:
            query = AvailabilityQuery(
                from_=part.days.first.isoformat(),
                to=part.days.past.isoformat(),
                unit=unit,
                rate=self._asked.service,
                quantity=self._asked.quantity,
            )
            answer = await self._engine.availability(self._team_id, query, form=TimesAvailability)
            for slot in answer.slots:
                if slot.reason is None:
                    start = datetime.fromisoformat(slot.from_)
                    found.setdefault(start.astimezone(self._zone).date(), set()).add(start)
        return found

    async def first_from(self, days: _Days) -> tuple[datetime | None, date]:
        """The first free beginning on these dates, and until which they were looked at. Most find
        it near, so a look goes as far again as those before it."""
        work, first, further = 0, days.first, _DAY
        while first < days.past:
            past = min(first + further, days.past)
            for part in self.parts(_Days(first, past)):
                work += part.work
                if work > WORK_MAX:
                    return None, part.days.first
                found = _first(await self.free(part))
                if found is not None:
                    return found, part.days.past
            first, further = past, 2 * further
        return None, max(days.first, days.past)

    def _size_of(self, day: date) -> _DateSize:
        """Reckoned, because to make the slots is what takes long."""
        number = day.toordinal() - FIRST_DATE
        whole, most = _Size(), _Size()
        for schedule, count in self._schedules.items():
            slots, cells = self._rule.at_most(schedule, number)
            one = _Size(slots + cells + _WORK_OF_DATE, cells)
            whole = whole.plus(_Size(one.work * count, one.cells * count))
            most = _Size(max(most.work, one.work), max(most.cells, one.cells))
        return _DateSize(whole, most)


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


def _first(found: _Starts) -> datetime | None:
    return min((min(starts) for starts in found.values()), default=None)


def _shown(day: date, found: set[datetime] | None) -> FreeDay:
    return FreeDay(day, len(found), min(found)) if found else FreeDay(day, 0, None)
