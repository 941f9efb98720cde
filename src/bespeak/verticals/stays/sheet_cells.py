"""Properties and listings written as sheets. What no column says (the rules of a plan, its pricing,
questions) is left out, and stays as it is where the sheet is imported again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.nights.stay_limits import STAY_MAX
from bespeak.money import Money, as_decimal
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.verticals.sheet_kinds import SheetKind
from bespeak.verticals.sheet_words import said_once
from bespeak.verticals.sheet_writing import CellWriter, languages_of, write_sheet
from bespeak.verticals.stays.forms import Beds
from bespeak.verticals.stays.resource_parts import rated_elsewhere_in
from bespeak.verticals.stays.sheets import LISTINGS, PROPERTIES
from bespeak.verticals.stays.shown import plan_of
from bespeak.verticals.stored_texts import translations_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.stays", "files.sql")
_BEDS: msgspec.json.Decoder[list[Beds]] = msgspec.json.Decoder(list[Beds])
_PROPERTY_TEXTS = (
    "name",
    "kind",
    "address",
    "city",
    "country",
    "time_zone",
    "check_in_time",
    "check_out_time",
    "website",
    "summary",
    "description",
    "house_rules",
)
_LISTING_TEXTS = ("property", "name", "currency", "payment", "summary", "description")


async def property_sheet(connection: Connection, workspace: str) -> str:
    """All properties of a workspace. Raises InvalidRequest."""
    rows = await connection.fetch(_QUERIES["properties"], workspace, None)
    return _sheet(PROPERTIES, rows, _property_cells)


async def listing_sheet(connection: Connection, workspace: str) -> str:
    """All listings of a workspace. Raises InvalidRequest."""
    rows = await connection.fetch(_QUERIES["listings"], workspace, None, None)
    return _sheet(LISTINGS, rows, _listing_cells)


def _sheet(
    kind: SheetKind,
    rows: Sequence[Record],
    cells_of: Callable[[CellWriter, Record], dict[str, str]],
) -> str:
    all_translations = [translations_of(row["translations"]) for row in rows]
    languages = languages_of(all_translations)
    lines = []
    for row, translations in zip(rows, all_translations, strict=True):
        write = CellWriter(kind, row["name"])
        texts = {column: said_once(row[column]) for column in kind.translated}
        lines.append({**cells_of(write, row), **write.words(texts, translations, languages)})
    return write_sheet(kind, lines, languages.values())


def _property_cells(write: CellWriter, row: Record) -> dict[str, str]:
    cells = {column: write.cell(column, row[column] or "") for column in _PROPERTY_TEXTS}
    return cells | {
        "ref": row["ref"] or row["property_id"],
        "stars": _number(row["stars"]),
        "lat": repr(row["lat"]),
        "lon": repr(row["lon"]),
        "amenities": write.list("amenities", row["amenities"]),
        "languages": write.list("languages", row["languages"]),
        **_rated(write, row),
    }


def _rated(write: CellWriter, row: Record) -> dict[str, str]:
    rated = rated_elsewhere_in(dict(row))
    if rated is None:
        return {}
    return {
        "rating": f"{rated.rating:g}",
        "ratings": str(rated.ratings),
        "rating_source": write.cell("rating_source", rated.source),
    }


def _listing_cells(write: CellWriter, row: Record) -> dict[str, str]:
    cells = {column: write.cell(column, row[column]) for column in _LISTING_TEXTS}
    plan = plan_of(row)
    return cells | {
        "ref": row["ref"] or ids.show_resource(row["resource_id"]),
        "guests": str(row["guests"]),
        "rooms": _rooms(write, plan),
        "price": f"{as_decimal(Money(row['price_amount'], row['currency'])):f}",
        "min_stay": _number(None if plan.min_nights == 1 else plan.min_nights),
        "max_stay": _number(None if plan.max_nights == STAY_MAX else plan.max_nights),
        "beds": write.list("beds", [_bed(one) for one in _BEDS.decode(json_text(row["beds"]))]),
        "square_metres": _number(row["square_metres"]),
        "amenities": write.list("amenities", row["amenities"]),
        "published": "true" if row["published"] else "false",
    }


def _rooms(write: CellWriter, plan: NightsPlan) -> str:
    """How many, or their names: a semicolon at the end says of a single one that it is a name."""
    if plan.rooms is None:
        return str(plan.count or 0)
    cell = write.list("rooms", plan.rooms)
    return cell if len(plan.rooms) > 1 or cell.endswith(";") else f"{cell};"


def _bed(one: Beds) -> str:
    return one.kind if one.count == 1 else f"{one.count} {one.kind}"


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
