"""An operator's program that edits shows one after the other, at a pace, until it is ended:
`python -m benchmarks.bulk_editor URL RESOURCE...`. Prints a line for each edit.
"""

import asyncio
import itertools
import sys
import time
from collections.abc import Sequence

import bespeak
from bespeak import PoolPlan, Settings

EDITS_PER_SECOND = 30


async def edit(url: str, resources: Sequence[str]) -> None:
    """Gives the shows another plan: the standing room that each has is larger, then smaller."""
    began = time.perf_counter()
    async with bespeak.connect(url, settings=Settings(), sweep=False) as engine:
        plan = (await engine.get_resource(resources[0])).plan
        if not isinstance(plan, bespeak.SeatsPlan):
            raise TypeError("the shows have seats")
        larger = bespeak.SeatsPlan(sections=plan.sections, pools=(PoolPlan("standing", 60),))
        for number, resource in enumerate(itertools.cycle(resources)):
            await asyncio.sleep(began + number / EDITS_PER_SECOND - time.perf_counter())
            is_odd = number // len(resources) % 2 == 1
            change = bespeak.ResourceChange(plan=plan if is_odd else larger)
            await engine.update_resource(resource, change)
            print(number, flush=True)


if __name__ == "__main__":
    asyncio.run(edit(sys.argv[1], sys.argv[2:]))
