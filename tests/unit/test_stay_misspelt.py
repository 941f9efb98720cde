"""Words that are misspelt, against all ways to mistype a word and all pairs of words."""

from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bespeak.verticals.stays.search import misspelt
from bespeak.verticals.stays.search.misspelt import named_nearly, nearly_begins, slips_of
from bespeak.verticals.stays.search.spoken import beginnings, folded

# Few letters, so that words are near each other; one shares its bit with `a`.
WORDS = st.text(alphabet="abcd\u0121", max_size=10)


def distance(one: str, other: str) -> int:
    """How many slips are between two words: the definition, letter by letter."""

    @cache
    def of(first: int, second: int) -> int:
        if not first or not second:
            return first + second
        differs = one[first - 1] != other[second - 1]
        least = min(
            of(first - 1, second) + 1,
            of(first, second - 1) + 1,
            of(first - 1, second - 1) + differs,
        )
        crossed = one[first - 2 : first] == other[second - 2 : second][::-1]
        if min(first, second) > 1 and crossed:
            least = min(least, of(first - 2, second - 2) + 1)
        return least

    return of(len(one), len(other))


def begins(word: str, typed: str, slips: int) -> bool:
    return any(distance(word[:end], typed) <= slips for end in range(len(word) + 1))


@given(WORDS, WORDS, st.integers(0, 2))
@example("kliff", "kilff", 1)
@example("abcdabcda", "badcabcda", 2)
def test_a_word_is_near_by_the_definition_of_slips(word: str, typed: str, slips: int) -> None:
    assert nearly_begins(word, typed, slips) == begins(word, typed, slips)


@given(
    st.lists(st.lists(WORDS, max_size=3), max_size=4),
    st.lists(WORDS.filter(bool), min_size=1, max_size=2),
)
def test_names_are_found_as_by_comparing_all_with_all(
    names: list[list[str]], typed: list[str]
) -> None:
    written = [folded(" ".join(words)) for words in names]
    asked = beginnings(" ".join(typed))
    expected = [
        all(
            any(begins(word, one.strip(), slips_of(one.strip())) for word in name.split())
            for one in asked
        )
        for name in written
    ]
    assert named_nearly([name.encode() for name in written], asked) == expected


@pytest.mark.parametrize(
    ("name", "text", "is_found"),
    [
        ("Hotel Kliff", "hotle", True),
        ("Hotel Kliff", "Kilff hotl", False),  # of four letters none is guessed
        ("Hotel Kliff", "klif", True),
        ("Gästehaus Möwe", "gestehaus mowe", True),
        ("Gästehaus Möwe", "gasethuas", True),
        ("Gästehaus Möwe", "gasetuhsa", False),
        ("Seeblick", "sehblik", False),  # two slips are for words from nine letters on
        ("Ξενοδοχείο", "ξενοδωχειο", True),
        ("Haus", "hauss", True),
    ],
)
def test_what_is_guessed_and_what_is_not(name: str, text: str, is_found: bool) -> None:
    assert named_nearly([folded(name).encode()], beginnings(text)) == [is_found]


def test_no_more_words_are_compared_than_one_search_is_worth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(misspelt, "COMPARED_MAX", 3)
    names = [folded(f"hotel{number}").encode() for number in range(10)]
    assert named_nearly(names, [" hotle"]) == [True] * 3 + [False] * 7
    assert named_nearly(names, [" hotel"]) == [True] * 10, "what is as typed is never left out"
