"""The sample of pools: a day of a festival. A ticket counts against the field and against its own
quota at once, tickets with a tent against the meadow too, and the cheapest need a presale code.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from bespeak.demo.samples.days import SATURDAY, at, coming, today, years_from
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.resources import NewResource
from bespeak.inventory.shapes.pools.plan import Code, PoolsPlan, Product, ProductDraw

_ZONE = ZoneInfo("Europe/Amsterdam")
_NOTICE = timedelta(weeks=5)
PRESALE_CODE = "DUNES-FRIENDS"


def _draws(*pools: str) -> tuple[ProductDraw, ...]:
    return tuple(ProductDraw(pool) for pool in pools)


DUNES_FESTIVAL = PoolsPlan(
    pools=(
        PoolPlan("field", 8000),
        PoolPlan("tent-meadow", 1200),
        PoolPlan("car-park", 600),
        PoolPlan("early-bird-quota", 1500),
    ),
    products=(
        Product("day-ticket", _draws("field"), 5900, 8),
        Product("early-bird", _draws("field", "early-bird-quota"), 4200, 4, needs_code=True),
        Product("ticket-and-tent", _draws("field", "tent-meadow"), 8400, 4),
        Product(
            "family",  # two adults and two children with one car
            (ProductDraw("field", 4), ProductDraw("car-park")),
            14_500,
            2,
        ),
        Product("parking", _draws("car-park"), 1500, 2),
    ),
    codes=(Code(PRESALE_CODE, 400, ("early-bird",)),),
)


def festival(now: datetime) -> NewResource:
    """The last Saturday of June that is some weeks ahead, on sale until the gates close."""
    earliest = today(now + _NOTICE, _ZONE)
    days = (coming(SATURDAY, date(year, 6, 23)) for year in years_from(earliest))
    day = next(day for day in days if day >= earliest)
    return NewResource(
        name=f"Dunes Festival, {day:%a %d %b %Y}",
        kind="festival",
        plan=DUNES_FESTIVAL,
        time_zone=_ZONE.key,
        closes_at=at(day, 20, 0, _ZONE),
        hold_seconds=600,
        owner_limit=12,
        attributes={"place": "Zandvoort", "gates_open_at": at(day, 11, 0, _ZONE).isoformat()},
    )
