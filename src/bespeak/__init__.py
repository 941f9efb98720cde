"""Hold, pay, confirm, never sell twice. A name is imported when it is asked for, to start soon."""

from typing import TYPE_CHECKING

from bespeak.public_names import found_when_asked_for

if TYPE_CHECKING:
    from bespeak.admission.errors import (
        EarlyOrderStands,
        InviteBatchesTooMany,
        InviteBatchNotFound,
        InviteCodeExpired,
        InviteCodeMistyped,
        InviteCodeRevoked,
        InviteCodeUnknown,
        InviteCodeUsedUp,
        NotYourTurn,
        OpeningsTakenBack,
        PassEnded,
        PassInvalid,
        PassRequired,
        PublicValueStands,
        QueueTokenInvalid,
        ResourceInWaitingRoom,
        TurnLost,
        TurnMailsTooMany,
        WaitingRoomClosed,
        WaitingRoomDraining,
        WaitingRoomNotFound,
        WaitingRoomOpened,
        WaitingRoomPassesGiven,
    )
    from bespeak.admission.forms import ChangeWaitingRoom, NewQueue, NewWaitingRoom, WaitingRoom
    from bespeak.admission.invites import InviteBatch, NewInviteBatch
    from bespeak.admission.told import GivenPass, JoinedQueue, PlaceNow, TurnMail, WaitingRoomNow
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
        InternalError,
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
        ResourceInUse,
        ResourceNotFound,
        ResourceNotOpen,
        ShuttingDown,
        SoldOut,
        Unavailable,
        UnitTaken,
        UnknownCode,
        UnknownUnit,
        VersionMismatch,
    )
    from bespeak.feed.errors import CursorExpired, CursorOfAnotherLife
    from bespeak.feed.feed_snapshot import FeedSnapshotItem, FeedSnapshotPage
    from bespeak.feed.live_news import LiveChange, LiveNews, LiveSnapshot, LiveStale
    from bespeak.feed.reader import Event, EventPage
    from bespeak.feed.timeline import Timeline
    from bespeak.inventory.audit import Audit
    from bespeak.inventory.blocks import Block, BlockLine, BlockPage, ResourceBlock
    from bespeak.inventory.calendars.imports import CalendarImport
    from bespeak.inventory.errors import (
        BlockNotFound,
        NotBlocked,
        PaymentRuleNeeded,
        ResourceCalledOff,
        ResourceNotReady,
        UnitNotMovable,
    )
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
    from bespeak.merchants.errors import ConsentRequired
    from bespeak.money import Money
    from bespeak.pages import Page
    from bespeak.payments.errors import (
        CallingOffRuns,
        MoneyReturned,
        NotCalledOff,
        PaymentDeclined,
        PaymentInProgress,
        PaymentNotFound,
        ProviderUnknown,
        RefundByPolicyOnly,
        RefundTooGreat,
    )
    from bespeak.payments.payment import Paid, Payment
    from bespeak.payments.providers.provider import ProviderUnavailable
    from bespeak.payments.refunds.call_off import CalledOff
    from bespeak.payments.refunds.owed import RefundQuote
    from bespeak.postgres.errors import (
        DatabaseReadOnly,
        ForkedEngine,
        NoTransaction,
        WrongEventLoop,
    )
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
    from bespeak.reservations.errors import (
        AnswerInvalid,
        AnswersRequired,
        BookingNotExchangeable,
        HoldErased,
        KeptForWaitlist,
        TicketUsed,
    )
    from bespeak.reservations.hold_batches import WantedHold
    from bespeak.reservations.holds import Booking, Hold, HoldBooking
    from bespeak.reservations.lines import BookedLine
    from bespeak.reservations.live_holds import HoldPage
    from bespeak.reservations.move_requests import Move
    from bespeak.reservations.positions import Positions
    from bespeak.reservations.request import HoldBounds
    from bespeak.settings import Settings
    from bespeak.states import BookingState, HoldState, PaymentState, UnitState
    from bespeak.ticketing.errors import BookingLinkInvalid
    from bespeak.translations import Translation
    from bespeak.waitlists.entry import WaitlistEntry, WaitlistEntryPage, WaitlistOffer
    from bespeak.waitlists.errors import (
        BookingWaits,
        NoOfferStands,
        ResourceHasWaitlist,
        WaitlistClosed,
        WaitlistEntriesTooMany,
        WaitlistEntryNotFound,
        WaitlistFull,
        WaitlistLinkInvalid,
        WaitlistNotFound,
        WaitlistWithoutExchange,
    )
    from bespeak.waitlists.waitlist import NewWaitlist, Waitlist, WaitlistChange
    from bespeak.waitlists.wish import WaitlistWish, WantedPlace

__version__ = "0.1.0"

