"""The sandbox's courier: does what the bank does by itself (deciding late, paying out), and
delivers its callbacks until they are taken. Any number may run; each leases what it delivers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import structlog

from bespeak import ids
from bespeak.extras import LazyModule, has
from bespeak.payments.providers.sandbox.bank import QUERIES
from bespeak.payments.providers.sandbox.callbacks import SIGNATURE_HEADER, CallbackBody, sign

if TYPE_CHECKING:
    import aiohttp

    from bespeak.postgres.pool import Pool, Record
else:
    aiohttp = LazyModule("aiohttp", extra="server")

Post: TypeAlias = Callable[[bytes, dict[str, str]], Awaitable[int]]
"""Sends a body with these headers and answers the status; raises OSError or TimeoutError."""

CALLBACK_PATH = "/v1/payments/sandbox/callback"

_BATCH = 50
_LEASE_SECONDS = 60
_POST_SECONDS_MAX = 5
_GIVE_UP_SECONDS = 3 * 86_400
_LOOK_SECONDS_MAX = 0.5
_LOOK_SECONDS_MIN = 0.01
_log = structlog.get_logger()


class CallbackSender:
    """Posts callbacks to where this installation can be reached. Close it."""

    def __init__(self, public_url: str) -> None:
        self._url = public_url.rstrip("/") + CALLBACK_PATH
        self._session: aiohttp.ClientSession | None = None

    async def __call__(self, body: bytes, headers: dict[str, str]) -> int:
        """Posts a body; the status of the answer. Raises OSError, TimeoutError."""
        if not has("aiohttp"):  # the library alone, which has no server that would be called
            raise ConnectionRefusedError("callbacks need bespeak[server]")
        if self._session is None:
            timeout = aiohttp.ClientTimeout(total=_POST_SECONDS_MAX)
            self._session = aiohttp.ClientSession(timeout=timeout)
        try:
            async with self._session.post(
                self._url, data=body, headers=headers, allow_redirects=False
            ) as answer:
                return answer.status
        except aiohttp.ClientError as error:
            raise ConnectionError(str(error)) from error

    async def close(self) -> None:
        """Lets the connections go."""
        if self._session is not None:
            await self._session.close()


class SandboxCourier:
    """Carries the bank's callbacks. `post` sends one, `secret` signs it."""

    name = "sandbox"

    def __init__(self, pool: Pool, post: Post, secret: bytes) -> None:
        self._pool = pool
        self._post = post
        self._secret = secret

    async def look(self) -> float:
        """Does what is due; answers seconds until it is worth looking again, at most half a one."""
        await self._pool.fetchval(QUERIES["do_due"], _BATCH)
        rows = await self._pool.fetch(QUERIES["claim_callbacks"], _BATCH, _LEASE_SECONDS)
        await asyncio.gather(*(self._deliver(row) for row in rows))
        wait: float | None = await self._pool.fetchval(QUERIES["next_due"])
        if wait is None:
            return _LOOK_SECONDS_MAX
        return min(max(wait, _LOOK_SECONDS_MIN), _LOOK_SECONDS_MAX)

    async def _deliver(self, row: Record) -> None:
        body = msgspec.json.encode(
            CallbackBody(
                id=row["callback_id"],
                kind=row["kind"],
                created_at=row["created_at"],
                payment_id=ids.show(ids.PAYMENT, row["payment_id"]),
                reference=row["reference"],
                amount=row["amount"],
                currency=row["currency"],
            )
        )
        headers = {
            "content-type": "application/json",
            SIGNATURE_HEADER: sign(self._secret, body, row["answered_at"]),
        }
        try:
            status = await self._post(body, headers)
        except (OSError, TimeoutError) as error:
            _log.info("callback not taken", callback_id=row["callback_id"], error=str(error))
            status = 0
        if 200 <= status < 300:
            await self._pool.execute(QUERIES["delivered"], row["callback_id"])
        else:
            await self._pool.execute(QUERIES["not_delivered"], row["callback_id"], _GIVE_UP_SECONDS)
