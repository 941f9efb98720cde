"""Sending one message to one endpoint: signed, within ten seconds, no further than the address that
it names, and with no more of the answer read than is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec
from standardwebhooks import Webhook

from bespeak.extras import LazyModule
from bespeak.notifications.webhooks.addresses import public_socket

if TYPE_CHECKING:
    import aiohttp
else:  # 6 MB with all that it imports, and most servers never send one
    aiohttp = LazyModule("aiohttp", extra="server")

TIMEOUT_SECONDS = 10.0
ANSWER_BYTES_MAX = 500
_BUFFER_BYTES = 8192
_RETRY_AFTER_SECONDS_MAX = 86_400
_FAILURE_LENGTH_MAX = 300
_REPEAT_LATER = (429, 503)
_USER_AGENT = "Bespeak-Webhooks/1"


class EndpointReply(msgspec.Struct, frozen=True):
    """What came of a try: the answer's status and first bytes, or why there was none."""

    status: int | None = None
    answer: str | None = None
    failure: str | None = None
    retry_after_seconds: float = 0.0

    @property
    def delivered(self) -> bool:
        """Whether the receiver has it: any 2xx."""
        return self.status is not None and 200 <= self.status < 300


class OutgoingMessage(NamedTuple):
    """A message on its way: to where, signed with which secrets, and what it says."""

    url: str
    secrets: Sequence[str]
    message_id: str
    body: bytes


class WebhookSender:
    """Sends letters, over connections that it keeps. To be entered on the event loop."""

    def __init__(self, *, allow_private: bool, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._allow_private = allow_private
        self._timeout_seconds = timeout_seconds
        self._signer = lru_cache(maxsize=1000)(Webhook)
        self._is_entered = False
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._is_entered = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_entered = False
        if self._session is not None:
            await self._session.close()

    async def send(self, letter: OutgoingMessage) -> EndpointReply:
        """Sends a letter once. Whatever goes wrong is a reply too."""
        if not self._is_entered:
            raise RuntimeError("a sender is entered before it sends")
        if self._session is None:
            self._session = self._opened()
        try:
            async with self._session.post(
                letter.url,
                data=letter.body,
                headers=self.sign(letter),
                allow_redirects=False,
            ) as response:
                return EndpointReply(
                    response.status,
                    await _first_bytes(response),
                    None if response.status < 300 else f"answered {response.status}",
                    _retry_after(response),
                )
        except TimeoutError:
            return EndpointReply(failure=f"no answer within {self._timeout_seconds:g} seconds")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            reason = str(error) or type(error).__name__
            return EndpointReply(failure=_plain(reason)[:_FAILURE_LENGTH_MAX])

    def _opened(self) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            limit=0,  # the courier bounds what is under way
            socket_factory=None if self._allow_private else public_socket,
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=self._timeout_seconds),
            auto_decompress=False,
            trust_env=False,  # a proxy would connect in our place, to wherever it likes
            read_bufsize=_BUFFER_BYTES,
            headers={
                "Content-Type": "application/json",
                "User-Agent": _USER_AGENT,
                "Accept-Encoding": "identity",
            },
        )

    def sign(self, letter: OutgoingMessage) -> dict[str, str]:
        """The headers that tell a letter from one of somebody else; they are good for minutes."""
        now = datetime.now(UTC)
        text = letter.body.decode()
        return {
            "webhook-id": letter.message_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": " ".join(
                self._signer(secret).sign(letter.message_id, now, text) for secret in letter.secrets
            ),
        }


async def _first_bytes(response: aiohttp.ClientResponse) -> str:
    """The beginning of an answer. The status has said what matters, so a body that does not come,
    or breaks off, changes nothing."""
    found = b""
    try:
        while len(found) < ANSWER_BYTES_MAX:
            part = await response.content.read(ANSWER_BYTES_MAX - len(found))
            if not part:
                break
            found += part
    except (TimeoutError, aiohttp.ClientError, OSError):
        response.close()
    return _plain(found.decode("utf-8", "replace"))


def _plain(text: str) -> str:
    """Text that PostgreSQL and a terminal can take."""
    return "".join(one if one.isprintable() else " " for one in text).strip()


def _retry_after(response: aiohttp.ClientResponse) -> float:
    seconds = response.headers.get("Retry-After", "")
    if response.status in _REPEAT_LATER and seconds.isascii() and seconds.isdecimal():
        return float(min(int(seconds[:9]), _RETRY_AFTER_SECONDS_MAX))
    return 0.0
