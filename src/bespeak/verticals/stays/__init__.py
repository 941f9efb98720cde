"""Stays: hotels, flats, cabins, and what of them is let by the night, found by place and dates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib import resources
from typing import TYPE_CHECKING

from bespeak.verticals.stays.contract import CALLS
from bespeak.verticals.stored_places import stored_places
from bespeak.verticals.vertical import (
    DemoLoad,
    Exporter,
    FileFormat,
    Importer,
    ImportReport,
    OwnerRecords,
    Progress,
    Vertical,
)

if TYPE_CHECKING:
    from bespeak.background import BackgroundWork
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection


async def _import_file(engine: Engine, text: str, file: FileFormat, check: bool) -> ImportReport:
    # Servers need no spreadsheets.
    from bespeak.verticals.stays.files import import_file  # noqa: PLC0415

    return await import_file(engine, text, file, check)


async def _export_file(engine: Engine, kind: str) -> str:
    from bespeak.verticals.stays.files import export_file  # noqa: PLC0415

    return await export_file(engine, kind)


async def _load_demo(engine: Engine, now: datetime | None, tell: Progress) -> DemoLoad | None:
    # Not in every process of a server: only one loads the demo.
    from bespeak.verticals.stays.demo.load import load_demo  # noqa: PLC0415

    return await load_demo(engine, now, tell)


async def _recall(engine: Engine) -> bool:
    # Whoever sells seats alone has no use for an index.
    from bespeak.verticals.stays.search.answers import recall  # noqa: PLC0415

    return await recall(engine)


async def _export_owner(connection: Connection, owner: str) -> Mapping[str, object]:
    from bespeak.verticals.stays.ratings.owners import export  # noqa: PLC0415

    return await export(connection, owner)


async def _erase_owner(connection: Connection, owner: str, pseudonym: str) -> None:
    from bespeak.verticals.stays.ratings.owners import erase  # noqa: PLC0415

    await erase(connection, owner, pseudonym)


def _works(engine: Engine) -> Sequence[BackgroundWork]:
    # Only where background work is done.
    from bespeak.verticals.stays.suggestions.automatic import PriceRules  # noqa: PLC0415

    return [PriceRules(engine)]


VERTICAL = Vertical(
    name="stays",
    title="Stays",
    calls=CALLS,
    migrations=resources.files(__name__).joinpath("migrations"),
    importer=Importer(("json", "csv"), _import_file),
    exporter=Exporter(("properties", "listings"), _export_file),
    load_demo=_load_demo,
    places=stored_places(__name__),
    recall=_recall,
    works=_works,
    owner_records=OwnerRecords(_export_owner, _erase_owner),
)
