"""Comparator (d): a lock per seat in Redis before the database is asked.

The lock (`SET NX PX`) turns away who comes second without a database round trip. The lock lapses by
itself, so it is a courtesy and not a guarantee: a holder that stalls longer can sell twice.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from redis.asyncio import Redis
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from benchmarks.comparators.contract import HoldRequest, Refused
from benchmarks.comparators.ordinary import Base, Hold, Way, create_app
from benchmarks.comparators.seats import SeatColumns, assign, selling

LOCK_MILLISECONDS = 10_000
RELEASE = """
for _, key in ipairs(KEYS) do
  if redis.call('get', key) == ARGV[1] then redis.call('del', key) end
end
"""

redis = Redis.from_url(os.environ["BENCH_REDIS_URL"])
release = redis.register_script(RELEASE)


class Seat(SeatColumns, Base):
    """The seat as it is."""


@asynccontextmanager
async def locked(request: HoldRequest) -> AsyncIterator[None]:
    """All locks in one round trip, before the transaction; released after it has committed."""
    keys = [f"seat:{request.show_id}:{unit}" for unit in sorted(set(request.units))]
    token = uuid4().hex
    async with redis.pipeline(transaction=False) as pipeline:
        for key in keys:
            pipeline.set(key, token, nx=True, px=LOCK_MILLISECONDS)
        granted = await pipeline.execute()
    try:
        if not all(granted):
            raise Refused(409, "unit_taken", request.units)
        yield
    finally:
        await release(keys=keys, args=[token])


async def take(session: AsyncSession, hold: Hold) -> None:
    """Plain read and write: the lock stands in for `for update`."""
    seats = await session.scalars(
        select(Seat)
        .where(Seat.show_id == hold.show_id, Seat.unit.in_(hold.units))
        .order_by(Seat.unit)
    )
    assign(seats.all(), hold)


app = create_app(Way(take, selling(Seat), locked))
