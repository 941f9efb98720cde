"""The errors of bookings with tickets and of what was erased: branches of bespeak.errors. And all
that a hold may be refused with, for the calls that place one, also those of verticals.
"""

from __future__ import annotations

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
    Refused,
    ResourceClosed,
    ResourceNotFound,
    ResourceNotOpen,
    SoldOut,
    UnitTaken,
    UnknownCode,
    UnknownUnit,
)


class TicketUsed(Refused):
    """A ticket of what the buyer would give back has let somebody in; the operator may cancel."""

    code = "ticket_used"
    sqlstate = "BS033"
    title = "A used ticket cannot be given back"


class HoldErased(Refused):
    """The hold that this key was used for was erased with the data of its owner: what is late of
    that time is not done again."""

    code = "hold_erased"
    status = 410
    sqlstate = "BS027"
    title = "The hold of this key was erased"


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
