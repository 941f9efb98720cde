"""Importing stays: all or nothing, the same again without effect, and each fault by its place."""

import asyncio

import msgspec
import pytest

import bespeak
from bespeak.inventory.workspaces import DEFAULT
from bespeak.verticals.errors import CatalogueInvalid
from bespeak.verticals.imports import read_document
from bespeak.verticals.stays import catalogue
from bespeak.verticals.stays.catalogue import StaysReader
from bespeak.verticals.stays.catalogue_import import import_stays
from bespeak.verticals.stays.files import import_file
from bespeak.verticals.stays.import_forms import ROWS_MAX, StaysCatalogue
from bespeak.verticals.stays.queries import ListingsQuestion, PropertyQuestion
from bespeak.verticals.stays.views import Listing, Property
from bespeak.verticals.vertical import ImportReport

HOUSE = {
    "ref": "harbour",
    "name": "Haus am Hafen",
    "kind": "hotel",
    "lat": 53.5453,
    "lon": 9.969,
    "time_zone": "Europe/Berlin",
}
ROOM = {
    "ref": "double",
    "property": "harbour",
    "name": "Double",
    "guests": 2,
    "plan": {"type": "nights", "count": 3},
    "price": 9000,
    "currency": "EUR",
    "payment": "at_venue",
    "published": True,
}
POOLS = {"type": "pools", "pools": [{"unit": "a", "capacity": 1}]}
READER = StaysReader(DEFAULT, sells=True)


async def taken(
    engine: bespeak.Engine, *, check: bool = False, **said: list[dict[str, object]]
) -> ImportReport:
    document = read_document(msgspec.json.encode(said).decode(), StaysCatalogue)
    return await import_stays(engine, DEFAULT, document, check=check)


async def properties(engine: bespeak.Engine) -> list[Property]:
    async with engine.database.borrow() as connection:
        return (await catalogue.properties(connection, READER, PropertyQuestion())).items


async def listings(engine: bespeak.Engine) -> list[Listing]:
    async with engine.database.borrow() as connection:
        return (await catalogue.listings(connection, READER, ListingsQuestion())).items


@pytest.fixture
async def stays(engine: bespeak.Engine) -> bespeak.Engine:
    report = await taken(engine, properties=[HOUSE], listings=[ROOM])
    assert report.problems == []
    assert report.created == {"properties": 1, "listings": 1}
    return engine


async def test_what_is_new_is_added_and_said_again_it_is_unchanged(stays: bespeak.Engine) -> None:
    (found,) = await listings(stays)
    assert (found.ref, found.property.ref, found.rooms, found.published) == (
        "double",
        "harbour",
        3,
        True,
    )
    again = await taken(stays, properties=[HOUSE], listings=[ROOM])
    assert again.unchanged == {"properties": 1, "listings": 1}
    assert await listings(stays) == [found]


async def test_what_is_not_said_stays(stays: bespeak.Engine) -> None:
    (before,) = await listings(stays)
    report = await taken(
        stays,
        properties=[{"ref": "harbour", "city": "Hamburg"}],
        listings=[{"ref": "double", "price": 9500, "published": False}],
    )
    assert report.updated == {"properties": 1, "listings": 1}
    (after,) = await listings(stays)
    assert (after.price.amount, after.published, after.property.city) == (9500, False, "Hamburg")
    assert (after.plan, after.name, after.payment) == (before.plan, "Double", "at_venue")
    resource = await stays.get_resource(after.id)
    assert resource.attributes["city"] == "Hamburg"


async def test_an_id_names_what_has_no_reference(stays: bespeak.Engine) -> None:
    (house,), (room,) = await properties(stays), await listings(stays)
    report = await taken(
        stays,
        properties=[{"ref": house.id, "stars": 4}],
        listings=[{"ref": room.id, "property": house.id, "guests": 3}],
    )
    assert report.updated == {"properties": 1, "listings": 1}
    (house,), (room,) = await properties(stays), await listings(stays)
    assert (house.ref, house.stars, room.ref, room.guests) == ("harbour", 4, "double", 3)


async def test_a_check_changes_nothing(stays: bespeak.Engine) -> None:
    new = HOUSE | {"ref": "other"}
    report = await taken(stays, check=True, properties=[new])
    assert (report.applied, report.created["properties"]) == (False, 1)
    assert len(await properties(stays)) == 1


async def test_all_faults_are_told_and_nothing_is_done(stays: bespeak.Engine) -> None:
    (house,), (room,) = await properties(stays), await listings(stays)
    report = await taken(
        stays,
        properties=[
            HOUSE | {"stars": 5},
            {"ref": "new", "name": "New"},
            HOUSE | {"ref": "moon", "time_zone": "Moon/Sea"},
            {"ref": "harbour", "time_zone": "Asia/Kolkata"},
        ],
        listings=[
            ROOM | {"ref": "a", "property": "nowhere"},
            ROOM | {"ref": "b", "property": "new"},
            {"ref": "c", "property": "harbour", "name": "C", "guests": 1},
            {"ref": "double", "currency": "USD"},
            ROOM | {"ref": "d", "plan": {"type": "nights"}},
            ROOM | {"ref": "e", "plan": POOLS},
        ],
    )
    assert not report.applied
    assert [(one.where, one.code) for one in report.problems] == [
        ("properties[3].ref", "invalid_request"),
        ("properties[1].kind", "invalid_request"),
        ("properties[2].time_zone", "invalid_request"),
        ("properties[3].time_zone", "invalid_request"),
        ("listings[0].property", "property_not_found"),
        ("listings[2].plan", "invalid_request"),
        ("listings[3].currency", "invalid_request"),
        ("listings[4].plan", "invalid_request"),
        ("listings[5].plan", "invalid_request"),
    ]
    assert await properties(stays) == [house]
    assert await listings(stays) == [room]


async def test_two_imports_come_one_after_the_other(engine: bespeak.Engine) -> None:
    """Each locks many properties, in an order of its own."""
    houses = [HOUSE | {"ref": f"house-{number}"} for number in range(8)]
    await asyncio.gather(
        *(taken(engine, properties=one, listings=[]) for one in (houses, houses[::-1]))
    )
    starred = [{"ref": str(one["ref"]), "stars": 3} for one in houses]
    reports = await asyncio.gather(
        *(taken(engine, properties=one, listings=[]) for one in (starred, starred[::-1]))
    )
    assert sorted(report.updated["properties"] for report in reports) == [0, 8]
    assert [report.problems for report in reports] == [[], []]


async def test_more_than_an_import_takes_is_refused(engine: bespeak.Engine) -> None:
    with pytest.raises(CatalogueInvalid):
        await taken(engine, properties=[HOUSE] * (ROWS_MAX + 1))
    with pytest.raises(CatalogueInvalid, match="more than 5,000 lines"):
        await import_file(engine, "ref,kind\n" + "a,b\n" * (ROWS_MAX + 1), "csv", False)


async def test_a_listing_stays_at_its_property(stays: bespeak.Engine) -> None:
    other = HOUSE | {"ref": "other", "name": "Other"}
    report = await taken(
        stays, properties=[other], listings=[{"ref": "double", "property": "other"}]
    )
    assert [one.where for one in report.problems] == ["listings[0].property"]
