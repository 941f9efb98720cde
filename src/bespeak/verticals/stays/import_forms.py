"""What is imported into stays: properties and listings by their references. What is not said of one
that is there stays as it is.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.inventory.resources import Currency
from bespeak.verticals.stays.forms import ListingFields, PropertyChange, Reference

ROWS_MAX = 5000
"""The most properties, and the most listings, of one import: it is one transaction."""


class ImportedProperty(PropertyChange, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A property by its reference, or by its id. A new one needs what `NewProperty` needs."""

    ref: Reference


class ImportedListing(ListingFields, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A listing by its reference, or by its id. A new one needs what `NewListing` needs; its
    `property` is named by reference or id, and with `currency` stays what it was."""

    ref: Reference
    property: Reference | UnsetType = UNSET
    currency: Currency | UnsetType = UNSET


class StaysCatalogue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Properties and listings, or a part of them, as a file has them."""

    properties: Annotated[tuple[ImportedProperty, ...], Meta(max_length=ROWS_MAX)] = ()
    listings: Annotated[tuple[ImportedListing, ...], Meta(max_length=ROWS_MAX)] = ()
