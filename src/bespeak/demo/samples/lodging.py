"""The samples of nights: a room type of a hotel, of which so many are sold a night, and a cottage
with three rooms that each have a name. Prices follow the days of the week and the seasons; the
windows move by themselves.
"""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from bespeak.demo.samples.days import today, years_from
from bespeak.inventory.fields import Weekday
from bespeak.inventory.resources import NewResource, Price
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan

_HOTEL_ZONE = ZoneInfo("Europe/Lisbon")
_COTTAGE_ZONE = ZoneInfo("Europe/Helsinki")
_NO_SATURDAY: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sun")
_JULY, _AUGUST, _SEPTEMBER, _DECEMBER = 7, 8, 9, 12


def hotel(now: datetime) -> NewResource:
    """Twelve double rooms. Weekends cost more, summer most; over New Year one stays three nights,
    and nobody arrives or leaves on its day."""
    years = years_from(today(now, _HOTEL_ZONE))
    rules = [NightRule(days=("fri", "sat"), price=14_500)]
    for year in years:
        rules.append(
            NightRule(from_=date(year, _JULY, 1), to=date(year, _SEPTEMBER, 1), price=16_900)
        )
    for year in years:
        eve, new_year = date(year, _DECEMBER, 31), date(year + 1, 1, 1)
        rules.append(
            NightRule(from_=date(year, _DECEMBER, 30), to=new_year.replace(day=2), price=22_000)
        )
        rules.append(NightRule(from_=eve, to=new_year, min_through=3))
        rules.append(
            NightRule(from_=new_year, to=new_year.replace(day=2), closed_to_departure=True)
        )
    plan = NightsPlan(
        count=12,
        check_in_time="15:00",
        cutoff_hours=-6,  # the desk is open until nine in the evening
        max_nights=28,
        price=11_800,
        rules=tuple(rules),
    )
    return NewResource(
        name="Double room, Hotel Marlowe",
        kind="room-type",
        plan=plan,
        time_zone=_HOTEL_ZONE.key,
        hold_seconds=900,
        payment="at_venue",
        price=Price(11_800, "EUR"),
        attributes={"city": "Lisbon", "beds": 1, "sleeps": 2, "breakfast": True},
    )


def cottage(now: datetime) -> NewResource:
    """Three rooms by a lake, two nights at least; the night after each stay is for cleaning. In
    August one arrives on a Saturday and stays for six nights or more."""
    rules = [NightRule(days=("fri", "sat"), price=9_800)]
    for year in years_from(today(now, _COTTAGE_ZONE)):
        start, stop = date(year, _AUGUST, 1), date(year, _SEPTEMBER, 1)
        rules.append(NightRule(from_=start, to=stop, price=12_400, min_nights=6))
        rules.append(NightRule(from_=start, to=stop, days=_NO_SATURDAY, closed_to_arrival=True))
    plan = NightsPlan(
        rooms=("Heron", "Otter", "Kingfisher"),
        check_in_time="16:00",
        cutoff_hours=24,
        min_nights=2,
        max_nights=21,
        buffer_nights=1,
        price=8_200,
        rules=tuple(rules),
    )
    return NewResource(
        name="Lake cottage at Vanhala",
        kind="cottage",
        plan=plan,
        time_zone=_COTTAGE_ZONE.key,
        hold_seconds=1200,
        payment="at_venue",
        price=Price(8_200, "EUR"),
        attributes={"lake": "Vanhajärvi", "sauna": True},
    )
