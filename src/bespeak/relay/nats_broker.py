"""NATS JetStream behind the seam of the brokers, by nats-py, the extra `bespeak[nats]`. One stream
takes all events and nothing else: each says behind which sequence of it it belongs, so that nothing
is out of order or behind a gap, and the last message there says where to go on.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Any,  # any: see its use
)

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import MaxPayloadError
from nats.js.api import Header, PubAck
from nats.js.errors import APIError, NotFoundError

from bespeak.relay.errors import BrokerRefused, BrokerUnavailable, EventTooLarge
from bespeak.relay.message import CURSOR, RelayMessage

if TYPE_CHECKING:
    from nats.js import JetStreamContext

_ANSWER_SECONDS_MAX = 10.0
_OPEN_SECONDS_MAX = 10
_STREAM_SECONDS_MAX = 3.0
_AGAIN_SECONDS = 0.25
_TOO_LARGE = 10054  # of the stream; that of the server is known without asking


class _Client(Client):
    """Speaks TLS where its URL says so. By itself nats-py does only where the server insists on it,
    which is said in plain text: whoever stands between could take it out, and read the password."""

    async def _process_info(
        self,
        info: dict[str, Any],  # any: as the library has it
        initial_connection: bool = False,
    ) -> None:
        await super()._process_info(info, initial_connection)
        if self._current_server is not None and self._current_server.uri.scheme == "tls":
            self._server_info["tls_required"] = True


class NatsBroker:
    """A subject that a stream takes."""

    def __init__(
        self, servers: Sequence[str], subject: str, user: str | None, password: str | None
    ) -> None:
        self._servers = list(servers)
        self._subject = subject
        self._user = user
        self._password = password
        self._client: Client | None = None
        self._jetstream: JetStreamContext | None = None
        self._stream = ""
        self._sequence = 0
        self._gone = asyncio.Event()

    async def open(self) -> str | None:
        """See Broker: the last message of the stream is the last event that is there."""
        self._gone = asyncio.Event()
        try:
            client = _Client()
            await client.connect(
                self._servers,
                name="bespeak relay",
                user=self._user,
                password=self._password,
                connect_timeout=_OPEN_SECONDS_MAX,
                allow_reconnect=False,  # what is on its way is lost with the connection
                max_reconnect_attempts=1,  # else it would try for two minutes
                reconnect_time_wait=_AGAIN_SECONDS,  # type: ignore[arg-type]  # it sleeps so long
                disconnected_cb=self._note_gone,
                error_cb=_ignore,
            )
            self._client = client
            self._jetstream = client.jetstream(timeout=_ANSWER_SECONDS_MAX)
            self._stream = await self._find_stream(self._jetstream)
            return await self._last(self._jetstream)
        except (NatsError, OSError, TimeoutError) as error:
            raise BrokerUnavailable(f"no answer from NATS: {_told(error)}") from error

    async def send(self, messages: Sequence[RelayMessage]) -> None:
        """See Broker."""
        sending = asyncio.create_task(self._send(messages))
        gone = asyncio.create_task(self._until_gone())
        try:
            async with asyncio.timeout(_ANSWER_SECONDS_MAX):
                await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():
                raise BrokerUnavailable("the connection broke")  # no answer comes over it
            sending.result()
        except (NatsError, OSError, TimeoutError) as error:
            raise BrokerUnavailable(f"no acknowledgement: {_told(error)}") from error
        finally:
            sending.cancel()
            gone.cancel()
            await asyncio.gather(sending, gone, return_exceptions=True)

    async def close(self) -> None:
        """See Broker."""
        client, self._client, self._jetstream = self._client, None, None
        if client is not None:
            await client.close()

    async def _find_stream(self, jetstream: JetStreamContext) -> str:
        deadline = time.monotonic() + _STREAM_SECONDS_MAX
        while True:
            try:
                return await jetstream.find_stream_name_by_subject(self._subject)
            except NotFoundError as error:
                # A server that has just come back may not know its streams yet.
                if time.monotonic() > deadline:
                    raise BrokerRefused(
                        f"no stream takes the subject {self._subject}: create it first"
                    ) from error
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _last(self, jetstream: JetStreamContext) -> str | None:
        state = (await jetstream.stream_info(self._stream)).state
        self._sequence = state.last_seq
        if state.messages == 0:
            return None
        try:
            last = await jetstream.get_msg(self._stream, seq=self._sequence)
        except NotFoundError:
            return None  # it was deleted by hand: the relay knows where it was
        cursor: str | None = (last.headers or {}).get(CURSOR)
        if last.subject != self._subject or cursor is None:
            raise BrokerRefused(
                f"somebody else writes into the stream {self._stream}: give the relay its own"
            )
        return cursor

    async def _send(self, messages: Sequence[RelayMessage]) -> None:
        """Sends all at once, and waits for all acknowledgements, or for the first refusal: those
        behind it are refused too, since they do not go on from where the stream ends."""
        before = [None, *messages[:-1]]
        waiting = [
            asyncio.create_task(self._publish(message, behind(self._sequence + ahead, previous)))
            for ahead, (previous, message) in enumerate(zip(before, messages, strict=True))
        ]
        try:
            acks = await asyncio.gather(*waiting)
        finally:
            for task in waiting:
                task.cancel()
        self._sequence += len(messages)
        if acks[-1].seq != self._sequence:
            raise BrokerUnavailable("the stream had some of it already")

    async def _publish(self, message: RelayMessage, place: Mapping[str, str]) -> PubAck:
        if self._jetstream is None:
            raise BrokerUnavailable("the connection is closed")
        try:
            return await self._jetstream.publish(
                self._subject,
                message.body(),
                stream=self._stream,
                headers={**message.headers(), Header.MSG_ID: message.cursor, **place},
            )
        except MaxPayloadError as error:
            raise _too_large(message, "max_payload") from error
        except APIError as error:
            if error.err_code == _TOO_LARGE:
                raise _too_large(message, "max_msg_size") from error
            raise

    async def _until_gone(self) -> None:
        await self._gone.wait()

    async def _note_gone(self) -> None:
        self._gone.set()


def behind(sequence: int, previous: RelayMessage | None) -> dict[str, str]:
    """Where a message belongs: behind this sequence of the stream, and behind the message that was
    sent right before it, lest somebody else's takes that one's sequence."""
    place = {Header.EXPECTED_LAST_SEQUENCE.value: str(sequence)}
    if previous is not None:
        place[Header.EXPECTED_LAST_MSG_ID.value] = previous.cursor
    return place


def _too_large(message: RelayMessage, limit: str) -> EventTooLarge:
    size = len(message.body())
    return EventTooLarge(
        f"the event {message.cursor} has {size} bytes, more than NATS takes: raise {limit}",
        cursor=message.cursor,
        bytes=size,
    )


def _told(error: Exception) -> str:
    return str(error) or type(error).__name__


async def _ignore(_error: Exception) -> None:
    """What matters is raised where it happens; the rest would be logged by the driver."""
