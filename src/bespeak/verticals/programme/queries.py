"""What may be asked of a programme, as the queries of its calls."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.inventory.fields import Name
from bespeak.translations import LanguageName
from bespeak.verticals.fields import City, Cursor, PageLimit, Search
from bespeak.verticals.programme.forms import ProductionId, VenueId
from bespeak.verticals.programme.views import ProductionKind


class TextsQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In which language the texts are."""

    lang: LanguageName | None = None


class VenueQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which venues: those that are not archived, or all."""

    archived: bool = False
    after: Cursor | None = None
    limit: PageLimit = 50
    lang: LanguageName | None = None


class HallQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which halls: those of a venue, those that are not archived, or all."""

    venue: VenueId | None = None
    archived: bool = False
    after: Cursor | None = None
    limit: PageLimit = 50
    lang: LanguageName | None = None


class ProductionQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}
):
    """Which productions: with all these words in title, series or performers; of a kind, of a
    series; with a performance in these days (by the clocks of the venue), in a venue, in a city.
    `state` is for operators: guests see those that have published performances to come."""

    search: Search = ""
    kind: ProductionKind | None = None
    series: Name | None = None
    from_: date | None = None
    to: date | None = None
    venue: VenueId | None = None
    city: City | None = None
    state: Literal["upcoming", "past", "all"] = "upcoming"
    after: Cursor | None = None
    limit: PageLimit = 24
    lang: LanguageName | None = None


class PerformanceQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}
):
    """Which performances. Without `from` those that are still to come; with it all since that day,
    by the clocks of the venue."""

    production: ProductionId | None = None
    venue: VenueId | None = None
    from_: date | None = None
    to: date | None = None
    after: Cursor | None = None
    limit: PageLimit = 50
    lang: LanguageName | None = None


class PictureQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In which size: whole (up to 1600 pixels wide), or for a card (up to 640). `v` makes another
    address of another picture, and nothing else."""

    size: Literal["whole", "card"] = "whole"
    v: Annotated[str, Meta(max_length=40)] = ""
