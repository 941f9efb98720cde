"""What an operator says of teams: new ones, and changes of them. Their `translations` say what
their texts are called in other languages.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.inventory.fields import Name, PriceAmount
from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.questions import Questions
from bespeak.inventory.resources import Currency, HoldSeconds, HoldSecondsMax, OwnerLimit
from bespeak.inventory.shapes.times.plan import BufferMinutes, SlotCapacity, SlotMinutes
from bespeak.inventory.timeline.hours import Exceptions, Holidays, NoticeMinutes, Weekly
from bespeak.merchants.profile import Country, TimeZone
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translations
from bespeak.verticals.fields import City, Description, Line, Lines

PROVIDERS_MAX, SERVICES_MAX = 200, 100
HORIZON_DAYS_MAX = 366
STEP_MINUTES, NOTICE_MINUTES, HORIZON_DAYS = 15, 60, 60
HOLD_SECONDS, HOLD_SECONDS_MAX = 600, 1800
"""How long a time is kept while a guest books it, and at most with extensions."""

TeamHorizonDays = Annotated[int, Meta(ge=0, le=HORIZON_DAYS_MAX)]
_ProviderNames = Annotated[tuple[Name, ...], Meta(min_length=1, max_length=PROVIDERS_MAX)]


class NewProvider(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who or what gives appointments: a person, a chair, a court. It is known by its `name`, in
    bookings too, and guests read its `title`, where that is another. Its own hours and exceptions
    stand in place of the team's; empty `weekly` hours are of one that has left."""

    name: Name
    title: Name | None = None
    weekly: Weekly | None = None
    exceptions: Exceptions | None = None


class NewService(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What guests book: how long it takes, what a place of it costs (in minor units), every how
    many minutes one may begin (absent: as the team says), how much time its provider needs before
    and after, and by which `providers` it is given (absent: by all)."""

    name: Name
    minutes: SlotMinutes
    description: Lines = ""
    price: PriceAmount = 0
    step_minutes: SlotMinutes | None = None
    buffer_before_minutes: BufferMinutes = 0
    buffer_after_minutes: BufferMinutes = 0
    providers: _ProviderNames | None = None


NewProviders = Annotated[tuple[NewProvider, ...], Meta(min_length=1, max_length=PROVIDERS_MAX)]
NewServices = Annotated[tuple[NewService, ...], Meta(min_length=1, max_length=SERVICES_MAX)]


class NewTeam(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who gives appointments at one address: the `providers`, their hours by the clocks of the
    `time_zone` (IANA), and the `services` that one books of them. Whatever is booked of a provider,
    nothing else of it overlaps. A time is sold from `horizon_days` before its date until
    `notice_minutes` before it begins; with a `capacity` above 1 it has so many places, as a class
    does. The currency is that of the merchant's profile unless it is said."""

    name: Name
    time_zone: TimeZone
    providers: NewProviders
    services: NewServices
    weekly: Weekly = ()
    exceptions: Exceptions = ()
    holidays: Holidays = ()
    summary: Line = ""
    description: Description = ""
    address: Line = ""
    city: City = ""
    country: Country | None = None
    currency: Currency | None = None
    payment: PaymentRule | UnsetType = UNSET
    step_minutes: SlotMinutes = STEP_MINUTES
    notice_minutes: NoticeMinutes = NOTICE_MINUTES
    horizon_days: TeamHorizonDays = HORIZON_DAYS
    capacity: SlotCapacity = 1
    pricing: Pricing | None = None
    owner_limit: OwnerLimit | None = None
    hold_seconds: HoldSeconds = HOLD_SECONDS
    hold_seconds_max: HoldSecondsMax = HOLD_SECONDS_MAX
    published: bool = False
    translations: Translations = ()
    questions: Questions = ()


class TeamChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a team is to change, with its resource. Providers and services are said whole. Prices
    and rules are for new holds; of a provider who is booked, nothing is taken away: give one who
    has left empty `weekly` hours. `version`, if given, must be the present one."""

    version: int | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    providers: NewProviders | UnsetType = UNSET
    services: NewServices | UnsetType = UNSET
    weekly: Weekly | UnsetType = UNSET
    exceptions: Exceptions | UnsetType = UNSET
    holidays: Holidays | UnsetType = UNSET
    summary: Line | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    address: Line | UnsetType = UNSET
    city: City | UnsetType = UNSET
    country: Country | UnsetType | None = UNSET
    payment: PaymentRule | UnsetType = UNSET
    step_minutes: SlotMinutes | UnsetType = UNSET
    notice_minutes: NoticeMinutes | UnsetType = UNSET
    horizon_days: TeamHorizonDays | UnsetType = UNSET
    capacity: SlotCapacity | UnsetType = UNSET
    pricing: Pricing | UnsetType | None = UNSET
    owner_limit: OwnerLimit | UnsetType | None = UNSET
    hold_seconds: HoldSeconds | UnsetType = UNSET
    hold_seconds_max: HoldSecondsMax | UnsetType = UNSET
    published: bool | UnsetType = UNSET
    translations: Translations | UnsetType = UNSET
    questions: Questions | UnsetType = UNSET
