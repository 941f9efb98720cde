"""Live streams: server-sent events of one resource, from the process's live channels. A stream has
at most one message on its way; what happens meanwhile is in the next message, or in a new snapshot,
so a slow viewer costs no memory and delays nobody.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Mapping

import msgspec

from bespeak.errors import Overloaded, ShuttingDown
from bespeak.feed.live_channel import ViewerUpdate
from bespeak.feed.live_hub import Live, StreamSeat
from bespeak.feed.live_news import LiveChange, LiveNews, LiveSnapshot
from bespeak.http.server import metrics
from bespeak.http.server.asgi import Receive, Send
from bespeak.http.server.errors import TooManyStreams
from bespeak.settings import Settings

_HEARTBEAT_SECONDS = 15.0
_STALLED_SECONDS = 60.0
_END_SECONDS = 1.0
_CHECK_SECONDS = 1.0
_CHECKED_AT_ONCE = 500
_RETRY = b"retry: 2000\n\n"
_BYE = b"event: bye\ndata: {}\n\n"


def _part(body: bytes) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": True}


_HEARTBEAT = _part(b": \n\n")


class Streams:
    """The streams of a worker, within their limits."""

    def __init__(self, live: Live, settings: Settings) -> None:
        self._live = live
        self._max = settings.streams_max
        self._max_per_address = settings.streams_per_address_max
        self._addresses: Counter[str] = Counter()
        self._streams: dict[Stream, None] = {}
        self._closed = False
        self._left = asyncio.Event()
        self._heartbeats: asyncio.Task[None] | None = None
        self.sent = 0
        self.caught_up = 0

    def __len__(self) -> int:
        return len(self._streams)

    async def open(
        self, resource_id: str, address: str | None, after: str | None, *, published_only: bool
    ) -> Stream:
        """A stream that is to be run; without an address, one of many who cannot be told apart. A
        guest's (`published_only`) ends when its resource is published no more.
        Raises TooManyStreams, Overloaded, ShuttingDown, ResourceNotFound, InvalidId, InvalidCursor,
        DatabaseUnavailable."""
        if self._closed:
            raise ShuttingDown(retry_after_seconds=1)
        if len(self._streams) >= self._max:
            raise Overloaded(
                "this worker has no room for more viewers", retry_after_seconds=_soon()
            )
        is_full = address is not None and 0 < self._max_per_address <= self._addresses[address]
        if is_full:
            raise TooManyStreams(retry_after_seconds=_soon(), limit=self._max_per_address)
        stream = Stream(self, address, published_only=published_only)
        self._streams[stream] = None
        if address is not None:
            self._addresses[address] += 1
        try:
            stream.seat = await self._live.join(resource_id, stream, after)
        except BaseException:
            self.remove(stream)
            raise
        if self._heartbeats is None:
            self._heartbeats = asyncio.create_task(self._keep_alive())
        return stream

    def remove(self, stream: Stream) -> None:
        if stream not in self._streams:
            return
        del self._streams[stream]
        self._left.set()
        if stream.address is not None:
            self._addresses[stream.address] -= 1
            if not self._addresses[stream.address]:
                del self._addresses[stream.address]
        if stream.seat is not None:
            self._live.leave(stream.seat.channel, stream)

    def end_all(self) -> None:
        """Ends all streams, and takes no more: viewers reconnect to another worker, or to this one
        when it runs again."""
        self._closed = True
        for stream in list(self._streams):
            stream.end()

    def measure(self) -> None:
        """Sets the gauges, and counts what was sent since the last time."""
        metrics.STREAMS.set(len(self._streams))
        metrics.STREAM_CHANNELS.set(self._live.channels)
        metrics.STREAM_MESSAGES.inc(self.sent)
        metrics.STREAM_SNAPSHOTS.inc(self.caught_up)
        self.sent = self.caught_up = 0

    async def close(self) -> None:
        """Ends everything, when the viewers have been told or after a timeout."""
        self.end_all()
        try:
            async with asyncio.timeout(_END_SECONDS):
                while self._streams:
                    self._left.clear()
                    await self._left.wait()
        except TimeoutError:
            pass  # they do not read
        if self._heartbeats is not None:
            self._heartbeats.cancel()
            await asyncio.gather(self._heartbeats, return_exceptions=True)

    async def _keep_alive(self) -> None:
        """Sends heartbeats, and drops viewers that have not read for too long."""
        while True:
            await asyncio.sleep(_CHECK_SECONDS)
            for count, stream in enumerate(list(self._streams), start=1):
                stream.check(time.monotonic())
                if count % _CHECKED_AT_ONCE == 0:
                    await asyncio.sleep(0)


class Stream:
    """One viewer. There is no task for each: the hub tells it, and it sends."""

    __slots__ = (
        "_busy",
        "_ended",
        "_last",
        "_lost",
        "_place",
        "_resumes",
        "_send",
        "_streams",
        "address",
        "published_only",
        "seat",
    )

    def __init__(self, streams: Streams, address: str | None, *, published_only: bool) -> None:
        self.address = address
        self.published_only = published_only
        self.seat: StreamSeat | None = None
        self._streams = streams
        self._send: Send | None = None
        self._busy = False
        self._last = 0.0
        self._place: int | None = None
        self._resumes = self._lost = False
        self._ended: asyncio.Future[bool] | None = None

    async def run(self, start: dict[str, object], receive: Receive, send: Send) -> None:
        """Sends the head, and then what is new, until either side ends it."""
        self._ended = asyncio.get_running_loop().create_future()
        gone: asyncio.Future[Mapping[str, object]] | None = None
        try:
            await send(start)
            await send(_part(_RETRY))
            while (await receive()).get("more_body"):
                pass
            gone = asyncio.ensure_future(receive())
            gone.add_done_callback(self._left)
            self._begin(send)
            is_there = await self._ended
            if is_there and not self._busy:
                await send(_part(_BYE))
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                await asyncio.wait([gone], timeout=_END_SECONDS)
        finally:
            self.close()
            if gone is not None:
                gone.cancel()

    def close(self) -> None:
        self._send = None
        self._streams.remove(self)

    def tell(self) -> None:
        """Sends what is new, unless the last message is still on its way."""
        if self._busy or self._send is None or self.seat is None:
            return
        if self.published_only and not self.seat.channel.published:
            self.end()
            return
        news = self.seat.channel.news(self._place, resumes=self._resumes, lost=self._lost)
        if news is None:
            return
        if news.catches_up and self._place is not None:
            self._streams.caught_up += 1
        self._place, self._resumes, self._lost = news.place, False, False
        if news.wire is None:
            news.wire = _part(_encoded(news))
        self._put(news.wire)  # type: ignore[arg-type]

    def end(self) -> None:
        self._finish(is_there=True)

    def check(self, now: float) -> None:
        """Sends a heartbeat when it is due. Who has not taken a message for a minute is dropped."""
        if self._send is None:
            return
        silent = now - self._last
        if self._busy:
            if silent > _STALLED_SECONDS:
                self._finish(is_there=False)
        elif silent >= _HEARTBEAT_SECONDS:
            self._put(_HEARTBEAT)

    def _begin(self, send: Send) -> None:
        if self.seat is not None:
            self._place, self._lost = self.seat.place, self.seat.lost
            self._resumes = self._place is not None
        self._send = send
        self._last = time.monotonic()
        self.tell()

    def _put(self, part: dict[str, object]) -> None:
        if self._send is None:
            return
        self._last = time.monotonic()
        self._streams.sent += 1
        sent = self._send(part)
        # Granian answers with a future only where the client has not yet read what came before;
        # else with something that needs no waiting, and so no task. Others answer a coroutine.
        if asyncio.iscoroutine(sent):
            sent = asyncio.ensure_future(sent)
        if asyncio.isfuture(sent):
            self._busy = True
            sent.add_done_callback(self._sent)

    def _sent(self, _: object) -> None:
        self._busy = False
        self.tell()

    def _left(self, _: object) -> None:
        self._finish(is_there=False)

    def _finish(self, *, is_there: bool) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(is_there)


def _encoded(news: ViewerUpdate) -> bytes:
    return b"".join(
        b"id: %b\nevent: %b\ndata: %b\n\n"
        % (message.cursor.encode(), _event(message), msgspec.json.encode(message))
        for message in news.messages
    )


def _event(message: LiveNews) -> bytes:
    if isinstance(message, LiveSnapshot):
        return b"snapshot"
    return b"change" if isinstance(message, LiveChange) else b"stale"


def _soon() -> int:
    return 1 + secrets.randbelow(5)
