"""The ranges of a plan of moments: which cells they are, why one is not sold, and which are free.
Of a free range any part that is neither too short nor too long can be held, its buffers included.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from bespeak.errors import InvalidRequest
from bespeak.inventory.bounds import nonsense
from bespeak.inventory.line_checks import unknown
from bespeak.inventory.lines import span
from bespeak.inventory.plans import CLAIMS_MAX, Reason, SaleContext
from bespeak.inventory.shapes.moments.plan import MomentsPlan
from bespeak.inventory.timeline.hours import ALWAYS, Schedule, sale_window
from bespeak.inventory.timeline.instants import DAY, end_of, instant_of, local_day, shown
from bespeak.inventory.timeline.raster import NOW, UNNAMED, Raster, TakenCells
from bespeak.lines import Line

_FAR = 2**60  # a cell beyond all time

Range = tuple[int, int]


class RangeRules:
    """A plan of moments made ready. Ranges are of cells of the raster, half-open."""

    def __init__(self, plan: MomentsPlan) -> None:
        """Raises InvalidRequest for a plan that makes no sense."""
        self.plan = plan
        self.things: tuple[str, ...] = plan.things or (UNNAMED,)
        self.raster = Raster(plan.step_seconds, self.things)
        self.before = self._steps(plan.buffer_before_minutes, "buffer_before_minutes")
        self.after = self._steps(plan.buffer_after_minutes, "buffer_after_minutes")
        self.shortest, self.longest = self._lengths(plan)
        self.schedule = Schedule(plan.weekly or ALWAYS, plan.exceptions, plan.holidays)

    def asked(self, line: Line, sale: SaleContext) -> Range:
        """The range of a line, in cells. `now` is the beginning of the step that has begun.

        Raises InvalidRequest for ends that are no times, not in order, or not on the raster.
        """
        start, stop = span(line)
        zone, raster = sale.zone, self.raster
        if start == NOW:
            first = raster.down(sale.now.timestamp())
        else:
            first = self._on_raster(instant_of(start, zone, "lines.from"), sale, "lines.from")
        end = end_of(stop, first * raster.seconds, zone, "lines.to")
        past = self._on_raster(end, sale, "lines.to")
        if past <= first:
            raise InvalidRequest("`to` is not after `from`", field="lines.to")
        return first, past

    def thing_of(self, line: Line) -> str | None:
        """The thing of a line: the one that it names, or the only one. None: any of several."""
        if line.unit is None:
            return self.things[0] if len(self.things) == 1 else None
        if line.unit not in self.raster.tracks or line.unit == UNNAMED:
            raise unknown(line, "there is no such thing")
        return line.unit

    def line(self, resource_id: str, thing: str, asked: Range, sale: SaleContext) -> Line:
        """The line that leaves no choice, as it is shown."""
        seconds = self.raster.seconds
        return Line(
            resource_id,
            unit=thing or None,
            from_=shown(asked[0] * seconds, sale.zone),
            to=shown(asked[1] * seconds, sale.zone),
        )

    def claimed(self, asked: Range) -> range:
        """The cells that a range claims: its own and those of its buffers. Raises InvalidRequest
        if they are too many for one line."""
        cells = range(asked[0] - self.before, asked[1] + self.after)
        if len(cells) > CLAIMS_MAX:
            raise InvalidRequest(
                f"the range has {len(cells)} steps of the raster; a line has at most {CLAIMS_MAX}",
                field="lines.to",
            )
        return cells

    def on_sale(self, sale: SaleContext) -> Range:
        """The first cell on sale, and the first that is not yet."""
        plan = self.plan
        now = sale.now.timestamp()
        window = sale_window(now, sale.zone, plan.notice_minutes, plan.horizon_days)
        return self.raster.down(window.earliest), self.raster.down(window.end)

    def opened(self, first: int, past: int, sale: SaleContext) -> list[Range]:
        """The cells between two that lie in the hours and are on sale, as ranges in order."""
        earliest, end = self.on_sale(sale)
        return self.in_hours(max(first, earliest), min(past, end), sale)

    def in_hours(self, first: int, past: int, sale: SaleContext) -> list[Range]:
        """The cells between two that lie in the hours, as ranges in order."""
        if first >= past:
            return []
        raster = self.raster
        pieces = self.schedule.opened(sale.zone, first * raster.seconds, past * raster.seconds)
        found = [(raster.up(since), raster.down(until)) for since, until in pieces]
        return [(since, until) for since, until in found if since < until]

    def reasons(self, asked: Range, sale: SaleContext) -> list[dict[str, object]]:
        """Every rule that forbids a range; none: it is on sale."""
        found: list[dict[str, object]] = []
        plan, seconds = self.plan, self.raster.seconds
        length = asked[1] - asked[0]
        if length < self.shortest:
            found.append({"reason": Reason.MIN_STAY, "minutes": plan.min_minutes})
        if length > self.longest:
            found.append({"reason": Reason.MAX_STAY, "minutes": self.longest * seconds // 60})
        if self.in_hours(*asked, sale) != [asked]:
            day = local_day(asked[0] * seconds, sale.zone)
            reason = Reason.CLOSED if self.schedule.is_closed(day) else Reason.NOT_OFFERED
            found.append({"reason": reason, "from": shown(asked[0] * seconds, sale.zone)})
        earliest, end = self.on_sale(sale)
        if asked[0] < earliest:
            found.append({"reason": Reason.CUTOFF, "notice_minutes": plan.notice_minutes})
        if asked[1] > end:
            found.append({"reason": Reason.BEYOND_WINDOW, "horizon_days": plan.horizon_days})
        return found

    def free(self, opened: Sequence[Range], taken: TakenCells) -> list[Range]:
        """The ranges within the opened ones in which any range can be held that is long enough and
        not too long, given the cells of a thing that are taken, in order."""
        before, after, shortest = self.before, self.after, self.shortest
        allowed: list[Range] = []
        last = -_FAR
        for cell, _ in taken:
            if cell - last > shortest + before + after:
                allowed.append((last + 1 + before, cell - after))
            last = cell
        allowed.append((last + 1 + before, _FAR))
        found: list[Range] = []
        index = 0
        for since, until in opened:
            while allowed[index][1] <= since:
                index += 1
            for low, high in islice(allowed, index, None):
                if low >= until:
                    break
                begin, end = max(low, since), min(high, until)
                if end - begin >= shortest:
                    found.append((begin, end))
        return found

    def _lengths(self, plan: MomentsPlan) -> tuple[int, int]:
        """The shortest and the longest range, in steps."""
        most = CLAIMS_MAX - self.before - self.after
        longest = min(most, DAY // self.raster.seconds)
        if plan.max_minutes is not None:
            longest = self._steps(plan.max_minutes, "max_minutes")
        shortest = 1 if plan.min_minutes is None else self._steps(plan.min_minutes, "min_minutes")
        if longest > most or shortest > most:
            raise nonsense(f"with its buffers a range has at most {CLAIMS_MAX} steps of the raster")
        if shortest > longest:
            raise nonsense("min_minutes is more than max_minutes, which is a day or less if absent")
        return shortest, longest

    def _steps(self, minutes: int, name: str) -> int:
        steps, rest = divmod(minutes * 60, self.raster.seconds)
        if rest:
            raise nonsense(f"{name} is not a whole number of steps of the raster")
        return steps

    def _on_raster(self, instant: int, sale: SaleContext, field: str) -> int:
        cell, rest = divmod(instant, self.raster.seconds)
        if rest:
            before, after = cell * self.raster.seconds, (cell + 1) * self.raster.seconds
            raise InvalidRequest(
                f"{shown(instant, sale.zone)} is not on the raster of {self.raster.seconds}"
                f" seconds; the nearest are {shown(before, sale.zone)}"
                f" and {shown(after, sale.zone)}",
                field=field,
            )
        return cell
