"""Work in processes of their own, each killed with -9 right before one of the statements that
write, and the last when all are done and nobody has heard. There are no hooks in the product: it is
the driver of the database that is wrapped.
"""

import asyncio
import contextlib
import functools
import multiprocessing
import os
import re
import signal
import traceback
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any

import asyncpg

import bespeak
from tests.conftest import SETTINGS
from tests.harness.database import Connection

Facts = Mapping[str, Any]  # any: what can be sent to a process, as each act takes it
Act = Callable[[bespeak.Engine, Facts], Awaitable[object]]
_WRITES = re.compile(
    r"\b(insert into|update|delete from|commit|select bespeak\.(?!now\b)\w+\()", re.IGNORECASE
)
_PATIENCE_SECONDS = 60
_STEPS_MAX = 60
_OTHERS = """select count(*) from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'"""


async def deaths(
    url: str, connection: Connection, act: Act, facts: Facts, *, transactions: bool = True
) -> AsyncGenerator[int, None]:
    """Has something done by one process after another, each killed before a later statement than
    the one before; the last is gone when all is done and before it told anybody. Tells after each
    how many statements were begun to write."""
    mother = _mother()
    for step in range(1, _STEPS_MAX):
        mother.send((url, act, facts, step, transactions))
        assert await asyncio.to_thread(mother.poll, _PATIENCE_SECONDS), "it hangs"
        code = mother.recv()
        async with asyncio.timeout(_PATIENCE_SECONDS):  # what it was about is undone by then
            while await connection.fetchval(_OTHERS):  # noqa: ASYNC110
                await asyncio.sleep(0.002)
        yield step
        if code == 0:
            return
        assert code == -signal.SIGKILL, "it failed before it was killed"
    raise AssertionError("it is never done")


@functools.cache
def _mother() -> Any:  # any: the end of a pipe, whose type is private
    """A process that has all imported, of which every victim is a fork."""
    here, there = multiprocessing.Pipe()
    make = multiprocessing.get_context("forkserver").Process
    make(target=_be_mother, args=(there,), daemon=True).start()
    there.close()
    return here


def _be_mother(ends: Any) -> None:  # any: as above
    is_warm = False
    with contextlib.suppress(EOFError):  # whoever asks has gone
        while True:
            asked = ends.recv()
            if not is_warm:
                asyncio.run(_warm(asked[0]))
                is_warm = True
            pid = os.fork()
            if pid == 0:
                _be_victim(*asked)
            ends.send(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


async def _warm(url: str) -> None:
    """What is loaded at the first use is there for all victims."""
    async with bespeak.connect(url, settings=SETTINGS, sweep=False):
        pass


def _be_victim(url: str, act: Act, facts: Facts, step: int, transactions: bool) -> None:
    async def do() -> None:
        async with bespeak.connect(url, settings=SETTINGS, sweep=False) as engine:
            _kill_before(step, transactions=transactions)
            await act(engine, facts)
            os._exit(0)  # as a kill does: nothing is said any more, and nothing closed

    try:
        asyncio.run(do())
    except BaseException:  # whatever it is: this process must not go on as its mother
        traceback.print_exc()
    os._exit(1)


def _kill_before(step: int, *, transactions: bool) -> None:
    """Dies before the statement of this number that writes. Without transactions each statement
    commits by itself, as a control wants it."""
    begun = 0
    run, ask = asyncpg.Connection.execute, asyncpg.Connection._execute  # type: ignore[attr-defined]

    def count(query: str) -> None:
        nonlocal begun
        if _WRITES.search(query) is not None:
            begun += 1
            if begun == step:
                os.kill(os.getpid(), signal.SIGKILL)

    async def execute(self: Any, query: str, *args: Any, **more: Any) -> Any:
        if not transactions and query.startswith(("BEGIN", "COMMIT")):
            return ""
        if not args:  # with arguments it comes by below
            count(query)
        return await run(self, query, *args, **more)

    async def counted(self: Any, query: str, *args: Any, **more: Any) -> Any:
        count(query)
        return await ask(self, query, *args, **more)

    asyncpg.Connection.execute = execute  # type: ignore[method-assign]
    asyncpg.Connection._execute = counted  # type: ignore[attr-defined]
