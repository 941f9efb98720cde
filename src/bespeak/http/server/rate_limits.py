"""Rate limits by the library `limits`: for pk_ keys each shopper, or without a token each address;
sessions of guests, streams and joins of waiting rooms by address, apart from these; for sk_ and
ak_ keys each key; logins at the console that fail by address. Counts are kept in memory, for each
worker, or in Redis for all of them.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import structlog
from limits import RateLimitItem, parse
from limits.aio.storage import Storage
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError
from limits.storage import storage_from_string

from bespeak.errors import InvalidSetting
from bespeak.http.server.budgets.policy import JOINS_UNASKED
from bespeak.http.server.errors import RateLimited
from bespeak.http.server.keys import KeyKind
from bespeak.settings import Settings

if TYPE_CHECKING:
    from redis.asyncio.retry import Retry

# A Redis that does not answer costs a request this much, and then none for a second.
_REDIS_SECONDS_MAX = 0.25
_AWAY_SECONDS = 1.0
_ADDRESS = "address"
_CALENDAR = "calendar"
_GUESTS = "guests"
_JOINS = "joins"
_LOGIN = "login"
_OPERATOR = "operator"
_RUSH = "rush"
_RUSHES = "60/hour"
_SIGN_IN = "sign in"
_SIGN_INS = "20/hour"
_STREAMS = "streams"
_UNASKED = "joins unasked"
_log = structlog.get_logger()


class RateLimits:
    def __init__(self, settings: Settings) -> None:
        place = settings.rate_limit_storage
        address = "async+memory://" if place == "memory" else f"async+{place}"
        try:
            options = {} if place == "memory" else _redis_options()
            storage = storage_from_string(address, **options)  # type: ignore[arg-type]
        except Exception as error:
            raise InvalidSetting(
                f"BESPEAK_RATE_LIMIT_STORAGE is `memory` or a redis:// address: {error}",
                variable="BESPEAK_RATE_LIMIT_STORAGE",
            ) from error
        if not isinstance(storage, Storage):
            raise InvalidSetting("not an asynchronous storage", variable="rate_limit_storage")
        self._strategy = FixedWindowRateLimiter(storage)
        self._away_until = 0.0
        self._shopper = _item(settings.rate_limit_publishable, "RATE_LIMIT_PUBLISHABLE")
        self._address = _item(settings.rate_limit_address, "RATE_LIMIT_ADDRESS")
        self._guests = _item(settings.rate_limit_guests, "RATE_LIMIT_GUESTS")
        self._streams = _item(settings.rate_limit_streams, "RATE_LIMIT_STREAMS")
        self._joins = _item(settings.rate_limit_joins, "RATE_LIMIT_JOINS")
        self._server = _item(settings.rate_limit_secret, "RATE_LIMIT_SECRET")
        self._login = _item(settings.rate_limit_login, "RATE_LIMIT_LOGIN")
        self._operator = _item(settings.rate_limit_operator, "RATE_LIMIT_OPERATOR")
        self._unasked = parse(f"{JOINS_UNASKED}/minute")
        self._rush = parse(_RUSHES)
        self._sign_in = parse(_SIGN_INS)

    async def count_key(self, kind: KeyKind, key_id: str) -> None:
        """Counts a request with an sk_ or ak_ key. Raises RateLimited, as all of these do, with
        the seconds until it may be repeated."""
        await self._pass(self._server, kind, key_id, is_counted=True)

    async def count_batch(self, kind: KeyKind, key_id: str, count: int) -> None:
        """Counts all but the first of what a request asks for, which was counted as a request
        itself. What is refused is not counted. Raises RateLimited."""
        await self._pass(self._server, kind, key_id, is_counted=False, cost=count - 1)
        await self._pass(self._server, kind, key_id, is_counted=True, cost=count - 1)

    async def count_shopper(self, owner: str) -> None:
        """Counts a request with a shopper's token. Raises RateLimited."""
        await self._pass(self._shopper, KeyKind.PUBLISHABLE, owner, is_counted=True)

    async def count_address(self, prefix: str) -> None:
        """Counts a request with a pk_ key and no token. Raises RateLimited."""
        await self._pass(self._address, _ADDRESS, prefix, is_counted=True)

    async def count_guest_session(self, prefix: str) -> None:
        """Counts the opening of a guest's session. Raises RateLimited."""
        await self._pass(self._guests, _GUESTS, prefix, is_counted=True)

    async def count_stream(self, prefix: str) -> None:
        """Counts the opening of a live stream. Raises RateLimited."""
        await self._pass(self._streams, _STREAMS, prefix, is_counted=True)

    async def count_join(self, prefix: str) -> None:
        """Counts that a shopper joins a waiting room. Raises RateLimited."""
        await self._pass(self._joins, _JOINS, prefix, is_counted=True)

    async def joins_often(self, prefix: str) -> bool:
        """Counts that a shopper joins a waiting room, and says whether more have from this address
        within the minute than are let by without a challenge."""
        try:
            await self._pass(self._unasked, _UNASKED, prefix, is_counted=True)
        except RateLimited:
            return True
        return False

    async def count_calendar(self, resource_id: str) -> None:
        """Counts a reading of a calendar by its link. Raises RateLimited."""
        await self._pass(self._address, _CALENDAR, resource_id, is_counted=True)

    async def check_login(self, address: str) -> None:
        """Raises RateLimited where too many logins from an address have failed of late."""
        await self._pass(self._login, _LOGIN, address, is_counted=False)

    async def count_failed_login(self, address: str) -> None:
        """Counts a login that failed. Raises RateLimited."""
        await self._pass(self._login, _LOGIN, address, is_counted=True)

    async def check_operator(self, login: str) -> None:
        """Raises RateLimited where too many passwords for a login were wrong of late, whether or
        not there is such an operator."""
        await self._pass(self._operator, _OPERATOR, login, is_counted=False)

    async def count_wrong_password(self, login: str) -> None:
        """Counts a wrong password. Raises RateLimited."""
        await self._pass(self._operator, _OPERATOR, login, is_counted=True)

    async def count_rush(self, address: str) -> None:
        """Counts a crowd that somebody at an address wants to let loose. Raises RateLimited."""
        await self._pass(self._rush, _RUSH, address, is_counted=True)

    async def count_sign_in(self, prefix: str) -> None:
        """Counts that somebody asks for the mail of a sign-in. Raises RateLimited."""
        await self._pass(self._sign_in, _SIGN_IN, prefix, is_counted=True)

    async def _pass(
        self, item: RateLimitItem | None, what: str, who: str, *, is_counted: bool, cost: int = 1
    ) -> None:
        if item is None or cost == 0 or time.monotonic() < self._away_until:
            return
        try:
            look = self._strategy.hit if is_counted else self._strategy.test
            if await look(item, what, who, cost=cost):
                return
            window = await self._strategy.get_window_stats(item, what, who)
        except StorageError as error:
            # Without its counts the sale goes on: a limit is a courtesy, a seat is not.
            self._away_until = time.monotonic() + _AWAY_SECONDS
            _log.warning("rate limits are not counted", error=str(error.storage_error))
            return
        seconds = max(1, math.ceil(window.reset_time - time.time()))
        raise RateLimited(retry_after_seconds=seconds, limit=str(item))


def _redis_options() -> dict[str, str | bool | float | Retry]:
    # Imported late: Redis is an extra that few installations have.
    from redis.asyncio.retry import Retry  # noqa: PLC0415
    from redis.backoff import NoBackoff  # noqa: PLC0415

    return {
        "implementation": "redispy",
        "wrap_exceptions": True,
        "socket_timeout": _REDIS_SECONDS_MAX,
        "socket_connect_timeout": _REDIS_SECONDS_MAX,
        "retry": Retry(NoBackoff(), 1),
    }


def _item(text: str, name: str) -> RateLimitItem | None:
    if not text:
        return None
    try:
        return parse(text)
    except ValueError as error:
        raise InvalidSetting(
            f"BESPEAK_{name}: {text!r} is not like 600/minute", variable=f"BESPEAK_{name}"
        ) from error
