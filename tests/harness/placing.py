"""Requests as `bespeak.place_holds` takes them, made by hand: for what the SQL itself promises,
whatever the plans in Python make of a line.
"""

import json
from collections.abc import Sequence
from typing import TypeAlias
from uuid import UUID

import asyncpg
import msgspec

from bespeak import Line, ids
from bespeak.reservations.lines import Shown, ShownLine, counts, encode_shown
from tests.harness.database import Connection

Request: TypeAlias = tuple[object, ...]
Guard: TypeAlias = tuple[int, str, str, str | None]
# Resource, unit (none: the next number), quantity, capacity.
Asked: TypeAlias = tuple[int, str | None, int | None, int | None]

PLACE = """
    select ordinal, outcome, answered_at, hold, details
    from bespeak.place_holds($1, $2::bespeak.hold_request[], '{}'::bigint[], '{}'::integer[])
    order by ordinal
"""
PLACE_ALONE = """
    select ordinal, outcome, answered_at, hold, details
    from bespeak.place_holds($1, array[$2::bespeak.hold_request], $3::bigint[], $4::integer[])
"""
CANCEL = "select * from bespeak.cancel_bookings($1, $2::bespeak.change_request[]) order by ordinal"
_ids = ids.IdMaker()


def seat(home: int, unit: str) -> Asked:
    """An exclusive unit."""
    return (home, unit, None, None)


def some(home: int, unit: str, quantity: int, capacity: int) -> Asked:
    """So many of a pool."""
    return (home, unit, quantity, capacity)


def upcoming(home: int, count: int = 1) -> list[Asked]:
    """The next numbers."""
    return [(home, None, None, None)] * count


def request(
    *asked: Asked,
    owner: str = "asha",
    seconds: int = 600,
    key: str | None = None,
    content: bytes = b"same",
    limits: Sequence[Asked] = (),
    amount: int = 0,
    shown: Shown | None = None,
    guards: Sequence[Guard] | None = None,
    actor: str | None = None,
) -> Request:
    """One request. A hold with numbers shows them as lines of their own, as the library does."""
    if shown is None and any(unit is None for _, unit, _, _ in asked):
        shown = _shown_of(asked)
    lines = [*asked, *limits]
    return (
        _ids.new(lines[0][0]),
        owner,
        seconds,
        max(seconds, 1800),
        key,
        content if key is not None else None,
        [line[0] for line in lines],
        [line[1] for line in lines],
        [line[2] for line in lines],
        [line[3] for line in lines],
        len(limits),
        amount,
        "EUR",
        counts(shown.lines) if shown is not None else None,
        encode_shown(shown) if shown is not None else None,
        guards,
        None if amount == 0 else [amount],
        None,
        None,
        actor,
    )


def _shown_of(asked: Sequence[Asked]) -> Shown:
    return Shown(
        [
            ShownLine(
                Line(ids.show_resource(home), next=1)
                if unit is None
                else Line(ids.show_resource(home), unit, quantity),
                [(place, quantity or 1)],
                quantity or 1,
            )
            for place, (home, unit, quantity, _) in enumerate(asked)
        ]
    )


async def place(connection: Connection, *requests: Request) -> list[asyncpg.Record]:
    """The answers to a batch, in its order."""
    homes: list[int] = requests[0][6]  # type: ignore[assignment]
    return await connection.fetch(PLACE, homes[0], requests)


async def place_alone(
    connection: Connection, asked: Request, *, long_way: bool = False, version: int = 1
) -> asyncpg.Record:
    """The answer to one request, judged by that version of its first resource. The long way is that
    of a batch, which is taken too where the resource is named twice."""
    homes: list[int] = asked[6]  # type: ignore[assignment]
    times = 2 if long_way else 1
    found = await connection.fetchrow(
        PLACE_ALONE, homes[0], asked, [homes[0]] * times, [version] * times
    )
    assert found is not None
    return found


async def outcomes(connection: Connection, *requests: Request) -> list[str]:
    """What becomes of each request of a batch."""
    return [row["outcome"] for row in await place(connection, *requests)]


async def tickets(connection: Connection, count: int, **fields: object) -> int:
    """A session with so many numbers; the number of the resource."""
    return await resource(connection, {"type": "tickets", "count": count, **fields})


async def unplanned(connection: Connection) -> int:
    """A resource whose plan nobody looks at, the audit neither; its number."""
    return await resource(connection, {"type": "by hand"})


async def resource(connection: Connection, plan: dict[str, object], **columns: object) -> int:
    """A resource with any plan; its number."""
    names = "".join(f", {name}" for name in columns)
    values = "".join(f", ${number}" for number in range(2, 2 + len(columns)))
    made: int = await connection.fetchval(
        f"""
        insert into bespeak.resource (resource_id, name, kind, plan{names})
        select coalesce(max(resource_id), 0) + 1, 'Session', 'test', $1::jsonb{values}
        from bespeak.resource returning resource_id
        """,
        json.dumps(plan),
        *columns.values(),
    )
    return made


def numbers(row: asyncpg.Record) -> list[str]:
    """The units of the hold that an answer carries."""
    hold = row["hold"]
    return list(hold["units"][: len(hold["units"]) - hold["limit_lines"]])


def details(row: asyncpg.Record) -> list[dict[str, object]]:
    """What an answer says of a refusal."""
    return msgspec.json.decode(row["details"], type=list[dict[str, object]])


def hold_id(request: Request) -> str:
    """The hold's id as it is shown outside."""
    number = request[0]
    assert isinstance(number, UUID)
    return ids.show(ids.HOLD, number)
