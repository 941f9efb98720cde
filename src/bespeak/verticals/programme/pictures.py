"""Pictures of productions: read with bounds and drawn anew in two sizes, so that nothing of the
file but its pixels is kept. Vector files are refused.
"""

from __future__ import annotations

import asyncio
import hashlib
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from bespeak.verticals.programme.errors import PictureInvalid

if TYPE_CHECKING:
    from PIL.Image import Image as Drawn

MEDIA_TYPE = "image/webp"
_FORMATS = ("PNG", "JPEG", "WEBP")
_PIXELS_MAX = 30_000_000
_SIDE_MAX = 12_000
_WHOLE = (1600, 2400)
_CARD = (640, 960)
_QUALITY = 82
_DIGEST_LENGTH = 32
# One at a time: a picture of 30 million pixels takes seconds and 120 MB.
_drawing = asyncio.Semaphore(1)


class DrawnPicture(NamedTuple):
    """A picture: its digest, and its WebP, whole and for a card."""

    digest: str
    content: bytes
    card: bytes


async def draw_picture(picture: bytes) -> DrawnPicture:
    """A picture as it is kept. Raises PictureInvalid."""
    async with _drawing:
        return await asyncio.to_thread(_drawn, picture)


def _drawn(picture: bytes) -> DrawnPicture:
    # The library alone has no pictures, and may have programmes.
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415

    try:
        # The head alone is read here; only these three readers look at it.
        with Image.open(BytesIO(picture), formats=_FORMATS) as found:
            width, height = found.size
            if width * height > _PIXELS_MAX or max(width, height) > _SIDE_MAX:
                raise _too_large()
            found.draft("RGB", _WHOLE)  # a JPEG is read smaller at once
            drawn = ImageOps.exif_transpose(found).convert("RGBA")
    except UnidentifiedImageError as error:
        raise PictureInvalid(
            "the file is no picture: send a PNG, JPEG or WebP",
            field="picture",
            reason="unknown_format",
        ) from error
    except Image.DecompressionBombError as error:  # before there is a size to look at
        raise _too_large() from error
    # What the readers raise of broken files: each has its own kinds of error.
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise PictureInvalid(
            "the picture is broken: save it anew as PNG or JPEG", field="picture", reason="broken"
        ) from error
    content, card = _written(drawn, _WHOLE), _written(drawn, _CARD)
    return DrawnPicture(hashlib.sha256(content).hexdigest()[:_DIGEST_LENGTH], content, card)


def _written(drawn: Drawn, size: tuple[int, int]) -> bytes:
    from PIL import Image  # noqa: PLC0415

    smaller = drawn.copy()
    smaller.thumbnail(size)
    # Another picture of the same pixels, so that nothing else of the file goes along.
    clean = Image.new("RGBA", smaller.size)
    clean.paste(smaller)
    written = BytesIO()
    clean.save(written, "WEBP", quality=_QUALITY)
    return written.getvalue()


def _too_large() -> PictureInvalid:
    return PictureInvalid(
        f"the picture has too many pixels: at most {_PIXELS_MAX:,} in all, and {_SIDE_MAX:,} "
        "on a side",
        field="picture",
        reason="too_many_pixels",
    )
