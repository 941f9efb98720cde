"""The words of stays that programs compare: kinds of properties, amenities and beds. Pages
translate them; what merchants type is text.
"""

from __future__ import annotations

from typing import Literal, get_args

PropertyKind = Literal["hotel", "guesthouse", "hostel", "apartment", "house", "cabin", "campsite"]
Amenity = Literal[
    "wifi",
    "parking",
    "breakfast",
    "kitchen",
    "washer",
    "air_conditioning",
    "heating",
    "workspace",
    "pool",
    "sauna",
    "gym",
    "garden",
    "balcony",
    "sea_view",
    "pets",
    "family",
    "step_free",
    "elevator",
    "bar",
    "restaurant",
    "front_desk",
    "luggage",
    "bicycles",
    "charging",
]
BedKind = Literal["single", "double", "queen", "king", "bunk", "sofa", "cot"]
PlaceSource = Literal["listings", "gazetteer"]
PROPERTY_KINDS: tuple[PropertyKind, ...] = get_args(PropertyKind)
AMENITIES: tuple[Amenity, ...] = get_args(Amenity)
BED_KINDS: tuple[BedKind, ...] = get_args(BedKind)
