"""Logos: pictures that are read with bounds, drawn anew as PNG, and kept by their digest."""

from __future__ import annotations

import asyncio
import hashlib
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from bespeak.merchants.errors import LogoInvalid, LogoNotFound
from bespeak.pictures import DIGEST_LENGTH, PictureBounds, copy_pixels, read_pixels
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.merchants", "merchants.sql")
PICTURE_BYTES_MAX = 2_000_000
_BOUNDS = PictureBounds(pixels=16_000_000, side=8000)
# Twice what any page or ticket shows, for fine screens; as PNG always less than the table takes.
_WIDTH_MAX = 640
_HEIGHT_MAX = 320
# One at a time: a picture of 16 million pixels takes a second and 64 MB.
_drawing = asyncio.Semaphore(1)


class Logo(NamedTuple):
    """A logo: its digest, the PNG, and its size in pixels."""

    digest: str
    content: bytes
    width: int
    height: int


async def draw_logo(picture: bytes) -> Logo:
    """A picture as a logo. Raises LogoInvalid."""
    async with _drawing:
        return await asyncio.to_thread(_drawn, picture)


async def keep_logo(connection: Connection, logo: Logo) -> None:
    """Keeps a logo, and lets go of those that nobody shows any more."""
    await connection.execute(_QUERIES["drop_logos"])
    await connection.execute(
        _QUERIES["add_logo"], logo.digest, logo.content, logo.width, logo.height
    )


async def read_logo(database: Database, digest: str) -> Logo:
    """A logo by its digest. Raises LogoNotFound, DatabaseUnavailable."""
    row = None
    if len(digest) == DIGEST_LENGTH and digest.isascii() and digest.isalnum():
        async with database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["logo"], digest)
    if row is None:
        raise LogoNotFound
    return Logo(digest, row["content"], row["width"], row["height"])


def _drawn(picture: bytes) -> Logo:
    size = (_WIDTH_MAX, _HEIGHT_MAX)
    clean = copy_pixels(read_pixels(picture, _BOUNDS, LogoInvalid, size=size), size)
    written = BytesIO()
    clean.save(written, "PNG", optimize=True)
    content = written.getvalue()
    return Logo(hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH], content, *clean.size)
