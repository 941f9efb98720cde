"""What is said of suggested prices: within which bounds, which nights, which to apply."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.inventory.fields import PriceAmount
from bespeak.postgres.versions import SeenVersion

DAYS_MAX = 366
Applied = Literal["by_hand", "by_rule"]
_Price = Annotated[int, Meta(ge=1, le=1_000_000_000_000)]
_Date = date  # the name of a field too


class PriceRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Within which bounds prices are suggested: the `least` and the `most`, in minor units; by how
    much of the price now one `step` may change it, in basis points; of what prices are a
    `multiple`; how many nights ahead, today's the first; and whether they are applied once a day by
    this rule, or by hand. `version` is another after each change; where it is given to save, it
    must be the present one (0: there is no rule yet)."""

    least: _Price
    most: _Price
    step: Annotated[int, Meta(ge=1, le=10_000)] = 1_000
    multiple: Annotated[int, Meta(ge=1, le=1_000_000_000)] = 100
    days_ahead: Annotated[int, Meta(ge=1, le=DAYS_MAX)] = 180
    applied: Applied = "by_hand"
    version: SeenVersion | UnsetType = UNSET


class SuggestionsQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}
):
    """Which nights: `days` of them from a date on (today, where none is said); absent, as many as
    the rule says."""

    from_: date | None = None
    days: Annotated[int, Meta(ge=1, le=DAYS_MAX)] | None = None


class CurveQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which night; absent, today's."""

    date: _Date | None = None


class ChosenPrice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The price to apply to a night, and the price `now`, as both were shown."""

    date: _Date
    now: PriceAmount
    price: _Price


class ChosenPrices(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The nights to apply suggested prices to."""

    nights: Annotated[tuple[ChosenPrice, ...], Meta(min_length=1, max_length=DAYS_MAX)]


class TakenBack(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}
):
    """Of which nights suggested prices are taken back: those from a date on until before another;
    absent, without an end."""

    from_: date | UnsetType = UNSET
    to: date | UnsetType = UNSET
