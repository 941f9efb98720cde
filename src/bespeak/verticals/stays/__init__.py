"""Stays: hotels, flats, cabins, and what of them is let by the night, found by place and dates."""

from importlib import resources

from bespeak.verticals.stays.contract import CALLS
from bespeak.verticals.stays.places import has_property, listings_in_property
from bespeak.verticals.vertical import Places, Vertical

VERTICAL = Vertical(
    name="stays",
    title="Stays",
    calls=CALLS,
    migrations=resources.files(__name__).joinpath("migrations"),
    places=Places(has_property, listings_in_property),
)
