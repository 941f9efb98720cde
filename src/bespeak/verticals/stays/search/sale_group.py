"""What listings have in common that decides whether a stay is sold and what it costs, by a number
and as bytes. It is read from the bytes when it is first asked.
"""

from __future__ import annotations

from datetime import datetime
from functools import cached_property, lru_cache
from zoneinfo import ZoneInfo

import msgspec

from bespeak.inventory.shapes.nights.night_rules import NightRules
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.verticals.stays.search.listing import IndexedListing, is_on_sale, is_plain, rules_of
from bespeak.verticals.stays.search.rows import SHARED_MAX, plan_of_text, zone_of


class GroupRecord(msgspec.Struct, frozen=True, array_like=True):
    """As `IndexedListing` has it; `plan` is JSON."""

    workspace: str
    currency: str
    published: bool
    is_open: bool
    opens_at: datetime | None
    closes_at: datetime | None
    zone: str
    plan: str


_DECODER = msgspec.msgpack.Decoder(GroupRecord)
_encode_plan = lru_cache(maxsize=SHARED_MAX)(msgspec.json.encode)


def group_key(one: IndexedListing) -> bytes:
    """The group of a listing, as bytes."""
    said = (one.workspace, one.currency, one.published, one.is_open, one.opens_at, one.closes_at)
    record = GroupRecord(*said, zone=one.zone.key, plan=_encode_plan(one.plan).decode())
    return msgspec.msgpack.encode(record)


class SaleGroup:
    """Listings with the same rules of sale."""

    def __init__(self, key: bytes) -> None:
        self.record = _DECODER.decode(key)

    @cached_property
    def plan(self) -> NightsPlan:
        return plan_of_text(self.record.plan)

    @cached_property
    def rules(self) -> NightRules:
        return rules_of(self.plan)

    @cached_property
    def zone(self) -> ZoneInfo:
        return zone_of(self.record.zone)

    @cached_property
    def is_plain(self) -> bool:
        return is_plain(self.plan)

    @cached_property
    def one_room(self) -> str | None:
        """The only room that a listing has, whose nights a bit each says wholly."""
        rooms = self.plan.rooms
        return rooms[0] if rooms is not None and len(rooms) == 1 else None

    def is_on_sale(self, now: datetime) -> bool:
        return is_on_sale(self.record, now)

    def usual_price(self, own: int) -> int:
        """What a night costs where no rule says another price."""
        usual = self.plan.price
        return own if usual is None else usual
