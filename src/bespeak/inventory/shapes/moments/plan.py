"""The plan of moments: exact ranges on a raster, of things that are taken apart (courts, drivers,
rooms).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from bespeak.inventory.bounds import check_bounds, check_names, nonsense
from bespeak.inventory.fields import Name, PriceAmount
from bespeak.inventory.plans import Plan
from bespeak.inventory.timeline.hours import (
    MINUTES_OF_DAY,
    Exceptions,
    Holidays,
    HorizonDays,
    NoticeMinutes,
    Weekly,
)
from bespeak.inventory.timeline.instants import DAY

THINGS_MAX = 1000
_LENGTH_MINUTES_MAX = 31 * MINUTES_OF_DAY

LengthMinutes = Annotated[int, Meta(ge=1, le=_LENGTH_MINUTES_MAX)]


class MomentsPlan(Plan, frozen=True, kw_only=True, tag="moments"):
    """Exact ranges of one thing without a name or of several `things`, on a raster of so many
    minutes or seconds that divides a day.

    A range has from `min_minutes` (absent: one step of the raster) to `max_minutes` (absent: a day,
    or what one line can claim), and lies in the hours of the week (absent: always). It is sold from
    `horizon_days` before its date until `notice_minutes` before it begins; without a notice the
    step that has begun can still be had. The price is of one step of the raster of one thing;
    buffers are not charged for.
    """

    things: Annotated[tuple[Name, ...], Meta(max_length=THINGS_MAX)] = ()
    raster_minutes: Annotated[int, Meta(ge=1, le=60)] | None = None
    raster_seconds: Annotated[int, Meta(ge=1, le=3600)] | None = None
    min_minutes: LengthMinutes | None = None
    max_minutes: LengthMinutes | None = None
    buffer_before_minutes: Annotated[int, Meta(ge=0, le=MINUTES_OF_DAY)] = 0
    buffer_after_minutes: Annotated[int, Meta(ge=0, le=MINUTES_OF_DAY)] = 0
    notice_minutes: NoticeMinutes = 0
    horizon_days: HorizonDays = 90
    weekly: Weekly = ()
    exceptions: Exceptions = ()
    holidays: Holidays = ()
    price: PriceAmount | None = None

    @property
    def step_seconds(self) -> int:
        return self.raster_seconds or (self.raster_minutes or 0) * 60


def check_plan(plan: MomentsPlan) -> MomentsPlan:
    """The plan as its JSON is read; RangeRules checks its lengths. Raises InvalidRequest for one
    that makes no sense."""
    read = check_bounds(plan)
    check_names(read.things, "thing")
    if (read.raster_minutes is None) == (read.raster_seconds is None):
        raise nonsense("it has `raster_minutes` or `raster_seconds`")
    if DAY % read.step_seconds:
        raise nonsense("the raster does not divide a day")
    return read
