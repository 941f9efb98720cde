"""The errors of the relay: branches of the one tree."""

from __future__ import annotations

from bespeak.errors import Refused, Unavailable


class BrokerUnavailable(Unavailable):
    """The broker cannot be reached, or did not acknowledge in time. The relay tries again by
    itself."""

    code = "broker_unavailable"
    title = "The broker cannot take events now"


class BrokerRefused(Refused):
    """The broker does not take what is sent, and will not: there is no such topic or stream, the
    relay may not write there, or somebody else does."""

    code = "broker_refused"
    title = "The broker does not take events there"


class EventTooLarge(Refused):
    """An event is larger than the broker takes. The relay stops before it, and skips nothing;
    `cursor` names the event, `bytes` is its size."""

    code = "event_too_large"
    title = "The broker takes no event of this size"


class RelayNotFound(Refused):
    """No relay has this name."""

    code = "relay_not_found"
    status = 404
    title = "There is no relay of this name"
