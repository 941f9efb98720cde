"""The rates of times made ready: what is given at each takes its own time and has its own price.
All rates claim the same cells of the same providers, so nobody is booked twice at a time.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from bespeak.errors import InvalidRequest
from bespeak.inventory.bounds import nonsense
from bespeak.inventory.shapes.times.plan import TimesPlan, TimesRate
from bespeak.inventory.shapes.times.slots import SlotRules
from bespeak.lines import Line

_NAMES_SHOWN_MAX = 600


class RateRules:
    """The slots of a plan: its own, and those of each rate."""

    def __init__(self, plan: TimesPlan) -> None:
        """Raises InvalidRequest for a plan that makes no sense."""
        self.own = SlotRules(plan)
        self.by_rate: dict[str, SlotRules] | None = None
        if plan.rates:
            self.by_rate = {rate.name: _rate_slots(self.own, rate) for rate in plan.rates}

    def find(self, line: Line) -> SlotRules | None:
        """The slots that a line is of; None: it names no rate that there is."""
        if self.by_rate is None:
            return self.own
        return None if line.rate is UNSET else self.by_rate.get(line.rate)

    def of_line(self, line: Line) -> SlotRules:
        """The slots that a line is of. Raises InvalidRequest."""
        if self.by_rate is None:
            return self.own
        found = self.find(line)
        if found is not None:
            return found
        if line.rate is UNSET:
            raise InvalidRequest(
                f"this resource is sold by rates, and a line names one of {self._names()}",
                field="lines.rate",
            )
        raise self._unknown(line.rate, "lines.rate")

    def of_name(self, rate: str | None, field: str) -> SlotRules:
        """The slots of a rate; without one the plan's own. Raises InvalidRequest."""
        if rate is None:
            return self.own
        found = None if self.by_rate is None else self.by_rate.get(rate)
        if found is None:
            raise self._unknown(rate, field)
        return found

    def _unknown(self, rate: str, field: str) -> InvalidRequest:
        return InvalidRequest(
            f"there is no rate {rate[:60]!r}; there are: {self._names()}", field=field
        )

    def _names(self) -> str:
        return ", ".join(map(repr, self.by_rate or ()))[:_NAMES_SHOWN_MAX] or "none"


def _rate_slots(own: SlotRules, rate: TimesRate) -> SlotRules:
    """The slots of a rate: those of a plan with its lengths, price and providers, on the raster
    that all of them have."""
    plan = own.plan
    before, after = rate.buffer_before_minutes, rate.buffer_after_minutes
    alone = msgspec.structs.replace(
        plan,
        slot_minutes=rate.minutes,
        step_minutes=rate.step_minutes or plan.step_minutes or plan.slot_minutes,
        buffer_before_minutes=plan.buffer_before_minutes if before is None else before,
        buffer_after_minutes=plan.buffer_after_minutes if after is None else after,
        price=plan.price if rate.price is None else rate.price,
        consecutive_max=1,
        rates=(),
    )
    tracks = own.tracks
    if rate.providers is not None:
        # By their order in the plan, and numbered anew, so that each is in turn as often.
        names = set(rate.providers)
        given = [track for track in tracks if track.name in names]
        tracks = tuple(track._replace(number=number) for number, track in enumerate(given))
    try:
        return SlotRules(alone, tracks, own.raster, rate.name)
    except InvalidRequest as error:
        detail = error.detail.removeprefix("plan: ")
        raise nonsense(f"the rate {rate.name[:60]!r}: {detail}") from error
