"""The tiles of the map of stays, as the settings name them."""

import pytest

from bespeak import Settings
from bespeak.errors import InvalidSetting
from bespeak.http.server.map_tiles import map_tiles_of

CREDIT = "© OpenStreetMap contributors"


def of(url: str, credit: str = CREDIT) -> object:
    return map_tiles_of(Settings(map_tiles=url, map_tiles_credit=credit))


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://tiles.example/{z}/{x}/{y}.png", "https://tiles.example"),
        (" https://Tiles.Example:8443/a/{z}/{y}/{x}?key=a%20b ", "https://tiles.example:8443"),
        ("http://[::1]:8080/{z}/{x}/{y}", "http://[::1]:8080"),
        ("/tiles/{z}/{x}/{y}.webp", None),
    ],
)
def test_they_are_where_the_operator_says(url: str, origin: str | None) -> None:
    found = map_tiles_of(Settings(map_tiles=url, map_tiles_credit=f" {CREDIT} "))
    assert found is not None
    assert (found.url, found.credit, found.origin) == (url.strip(), CREDIT, origin)


def test_there_are_none_unless_somebody_says_so() -> None:
    assert map_tiles_of(Settings()) is None
    assert of("  ") is None


@pytest.mark.parametrize(
    "url",
    [
        "https://tiles.example/{z}/{x}.png",
        "https://tiles.example/{z}/{x}/{y}/{y}.png",
        "https://tiles.example; script-src/{z}/{x}/{y}",
        "https://me:secret@tiles.example/{z}/{x}/{y}",
        "https://{z}.tiles.example/{x}/{y}",
        "//tiles.example/{z}/{x}/{y}",
        "/\\tiles.example/{z}/{x}/{y}",
        "ftp://tiles.example/{z}/{x}/{y}",
        "javascript:alert(1)//{z}{x}{y}",
        "tiles/{z}/{x}/{y}",
        "https://tiles.example/{z}/ {x}/{y}",
        "https://tïles.example/{z}/{x}/{y}",
    ],
)
def test_what_cannot_be_is_refused_by_its_name(url: str) -> None:
    with pytest.raises(InvalidSetting, match=r": BESPEAK_MAP_TILES ") as refused:
        of(url)
    assert refused.value.data["variable"] == "BESPEAK_MAP_TILES"


def test_whose_they_are_must_be_said() -> None:
    with pytest.raises(InvalidSetting, match=r": BESPEAK_MAP_TILES_CREDIT "):
        of("/{z}/{x}/{y}", " ")


def test_they_have_a_bound() -> None:
    with pytest.raises(InvalidSetting, match="BESPEAK_MAP_TILES"):
        Settings.read({"BESPEAK_MAP_TILES": "/{z}/{x}/{y}" + "a" * 500})
