"""Programmes: concerts, plays and talks in the halls of venues, and their performances, which are
sold.
"""

from __future__ import annotations

from datetime import datetime
from importlib import resources
from typing import TYPE_CHECKING

from bespeak.verticals.programme.contract import CALLS
from bespeak.verticals.stored_places import stored_places
from bespeak.verticals.vertical import DemoLoad, Progress, Vertical

if TYPE_CHECKING:
    from bespeak.engine import Engine


async def _load_demo(engine: Engine, now: datetime | None, tell: Progress) -> DemoLoad:
    # Not in every process of a server: only one loads the demo.
    from bespeak.verticals.programme.demo.load import load_demo  # noqa: PLC0415

    return await load_demo(engine, now, tell)


VERTICAL = Vertical(
    name="programme",
    title="Programme",
    calls=CALLS,
    migrations=resources.files(__name__).joinpath("migrations"),
    load_demo=_load_demo,
    places=stored_places(__name__),
)
