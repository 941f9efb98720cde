"""The samples of times and of numbered tickets: a clinic with two doctors, where one books a time,
and its walk-in session, where one takes a token and waits to be called.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from bespeak.demo.samples.days import SUNDAY, at, today, years_from
from bespeak.inventory.fields import Weekday
from bespeak.inventory.resources import NewResource, Price
from bespeak.inventory.shapes.tickets.plan import TicketsPlan
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan
from bespeak.inventory.timeline.hours import WeeklyHours

_ZONE = ZoneInfo("Asia/Kolkata")
_HOLIDAYS = ((1, 26), (8, 15), (10, 2))  # the national ones
_WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri")


def clinic(now: datetime) -> NewResource:
    """Two doctors with a lunch break. Dr. Rao also comes on Saturday mornings, and Dr. Iyer not on
    Wednesdays. Visits are of 15 minutes, with five to write them up."""
    mornings = WeeklyHours("09:00", "13:00", _WEEKDAYS)
    afternoons = WeeklyHours("14:00", "17:20", _WEEKDAYS)
    days_of_iyer: tuple[Weekday, ...] = ("mon", "tue", "thu", "fri")
    plan = TimesPlan(
        slot_minutes=15,
        step_minutes=20,
        buffer_after_minutes=5,
        weekly=(mornings, afternoons),
        providers=(
            Provider("dr-rao", (mornings, afternoons, WeeklyHours("09:00", "12:00", ("sat",)))),
            Provider("dr-iyer", (WeeklyHours("10:00", "16:00", days_of_iyer),)),
        ),
        holidays=tuple(
            date(year, month, day)
            for year in years_from(today(now, _ZONE))
            for month, day in _HOLIDAYS
        ),
        notice_minutes=60,
        horizon_days=60,
        price=60_000,
    )
    return NewResource(
        name="Laburnum Road Clinic",
        kind="clinic",
        plan=plan,
        time_zone=_ZONE.key,
        hold_seconds=300,
        owner_limit=3,
        payment="at_venue",
        price=Price(60_000, "INR"),
        attributes={"city": "Pune", "speciality": "general practice"},
    )


def walk_in(now: datetime) -> NewResource:
    """Sixty tokens of the next morning that is no Sunday, in order; one that is given back is not
    handed out again, so that nobody's place moves."""
    day = today(now, _ZONE) + timedelta(days=1)
    if day.weekday() == SUNDAY:
        day += timedelta(days=1)
    return NewResource(
        name=f"Walk-in session, Laburnum Road Clinic, {day:%a %d %b}",
        kind="session",
        plan=TicketsPlan(count=60, refill="never", prefix="T"),
        time_zone=_ZONE.key,
        closes_at=at(day, 12, 0, _ZONE),
        hold_seconds=120,
        owner_limit=2,
        attributes={"city": "Pune", "begins_at": at(day, 9, 0, _ZONE).isoformat()},
    )
