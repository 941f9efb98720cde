"""10,000 buyers leave a choice open of which nothing is left: the best two seats of a full hall,
any room for nights that are gone, any provider at a time that is gone. All are refused; the
database should hear of hardly any.

What the database did is its own count of transactions, less what it counts when nobody asks.
"""

import asyncio
import datetime as dt
import json
from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import TypeAlias

from benchmarks.bespeak_server import Bespeak, bespeak
from benchmarks.contestants import Hall, drive
from benchmarks.database import connected
from benchmarks.load import Load, Source
from benchmarks.results import Bench, Figure, Sample, alone, median
from benchmarks.wire import Requests

BUYERS = 10_000
ROOMS = 5
NIGHTS = 14
OWNERS_MAX = 1_000
# A session tells its counts at the latest when it has been idle for ten seconds.
TOLD_SECONDS = 12
HALL = Hall(shows=1, rows=2, seats=20)
STAYS: dict[str, object] = {"type": "nights", "rooms": [f"10{n}" for n in range(ROOMS)]}
TIMES: dict[str, object] = {
    "type": "times",
    "slot_minutes": 30,
    "providers": [{"name": f"provider-{n}"} for n in range(ROOMS)],
    "weekly": [{"from": "09:00", "to": "17:00"}],
}

Choice: TypeAlias = dict[str, object]
BEST: Choice = {"best": {"quantity": 2}}


async def run(bench: Bench) -> list[Figure]:
    """One kind of choice after the other, each on a server of its own."""
    first = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=30)
    figures: list[Figure] = []
    for name, hall, plan, choices in (
        ("best-seats", HALL, None, [BEST]),
        ("any-room", None, STAYS, stays(first)),
        ("any-provider", None, TIMES, times(first)),
    ):
        refusals, transactions = await one_rush(bench, hall, plan, choices)
        figures += [
            alone(f"hot-choices-{name}", "refusals/s", refusals),
            alone(f"hot-choices-{name}-transactions", "% of attempts", transactions),
        ]
    return figures


def stays(first: dt.date) -> list[Choice]:
    """All stays of one to five nights within the nights that are gone."""
    return [
        {
            "from": str(first + dt.timedelta(days=night)),
            "to": str(first + dt.timedelta(days=night + length)),
        }
        for length in range(1, 6)
        for night in range(NIGHTS - length + 1)
    ]


def times(day: dt.date) -> list[Choice]:
    """All times of a day."""
    opens = dt.datetime.combine(day, dt.time(9), dt.UTC)
    return [
        {"from": (opens + dt.timedelta(minutes=30 * n)).isoformat().replace("+00:00", "Z")}
        for n in range(16)
    ]


async def one_rush(
    bench: Bench, hall: Hall | None, plan: dict[str, object] | None, choices: list[Choice]
) -> tuple[Sample, Sample]:
    """Takes all that can be chosen, then all buyers ask, in each round; returns refusals a second
    and the transactions for a hundred of them."""
    rates: list[Sample] = []
    reached: list[Sample] = []
    async with bespeak(bench.database, hall, plan=plan) as server:
        await take_all(server, choices)
        first = await transactions(server)
        before = await transactions(server)
        idle = before - first
        for number in range(bench.rounds):
            rates.append(await rush(server, bench.connections, f"{number}", cycle(choices)))
            after = await transactions(server)
            reached.append(Sample(100 * max(0, after - before - idle) / BUYERS))
            before = after
    return median(rates), median(reached)


async def take_all(server: Bespeak, choices: list[Choice]) -> None:
    """Holds what each choice gives until it gives no more, each for another owner."""
    owners = iter(range(OWNERS_MAX))
    for choice in choices:
        statuses = {201: 1}
        while statuses[201]:
            request = hold(server, choice, f"first-{next(owners)}")
            outcome = await drive(server, Load(1), once([request]))
            statuses = outcome.statuses


def hold(server: Bespeak, choice: Choice, owner: str) -> bytes:
    """A request for what a choice leaves open."""
    line = {"resource_id": server.resources[0], **choice}
    body = json.dumps({"owner": owner, "lines": [line]}).encode()
    return Requests("POST", "/v1/holds", bearer=server.secret_key).make(body, owner)


def once(requests: Iterable[bytes]) -> Source:
    """Each request once."""
    left = iter(requests)
    return lambda _: next(left, None)


async def rush(server: Bespeak, connections: int, name: str, choices: Iterator[Choice]) -> Sample:
    """All buyers ask once, and all are refused; returns refusals a second."""
    asked = [hold(server, next(choices), f"{name}-{buyer}") for buyer in range(BUYERS)]
    outcome = await drive(server, Load(connections), once(asked))
    if outcome.statuses != {409: BUYERS}:
        raise RuntimeError(f"all were to be refused, answers were {dict(outcome.statuses)}")
    rate = BUYERS / outcome.seconds
    return Sample(rate, outcome.percentile_ms(50), outcome.percentile_ms(99))


async def transactions(server: Bespeak) -> int:
    """How many the database has counted so far, once the sessions have told theirs."""
    await asyncio.sleep(TOLD_SECONDS)
    async with connected(server.database_url) as connection:
        count: int = await connection.fetchval(
            "select xact_commit + xact_rollback from pg_stat_database"
            " where datname = current_database()"
        )
    return count
