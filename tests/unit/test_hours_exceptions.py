"""Which of many exceptions stands on a date: looked up, and looked for one by one."""

import random
from datetime import date, timedelta

from bespeak.inventory.timeline.hours import ALWAYS, Hours, Schedule, SpecialDays
from bespeak.inventory.timeline.instants import FIRST_DATE

FIRST = date(2030, 1, 1)
SPAN = 60


def drawn(dice: random.Random, hour: int) -> SpecialDays:
    first = FIRST + timedelta(days=dice.randrange(SPAN))
    hours = (Hours(f"{hour:02}:00", f"{hour + 1:02}:00"),)
    if dice.random() < 0.5:
        return SpecialDays(date=first, hours=hours)
    past = first + timedelta(days=dice.randint(1, 20))
    return SpecialDays(from_=first, to=past, hours=hours)


def stands(exceptions: list[SpecialDays], day: date) -> SpecialDays | None:
    for one in reversed(exceptions):
        first = one.date or one.from_
        past = one.to or (one.date or day) + timedelta(days=1)
        if first is not None and first <= day < past:
            return one
    return None


def test_the_last_exception_of_a_date_stands() -> None:
    dice = random.Random(20300101)
    for _ in range(50):
        exceptions = [drawn(dice, hour) for hour in range(dice.randrange(20))]
        schedule = Schedule(ALWAYS, tuple(exceptions), ())
        for number in range(-2, SPAN + 25):
            day = FIRST + timedelta(days=number)
            found = stands(exceptions, day)
            windows = schedule.windows(day.toordinal() - FIRST_DATE)
            if found is None:
                assert windows == ((0, 1440),)
            else:
                hour = int(found.hours[0].from_[:2])
                assert windows == ((hour * 60, hour * 60 + 60),)
