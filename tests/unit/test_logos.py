"""Logos: pictures are drawn anew within bounds, and what is none is refused with its reason."""

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image

from bespeak.merchants.errors import LogoInvalid
from bespeak.merchants.logos import draw_logo

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><rect width="9"/></svg>'


def picture(
    width: int = 40, height: int = 20, kind: str = "PNG", mode: str = "RGB", **more: object
) -> bytes:
    written = BytesIO()
    Image.new(mode, (width, height), "red").save(written, kind, **more)
    return written.getvalue()


def empty_png(width: int, height: int) -> bytes:
    """The head of a PNG of that size, and next to no pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checked = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + checked

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
async def test_a_picture_becomes_a_png(kind: str) -> None:
    made = await draw_logo(picture(kind=kind))
    with Image.open(BytesIO(made.content)) as drawn:
        assert (drawn.format, drawn.size) == ("PNG", (40, 20))
    assert (made.width, made.height) == (40, 20)
    assert made == await draw_logo(picture(kind=kind))  # so that it has one address


async def test_a_large_one_is_made_smaller() -> None:
    made = await draw_logo(picture(3000, 1000))
    assert (made.width, made.height) == (640, 213)


async def test_noise_of_the_largest_size_fits_into_its_row() -> None:
    noise = Image.effect_noise((640, 320), 200).convert("RGB")
    layers = [Image.effect_noise((640, 320), 200) for _ in range(4)]
    noise = Image.merge("RGBA", layers)
    written = BytesIO()
    noise.save(written, "PNG")
    assert len((await draw_logo(written.getvalue())).content) <= 1_000_000


async def test_what_stood_beside_the_pixels_is_gone() -> None:
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    made = await draw_logo(picture(kind="JPEG", exif=exif) + b"<script>alert(1)</script>")
    assert b"home" not in made.content
    assert b"script" not in made.content


async def test_a_photograph_stands_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    made = await draw_logo(picture(40, 20, "JPEG", exif=exif))
    assert (made.width, made.height) == (20, 40)


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (SVG, "unknown_format"),
        (b"GIF89a" + bytes(40), "unknown_format"),
        (b"", "unknown_format"),
        (b"%PDF-1.7", "unknown_format"),
        (picture()[:60], "broken"),
        (picture(kind="JPEG")[:300], "broken"),
        (empty_png(60_000, 60_000), "too_many_pixels"),  # of 80 bytes, ten gigabytes
        (empty_png(9000, 100), "too_many_pixels"),
        (empty_png(4000, 3000), "broken"),
    ],
)
async def test_what_is_no_picture_is_refused_with_its_reason(sent: bytes, reason: str) -> None:
    with pytest.raises(LogoInvalid) as refused:
        await draw_logo(sent)
    assert refused.value.data["reason"] == reason
