"""Bespeak: hold, pay, confirm, and never sell the same thing twice.

Each public name is imported when it is first asked for: a command that needs few of them starts in
a fraction of the time that all would take.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bespeak.assembly import connect, migrate
    from bespeak.blocking import SyncEngine, SyncPayments, SyncWithin, connect_sync
    from bespeak.engine import Engine, Within
    from bespeak.errors import (
        BespeakError,
        BookingCancelled,
        BookingNotFound,
        CurrenciesDiffer,
        DatabaseUnavailable,
        DuplicateLine,
        ExtensionBeyondCap,
        HoldConfirmed,
        HoldExpired,
        HoldNotFound,
        HoldReleased,
        HoldTimeBeyondCap,
        IdempotencyKeyReused,
        InvalidCursor,
        InvalidId,
        InvalidRequest,
        NotInBooking,
        NotOnSale,
        NotOwner,
        NotPermitted,
        NotTogether,
        OrphanSeat,
        Overloaded,
        OwnerLimitReached,
        PaymentRequired,
        PlanChanged,
        Refused,
        ResourceClosed,
        ResourceNotFound,
        ResourceNotOpen,
        ShuttingDown,
        SoldOut,
        Unavailable,
        UnitTaken,
        UnknownCode,
        UnknownUnit,
    )
    from bespeak.feed.errors import CursorExpired, CursorOfAnotherLife
    from bespeak.feed.feed_snapshot import FeedSnapshotItem, FeedSnapshotPage
    from bespeak.feed.live_news import LiveChange, LiveNews, LiveSnapshot, LiveStale
    from bespeak.feed.reader import Event, EventPage
    from bespeak.feed.timeline import Timeline
    from bespeak.inventory.audit import Audit
    from bespeak.inventory.blocks import Block, BlockLine, BlockPage, ResourceBlock
    from bespeak.inventory.calendars.imports import CalendarImport
    from bespeak.inventory.fields import PoolPlan
    from bespeak.inventory.plans import Availability, AvailabilityQuery
    from bespeak.inventory.resources import (
        NewResource,
        Price,
        Resource,
        ResourceChange,
        ResourcePage,
    )
    from bespeak.inventory.shapes.legs.availability import LegsAvailability
    from bespeak.inventory.shapes.legs.plan import LegsPlan
    from bespeak.inventory.shapes.moments.availability import MomentsAvailability
    from bespeak.inventory.shapes.moments.plan import MomentsPlan
    from bespeak.inventory.shapes.nights.availability import NightsAvailability
    from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
    from bespeak.inventory.shapes.pools.availability import PoolsAvailability
    from bespeak.inventory.shapes.pools.plan import PoolsPlan
    from bespeak.inventory.shapes.seats.availability import SeatsAvailability
    from bespeak.inventory.shapes.seats.plan import Row, SeatsPlan, Section
    from bespeak.inventory.shapes.tickets.availability import TicketsAvailability
    from bespeak.inventory.shapes.tickets.plan import TicketsPlan
    from bespeak.inventory.shapes.times.availability import TimesAvailability
    from bespeak.inventory.shapes.times.plan import TimesPlan
    from bespeak.lines import Best, Line
    from bespeak.money import Money
    from bespeak.pages import Page
    from bespeak.payments.errors import MoneyReturned, PaymentDeclined, PaymentInProgress
    from bespeak.payments.payment import Paid, Payment
    from bespeak.payments.refunds.call_off import CalledOff
    from bespeak.payments.refunds.owed import RefundQuote
    from bespeak.postgres.errors import ForkedEngine, NoTransaction, WrongEventLoop
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
    from bespeak.refusals import Alternative, Conflict
    from bespeak.reservations.contact import Contact
    from bespeak.reservations.hold_batches import WantedHold
    from bespeak.reservations.holds import Booking, Hold
    from bespeak.reservations.lines import BookedLine
    from bespeak.reservations.live_holds import HoldPage
    from bespeak.reservations.move_requests import Move
    from bespeak.reservations.positions import Positions
    from bespeak.reservations.request import HoldBounds
    from bespeak.settings import Settings
    from bespeak.states import BookingState, HoldState, PaymentState, UnitState
    from bespeak.translations import Translation

__version__ = "0.1.0"

__all__ = [
    "Alternative",
    "Audit",
    "Availability",
    "AvailabilityQuery",
    "BespeakError",
    "Best",
    "Block",
    "BlockLine",
    "BlockPage",
    "BookedLine",
    "Booking",
    "BookingCancelled",
    "BookingNotFound",
    "BookingState",
    "CalendarImport",
    "CalledOff",
    "Cancellation",
    "Conflict",
    "Contact",
    "CurrenciesDiffer",
    "CursorExpired",
    "CursorOfAnotherLife",
    "DatabaseUnavailable",
    "DemandStep",
    "DuplicateLine",
    "Engine",
    "Event",
    "EventPage",
    "ExtensionBeyondCap",
    "Fee",
    "FeedSnapshotItem",
    "FeedSnapshotPage",
    "ForkedEngine",
    "Hold",
    "HoldBounds",
    "HoldConfirmed",
    "HoldExpired",
    "HoldNotFound",
    "HoldPage",
    "HoldReleased",
    "HoldState",
    "HoldTimeBeyondCap",
    "IdempotencyKeyReused",
    "InvalidCursor",
    "InvalidId",
    "InvalidRequest",
    "LegsAvailability",
    "LegsPlan",
    "Line",
    "LiveChange",
    "LiveNews",
    "LiveSnapshot",
    "LiveStale",
    "MomentsAvailability",
    "MomentsPlan",
    "Money",
    "MoneyReturned",
    "Move",
    "NewResource",
    "NightRule",
    "NightsAvailability",
    "NightsPlan",
    "NoTransaction",
    "NotInBooking",
    "NotOnSale",
    "NotOwner",
    "NotPermitted",
    "NotTogether",
    "OrphanSeat",
    "Overloaded",
    "OwnerLimitReached",
    "Page",
    "Paid",
    "Payment",
    "PaymentDeclined",
    "PaymentInProgress",
    "PaymentRequired",
    "PaymentState",
    "PlanChanged",
    "PoolPlan",
    "PoolsAvailability",
    "PoolsPlan",
    "Positions",
    "Price",
    "PriceCode",
    "Pricing",
    "Quote",
    "RefundQuote",
    "RefundTier",
    "Refused",
    "Resource",
    "ResourceBlock",
    "ResourceChange",
    "ResourceClosed",
    "ResourceNotFound",
    "ResourceNotOpen",
    "ResourcePage",
    "Row",
    "SeatsAvailability",
    "SeatsPlan",
    "Section",
    "Settings",
    "ShuttingDown",
    "SoldOut",
    "SyncEngine",
    "SyncPayments",
    "SyncWithin",
    "Tax",
    "TicketsAvailability",
    "TicketsPlan",
    "Timeline",
    "TimesAvailability",
    "TimesPlan",
    "Translation",
    "Unavailable",
    "UnitState",
    "UnitTaken",
    "UnknownCode",
    "UnknownUnit",
    "WantedHold",
    "Within",
    "WrongEventLoop",
    "connect",
    "connect_sync",
    "migrate",
]

# Where each public name is at home; a test compares it with the imports above.
_HOMES = {
    "connect": "bespeak.assembly",
    "migrate": "bespeak.assembly",
    "connect_sync": "bespeak.blocking",
    "SyncEngine": "bespeak.blocking",
    "SyncPayments": "bespeak.blocking",
    "SyncWithin": "bespeak.blocking",
    "Engine": "bespeak.engine",
    "Within": "bespeak.engine",
    "BespeakError": "bespeak.errors",
    "BookingCancelled": "bespeak.errors",
    "BookingNotFound": "bespeak.errors",
    "CurrenciesDiffer": "bespeak.errors",
    "DatabaseUnavailable": "bespeak.errors",
    "DuplicateLine": "bespeak.errors",
    "ExtensionBeyondCap": "bespeak.errors",
    "HoldConfirmed": "bespeak.errors",
    "HoldExpired": "bespeak.errors",
    "HoldNotFound": "bespeak.errors",
    "HoldReleased": "bespeak.errors",
    "HoldTimeBeyondCap": "bespeak.errors",
    "IdempotencyKeyReused": "bespeak.errors",
    "InvalidCursor": "bespeak.errors",
    "InvalidId": "bespeak.errors",
    "InvalidRequest": "bespeak.errors",
    "NotInBooking": "bespeak.errors",
    "NotOnSale": "bespeak.errors",
    "NotOwner": "bespeak.errors",
    "NotPermitted": "bespeak.errors",
    "NotTogether": "bespeak.errors",
    "OrphanSeat": "bespeak.errors",
    "Overloaded": "bespeak.errors",
    "OwnerLimitReached": "bespeak.errors",
    "PaymentRequired": "bespeak.errors",
    "PlanChanged": "bespeak.errors",
    "Refused": "bespeak.errors",
    "ResourceClosed": "bespeak.errors",
    "ResourceNotFound": "bespeak.errors",
    "ResourceNotOpen": "bespeak.errors",
    "ShuttingDown": "bespeak.errors",
    "SoldOut": "bespeak.errors",
    "Unavailable": "bespeak.errors",
    "UnitTaken": "bespeak.errors",
    "UnknownCode": "bespeak.errors",
    "UnknownUnit": "bespeak.errors",
    "CursorExpired": "bespeak.feed.errors",
    "CursorOfAnotherLife": "bespeak.feed.errors",
    "FeedSnapshotItem": "bespeak.feed.feed_snapshot",
    "FeedSnapshotPage": "bespeak.feed.feed_snapshot",
    "LiveChange": "bespeak.feed.live_news",
    "LiveNews": "bespeak.feed.live_news",
    "LiveSnapshot": "bespeak.feed.live_news",
    "LiveStale": "bespeak.feed.live_news",
    "Event": "bespeak.feed.reader",
    "EventPage": "bespeak.feed.reader",
    "Timeline": "bespeak.feed.timeline",
    "Audit": "bespeak.inventory.audit",
    "Block": "bespeak.inventory.blocks",
    "BlockLine": "bespeak.inventory.blocks",
    "BlockPage": "bespeak.inventory.blocks",
    "CalendarImport": "bespeak.inventory.calendars.imports",
    "PoolPlan": "bespeak.inventory.fields",
    "Availability": "bespeak.inventory.plans",
    "AvailabilityQuery": "bespeak.inventory.plans",
    "NewResource": "bespeak.inventory.resources",
    "Price": "bespeak.inventory.resources",
    "Resource": "bespeak.inventory.resources",
    "ResourceBlock": "bespeak.inventory.blocks",
    "ResourceChange": "bespeak.inventory.resources",
    "ResourcePage": "bespeak.inventory.resources",
    "LegsAvailability": "bespeak.inventory.shapes.legs.availability",
    "LegsPlan": "bespeak.inventory.shapes.legs.plan",
    "MomentsAvailability": "bespeak.inventory.shapes.moments.availability",
    "MomentsPlan": "bespeak.inventory.shapes.moments.plan",
    "NightsAvailability": "bespeak.inventory.shapes.nights.availability",
    "NightRule": "bespeak.inventory.shapes.nights.plan",
    "NightsPlan": "bespeak.inventory.shapes.nights.plan",
    "PoolsAvailability": "bespeak.inventory.shapes.pools.availability",
    "PoolsPlan": "bespeak.inventory.shapes.pools.plan",
    "SeatsAvailability": "bespeak.inventory.shapes.seats.availability",
    "Row": "bespeak.inventory.shapes.seats.plan",
    "SeatsPlan": "bespeak.inventory.shapes.seats.plan",
    "Section": "bespeak.inventory.shapes.seats.plan",
    "TicketsAvailability": "bespeak.inventory.shapes.tickets.availability",
    "TicketsPlan": "bespeak.inventory.shapes.tickets.plan",
    "TimesAvailability": "bespeak.inventory.shapes.times.availability",
    "TimesPlan": "bespeak.inventory.shapes.times.plan",
    "Best": "bespeak.lines",
    "Line": "bespeak.lines",
    "Money": "bespeak.money",
    "Page": "bespeak.pages",
    "MoneyReturned": "bespeak.payments.errors",
    "PaymentDeclined": "bespeak.payments.errors",
    "PaymentInProgress": "bespeak.payments.errors",
    "Paid": "bespeak.payments.payment",
    "Payment": "bespeak.payments.payment",
    "CalledOff": "bespeak.payments.refunds.call_off",
    "RefundQuote": "bespeak.payments.refunds.owed",
    "ForkedEngine": "bespeak.postgres.errors",
    "NoTransaction": "bespeak.postgres.errors",
    "WrongEventLoop": "bespeak.postgres.errors",
    "Quote": "bespeak.pricing.quotes",
    "Cancellation": "bespeak.pricing.rules",
    "DemandStep": "bespeak.pricing.rules",
    "Fee": "bespeak.pricing.rules",
    "PriceCode": "bespeak.pricing.rules",
    "Pricing": "bespeak.pricing.rules",
    "RefundTier": "bespeak.pricing.rules",
    "Tax": "bespeak.pricing.rules",
    "Alternative": "bespeak.refusals",
    "Conflict": "bespeak.refusals",
    "Contact": "bespeak.reservations.contact",
    "Booking": "bespeak.reservations.holds",
    "Hold": "bespeak.reservations.holds",
    "WantedHold": "bespeak.reservations.hold_batches",
    "BookedLine": "bespeak.reservations.lines",
    "HoldPage": "bespeak.reservations.live_holds",
    "Move": "bespeak.reservations.move_requests",
    "Positions": "bespeak.reservations.positions",
    "HoldBounds": "bespeak.reservations.request",
    "Settings": "bespeak.settings",
    "BookingState": "bespeak.states",
    "HoldState": "bespeak.states",
    "PaymentState": "bespeak.states",
    "UnitState": "bespeak.states",
    "Translation": "bespeak.translations",
}


if not TYPE_CHECKING:  # to a type checker the module would have any name

    def __getattr__(name: str) -> object:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(home), name)
        globals()[name] = value  # the next time it is found without asking
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
