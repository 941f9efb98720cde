"""Times as people type them: by the clocks of a place, unless they say an offset."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bespeak.errors import InvalidRequest

_YEAR_MIN, _YEAR_MAX = 2000, 2200


def read_moment(text: str, time_zone: str, field: str = "starts_at") -> datetime:
    """A time, by the clocks of the place where it has no offset. Raises InvalidRequest for one that
    those clocks never show."""
    try:
        moment = datetime.fromisoformat(text)
        zone = ZoneInfo(time_zone)
        if moment.tzinfo is None:
            shown = moment.replace(tzinfo=zone)
            moment = shown.astimezone(UTC)
            if moment.astimezone(zone).replace(tzinfo=None) != shown.replace(tzinfo=None):
                raise InvalidRequest(f"{field}: the clocks of {time_zone} skip {text}", field=field)
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidRequest(f"{field}: {text[:40]!r} is no time", field=field) from error
    if not _YEAR_MIN <= moment.year <= _YEAR_MAX:
        raise InvalidRequest(f"{field} is not in {_YEAR_MIN} to {_YEAR_MAX}", field=field)
    return moment
