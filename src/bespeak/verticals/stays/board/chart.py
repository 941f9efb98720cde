"""The board of a property: for a page of its listings what is in their rooms, and how many are free
in each night. What is read is of these listings and nights only.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from bespeak.errors import InvalidRequest
from bespeak.inventory.shapes.nights.night_rules import show_date
from bespeak.list_cursors import read_cursor, show_cursor
from bespeak.verticals.stays.board import views
from bespeak.verticals.stays.board.bars import blocks_of, stay_of
from bespeak.verticals.stays.board.house import (
    QUERIES,
    HouseRow,
    Nights,
    nights_from,
    rooms_in,
    rows_of,
    today_at,
)

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection
    from bespeak.verticals.stays.catalogue import StaysReader
    from bespeak.verticals.stays.queries import BoardQuestion

STAYS_MAX = 20_000
"""The most stays, and the most blocks, of one page."""


async def board(
    connection: Connection, reader: StaysReader, property_id: str, asked: BoardQuestion
) -> views.Board:
    """A page of the board. Raises PropertyNotFound, InvalidId, InvalidCursor, InvalidRequest."""
    after = read_cursor(asked.after, tuple[str, int])
    today = await today_at(connection, reader, property_id)
    nights = nights_from(asked.from_ or today, asked.days)
    found = await rows_of(connection, reader, property_id, after, asked.limit + 1)
    page = found[: asked.limit]
    taken = await _taken(connection, page, nights)
    stays = await _stays(connection, page, nights)
    last = page[-1] if len(found) > asked.limit else None
    return views.Board(
        from_=nights.first,
        to=nights.last,
        items=[
            views.BoardListing(
                id=row.id,
                name=row.name,
                rooms=None if row.rules.plan.rooms is None else list(row.rules.plan.rooms),
                nights=[_night(row, day, taken) for day in nights.ordinals],
                stays=stays[row.number],
            )
            for row in page
        ],
        next=None if last is None else show_cursor(last.stored_name, last.number),
    )


def _night(row: HouseRow, day: int, taken: dict[tuple[int, str, bool], int]) -> views.BoardNight:
    key = (row.number, show_date(day))
    night = row.rules.night(day)
    by_guests, blocked = taken.get((*key, False), 0), taken.get((*key, True), 0)
    return views.BoardNight(
        date=date.fromordinal(day),
        rooms=rooms_in(row, day),
        taken=by_guests,
        blocked=blocked,
        free=max(0, night.capacity - by_guests - blocked),
        closed=night.closed,
    )


async def _taken(
    connection: Connection, page: list[HouseRow], nights: Nights
) -> dict[tuple[int, str, bool], int]:
    """How many rooms, by listing, night and whether they are blocked."""
    numbers = [row.number for row in page]
    rows = await connection.fetch(QUERIES["taken"], numbers, *nights.texts)
    return {(row["resource_id"], row["night"], row["blocked"]): row["rooms"] for row in rows}


async def _stays(
    connection: Connection, page: list[HouseRow], nights: Nights
) -> dict[int, list[views.BoardStay]]:
    """What touches the nights, by listing. Raises InvalidRequest where it is too much."""
    numbers, named = [row.number for row in page], [row.id for row in page]
    asked = (*nights.texts, STAYS_MAX + 1)
    rows = await connection.fetch(QUERIES["stays"], numbers, named, *asked)
    blocks = await connection.fetch(QUERIES["blocks"], numbers, *asked)
    if max(len(rows), len(blocks)) > STAYS_MAX:
        raise InvalidRequest(
            f"more than {STAYS_MAX} stays: ask for fewer days or listings", field="days"
        )
    silent = [row["hold_id"] for row in rows if row["confirmed_at"] and row["contact"] is None]
    paid = await connection.fetch(QUERIES["contacts"], silent) if silent else []
    contacts = {row["hold_id"]: row["contact"] for row in paid}
    found: dict[int, list[views.BoardStay]] = {number: [] for number in numbers}
    for row in rows:
        found[row["resource_id"]].append(stay_of(row, contacts.get(row["hold_id"])))
    for block in blocks:
        found[block["resource_id"]] += blocks_of(block, nights)
    for stays in found.values():
        stays.sort(key=lambda stay: (stay.from_, stay.to, stay.id, stay.room or ""))
    return found
