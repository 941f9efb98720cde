"""The sample of seats: an evening in a theatre of 383 seats with curved rows, five prices, places
for wheelchairs and for companions, and a standing area. No hold may leave a single seat behind.
It must be paid, with a booking fee, a code for students, and a policy for who cannot come.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bespeak.demo.samples.days import SATURDAY, at, coming, today
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.resources import NewResource, Price
from bespeak.inventory.shapes.seats.plan import (
    Category,
    Companion,
    PolygonShape,
    Row,
    SeatsPlan,
    Section,
    Stage,
    TextShape,
)
from bespeak.pricing.rules import Cancellation, Fee, PriceCode, Pricing, RefundTier, Tax

_ZONE = ZoneInfo("Europe/London")
_NOTICE = timedelta(days=3)
_LENGTH = timedelta(hours=2, minutes=40)
_HOUR = 3600

STUDENT_CODE = "GALLERY25"
"""A quarter off the gallery and the standing area, for forty students."""

PRICING = Pricing(
    fees=(Fee("Booking fee", amount=250),),
    taxes=(Tax("VAT", 2000, included=True),),
    codes=(
        PriceCode(
            code=STUDENT_CODE,
            capacity=40,
            basis_points=2500,
            categories=("gallery", "standing"),
        ),
    ),
    cancellation=Cancellation(free_until_seconds=48 * _HOUR, tiers=(RefundTier(24 * _HOUR, 5000),)),
)


def _fan(letters: str, seats: int, more: int = 1) -> tuple[Row, ...]:
    """Rows that grow by so many seats each, with an aisle in the middle."""
    sizes = [seats + more * place for place in range(len(letters))]
    return tuple(
        Row(letter, size, aisles=(size // 2,)) for letter, size in zip(letters, sizes, strict=True)
    )


# The last row of the stalls is level with the foyer, so wheelchairs stand at its ends.
_LEVEL_ROW = Row(
    "M",
    28,
    aisles=(14,),
    accessible=(2, 4, 25, 27),
    companions=(Companion(1, 2), Companion(3, 4), Companion(26, 25), Companion(28, 27)),
)

LANTERN_THEATRE = SeatsPlan(
    sections=(
        Section("Stalls, front", _fan("ABCD", 16), "premium", x=0.0, y=4.0, curve=20.0),
        Section("Stalls", (*_fan("EFGHJKL", 20), _LEVEL_ROW), "stalls", x=0.0, y=9.0, curve=20.0),
        Section(
            "Dress circle", _fan("ABC", 24, 2), "circle", prefix="C-", x=0.0, y=19.0, curve=26.0
        ),
        Section("Gallery", _fan("AB", 22, 2), "gallery", prefix="G-", x=0.0, y=24.0, curve=26.0),
    ),
    pools=(
        PoolPlan(
            "standing", 40, category="standing", outline=((-14, 27), (14, 27), (14, 29), (-14, 29))
        ),
    ),
    categories=(
        Category("premium", 6800, "#b3261e", 1),
        Category("stalls", 5200, "#7d5260", 2),
        Category("circle", 4400, "#386a20", 2),
        Category("gallery", 2600, "#00639b", 3),
        Category("standing", 1200, "#6f797a", 4),
    ),
    orphans="strict",
    stage=Stage("stage", 0.0, 0.0, 18.0, 3.0, "Stage"),
    shapes=(
        PolygonShape(((-17, 30), (17, 30), (17, 33), (-17, 33)), fill="#e7e0ec"),
        TextShape("Bar", 0.0, 31.5, 1.5),
    ),
)


def evening(now: datetime) -> NewResource:
    """The play on a coming Saturday, on sale until it begins."""
    starts_at = at(coming(SATURDAY, today(now + _NOTICE, _ZONE)), 19, 30, _ZONE)
    return NewResource(
        name=f"The Umbrella Menders, Lantern Theatre, {starts_at:%a %d %b %H:%M}",
        kind="play",
        plan=LANTERN_THEATRE,
        time_zone=_ZONE.key,
        closes_at=starts_at,
        starts_at=starts_at,
        ends_at=starts_at + _LENGTH,
        hold_seconds=420,
        owner_limit=10,
        payment="required",
        price=Price(5200, "GBP"),
        pricing=PRICING,
        attributes={"city": "London", "starts_at": starts_at.isoformat()},
    )
