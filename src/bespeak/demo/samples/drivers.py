"""The sample of moments: four drivers of a car service, each taken for exactly as long as a ride
is, from this minute on. The hold of a driver lasts as long as a rider may take to say yes.
"""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from bespeak.inventory.resources import NewResource, Price
from bespeak.inventory.shapes.moments.plan import MomentsPlan

_ZONE = ZoneInfo("Asia/Kolkata")


def car_pool(now: datetime) -> NewResource:
    """Rides of 10 minutes to 4 hours, to five minutes, with five to get to the next; sold a week
    ahead. It does not depend on `now`: drivers are always about."""
    plan = MomentsPlan(
        things=("amir", "bela", "chandra", "devika"),
        raster_minutes=5,
        min_minutes=10,
        max_minutes=240,
        buffer_after_minutes=5,
        horizon_days=7,
        price=2_500,
    )
    return NewResource(
        name="Harbour Cars, Mumbai",
        kind="car-pool",
        plan=plan,
        time_zone=_ZONE.key,
        hold_seconds=15,
        hold_seconds_max=60,
        payment="at_venue",
        price=Price(2_500, "INR"),
        attributes={"city": "Mumbai"},
    )
