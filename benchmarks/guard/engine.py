"""The engine of one tree in a process of its own: `python -m benchmarks.guard.engine URL`, on a
database that is migrated. It says `ready`; then each line `SECONDS WARM_UP_SECONDS` on its standard
input is a measurement, which it answers with the holds a second.
"""

import asyncio
import json
import sys

import msgspec
import uvloop

import bespeak
from benchmarks.bespeak_server import HOLD_SECONDS, OWNER_LIMIT
from benchmarks.engine_load import HALL, crowd, fresh, placing

TASKS = 512


async def serve(url: str) -> None:
    """Measures until the standard input ends."""
    plan = msgspec.json.decode(json.dumps(HALL.plan()), type=bespeak.SeatsPlan)
    new = bespeak.NewResource(
        name="Show", plan=plan, hold_seconds=HOLD_SECONDS, owner_limit=OWNER_LIMIT
    )
    async with bespeak.connect(database_url=url) as engine:
        made = await engine.create_resources([new] * HALL.shows)
        work = placing(engine, fresh([one.id for one in made]))
        print("ready", flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            seconds, warm_up = map(float, line.split())
            print((await crowd(TASKS, work, seconds, warm_up)).value, flush=True)


if __name__ == "__main__":
    uvloop.run(serve(sys.argv[1]))
