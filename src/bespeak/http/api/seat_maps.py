"""Seat maps: made of a kind of room, from CSV, and to CSV. Nothing is kept; the editor of rooms
asks for them.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest
from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.scopes import MANAGE
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.shapes.registry import AnyPlan
from bespeak.inventory.shapes.seats.csv_file import read_seat_csv, write_seat_csv
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.inventory.shapes.seats.room_maker import RoomKind, RoomWords, make_room

_SEATS_MAX = 50_000
_CSV_LENGTH_MAX = 32_000_000

# Decoded among all plans: a struct with a tag that is alone in its place is taken without it too.
RoomPlan = Annotated[AnyPlan, Meta(extra_json_schema={"$ref": "#/components/schemas/SeatsPlan"})]

ENDPOINTS, endpoint = endpoint_table(tags.EDITOR)


class MakeSeatMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a room of a kind with so many seats; `words` are on and in it."""

    kind: RoomKind
    seats: Annotated[int, Meta(ge=1, le=_SEATS_MAX)]
    words: RoomWords = RoomWords()


class SeatMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat map, as a resource has it as its plan."""

    plan: RoomPlan


class SeatMapCsv(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat map as CSV, a line for each seat."""

    csv: Annotated[str, Meta(max_length=_CSV_LENGTH_MAX)]


@endpoint(
    "POST",
    "/v1/seat-maps/make",
    "Make a seat map of a kind of room",
    kinds=OPERATORS,
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
)
async def make_seat_map(call: Call[None, MakeSeatMap]) -> SeatMap:
    """Makes a common kind of room, to begin with."""
    plan = await asyncio.to_thread(
        make_room, call.body.kind, call.body.seats, words=call.body.words
    )
    return SeatMap(plan)


@endpoint(
    "POST",
    "/v1/seat-maps/from-csv",
    "Read a seat map from CSV",
    kinds=OPERATORS,
    takes_document=True,
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
)
async def seat_map_from_csv(call: Call[None, SeatMapCsv]) -> SeatMap:
    """Reads CSV as a seat map. What cannot be read is named with its line and column."""
    return SeatMap(await asyncio.to_thread(read_seat_csv, call.body.csv))


@endpoint(
    "POST",
    "/v1/seat-maps/to-csv",
    "Write a seat map as CSV",
    kinds=OPERATORS,
    takes_document=True,
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
)
async def seat_map_to_csv(call: Call[None, SeatMap]) -> SeatMapCsv:
    """Writes a seat map as CSV."""
    if not isinstance(call.body.plan, SeatsPlan):
        raise InvalidRequest("plan: a room has seats", field="plan")
    return SeatMapCsv(await asyncio.to_thread(write_seat_csv, call.body.plan))
