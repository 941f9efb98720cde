"""For which stays a rate or a discount is: of how many nights, and booked how long before."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from bespeak.inventory.bounds import nonsense
from bespeak.inventory.fields import PlanPart

STAY_MAX = 366
"""The most nights of a stay."""
_DAYS_AHEAD_MAX = 1100

StayLength = Annotated[int, Meta(ge=1, le=STAY_MAX)]
DaysAhead = Annotated[int, Meta(ge=0, le=_DAYS_AHEAD_MAX)]


class StayLimits(PlanPart, frozen=True, kw_only=True):
    """For which stays something is: of so many nights, booked so many days before the arrival. The
    days are those of the resource's calendar: today's arrival is 0 days ahead."""

    min_nights: StayLength | None = None
    max_nights: StayLength | None = None
    min_days_ahead: DaysAhead | None = None
    max_days_ahead: DaysAhead | None = None

    def admits(self, nights: int, days_ahead: int) -> bool:
        """Whether a stay is within all of them."""
        return (
            (self.min_nights is None or nights >= self.min_nights)
            and (self.max_nights is None or nights <= self.max_nights)
            and (self.min_days_ahead is None or days_ahead >= self.min_days_ahead)
            and (self.max_days_ahead is None or days_ahead <= self.max_days_ahead)
        )


def check_limits(limits: StayLimits, where: str) -> None:
    """Raises InvalidRequest where the least is more than the most."""
    for what in ("nights", "days_ahead"):
        least, most = getattr(limits, f"min_{what}"), getattr(limits, f"max_{what}")
        if least is not None and most is not None and least > most:
            raise nonsense(f"{where}: `min_{what}` is more than `max_{what}`")
