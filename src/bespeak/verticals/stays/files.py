"""`bespeak import stays FILE` and `bespeak export stays KIND`: properties and listings as JSON, or
as spreadsheets. An export that is imported again changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.inventory.workspaces import DEFAULT
from bespeak.verticals.imports import read_document, refused_report
from bespeak.verticals.stays.catalogue_import import KINDS, import_stays
from bespeak.verticals.stays.import_forms import StaysCatalogue
from bespeak.verticals.stays.sheet_cells import listing_sheet, property_sheet
from bespeak.verticals.stays.sheet_lines import lines_of
from bespeak.verticals.stays.sheets import read_stays_sheet
from bespeak.verticals.vertical import FileFormat, ImportReport

if TYPE_CHECKING:
    from bespeak.engine import Engine


async def import_file(
    engine: Engine,
    text: str,
    file_format: FileFormat,
    check: bool,
    workspace: str = DEFAULT,
) -> ImportReport:
    """Takes a file: all of it or nothing. Raises CatalogueInvalid for one that cannot be read."""
    if file_format == "json":
        said = read_document(text, StaysCatalogue)
        return await import_stays(engine, workspace, said, check=check)
    sheet = read_stays_sheet(text)
    async with engine.database.borrow() as connection:
        lines = await lines_of(connection, workspace, sheet)
    # Lines that cannot be read do not hide what is wrong with the others.
    report = await import_stays(
        engine, workspace, lines.said, check=check or bool(sheet.problems), place=lines.place
    )
    sheet.problems.extend(report.problems)
    return refused_report(KINDS, sheet.problems_by_line()) if sheet.problems else report


async def export_file(engine: Engine, kind: str, workspace: str = DEFAULT) -> str:
    """The `properties` or the `listings` of a workspace as a sheet. Raises InvalidRequest for what
    a sheet cannot say."""
    write = property_sheet if kind == "properties" else listing_sheet
    async with engine.database.borrow() as connection:
        return await write(connection, workspace)
