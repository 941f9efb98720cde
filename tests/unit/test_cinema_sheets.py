"""Spreadsheets of a cinema: what they say, and where they are wrong."""

import pytest

from bespeak.errors import InvalidRequest
from bespeak.verticals.cinema.names import FILM, check_id, id_of, named_id, ref_of
from bespeak.verticals.cinema.sheets import FilmLine, ShowLine, moment_of, read_sheet
from bespeak.verticals.errors import CatalogueInvalid
from bespeak.verticals.local_times import read_moment
from bespeak.verticals.searching import search_patterns, searchable
from bespeak.verticals.sheets import amount_of, listed

SHOWS = "film,screen,date,time,language,price standard\n"


def faults(text: str) -> list[str]:
    return [one.where for one in read_sheet(text).problems]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_first_line_says_what_it_is_and_how_its_cells_are_parted(delimiter: str) -> None:
    sheet = read_sheet(
        "\ufeff" + delimiter.join(("Film", "Screen", "Date", "Time", "Language")) + "\r\n"
        + delimiter.join(("Kites", "1", "2026-12-05", "19:30", "Hindi")) + "\r\n\r\n"
        + delimiter.join(("", "", "", "", "")) + "\r\n"
    )  # fmt: skip
    assert (sheet.kind.name, sheet.problems) == ("shows", [])
    ((numbered, line),) = list(sheet.of(ShowLine))
    assert (numbered.number, line.film, line.format) == (2, "Kites", "2D")


def test_quotes_and_line_breaks_in_a_cell() -> None:
    sheet = read_sheet(
        'title,minutes,released,synopsis\n"A, ""B""",90,2026-01-01,"one\ntwo"\nC,1\n'
    )
    ((numbered, line),) = list(sheet.of(FilmLine))
    assert (numbered.number, line.title, line.synopsis) == (3, 'A, "B"', "one\ntwo")
    assert [one.where for one in sheet.problems] == ["line 4, column released"]


@pytest.mark.parametrize(
    "text",
    ["", "\n", "a,b\n", "film,film,screen\n", "film,colour\n", "price standard\n",
     "title,price x\n", 'film,screen\n"open', "{}"],
)  # fmt: skip
def test_what_is_no_sheet_is_refused(text: str) -> None:
    with pytest.raises(CatalogueInvalid) as refused:
        read_sheet(text)
    assert "where" in refused.value.data


def test_every_line_that_is_wrong_is_told_with_its_column() -> None:
    text = SHOWS + "Kites,1,2026-12-05,19:30,Hindi,1,2\n"  # more cells than columns
    text += ",1,2026-12-05,19:30,Hindi,1\n"
    text += f"Kites,1,2026-12-05,19:30,{'x' * 41},1\n"
    text += "Kites,1,2026-12-05,19:30,Hi\x00ndi,1\n"
    assert faults(text) == [
        "line 2", "line 3, column film", "line 4, column language", "line 5",
    ]  # fmt: skip


def test_faults_are_told_up_to_a_bound() -> None:
    assert len(faults(SHOWS + ",,,,x,\n" * 500)) == 100


def test_prices_are_by_category() -> None:
    sheet = read_sheet(SHOWS + "Kites,1,2026-12-05,19:30,Hindi,12.50\n")
    assert sheet.lines[0].prices == {"standard": "12.50"}


@pytest.mark.parametrize(
    ("text", "digits", "amount"),
    [("12", 2, 1200), ("12.5", 2, 1250), ("12,50", 2, 1250), ("0", 2, 0), ("1 200", 0, 1200),
     ("1.234", 3, 1234)],
)  # fmt: skip
def test_a_price_is_read_as_it_is_written(text: str, digits: int, amount: int) -> None:
    assert amount_of(text, digits, "price x") == amount


@pytest.mark.parametrize("text", ["", "-1", "1.234", "1,2,3", "ten", "1e3", "9" * 13, "١٢", "nan"])
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        amount_of(text, 2, "price x")
    assert refused.value.data["field"] == "price x"


def test_dates_and_times_of_cells() -> None:
    assert moment_of("2026-12-05", "9:30") == "2026-12-05T09:30"
    assert moment_of("5.12.2026", "21:15:00") == "2026-12-05T21:15"


@pytest.mark.parametrize(
    ("day", "clock", "field"),
    [("2026-02-30", "19:30", "date"), ("05/12/2026", "19:30", "date"), ("", "19:30", "date"),
     ("2026-12-05", "24:00", "time"), ("2026-12-05", "19.30", "time"),
     ("2026-12-05", "7:30 pm", "time"), ("31.2.2026", "19:30", "date")],
)  # fmt: skip
def test_what_is_no_date_or_time_is_refused(day: str, clock: str, field: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        moment_of(day, clock)
    assert refused.value.data["field"] == field


def test_a_time_without_an_offset_is_by_the_clocks_of_the_city() -> None:
    summer, winter = "2026-07-01T20:00", "2026-12-01T20:00"
    assert read_moment(summer, "Europe/Berlin").isoformat() == "2026-07-01T18:00:00+00:00"
    assert read_moment(winter, "Europe/Berlin").isoformat() == "2026-12-01T19:00:00+00:00"
    assert read_moment(winter + "+05:30", "Europe/Berlin").isoformat()[11:16] == "14:30"
    # The hour that comes twice is the first of the two; the one that never comes is refused.
    assert read_moment("2026-10-25T02:30", "Europe/Berlin").isoformat()[11:16] == "00:30"
    with pytest.raises(InvalidRequest, match="skip"):
        read_moment("2027-03-28T02:30", "Europe/Berlin")


@pytest.mark.parametrize(
    "text", ["", "tomorrow", "2026-13-01T00:00", "0001-01-01T00:00", "9999-12-31T23:59-12:00",
             "2026-12-01T20:00+99:00"],
)  # fmt: skip
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_moment(text, "Asia/Kolkata")
    assert refused.value.data["field"] == "starts_at"


def test_a_cell_with_several() -> None:
    assert listed("a; b ;;c") == ("a", "b", "c")
    assert listed("a, b") == ("a", "b")
    assert listed("a, b; c") == ("a, b", "c")
    assert listed(" ") == ()


def test_a_reference_makes_one_id_and_an_id_names_itself() -> None:
    ref = ref_of("  The   Kites ", "Screen 1")
    assert ref == "the kites/screen 1"
    assert id_of(FILM, ref) == id_of(FILM, ref) != id_of(FILM, ref + "x")
    assert check_id(FILM, id_of(FILM, ref)) == named_id(FILM, id_of(FILM, ref))
    assert named_id(FILM, ref) == id_of(FILM, ref)
    assert named_id(FILM, id_of("scr", ref)) != id_of("scr", ref)  # another kind: a reference


def test_the_search_knows_no_case_and_no_accents() -> None:
    assert searchable("Żółw  Ærø", "STRASSE") == "zolw aero strasse"
    assert search_patterns("100% _x\\") == ["%100\\%%", "%\\_x\\\\%"]
    assert search_patterns("  ") == []
    assert len(search_patterns("a " * 50)) == 10
