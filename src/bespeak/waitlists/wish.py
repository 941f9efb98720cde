"""What a party that waits would take, and the lines of the holds that would fulfil it, those that
it likes best first. The shape of each resource says what such a line looks like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.shapes.legs.plan import LegsPlan
from bespeak.inventory.shapes.pools.plan import PoolsPlan
from bespeak.inventory.shapes.seats.plan import SeatsPlan, named_categories
from bespeak.inventory.shapes.tickets.plan import TicketsPlan
from bespeak.lines import Best, End, GuestCount, Line, RateName, ResourceId, UnitName

PLACES_MAX = 20
CHOICES_MAX = 20
PARTY_MAX = 1000
_LINES_MAX = 100
"""A party that sits in pairs or apart has a line for each of its groups."""

Seating: TypeAlias = Literal["together", "pairs", "apart"]
Party: TypeAlias = Annotated[int, Meta(ge=1, le=PARTY_MAX)]
PriceMax: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000_000_000)]


class WantedPlace(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A resource that the party would come to. Where it sells nights, times or legs, from when to
    when: other dates are further places, of the same resource or of another; and at which `rate`,
    where it has rates."""

    resource_id: ResourceId
    from_: End | UnsetType = msgspec.field(default=UNSET, name="from")
    to: End | UnsetType = UNSET
    rate: RateName | UnsetType = UNSET


class WaitlistWish(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What a party would take: how many (seats, tickets, rooms, places) they are, where, those that
    they like best first. `categories` are categories of seats, or the names of pools, products,
    rooms, providers or things; without any, all will do. `seating` is of seats: all next to each
    other, in pairs, or each for themselves. A stay says for how many `guests` it is. `price_max` is
    what all of it may cost, in minor units."""

    party: Party
    places: Annotated[tuple[WantedPlace, ...], Meta(min_length=1, max_length=PLACES_MAX)]
    categories: Annotated[tuple[UnitName, ...], Meta(max_length=CHOICES_MAX)] = ()
    seating: Seating = "together"
    guests: GuestCount | UnsetType = UNSET
    price_max: PriceMax | UnsetType = UNSET


_WISH: msgspec.json.Decoder[WaitlistWish] = msgspec.json.Decoder(WaitlistWish)


def decode_wish(stored: str | bytes) -> WaitlistWish:
    """As it was stored."""
    return _WISH.decode(stored)


def numbers_of_wish(wish: WaitlistWish) -> list[int]:
    """The resources of a wish, each once, those liked best first. Raises InvalidId."""
    return list(dict.fromkeys(ids.parse_resource(place.resource_id) for place in wish.places))


def check_wish(wish: WaitlistWish, resources: Mapping[int, ReadyResource]) -> None:
    """Raises InvalidRequest for a wish that no hold could ever fulfil: of a category that none of
    its places has, without a range where the resource sells by one, of more groups than a hold has
    lines."""
    if len(set(wish.places)) != len(wish.places):
        raise InvalidRequest("a place comes twice", field="wish.places")
    known: set[str] = set()
    for index, place in enumerate(wish.places):
        ready = resources[ids.parse_resource(place.resource_id)]
        has_range = place.from_ is not UNSET and place.to is not UNSET
        if has_range != (ready.plan.range_kind is not None):
            raise InvalidRequest(
                "this resource sells from when to when: say `from` and `to`"
                if ready.plan.range_kind is not None
                else "this resource has no `from` and `to`",
                field=f"wish.places[{index}].from",
            )
        if place.rate is not UNSET and place.rate not in ready.plan.rate_names():
            raise InvalidRequest(
                f"there is no rate {place.rate[:60]!r}", field=f"wish.places[{index}].rate"
            )
        known |= _names(ready)
    for index, name in enumerate(wish.categories):
        if name not in known:
            raise InvalidRequest(
                f"none of the places has {name!r}", field=f"wish.categories[{index}]"
            )
    if len(_groups(wish)) > _LINES_MAX:
        raise InvalidRequest(
            f"a hold has at most {_LINES_MAX} groups", field="wish.party", limit=_LINES_MAX
        )


def ways(wish: WaitlistWish, resources: Mapping[int, ReadyResource]) -> Iterator[list[Line]]:
    """The lines of each hold that would fulfil the wish, those that are liked best first."""
    for place in wish.places:
        ready = resources.get(ids.parse_resource(place.resource_id))
        if ready is None:
            continue
        plan = ready.resource.plan
        if isinstance(plan, TicketsPlan):
            if not wish.categories:
                yield [Line(place.resource_id, next=wish.party)]
        elif isinstance(plan, SeatsPlan | LegsPlan):
            yield from _seated(wish, place, plan)
        else:
            names = _names(ready)
            for name in wish.categories or _any_of(ready):
                if name is None or name in names:
                    yield [_counted(wish, place, ready, name)]


def _seated(
    wish: WaitlistWish, place: WantedPlace, plan: SeatsPlan | LegsPlan
) -> Iterator[list[Line]]:
    """Seats for each group of the party, and places without a number for all of it at once."""
    classes = named_categories(plan.sections, ())
    for name in wish.categories or (None,):
        if plan.sections and (name is None or name in classes):
            yield [
                Line(place.resource_id, from_=place.from_, to=place.to, best=Best(count, name))
                for count in _groups(wish)
            ]
        for pool in plan.pools:
            if name is None or name in (pool.unit, pool.category):
                yield [
                    Line(place.resource_id, pool.unit, wish.party, from_=place.from_, to=place.to)
                ]


def _counted(
    wish: WaitlistWish, place: WantedPlace, ready: ReadyResource, name: str | None
) -> Line:
    """So many of a pool or product, of rooms, of places of a time."""
    is_pool = ready.plan.range_kind is None
    return Line(
        place.resource_id,
        name,
        wish.party if is_pool or wish.party > 1 else None,
        from_=place.from_,
        to=place.to,
        guests=wish.guests if ready.plan.range_kind == "dates" else UNSET,
        rate=place.rate,
    )


def _groups(wish: WaitlistWish) -> list[int]:
    """How many sit next to each other in each group of the party."""
    if wish.seating == "together":
        return [wish.party]
    size = 2 if wish.seating == "pairs" else 1
    return [min(size, wish.party - start) for start in range(0, wish.party, size)]


def _names(ready: ReadyResource) -> set[str]:
    """What a category of a wish may be here."""
    plan = ready.resource.plan
    names = set(ready.plan.category_names())
    if isinstance(plan, PoolsPlan):
        names |= {product.name for product in plan.products}
        if plan.sell_pools or not plan.products:
            names |= {pool.unit for pool in plan.pools}
    elif isinstance(plan, SeatsPlan | LegsPlan):
        names |= {pool.unit for pool in plan.pools}
    else:
        names |= set(getattr(plan, "things", ()))
        names |= set(getattr(plan, "rooms", None) or ())
        names |= {provider.name for provider in getattr(plan, "providers", ())}
    return names


def _any_of(ready: ReadyResource) -> Sequence[str | None]:
    """What is tried where all will do: of what is counted, one after the other."""
    plan = ready.resource.plan
    if isinstance(plan, PoolsPlan):
        return sorted(_names(ready))
    return (None,)
