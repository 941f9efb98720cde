"""The cells of sheets of stays, as people and their programs write them."""

import pytest

from bespeak.errors import InvalidRequest
from bespeak.verticals.sheets import Sheet
from bespeak.verticals.stays.sheets import (
    LISTINGS,
    PROPERTIES,
    ListingLine,
    PropertyLine,
    read_stays_sheet,
    said_cells,
)


def said(column: str, cell: str) -> object:
    other = "city" if column == "amenities" else "amenities"  # which alone tells no sheet
    sheet = read_stays_sheet(f'ref,{column},{other}\na,"{cell}",\n')
    return cells_of(sheet)[column]


def cells_of(sheet: Sheet) -> dict[str, object]:
    (numbered,) = sheet.lines
    return said_cells(sheet, numbered.line)


@pytest.mark.parametrize(
    ("column", "cell", "value"),
    [
        ("kind", "Hotel", "hotel"),
        ("lat", "53,55", 53.55),
        ("lat", "-53.55", -53.55),
        ("check_in_time", "9:00", "09:00"),
        ("check_in_time", "15:00:00", "15:00"),
        ("amenities", "Sea view, WiFi", ["sea_view", "wifi"]),
        ("languages", "de; en", ("de", "en")),
        ("country", "de", "DE"),
        ("stars", "4", 4),
        ("rooms", "3", 3),
        ("rooms", "3;", ("3",)),
        ("rooms", "101; 102", ("101", "102")),
        ("rooms", "Garden, Tower", ("Garden", "Tower")),
        ("published", "TRUE", True),
        ("published", "no", False),
        ("payment", "At venue", "at_venue"),
        ("beds", "double", [{"kind": "double", "count": 1}]),
        ("beds", "King; 2 cot", [{"kind": "king", "count": 1}, {"kind": "cot", "count": 2}]),
        ("beds", "2 x bunk", [{"kind": "bunk", "count": 2}]),
        ("house_rules", "'=1+1", "=1+1"),
        ("house_rules", "'quoted'", "'quoted'"),
    ],
)  # fmt: skip
def test_a_cell_is_read_as_it_is_meant(column: str, cell: str, value: object) -> None:
    assert said(column, cell) == value


@pytest.mark.parametrize(
    ("column", "cell"),
    [("lat", "nan"), ("lat", "1e999"), ("lat", "53° N"), ("stars", "-1"), ("stars", "4.0"),
     ("guests", "two"), ("check_in_time", "24:00"), ("beds", "2"), ("beds", "99999 single"),
     ("published", "perhaps"), ("kind", "")],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_with_its_column(column: str, cell: str) -> None:
    if not cell:
        assert column not in cells_of(read_stays_sheet(f"ref,{column}\na,\n"))
        return
    with pytest.raises(InvalidRequest) as refused:
        said(column, cell)
    assert refused.value.field == column


def test_each_sheet_is_told_by_columns_that_only_it_has() -> None:
    both = set(PropertyLine.__struct_fields__) & set(ListingLine.__struct_fields__)
    assert both == {"ref", "name", "amenities", "summary", "description"}
    for kind in (PROPERTIES, LISTINGS):
        for column in kind.told_by:
            assert read_stays_sheet(f"ref,{column}\n").kind is kind


def test_an_empty_cell_says_that_there_is_none() -> None:
    sheet = read_stays_sheet("ref,kind,stars,amenities,summary,country\na,,,,,\n")
    assert cells_of(sheet) == {
        "ref": "a",
        "stars": None,
        "amenities": (),
        "summary": "",
        "country": None,
    }
