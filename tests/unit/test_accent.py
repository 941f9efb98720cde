"""Every colour that a merchant may choose can be read, in both themes."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.merchants.accent import (
    DARK_GROUNDS,
    LIGHT_GROUNDS,
    ThemeAccent,
    accent_of,
    check_colour,
    contrast,
)
from bespeak.merchants.errors import ColourIllegible

TOKENS = Path(__file__).resolve().parents[2] / "web/src/design/tokens.css"
COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


def test_contrasts_are_those_that_the_standard_names() -> None:
    """Known values: of black and white, and of the grey that just passes on white."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#ffffff", "#767676") == pytest.approx(4.54, abs=0.005)
    assert contrast("#123456", "#123456") == 1


@pytest.mark.parametrize(("theme", "grounds"), [("", LIGHT_GROUNDS), ("dark", DARK_GROUNDS)])
def test_the_grounds_are_those_of_the_pages(theme: str, grounds: tuple[str, ...]) -> None:
    light, dark = TOKENS.read_text().split(':root[data-theme="dark"]')
    text = dark if theme else light
    found = [re.search(rf"--{name}: (#\w+)", text) for name in ("ground", "surface", "surface-2")]
    assert tuple(one[1] for one in found if one is not None) == grounds


def check_legible(theme: ThemeAccent, grounds: tuple[str, ...]) -> None:
    for ground in (*grounds, theme.soft):
        assert contrast(theme.accent, ground) >= 4.5
        assert contrast(theme.strong, ground) >= 4.5
    assert contrast(theme.ink, theme.accent) >= 4.5
    assert contrast(theme.ink, theme.strong) >= 4.5


@given(COLOURS)
@pytest.mark.explores
def test_a_colour_is_legible_or_refused_with_one_that_is(colour: str) -> None:
    try:
        check_colour(colour)
    except ColourIllegible as error:
        nearest = error.data["nearest"]
        assert isinstance(nearest, str)
        check_colour(nearest)  # what is offered is taken
        colour = nearest
    made = accent_of(colour)
    assert made.light.accent == colour
    check_legible(made.light, LIGHT_GROUNDS)
    check_legible(made.dark, DARK_GROUNDS)


@pytest.mark.parametrize("colour", ["#ffcc00", "#ffffff", "#00ff00"])
def test_what_nobody_could_read_is_refused(colour: str) -> None:
    with pytest.raises(ColourIllegible) as refused:
        check_colour(colour)
    assert str(refused.value.data["nearest"]) in str(refused.value)


@pytest.mark.parametrize("colour", ["#000000", "#4a2fbd", "#0b6e4f"])
def test_what_can_be_read_is_taken(colour: str) -> None:
    check_colour(colour)
