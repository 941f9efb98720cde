"""`bespeak relay` with a real NATS JetStream: the stream is the feed, each event once, through
kills of the relay, of the server and of connections to the database.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bespeak import Event
from bespeak.relay import nats_broker
from bespeak.relay.errors import BrokerRefused, BrokerUnavailable, EventTooLarge
from bespeak.relay.message import RelayMessage
from bespeak.relay.nats_broker import NatsBroker
from bespeak.relay.targets import open_broker, parse_target
from tests.harness.database import Connection
from tests.services.conftest import free_port
from tests.services.nats_server import NatsServer
from tests.services.relaying import (
    END_SESSIONS,
    LARGE,
    assert_relayed,
    caught_up,
    handled,
    happen,
    happening,
    of_the_guide,
    relaying,
    sent,
    until,
    until_sent,
    whole_feed,
)

pytestmark = pytest.mark.services
KILLS = 10


@pytest.fixture(scope="module")
def server_of_nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    """A running NATS server."""
    server = NatsServer(tmp_path_factory.mktemp("nats"))
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture
async def stream(server_of_nats: NatsServer, request: pytest.FixtureRequest) -> str:
    """A stream of the test's own."""
    return await server_of_nats.make_stream(request.node.name.partition("[")[0])


def url_of(server: NatsServer, stream: str) -> str:
    return f"nats://{server.address}/{stream}"


@asynccontextmanager
async def opened(server: NatsServer, stream: str) -> AsyncIterator[NatsBroker]:
    broker = NatsBroker([f"nats://{server.address}"], stream, None, None)
    try:
        yield broker
    finally:
        await broker.close()


def messages_of(feed: Sequence[Event]) -> list[RelayMessage]:
    return [RelayMessage(event, 1, 0) for event in feed]


async def test_kills_lose_double_and_reorder_nothing(
    server_of_nats: NatsServer,
    stream: str,
    connection: Connection,
    database_url: str,
    dice: random.Random,
    tmp_path: Path,
) -> None:
    """Of the relay, of its sessions, and once of the server."""
    server = server_of_nats
    async with relaying(tmp_path, database_url, "--to", url_of(server, stream)) as relay:
        async with happening(database_url, dice):
            for number in range(KILLS):
                await until_sent(connection, await sent(connection) + dice.randint(1, 1000))
                if number == 3:
                    await asyncio.to_thread(server.kill)
                    await until(lambda: "broker_unavailable" in relay.log())
                    await asyncio.to_thread(server.start)
                elif number == 6:
                    assert await connection.fetchval(END_SESSIONS)
                else:
                    relay.kill()
                    relay.start()
        await caught_up(connection)
        assert relay.stop() == 0
    feed = await whole_feed(connection)
    received = await server.received(stream)
    assert assert_relayed([received], feed) == 0
    assert [one.cursor for one in received] == [event.cursor for event in feed]


async def test_it_goes_on_behind_what_the_stream_has(
    server_of_nats: NatsServer,
    stream: str,
    connection: Connection,
    database_url: str,
    tmp_path: Path,
) -> None:
    """The place was lost, or another wrote after this relay: the stream knows better."""
    to = ("--to", url_of(server_of_nats, stream))
    await happen(connection, 20)
    async with relaying(tmp_path, database_url, *to) as relay:
        await caught_up(connection)
        relay.kill()
    await connection.execute(
        "update bespeak.follower set horizon = 0, position = 0 where name like 'relay:%'"
    )
    await happen(connection, 20)
    async with relaying(tmp_path, database_url, *to):
        await caught_up(connection)
    feed = await whole_feed(connection)
    assert [one.cursor for one in await server_of_nats.received(stream)] == [
        event.cursor for event in feed
    ]


