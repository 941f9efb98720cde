"""Posters: the pictures of the demo's films, and the placeholder of a film without a picture. They
are well formed, and of nothing that people wrote but their words.
"""

import colorsys
import re
from xml.etree import ElementTree

import pytest

from bespeak.verticals.cinema.demo.places import films, poster
from bespeak.verticals.cinema.film_rows import PosterSubject
from bespeak.verticals.cinema.placeholder import HEIGHT, WIDTH, is_from_right, placeholder

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {
    "svg", "title", "defs", "linearGradient", "radialGradient", "stop", "rect", "circle", "ellipse",
    "path", "polygon", "g", "text",
}  # fmt: skip
HOSTILE = (
    "<script>alert(1)</script>",
    '"><image href="https://example.org/x.png"/>',
    "' onload='alert(1)",
    "]]><!--&entity;-->",
    "قطار منتصف الليل",
    "🐋🌙🚂",
    "W" * 200,
    "a\u200fb\u202ec\ufffe\u0085d",
    "Słoń i żółw " * 12,
    " ".join("x" for _ in range(100)),
)
SHIPPED_BYTES_MAX = 1_000_000


def subject(title: str, director: str = "Mira Solberg-Das") -> PosterSubject:
    return PosterSubject("flm_000000000000", title, director, 2026, (210, 30))


def parsed(drawn: str) -> ElementTree.Element:
    """The picture, with nothing in it that could act or fetch."""
    root = ElementTree.fromstring(drawn)  # noqa: S314 - of our own making
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ALLOWED
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert "href" not in name.lower()
            assert "url(" not in value or re.fullmatch(r"url\(#\w+\)", value)
            if name != "font-family":
                assert re.fullmatch(r"[#\w\s.,()%-]*", value), (name, value)
    return root


@pytest.mark.parametrize("text", HOSTILE)
def test_what_people_write_stays_text_and_on_the_poster(text: str) -> None:
    for line in parsed(placeholder(subject(text, text))).iter(f"{SVG}text"):
        size, y = int(line.attrib["font-size"]), float(line.attrib["y"])
        assert size <= y <= HEIGHT
        is_pressed = line.attrib.get("textLength") == str(WIDTH - 64)
        assert is_pressed or 0.6 * size * len(line.text or "") <= WIDTH - 64


def test_a_title_keeps_its_words() -> None:
    for film in films():
        lines = [
            line.text or "" for line in parsed(placeholder(subject(film.title))).iter(f"{SVG}text")
        ]
        assert " ".join(lines[:-1]) == film.title
        assert lines[-1] == "Mira Solberg-Das · 2026"


def test_a_placeholder_is_the_same_again_and_otherwise_in_other_hues() -> None:
    first = placeholder(subject("One"))
    placeholder.cache_clear()
    assert placeholder(subject("One")) == first
    other = PosterSubject("flm_000000000000", "One", "Mira Solberg-Das", 2026, (40, 280))
    assert placeholder(other) != first


def test_every_film_of_the_demo_has_a_picture_of_its_own() -> None:
    drawn = [poster(film) for film in films()]
    assert len(set(drawn)) == len(films())
    assert sum(len(one.encode()) for one in drawn) < SHIPPED_BYTES_MAX
    for film, one in zip(films(), drawn, strict=True):
        assert parsed(one).findtext(f"{SVG}title") == film.title


def test_the_direction_of_a_title_is_that_of_its_first_letter() -> None:
    assert is_from_right("«قطار» 9")
    assert not is_from_right("9 Tram قطار")
    assert not is_from_right("123")


def test_another_title_or_picture_has_another_tag() -> None:
    assert subject("One").etag == subject("One").etag != subject("Two").etag
    pictured = PosterSubject("flm_000000000000", "One", "Mira Solberg-Das", 2026, (210, 30), "d41d")
    assert pictured.etag != subject("One").etag


def test_words_are_read_on_what_they_stand_on() -> None:
    for hue in range(0, 360, 5):
        assert 1.05 / (_luminance(colorsys.hls_to_rgb(hue / 360, 0.20, 0.45)) + 0.05) >= 7


def _luminance(color: tuple[float, float, float]) -> float:
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
