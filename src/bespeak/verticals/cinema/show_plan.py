"""A show made of a film, a screen and a time: its resource with the prices of its seats, its row in
the catalogue, and the stretch of time for which it has the screen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.inventory.resources import NewResource, Price
from bespeak.inventory.shapes.registry import compile_seats
from bespeak.inventory.shapes.seats.plan import Category, SeatsPlan
from bespeak.verticals.cinema.forms import NewShow
from bespeak.verticals.cinema.names import ref_of
from bespeak.verticals.cinema.show_parts import FilmOfShows, ScreenOfShows
from bespeak.verticals.cinema.show_words import ShowTexts, show_words
from bespeak.verticals.local_times import read_moment

KIND = "show"
_SCREEN_SPAN = 1 << 33  # more seconds than there are from 1970 to the last year
_NAME_LENGTH_MAX = 200


@dataclass(frozen=True)
class PlannedShow:
    """A show as it is to be: the resource, and its row beside it."""

    ref: str
    said: NewShow
    room: ScreenOfShows
    film: FilmOfShows
    resource: NewResource
    starts_at: datetime
    ends_at: datetime
    price_from: int
    units_total: int
    areas: tuple[str, ...]
    accessible: bool

    @property
    def occupied(self) -> tuple[int, int]:
        """From when until when it has the screen, the cleaning included, and which: as numbers."""
        base = self.room.number * _SCREEN_SPAN
        free_at = self.ends_at + timedelta(minutes=self.room.cleaning_minutes)
        return (
            base + int(self.starts_at.timestamp()),
            base + math.ceil(free_at.timestamp()),
        )

    def columns(self) -> tuple[object, ...]:
        """Its row, without the number of the resource, in the order of the statements."""
        local = self.starts_at.astimezone(ZoneInfo(self.room.time_zone))
        return (
            self.ref,
            self.film.film_id,
            self.room.screen_id,
            self.room.cinema_id,
            self.room.city_id,
            self.starts_at,
            self.ends_at,
            local.date(),
            self.said.language,
            self.said.subtitles,
            self.said.format,
            self.accessible,
            self.units_total,
            msgspec.json.encode(self.areas).decode(),
            self.price_from,
            *self.occupied,
            msgspec.json.encode(self.said).decode(),
        )


def show_ref(new: NewShow, screen_id: str, time_zone: str, starts_at: datetime) -> str:
    """How a show is found again: by its own reference, or by its screen and time."""
    if isinstance(new.ref, str):
        return new.ref
    local = starts_at.astimezone(ZoneInfo(time_zone))
    return ref_of(screen_id, local.isoformat(timespec="minutes"))


def schedule(
    new: NewShow, room: ScreenOfShows, film: FilmOfShows, plan: SeatsPlan | None = None
) -> PlannedShow:
    """The show, in the plan of the screen unless another is given. Raises InvalidRequest for a time
    or prices that make no sense."""
    starts_at = read_moment(new.starts_at, room.time_zone)
    ends_at = starts_at + timedelta(minutes=film.minutes)
    priced = with_prices(plan or room.plan, new.prices)
    unpriced = [category.name for category in priced.categories if category.price is None]
    if unpriced and new.payment == "required":
        raise InvalidRequest(f"prices: {unpriced[0][:60]!r} has no price", field="prices")
    cheapest = min((category.price or 0 for category in priced.categories), default=0)
    local = starts_at.astimezone(ZoneInfo(room.time_zone))
    when = f", {room.cinema_name} {room.name}, {local:%a %d %b %H:%M}"[: _NAME_LENGTH_MAX - 60]
    name = film.title[: _NAME_LENGTH_MAX - len(when)] + when
    location = ", ".join(filter(None, (room.cinema_name, room.address, room.city_name)))
    pricing = new.pricing or room.pricing
    resource = NewResource(
        name=name,
        kind=KIND,
        plan=priced,
        time_zone=room.time_zone,
        closes_at=starts_at,
        starts_at=starts_at,
        ends_at=ends_at,
        hold_seconds=new.hold_seconds,
        hold_seconds_max=max(new.hold_seconds, new.hold_seconds_max),
        owner_limit=new.owner_limit,
        payment=new.payment,
        price=Price(cheapest, room.currency),
        pricing=pricing,
        published=new.published,
        attributes=_attributes(new, room, film, local, location),
        translations=show_words(new, room, film, local, ShowTexts(name, location, pricing)),
    )
    compiled = compile_seats(priced)
    return PlannedShow(
        ref=show_ref(new, room.screen_id, room.time_zone, starts_at),
        said=new,
        room=room,
        film=film,
        resource=resource,
        starts_at=starts_at,
        ends_at=ends_at,
        price_from=cheapest,
        units_total=compiled.units_total(),
        areas=tuple(compiled.pools),
        accessible=has_accessible(priced),
    )


def _attributes(
    new: NewShow, room: ScreenOfShows, film: FilmOfShows, local: datetime, location: str
) -> dict[str, str | int | float | bool | None]:
    """What the resource tells of its show, as texts."""
    return {
        "city": room.city_name,
        "cinema": room.cinema_name,
        "screen": room.name,
        "location": location,
        "film": film.title,
        "film_id": film.film_id,
        "language": new.language,
        "format": new.format,
        "starts_at": local.isoformat(),
    }


def with_prices(plan: SeatsPlan, prices: Mapping[str, int]) -> SeatsPlan:
    """The plan with these prices. Raises InvalidRequest for a category that it does not have."""
    known = {category.name: category for category in plan.categories}
    if not known:
        known = {name: Category(name) for name in sorted(_used(plan))}
    unknown = sorted(set(prices) - set(known))
    if unknown:
        raise InvalidRequest(
            f"prices: the screen has no category {unknown[0][:60]!r}, but "
            f"{', '.join(sorted(known))[:200]}",
            field="prices",
        )
    if not prices:
        return (
            plan
            if plan.categories
            else msgspec.structs.replace(plan, categories=tuple(known.values()))
        )
    return msgspec.structs.replace(
        plan,
        categories=tuple(
            msgspec.structs.replace(one, price=prices.get(one.name, one.price))
            for one in known.values()
        ),
    )


def _used(plan: SeatsPlan) -> set[str]:
    """The categories that seats and areas of the plan have."""
    found = set(compile_seats(plan).categories.values())
    return found | {pool.category for pool in plan.pools if pool.category is not None}


def has_accessible(plan: SeatsPlan) -> bool:
    return any(
        row.accessible or any(seat.accessible for seat in row.listed)
        for section in plan.sections
        for row in section.rows
    ) or any(table.accessible for section in plan.sections for table in section.tables)