@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "the control"])
async def test_nothing_comes_behind_a_gap(
    server_of_nats: NatsServer,
    connection: Connection,
    guarded: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An event is refused, and those behind it are on their way already."""
    if not guarded:
        monkeypatch.setattr(nats_broker, "behind", lambda *_: {})
    stream = await server_of_nats.make_stream(f"gap-{guarded}", max_msg_size=4000)
    await happen(connection, 1, resource=1)
    await connection.execute(LARGE, 1)
    await happen(connection, 5, resource=1)
    feed = await whole_feed(connection)
    async with opened(server_of_nats, stream) as broker:
        assert await broker.open() is None
        with pytest.raises(EventTooLarge) as caught:
            await broker.send(messages_of(feed))
    assert caught.value.data["cursor"] == feed[1].cursor
    came = [one.cursor for one in await server_of_nats.received(stream)]
    assert (came == [feed[0].cursor]) is guarded


async def test_what_the_server_takes_in_no_stream_is_too_large(
    server_of_nats: NatsServer, stream: str, connection: Connection
) -> None:
    await connection.execute(LARGE.replace("100)", "1000)"), 1)
    await happen(connection, 1)
    feed = await whole_feed(connection)
    async with opened(server_of_nats, stream) as broker:
        await broker.open()
        with pytest.raises(EventTooLarge, match="max_payload"):
            await broker.send(messages_of(feed))
    assert await server_of_nats.received(stream) == []


async def test_of_two_that_send_neither_adds_anything_out_of_order(
    server_of_nats: NatsServer, stream: str, connection: Connection
) -> None:
    """One has lost the lead without having heard of it, and sends on."""
    await happen(connection, 6)
    feed = await whole_feed(connection)
    async with opened(server_of_nats, stream) as one, opened(server_of_nats, stream) as other:
        await one.open()
        await one.send(messages_of(feed[:2]))
        assert await other.open() == feed[1].cursor
        await other.send(messages_of(feed[2:4]))
        # Not where it believes the stream to end; of the others two are there, and one is next.
        for late in (feed[4:], feed[2:5]):
            with pytest.raises(BrokerUnavailable):
                await one.send(messages_of(late))
        await other.close()
        last = await other.open()
        there = next(n for n, event in enumerate(feed) if event.cursor == last) + 1
        await other.send(messages_of(feed[there:]))
    assert [one.cursor for one in await server_of_nats.received(stream)] == [
        event.cursor for event in feed
    ]


async def test_a_stream_that_others_write_into_is_refused(
    server_of_nats: NatsServer, stream: str
) -> None:
    async with server_of_nats.jetstream() as jetstream:
        await jetstream.publish(stream, b"something")
    async with opened(server_of_nats, stream) as broker:
        with pytest.raises(BrokerRefused, match="somebody else"):
            await broker.open()


async def test_nothing_comes_behind_what_others_wrote(
    server_of_nats: NatsServer, stream: str, connection: Connection
) -> None:
    """It takes the sequence of an event, and the next would follow it."""
    await happen(connection, 4)
    feed = await whole_feed(connection)
    async with opened(server_of_nats, stream) as broker, server_of_nats.jetstream() as jetstream:
        await broker.open()
        await broker.send(messages_of(feed[:1]))
        await jetstream.publish(stream, b"something")
        with pytest.raises(BrokerUnavailable, match="wrong last"):
            await broker.send(messages_of(feed[1:]))
        state = (await jetstream.stream_info(stream)).state
        assert state.messages == 2


async def test_the_consumer_of_the_guide_reads_all(
    server_of_nats: NatsServer, connection: Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = await server_of_nats.make_stream("bookings")
    await happen(connection, 20)
    feed = await whole_feed(connection)
    async with opened(server_of_nats, stream) as broker:
        await broker.open()
        await broker.send(messages_of(feed))
    await of_the_guide("read_nats")(f"nats://{server_of_nats.address}", 20)
    assert handled(capsys) == [event.cursor for event in feed]


async def test_without_a_stream_it_ends(
    server_of_nats: NatsServer, database_url: str, tmp_path: Path
) -> None:
    async with relaying(tmp_path, database_url, "--to", url_of(server_of_nats, "no")) as relay:
        assert await relay.ended() == 1
    assert "broker_refused: no stream takes the subject no" in relay.log()


async def test_who_signs_in_stands_in_the_url(
    server_of_nats: NatsServer, stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_broker, "_OPEN_SECONDS_MAX", 2)
    at = f"{server_of_nats.address}/{stream}"
    good = open_broker(parse_target(f"nats://asha:p%40ss%20word@{at}"))
    assert await good.open() is None
    await good.close()
    bad = open_broker(parse_target(f"nats://asha:wrong@{at}"))
    with pytest.raises(BrokerUnavailable, match="Authorization") as caught:
        await bad.open()
    assert "wrong" not in str(caught.value)
    await bad.close()


async def test_it_speaks_tls_to_whom_it_trusts(
    server_of_nats: NatsServer, stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_broker, "_OPEN_SECONDS_MAX", 2)
    url = f"nats+tls://asha:p%40ss%20word@{server_of_nats.address}/{stream}"
    stranger = open_broker(parse_target(url))
    with pytest.raises(BrokerUnavailable, match="certificate verify failed"):
        await stranger.open()
    await stranger.close()
    monkeypatch.setenv("SSL_CERT_FILE", str(server_of_nats.certificates.authority))
    broker = open_broker(parse_target(url))
    try:
        assert await broker.open() is None
    finally:
        await broker.close()


async def test_without_tls_nothing_is_said_to_who_should_speak_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody between has taken TLS out of what the server says of itself."""
    monkeypatch.setattr(nats_broker, "_OPEN_SECONDS_MAX", 2)
    heard: list[bytes] = []

    async def stand_between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"max_payload": 1000, "headers": true, "auth_required": true}\r\n')
        heard.append(await reader.read(1000))
        writer.close()

    async with await asyncio.start_server(stand_between, "127.0.0.1", 0) as between:
        port = between.sockets[0].getsockname()[1]
        for scheme in ("nats", "nats+tls"):  # the first is the control
            broker = open_broker(parse_target(f"{scheme}://asha:secret@127.0.0.1:{port}/bookings"))
            with pytest.raises(BrokerUnavailable):
                await broker.open()
            await broker.close()
    assert [b"secret" in one for one in heard] == [True] + [False] * (len(heard) - 1)
    assert len(heard) > 1


async def test_a_server_that_is_away_is_no_answer() -> None:
    broker = NatsBroker([f"nats://127.0.0.1:{free_port()}"], "bookings", None, None)
    with pytest.raises(BrokerUnavailable):
        await broker.open()
    await broker.close()


async def test_a_server_that_is_silent_is_no_acknowledgement(
    server_of_nats: NatsServer,
    stream: str,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nats_broker, "_ANSWER_SECONDS_MAX", 0.5)
    await happen(connection, 1)
    feed = await whole_feed(connection)
    async with opened(server_of_nats, stream) as broker:
        await broker.open()
        with server_of_nats.silent(), pytest.raises(BrokerUnavailable, match="acknowledgement"):
            await broker.send(messages_of(feed))
