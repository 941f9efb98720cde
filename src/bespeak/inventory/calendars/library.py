"""The libraries that read and write iCalendar files, imported with the first calendar: who holds
and sells needs none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import icalendar
    from dateutil import rrule  # type: ignore[import-untyped]
else:
    from bespeak.extras import LazyModule

    icalendar = LazyModule("icalendar", extra="calendars")
    rrule = LazyModule("dateutil.rrule", extra="calendars")

__all__ = ["icalendar", "rrule"]
