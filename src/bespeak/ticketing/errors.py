"""The errors about tickets and check-ins: branches of the one tree in `bespeak.errors`."""

from bespeak.errors import InvalidRequest, NotPermitted, Refused


class BookingLinkInvalid(NotPermitted):
    """The token of a link to a booking is forged, or over."""

    code = "booking_link_invalid"
    status = 401
    title = "This link to a booking is not, or not any more, a good one"


class TicketNotFound(Refused):
    """The booking has no such ticket; `count` says how many it has."""

    code = "ticket_not_found"
    status = 404
    title = "The booking has no such ticket"


class TicketCancelled(Refused):
    """The ticket was given back, and lets nobody in."""

    code = "ticket_cancelled"
    title = "The ticket is cancelled"


class AlreadyCheckedIn(Refused):
    """The ticket was used before; `checked_in_at` and `gate` say when and where."""

    code = "already_checked_in"
    title = "The ticket was used already"


class WrongResource(Refused):
    """The ticket is good, but for something else than what is behind this gate; `admits_to` names
    that."""

    code = "wrong_resource"
    title = "The ticket is for something else"


class TicketCodeInvalid(InvalidRequest):
    """The code is none, was altered, or was not signed by this installation."""

    code = "ticket_code_invalid"
    title = "This is no ticket code of this installation"
