"""Why a hold may be refused, as one list: for calls that place one, also those of verticals."""

from bespeak.errors import (
    BespeakError,
    CurrenciesDiffer,
    DuplicateLine,
    HoldTimeBeyondCap,
    InvalidId,
    NotOnSale,
    NotOwner,
    NotTogether,
    OrphanSeat,
    OwnerLimitReached,
    PlanChanged,
    ResourceClosed,
    ResourceNotFound,
    ResourceNotOpen,
    SoldOut,
    UnitTaken,
    UnknownCode,
    UnknownUnit,
)
from bespeak.reservations.errors import HoldErased

PLACING: tuple[type[BespeakError], ...] = (
    InvalidId,
    ResourceNotFound,
    CurrenciesDiffer,
    DuplicateLine,
    NotOnSale,
    NotTogether,
    OrphanSeat,
    SoldOut,
    UnknownCode,
    UnknownUnit,
    UnitTaken,
    OwnerLimitReached,
    HoldTimeBeyondCap,
    ResourceClosed,
    ResourceNotOpen,
    PlanChanged,
    NotOwner,
    HoldErased,
)
"""What `place_hold` raises beside InvalidRequest and what says that the service is away."""
