"""A Kafka of the tests' own: one node, on free ports of the loopback, which can be killed and
started again on its files; and a reader of what is in its topics.
"""

import subprocess
import time
from pathlib import Path

from confluent_kafka import Consumer, KafkaException, Message, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.admin._config import AlterConfigOpType, ConfigEntry, ConfigResource
from confluent_kafka.cimpl import NewTopic

from tests.services.certificates import Certificates
from tests.services.conftest import ROOT, free_port
from tests.services.relaying import Received

_JAAS = "org.apache.kafka.common.security.scram.ScramLoginModule"
LOGIN = ("asha", "p@ss word")
"""Who may sign in, and with what."""
_CLUSTER = "4L6g3nShT-eMCtK--X86sw"
_START_SECONDS_MAX = 60
_SETTINGS = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller},SASL_PLAINTEXT://127.0.0.1:{login},SASL_SSL://127.0.0.1:{secured}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL
sasl.enabled.mechanisms=SCRAM-SHA-512
listener.name.sasl_plaintext.scram-sha-512.sasl.jaas.config={jaas} required;
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config={jaas} required;
ssl.keystore.type=PEM
ssl.keystore.location={keystore}
inter.broker.listener.name=PLAINTEXT
log.dirs={folder}/logs
num.partitions=4
auto.create.topics.enable=false
offsets.topic.replication.factor=1
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
"""


class KafkaServer:
    """A Kafka in a folder."""

    def __init__(self, folder: Path) -> None:
        places = [place for place in ROOT.glob(".venv/kafka/*") if place.name != "fetching"]
        assert len(places) == 1, "Kafka is missing: run scripts/install-kafka"
        # No log of its own to a console that nobody reads; and up sooner, to be killed again.
        self._java = ["java", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
        self._java += ["-cp", f"{places[0]}/*"]
        self._folder = folder
        self.port = free_port()
        self._settings = folder / "server.properties"
        self.login_port = free_port()
        self.secured_port = free_port()
        self.certificates = Certificates(folder)
        self._settings.write_text(
            _SETTINGS.format(
                port=self.port,
                login=self.login_port,
                secured=self.secured_port,
                keystore=self.certificates.both,
                controller=free_port(),
                folder=folder,
                jaas=_JAAS,
            )
        )
        self._process: subprocess.Popen[bytes] | None = None
        scram = "SCRAM-SHA-512=[name={},password={}]".format(*LOGIN)
        self._run(
            *("kafka.tools.StorageTool", "format", "-t", _CLUSTER, "-c", str(self._settings)),
            *("--add-scram", scram),
        )

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        with (self._folder / "output").open("ab") as output:
            self._process = subprocess.Popen(
                [*self._java, "kafka.Kafka", str(self._settings)], stdout=output, stderr=output
            )
        deadline = time.monotonic() + _START_SECONDS_MAX
        while time.monotonic() < deadline:
            assert self._process.poll() is None, (self._folder / "output").read_text()[-2000:]
            try:
                self._admin().list_topics(timeout=1)
                return
            except KafkaException:
                continue
        raise AssertionError("Kafka did not start")

    def kill(self) -> None:
        """kill -9."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def make_topic(self, name: str, partitions: int = 4, **config: str) -> str:
        """A topic, and its name."""
        dotted = {key.replace("_", "."): value for key, value in config.items()}
        admin = self._admin()
        admin.create_topics([NewTopic(name, partitions, 1, config=dotted)])[name].result(20)
        while name not in admin.list_topics(timeout=20).topics:
            time.sleep(0.01)
        return name

    def configure_topic(self, name: str, key: str, value: str) -> None:
        """Changes a setting of a topic."""
        entry = ConfigEntry(key, value, incremental_operation=AlterConfigOpType.SET)
        topic = ConfigResource(ConfigResource.Type.TOPIC, name, incremental_configs=[entry])
        admin = self._admin()
        admin.incremental_alter_configs([topic])[topic].result(20)

    def received(self, topic: str) -> list[list[Received]]:
        """All that is in a topic, partition by partition."""
        return [[_received(record) for record in records] for records in self._records(topic)]

    def _records(self, topic: str) -> list[list[Message]]:
        consumer = Consumer({"bootstrap.servers": self.address, "group.id": "tests"})
        try:
            partitions = consumer.list_topics(topic, timeout=20).topics[topic].partitions
            return [self._partition(consumer, topic, number) for number in sorted(partitions)]
        finally:
            consumer.close()

    def _partition(self, consumer: Consumer, topic: str, number: int) -> list[Message]:
        first, last = consumer.get_watermark_offsets(TopicPartition(topic, number), timeout=20)
        consumer.assign([TopicPartition(topic, number, first)])
        found: list[Message] = []
        deadline = time.monotonic() + _START_SECONDS_MAX
        while len(found) < last - first:
            assert time.monotonic() < deadline, f"{len(found)} of {last - first} were read"
            found += consumer.consume(last - first - len(found), timeout=1)
        return found

    def _admin(self) -> AdminClient:
        return AdminClient({"bootstrap.servers": self.address, "log_level": 0})

    def _run(self, *command: str) -> None:
        subprocess.run([*self._java, *command], check=True, capture_output=True, timeout=60)


def _received(record: Message) -> Received:
    key, value, headers = record.key(), record.value(), record.headers()
    assert key is not None
    assert value is not None
    assert headers is not None
    found = {name: text.decode() for name, text in dict(headers).items() if isinstance(text, bytes)}
    return Received(found, key.decode(), value)
