"""Films as a sheet: what is written is read again as it was; what no sheet can say is refused."""

from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.errors import InvalidRequest
from bespeak.formulas import begins_formula, guarded, unguarded
from bespeak.translations import LANGUAGES_MAX, Translation
from bespeak.verticals.cinema.film_sheets import write_films
from bespeak.verticals.cinema.forms import NewFilm
from bespeak.verticals.cinema.sheet_parts import film_texts
from bespeak.verticals.cinema.sheets import FilmLine, read_sheet
from bespeak.verticals.sheet_words import said_words, same_words
from bespeak.verticals.sheets import listed

FILM = NewFilm(
    title="Kites",
    minutes=90,
    released=date(2099, 5, 1),
    tagline='Let go, of "all".',
    genres=("Family", "Drama, old"),
    translations=(
        Translation("de", {"Kites": "Drachen", "Family": "Familie"}),
        Translation("pt-BR", {"Kites": "Pipas"}),
    ),
)
TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters=";"),
    min_size=1,
    max_size=30,
).filter(lambda text: text == text.strip())
LANGUAGES = ("de", "ar", "pt-BR")


@st.composite
def translated(draw: st.DrawFn, texts: list[str]) -> tuple[Translation, ...]:
    languages = draw(st.lists(st.sampled_from(LANGUAGES), unique=True))
    words = st.dictionaries(st.sampled_from(texts), TEXT, min_size=1)
    return tuple(Translation(language, draw(words)) for language in languages)


@st.composite
def films(draw: st.DrawFn) -> NewFilm:
    title, tagline = draw(TEXT), draw(TEXT | st.just(""))
    genres = draw(st.lists(TEXT, unique=True, max_size=3))
    film = NewFilm(
        title=title,
        minutes=draw(st.integers(1, 1000)),
        released=draw(st.dates(date(1888, 1, 1), date(2200, 1, 1))),
        tagline=tagline,
        genres=tuple(genres),
        cast=tuple(draw(st.lists(TEXT, max_size=3))),
        ref=draw(st.just(msgspec.UNSET) | TEXT),
    )
    texts = [text for text in (title, tagline, *genres) if text]
    return msgspec.structs.replace(film, translations=draw(translated(texts)))


def test_a_sheet_has_a_column_for_each_text_that_is_translated() -> None:
    assert write_films([FILM]) == (
        "title,minutes,released,original_title,tagline,synopsis,rating,genres,director,cast,ref,"
        "title:de,genres:de,title:pt-BR\n"
        'Kites,90,2099-05-01,,"Let go, of ""all"".",,,"Family; Drama, old",,,,'
        "Drachen,Familie; ,Pipas\n"
    )


def test_a_language_is_spelled_in_one_way() -> None:
    other = msgspec.structs.replace(
        FILM, title="Rain", translations=(Translation("DE", {"Rain": "Regen"}),)
    )
    sheet = read_sheet(write_films([FILM, other]))
    assert {one.language for one in sheet.words} == {"de", "pt-BR"}
    assert sheet.lines[1].words == {"title:de": "Regen"}


@given(st.lists(films(), max_size=4))
def test_what_is_written_is_read_again(made: list[NewFilm]) -> None:
    sheet = read_sheet(write_films(made))
    assert sheet.problems == []
    read = list(sheet.of(FilmLine))
    assert len(read) == len(made)
    for (numbered, line), film in zip(read, made, strict=True):
        assert (line.title, line.minutes, line.released) == (
            film.title,
            film.minutes,
            film.released,
        )
        assert (line.tagline, listed(line.genres), listed(line.cast)) == (
            film.tagline,
            film.genres,
            film.cast,
        )
        texts = film_texts(line, listed(line.genres))
        for stored in (film.translations, ()):
            words = said_words(sheet.words, numbered.words, texts, stored)
            assert same_words(words, film.translations)


@pytest.mark.parametrize(
    ("changes", "column"),
    [
        ({"title": " Kites"}, "title"),
        ({"synopsis": "one\r\ntwo"}, "synopsis"),
        ({"cast": ("a;b",)}, "cast"),
        ({"translations": (Translation("de", {"Kites": " Drachen"}),)}, "title:de"),
        ({"translations": (Translation("de", {"Family": "a; b"}),)}, "genres:de"),
    ],
)
def test_what_no_sheet_can_say_is_refused(changes: dict[str, object], column: str) -> None:
    film = msgspec.structs.replace(FILM, **changes)
    with pytest.raises(InvalidRequest) as refused:
        write_films([film])
    assert refused.value.data["field"] == column


def test_a_sheet_has_so_many_languages() -> None:
    words = tuple(Translation(f"x{chr(97 + n)}", {"Kites": "K"}) for n in range(LANGUAGES_MAX))
    other = msgspec.structs.replace(FILM, translations=words)
    assert read_sheet(write_films([other])).problems == []
    with pytest.raises(InvalidRequest, match="more than 20 languages"):
        write_films([FILM, other])


@given(st.text("'=+-@ a"))
def test_a_guarded_cell_is_read_as_it_was(text: str) -> None:
    cell = guarded(text)
    assert not begins_formula(cell)
    assert unguarded(cell) == text


def test_no_text_is_a_formula() -> None:
    film = msgspec.structs.replace(FILM, tagline="=1+1", genres=("-Drama", "'=x"), synopsis="'+1")
    sheet = write_films([film])
    assert "'=1+1" in sheet and "'-Drama; '=x" in sheet and "''+1" in sheet
    ((_, line),) = list(read_sheet(sheet).of(FilmLine))
    assert (line.tagline, line.synopsis) == (film.tagline, film.synopsis)
    assert listed(line.genres) == film.genres
