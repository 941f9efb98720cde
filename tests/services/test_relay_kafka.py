"""`bespeak relay` with a real Kafka: what is in the topic is what the tables say, through kills of
the relay, of the broker and of connections to the database.
"""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from bespeak import Resource
from bespeak.feed import reader
from bespeak.relay import kafka_broker
from bespeak.relay.errors import BrokerRefused, BrokerUnavailable
from bespeak.relay.kafka_broker import KafkaBroker
from bespeak.relay.message import RelayMessage
from bespeak.relay.targets import open_broker, parse_target
from tests.harness.database import Connection
from tests.services.conftest import free_port
from tests.services.kafka_server import LOGIN, KafkaServer
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
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaServer]:
    """A running Kafka."""
    server = KafkaServer(tmp_path_factory.mktemp("kafka"))
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture
def topic(kafka: KafkaServer, request: pytest.FixtureRequest) -> str:
    """A topic of the test's own."""
    return kafka.make_topic(request.node.name)


def url_of(kafka: KafkaServer, topic: str) -> str:
    return f"kafka://{kafka.address}/{topic}"


async def test_an_event_is_relayed_as_the_api_has_it(
    kafka: KafkaServer,
    topic: str,
    connection: Connection,
    database_url: str,
    show: Resource,
    tmp_path: Path,
) -> None:
    async with relaying(tmp_path, database_url, "--to", url_of(kafka, topic)) as relay:
        await caught_up(connection)
        assert relay.stop() == 0
    (event,) = await whole_feed(connection)
    (one,) = [one for records in kafka.received(topic) for one in records]
    assert_relayed([[one]], [event])
    assert one.headers == {
        "bespeak-cursor": event.cursor,
        "bespeak-epoch": str((await reader.read(connection)).epoch),
        "bespeak-position": "1",
        "bespeak-life-begins": "0",
        "bespeak-kind": "created",
    }


async def test_ten_kills_lose_and_reorder_nothing(
    kafka: KafkaServer,
    topic: str,
    connection: Connection,
    database_url: str,
    dice: random.Random,
    tmp_path: Path,
) -> None:
    async with relaying(tmp_path, database_url, "--to", url_of(kafka, topic)) as relay:
        async with happening(database_url, dice):
            for _ in range(KILLS):
                await until_sent(connection, await sent(connection) + dice.randint(1, 1000))
                relay.kill()
                relay.start()
        await caught_up(connection)
    assert_relayed(kafka.received(topic), await whole_feed(connection))


async def test_the_broker_is_killed_and_sessions_too(
    kafka: KafkaServer,
    topic: str,
    connection: Connection,
    database_url: str,
    dice: random.Random,
    tmp_path: Path,
) -> None:
    async with relaying(tmp_path, database_url, "--to", url_of(kafka, topic)) as relay:
        async with happening(database_url, dice):
            await until_sent(connection, 500)
            await asyncio.to_thread(kafka.kill)
            await until(lambda: "broker_unavailable" in relay.log())
            await asyncio.to_thread(kafka.start)
            for _ in range(3):
                await until_sent(connection, await sent(connection) + 500)
                assert await connection.fetchval(END_SESSIONS)
        await caught_up(connection)
        assert relay.stop() == 0
    assert_relayed(kafka.received(topic), await whole_feed(connection))


async def test_of_two_of_one_name_one_sends(
    kafka: KafkaServer, topic: str, connection: Connection, database_url: str, tmp_path: Path
) -> None:
    to = ("--to", url_of(kafka, topic))
    async with relaying(tmp_path, database_url, *to) as one:
        await happen(connection, 10)
        await caught_up(connection)
        (tmp_path / "other").mkdir()
        async with relaying(tmp_path / "other", database_url, *to) as other:
            await happen(connection, 10)
            await caught_up(connection)
            assert "relay sends" not in other.log()
            one.kill()
            await happen(connection, 10)
            await caught_up(connection)
            assert "relay sends" in other.log()
    # Whoever was killed may have died before it wrote down what was acknowledged.
    assert assert_relayed(kafka.received(topic), await whole_feed(connection)) <= 10


