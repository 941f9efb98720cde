"""What a relay sends for an event: the JSON that `GET /v1/events` has, and beside it, for whoever
reads without parsing, by what it is told from others and in which life of the feed it stands.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import msgspec

from bespeak.feed.reader import Event

CURSOR = "bespeak-cursor"
"""The header by which repeats are told: no two events have the same, in whatever life."""


class RelayMessage(NamedTuple):
    """An event on its way to a broker. `life_begins` is the position behind which its life of the
    feed began: what was sent of an earlier life with a position above that never happened."""

    event: Event
    epoch: int
    life_begins: int

    @property
    def cursor(self) -> str:
        return self.event.cursor

    @property
    def key(self) -> str:
        """What has the same key is kept in order: the resource."""
        return self.event.resource_id

    @property
    def at(self) -> datetime:
        return self.event.at

    def body(self) -> bytes:
        return msgspec.json.encode(self.event)

    def headers(self) -> dict[str, str]:
        return {
            CURSOR: self.event.cursor,
            "bespeak-epoch": str(self.epoch),
            "bespeak-position": str(self.event.position),
            "bespeak-life-begins": str(self.life_begins),
            "bespeak-kind": self.event.kind.value,
        }
