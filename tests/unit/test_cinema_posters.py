"""Posters: always the same, well formed, and of nothing that people wrote but their words."""

import itertools
import re
from xml.etree import ElementTree

import pytest

from bespeak.verticals.cinema.catalogue import PosterSubject
from bespeak.verticals.cinema.demo.places import films
from bespeak.verticals.cinema.posters.canvas import WIDTH
from bespeak.verticals.cinema.posters.inks import inks_of
from bespeak.verticals.cinema.posters.poster import SCENES, draw, scene_of
from bespeak.verticals.cinema.posters.words import FACES, is_from_right, measure, set_title

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


def subject(title: str, director: str = "Mira Solberg-Das") -> PosterSubject:
    return PosterSubject("flm_000000000000", title, director, 2026, (210, 30))


@pytest.mark.parametrize("text", HOSTILE)
def test_what_people_write_stays_text(text: str) -> None:
    root = ElementTree.fromstring(draw(subject(text, text)))  # noqa: S314 - of our own making
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ALLOWED
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert "href" not in name.lower()
            if name != "font-family":
                assert re.fullmatch(r"[#\w\s.,()%-]*", value), (name, value)
            else:
                assert value in {face.family for face in FACES} or value.startswith("'Helvetica")


@pytest.mark.parametrize("scene", sorted(SCENES))
def test_every_scene_is_painted_the_same_again_and_otherwise_in_other_hues(scene: str) -> None:
    title = next(
        f"Film {number}" for number in itertools.count() if scene_of(f"Film {number}") == scene
    )
    first = subject(title)
    drawn = draw(first)
    draw.cache_clear()
    assert draw(first) == drawn
    assert draw(PosterSubject(first.film_id, title, first.director, 2026, (40, 280))) != drawn
    ElementTree.fromstring(drawn)  # noqa: S314 - of our own making


def test_the_films_of_the_demo_look_different() -> None:
    drawn = {draw(subject(film.title)) for film in films()}
    assert len(drawn) == len(films())
    assert len({scene_of(film.title) for film in films()}) >= 12


def test_a_title_keeps_its_words_and_fits() -> None:
    for face in FACES:
        for film in films():
            setting = set_title(film.title, face, WIDTH - 64, 150)
            shown = film.title.upper() if face.capitals else film.title
            assert " ".join(setting.lines) == shown
            assert setting.height <= 150
            for line in setting.lines:
                assert measure(line, face) * setting.size * face.width <= WIDTH - 64 + 1


def test_a_word_without_end_is_broken() -> None:
    setting = set_title("W" * 200, FACES[0], WIDTH - 64, 150)
    assert len(setting.lines) > 1
    for line in setting.lines:
        assert measure(line, FACES[0]) * setting.size <= WIDTH - 64 + 1


def test_the_direction_of_a_title_is_that_of_its_first_letter() -> None:
    assert is_from_right("«قطار» 9")
    assert not is_from_right("9 Tram قطار")
    assert not is_from_right("123")


def test_another_title_has_another_tag() -> None:
    assert subject("One").etag == subject("One").etag != subject("Two").etag


def test_words_are_read_on_what_they_stand_on() -> None:
    for hue in range(0, 360, 15):
        for light in ("day", "dusk", "night"):
            inks = inks_of((hue, (hue + 150) % 360), light)
            assert _contrast(inks.paper, inks.dark) >= 7
            assert _contrast(inks.ink, inks.paper) >= 7


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
