"""Writing productions. One that has performances stays; one that has some to come is not archived
either, so that nobody loses sight of what guests have booked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from bespeak.postgres.queries import load
from bespeak.translations import check_translations
from bespeak.verticals.changes import with_changes
from bespeak.verticals.once import made_before, remember
from bespeak.verticals.pictures import DrawnPicture
from bespeak.verticals.programme.errors import ProductionInUse, ProductionNotFound
from bespeak.verticals.programme.forms import NewProduction, ProductionChange
from bespeak.verticals.programme.names import PRODUCTION, check_id, new_id
from bespeak.verticals.searching import searchable
from bespeak.verticals.stored_texts import translations_of

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.programme", "changes.sql")


async def create_production(
    connection: Connection, workspace: str, new: NewProduction, key: str | None
) -> tuple[str, bool]:
    """A new production, and whether it was there by this key. Raises InvalidRequest,
    IdempotencyKeyReused."""
    columns = _columns(new)
    before = await made_before(connection, _QUERIES, workspace, key, "production", new)
    if before is not None:
        return before, True
    production_id = new_id(PRODUCTION)
    await connection.execute(_QUERIES["insert_production"], workspace, production_id, *columns)
    await remember(connection, _QUERIES, workspace, key, production_id)
    return production_id, False


async def change_production(
    connection: Connection, workspace: str, production_id: str, change: ProductionChange
) -> None:
    """Changes a production. Raises ProductionNotFound, ProductionInUse where it is to be archived
    and has performances to come, InvalidRequest, InvalidId."""
    row = await _locked(connection, workspace, production_id)
    said = NewProduction(
        **{
            field: row[field]
            for field in NewProduction.__struct_fields__
            if field not in ("performers", "translations")
        },
        performers=tuple(row["performers"]),
        translations=translations_of(row["translations"]),
    )
    archived = row["archived"] if change.archived is msgspec.UNSET else change.archived
    if archived and not row["archived"]:
        await _check_over(connection, production_id)
    columns = _columns(with_changes(said, change))
    await connection.execute(
        _QUERIES["update_production"], workspace, production_id, *columns, archived
    )


async def remove_production(connection: Connection, workspace: str, production_id: str) -> None:
    """Takes away a production that has no performance. Raises ProductionNotFound,
    ProductionInUse, InvalidId."""
    await _locked(connection, workspace, production_id)
    if await connection.fetchval(_QUERIES["delete_production"], workspace, production_id) is None:
        count = await connection.fetchval(_QUERIES["count_performances"], production_id)
        raise ProductionInUse(
            f"it has {count} performances, past ones included: archive it instead",
            performances=count,
        )


async def set_picture(
    connection: Connection, workspace: str, production_id: str, picture: DrawnPicture | None
) -> None:
    """Shows a picture, or none. Raises ProductionNotFound, InvalidId."""
    await _locked(connection, workspace, production_id)
    if picture is not None:
        await connection.execute(
            _QUERIES["keep_picture"], picture.digest, picture.content, picture.card
        )
    digest = None if picture is None else picture.digest
    await connection.execute(_QUERIES["set_picture"], workspace, production_id, digest)
    await connection.execute(_QUERIES["drop_pictures"])


async def _locked(connection: Connection, workspace: str, production_id: str) -> Record:
    check_id(PRODUCTION, production_id)
    row = await connection.fetchrow(_QUERIES["production"], workspace, production_id)
    if row is None:
        raise ProductionNotFound(production_id=production_id)
    return row


async def _check_over(connection: Connection, production_id: str) -> None:
    (row,) = await connection.fetch(_QUERIES["to_come"], production_id)
    if row["performances"]:
        raise ProductionInUse(
            f"{row['performances']} of its performances are still to come, and guests have "
            f"{row['units']} places in them: call them off, or close and unpublish those unsold",
            performances=row["performances"],
            units=row["units"],
        )


def _columns(said: NewProduction) -> tuple[object, ...]:
    check_translations(said.translations)
    spoken = [said.title, said.series or "", *said.performers]
    named = set(spoken)
    for translation in said.translations:
        spoken += [words for text, words in translation.words.items() if text in named]
    return (
        said.title,
        said.kind,
        said.series,
        list(said.performers),
        said.summary,
        said.description,
        said.minutes,
        said.age_from,
        said.website,
        said.picture_text,
        msgspec.json.encode(said.translations).decode(),
        searchable(*spoken),
    )
