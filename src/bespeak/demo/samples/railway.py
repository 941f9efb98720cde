"""The sample of legs: a run of a train with five stops and two classes. A seat is sold by the leg,
so one passenger may have it to Coimbra and another from there; a quota keeps seats for commuters.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from bespeak.demo.samples.days import at, today
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.resources import NewResource
from bespeak.inventory.shapes.legs.plan import Fare, LegsPlan, Quota, Stop
from bespeak.inventory.shapes.seats.plan import Row, Seat, Section

_ZONE = ZoneInfo("Europe/Lisbon")
_DAYS_AHEAD = 14
_FIRST, _SECOND = "first", "second"


def run(now: datetime) -> NewResource:
    """The morning train two weeks ahead, each stop on sale until five minutes before it leaves."""
    day = today(now, _ZONE) + timedelta(days=_DAYS_AHEAD)
    plan = LegsPlan(
        stops=_stops(day),
        sections=(
            _coach("1", _FIRST, 9, "A CD"),
            _coach("2", _SECOND, 15, "AB CD"),
            _coach("3", _SECOND, 15, "AB CD"),
        ),
        pools=(PoolPlan("unreserved", 30, category=_SECOND),),
        quotas=(Quota(name="ahead", capacity=100, categories=(_SECOND,), from_="OPO", to="CBR"),),
        fares=(
            Fare(category=_FIRST, legs=(900, 1100, 1400, 1200)),
            Fare(category=_SECOND, legs=(550, 700, 900, 750)),
            Fare(category="unreserved", legs=(400, 500, 650, 550)),
        ),
        closes_minutes=5,
    )
    return NewResource(
        name=f"Coast Express 714, Porto to Lisbon, {day:%a %d %b} 08:12",
        kind="train",
        plan=plan,
        time_zone=_ZONE.key,
        closes_at=at(day, 11, 10, _ZONE),
        hold_seconds=600,
        owner_limit=9,
        attributes={"operator": "Coast Lines", "number": 714},
    )


def _stops(day: date) -> tuple[Stop, ...]:
    def clock(hour: int, minute: int) -> datetime:
        return at(day, hour, minute, _ZONE)

    return (
        Stop("OPO", "Porto Campanhã", departs=clock(8, 12)),
        Stop("AVR", "Aveiro", arrives=clock(8, 48), departs=clock(8, 50)),
        Stop("CBR", "Coimbra-B", arrives=clock(9, 21), departs=clock(9, 24)),
        Stop("SAN", "Santarém", arrives=clock(10, 31), departs=clock(10, 33)),
        Stop("LIS", "Lisboa Santa Apolónia", arrives=clock(11, 10)),
    )


def _coach(number: str, category: str, rows: int, letters: str) -> Section:
    """A coach whose rows have a seat for each letter, and an aisle at the space: 2-7A."""
    seats = tuple(
        Seat(letter, gap=place > 0 and letters[place - 1] == " ")
        for place, letter in enumerate(letters)
        if letter != " "
    )
    return Section(
        f"Coach {number}",
        tuple(Row(str(row), listed=seats) for row in range(1, rows + 1)),
        category,
        prefix=f"{number}-",
    )
