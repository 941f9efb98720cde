"""Loads the demo's cinemas into a database, once: a second call finds the shows and adds nothing.
Only when the week is over, and no evening in a room of 300 seats is left, does a new week follow.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from bespeak.verticals.cinema.programme import CINEMAS, KIND, programme, tomorrow
from bespeak.verticals.cinema.rooms import CLASSIC

if TYPE_CHECKING:
    from bespeak.assembly import Engine
    from bespeak.inventory.resources import Resource

_PAGE = 1000
_CINEMA_NAMES = frozenset(cinema.name for cinema in CINEMAS)


async def load_demo(engine: Engine, now: datetime | None = None) -> list[Resource]:
    """The shows of the demo that are still on sale, loaded if need be. A show with 300 seats
    comes first, the others by time. `now` is the database's clock unless given."""
    now = now or engine.clock.now()
    found = [show for show in await _shows(engine) if show.closes_at and show.closes_at > now]
    if not any(show.plan == CLASSIC.plan for show in found):
        found += await engine.create_resources(programme(tomorrow(now)))
    return _in_order(found)


async def _shows(engine: Engine) -> list[Resource]:
    """The shows that this module loaded before, known by their cinema."""
    found: list[Resource] = []
    after = None
    while True:
        page = await engine.list_resources(after=after, limit=_PAGE, kind=KIND)
        found += [show for show in page.items if show.attributes.get("cinema") in _CINEMA_NAMES]
        after = page.next
        if after is None:
            return found


def _in_order(shows: list[Resource]) -> list[Resource]:
    """By time, and by name where two begin together; the first evening of 300 seats in front."""
    ordered = sorted(shows, key=lambda show: (str(show.closes_at), show.name))
    large = [show for show in ordered if show.plan == CLASSIC.plan]
    evenings = [show for show in large if str(show.attributes["starts_at"])[11:13] >= "18"]
    featured = (evenings or large)[0]
    ordered.remove(featured)
    return [featured, *ordered]
