"""Exchanges: a booking that its owner would give back for something better."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.errors import BookingNotFound
from bespeak.inventory.starts import starts_of

if TYPE_CHECKING:
    from bespeak.reservations.verbs import Reservations


async def begins_of(engine: Reservations, booking_id: str) -> datetime | None:
    """When the first of a booking begins, where any of it is from a time to another. None: nothing
    is, so it begins with its resource, whenever that may be moved to; or there is no such booking,
    which joining says. Raises InvalidId."""
    try:
        booking = await engine.get_booking(booking_id)
    except BookingNotFound:
        return None
    numbers = {ids.parse_resource(line.resource_id) for line in booking.lines}
    found = await engine.ready_resources.get_many(list(numbers), None)
    if all(one.plan.range_kind is None for one in found.values()):
        return None
    begins = [
        starts_of(found[ids.parse_resource(line.resource_id)], line.from_, line.to)
        for line in booking.lines
        if ids.parse_resource(line.resource_id) in found
    ]
    return min((one for one in begins if one is not None), default=None)
