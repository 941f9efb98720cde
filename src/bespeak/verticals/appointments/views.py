"""What is answered of teams. Times are by the clocks of the team. An answer in a language has its
texts translated; without one it has them as they were typed, with `translations`.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

import msgspec

from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.questions import Questions
from bespeak.inventory.timeline.hours import SpecialDays, WeeklyHours
from bespeak.money import Money
from bespeak.pricing.rules import Pricing
from bespeak.reservations.contact import Contact
from bespeak.translations import Translations

AppointmentState = Literal["booked", "held", "blocked"]
AppointmentPayment = Literal["paid", "at_venue", "free", "elsewhere"]


class TeamProvider(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A provider: the `name` is the unit of a line, the `title` is for people. Without hours of its
    own it has the team's; empty `weekly` hours are of one that has left. Lists tell no hours."""

    name: str
    title: str
    weekly: list[WeeklyHours] | None = None
    exceptions: list[SpecialDays] | None = None


class TeamService(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A service: the `name` is the `rate` of a line, the `title` is for people. The price is of one
    place, in minor units, without fees and demand; `providers` are those who give it. Lists tell no
    descriptions."""

    name: str
    title: str
    minutes: int
    price: int
    step_minutes: int
    buffer_before_minutes: int
    buffer_after_minutes: int
    providers: list[str]
    description: str = ""


class Team(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A team; its id is that of its resource. `price_from` is the lowest price of a service, in
    minor units. `version` is for those who sell only. Lists tell no hours."""

    id: str
    name: str
    summary: str
    description: str
    address: str
    city: str
    country: str | None
    time_zone: str
    currency: str
    price_from: int
    payment: PaymentRule
    providers: list[TeamProvider]
    services: list[TeamService]
    step_minutes: int
    notice_minutes: int
    horizon_days: int
    capacity: int
    pricing: Pricing | None
    owner_limit: int | None
    hold_seconds: int
    hold_seconds_max: int
    state: Literal["open", "closed"]
    published: bool
    questions: Questions = ()
    weekly: list[WeeklyHours] = []
    exceptions: list[SpecialDays] = []
    holidays: list[date] = []
    version: int | None = None
    translations: Translations = ()
    replayed: bool = False


class Teams(msgspec.Struct, frozen=True):
    """A page of teams, by name."""

    items: list[Team]
    next: str | None


class FreeDay(msgspec.Struct, frozen=True):
    """A date: how many `free` beginnings of the service it has, and the `first` of them."""

    date: date
    free: int
    first: datetime | None


class FreeDays(msgspec.Struct, frozen=True):
    """The dates that were asked for, in order. `next_free` is the first free beginning on them or
    on a later date that is sold; null where there is none until `looked_until`, which is the end of
    what is sold but for very large teams."""

    time_zone: str
    items: list[FreeDay]
    next_free: datetime | None
    looked_until: date
    next: str | None = None


class Appointment(msgspec.Struct, frozen=True, kw_only=True):
    """What has a provider's time: a booking's line, a hold's, or a block. Bookings have their
    `code`, the `guest` where it is known, whether somebody `arrived` with a ticket of it, and how
    it is paid; holds an end, `until`; blocks a `reason`, and are told as far as they are of the
    date."""

    state: AppointmentState
    provider: str
    service: str | None
    from_: datetime = msgspec.field(name="from")
    to: datetime
    quantity: int
    booking_id: str | None = None
    code: str | None = None
    guest: Contact | None = None
    arrived: bool = False
    payment: AppointmentPayment | None = None
    amount: Money | None = None
    hold_id: str | None = None
    until: datetime | None = None
    block_id: str | None = None
    reason: str | None = None


class Agenda(msgspec.Struct, frozen=True, kw_only=True):
    """The appointments of a team on a date, by time and provider."""

    team: str
    date: date
    time_zone: str
    providers: list[str]
    items: list[Appointment]
    next: str | None = None