async def test_the_consumer_of_the_guide_passes_over_repeats(
    kafka: KafkaServer, connection: Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    kafka.make_topic("bookings")
    await happen(connection, 20)
    feed = await whole_feed(connection)
    for messages in (feed[:12], feed):  # as after a kill
        broker = KafkaBroker(kafka.address, "bookings", {})
        await broker.open()
        await broker.send([RelayMessage(event, 1, 0) for event in messages])
        await broker.close()
    await asyncio.to_thread(of_the_guide("read_kafka"), kafka.address, 32)
    assert sorted(handled(capsys)) == sorted(event.cursor for event in feed)


async def test_without_a_topic_it_ends(
    kafka: KafkaServer, connection: Connection, database_url: str, tmp_path: Path
) -> None:
    async with relaying(tmp_path, database_url, "--to", url_of(kafka, "nowhere")) as relay:
        assert await relay.ended() == 1
    assert "broker_refused: there is no topic nowhere" in relay.log()


async def test_it_ends_before_what_is_too_large(
    kafka: KafkaServer, connection: Connection, database_url: str, tmp_path: Path
) -> None:
    """And passes over nothing: once the topic takes it, it goes on there."""
    topic = kafka.make_topic("narrow", 1, max_message_bytes="2000")
    await happen(connection, 30, resource=1)
    await connection.execute(LARGE, 1)
    await happen(connection, 3, resource=1)
    feed = await whole_feed(connection)
    to = ("--to", url_of(kafka, topic))
    async with relaying(tmp_path, database_url, *to) as relay:
        assert await relay.ended() == 1
    assert f"event_too_large: the event {feed[30].cursor} has " in relay.log()
    (came,) = kafka.received(topic)
    assert {one.cursor for one in came} == {event.cursor for event in feed[:30]}
    await asyncio.to_thread(kafka.configure_topic, topic, "max.message.bytes", "1000000")
    async with relaying(tmp_path, database_url, *to):
        await caught_up(connection)
    assert_relayed(kafka.received(topic), feed)


async def test_small_events_of_a_batch_that_is_too_large_go_one_by_one(
    kafka: KafkaServer, connection: Connection, database_url: str, tmp_path: Path
) -> None:
    topic = kafka.make_topic("small", 2, max_message_bytes="1000")
    await happen(connection, 300)
    async with relaying(tmp_path, database_url, "--to", url_of(kafka, topic)):
        await caught_up(connection)
    assert_relayed(kafka.received(topic), await whole_feed(connection))


@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "the control"])
async def test_nothing_comes_behind_a_gap(
    kafka: KafkaServer,
    connection: Connection,
    guarded: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An event is refused, and those behind it are on their way already."""
    if not guarded:
        monkeypatch.setitem(kafka_broker.IN_ORDER, "enable.gapless.guarantee", False)
    topic = kafka.make_topic(f"gap-{guarded}", 1, max_message_bytes="2000")
    await happen(connection, 1, resource=1)
    await connection.execute(LARGE, 1)
    await happen(connection, 5, resource=1)
    feed = await whole_feed(connection)
    broker = KafkaBroker(kafka.address, topic, {"batch.num.messages": "1"})
    await broker.open()
    try:
        with pytest.raises(BrokerUnavailable, match="too large"):
            await broker.send([RelayMessage(event, 1, 0) for event in feed])
    finally:
        await broker.close()
    (came,) = kafka.received(topic)
    assert ([one.cursor for one in came] == [feed[0].cursor]) is guarded


async def test_a_broker_that_is_away_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kafka_broker, "_OPEN_SECONDS_MAX", 1.0)
    broker = KafkaBroker(f"127.0.0.1:{free_port()}", "bookings", {})
    with pytest.raises(BrokerUnavailable, match="refused"):
        await broker.open()
    await broker.close()


async def test_who_signs_in_stands_in_the_url(kafka: KafkaServer, topic: str) -> None:
    user, password = (quote(text, safe="") for text in LOGIN)
    at = f"127.0.0.1:{kafka.login_port}/{topic}"
    broker = open_broker(parse_target(f"kafka://{user}:{password}@{at}"))
    try:
        assert await broker.open() is None
    finally:
        await broker.close()


async def test_who_may_not_sign_in_is_told_so(
    kafka: KafkaServer, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_broker, "_OPEN_SECONDS_MAX", 2.0)
    at = f"127.0.0.1:{kafka.login_port}/{topic}"
    broker = open_broker(parse_target(f"kafka://asha:wrong@{at}"))
    with pytest.raises(BrokerUnavailable, match="SASL") as caught:
        await broker.open()
    assert "wrong" not in str(caught.value)
    await broker.close()


async def test_it_speaks_tls_to_whom_it_trusts(
    kafka: KafkaServer, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_broker, "_OPEN_SECONDS_MAX", 2.0)
    user, password = (quote(text, safe="") for text in LOGIN)
    url = f"kafka+tls://{user}:{password}@127.0.0.1:{kafka.secured_port}/{topic}"
    stranger = open_broker(parse_target(url))
    with pytest.raises(BrokerUnavailable, match="certificate verify failed"):
        await stranger.open()
    await stranger.close()
    monkeypatch.setenv("SSL_CERT_FILE", str(kafka.certificates.authority))
    broker = open_broker(parse_target(url))
    try:
        assert await broker.open() is None
    finally:
        await broker.close()


async def test_options_that_do_not_exist_are_refused() -> None:
    broker = KafkaBroker("127.0.0.1:1", "bookings", {"security.protocol": "none"})
    with pytest.raises(BrokerRefused):
        await broker.open()
