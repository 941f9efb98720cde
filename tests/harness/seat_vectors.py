"""What the engine makes of a seat map, as data for the seat map of the web to be tested against:
the examples of the reference, one room of each kind, and rooms by chance.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bespeak.inventory.shapes.seats.plan import (
    PolygonShape,
    Row,
    Seat,
    SeatsPlan,
    Section,
    Stage,
    Table,
)
from bespeak.inventory.shapes.seats.room_maker import RoomKind, make_room
from bespeak.inventory.shapes.seats.rows import seat_rows
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from tests.harness.seatmaps import random_plan

_PAGE = Path(__file__).resolve().parents[2] / "docs/reference/seat-map.md"
_ROOMS: tuple[tuple[RoomKind, int], ...] = (
    ("screen", 180),
    ("theatre", 240),
    ("arena", 900),
    ("banquet", 60),
    ("classroom", 50),
)
_BY_CHANCE = 8


def plans() -> Iterator[tuple[str, SeatsPlan]]:
    """Every room with its name."""
    blocks = re.findall(r"```json\n(.*?)```", _PAGE.read_text(), re.DOTALL)
    for number, block in enumerate(blocks, start=1):
        yield f"the reference's example {number}", msgspec.json.decode(block, type=SeatsPlan)
    for kind, seats in _ROOMS:
        yield f"{kind} of {seats}", make_room(kind, seats)
    yield "bends, turns and tables", _bends_and_turns()
    for number in range(_BY_CHANCE):
        yield f"by chance {number}", random_plan(random.Random(number))


def _bends_and_turns() -> SeatsPlan:
    """What bends, turns and stands behind something else, all at once."""
    bent = Section(
        "Bent",
        (
            Row("A", 9, without=(1, 9)),
            Row("B", 40, aisles=(20,)),
            Row("C", 3, y=4.5),
            Row("D", 5, x=-3.0, step=-1, first=5),
        ),
        curve=180.0,
        rotation=-30.0,
    )
    tables = Section(
        "Tables",
        (),
        prefix="T/",
        tables=(
            Table("1", 7),
            Table("2", 9, shape="rectangle", rotation=45.0),
            Table("3", 20),
            Table("4", 1, shape="rectangle"),
            Table("5", 4, whole=True),
        ),
    )
    placed = Section(
        "Placed",
        (Row("P", listed=(Seat("1", -30.0, 5.0), Seat("2", -29.0, 5.5))),),
        tables=(Table("PT", 6, x=-25.0, y=9.0, rotation=10.0), Table("PU", 3)),
        rotation=15.0,
    )
    return SeatsPlan(
        (bent, tables, placed, Section("Behind", (Row("Z", 4),), x=4.0, y=60.0, rotation=200.0)),
        stage=Stage("screen", x=2.0, y=-3.0, width=12.0, height=0.5),
        shapes=(PolygonShape(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)), fill="#cccccc"),),
    )


def _vector(name: str, plan: SeatsPlan) -> dict[str, object]:
    compiled = CompiledSeats(plan)
    spots = [spot for row in seat_rows(plan) for spot in row.spots]
    places = compiled.seating.places.tolist() if compiled.seating.units else []
    return {
        "name": name,
        "plan": json.loads(msgspec.json.encode(plan)),
        "units": list(compiled.categories),
        "categories": list(compiled.categories.values()),
        "places": [round(value, 9) + 0.0 for place in places for value in place],
        "breaks": "".join("1" if spot.breaks else "0" for spot in spots),
        "access": "".join(str(int(spot.access)) for spot in spots),
    }


def vectors() -> str:
    """All of it as the file has it, a room a line."""
    rooms = [json.dumps(_vector(name, plan), ensure_ascii=False) for name, plan in plans()]
    return "[\n" + ",\n".join(rooms) + "\n]\n"
