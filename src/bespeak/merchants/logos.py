"""Logos: pictures that are read with bounds, drawn anew as PNG, and kept by their digest. What a
file had beside its pixels (scripts, places, programs) is not in the copy; vector files are refused.
"""

from __future__ import annotations

import asyncio
import hashlib
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from bespeak.merchants.errors import LogoInvalid, LogoNotFound
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.merchants", "merchants.sql")
PICTURE_BYTES_MAX = 2_000_000
_FORMATS = ("PNG", "JPEG", "WEBP")
_PIXELS_MAX = 16_000_000
_SIDE_MAX = 8000
# Twice what any page or ticket shows, for fine screens; as PNG always less than the table takes.
_WIDTH_MAX = 640
_HEIGHT_MAX = 320
_DIGEST_LENGTH = 32
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
    if len(digest) == _DIGEST_LENGTH and digest.isascii() and digest.isalnum():
        async with database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["logo"], digest)
    if row is None:
        raise LogoNotFound
    return Logo(digest, row["content"], row["width"], row["height"])


def _drawn(picture: bytes) -> Logo:
    # The library alone has no pictures, and knows who sells.
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415

    try:
        # The head alone is read here; only these three readers look at it.
        with Image.open(BytesIO(picture), formats=_FORMATS) as found:
            width, height = found.size
            if width * height > _PIXELS_MAX or max(width, height) > _SIDE_MAX:
                raise _too_large()
            drawn = ImageOps.exif_transpose(found).convert("RGBA")
    except UnidentifiedImageError as error:
        raise LogoInvalid(
            "the file is no picture: send a PNG, JPEG or WebP",
            field="picture",
            reason="unknown_format",
        ) from error
    except Image.DecompressionBombError as error:  # before there is a size to look at
        raise _too_large() from error
    # What the readers raise of broken files: each has its own kinds of error.
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise LogoInvalid(
            "the picture is broken: save it anew as PNG", field="picture", reason="broken"
        ) from error
    drawn.thumbnail((_WIDTH_MAX, _HEIGHT_MAX))
    # Another picture of the same pixels, so that nothing else of the file goes along.
    clean = Image.new("RGBA", drawn.size)
    clean.paste(drawn)
    written = BytesIO()
    clean.save(written, "PNG", optimize=True)
    content = written.getvalue()
    digest = hashlib.sha256(content).hexdigest()[:_DIGEST_LENGTH]
    return Logo(digest, content, *clean.size)


def _too_large() -> LogoInvalid:
    return LogoInvalid(
        f"the picture has too many pixels: at most {_PIXELS_MAX:,} in all, and {_SIDE_MAX:,} "
        "on a side",
        field="picture",
        reason="too_many_pixels",
    )
