"""Sheets of stays: what their lines say, what they leave alone, where they are wrong, and that what
is exported is imported again as it was.
"""

import pytest

import bespeak
from bespeak.inventory import workspaces
from bespeak.inventory.workspaces import DEFAULT
from bespeak.verticals.stays.files import export_file, import_file
from bespeak.verticals.vertical import ImportReport
from tests.harness.database import Connection

HOUSES = """ref;name;Kind;lat;lon;time_zone;city;country;check_in_time;stars;amenities;name:en
harbour;Haus am Hafen;Hotel;53,5453;9,969;Europe/Berlin;Hamburg;de;9:00;3;WiFi, Sea view;Harbour
hut;-Hütte;cabin;-33.5;9.969;Europe/Berlin;;;15:00:00;;;
"""
ROOMS = """ref,property,name,guests,rooms,price,currency,payment,min_stay,beds,published,name:en
double,harbour,Doppel,2,101; 102,120.50,eur,at_venue,2,double; 2 single,yes,Double
suite,harbour,"=Suite, groß",4,Turm;,300,EUR,at_venue,,king,FALSE,
all,hut,Alles,6,1,80,EUR,at_venue,,,true,
"""


async def taken(engine: bespeak.Engine, sheet: str, workspace: str = DEFAULT) -> ImportReport:
    report = await import_file(engine, sheet, "csv", False, workspace)
    assert report.problems == []
    return report


async def faults(engine: bespeak.Engine, sheet: str) -> list[tuple[str, str]]:
    report = await import_file(engine, sheet, "csv", False)
    assert not report.applied
    return [(one.where, one.detail) for one in report.problems]


async def sheets(engine: bespeak.Engine, workspace: str = DEFAULT) -> list[str]:
    return [await export_file(engine, kind, workspace) for kind in ("properties", "listings")]


@pytest.fixture
async def stays(engine: bespeak.Engine) -> bespeak.Engine:
    assert (await taken(engine, HOUSES)).created["properties"] == 2
    assert (await taken(engine, ROOMS)).created["listings"] == 3
    return engine


async def test_what_is_exported_says_all_columns(stays: bespeak.Engine) -> None:
    houses, rooms = await sheets(stays)
    assert houses.splitlines() == [
        "ref,name,kind,stars,address,city,country,lat,lon,time_zone,check_in_time,check_out_time,"
        "amenities,languages,website,rating,ratings,rating_source,summary,description,house_rules,name:en",
        "harbour,Haus am Hafen,hotel,3,,Hamburg,DE,53.5453,9.969,Europe/Berlin,09:00,11:00,"
        "wifi; sea_view,,,,,,,,,Harbour",
        "hut,'-Hütte,cabin,,,,,-33.5,9.969,Europe/Berlin,15:00,11:00,,,,,,,,,,",
    ]
    assert rooms.splitlines() == [
        "ref,property,name,guests,rooms,price,currency,payment,min_stay,max_stay,beds,"
        "square_metres,amenities,summary,description,published,name:en",
        "double,harbour,Doppel,2,101; 102,120.50,EUR,at_venue,2,,double; 2 single,,,,,true,Double",
        'suite,harbour,"\'=Suite, groß",4,Turm;,300.00,EUR,at_venue,,,king,,,,,false,',
        "all,hut,Alles,6,1,80.00,EUR,at_venue,,,,,,,,true,",
    ]


async def test_an_export_changes_nothing_and_makes_the_same_elsewhere(
    stays: bespeak.Engine, connection: Connection
) -> None:
    before = await sheets(stays)
    for sheet in before:
        report = await taken(stays, sheet)
        assert sum(report.unchanged.values()) in (2, 3)
    assert await sheets(stays) == before
    await workspaces.create(connection, "acme")
    for sheet in before:
        report = await taken(stays, sheet, "acme")
        assert sum(report.created.values()) in (2, 3)
    assert await sheets(stays, "acme") == before
    # Whoever has no reference is called by its id.
    await connection.execute("update stays.property set ref = null where workspace = 'default'")
    await connection.execute("update stays.listing set ref = null where workspace = 'default'")
    bare = await sheets(stays)
    assert bare != before
    for sheet in bare:
        report = await taken(stays, sheet)
        assert sum(report.unchanged.values()) in (2, 3)
    assert await sheets(stays) == bare


async def test_ratings_from_elsewhere_come_and_go_with_their_source(stays: bespeak.Engine) -> None:
    await taken(stays, "ref,kind,rating,ratings,rating_source\nharbour,,8.7,1204,Guest survey\n")
    before = (await sheets(stays))[0]
    assert ",8.7,1204,Guest survey," in before
    assert (await taken(stays, before)).unchanged["properties"] == 2
    found = await faults(stays, "ref,kind,rating,ratings,rating_source\nharbour,,8.7,,Survey\n")
    assert found[0][0] == "line 2, column ratings"
    (wrong,) = await faults(stays, "ref,kind,rating,ratings,rating_source\nharbour,,11,4,Survey\n")
    assert "Expected `float` <= 10.0" in wrong[1]
    (none,) = await faults(stays, "ref,kind,rating,ratings,rating_source\nharbour,,good,4,Survey\n")
    assert none == ("line 2, column rating", "'good' is no rating; write 8.7")
    await taken(stays, "ref,kind,rating,ratings,rating_source\nharbour,,,,\n")
    assert "8.7" not in (await sheets(stays))[0]


