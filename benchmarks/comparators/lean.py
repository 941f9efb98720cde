"""Comparator (e), the leanest honest rival: Starlette, msgspec, asyncpg, one round trip a request.

The whole transaction is one call of a function in the database (`lean.sql`), prepared once a
connection. The pool neither resets nor pings its connections, and the plan of a show is kept in
memory: what is left is the price of one transaction a request.
"""

import asyncio
import hashlib
import hmac
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Annotated, TypeAlias
from uuid import UUID, uuid4

import asyncpg
import msgspec
from asyncpg.prepared_stmt import PreparedStatement
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

HOLD_SECONDS = 600
OWNER_LIMIT = 6
CONNECTIONS = int(os.environ.get("BENCH_LEAN_CONNECTIONS", "16"))
LIVE_KEY_HASH = hashlib.sha256(os.environ.get("BENCH_KEY", "sk_bench").encode()).digest()

Label = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Statement: TypeAlias = "PreparedStatement[asyncpg.Record]"


class HoldRequest(msgspec.Struct):
    """Seats of one show, all or none."""

    owner: Label
    show_id: int
    units: Annotated[list[Label], msgspec.Meta(min_length=1, max_length=50)]
    idempotency_key: Label


class HoldAnswer(msgspec.Struct):
    """A hold as its owner sees it."""

    id: UUID
    state: str
    owner: str
    show_id: int
    units: list[str]
    expires_at: datetime


class ConfirmRequest(msgspec.Struct):
    """Turn a hold into a sale."""

    hold_id: UUID
    owner: Label


class Statements:
    """The prepared statements of one connection."""

    def __init__(self, place: Statement, confirm: Statement) -> None:
        self.place = place
        self.confirm = confirm


idle: asyncio.LifoQueue[Statements] = asyncio.LifoQueue()
plans: dict[int, tuple[int, int]] = {}
decode_hold = msgspec.json.Decoder(HoldRequest).decode
decode_confirm = msgspec.json.Decoder(ConfirmRequest).decode
encode = msgspec.json.Encoder().encode


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    """A fixed set of connections with their statements ready."""
    url = os.environ["BENCH_DATABASE_URL"]
    connections = [await asyncpg.connect(url) for _ in range(CONNECTIONS)]
    for connection in connections:
        place = await connection.prepare(
            "select id, lapses from place_hold($1, $2, $3, $4, $5, $6, $7)"
        )
        confirm = await connection.prepare("select show_id, units from confirm_hold($1, $2)")
        idle.put_nowait(Statements(place, confirm))
    for show in await connections[0].fetch("select show_id, row_count, seat_count from show"):
        plans[show["show_id"]] = (show["row_count"], show["seat_count"])
    yield
    await asyncio.gather(*(connection.close() for connection in connections))


async def post_hold(request: Request) -> Response:
    """Claims, limit, hold and event in one call; an error of the database is a refusal."""
    if not is_known(request):
        return answer(401, {"code": "unknown_key"})
    try:
        asked = decode_hold(await request.body())
    except msgspec.MsgspecError:
        return answer(422, {"code": "invalid_request"})
    units = sorted(set(asked.units))
    plan = plans.get(asked.show_id)
    if plan is None or not all(has_seat(plan, unit) for unit in units):
        return answer(422, {"code": "unknown_unit"})
    statements = await idle.get()
    try:
        hold = await statements.place.fetchrow(
            uuid4(), asked.show_id, asked.owner, units, asked.idempotency_key,
            HOLD_SECONDS, OWNER_LIMIT,
        )  # fmt: skip
    except asyncpg.PostgresError as error:
        if error.sqlstate in ("UT409", "UL409", "UK422"):
            return answer(int(error.sqlstate[2:]), {"code": error.args[0], "conflicts": units})
        raise
    finally:
        idle.put_nowait(statements)
    assert hold is not None
    return answer(201, HoldAnswer(hold[0], "held", asked.owner, asked.show_id, units, hold[1]))


async def post_confirm(request: Request) -> Response:
    """Only the owner, only while held and not expired."""
    if not is_known(request):
        return answer(401, {"code": "unknown_key"})
    try:
        asked = decode_confirm(await request.body())
    except msgspec.MsgspecError:
        return answer(422, {"code": "invalid_request"})
    statements = await idle.get()
    try:
        sold = await statements.confirm.fetchrow(asked.hold_id, asked.owner)
    finally:
        idle.put_nowait(statements)
    if sold is None:
        return answer(410, {"code": "hold_expired"})
    return answer(200, {"id": asked.hold_id, "state": "confirmed", "units": sold[1]})


async def healthz(_: Request) -> Response:
    """Ready once the statements are prepared."""
    return answer(200, {"status": "ok"})


def is_known(request: Request) -> bool:
    """The bearer key, compared as a hash."""
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    return hmac.compare_digest(hashlib.sha256(token.encode()).digest(), LIVE_KEY_HASH)


def has_seat(plan: tuple[int, int], unit: str) -> bool:
    """Rows A, B, ...; seats 1, 2, ..."""
    row, number = ord(unit[0]) - 64, unit[1:]
    return 1 <= row <= plan[0] and number.isdecimal() and 1 <= int(number) <= plan[1]


def answer(status: int, content: object) -> Response:
    """JSON."""
    return Response(encode(content), status, media_type="application/json")


app = Starlette(
    routes=[
        Route("/holds", post_hold, methods=["POST"]),
        Route("/confirm", post_confirm, methods=["POST"]),
        Route("/healthz", healthz),
    ],
    lifespan=lifespan,
)
