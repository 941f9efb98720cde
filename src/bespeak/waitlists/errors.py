"""The errors of waitlists: branches of the one tree."""

from bespeak.errors import NotPermitted, Refused


class WaitlistNotFound(Refused):
    """No waitlist has this id; or the resource is of none."""

    code = "waitlist_not_found"
    status = 404
    title = "There is no such waitlist"


class WaitlistEntryNotFound(Refused):
    """No entry of a waitlist has this id."""

    code = "waitlist_entry_not_found"
    status = 404
    title = "There is no entry of a waitlist with this id"


class WaitlistClosed(Refused):
    """The waitlist takes nobody more, or it has ended."""

    code = "waitlist_closed"
    title = "The waitlist takes nobody more"


class WaitlistFull(Refused):
    """As many wait as may; `limit` says how many."""

    code = "waitlist_full"
    title = "As many wait as may"


class WaitlistEntriesTooMany(Refused):
    """The owner waits as often on this list as one may; `limit` says how often."""

    code = "waitlist_entries_too_many"
    title = "The owner waits as often as one may"


class WaitlistWithoutExchange(Refused):
    """Who waits on this list gives nothing back for what they are offered: its `exchange` is
    `none`."""

    code = "waitlist_without_exchange"
    title = "The waitlist does not take bookings back"


class BookingWaits(Refused):
    """Somebody waits to give this booking back already, on this list or another."""

    code = "booking_waits"
    title = "The booking waits for something better already"


class ResourceHasWaitlist(Refused):
    """A resource is of one waitlist at most; `resource_ids` are of another already."""

    code = "resource_has_waitlist"
    title = "The resource has a waitlist"


class WaitlistLinkInvalid(NotPermitted):
    """The token of a link to an entry is forged or over, or it is not of this entry, of a hold that
    was offered to it, or of a payment for such a hold."""

    code = "waitlist_link_invalid"
    status = 401
    title = "This link to a place on a waitlist is not, or not any more, a good one"


class NoOfferStands(Refused):
    """Nothing is offered to the entry: it waits, or the offer is over; `state` is the entry's."""

    code = "no_offer_stands"
    title = "No offer stands"
