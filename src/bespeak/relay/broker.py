"""The seam of the brokers: what a relay needs of one. Kafka and NATS are behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bespeak.relay.message import RelayMessage


class Broker(Protocol):
    """A place to which events are sent, opened and closed again and again by one relay."""

    async def open(self) -> str | None:
        """Connects. Answers the cursor of the last event that is there, where the broker can tell:
        the relay goes on behind it. Raises BrokerUnavailable, BrokerRefused."""
        ...

    async def send(self, messages: Sequence[RelayMessage]) -> None:
        """Sends events in their order, and returns when the broker has acknowledged all of them.
        When it raises, a beginning of them may be there, for each key, and nothing behind a gap.
        Raises BrokerUnavailable, BrokerRefused, EventTooLarge."""
        ...

    async def close(self) -> None:
        """Lets go of what is open, and ends a `send` that waits."""
        ...
