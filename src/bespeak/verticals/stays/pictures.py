"""Pictures of properties and listings: kept when they are sent, and shown by whoever names them.
What nothing shows is let go a day later.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import asyncpg

from bespeak.postgres.queries import load
from bespeak.verticals.pictures import DrawnPicture, PictureNotFound
from bespeak.verticals.stays import views
from bespeak.verticals.stays.errors import PictureUnknown
from bespeak.verticals.stays.forms import ShownPicture

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.stays", "pictures.sql")


async def keep_picture(connection: Connection, drawn: DrawnPicture) -> views.StayPicture:
    """Keeps a picture, so that it can be shown."""
    await connection.execute(_QUERIES["keep"], *drawn)
    # What somebody shows at this instant is left for the next time: the key says so.
    with suppress(asyncpg.ForeignKeyViolationError):
        async with connection.transaction():
            await connection.execute(_QUERIES["drop_unused"])
    return views.stay_picture(drawn.digest, drawn.width, drawn.height, "")


async def show_pictures(
    connection: Connection,
    pictures: Sequence[ShownPicture],
    *,
    property_id: str | None = None,
    listing: int | None = None,
) -> None:
    """Shows these pictures of a property or a listing, which is locked, and no other. Raises
    PictureUnknown."""
    await connection.execute(_QUERIES["forget"], property_id, listing)
    digests = [one.id for one in pictures]
    try:
        async with connection.transaction():
            await connection.execute(
                _QUERIES["show"],
                property_id,
                listing,
                digests,
                [one.description for one in pictures],
            )
    except asyncpg.ForeignKeyViolationError as error:
        raise PictureUnknown(
            "a picture is not there, or not any more: send it anew", field="pictures"
        ) from error


async def read_picture(connection: Connection, picture_id: str, *, card: bool) -> bytes:
    """The WebP of a picture. Raises PictureNotFound."""
    found: bytes | None = await connection.fetchval(_QUERIES["picture"], picture_id, card)
    if found is None:
        raise PictureNotFound(picture_id=picture_id)
    return found
