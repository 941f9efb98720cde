"""What travellers type begins words of names, whatever the case, the accents and the signs."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.translations import Translation
from bespeak.verticals.searching import searchable
from bespeak.verticals.stays.search.spoken import beginnings, folded, names_of


def _is_called(name: str, text: str) -> bool:
    return all(word in folded(name) for word in beginnings(text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Hôtel d'Été", "hotel ete"),
        ("Gasthof Größe", "GROSSE gast"),
        ("Haus-am-Hafen", "haf"),
        ("B&B No. 5", "b 5"),
        ("Ξενοδοχείο Αθήνα", "αθην"),
        ("Hotel St. Pauli", "sankt pauli"),
        ("Haus Sankt-Peter", "saint pet"),
        ("Sainte-Maxime", "st maxime"),
        ("St Malo", "sain"),
        ("anything", ""),
        ("anything", " .,- "),
    ],
)
def test_words_that_begin_like_these_are_found(name: str, text: str) -> None:
    assert _is_called(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Hotel", "otel"),
        ("Haus", "hause"),
        ("Am Hafen", "amhafen"),
        ("", "a"),
        ("Stuttgart", "sankt"),
    ],
)
def test_other_words_are_not(name: str, text: str) -> None:
    assert not _is_called(name, text)


@given(st.text(max_size=60), st.integers(1, 10))
def test_a_name_is_found_by_how_its_words_begin(name: str, letters: int) -> None:
    begun = " ".join(word[:letters] for word in folded(name).split())
    assert _is_called(name, name)
    assert _is_called(name, begun)


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=40))
def test_plain_letters_are_folded_as_all_others(text: str) -> None:
    bare = unicodedata.normalize("NFKD", text.casefold())
    assert searchable(text) == " ".join(bare.split())
    assert searchable(text + "é") == " ".join((bare + "e").split())


def test_a_name_is_what_it_is_called_in_any_language_and_not_a_whole_book() -> None:
    said = (
        Translation("de", {"Mill": "Mühle", "Other": "x"}),
        Translation("fr", {"Mill": "m" * 999}),
    )
    assert list(names_of("Mill", said)) == ["Mill", "Mühle", "m" * 200]
