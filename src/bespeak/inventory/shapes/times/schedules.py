"""Schedules from and to CSV: the plan of times as a spreadsheet has it, a line for each hours of a
provider. What it cannot say is refused, so that what was written reads as the same plan.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from bespeak.inventory.bounds import nonsense
from bespeak.inventory.fields import WEEKDAYS, Name, PriceAmount, Weekday
from bespeak.inventory.shapes.registry import compile_plan
from bespeak.inventory.shapes.seats.csv_lines import wrong
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan
from bespeak.inventory.timeline.hours import ClockTime, Hours, SpecialDays, WeeklyHours

_HOURS = ("provider", "days", "from", "to", "date", "until", "closed", "capacity")
# What is said once for all of the plan, on whatever line.
_SETTINGS = (
    "slot_minutes",
    "step_minutes",
    "buffer_before_minutes",
    "buffer_after_minutes",
    "notice_minutes",
    "horizon_days",
    "consecutive_max",
    "price",
    "raster_minutes",
)
_LINES_MAX = 200_000
_FIRST_LINE_MAX = 10_000
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::00)?", re.ASCII)
_PLACE = re.compile(r" - at `\$\.(\w+)`$")


class _Line(msgspec.Struct, frozen=True):
    """One line as it was written; what a field means depends on the others."""

    number: int
    provider: Name | None = None
    days: str | None = None
    from_: ClockTime | None = msgspec.field(default=None, name="from")
    to: ClockTime | None = None
    date: dt.date | None = None
    until: dt.date | None = None
    closed: Literal["yes", "holiday"] | None = None
    capacity: PriceAmount | None = None
    slot_minutes: PriceAmount | None = None
    step_minutes: PriceAmount | None = None
    buffer_before_minutes: PriceAmount | None = None
    buffer_after_minutes: PriceAmount | None = None
    notice_minutes: PriceAmount | None = None
    horizon_days: PriceAmount | None = None
    consecutive_max: PriceAmount | None = None
    price: PriceAmount | None = None
    raster_minutes: PriceAmount | None = None


class _Owner:
    """What the lines say of one provider, or (without a name) of the plan."""

    def __init__(self) -> None:
        self.weekly: list[WeeklyHours] = []
        self.exceptions: list[SpecialDays] = []
        self.capacity: int | None = None
        self.has_left = False


def read_schedule_csv(text: str) -> TimesPlan:
    """The plan of times of a CSV with a first line that names its columns, in any order.

    A line has `from` and `to` on `days` of the week (`mon-fri`, `mon wed`; empty: all), or on a
    `date`, or from a date until before `until`; without a `provider` they are the plan's. `closed`
    is `yes` for dates that are closed, or for a provider that has left, and `holiday` for a date
    that only an exception opens. `capacity` is the provider's, else the plan's. The other columns
    are fields of the plan: each once, or the same throughout.

    Raises InvalidRequest, with the line and the column in its words and its data.
    """
    owners: dict[str | None, _Owner] = {None: _Owner()}
    holidays: list[dt.date] = []
    settings: dict[str, int] = {}
    for line in _lines(text):
        owner = owners.setdefault(line.provider, _Owner())
        _settle(settings, line)
        _note_capacity(owner, line)
        if line.closed == "holiday":
            holidays.append(_holiday(line))
        elif line.date is not None or line.until is not None:
            _note_dates(owner, line)
        else:
            _note_week(owner, line)
    return _plan(owners, holidays, settings)


def write_schedule_csv(plan: TimesPlan) -> str:
    """The plan as CSV; reading it gives the same plan. Raises InvalidRequest for a plan that makes
    no sense, or that has what CSV cannot say."""
    compile_plan(plan)
    fields = msgspec.to_builtins(plan)
    rows: list[dict[str, object]] = [
        {name: fields[name] for name in (*_SETTINGS, "capacity") if name in fields},
        *_hours_of(plan.weekly, plan.exceptions),
        *({"date": day, "closed": "holiday"} for day in plan.holidays),
    ]
    for provider in plan.providers:
        own = list(_hours_of(provider.weekly or (), provider.exceptions or ()))
        if provider.weekly == ():
            own.insert(0, {"closed": "yes"})
        own = own or [{}]
        if provider.capacity is not None:
            own[0]["capacity"] = provider.capacity
        rows += [{"provider": provider.name, **row} for row in own]
    used = [name for name in (*_HOURS, *_SETTINGS) if any(name in row for row in rows)]
    out = io.StringIO()
    writer = csv.DictWriter(out, used, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    text = out.getvalue()
    if read_schedule_csv(text) != plan:
        raise nonsense("CSV cannot say all of this plan: write it as JSON")
    return text


def _hours_of(
    weekly: Sequence[WeeklyHours], exceptions: Sequence[SpecialDays]
) -> Iterator[dict[str, object]]:
    for hours in weekly:
        days = {} if hours.days == WEEKDAYS else {"days": " ".join(hours.days)}
        yield {**days, "from": hours.from_, "to": hours.to}
    for special in exceptions:
        dates: dict[str, object] = {"date": special.date or special.from_}
        if special.to is not None:
            dates["until"] = special.to
        if special.closed:
            yield {**dates, "closed": "yes"}
        for window in special.hours:
            yield {**dates, "from": window.from_, "to": window.to}


def _lines(text: str) -> Iterator[_Line]:
    text = text.removeprefix("\ufeff")
    first = text[:_FIRST_LINE_MAX].split("\n", 1)[0]
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True
    )
    try:
        columns = [cell.strip().lower() for cell in next(reader, [])]
        for column in columns:
            if column not in (*_HOURS, *_SETTINGS) or columns.count(column) > 1:
                raise wrong(1, column[:40], "there is no such column, or it comes twice")
        for count, cells in enumerate(reader, start=1):
            if count > _LINES_MAX:
                raise wrong(reader.line_num, columns[0], f"there are more than {_LINES_MAX} lines")
            if any(cell.strip() for cell in cells):
                yield _line(reader.line_num, columns, cells)
    except csv.Error as error:
        raise wrong(reader.line_num, "provider", f"this is not CSV: {error}") from error


def _line(number: int, columns: list[str], cells: list[str]) -> _Line:
    if len(cells) > len(columns):
        raise wrong(number, columns[-1] if columns else "", "there are more cells than columns")
    values: dict[str, object] = {"number": number}
    for column, cell in zip(columns, cells, strict=False):
        value = cell.strip()
        if column in ("days", "closed"):
            value = value.lower()
        clock = _CLOCK.fullmatch(value) if column in ("from", "to") else None
        if clock is not None:
            value = f"{clock[1]:0>2}:{clock[2]}"  # spreadsheets write 9:00, or 09:00:00
        if value:
            values[column] = value
    try:
        line = msgspec.convert(values, _Line, strict=False)
    except msgspec.ValidationError as error:
        place = _PLACE.search(str(error))
        column = place[1] if place else "provider"
        raise wrong(number, column, _PLACE.sub("", str(error))) from error
    if (line.from_ is None) != (line.to is None):
        raise wrong(number, "from" if line.from_ is None else "to", "from and to come together")
    if line.from_ is not None and line.closed is not None:
        raise wrong(number, "closed", "what is closed has no hours")
    return line


def _settle(settings: dict[str, int], line: _Line) -> None:
    for name in _SETTINGS:
        value = getattr(line, name)
        if value is not None and settings.setdefault(name, value) != value:
            raise wrong(line.number, name, f"it was {settings[name]} before")


def _note_capacity(owner: _Owner, line: _Line) -> None:
    if line.capacity is not None:
        if owner.capacity not in (None, line.capacity):
            raise wrong(line.number, "capacity", f"it was {owner.capacity} before")
        owner.capacity = line.capacity


def _holiday(line: _Line) -> dt.date:
    if line.date is None or line.until is not None:
        raise wrong(line.number, "date", "a holiday is one date")
    if line.provider is not None:
        raise wrong(line.number, "provider", "holidays are of all: say `yes` for one provider")
    return line.date


def _note_dates(owner: _Owner, line: _Line) -> None:
    if line.date is None:
        raise wrong(line.number, "date", "`until` goes with a date")
    if line.days is not None:
        raise wrong(line.number, "days", "days of the week or a date, not both")
    dates = SpecialDays(date=line.date)
    if line.until is not None:
        dates = SpecialDays(from_=line.date, to=line.until)
    if line.closed is not None:
        owner.exceptions.append(msgspec.structs.replace(dates, closed=True))
        return
    if line.from_ is None or line.to is None:
        raise wrong(line.number, "from", "a date has hours, or it is closed")
    hours = Hours(line.from_, line.to)
    before: tuple[Hours, ...] = ()
    if owner.exceptions and msgspec.structs.replace(owner.exceptions[-1], hours=()) == dates:
        before = owner.exceptions.pop().hours
    owner.exceptions.append(msgspec.structs.replace(dates, hours=(*before, hours)))


def _note_week(owner: _Owner, line: _Line) -> None:
    if line.from_ is not None and line.to is not None:
        owner.weekly.append(WeeklyHours(line.from_, line.to, _days(line)))
    elif line.days is not None:
        raise wrong(line.number, "from", "days of the week have hours")
    elif line.closed is not None:
        if line.provider is None:
            raise wrong(line.number, "date", "which dates are closed?")
        owner.has_left = True


def _days(line: _Line) -> tuple[Weekday, ...]:
    """`mon-fri`, `mon wed fri`, or all where nothing is said."""
    found: list[Weekday] = []
    for part in re.split(r"[\s,;/]+", line.days or "mon-sun"):
        first, dash, until = part.partition("-")
        last = until if dash else first
        if first not in WEEKDAYS or last not in WEEKDAYS:
            raise wrong(
                line.number, "days", f"{part[:40]!r} is no day like mon, no days like mon-fri"
            )
        place = WEEKDAYS.index(first)
        found.append(WEEKDAYS[place])
        while WEEKDAYS[place] != last:
            place = (place + 1) % len(WEEKDAYS)
            found.append(WEEKDAYS[place])
    return tuple(found)


def _plan(
    owners: dict[str | None, _Owner], holidays: Iterable[dt.date], settings: dict[str, int]
) -> TimesPlan:
    own = owners.pop(None)
    if "slot_minutes" not in settings:
        raise wrong(1, "slot_minutes", "it must be said once how long a slot is")
    providers = []
    for name, owner in owners.items():
        if owner.has_left and owner.weekly:
            raise nonsense(f"{name!r} is closed and has hours")
        weekly = () if owner.has_left else tuple(owner.weekly) or None
        exceptions = tuple(owner.exceptions) or None
        providers.append(Provider(name or "", weekly, exceptions, owner.capacity))
    capacity = {} if own.capacity is None else {"capacity": own.capacity}
    plan = TimesPlan(
        slot_minutes=settings["slot_minutes"],
        weekly=tuple(own.weekly),
        exceptions=tuple(own.exceptions),
        holidays=tuple(holidays),
        providers=tuple(providers),
    )
    plan = msgspec.structs.replace(plan, **settings, **capacity)
    compile_plan(plan)
    return plan
