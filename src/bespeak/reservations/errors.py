"""The errors that only bookings with tickets have, branches of the one tree in bespeak.errors."""

from __future__ import annotations

from bespeak.errors import Refused


class TicketUsed(Refused):
    """A ticket of what the buyer would give back has let somebody in; the operator may cancel."""

    code = "ticket_used"
    sqlstate = "BS033"
    title = "A used ticket cannot be given back"
