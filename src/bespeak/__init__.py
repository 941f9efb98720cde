"""Bespeak: hold, pay, confirm, and never sell the same thing twice."""

from bespeak.assembly import connect
from bespeak.engine import Engine
from bespeak.errors import (
    BespeakError,
    BookingCancelled,
    BookingNotFound,
    HoldConfirmed,
    HoldExpired,
    HoldNotFound,
    HoldReleased,
    IdempotencyKeyReused,
    InvalidRequest,
    NotOnSale,
    NotOwner,
    NotTogether,
    OrphanSeat,
    Overloaded,
    OwnerLimitReached,
    PaymentRequired,
    Refused,
    ResourceClosed,
    ResourceNotFound,
    SoldOut,
    Unavailable,
    UnitTaken,
    UnknownCode,
    UnknownUnit,
)
from bespeak.feed.live_news import LiveChange, LiveNews, LiveSnapshot, LiveStale
from bespeak.feed.reader import Event, EventPage
from bespeak.inventory.blocks import Block, BlockLine
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.lines import Best, Line
from bespeak.inventory.plans import Availability, AvailabilityQuery
from bespeak.inventory.resources import NewResource, Price, Resource, ResourceChange
from bespeak.inventory.shapes.legs.plan import LegsPlan
from bespeak.inventory.shapes.moments.plan import MomentsPlan
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.inventory.shapes.pools.plan import PoolsPlan
from bespeak.inventory.shapes.seats.plan import Row, SeatsPlan, Section
from bespeak.inventory.shapes.tickets.plan import TicketsPlan
from bespeak.inventory.shapes.times.plan import TimesPlan
from bespeak.money import Money
from bespeak.payments.errors import MoneyReturned, PaymentDeclined, PaymentInProgress
from bespeak.payments.payment import Paid, Payment
from bespeak.pricing.quotes import Quote
from bespeak.pricing.rules import (
    Cancellation,
    DemandStep,
    Fee,
    PriceCode,
    Pricing,
    RefundTier,
    Tax,
)
from bespeak.reservations.contact import Contact
from bespeak.reservations.holds import Booking, Hold
from bespeak.settings import Settings
from bespeak.states import BookingState, HoldState, PaymentState, UnitState

__version__ = "0.1.0"

__all__ = [
    "Availability",
    "AvailabilityQuery",
    "BespeakError",
    "Best",
    "Block",
    "BlockLine",
    "Booking",
    "BookingCancelled",
    "BookingNotFound",
    "BookingState",
    "Cancellation",
    "Contact",
    "DemandStep",
    "Engine",
    "Event",
    "EventPage",
    "Fee",
    "Hold",
    "HoldConfirmed",
    "HoldExpired",
    "HoldNotFound",
    "HoldReleased",
    "HoldState",
    "IdempotencyKeyReused",
    "InvalidRequest",
    "LegsPlan",
    "Line",
    "LiveChange",
    "LiveNews",
    "LiveSnapshot",
    "LiveStale",
    "MomentsPlan",
    "Money",
    "MoneyReturned",
    "NewResource",
    "NightRule",
    "NightsPlan",
    "NotOnSale",
    "NotOwner",
    "NotTogether",
    "OrphanSeat",
    "Overloaded",
    "OwnerLimitReached",
    "Paid",
    "Payment",
    "PaymentDeclined",
    "PaymentInProgress",
    "PaymentRequired",
    "PaymentState",
    "PoolPlan",
    "PoolsPlan",
    "Price",
    "PriceCode",
    "Pricing",
    "Quote",
    "RefundTier",
    "Refused",
    "Resource",
    "ResourceChange",
    "ResourceClosed",
    "ResourceNotFound",
    "Row",
    "SeatsPlan",
    "Section",
    "Settings",
    "SoldOut",
    "Tax",
    "TicketsPlan",
    "TimesPlan",
    "Unavailable",
    "UnitState",
    "UnitTaken",
    "UnknownCode",
    "UnknownUnit",
    "connect",
]