__all__ = [
    "Alternative",
    "AnswerInvalid",
    "AnswersRequired",
    "Audit",
    "Availability",
    "AvailabilityQuery",
    "BespeakError",
    "Best",
    "Block",
    "BlockLine",
    "BlockNotFound",
    "BlockPage",
    "BookedLine",
    "Booking",
    "BookingCancelled",
    "BookingLinkInvalid",
    "BookingNotExchangeable",
    "BookingNotFound",
    "BookingState",
    "BookingWaits",
    "CalendarImport",
    "CalledOff",
    "CallingOffRuns",
    "Cancellation",
    "ChangeWaitingRoom",
    "Conflict",
    "ConsentRequired",
    "Contact",
    "CurrenciesDiffer",
    "CursorExpired",
    "CursorOfAnotherLife",
    "DatabaseReadOnly",
    "DatabaseUnavailable",
    "DemandStep",
    "DuplicateLine",
    "EarlyOrderStands",
    "Engine",
    "Event",
    "EventPage",
    "ExtensionBeyondCap",
    "Fee",
    "FeedSnapshotItem",
    "FeedSnapshotPage",
    "ForkedEngine",
    "GivenPass",
    "Hold",
    "HoldBooking",
    "HoldBounds",
    "HoldConfirmed",
    "HoldErased",
    "HoldExpired",
    "HoldNotFound",
    "HoldPage",
    "HoldReleased",
    "HoldState",
    "HoldTimeBeyondCap",
    "IdempotencyKeyReused",
    "InternalError",
    "InvalidCursor",
    "InvalidId",
    "InvalidRequest",
    "InviteBatch",
    "InviteBatchNotFound",
    "InviteBatchesTooMany",
    "InviteCodeExpired",
    "InviteCodeMistyped",
    "InviteCodeRevoked",
    "InviteCodeUnknown",
    "InviteCodeUsedUp",
    "JoinedQueue",
    "KeptForWaitlist",
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
    "NewInviteBatch",
    "NewQueue",
    "NewResource",
    "NewWaitingRoom",
    "NewWaitlist",
    "NightRule",
    "NightsAvailability",
    "NightsPlan",
    "NoOfferStands",
    "NoTransaction",
    "NotBlocked",
    "NotCalledOff",
    "NotInBooking",
    "NotOnSale",
    "NotOwner",
    "NotPermitted",
    "NotTogether",
    "NotYourTurn",
    "OpeningsTakenBack",
    "OrphanSeat",
    "Overloaded",
    "OwnerLimitReached",
    "Page",
    "Paid",
    "PassEnded",
    "PassInvalid",
    "PassRequired",
    "Payment",
    "PaymentDeclined",
    "PaymentInProgress",
    "PaymentNotFound",
    "PaymentRequired",
    "PaymentRuleNeeded",
    "PaymentState",
    "PlaceNow",
    "PlanChanged",
    "PoolPlan",
    "PoolsAvailability",
    "PoolsPlan",
    "Positions",
    "Price",
    "PriceCode",
    "Pricing",
    "ProviderUnavailable",
    "ProviderUnknown",
    "PublicValueStands",
    "QueueTokenInvalid",
    "Quote",
    "RefundByPolicyOnly",
    "RefundQuote",
    "RefundTier",
    "RefundTooGreat",
    "Refused",
    "Resource",
    "ResourceBlock",
    "ResourceCalledOff",
    "ResourceChange",
    "ResourceClosed",
    "ResourceHasWaitlist",
    "ResourceInUse",
    "ResourceInWaitingRoom",
    "ResourceNotFound",
    "ResourceNotOpen",
    "ResourceNotReady",
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
    "TicketUsed",
    "TicketsAvailability",
    "TicketsPlan",
    "Timeline",
    "TimesAvailability",
    "TimesPlan",
    "Translation",
    "TurnLost",
    "TurnMail",
    "TurnMailsTooMany",
    "Unavailable",
    "UnitNotMovable",
    "UnitState",
    "UnitTaken",
    "UnknownCode",
    "UnknownUnit",
    "VersionMismatch",
    "WaitingRoom",
    "WaitingRoomClosed",
    "WaitingRoomDraining",
    "WaitingRoomNotFound",
    "WaitingRoomNow",
    "WaitingRoomOpened",
    "WaitingRoomPassesGiven",
    "Waitlist",
    "WaitlistChange",
    "WaitlistClosed",
    "WaitlistEntriesTooMany",
    "WaitlistEntry",
    "WaitlistEntryNotFound",
    "WaitlistEntryPage",
    "WaitlistFull",
    "WaitlistLinkInvalid",
    "WaitlistNotFound",
    "WaitlistOffer",
    "WaitlistWish",
    "WaitlistWithoutExchange",
    "WantedHold",
    "WantedPlace",
    "Within",
    "WrongEventLoop",
    "connect",
    "connect_sync",
    "migrate",
]

if not TYPE_CHECKING:  # to a type checker the module would have any name
    __getattr__, __dir__ = found_when_asked_for(globals())
