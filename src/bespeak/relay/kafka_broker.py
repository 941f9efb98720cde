"""Kafka behind the seam of the brokers, by librdkafka, the extra `bespeak[kafka]`. The key of a
record is its resource, whose events so stay in one partition; the producer is idempotent and ends
itself rather than leave a gap, so that a partition has its events in their order.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

import structlog
from confluent_kafka import KafkaError, KafkaException, Message, Producer

from bespeak.relay.errors import BrokerRefused, BrokerUnavailable, EventTooLarge
from bespeak.relay.message import RelayMessage

_ANSWER_SECONDS_MAX = 10.0
_OPEN_SECONDS_MAX = 10.0
_TOPIC_SECONDS_MAX = 3.0
_SLICE_SECONDS = 0.25
_RECORD_BYTES_MAX = 64 << 20  # the broker has a say of its own, which is less
_BATCH_BYTES_MAX = 200_000  # a fifth of what topics take unless they are told otherwise
_TOO_LARGE = (KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.RECORD_LIST_TOO_LARGE)
_FOR_GOOD = (
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.CLUSTER_AUTHORIZATION_FAILED,
    KafkaError.TOPIC_EXCEPTION,
    KafkaError.POLICY_VIOLATION,
    KafkaError.INVALID_RECORD,
)
_UNKNOWN_TOPIC = (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._UNKNOWN_TOPIC)
IN_ORDER = {
    "enable.idempotence": True,
    # A batch that fails for good takes the producer with it, and so what comes behind it.
    "enable.gapless.guarantee": True,
    "partitioner": "murmur2_random",  # that of Kafka's own clients
}
_TUNING = {
    "message.timeout.ms": int(_ANSWER_SECONDS_MAX * 1000),
    "message.max.bytes": _RECORD_BYTES_MAX,
    "batch.size": _BATCH_BYTES_MAX,
    "linger.ms": 2,
    "compression.type": "lz4",
    "log_level": 0,  # what goes wrong is told by its errors
}
_log = structlog.get_logger()

Options = Mapping[str, str]


class KafkaBroker:
    """A topic of a Kafka cluster."""

    def __init__(self, servers: str, topic: str, options: Options) -> None:
        """`options` are those of librdkafka, as `security.protocol`."""
        self._topic = topic
        self._options = {"bootstrap.servers": servers, **options}
        self._producer: Producer | None = None
        self._closing = threading.Event()
        self._topic_was_there = False
        # Set where a batch was too large: each event alone says which of them is, if one is.
        self._one_by_one = False
        self._last_fault = ""

    async def open(self) -> None:
        """See Broker. What is there is not asked: each partition may stand elsewhere."""
        self._closing.clear()
        await asyncio.to_thread(self._open)

    async def send(self, messages: Sequence[RelayMessage]) -> None:
        """See Broker."""
        if self._producer is None:
            raise BrokerUnavailable("the producer has ended")
        try:
            await asyncio.to_thread(self._send, self._producer, messages)
        except BaseException:
            # What is queued must not be sent behind what failed: this producer sends nothing more.
            self._closing.set()
            raise

    async def close(self) -> None:
        """See Broker."""
        self._closing.set()
        producer, self._producer = self._producer, None
        if producer is not None:
            await asyncio.to_thread(_let_go, producer)

    def _open(self) -> None:
        try:
            producer = Producer(
                {
                    **_TUNING,
                    **self._options,
                    **IN_ORDER,
                    "error_cb": self._note_fault,
                }
            )
        except KafkaException as error:
            raise BrokerRefused(f"no such setting: {error}") from error
        self._producer = producer
        deadline = time.monotonic() + _TOPIC_SECONDS_MAX
        while (fault := self._look(producer)) is not None:
            # A topic that was just created, or a broker that has just come back.
            if fault.code() not in _UNKNOWN_TOPIC or time.monotonic() > deadline:
                raise self._refusal(fault)
            time.sleep(_SLICE_SECONDS)
        self._topic_was_there = True

    def _look(self, producer: Producer) -> KafkaError | None:
        """What is wrong with the topic, if anything."""
        try:
            found = producer.list_topics(self._topic, timeout=_OPEN_SECONDS_MAX)
        except KafkaException as error:
            self._work(producer)  # which tells why
            raise BrokerUnavailable(f"no answer from Kafka: {self._last_fault or error}") from error
        fault: KafkaError | None = found.topics[self._topic].error
        return fault

    def _note_fault(self, error: KafkaError) -> None:
        if error.code() != KafkaError._ALL_BROKERS_DOWN or not self._last_fault:  # it says not why
            self._last_fault = error.str()

    def _send(self, producer: Producer, messages: Sequence[RelayMessage]) -> None:
        for batch in [[one] for one in messages] if self._one_by_one else [messages]:
            self._send_batch(producer, batch)

    def _send_batch(self, producer: Producer, messages: Sequence[RelayMessage]) -> None:
        reports: list[KafkaError | None] = []

        def told(error: KafkaError | None, _record: Message) -> None:
            reports.append(error)

        for message in messages:
            try:
                producer.produce(
                    self._topic,
                    message.body(),
                    message.key,
                    on_delivery=told,
                    timestamp=int(message.at.timestamp() * 1000),
                    headers={name: text.encode() for name, text in message.headers().items()},
                )
            except (BufferError, KafkaException) as error:
                raise BrokerUnavailable(str(error)) from error
        deadline = time.monotonic() + _ANSWER_SECONDS_MAX + 1
        while len(producer):
            self._work(producer)
            if self._closing.is_set() or time.monotonic() > deadline:
                raise BrokerUnavailable(self._last_fault or "no acknowledgement in time")
        failed = [error for error in reports if error is not None]
        if failed:
            raise self._failure(failed, messages)
        if len(reports) != len(messages):  # as it may be of a producer that ended itself
            raise BrokerUnavailable(self._last_fault or "not all was reported")

    def _work(self, producer: Producer) -> None:
        """Lets the producer work for a moment. Not `flush`, which goes on calling back when one of
        its callbacks has raised."""
        try:
            producer.poll(_SLICE_SECONDS)
        except:  # noqa: E722 - a producer that ends itself raises a KafkaError, which is no exception
            self._last_fault = str(sys.exc_info()[1])
            producer.purge(blocking=False)  # what waits is told to have failed, at once

    def _failure(
        self, failed: Sequence[KafkaError], messages: Sequence[RelayMessage]
    ) -> BrokerUnavailable | BrokerRefused | EventTooLarge:
        """What is to be said of records that were not taken: what happened to the first of them
        befell those behind it too."""
        if not any(error.code() in _TOO_LARGE for error in failed):
            return self._refusal(failed[0])
        if not self._one_by_one:
            _log.warning("Kafka took no batch of this size: from now on events go one by one")
            self._one_by_one = True
            return BrokerUnavailable("a batch was too large")
        size = len(messages[0].body())
        return EventTooLarge(
            f"the event {messages[0].cursor} has {size} bytes, more than the topic takes: raise its"
            " max.message.bytes",
            cursor=messages[0].cursor,
            bytes=size,
        )

    def _refusal(self, error: KafkaError) -> BrokerUnavailable | BrokerRefused:
        if error.code() in _UNKNOWN_TOPIC and not self._topic_was_there:
            # Later it is a broker that has not come back wholly.
            return BrokerRefused(f"there is no topic {self._topic}: create it first")
        if error.code() in _FOR_GOOD:
            return BrokerRefused(error.str())
        return BrokerUnavailable(error.str())


def _let_go(producer: Producer) -> None:
    """Ends a producer without sending what waits."""
    producer.purge(blocking=False)
    with suppress(KafkaException):
        producer.close()
