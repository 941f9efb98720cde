"""Pictures of what a vertical shows: read with bounds, and drawn anew in two sizes."""

from __future__ import annotations

import asyncio
import hashlib
from io import BytesIO
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest, Refused
from bespeak.pictures import DIGEST_LENGTH, PictureBounds, copy_pixels, read_pixels

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

MEDIA_TYPE = "image/webp"
PICTURE_BYTES_MAX = 6_000_000
_BOUNDS = PictureBounds(pixels=30_000_000, side=12_000)
_WHOLE = (1600, 2400)
_CARD = (640, 960)
_QUALITY = 82
# One at a time: a picture of 30 million pixels takes seconds and 120 MB.
_drawing = asyncio.Semaphore(1)


class PictureInvalid(InvalidRequest):
    """The file is no picture that can be shown: `reason` is `unknown_format`, `broken` or
    `too_many_pixels`."""

    code = "picture_invalid"
    title = "The file is no picture"


class PictureNotFound(Refused):
    """There is no picture here, or not any more."""

    code = "picture_not_found"
    status = 404
    title = "There is no such picture"


class SetPicture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture: the bytes of a PNG, JPEG or WebP, in Base64."""

    picture: Annotated[bytes, Meta(min_length=1, max_length=PICTURE_BYTES_MAX)]


class DrawnPicture(NamedTuple):
    """A picture: its digest, and its WebP, whole and for a card, and how large the whole is."""

    digest: str
    content: bytes
    card: bytes
    width: int
    height: int


async def draw_picture(picture: bytes) -> DrawnPicture:
    """A picture as it is kept. Raises PictureInvalid."""
    async with _drawing:
        return await asyncio.to_thread(_drawn, picture)


def _drawn(picture: bytes) -> DrawnPicture:
    pixels = read_pixels(picture, _BOUNDS, PictureInvalid, size=_WHOLE)
    whole, card = copy_pixels(pixels, _WHOLE), copy_pixels(pixels, _CARD)
    content = _written(whole)
    digest = hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH]
    return DrawnPicture(digest, content, _written(card), *whole.size)


def _written(pixels: Pixels) -> bytes:
    written = BytesIO()
    pixels.save(written, "WEBP", quality=_QUALITY)
    return written.getvalue()
