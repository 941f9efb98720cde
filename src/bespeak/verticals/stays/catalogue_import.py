"""Taking properties and listings: all of them or nothing, and the same again without effect. What
is there is found by its reference, or by its id.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.errors import BespeakError, InvalidId, InvalidRequest
from bespeak.postgres.queries import load
from bespeak.verticals.changes import with_changes
from bespeak.verticals.imports import ImportRefused, ImportWork, Place, Put, json_place
from bespeak.verticals.stays.errors import PropertyNotFound
from bespeak.verticals.stays.forms import NewListing, NewProperty
from bespeak.verticals.stays.import_forms import ImportedListing, ImportedProperty, StaysCatalogue
from bespeak.verticals.stays.listings import change_listing, create_listing, take_listing
from bespeak.verticals.stays.properties import change_property, create_property, take_property
from bespeak.verticals.stays.resource_parts import nights_of

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection
    from bespeak.verticals.vertical import ImportReport

_New = TypeVar("_New", bound=msgspec.Struct)
KINDS = ("properties", "listings")
_QUERIES = load("bespeak.verticals.stays", "files.sql")


class _Import(ImportWork):
    """One import of stays under way."""

    def __init__(
        self, engine: Engine, connection: Connection, place: Place, workspace: str
    ) -> None:
        super().__init__(engine, connection, place)
        self.workspace = workspace
        self.wrong: set[str] = set()
        """The references of properties that are wrong: nobody is told that they are not there."""
        self.houses: dict[str, str] = {}
        """The ids of the properties of listings, by what the listings call them."""

    def fault(self, kind: str, index: int, error: BespeakError) -> None:
        if error.data.get("property") not in self.wrong:
            super().fault(kind, index, error)

    async def put(self, said: StaysCatalogue) -> None:
        """Properties, and then their listings."""
        await self.connection.execute(_QUERIES["one_import"], self.workspace)
        self._check_twins("properties", [one.ref for one in said.properties])
        self._check_twins("listings", [one.ref for one in said.listings])
        await self.put_all("properties", said.properties, self._put_property)
        await self.put_all("listings", said.listings, self._put_listing)

    def _check_twins(self, kind: str, refs: Sequence[str]) -> None:
        first: dict[str, int] = {}
        for index, ref in enumerate(refs):
            twin = first.setdefault(ref, index)
            if twin != index:
                words = f"{ref!r} is said at {self.place(kind, twin, None)} too"
                self.fault(kind, index, InvalidRequest(words, field="ref"))

    async def _put_property(self, connection: Connection, said: ImportedProperty) -> Put:
        try:
            return await self._property(connection, said)
        except BespeakError:
            self.wrong.add(said.ref)
            raise

    async def _property(self, connection: Connection, said: ImportedProperty) -> Put:
        row = await connection.fetchrow(_QUERIES["property_named"], self.workspace, said.ref)
        if row is None:
            new = _new(NewProperty, said, "property")
            made, _ = await create_property(connection, self.workspace, new, None)
            return Put(made, "created")
        property_id: str = row["property_id"]
        change = msgspec.structs.replace(said, ref=row["ref"])
        before = await take_property(connection, self.workspace, property_id)
        if with_changes(before, change) == before:
            return Put(property_id, "unchanged")
        await change_property(self.engine, connection, self.workspace, property_id, change)
        return Put(property_id, "updated")

    async def _put_listing(self, connection: Connection, said: ImportedListing) -> Put:
        told = (self.workspace, said.ref, number_of(said.ref))
        row = await connection.fetchrow(_QUERIES["listing_named"], *told)
        house_id = await self._property_of(connection, said)
        if row is None:
            named = msgspec.structs.replace(said, property=house_id or UNSET)
            new = _new(NewListing, named, "listing")
            made, _ = await create_listing(self.engine, connection, self.workspace, new, None)
            return Put(made, "created")
        if house_id not in (None, row["property_id"]):
            raise InvalidRequest("a listing stays at its property", field="property")
        listing_id = ids.show_resource(row["resource_id"])
        change = msgspec.structs.replace(said, ref=row["ref"], property=UNSET)
        house, before, _ = await take_listing(self.engine, connection, self.workspace, listing_id)
        after = with_changes(before, change)
        if after.currency != before.currency:
            raise InvalidRequest(
                f"it is sold in {before.currency}, which does not change", field="currency"
            )
        plan = nights_of(after.plan, house, after)
        if msgspec.structs.replace(after, plan=plan) == before:
            return Put(listing_id, "unchanged")
        await change_listing(self.engine, connection, self.workspace, listing_id, change)
        return Put(listing_id, "updated")

    async def _property_of(self, connection: Connection, said: ImportedListing) -> str | None:
        """The id of the property that a listing names, if it names one."""
        if said.property is UNSET:
            return None
        if said.property not in self.houses:
            told = (self.workspace, said.property)
            row = await connection.fetchrow(_QUERIES["property_named"], *told)
            if row is None:
                words = f"there is no property {said.property!r}"
                raise PropertyNotFound(words, field="property", property=said.property)
            self.houses[said.property] = row["property_id"]
        return self.houses[said.property]


async def import_stays(
    engine: Engine,
    workspace: str,
    said: StaysCatalogue,
    *,
    check: bool = False,
    place: Place = json_place,
) -> ImportReport:
    """Takes properties and listings into a workspace, if nothing is wrong with them and it is not
    only to be checked."""
    async with engine.database.borrow() as connection:
        work = _Import(engine, connection, place, workspace)
        applied = False
        try:
            async with connection.transaction():
                await work.put(said)
                if check or work.problems:
                    raise ImportRefused
            applied = True
        except ImportRefused:
            applied = False
    return work.report(KINDS, applied=applied)


def number_of(ref: str) -> int | None:
    """The number of the resource, if a reference is the id of one."""
    try:
        return ids.parse_resource(ref)
    except InvalidId:
        return None


def _new(form: type[_New], said: msgspec.Struct, told: str) -> _New:
    """Something new of what is said. Raises InvalidRequest where something is missing."""
    fields = ((name, getattr(said, name)) for name in said.__struct_fields__)
    given = {name: value for name, value in fields if value is not UNSET}
    for one in msgspec.structs.fields(form):
        if one.required and one.name not in given:
            raise InvalidRequest(f"a new {told} needs a `{one.name}`", field=one.name)
    return form(**given)
