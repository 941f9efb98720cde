"""The waiting room as it is often built: a sorted set in Redis, by the time of joining. One round
trip a request, which joins and answers the place, or answers the place of one who waits.
"""

import os
import time

import msgspec
from redis.asyncio import Redis
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

KEY = "waiting"
redis = Redis.from_url(os.environ["BENCH_REDIS_URL"])


class Join(msgspec.Struct):
    """Who joins."""

    owner: str


async def join(request: Request) -> Response:
    """Joins, once, and answers the place."""
    owner = msgspec.json.decode(await request.body(), type=Join).owner
    async with redis.pipeline(transaction=False) as pipeline:
        pipeline.zadd(KEY, {owner: time.time()}, nx=True)
        pipeline.zrank(KEY, owner)
        _, rank = await pipeline.execute()
    return _told(201, rank)


async def place(request: Request) -> Response:
    """How many are before somebody."""
    rank = await redis.zrank(KEY, request.query_params["owner"])
    return _told(200, rank)


async def health(_: Request) -> Response:
    """That it serves."""
    return _told(200, None)


def _told(status: int, rank: object) -> Response:
    return Response(msgspec.json.encode({"ahead": rank}), status, media_type="application/json")


app = Starlette(
    routes=[
        Route("/join", join, methods=["POST"]),
        Route("/place", place),
        Route("/healthz", health),
    ]
)
