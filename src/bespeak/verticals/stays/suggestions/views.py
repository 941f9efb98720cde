"""What is answered of suggested prices."""

from __future__ import annotations

from datetime import date

import msgspec

from bespeak.verticals.stays.suggestions.forms import PriceRule
from bespeak.verticals.stays.suggestions.method import Bound, PriceReason

_Date = date  # the name of a field too


class SuggestedPrice(msgspec.Struct, frozen=True, kw_only=True):
    """A night: what it costs `now`, by the person's own rules (`usual`), and the `price` that is
    suggested, null where none is, with the `bounds` that it hit. The `reason` in numbers: of
    `rooms` so many are `booked`, where comparable nights had had `expected` booked `days_before`;
    `forecast` is how many rooms would be asked for in all at the usual price. `comparable` is how
    many nights it was compared with. `applied`: the price now is a suggested one."""

    date: _Date
    days_before: int
    now: int
    usual: int
    price: int | None
    bounds: list[Bound]
    reason: PriceReason
    rooms: int
    booked: int
    expected: float | None
    forecast: float | None
    comparable: int
    applied: bool


class SuggestedPrices(msgspec.Struct, frozen=True, kw_only=True):
    """The nights of a listing from `from` until before `to`, in order, with suggested prices; and
    the `version` of its resource that they were worked out from. Null
    in place of a `rule` where none was said yet: these suggestions are within the usual bounds,
    half and twice of what is usual."""

    listing_id: str
    version: int
    currency: str
    from_: date = msgspec.field(name="from")
    to: date
    rule: PriceRule | None
    items: list[SuggestedPrice]
    next: str | None = None


class AppliedPrices(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Of how many nights a suggested price was applied, or taken back."""

    listing_id: str
    nights: int
    replayed: bool = False


class PickUpPoint(msgspec.Struct, frozen=True):
    """How many rooms were booked so many days before: of the night (null where that is to come),
    and of comparable nights in the middle."""

    days_before: int
    booked: int | None
    expected: float | None


class PickUp(msgspec.Struct, frozen=True, kw_only=True):
    """The pick-up curve of a night beside that of the comparable ones, from afar until its day."""

    listing_id: str
    date: _Date
    rooms: int
    comparable: int
    points: list[PickUpPoint]
