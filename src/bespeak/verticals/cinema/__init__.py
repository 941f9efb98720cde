"""Cinemas: cities, screens with permanent seats, films, and the shows that are sold."""

from __future__ import annotations

from datetime import datetime
from importlib import resources
from typing import TYPE_CHECKING

from bespeak.verticals.cinema.contract import CALLS
from bespeak.verticals.stored_places import stored_places
from bespeak.verticals.vertical import (
    DemoLoad,
    Exporter,
    FileFormat,
    Importer,
    ImportReport,
    Progress,
    Vertical,
)

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.inventory.resources import Resource
    from bespeak.postgres.pool import Connection


async def _load_demo(engine: Engine, now: datetime | None, tell: Progress) -> DemoLoad:
    # Not in every process of a server: only one loads the demo.
    from bespeak.verticals.cinema.demo.load import load_demo  # noqa: PLC0415

    return await load_demo(engine, now, tell)


async def _make_premiere(engine: Engine, connection: Connection, now: datetime) -> Resource:
    from bespeak.verticals.cinema.demo.premiere import make_premiere  # noqa: PLC0415

    return await make_premiere(engine, connection, now)


async def _import_file(engine: Engine, text: str, file: FileFormat, check: bool) -> ImportReport:
    # Spreadsheets need more libraries than all the rest.
    from bespeak.verticals.cinema.files import import_file  # noqa: PLC0415

    return await import_file(engine, text, file, check)


async def _export_file(engine: Engine, _kind: str) -> str:
    from bespeak.verticals.cinema.film_sheets import export_films  # noqa: PLC0415

    return await export_films(engine)


VERTICAL = Vertical(
    name="cinema",
    title="Cinema",
    calls=CALLS,
    migrations=resources.files(__name__).joinpath("migrations"),
    load_demo=_load_demo,
    make_premiere=_make_premiere,
    importer=Importer(("json", "csv"), _import_file),
    exporter=Exporter(("films",), _export_file),
    places=stored_places(__name__),
)
