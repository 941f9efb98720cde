"""Columns of translations in the cinema's sheets: what they say, what they leave alone, and where
they are wrong."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.errors import InvalidRequest
from bespeak.translations import LANGUAGES_MAX, LETTERS_MAX, Translation
from bespeak.verticals.cinema.sheets import FILMS, FilmLine, read_sheet
from bespeak.verticals.errors import CatalogueInvalid
from bespeak.verticals.sheet_words import (
    Texts,
    WordColumn,
    read_word_columns,
    said_words,
    same_words,
)

TEXTS: Texts = {
    "title": ("Kites",),
    "tagline": ("Let go",),
    "synopsis": (),
    "rating": ("All",),
    "genres": ("Family", "Drama"),
}
LANGUAGES = ("de", "ar", "pt-BR", "zh-Hant-TW")
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1).filter(
    lambda word: word == word.strip()
)


def said(
    cells: dict[str, str], *stored: Translation, texts: Texts = TEXTS
) -> tuple[Translation, ...]:
    columns = read_word_columns(FILMS, list(cells))
    return said_words(columns, {name.lower(): cell for name, cell in cells.items()}, texts, stored)


def refused(text: str) -> CatalogueInvalid:
    with pytest.raises(CatalogueInvalid) as refusal:
        read_sheet(text)
    return refusal.value


def test_columns_of_any_language_are_read_beside_the_others() -> None:
    sheet = read_sheet(
        "Title,minutes,released,title:de,TITLE:pt-BR,genres : zh-Hant\n"
        "Kites,90,2026-01-01,Drachen,,x\n"
    )
    ((numbered, line),) = list(sheet.of(FilmLine))
    assert sheet.words == (
        WordColumn("title:de", "title", "de"),
        WordColumn("title:pt-br", "title", "pt-BR"),
        WordColumn("genres : zh-hant", "genres", "zh-Hant", is_list=True),
    )
    assert (line.title, numbered.words) == (
        "Kites",
        {"title:de": "Drachen", "genres : zh-hant": "x"},
    )


def test_a_category_with_a_colon_is_a_price() -> None:
    sheet = read_sheet(
        "film,screen,date,time,language,price box: left,language:de\n"
        "Kites,1,2026-12-05,19:30,Hindi,12,Hindisch\n"
    )
    assert sheet.lines[0].prices == {"box: left": "12"}
    assert sheet.lines[0].words == {"language:de": "Hindisch"}


@pytest.mark.parametrize(
    ("column", "why"),
    [
        ("title:", "'' is no language"),
        ("title:d", "'d' is no language"),
        ("title:de_AT", "'de_AT' is no language"),
        ("title:de:at", "'de:at' is no language"),
        ("director:de", "in a sheet of films, translated are title, tagline, synopsis"),
        (":de", "translated are"),
        ("language:de", "translated are"),
        ("title:de,title:de", "twice"),
        ("title:de,TITLE:DE", "twice"),
        ("title:de,title : de", "twice"),
        (
            ",".join(f"title:{one}" for one in ("x" + chr(97 + n) for n in range(21))),
            "more than 20",
        ),
    ],
)
def test_a_column_that_cannot_be_is_refused_with_its_place(column: str, why: str) -> None:
    error = refused(f"title,minutes,released,{column}\n")
    last = column.rsplit(",", maxsplit=1)[-1]
    assert error.code == "catalogue_invalid"
    assert str(error.data["where"]).lower() == f"line 1, column {last}".lower()
    assert re.search(re.escape(why), error.detail), error.detail


def test_cells_say_what_the_texts_of_their_line_are_called() -> None:
    words = said({"title:de": "Drachen", "genres:de": "Familie; Drama", "title:ar": "طائرات"})
    assert words == (
        Translation("de", {"Drama": "Drama", "Family": "Familie", "Kites": "Drachen"}),
        Translation("ar", {"Kites": "طائرات"}),
    )


def test_what_no_column_speaks_of_stays_and_an_empty_cell_takes_away() -> None:
    stored = (
        Translation("de", {"Kites": "Drachen", "Let go": "Lass los", "Hindi": "Hindi-de"}),
        Translation("AR", {"Kites": "طائرات"}),
    )
    assert same_words(said({}, *stored), stored)
    words = said({"title:de": "", "rating:ar": "للجميع"}, *stored)
    assert words == (
        Translation("de", {"Hindi": "Hindi-de", "Let go": "Lass los"}),
        Translation("AR", {"All": "للجميع", "Kites": "طائرات"}),
    )
    assert said({"title:ar": ""}, stored[1]) == ()


def test_a_part_of_a_list_may_be_left_out() -> None:
    assert said({"genres:de": "; Drama!"}) == (Translation("de", {"Drama": "Drama!"}),)
    assert said({"genres:de": "Familie;"}) == (Translation("de", {"Family": "Familie"}),)
    assert said({"genres:de": "Familie, Drama!; ; "}) == (
        Translation("de", {"Family": "Familie, Drama!"}),
    )


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"genres:de": "Familie"}, "genres:de"),
        ({"genres:de": "a; b; c"}, "genres:de"),
        ({"synopsis:de": "Worum es geht"}, "synopsis:de"),
        ({"title:de": "x" * 4001}, "title:de"),
        ({"title:de": "a\x07"}, "title:de"),
    ],
)
def test_a_cell_that_cannot_be_is_refused_with_its_column(
    cells: dict[str, str], column: str
) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        said(cells)
    assert refusal.value.data["field"] == column


def test_one_text_is_called_one_thing() -> None:
    twice: Texts = {**TEXTS, "tagline": ("Kites",)}
    words = said({"title:de": "Drachen", "tagline:de": ""}, texts=twice)
    assert words == (Translation("de", {"Kites": "Drachen"}),)
    with pytest.raises(InvalidRequest) as refusal:
        said({"title:de": "Drachen", "tagline:de": "Anders"}, texts=twice)
    assert refusal.value.data["field"] == "tagline:de"


def test_kept_languages_count_too() -> None:
    stored = [Translation("x" + chr(97 + n), {"a": "b"}) for n in range(LANGUAGES_MAX)]
    assert len(said({"title:xa": "Drachen"}, *stored)) == LANGUAGES_MAX
    with pytest.raises(InvalidRequest) as refusal:
        said({"title:de": "Drachen"}, *stored)
    assert refusal.value.data["field"] == "title:de"


def test_all_translations_of_a_thing_have_so_many_letters() -> None:
    long = {f"{count:02}": "x" * 4000 for count in range(LETTERS_MAX // 4002)}
    stored = Translation("de", long)
    with pytest.raises(InvalidRequest, match="letters") as refusal:
        said({"title:de": "x" * 4000}, stored)
    assert refusal.value.data["field"] == "title:de"


@given(
    st.dictionaries(
        st.sampled_from([f"{field}:{tag}" for field in ("title", "rating") for tag in LANGUAGES]),
        WORDS,
    ),
    st.lists(st.sampled_from(LANGUAGES), unique=True),
)
def test_what_is_said_again_changes_nothing(cells: dict[str, str], kept: list[str]) -> None:
    stored = tuple(Translation(language, {"Hindi": language}) for language in kept)
    once = said(cells, *stored)
    assert said(cells, *once) == once
    assert said({}, *once) == once
    words = {one.language: one.words for one in once}
    for column, word in cells.items():
        field, language = column.split(":")
        assert words[language][TEXTS[field][0]] == word
    assert all(words[language]["Hindi"] == language for language in kept)
