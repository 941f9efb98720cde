"""Towns as travellers type them: with a slip of the keys, too."""

import random

import pytest

from bespeak.translations import Translation
from bespeak.verticals.stays.search.cells import EarthPoint
from bespeak.verticals.stays.search.towns import Town, TownKey, chosen_towns, is_one_slip


def _town(name: str, **called: str) -> Town:
    words = tuple(Translation(language, {name: other}) for language, other in called.items())
    return Town(TownKey("default", name, "DE"), EarthPoint(0, 0), 1, words)


_TOWNS = [_town("Hamburg"), _town("Bamberg"), _town("München", en="Munich"), _town("Ulm")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hamb", ["Hamburg"]),
        ("Hambrug", ["Hamburg"]),
        ("hamburgg", ["Hamburg"]),
        ("amburg", ["Hamburg"]),
        ("hmab", ["Hamburg"]),
        ("bamburg", ["Hamburg", "Bamberg"]),  # one letter from both
        ("munihc", ["München"]),
        ("munchn", ["München"]),
        ("hambrgu", []),  # two slips
        ("ulx", []),  # too short to guess
        ("", ["Hamburg", "Bamberg", "München", "Ulm"]),
    ],
)
def test_a_town_is_found_with_one_slip_of_the_keys(text: str, found: list[str]) -> None:
    assert [town.key.city for town in chosen_towns(_TOWNS, text)] == found


def test_a_slip_is_what_one_slip_makes(dice: random.Random) -> None:
    for _ in range(2000):
        meant = "".join(dice.choices("abc", k=dice.randint(2, 7)))
        slips = {meant[:n] + meant[n + 1 :] for n in range(len(meant))}
        slips |= {meant[:n] + x + meant[n:] for n in range(len(meant) + 1) for x in "abc"}
        slips |= {meant[:n] + x + meant[n + 1 :] for n in range(len(meant)) for x in "abc"}
        slips |= {
            meant[:n] + meant[n + 1] + meant[n] + meant[n + 2 :] for n in range(len(meant) - 1)
        }
        typed = "".join(dice.choices("abc", k=dice.randint(1, 8)))
        assert is_one_slip(meant, typed) == (typed in slips), (meant, typed)
        slip = dice.choice(sorted(slips))
        assert is_one_slip(meant, slip), (meant, slip)
