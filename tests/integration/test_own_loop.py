"""An engine outside of the event loop and the process that opened it: an error at once, which says
what to do, where a verb would else wait for ever.
"""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack

import pytest

import bespeak
from bespeak import Line, Resource, ResourceChange
from tests.conftest import SETTINGS
from tests.harness.shows import new_show, seats, take

HOLD = "hold_01m7y6w42jh6q8wthwjrpctn25"

VERBS: dict[str, Callable[[bespeak.Engine, str], Coroutine[object, object, object]]] = {
    "place_hold": lambda engine, show: engine.place_hold(owner="a", lines=[Line(show, "A1")]),
    "quote": lambda engine, show: engine.quote([Line(show, "A1")]),
    "confirm_hold": lambda engine, _: engine.confirm_hold(HOLD),
    "extend_hold": lambda engine, _: engine.extend_hold(HOLD, seconds=60),
    "release_hold": lambda engine, _: engine.release_hold(HOLD),
    "cancel_booking": lambda engine, _: engine.cancel_booking(
        HOLD.replace("hold_", "bkg_"), reason="x"
    ),
    "get_hold": lambda engine, _: engine.get_hold(HOLD),
    "create_resource": lambda engine, _: engine.create_resource(new_show()),
    "update_resource": lambda engine, show: engine.update_resource(show, ResourceChange(name="x")),
    "availability": lambda engine, show: engine.availability(show),
    "events": lambda engine, _: engine.events(),
    "audit": lambda engine, show: engine.audit(show),
}


@pytest.mark.parametrize("verb", VERBS)
async def test_another_loop(engine: bespeak.Engine, show: Resource, verb: str) -> None:
    def elsewhere() -> None:
        with pytest.raises(bespeak.WrongEventLoop):
            asyncio.run(VERBS[verb](engine, show.id))

    await asyncio.to_thread(elsewhere)
    await take(engine, seats(show, "A1"))


async def test_also_what_the_cache_knows(engine: bespeak.Engine, show: Resource) -> None:
    await take(engine, seats(show, "A1"))
    with pytest.raises(bespeak.WrongEventLoop):
        await asyncio.to_thread(lambda: asyncio.run(take(engine, seats(show, "A2"))))
    assert (await take(engine, seats(show, "A2"))).state == "held"


async def test_a_watch_in_another_loop(engine: bespeak.Engine, show: Resource) -> None:
    async def watch() -> None:
        async for _ in engine.watch(show.id):
            pass

    with pytest.raises(bespeak.WrongEventLoop):
        await asyncio.to_thread(lambda: asyncio.run(watch()))


async def test_a_second_run(database_url: str, show: Resource) -> None:
    async def open_and_leave() -> bespeak.Engine:
        stack = AsyncExitStack()
        return await stack.enter_async_context(
            bespeak.connect(database_url, settings=SETTINGS, sweep=False)
        )

    def twice() -> None:
        left = asyncio.run(open_and_leave())
        with pytest.raises(bespeak.WrongEventLoop, match="open one in this"):
            asyncio.run(take(left, seats(show, "A1")))

    await asyncio.to_thread(twice)


FORKS = """
import asyncio, os, sys
import bespeak

async def main(url, show):
    async with bespeak.connect(url, sweep=False) as engine:
        async def hold(unit):
            return await engine.place_hold(owner="a", lines=[bespeak.Line(show, unit)])
        await hold("A1")
        child = os.fork()
        if child == 0:
            try:
                asyncio.run(hold("A2"))
            except bespeak.ForkedEngine:
                os._exit(7)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), (await hold("A2")).state)

asyncio.run(main(*sys.argv[1:]))
"""


async def test_a_forked_child(database_url: str, show: Resource) -> None:
    def run() -> str:
        ended = subprocess.run(
            [sys.executable, "-c", FORKS, database_url, show.id],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return ended.stdout

    assert await asyncio.to_thread(run) == "7 held\n"
