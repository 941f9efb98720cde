"""What the resource of a listing has of its property and its listing: attributes for mails, tickets
and calendars, words in other languages, and the plan with the hour of arrival.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.inventory.questions import CheckoutQuestion
from bespeak.inventory.resources import Resource
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.postgres.json_text import json_text
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation, check_translations, merged, words_in
from bespeak.verticals.stays.forms import (
    Beds,
    NewListing,
    NewProperty,
    RatedElsewhere,
    ShownPicture,
)
from bespeak.verticals.stored_texts import translations_of

Attributes: TypeAlias = dict[str, str | int | float | bool | None]


class _ShownRow(msgspec.Struct):
    """A picture that is shown; how large it is is no matter here."""

    id: str
    description: str


_SHOWN: msgspec.json.Decoder[tuple[_ShownRow, ...]] = msgspec.json.Decoder(tuple[_ShownRow, ...])
_RATED: msgspec.json.Decoder[RatedElsewhere] = msgspec.json.Decoder(RatedElsewhere)

# What of the attributes is ours to say; others may have been added to the resource.
_OURS = (
    "location",
    "property",
    "property_id",
    "address",
    "city",
    "check_in",
    "check_out",
    "lat",
    "lon",
)


def property_of(row: Mapping[str, object]) -> NewProperty:
    """A property as it was said, from its row."""
    values = {field: row[field] for field in NewProperty.__struct_fields__}
    values["translations"] = translations_of(str(values["translations"]))
    values["pictures"] = shown_in(row)
    values["rated_elsewhere"] = rated_elsewhere_in(row)
    return msgspec.convert(values, NewProperty)


def shown_in(row: Mapping[str, object]) -> tuple[ShownPicture, ...]:
    """What a property or a listing shows, from its row."""
    rows = _SHOWN.decode(json_text(row["pictures"]))
    return tuple(ShownPicture(one.id, one.description) for one in rows)


def rated_elsewhere_in(row: Mapping[str, object]) -> RatedElsewhere | None:
    """What is said of ratings from elsewhere, from the row of a property."""
    stored = row["rated_elsewhere"]
    return None if stored is None else _RATED.decode(json_text(stored))


def nights_of(plan: object, house: NewProperty, listing: NewListing | None = None) -> NightsPlan:
    """The plan of a listing with the hour at which one arrives at its property, and for whom a
    room is (None: as before). Raises InvalidRequest."""
    if not isinstance(plan, NightsPlan):
        raise InvalidRequest("plan: a listing is sold by `nights`", field="plan")
    found = msgspec.structs.replace(plan, check_in_time=house.check_in_time)
    if listing is None:
        return found
    cots = cots_among(listing.beds)
    return msgspec.structs.replace(found, guests_max=listing.guests, cots=cots)


def cots_among(beds: Sequence[Beds]) -> int:
    """How many of the beds are cots: a small child in one is beside the guests of a room."""
    return sum(one.count for one in beds if one.kind == "cot")


def resource_name(house: NewProperty, name: str) -> str:
    """What a listing is called away from its property: in lists, mails and on tickets."""
    return f"{house.name}: {name}"[:200]


def attributes_of(house: NewProperty, property_id: str, before: Mapping[str, object]) -> Attributes:
    """The attributes of a listing's resource; those that others added stay."""
    found: Attributes = {
        key: value
        for key, value in before.items()
        if key not in _OURS and isinstance(value, str | int | float | bool | None)
    }
    return found | {
        "location": _location(house.name, house.address, house.city),
        "property": house.name,
        "property_id": property_id,
        "address": house.address,
        "city": house.city,
        "check_in": house.check_in_time,
        "check_out": house.check_out_time,
        "lat": house.lat,
        "lon": house.lon,
    }


def words_of(
    house: NewProperty, stored: str, name: str, there: Resource
) -> tuple[Translation, ...]:
    """The translations of the resource that a listing has already. Raises InvalidRequest."""
    own = translations_of(stored)
    plan = there.plan if isinstance(there.plan, NightsPlan) else None
    return resource_words(house, own, name, there.pricing, asked_texts(there.questions), plan)


def asked_texts(questions: Sequence[CheckoutQuestion]) -> list[str]:
    """What questions at checkout say."""
    return [text for one in questions for text in (one.text, *one.choices)]


def resource_words(
    house: NewProperty,
    own: tuple[Translation, ...],
    name: str,
    pricing: Pricing | None,
    asked: list[str],
    plan: NightsPlan | None = None,
) -> tuple[Translation, ...]:
    """The translations of a listing's resource: of the texts that stand in it. Raises
    InvalidRequest."""
    check_translations(own)
    everything = merged(house.translations, own)
    plain = [house.name, house.address, house.city, *asked]
    if pricing is not None:
        plain += [fee.name for fee in pricing.fees]
        plain += [tax.name for tax in pricing.taxes]
    if plan is not None:
        plain += [rate.name for rate in plan.rates]
        plain += [discount.name for discount in plan.discounts]
    found = []
    for language in (one.language for one in everything):
        words = words_in(language, everything)
        told = {text: words[text] for text in plain if text in words}
        if name in words or house.name in words:
            there = words.get(house.name, house.name)
            told[resource_name(house, name)] = f"{there}: {words.get(name, name)}"[:200]
        place = (house.name, house.address, house.city)
        if any(text in words for text in place):
            told[_location(*place)] = _location(*(words.get(text, text) for text in place))
        if told:
            found.append(Translation(language, told))
    return tuple(found)


def _location(*parts: str) -> str:
    """Where it is, in one line, for tickets and calendars."""
    return ", ".join(filter(None, parts))
