"""From a freed seat to the next offer: 1,000 parties of one to four wait for a hall that is sold
out, and 20 bookings a second are cancelled, so that what comes back is rarely enough for who is
first.

An offer is late by the time from the call of the last cancellation that it needed until another
connection sees it. One background worker runs, as it does beside a server.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import asyncpg

import bespeak
from benchmarks import services
from benchmarks.bespeak_server import OWN, migrated
from benchmarks.database import connected, settle
from benchmarks.results import Bench, Figure, Sample, alone, median
from bespeak import Line, NewResource, Row, SeatsPlan, Section, ids
from bespeak.waitlists.entry import NewWaitlistEntry
from bespeak.waitlists.waitlist import NewWaitlist
from bespeak.waitlists.wish import WaitlistWish, WantedPlace

WAITING = 1000
PACE = 20
POLL_SECONDS = 0.005
PATIENCE_SECONDS = 30
SEED = 20300101
_ROWS, _SEATS = 30, 20
_SIZES = (1, 1, 2, 2, 2, 2, 2, 3, 4, 4)
_OFFERS = """
    select e.entry_id, h.units from bespeak.waitlist_offer o
    join bespeak.waitlist_entry e on e.entry_id = o.entry_id
    join bespeak.hold h on h.resource_id = bespeak.home_of(o.hold_id) and h.hold_id = o.hold_id
    where e.waitlist_id = $1 and not e.entry_id = any($2::uuid[])
"""
_UNSEEN = """
    select exists (select from bespeak.waitlist w
        join bespeak.waitlist_resource r on r.waitlist_id = w.waitlist_id
        join bespeak.event e on e.resource_id = r.resource_id and e.horizon >= w.horizon
        where w.waitlist_id = $1 and e.kind = 'cancelled')
"""
_OFFERED = "select count(*) from bespeak.waitlist_entry where waitlist_id = $1 and offers > 0"


@dataclass
class Hall:
    """A hall that is sold out, with those who wait for it; when what was freed, and what came of
    it."""

    engine: bespeak.Engine
    watch: "asyncpg.Connection[asyncpg.Record]"
    waitlist: str
    bookings: dict[str, str]
    freed: dict[str, float] = field(default_factory=dict)
    offered: list[object] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)

    async def look(self) -> None:
        """Notes the offers that came since."""
        number = ids.parse(ids.WAITLIST, self.waitlist)
        rows = await self.watch.fetch(_OFFERS, number, self.offered)
        seen = time.perf_counter()
        for row in rows:
            self.offered.append(row["entry_id"])
            self.lags.append((seen - max(self.freed[unit] for unit in row["units"])) * 1000)


async def run(bench: Bench) -> list[Figure]:
    """A hall for each round, one after the other."""
    url = await migrated(bench.database, "bespeak_waitlist")
    async with (
        services.process(OWN.command("worker"), environment=_settings(url)),
        connected(url) as watch,
        bespeak.connect(database_url=url, sweep=False) as engine,
    ):
        samples = []
        for _ in range(bench.rounds):
            hall = await sold_out(engine, watch)
            await settle(url)
            samples.append(await cancel_at_pace(hall, bench.seconds))
            await engine.waitlists.end(hall.waitlist)
    return [alone("waitlist, freed seat to offer", "offers/s", median(samples))]


def _settings(url: str) -> dict[str, str]:
    return {"BESPEAK_DATABASE_URL": url, "BESPEAK_LOG_LEVEL": "error"}


async def sold_out(engine: bespeak.Engine, watch: "asyncpg.Connection[asyncpg.Record]") -> Hall:
    """A hall of 600 seats, each booked alone, and 1,000 parties that wait, each for itself."""
    plan = SeatsPlan(
        sections=(Section("Stalls", tuple(Row(f"R{row}-", _SEATS) for row in range(_ROWS))),)
    )
    new = NewResource(name="Show", plan=plan, owner_limit=None, payment="none")
    show = await engine.create_resource(new)
    bookings = {}
    for unit in (f"R{row}-{seat}" for row in range(_ROWS) for seat in range(1, _SEATS + 1)):
        hold = await engine.place_hold(owner="first", lines=[Line(show.id, unit)])
        bookings[unit] = (await engine.confirm_hold(hold.id)).id
    made = await engine.waitlists.create(NewWaitlist(resource_ids=(show.id,)))
    sizes = random.Random(SEED)
    for number in range(WAITING):
        wish = WaitlistWish(party=sizes.choice(_SIZES), places=(WantedPlace(show.id),))
        await engine.waitlists.join(made.id, NewWaitlistEntry(wish=wish), owner=f"waiting {number}")
    return Hall(engine, watch, made.id, bookings)


async def cancel_at_pace(hall: Hall, seconds: float) -> Sample:
    """Cancels 20 bookings a second, in no order, and waits for the offers that come of them."""
    async with following(hall):
        started = time.perf_counter()
        order = sorted(hall.bookings)
        random.Random(SEED).shuffle(order)
        for number, unit in enumerate(order[: int(seconds * PACE)]):
            await asyncio.sleep(max(0.0, started + number / PACE - time.perf_counter()))
            hall.freed[unit] = time.perf_counter()
            await hall.engine.cancel_booking(hall.bookings[unit], reason="ill")
        await _nothing_more(hall)
    lags = sorted(hall.lags)
    if not lags:
        raise services.ServiceError("nobody was offered anything")
    return Sample(len(lags) / seconds, lags[len(lags) // 2], lags[int(len(lags) * 0.99)])


@contextlib.asynccontextmanager
async def following(hall: Hall) -> AsyncIterator[None]:
    """Looks for offers while the bookings are cancelled."""

    async def follow() -> None:
        while True:
            await hall.look()
            await asyncio.sleep(POLL_SECONDS)

    task = asyncio.create_task(follow())
    try:
        yield
        if task.done():
            await task  # it ends with a fault only
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _nothing_more(hall: Hall) -> None:
    """Waits until the worker has looked at all that was freed, and every offer was seen."""
    number, pool = ids.parse(ids.WAITLIST, hall.waitlist), hall.engine.database.pool
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await pool.fetchval(_UNSEEN, number):  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)
        while len(hall.offered) < await pool.fetchval(_OFFERED, number):  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)
