"""Times that a query names: `from` and `to`, half-open, with an offset from UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, TypeAlias

from msgspec import Meta

from bespeak.errors import InvalidRequest

Moment: TypeAlias = Annotated[datetime, Meta(tz=True)]

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
END = datetime(9000, 1, 1, tzinfo=UTC)


def period(since: datetime | None, until: datetime | None) -> tuple[datetime, datetime]:
    """The time between two moments; what is absent is open.
    Raises InvalidRequest for what no calendar here reaches, and for an end before the beginning."""
    since, until = since or BEGINNING, until or END
    for field, moment in (("from", since), ("to", until)):
        if not BEGINNING.year <= moment.year <= END.year:
            raise InvalidRequest("times are of the years 1970 to 9000", field=field)
    if until < since:
        raise InvalidRequest("`to` is before `from`", field="to")
    return since, until
