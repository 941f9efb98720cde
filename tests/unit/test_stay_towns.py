"""Towns as travellers type them: whole, begun, by an inner word, with other signs, misspelt."""

import random

import pytest

from bespeak.translations import Translation
from bespeak.verticals.stays.search import misspelt
from bespeak.verticals.stays.search.cells import EarthPoint
from bespeak.verticals.stays.search.town_names import town_names
from bespeak.verticals.stays.search.towns import CodedTown, Town, TownBook, TownKey


def _town(name: str, **called: str) -> Town:
    words = tuple(Translation(language, {name: other}) for language, other in called.items())
    names = town_names(name, *called.values())
    return Town(TownKey("default", name, "DE"), EarthPoint(0, 0), 1, words, names)


def _found(towns: list[Town], text: str) -> list[str]:
    book = TownBook([CodedTown(town, ()) for town in towns])
    return [one.town.key.city for one in book.chosen(text, 99) or book.nearly(text, 99)]


# As the index has them: those with the most listings first.
_TOWNS = [_town("Hamburg"), _town("Bamberg"), _town("München", en="Munich"), _town("Ulm")]
_MANY = [
    *(_town("Saint-Malo"), _town("Frankfurt am Main"), _town("St Peter-Ording")),
    *(_town("Halle an der Saale"), _town("Bad Tölz"), _town("Sankt Peter"), _town("Mainz")),
    *(_town("Halle"), _town("Baden-Baden"), _town("Stuttgart"), _town("L'Aquila")),
    *(_town("Sainte-Maxime"), _town("Århus"), _town("القاهرة", en="Cairo"), _town("St.Gallen")),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hamb", ["Hamburg"]),
        ("Hambrug", ["Hamburg"]),
        ("hamburgg", ["Hamburg"]),
        ("amburg", ["Hamburg"]),
        ("hmabu", ["Hamburg"]),
        ("hmab", []),  # too short to guess, as the words of a search are
        ("bamburg", ["Hamburg", "Bamberg"]),  # one letter from both
        ("munihc", ["München"]),
        ("munchn", ["München"]),
        ("hambrgu", []),  # two slips
        ("ulx", []),  # too short to guess
        ("", ["Hamburg", "Bamberg", "München", "Ulm"]),
        (" .,- ", ["Hamburg", "Bamberg", "München", "Ulm"]),
    ],
)
def test_a_town_is_found_with_one_slip_of_the_keys(text: str, found: list[str]) -> None:
    assert _found(_TOWNS, text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # The whole name goes before how many listings there are, and a beginning before a word.
        ("halle", ["Halle", "Halle an der Saale"]),
        ("hall", ["Halle an der Saale", "Halle"]),
        ("main", ["Mainz", "Frankfurt am Main"]),
        ("peter", ["St Peter-Ording", "Sankt Peter"]),
        ("tolz", ["Bad Tölz"]),
        ("Tölz", ["Bad Tölz"]),
        ("TOELZ", ["Bad Tölz"]),
        ("bad toe", ["Bad Tölz"]),
        ("aarhus", ["Århus"]),
        ("arhus", ["Århus"]),
        ("frankfurt main", ["Frankfurt am Main"]),  # the words that one remembers
        ("saale halle", ["Halle an der Saale"]),
        ("baden baden", ["Baden-Baden"]),
        ("aquila", ["L'Aquila"]),
        ("cairo", ["القاهرة"]),
        ("القاه", ["القاهرة"]),
    ],
)
def test_a_whole_name_goes_before_a_beginning_and_that_before_a_word(
    text: str, found: list[str]
) -> None:
    assert _found(_MANY, text) == found


def test_a_town_of_signs_alone_is_there_and_not_first() -> None:
    towns = [_town("Ulm", en="-"), _town("..."), _town("Bonn")]
    assert _found(towns, "") == ["Ulm", "...", "Bonn"]
    assert _found(towns, "...") == ["Ulm", "...", "Bonn"]
    assert _found(towns, "bon") == ["Bonn"]


@pytest.mark.parametrize("saint", ["st", "St.", "saint", "Sankt", "SANKT-", "st.-"])
def test_saints_are_alike_however_they_are_written(saint: str) -> None:
    assert _found(_MANY, f"{saint} peter") == ["Sankt Peter", "St Peter-Ording"]
    assert _found(_MANY, f"{saint} peter ording") == ["St Peter-Ording"]
    assert _found(_MANY, f"{saint}  malo") == ["Saint-Malo"]
    assert _found(_MANY, f"{saint} gal") == ["St.Gallen"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sain", ["Saint-Malo", "Sainte-Maxime"]),  # while one types
        ("sank", ["Sankt Peter"]),
        ("st maxime", ["Sainte-Maxime"]),
        ("st", ["Saint-Malo", "St Peter-Ording", "Sankt Peter", "Stuttgart", "Sainte-Maxime"]),
    ],
)
def test_what_is_begun_of_a_saint_is_found(text: str, found: list[str]) -> None:
    assert _found(_MANY, text)[:5] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("badtolz", ["Bad Tölz"]),  # a space is a key, too
        ("ordign", ["St Peter-Ording"]),  # an inner word
        ("saint mlao", ["Saint-Malo"]),
        ("farnkfrut am main", ["Frankfurt am Main"]),  # two, from nine letters on
        ("farnkfrut an main", []),
        ("mani", []),
        ("xaint", ["Saint-Malo", "Sainte-Maxime"]),
    ],
)
def test_slips_are_looked_for_in_all_of_a_name(text: str, found: list[str]) -> None:
    assert _found(_MANY, text) == found


def test_a_name_with_one_slip_is_found_whatever_it_is(dice: random.Random) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    for town in _MANY:
        name = next(iter(town.names.spoken.split("\n")[1:])).strip()
        if len(name.replace(" ", "")) < 6 or not name.isascii():
            continue
        for _ in range(50):
            at = dice.randrange(1, len(name) - 1)
            slip = dice.choice(
                (
                    name[:at] + name[at + 1 :],
                    name[:at] + dice.choice(letters) + name[at:],
                    name[:at] + dice.choice(letters) + name[at + 1 :],
                    name[:at] + name[at + 1] + name[at] + name[at + 2 :],
                )
            )
            found = _found(_MANY, slip)
            assert town.key.city in found, (town.key.city, slip, found)


def test_no_more_towns_are_compared_than_one_question_is_worth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(misspelt, "COMPARED_MAX", 3)
    towns = [_town(f"Hotel{number}") for number in range(10)]
    assert len(_found(towns, "hotle")) == 3
    assert len(_found(towns, "hotel")) == 10, "what is as typed is never left out"