async def test_a_sheet_of_prices_leaves_all_else(stays: bespeak.Engine) -> None:
    listing = (await stays.list_resources()).items[0]
    report = await taken(stays, "ref,price\ndouble,99\nsuite,300.00\n")
    assert (report.updated["listings"], report.unchanged["listings"]) == (1, 1)
    _, before = await sheets(stays)
    assert ",120.50," not in before and "double,harbour,Doppel,2,101; 102,99.00,EUR" in before
    again = (await stays.list_resources()).items[0]
    assert again.plan == listing.plan


async def test_an_empty_cell_takes_away_what_may_be_absent(stays: bespeak.Engine) -> None:
    await taken(stays, "ref,name,stars,city,kind,name:en\nharbour,,,,,\n")
    houses, _ = await sheets(stays)
    assert "harbour,Haus am Hafen,hotel,,,,DE" in houses
    assert ",Harbour" not in houses
    await taken(stays, "ref,min_stay,rooms,beds\ndouble,,,\n")
    _, rooms = await sheets(stays)
    assert "double,harbour,Doppel,2,101; 102,120.50,EUR,at_venue,,,,," in rooms


# Each line with the column that is wrong, and how the words begin.
WRONG_HOUSES = (
    ("a,A,castle,1,1,UTC,,,", "kind", "'castle' is none of hotel, guesthouse, "),
    ("b,B,hotel,north,1,UTC,,,", "lat", "'north' is no number of degrees; write 53.5453"),
    ("c,C,hotel,1,1,Moon/Sea,,,", "time_zone", "no time zone 'Moon/Sea'"),
    ("d,D,hotel,1,1,UTC,many,,", "stars", "'many' is no whole number"),
    ("e,E,hotel,1,1,UTC,,noon,", "check_in_time", "'noon' is no time of day; write 15:00"),
    ("f,F,hotel,1,1,UTC,,,wlan", "amenities", "'wlan' is none of wifi, parking, "),
    ("c,C,hotel,1,1,UTC,,,", "ref", "'c' is said at line 4 too"),
    ("g,,hotel,1,1,UTC,,,", "name", "a new property needs a `name`"),
    ("h h,H,hotel,1,1,UTC,,,", "ref", "Expected"),
    ("i,I,hotel,91,1,UTC,,,", "lat", "Expected `float` <= 90"),
    ("harbour,,,,,UTC,,,", "time_zone", "the time_zone of a property does not change"),
)
WRONG_ROOMS = (
    ("a,nowhere,A,2,1,10,EUR,,,", "property", "there is no property 'nowhere'"),
    ("b,hut,B,2,1,10.505,EUR,,,", "price", "'10.505' is no price with at most 2 decimals"),
    ("c,hut,C,2,1,10,XYZ,,,", "currency", "there is no currency 'XYZ'"),
    ("d,hut,D,two,1,10,EUR,,,", "guests", "'two' is no whole number"),
    ("e,hut,E,2,,10,EUR,,,", "rooms", "a new listing needs `rooms`: how many, or their names"),
    ("f,hut,F,2,1,,EUR,,,", "price", "a new listing needs a `price`; 0 is free"),
    ("g,hut,G,2,1,10,EUR,999,,", "min_stay", "a stay has 1 to 366 nights"),
    ("h,hut,H,2,1,10,EUR,,3 hammocks,", "beds", "'hammocks' is none of single, "),
    ("i,hut,I,2,1,10,EUR,,,maybe", "published", "'maybe' is neither true nor false"),
    ("double,hut,X,2,1,10,EUR,,,", "property", "a listing stays at its property"),
    ("suite,,,,,10,USD,,,", "currency", "it is sold in EUR, which does not change"),
    ("j,hut,J,2,A; A,10,EUR,,,", "rooms", "plan: the room 'A' comes twice"),
    ("k,hut,K,2,1,10,,,,", "currency", "say a currency here"),
)


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        ("ref,name,kind,lat,lon,time_zone,stars,check_in_time,amenities", WRONG_HOUSES),
        ("ref,property,name,guests,rooms,price,currency,min_stay,beds,published", WRONG_ROOMS),
    ],
)
async def test_every_fault_is_told_with_its_line_and_column(
    columns: str, lines: tuple[tuple[str, str, str], ...], stays: bespeak.Engine
) -> None:
    before = await sheets(stays)
    found = await faults(stays, "\n".join((columns, *(line for line, _, _ in lines))))
    assert [where for where, _ in found] == [
        f"line {number}, column {column}" for number, (_, column, _) in enumerate(lines, start=2)
    ]
    for (_, told), (_, _, words) in zip(found, lines, strict=True):
        assert told.startswith(words)
    assert await sheets(stays) == before


async def test_a_sheet_of_neither_is_refused(engine: bespeak.Engine) -> None:
    for text in ("ref,name\na,A\n", "ref,kind,price\n", "ref,kind,ref:de\n", ""):
        with pytest.raises(bespeak.BespeakError) as refused:
            await import_file(engine, text, "csv", False)
        assert refused.value.code == "catalogue_invalid"
