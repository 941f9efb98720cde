"""Appointments: teams whose providers give their time, by services that guests book."""

from __future__ import annotations

from datetime import datetime
from importlib import resources
from typing import TYPE_CHECKING

from bespeak.verticals.appointments.contract import CALLS
from bespeak.verticals.vertical import DemoLoad, Progress, Vertical

if TYPE_CHECKING:
    from bespeak.engine import Engine


async def _load_demo(engine: Engine, now: datetime | None, tell: Progress) -> DemoLoad:
    # Not in every process of a server: only one loads the demo.
    from bespeak.verticals.appointments.demo.load import load_demo  # noqa: PLC0415

    return await load_demo(engine, now, tell)


VERTICAL = Vertical(
    name="appointments",
    title="Appointments",
    calls=CALLS,
    migrations=resources.files(__name__).joinpath("migrations"),
    load_demo=_load_demo,
)
