"""How PostgreSQL ran what a test asked, also those statements that functions ran."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import TypeAlias

import asyncpg

from tests.harness.database import Connection

_REPORTED = (
    "load 'auto_explain'; set auto_explain.log_min_duration = 0; set client_min_messages = log;"
    "set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on;"
    "set auto_explain.log_format = json"
)

Node: TypeAlias = dict[str, object]


@asynccontextmanager
async def reported(connection: Connection) -> AsyncIterator[list[Node]]:
    """The nodes of all plans that run within the block, those inside functions too."""
    found: list[Node] = []

    def listen(_: object, message: asyncpg.PostgresLogMessage) -> None:
        text: str = message.message
        if "plan:\n" in text:
            found.extend(nodes_of(json.loads(text.split("plan:\n", 1)[1])["Plan"]))

    await connection.execute(_REPORTED)
    connection.add_log_listener(listen)
    yield found
    await connection.execute("select")  # what came before it is told when it is put away
    await asyncio.sleep(0)  # and the driver passes that on in the next turn of its loop
    connection.remove_log_listener(listen)


def nodes_of(plan: Node) -> Iterator[Node]:
    yield plan
    below = plan.get("Plans", [])
    assert isinstance(below, list)
    for one in below:
        yield from nodes_of(one)


def rows_read(node: Node) -> float:
    """The rows that a node took from below, those included that it threw away."""
    kept, lost, loops = (
        float(str(node.get(key, 0)))
        for key in ("Actual Rows", "Rows Removed by Filter", "Actual Loops")
    )
    return (kept + lost) * loops
