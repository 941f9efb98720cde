"""The timeline of a booking: all that happened to it and to its money, from the feed. Late money
may have moved from a hold that was lost to another: the timeline of either tells of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.errors import BookingNotFound, HoldNotFound, NotOwner
from bespeak.postgres.queries import load
from bespeak.reservations.positions import parse_place
from bespeak.states import EventKind, HoldState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.feed", "timeline.sql")
_EVENTS_MAX = 1000
_Data = dict[str, str | int | bool | None]
_ENDINGS = {HoldState.RELEASED: EventKind.RELEASED, HoldState.EXPIRED: EventKind.EXPIRED}
_PLACED, _ENDED, _TOLD = range(3)


class TimelineLine(msgspec.Struct, frozen=True):
    """A unit that an entry is about, or so many of a pool."""

    resource_id: str
    unit: str
    quantity: int | None


class TimelineEntry(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened, to this hold or to the one that its money was for before. `lines`
    are the units whose state it changed; `data` has the payment with its amount in minor units,
    the refund or the ticket, where the entry is about such a thing. `actor` is who did it, as in
    an event."""

    at: datetime
    kind: EventKind
    hold_id: str
    lines: list[TimelineLine]
    data: dict[str, str | int | bool | None] | None
    actor: str | None = None


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to a hold and the booking that it became, the earliest first. `booking_id` is
    null where it became none."""

    hold_id: str
    booking_id: str | None
    items: list[TimelineEntry]
    next: str | None = None


async def read_timeline(connection: Connection, place_id: str, owner: str | None) -> Timeline:
    """The timeline of a hold or booking, by the id of either.
    Raises InvalidId, HoldNotFound, BookingNotFound, NotOwner."""
    number = parse_place(place_id)
    holds = await connection.fetch(_QUERIES["holds"], ids.home_of(number), number)
    wants_booking = place_id.startswith(ids.BOOKING)
    if not holds or (wants_booking and not holds[0]["is_booked"]):
        raise BookingNotFound if wants_booking else HoldNotFound
    if owner is not None and holds[0]["owner"] != owner:
        raise NotOwner
    events = await connection.fetch(
        _QUERIES["events"], [hold["hold_id"] for hold in holds], _EVENTS_MAX
    )
    told = _told_entries(events)
    found = [(entry.at, rank, entry) for hold in holds for rank, entry in _own_entries(hold, told)]
    found += [(entry.at, _TOLD, entry) for entry in told]
    found.sort(key=lambda one: one[:2])
    return Timeline(
        hold_id=ids.show(ids.HOLD, number),
        booking_id=ids.show(ids.BOOKING, number) if holds[0]["is_booked"] else None,
        items=[entry for _, _, entry in found],
    )


def _own_entries(hold: Record, told: list[TimelineEntry]) -> Iterator[tuple[int, TimelineEntry]]:
    """What a hold's row tells by itself: that it was placed, and that it ended as no booking. Of
    one that was moved since, the row says where it is; what it had at first, its confirmation."""
    lines = [
        TimelineLine(ids.show_resource(resource), unit, quantity)
        for resource, unit, quantity in zip(
            hold["resources"], hold["units"], hold["quantities"], strict=True
        )
    ]
    hold_id = ids.show(ids.HOLD, hold["hold_id"])
    own = [entry for entry in told if entry.hold_id == hold_id]
    if any(entry.kind == EventKind.MOVED for entry in own):
        confirmed = (entry.lines for entry in own if entry.kind == EventKind.CONFIRMED)
        lines = next(confirmed, lines)
    entry = partial(TimelineEntry, hold_id=hold_id, lines=lines, data=None)
    yield _PLACED, entry(at=hold["created_at"], kind=EventKind.HELD, actor=hold["placed_by"])
    kind = _ENDINGS.get(HoldState(hold["state"]))
    if kind is not None:
        yield _ENDED, entry(at=hold["ended_at"], kind=kind, actor=hold["ended_by"])


def _told_entries(events: list[Record]) -> list[TimelineEntry]:
    """What the feed tells. Of several resources it has an event each: here they are one entry."""
    entries: list[TimelineEntry] = []
    for row in events:
        resource_id = ids.show_resource(row["resource_id"])
        entry = TimelineEntry(
            at=row["at"],
            kind=EventKind(row["kind"]),
            hold_id=ids.show(ids.HOLD, row["hold_id"]),
            lines=[
                TimelineLine(resource_id, unit, quantity)
                for unit, quantity in zip(row["units"] or (), row["quantities"] or (), strict=True)
            ],
            data=None if row["data"] is None else msgspec.json.decode(row["data"], type=_Data),
            actor=row["actor"],
        )
        if entry.lines and entries and _is_same(entries[-1], entry):
            entries[-1].lines.extend(entry.lines)
        else:
            entries.append(entry)
    return entries


def _is_same(before: TimelineEntry, entry: TimelineEntry) -> bool:
    return bool(before.lines) and msgspec.structs.replace(before, lines=entry.lines) == entry
