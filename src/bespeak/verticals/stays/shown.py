"""Rows of stays as answers, in the language of who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.inventory.questions import CheckoutQuestion
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.money import Money
from bespeak.postgres.json_text import json_text
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation
from bespeak.verticals.stays import views
from bespeak.verticals.stays.forms import Beds, RatedElsewhere
from bespeak.verticals.stays.resource_parts import rated_elsewhere_in
from bespeak.verticals.stays.words import Amenity, PropertyKind
from bespeak.verticals.stored_texts import StoredTexts, whole_translations

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

_QUESTIONS: msgspec.json.Decoder[tuple[CheckoutQuestion, ...]] = msgspec.json.Decoder(
    tuple[CheckoutQuestion, ...]
)
_BEDS: msgspec.json.Decoder[list[Beds]] = msgspec.json.Decoder(list[Beds])


class ShownRow(msgspec.Struct):
    """A picture as the statements tell it."""

    id: str
    description: str
    width: int
    height: int


_PICTURES: msgspec.json.Decoder[list[ShownRow]] = msgspec.json.Decoder(list[ShownRow])


class _PropertyRow(msgspec.Struct):
    """A property as a listing's statement tells it."""

    property_id: str
    ref: str | None
    name: str
    kind: PropertyKind
    stars: int | None
    address: str
    city: str
    country: str | None
    lat: float
    lon: float
    time_zone: str
    check_in_time: str
    check_out_time: str
    summary: str
    description: str
    house_rules: str
    amenities: list[Amenity]
    languages: list[str]
    website: str | None
    translations: tuple[Translation, ...]
    pictures: list[ShownRow]
    rated_elsewhere: RatedElsewhere | None
    rating: int | None
    ratings: int


def shown_property(row: Record, language: str | None) -> views.Property:
    """A property from its own row."""
    said = StoredTexts(language, row["translations"])
    values = {field: row[field] for field in _PropertyRow.__struct_fields__}
    values["translations"] = ()
    values["rated_elsewhere"] = rated_elsewhere_in(dict(row))
    values["pictures"] = _PICTURES.decode(json_text(row["pictures"]))
    found = _property(_PropertyRow(**values), said, row["listings"])
    return msgspec.structs.replace(
        found, translations=whole_translations(row["translations"], language)
    )


def shown_listing(row: Record, language: str | None, *, with_plan: bool) -> views.Listing:
    """A listing with its property, without its calendar."""
    house = msgspec.json.decode(json_text(row["property"]), type=_PropertyRow)
    of_house = msgspec.json.encode(house.translations).decode()
    said = StoredTexts(language, of_house, row["translations"])
    plan = plan_of(row)
    pricing = row["pricing"]
    return views.Listing(
        id=ids.show_resource(row["resource_id"]),
        ref=row["ref"],
        property=_property(house, said, row["siblings"]),
        name=said(row["name"]),
        guests=row["guests"],
        rooms=rooms_of(plan),
        beds=_BEDS.decode(json_text(row["beds"])),
        square_metres=row["square_metres"],
        amenities=row["amenities"],
        summary=said(row["summary"]),
        description=said(row["description"]),
        price=Money(row["price_amount"], row["currency"]),
        payment=row["payment"],
        pricing=None if pricing is None else _pricing(pricing, with_codes=with_plan),
        owner_limit=row["owner_limit"],
        hold_seconds=row["hold_seconds"],
        hold_seconds_max=row["hold_seconds_max"],
        state=row["state"],
        published=row["published"],
        pictures=_pictures(_PICTURES.decode(json_text(row["pictures"])), said),
        questions=_QUESTIONS.decode(json_text(row["questions"])),
        plan=plan if with_plan else None,
        version=row["version"] if with_plan else None,
        translations=whole_translations(row["translations"], language),
    )


def rating_of(tenths: int | None) -> float | None:
    """A rating as it is shown; they are kept in tenths."""
    return tenths / 10 if tenths else None


def plan_of(row: Record) -> NightsPlan:
    """The plan of a listing's resource."""
    return msgspec.json.decode(json_text(row["plan"]), type=NightsPlan)


def rooms_of(plan: NightsPlan) -> int:
    """How many rooms a listing has."""
    return len(plan.rooms) if plan.rooms is not None else plan.count or 0


def _property(row: _PropertyRow, said: StoredTexts, listings: int) -> views.Property:
    return views.Property(
        id=row.property_id,
        ref=row.ref,
        name=said(row.name),
        kind=row.kind,
        stars=row.stars,
        address=said(row.address),
        city=said(row.city),
        country=row.country,
        lat=row.lat,
        lon=row.lon,
        time_zone=row.time_zone,
        check_in_time=row.check_in_time,
        check_out_time=row.check_out_time,
        summary=said(row.summary),
        description=said(row.description),
        house_rules=said(row.house_rules),
        amenities=row.amenities,
        languages=row.languages,
        website=row.website,
        listings=listings,
        rating=rating_of(row.rating),
        ratings=row.ratings,
        rated_elsewhere=_rated_elsewhere(row.rated_elsewhere, said),
        pictures=_pictures(row.pictures, said),
    )


def _rated_elsewhere(row: RatedElsewhere | None, said: StoredTexts) -> RatedElsewhere | None:
    return None if row is None else msgspec.structs.replace(row, source=said(row.source))


def _pictures(rows: list[ShownRow], said: StoredTexts) -> list[views.StayPicture]:
    return [
        views.stay_picture(one.id, one.width, one.height, said(one.description)) for one in rows
    ]


def _pricing(stored: str, *, with_codes: bool) -> Pricing:
    found = msgspec.json.decode(json_text(stored), type=Pricing)
    return found if with_codes else found.without_secrets()
