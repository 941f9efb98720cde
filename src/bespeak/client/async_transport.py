"""How requests get to the server and answers back, again and again while that may help.
`scripts/sync-client` writes the one without asyncio from this file.
"""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self, TypeVar

import httpx

from bespeak.client.answers import ServerUnreachable, decoded, error_of
from bespeak.client.requests import LINK_LENGTH_MAX, ApiRequest, write
from bespeak.client.retries import Attempts, HoldEnds
from bespeak.errors import BespeakError
from bespeak.reservations.holds import Hold
from bespeak.reservations.request import check_text

Answer = TypeVar("Answer")


class AsyncTransport:
    """The connections to a server, and what is known of the holds that it answered."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        shopper_token: str | None = None,
        waitlist_link: str | None = None,
        timeout: float = 30.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {"authorization": f"Bearer {key}"}
        if shopper_token is not None:
            headers["bespeak-shopper"] = shopper_token
        if waitlist_link is not None:
            check_text(waitlist_link, "waitlist_link", LINK_LENGTH_MAX)
            headers["bespeak-waitlist-link"] = waitlist_link
        self._http = httpx.AsyncClient(base_url=url, headers=headers, transport=transport)
        self._timeout = timeout
        self._hold_ends = HoldEnds()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Lets the connections go."""
        await self._http.aclose()

    async def call(
        self,
        method: str,
        path: str,
        answer: type[Answer],
        body: object = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """A call that has no verb here, as those of a vertical: its answer as this struct. It goes
        under a key, one of the client's own if none is given. Raises as the verbs do."""
        return await self._send(write(method, path, answer, body, key=idempotency_key), timeout)

    async def _send(self, request: ApiRequest[Answer], timeout: float | None) -> Answer:
        ends = self._hold_ends.of(request.hold_id)
        attempts = Attempts(request, self._timeout if timeout is None else timeout, ends)
        while True:
            try:
                return await self._attempt(request, attempts.seconds_left)
            except BespeakError as error:
                pause = attempts.pause(error)
                if pause is None:
                    raise
            await asyncio.sleep(pause)

    async def _attempt(self, request: ApiRequest[Answer], seconds: float) -> Answer:
        headers = dict(request.headers)
        if request.key is not None:
            headers[b"idempotency-key"] = request.key.encode()
        if request.body is not None:
            headers[b"content-type"] = b"application/json"
        try:
            answer = await self._http.request(
                request.method,
                request.path,
                params=request.query or None,  # an empty one would take that of the path off
                headers=headers,
                content=request.body,
                timeout=seconds,
            )
        except httpx.TransportError as error:
            raise ServerUnreachable(f"{type(error).__name__}: {error}") from error
        if not answer.is_success:
            raise error_of(answer.status_code, answer.content, answer.headers)
        found = decoded(request, answer.content, answer.headers)
        if isinstance(found, Hold):
            self._hold_ends.note(answer.content)
        return found
