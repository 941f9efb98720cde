"""What is answered of the day's work of a house."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

import msgspec

from bespeak.money import Money
from bespeak.reservations.contact import Contact


class BoardNight(msgspec.Struct, frozen=True):
    """A night of a listing: how many `rooms` it has, `taken` by holds and bookings (with the nights
    to clean after them), `blocked`, and `free` to be sold; `closed` by a rule of the plan."""

    date: date
    rooms: int
    taken: int
    blocked: int
    free: int
    closed: bool


class BoardStay(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What has rooms of a listing from the night of `from` until the day `to`: of a booking or a
    hold, or a block. An exact `room` by its name, or null with how many `rooms` of a type. `id` is
    that of the booking, hold or block. Bookings have their `code` and, where it is known, who the
    guest is; holds an end, `until`; blocks a `reason`."""

    kind: Literal["booking", "hold", "block"]
    id: str
    from_: date = msgspec.field(name="from")
    to: date
    room: str | None
    rooms: int
    code: str | None = None
    guest: str | None = None
    until: datetime | None = None
    reason: str | None = None


class BoardListing(msgspec.Struct, frozen=True, kw_only=True):
    """A listing on the board: its exact `rooms` by their names, null where they are counted; its
    nights in order, and the stays and blocks that touch them."""

    id: str
    name: str
    rooms: list[str] | None
    nights: list[BoardNight]
    stays: list[BoardStay]


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the listings of a property by name, with the nights from `from` until before
    `to`."""

    from_: date = msgspec.field(name="from")
    to: date
    items: list[BoardListing]
    next: str | None


class GuestOfDay(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who comes, stays or goes on a day: the booking's line of a listing. `room` is exact,
    or null with how many `rooms`. `to_pay` is what is not paid yet of all of the booking."""

    kind: Literal["arrival", "departure", "in_house"]
    listing: str
    listing_name: str
    room: str | None
    rooms: int
    booking: str
    code: str
    contact: Contact | None
    from_: date = msgspec.field(name="from")
    to: date
    nights: int
    to_pay: Money


class GuestsOfDay(msgspec.Struct, frozen=True):
    """A page of who arrives, departs and stays on a day, by listing and booking."""

    date: date
    items: list[GuestOfDay]
    next: str | None


class NightFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What a night brings, or all of them together: of the `rooms` that there are, `sold` and
    `blocked`. `occupancy` is the share of the rooms that are not blocked, in basis points;
    `revenue` in minor units, `adr` per room sold, `revpar` per room that is not blocked. Null where
    there is none to share by. `date` is null of the total."""

    date: date | None
    rooms: int
    sold: int
    blocked: int
    occupancy: int | None
    revenue: int
    adr: int | None
    revpar: int | None


class CurrencyFigures(msgspec.Struct, frozen=True):
    """The nights of all listings that are sold in a currency, and their total."""

    currency: str
    total: NightFigures
    nights: list[NightFigures]


class StayFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What the nights from `from` until before `to` bring, a set of rows for each currency."""

    from_: date = msgspec.field(name="from")
    to: date
    items: list[CurrencyFigures]
    next: str | None = None
