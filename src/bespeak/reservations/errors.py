"""The errors of tickets, of checkouts and of what was erased: branches of bespeak.errors. And all
that a hold may be refused with, for the calls that place one, also those of verticals.
"""

from __future__ import annotations

from bespeak.errors import (
    BespeakError,
    CurrenciesDiffer,
    DuplicateLine,
    HoldTimeBeyondCap,
    InvalidId,
    InvalidRequest,
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
    """A ticket of what the buyer would give back has let somebody in; the operator may cancel. Of
    what would be moved: it stays where it is."""

    code = "ticket_used"
    sqlstate = "BS033"
    title = "A used ticket cannot be given back"


class BookingNotExchangeable(Refused):
    """The booking that would be given back for something else cannot be; `reason` says why:
    `checked_in`, somebody has come in by it; `begun`; `terms`, not all of its money would come
    back; `changed`, it is not as it was when this was held; `under_way`, another hold is in its
    place already: `hold_id`, if the caller may see it, until `expires_at`. It stays, and nothing
    was paid."""

    code = "booking_not_exchangeable"
    sqlstate = "BS034"
    title = "The booking cannot be given back for this"


class HoldErased(Refused):
    """The hold that this key was used for was erased with the data of its owner: what is late of
    that time is not done again."""

    code = "hold_erased"
    status = 410
    sqlstate = "BS027"
    title = "The hold of this key was erased"


class AnswersRequired(Refused):
    """The merchant asks something that has to be answered before a shopper books; `questions` are
    the first of what is missing."""

    code = "answers_required"
    title = "Questions have to be answered first"


class AnswerInvalid(InvalidRequest):
    """An answer that cannot be one; `reason` says why: `unknown_question`, `not_of_a_ticket`,
    `no_such_ticket`, `not_a_choice`, `blank` or `twice`."""

    code = "answer_invalid"
    title = "This does not answer the question"


class KeptForWaitlist(Refused):
    """What comes back of the resource is kept for who waits for it: whoever wants it joins its
    waitlist."""

    code = "kept_for_waitlist"
    title = "What comes back is for the waitlist"


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
    KeptForWaitlist,
    PlanChanged,
    NotOwner,
    HoldErased,
)
"""What `place_hold` raises beside InvalidRequest and what says that the service is away."""
