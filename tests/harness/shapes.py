"""One sample of every shape of inventory, with lines that show what it does. The dates are those of
the tests' clock, which stands at noon UTC on Tuesday, the first of January 2030.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec
from msgspec import UNSET

import bespeak
from bespeak import Best, BlockLine, Line, NewResource, Price, Resource
from bespeak.inventory.plans import Plan
from bespeak.inventory.shapes.registry import parse_plan
from tests.harness.shows import take

HERE = "res_00000001"  # in the lines of a sample; `on` puts the resource in its place


@dataclass(frozen=True)
class Shape:
    """A plan, and lines for it.

    `one` is something to have, of the price `amount` and counted `weight` times against a limit;
    `rival` cannot be had beside it and is refused with `code`, `other` can. `open` leaves a choice
    and becomes `chosen` lines. Of the line `some` a `part` can be given back. `block` is in the way
    of `one`, but not of `other`. What is let go `comes_back`, or it is gone.
    """

    name: str
    plan: Plan
    one: Line
    rival: Line
    other: Line
    code: str
    amount: int
    weight: int
    block: tuple[Line, ...]
    open: Line | None = None
    chosen: int = 0
    some: Line | None = None
    part: int = 0
    comes_back: bool = True
    zone: str = "UTC"

    def __str__(self) -> str:
        return self.name

    @property
    def in_the_way(self) -> str:
        """How a block is refused when something of it is taken: its lines are not always as those
        of a hold."""
        return self.code if self.comes_back else "unit_taken"

    def new(self, **fields: object) -> NewResource:
        """What it takes to create it; any field may be given."""
        values = {
            "name": self.name,
            "plan": self.plan,
            "time_zone": self.zone,
            "price": Price(700, "EUR"),
            "owner_limit": None,
            "payment": "none",
            **fields,
        }
        return NewResource(**values)  # type: ignore[arg-type]


class MakeShape(Protocol):
    """Makes a resource of a sample, or one with other fields than its own."""

    async def __call__(self, shape: Shape, **fields: object) -> Resource: ...


def of(
    unit: str | None = None,
    quantity: int | None = None,
    from_: str = "",
    to: str = "",
    *,
    rate: str = "",
) -> Line:
    """A line of a sample."""
    return Line(HERE, unit, quantity, from_=from_ or UNSET, to=to or UNSET, rate=rate or UNSET)


def blocks(*lines: Line) -> list[BlockLine]:
    """The same as lines of a block."""
    return [BlockLine(line.unit, line.quantity, from_=line.from_, to=line.to) for line in lines]


def on(resource: Resource, *lines: Line | None) -> list[Line]:
    """The lines of a sample, on this resource."""
    return [
        msgspec.structs.replace(line, resource_id=resource.id) for line in lines if line is not None
    ]


def plan_of(document: dict[str, object]) -> Plan:
    """A plan, from the JSON that people write."""
    return parse_plan(msgspec.json.encode(document))


async def hold(
    engine: bespeak.Engine, lines: Sequence[Line], owner: str = "asha", **fields: object
) -> bespeak.Hold:
    """Places a hold."""
    return await take(engine, lines, owner, **fields)  # type: ignore[arg-type]


THEATRE = Shape(
    "seats",
    plan_of(
        {
            "type": "seats",
            "categories": [
                {"name": "gold", "price": 3000, "rank": 1},
                {"name": "silver", "price": 2000, "rank": 2},
            ],
            "sections": [
                {
                    "name": "Stalls",
                    "category": "gold",
                    "rows": [{"name": "A", "seats": 6}, {"name": "B", "seats": 6}],
                },
                {
                    "name": "Circle",
                    "category": "silver",
                    "rows": [{"name": "C", "seats": 6, "accessible": [1]}],
                },
            ],
            "pools": [{"unit": "floor", "capacity": 5, "category": "silver"}],
        }
    ),
    one=of("A1"),
    rival=of("A1"),
    other=of("A2"),
    code="unit_taken",
    amount=3000,
    weight=1,
    block=(of("A1"),),
    open=Line(HERE, best=Best(3, "gold")),
    chosen=3,
    some=of("floor", 4),
    part=3,
)

# The same with the rule about single seats: strict in the stalls of another house.
STRICT = plan_of(
    {
        "type": "seats",
        "orphans": "strict",
        "sections": [{"name": "Stalls", "rows": [{"name": "A", "seats": 7}]}],
    }
)

ROOMS = Shape(
    "rooms",
    plan_of(
        {
            "type": "nights",
            "rooms": ["101", "102", "103"],
            "price": 9000,
            "max_nights": 14,
            "rules": [
                {"days": ["fri", "sat"], "price": 12000},
                {"from": "2030-02-01", "to": "2030-02-08", "min_nights": 3},
                {"from": "2030-01-24", "to": "2030-01-25", "closed": True},
                {"from": "2030-01-20", "to": "2030-01-21", "closed_to_arrival": True},
            ],
        }
    ),
    one=of("101", None, "2030-01-10", "2030-01-13"),
    rival=of("101", None, "2030-01-12", "2030-01-14"),
    other=of("101", None, "2030-01-13", "2030-01-15"),
    code="unit_taken",
    amount=9000 + 12_000 + 12_000,
    weight=1,
    block=(of("101", None, "2030-01-05", "2030-01-11"),),
    open=of(None, 2, "2030-01-10", "2030-01-13"),
    chosen=2,
    zone="Europe/Paris",
)

COTTAGE = Shape(
    "cottage",
    plan_of({"type": "nights", "rooms": ["lake"], "buffer_nights": 1, "price": 5000}),
    one=of("lake", None, "2030-01-10", "2030-01-12"),
    rival=of(None, None, "2030-01-12", "2030-01-13"),  # the night in which it is cleaned
    other=of(None, None, "2030-01-13", "2030-01-15"),
    code="unit_taken",
    amount=10_000,
    weight=1,
    block=(of(None, None, "2030-01-11", "2030-01-13"),),
    zone="America/Denver",
)

ROOM_TYPE = Shape(
    "room type",
    plan_of(
        {
            "type": "nights",
            "count": 3,
            "rules": [
                {"days": ["sat"], "min_through": 2},
                {"from": "2030-01-18", "to": "2030-01-19", "count": 1, "price": 500},
            ],
        }
    ),
    one=of(None, 3, "2030-01-10", "2030-01-13"),
    rival=of(None, 1, "2030-01-11", "2030-01-14"),
    other=of(None, 2, "2030-01-13", "2030-01-15"),
    code="sold_out",
    amount=3 * 3 * 700,
    weight=3,
    block=(of(None, None, "2030-01-05", "2030-01-11"),),
    some=of(None, 2, "2030-01-14", "2030-01-16"),
    part=1,
    zone="Asia/Tokyo",
)

CLINIC = Shape(
    "times",
    plan_of(
        {
            "type": "times",
            "slot_minutes": 30,
            "step_minutes": 15,
            "buffer_after_minutes": 5,
            "notice_minutes": 60,
            "horizon_days": 20,
            "price": 50000,
            "providers": [{"name": "dr-rao"}, {"name": "dr-sen"}],
            "weekly": [
                {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "11:00"}
            ],
            "holidays": ["2030-01-04"],
        }
    ),
    one=of("dr-rao", None, "2030-01-02T09:00:00+05:30"),
    rival=of("dr-rao", None, "2030-01-02T09:30:00+05:30"),  # in the five minutes after
    other=of("dr-rao", None, "2030-01-02T09:45:00+05:30"),
    code="unit_taken",
    amount=50_000,
    weight=1,
    block=(of("dr-rao", None, "2030-01-02T08:00:00+05:30", "2030-01-02T09:15:00+05:30"),),
    open=of(None, 2, "2030-01-03T09:00:00+05:30"),
    chosen=2,
    zone="Asia/Kolkata",
)

PRACTICE = Shape(
    "times at rates",
    plan_of(
        {
            "type": "times",
            "slot_minutes": 15,
            "weekly": [{"from": "09:00", "to": "12:00"}],
            "providers": [{"name": "dr-rao"}, {"name": "dr-sen"}],
            "rates": [
                {"name": "First", "minutes": 60, "price": 9000, "buffer_after_minutes": 5},
                {"name": "Short", "minutes": 20, "step_minutes": 10, "price": 3000},
            ],
        }
    ),
    one=of("dr-rao", None, "2030-01-02T09:00:00+01:00", rate="First"),
    rival=of("dr-rao", None, "2030-01-02T10:00:00+01:00", rate="Short"),  # in the minutes after
    other=of("dr-rao", None, "2030-01-02T10:10:00+01:00", rate="Short"),
    code="unit_taken",
    amount=9000,
    weight=1,
    block=(of("dr-rao", None, "2030-01-02T08:00:00+01:00", "2030-01-02T09:10:00+01:00"),),
    open=of(None, 2, "2030-01-03T09:00:00+01:00", rate="First"),
    chosen=2,
    zone="Europe/Berlin",
)

CLASSES = Shape(
    "places in times",
    plan_of(
        {
            "type": "times",
            "slot_minutes": 60,
            "capacity": 4,
            "consecutive_max": 2,
            "weekly": [{"from": "22:00", "to": "02:00"}],
        }
    ),
    one=of(None, 4, "2030-01-02T23:00:00-05:00", "2030-01-03T01:00:00-05:00"),
    rival=of(None, 1, "2030-01-03T00:00:00-05:00"),
    other=of(None, 4, "2030-01-02T22:00:00-05:00"),
    code="sold_out",
    amount=4 * 2 * 700,
    weight=4,
    block=(of(None, 1, "2030-01-02T23:00:00-05:00", "2030-01-02T23:30:00-05:00"),),
    some=of(None, 3, "2030-01-05T22:00:00-05:00"),
    part=1,
    zone="America/New_York",
)

TOKENS = Shape(
    "tickets",
    plan_of({"type": "tickets", "count": 5, "prefix": "T", "price": 150}),
    one=of("T3"),
    rival=of("T3"),
    other=of("T4"),
    code="unit_taken",
    amount=150,
    weight=1,
    block=(of("T3"),),
    open=Line(HERE, next=2),
    chosen=2,
)

RAFFLE = Shape(
    "tickets in order",
    plan_of({"type": "tickets", "count": 5, "first": 100, "refill": "never"}),
    one=Line(HERE, next=4),
    rival=Line(HERE, next=2),
    other=Line(HERE, next=1),
    code="sold_out",
    amount=2800,
    weight=4,
    block=(of("100"), of("102")),
    open=Line(HERE, next=2),
    chosen=2,
    comes_back=False,
)

FESTIVAL = Shape(
    "pools",
    plan_of(
        {
            "type": "pools",
            "pools": [
                {"unit": "area", "capacity": 10},
                {"unit": "early", "capacity": 4},
                {"unit": "tables", "capacity": 2},
            ],
            "products": [
                {"name": "standing", "draws": [{"pool": "area"}], "price": 4000},
                {
                    "name": "early-bird",
                    "draws": [{"pool": "area"}, {"pool": "early"}],
                    "price": 3000,
                },
                {"name": "table", "draws": [{"pool": "area", "each": 4}, {"pool": "tables"}]},
                {
                    "name": "presale",
                    "draws": [{"pool": "area"}],
                    "needs_code": True,
                    "price": 3500,
                    "max_per_line": 4,
                },
            ],
            "codes": [{"code": "FAN", "capacity": 2, "products": ["presale", "standing"]}],
        }
    ),
    one=of("early-bird", 4),
    rival=of("early-bird", 1),
    other=of("standing", 2),
    code="sold_out",
    amount=12_000,
    weight=4,
    block=(of("early", 2),),
    some=of("standing", 3),
    part=2,
)

TRAIN = Shape(
    "legs",
    plan_of(
        {
            "type": "legs",
            "stops": [
                {"code": "A", "departs": "2030-01-05T08:00:00+01:00"},
                {"code": "B", "arrives": "2030-01-05T09:00:00+01:00"},
                {"code": "C", "departs": "2030-01-05T10:00:00+01:00"},
                {"code": "D"},
                {"code": "E", "arrives": "2030-01-05T12:00:00+01:00"},
            ],
            "sections": [
                {"name": "Coach 1", "category": "second", "rows": [{"name": "S", "seats": 4}]},
                {"name": "Coach 2", "category": "first", "rows": [{"name": "F", "seats": 2}]},
            ],
            "pools": [{"unit": "unreserved", "capacity": 6}],
            "quotas": [
                {"name": "long", "capacity": 3, "categories": ["second"], "from": "B", "to": "D"}
            ],
            "fares": [
                {"category": "second", "legs": [100, 200, 300, 400]},
                {"category": "first", "price": 1500},
                {"legs": [50, 60, None, 80]},
            ],
            "closes_minutes": 30,
        }
    ),
    one=of("S1", None, "A", "C"),
    rival=of("S1", None, "B", "D"),
    other=of("S1", None, "C", "E"),
    code="unit_taken",
    amount=300,
    weight=1,
    block=(of("S1", None, "A", "B"),),
    open=of(None, 2, "B", "D"),
    chosen=2,
    some=of("unreserved", 5, "A", "C"),
    part=2,
    zone="Europe/Amsterdam",
)

COURTS = Shape(
    "moments",
    plan_of(
        {
            "type": "moments",
            "things": ["court-1", "court-2"],
            "raster_minutes": 15,
            "min_minutes": 30,
            "max_minutes": 180,
            "buffer_after_minutes": 15,
            "horizon_days": 14,
            "price": 500,
            "weekly": [{"from": "08:00", "to": "22:00"}],
            "holidays": ["2030-01-06"],
        }
    ),
    one=of("court-1", None, "2030-01-02T17:00:00+01:00", "2030-01-02T18:15:00+01:00"),
    rival=of("court-1", None, "2030-01-02T18:15:00+01:00", "2030-01-02T19:00:00+01:00"),
    other=of("court-1", None, "2030-01-02T18:30:00+01:00", "2030-01-02T19:00:00+01:00"),
    code="unit_taken",
    amount=2500,
    weight=1,
    block=(of("court-1", None, "2030-01-02T16:00:00+01:00", "2030-01-02T17:15:00+01:00"),),
    open=of(None, 2, "2030-01-03T17:00:00+01:00", "2030-01-03T18:15:00+01:00"),
    chosen=2,
    zone="Europe/Amsterdam",
)

SHAPES = (
    THEATRE,
    ROOMS,
    COTTAGE,
    ROOM_TYPE,
    CLINIC,
    PRACTICE,
    CLASSES,
    TOKENS,
    RAFFLE,
    FESTIVAL,
    TRAIN,
    COURTS,
)
