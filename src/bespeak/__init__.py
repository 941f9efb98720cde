"""Bespeak: hold, pay, confirm, and never sell the same thing twice."""

from bespeak.assembly import Engine, connect
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
    NotOwner,
    Overloaded,
    OwnerLimitReached,
    Refused,
    ResourceClosed,
    ResourceNotFound,
    SoldOut,
    Unavailable,
    UnitTaken,
    UnknownUnit,
)
from bespeak.feed.reader import Event, EventPage
from bespeak.inventory.availability import Availability
from bespeak.inventory.blocks import Block, BlockLine
from bespeak.inventory.plans import PoolPlan, Row, SeatsPlan, Section
from bespeak.inventory.resources import NewResource, Price, Resource, ResourceChange
from bespeak.money import Money
from bespeak.reservations.holds import Booking, Hold
from bespeak.reservations.lines import Line
from bespeak.settings import Settings
from bespeak.states import BookingState, HoldState, UnitState

__version__ = "0.1.0"

__all__ = [
    "Availability",
    "BespeakError",
    "Block",
    "BlockLine",
    "Booking",
    "BookingCancelled",
    "BookingNotFound",
    "BookingState",
    "Engine",
    "Event",
    "EventPage",
    "Hold",
    "HoldConfirmed",
    "HoldExpired",
    "HoldNotFound",
    "HoldReleased",
    "HoldState",
    "IdempotencyKeyReused",
    "InvalidRequest",
    "Line",
    "Money",
    "NewResource",
    "NotOwner",
    "Overloaded",
    "OwnerLimitReached",
    "PoolPlan",
    "Price",
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
    "Unavailable",
    "UnitState",
    "UnitTaken",
    "UnknownUnit",
    "connect",
]
