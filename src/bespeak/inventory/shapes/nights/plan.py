"""The plan of nights as data: exact rooms or a counted type, when they are sold, and rules by date.
What makes no sense is refused here, with the reason and the place.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.inventory.bounds import check_bounds, check_names, nonsense
from bespeak.inventory.fields import Name, PlanPart, PriceAmount, Weekday
from bespeak.inventory.plans import Plan
from bespeak.inventory.shapes.nights.rates import (
    ChildShares,
    Discounts,
    Rates,
    RoomCots,
    RoomGuests,
    check_children,
    check_discounts,
    check_rates,
)
from bespeak.inventory.shapes.nights.stay_limits import STAY_MAX, StayLength

BUFFER_MAX = 30
SAYABLE = (
    "min_nights",
    "max_nights",
    "min_through",
    "max_through",
    "closed",
    "closed_to_arrival",
    "closed_to_departure",
    "price",
    "count",
)
_ROOMS_MAX = 2000
_RULES_MAX = 3000

RoomCount = Annotated[int, Meta(ge=0, le=1_000_000)]
CheckInTime = Annotated[
    str,
    Meta(
        pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]\Z",
        extra_json_schema={"pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"},
        description="a time of day from 00:00 to 23:59",
        examples=["15:00"],
    ),
]


class NightRule(PlanPart, frozen=True, kw_only=True):
    """What differs on the dates from `from` until before `to` (absent: without an end), if given
    only on these days of the week. A field that is absent is left as it was.

    `min_nights` and `max_nights` are for stays that arrive on the date, `min_through` and
    `max_through` for every stay that has the night of the date. `closed` sells no such night,
    `count` is how many rooms of a counted type there are, `price` is in minor units a room.
    `suggested` prices were worked out: whoever applies such prices writes these rules anew.
    """

    from_: date | None = msgspec.field(default=None, name="from")
    to: date | None = None
    days: Annotated[tuple[Weekday, ...], Meta(min_length=1, max_length=7)] | None = None
    min_nights: StayLength | None = None
    max_nights: StayLength | None = None
    min_through: StayLength | None = None
    max_through: StayLength | None = None
    closed: bool | None = None
    closed_to_arrival: bool | None = None
    closed_to_departure: bool | None = None
    price: PriceAmount | None = None
    count: RoomCount | None = None
    suggested: bool = False


class NightsPlan(Plan, frozen=True, kw_only=True, cache_hash=True, tag="nights"):
    """Nights: either exact `rooms`, each with its name, or a `count` of rooms of one type.

    A night is sold from `window_days` before it. One may arrive until `cutoff_hours` before the
    `check_in_time` of the date, in the resource's time zone (below zero: after it). `buffer_nights`
    after each stay are kept free in its room. Of a type, `overbooking` more rooms are sold than
    there are. Without a `price`, a night costs what the resource does.

    A room takes `guests_max` guests, and beside them a child under three in each of its `cots`. Its
    price is for `guests_included` of all of them (absent: for all); each further one costs
    `guest_price` a night, and `children` a share of that. `rates` are to choose from, `discounts`
    come by themselves.
    """

    rooms: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=_ROOMS_MAX)] | None = None
    count: RoomCount | None = None
    window_days: Annotated[int, Meta(ge=1, le=1100)] = 365
    check_in_time: CheckInTime = "15:00"
    cutoff_hours: Annotated[int, Meta(ge=-24, le=24 * 1100)] = 0
    min_nights: StayLength = 1
    max_nights: StayLength = STAY_MAX
    buffer_nights: Annotated[int, Meta(ge=0, le=BUFFER_MAX)] = 0
    overbooking: RoomCount = 0
    price: PriceAmount | None = None
    rules: Annotated[tuple[NightRule, ...], Meta(max_length=_RULES_MAX)] = ()
    guests_max: RoomGuests | None = None
    cots: RoomCots = 0
    guests_included: RoomGuests | None = None
    guest_price: PriceAmount = 0
    children: ChildShares = ()
    rates: Rates = ()
    discounts: Discounts = ()

    def has_price(self) -> bool:
        """Whether a night, or a guest, has a price above zero."""
        return bool(
            self.price
            or self.guest_price
            or any(rule.price for rule in self.rules)
            or any(rate.amount > 0 or rate.guest_amount for rate in self.rates)
        )


def said_by(rule: NightRule) -> dict[str, int | bool]:
    """What a rule says of its dates, by the names of its fields."""
    said = {field: getattr(rule, field) for field in SAYABLE}
    return {field: value for field, value in said.items() if value is not None}


def check_plan(plan: NightsPlan) -> None:
    """Raises InvalidRequest for a plan that makes no sense. The bounds are looked at again, because
    a plan that was made in Python has not been decoded."""
    check_bounds(plan)
    if (plan.rooms is None) == (plan.count is None):
        raise nonsense("it has either `rooms` or a `count`")
    if plan.rooms is not None:
        check_names(plan.rooms, "room")
        if plan.overbooking:
            raise nonsense("exact rooms are not overbooked; a `count` is")
    elif plan.buffer_nights:
        raise nonsense("only exact rooms have `buffer_nights`")
    if plan.min_nights > plan.max_nights:
        raise nonsense("`min_nights` is more than `max_nights`")
    if plan.min_nights > plan.window_days:
        raise nonsense("the shortest stay is longer than the window")
    if plan.cutoff_hours >= 24 * plan.window_days:
        raise nonsense("the cutoff is longer than the window")
    for index, rule in enumerate(plan.rules):
        _check_rule(rule, f"rules[{index}]", is_counted=plan.count is not None)
    _check_prices(plan)


def _check_prices(plan: NightsPlan) -> None:
    if plan.guests_included is not None and not plan.guest_price:
        raise nonsense("`guests_included` needs a `guest_price` for the others")
    if plan.guest_price and plan.guests_included is None:
        raise nonsense("a `guest_price` needs `guests_included`: for how many the price is")
    if plan.guests_max is not None and (plan.guests_included or 0) > plan.guests_max:
        raise nonsense("`guests_included` is more than `guests_max`")
    check_children(plan.children)
    check_rates(plan.rates)
    check_discounts(plan.discounts)


def _check_rule(rule: NightRule, where: str, *, is_counted: bool) -> None:
    if not said_by(rule):
        raise nonsense(f"{where} says nothing")
    if rule.suggested and not _is_plain_price(rule):
        raise nonsense(f"{where}: what is `suggested` is a `price`, `from` a date and `to` another")
    if rule.count is not None and not is_counted:
        raise nonsense(f"{where}: exact rooms have no `count`; close them or block them")
    if rule.from_ is not None and rule.to is not None and rule.from_ >= rule.to:
        raise nonsense(f"{where}: `to` is not after `from`")
    if rule.days is not None and len(set(rule.days)) < len(rule.days):
        raise nonsense(f"{where}: a day of the week comes twice")
    for low, high in (("min_nights", "max_nights"), ("min_through", "max_through")):
        least, most = getattr(rule, low), getattr(rule, high)
        if least is not None and most is not None and least > most:
            raise nonsense(f"{where}: `{low}` is more than `{high}`")


def _is_plain_price(rule: NightRule) -> bool:
    """Whether it says a price of all nights between two dates, and nothing else."""
    is_bounded = rule.from_ is not None and rule.to is not None
    return is_bounded and rule.days is None and set(said_by(rule)) == {"price"}
