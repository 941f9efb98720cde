"""Pictures from outside: read with bounds, and copied as pixels alone. What a file had beside them
(scripts, places, programs) is not in the copy; vector files are refused.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from bespeak.errors import InvalidRequest

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

_FORMATS = ("PNG", "JPEG", "WEBP")
DIGEST_LENGTH = 32
"""How much of its SHA-256, in hex, a picture is called by."""


class PictureBounds(NamedTuple):
    """The most pixels in all, and on a side, that are read."""

    pixels: int
    side: int


def read_pixels(
    file: bytes,
    bounds: PictureBounds,
    refusal: type[InvalidRequest],
    *,
    size: tuple[int, int],
) -> Pixels:
    """The pixels of a PNG, JPEG or WebP, as they are to be looked at; about `size` is enough.
    Raises `refusal` of the field `picture` with the reason unknown_format, broken or
    too_many_pixels. Takes a second for 16 million pixels, and 4 bytes of memory for each."""
    # The library alone has no pictures, and knows who sells.
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415

    too_large = refusal(
        f"the picture has too many pixels: at most {bounds.pixels:,} in all, and "
        f"{bounds.side:,} on a side",
        field="picture",
        reason="too_many_pixels",
    )
    try:
        # The head alone is read here; only these three readers look at it.
        with Image.open(BytesIO(file), formats=_FORMATS) as found:
            width, height = found.size
            if width * height > bounds.pixels or max(width, height) > bounds.side:
                raise too_large
            found.draft("RGB", size)  # a JPEG is read smaller at once
            return ImageOps.exif_transpose(found).convert("RGBA")
    except UnidentifiedImageError as error:
        raise refusal(
            "the file is no picture: send a PNG, JPEG or WebP",
            field="picture",
            reason="unknown_format",
        ) from error
    except Image.DecompressionBombError as error:  # before there is a size to look at
        raise too_large from error
    # What the readers raise of broken files: each has its own kinds of error.
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise refusal(
            "the picture is broken: save it anew as PNG or JPEG", field="picture", reason="broken"
        ) from error


def copy_pixels(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    """Another picture of the same pixels, no larger than `size`, to which nothing else of the file
    is attached."""
    from PIL import Image  # noqa: PLC0415

    smaller = pixels.copy()
    smaller.thumbnail(size)
    clean = Image.new("RGBA", smaller.size)
    clean.paste(smaller)
    return clean
