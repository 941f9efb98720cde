"""Seat maps from and to CSV, a line for each seat, as spreadsheets and other systems have them. It
carries the units, what is next to what, for whom a seat is, categories, prices and places; not what
else is drawn, nor the rules of the sale.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from bespeak.inventory.bounds import nonsense
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.shapes.seats.csv_lines import RARE, USUAL, Record, records_of, wrong_seat
from bespeak.inventory.shapes.seats.layout import Bank, middle_of
from bespeak.inventory.shapes.seats.plan import (
    Category,
    Companion,
    Row,
    Seat,
    SeatsPlan,
    Section,
    Table,
)
from bespeak.inventory.shapes.seats.rows import Access, SeatRow, seat_rows
from bespeak.inventory.shapes.seats.units import RoomUnits


def read_seat_csv(text: str) -> SeatsPlan:
    """The seat map of a CSV with a first line that names its columns.

    `section`, `row` and `seat` are needed, in any order; `category`, `x`, `y`, `accessible` (yes or
    no), `companion_of` (the label of a seat of the row), `price` (minor units, the same throughout
    a category), `prefix`, `gap` (yes: not adjacent to the line before), `table` (shared or whole)
    and `capacity` (of a pool) may be there. Seats are adjacent in the order of the lines. Where no
    prefix is given and two sections would name the same seat, each gets its name as a prefix.

    Raises InvalidRequest, with the line and the column in its words and its data.
    """
    records = list(records_of(text))
    prefixes = _prefixes(records)
    _check_units(records, prefixes)
    plan = SeatsPlan(
        tuple(_sections(records, prefixes)),
        tuple(
            PoolPlan(record.seat, record.capacity, record.category)
            for record in records
            if record.capacity is not None
        ),
        _categories(records),
    )
    RoomUnits(plan)
    return plan


def write_seat_csv(plan: SeatsPlan) -> str:
    """The seat map as CSV; reading it gives the same units. Places are written where the plan has
    any of its own. Raises InvalidRequest for a plan that makes no sense."""
    seating = RoomUnits(plan).seating
    places = seating.places.round(3).tolist() if _is_placed(plan) else None
    prices = {category.name: category.price for category in plan.categories}
    lines: list[dict[str, object]] = []
    banks = iter(seating.banks)
    for row in seat_rows(plan):
        if row.spots:
            lines += _lines_of(plan.sections[row.section], row, next(banks), places)
    lines += _tables_and_pools(plan)
    seen: set[tuple[object, ...]] = set()
    for line in lines:
        category = line["category"]
        line["price"] = prices.get(category) if isinstance(category, str) else None
        group = (line.get("section"), line.get("prefix"), line.get("row"), line.get("table"))
        if group not in seen:
            line["gap"] = None  # the first of a row is adjacent to none before it anyway
            seen.add(group)
        if any(isinstance(value, str) and value != value.strip() for value in line.values()):
            raise nonsense("CSV cannot say a name that begins or ends with a space")
    used = [column for column in RARE if any(line.get(column) for line in lines)]
    out = io.StringIO()
    writer = csv.DictWriter(out, [*USUAL, *used], restval="", lineterminator="\n")
    writer.writeheader()
    for line in lines:
        writer.writerow({column: line.get(column) for column in (*USUAL, *used)})
    return out.getvalue()


def _prefixes(records: Iterable[Record]) -> dict[str, str]:
    """The prefix of each section that has none of its own."""
    rows: dict[str, str] = {}
    clash = False
    sections = dict.fromkeys(r.section for r in records if r.capacity is None)
    for record in records:
        if record.capacity is None and record.prefix is None:
            clash |= rows.setdefault(record.unit, record.section) != record.section
    return {section: f"{section}-" if clash else "" for section in sections}


def _prefix(record: Record, prefixes: dict[str, str]) -> str:
    return prefixes[record.section] if record.prefix is None else record.prefix


def _check_units(records: Iterable[Record], prefixes: dict[str, str]) -> None:
    lines: dict[str, int] = {}
    for record in records:
        unit = record.unit
        if record.capacity is None:
            unit = _prefix(record, prefixes) + unit
        if lines.setdefault(unit, record.number) != record.number:
            raise wrong_seat(record.number, "seat", "unit_twice", unit[:100])


def _sections(records: Iterable[Record], prefixes: dict[str, str]) -> Iterator[Section]:
    """The sections, each with its rows and then its tables, in the order of the lines."""
    sections: dict[tuple[str, str], dict[tuple[str, str | None], list[Record]]] = {}
    for record in records:
        if record.capacity is None:
            rows = sections.setdefault((record.section, _prefix(record, prefixes)), {})
            rows.setdefault((record.row or "", record.table), []).append(record)
    for (name, prefix), rows in sections.items():
        category = next(iter(rows.values()))[0].category or "standard"
        yield Section(
            name,
            tuple(_row(row, group, category) for (row, kind), group in rows.items() if not kind),
            category,
            prefix,
            tuple(_table(row, group, category) for (row, kind), group in rows.items() if kind),
        )


def _row(name: str, records: list[Record], usual: str) -> Row:
    """A row; counted if its numbers allow, because that is shorter and says the same."""
    accessible = {record.seat for record in records if record.accessible}
    for record in records:
        if record.companion_of is not None and record.companion_of not in accessible:
            raise wrong_seat(record.number, "companion_of", "companion_of_nobody")
        if record.companion_of is not None and record.accessible:
            raise wrong_seat(record.number, "companion_of", "both")
        if (record.x is None) != (records[0].x is None):
            raise wrong_seat(record.number, "x", "some_places")
    categories = {record.category or "standard" for record in records}
    steps = _steps([record.seat for record in records])
    if steps is None or len(categories) > 1 or records[0].x is not None:
        return Row(name, listed=tuple(_seat(record, usual) for record in records))
    first, step = steps
    (category,) = categories
    return Row(
        name,
        len(records),
        first,
        step=step,
        aisles=tuple(
            first + (place - 1) * step for place, r in enumerate(records) if r.gap and place
        ),
        accessible=tuple(int(record.seat) for record in records if record.accessible),
        companions=tuple(
            Companion(int(record.seat), int(record.companion_of))
            for record in records
            if record.companion_of is not None
        ),
        category=None if category == usual else category,
    )


def _steps(labels: list[str]) -> tuple[int, int] | None:
    """The first number and the step of labels that count evenly; None: they do not."""
    numbers = [int(label) for label in labels if re.fullmatch(r"0|[1-9][0-9]{0,4}", label)]
    if len(numbers) < len(labels):
        return None
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    even = all(after - before == step for before, after in pairwise(numbers))
    return (numbers[0], step) if even and 1 <= abs(step) <= 100 else None


def _seat(record: Record, usual: str) -> Seat:
    category = record.category or "standard"
    return Seat(
        record.seat,
        record.x,
        record.y,
        None if category == usual else category,
        record.accessible,
        record.companion_of,
        record.gap,
    )


def _table(name: str, records: list[Record], usual: str) -> Table:
    first = records[0]
    category = first.category or "standard"
    for place, record in enumerate(records, start=1):
        if record.table == "shared" and record.seat != str(place):
            raise wrong_seat(record.number, "seat", "table_counts")
        if (record.category or "standard") != category:
            raise wrong_seat(record.number, "category", "table_category")
        if (record.x, record.y) != (first.x, first.y):
            raise wrong_seat(record.number, "x", "table_place")
    seats = int(first.seat) if first.table == "whole" else len(records)
    if not 1 <= seats <= 100:
        raise wrong_seat(first.number, "seat", "table_seats")
    return Table(
        name,
        seats,
        None if category == usual else category,
        first.table == "whole",
        tuple(int(record.seat) for record in records if record.accessible),
        x=first.x,
        y=first.y,
    )


def _categories(records: Iterable[Record]) -> tuple[Category, ...]:
    """The categories with their prices, or none if no price is given."""
    prices: dict[str, int | None] = {}
    for record in records:
        name = record.category or ("standard" if record.capacity is None else None)
        if name is None:
            continue
        known = prices.setdefault(name, record.price)
        if record.price is not None:
            if known is not None and known != record.price:
                raise wrong_seat(record.number, "price", "price_differs", f"{name}: {known}")
            prices[name] = record.price
    if all(price is None for price in prices.values()):
        return ()
    return tuple(Category(name, price) for name, price in prices.items())


def _is_placed(plan: SeatsPlan) -> bool:
    """Whether the plan says of anything where it stands."""
    return any(
        section.x is not None
        or section.rotation
        or section.curve
        or any(r.x is not None or r.y is not None for r in section.rows)
        or any(seat.x is not None for row in section.rows for seat in row.listed)
        or any(table.x is not None for table in section.tables)
        for section in plan.sections
    )


def _lines_of(
    section: Section, row: SeatRow, bank: Bank, places: list[list[float]] | None
) -> Iterator[dict[str, object]]:
    """The lines of a row or of a shared table."""
    start = len(section.prefix + row.part.name) + isinstance(row.part, Table)
    own = places[bank.start : bank.stop] if places is not None else None
    if own is not None and isinstance(row.part, Table):
        own = [list(middle_of(section, row.part, own[0]))] * len(own)
    companions = _companions(row.part)
    for place, spot in enumerate(row.spots):
        label = spot.unit[start:]
        yield {
            "section": section.name,
            "row": row.part.name,
            "seat": label,
            "category": spot.category,
            "x": own[place][0] if own else None,
            "y": own[place][1] if own else None,
            "accessible": "yes" if spot.access is Access.ACCESSIBLE else None,
            "companion_of": companions.get(label),
            "prefix": section.prefix,
            "gap": "yes" if spot.breaks and isinstance(row.part, Row) else None,
            "table": "shared" if isinstance(row.part, Table) else None,
        }


def _companions(part: Row | Table) -> dict[str, str]:
    if isinstance(part, Table):
        return {}
    found = {str(companion.seat): str(companion.of) for companion in part.companions}
    found.update({s.label: s.companion_of for s in part.listed if s.companion_of is not None})
    return found


def _tables_and_pools(plan: SeatsPlan) -> Iterator[dict[str, object]]:
    for section in plan.sections:
        is_turned = section.x is not None or section.rotation
        for table in section.tables:
            if table.whole:
                yield {
                    "section": section.name,
                    "row": table.name,
                    "seat": table.seats,
                    "category": table.category or section.category,
                    "x": None if is_turned else table.x,
                    "y": None if is_turned else table.y,
                    "prefix": section.prefix,
                    "table": "whole",
                }
    for pool in plan.pools:
        yield {"seat": pool.unit, "category": pool.category, "capacity": str(pool.capacity)}
