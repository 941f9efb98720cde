"""A hoarder with a thousand identities behind 1, 10 and 100 addresses, for half an hour, against
500 buyers of 300 places: how many places buyers have, with the budgets of guests and without. The
clock is moved, so the half hour takes some seconds; what is counted is no speed.
"""

import msgspec
from structlog.testing import capture_logs

from benchmarks.bespeak_server import migrated
from benchmarks.hoarding import SEATS, Course, play
from benchmarks.results import Bench, Figure, Sample, compared
from bespeak import NewResource
from bespeak.http.server.budgets import challenge
from tests.harness.clock import Clock
from tests.harness.database import session
from tests.http.api import SETTINGS, opened
from tests.http.hoarded import HALL, HOLD_SECONDS, HOLD_SECONDS_MAX, HoardedOffice

ADDRESSES = (1, 10, 100)
_SHOW = NewResource(
    name="Show", plan=HALL, hold_seconds=HOLD_SECONDS, hold_seconds_max=HOLD_SECONDS_MAX
)


async def run(bench: Bench) -> list[Figure]:
    """For each number of addresses with and without budgets."""
    challenge._BITS = 1  # the work of solving is not what is measured
    figures = []
    for addresses in ADDRESSES:
        courses = {budgets: await _course(bench, addresses, budgets) for budgets in ("on", "off")}
        own, other = (Sample(float(course.bought)) for course in courses.values())
        figures.append(
            compared(f"hoarder-{addresses}", f"of {SEATS} bought", own, "no budgets", other)
        )
        told = courses["on"].told_buyers
        print(f"{addresses} addresses: buyers were told {dict(told)}")
    return figures


async def _course(bench: Bench, addresses: int, budgets: str) -> Course:
    url = await migrated(bench.database, "bespeak_hoarder")
    settings = msgspec.structs.replace(SETTINGS, budgets=budgets, trusted_proxies="127.0.0.1")
    async with (
        session(url) as connection,
        session(url) as own,
        opened(settings, url, connection) as api,
    ):
        show = await api.service.engine.create_resource(_SHOW)
        clock = Clock(own)
        await clock.set(clock.now)
        clock.shared_with(api.service.engine)
        with capture_logs():  # each budget that is spent is logged
            return await play(HoardedOffice(api, clock, show), addresses)
