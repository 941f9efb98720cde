"""What waitlists tell whoever counts. The metrics override it, so that waitlists know nothing of
metrics.
"""

from __future__ import annotations

from typing import NamedTuple


class WaitlistCrowd(NamedTuple):
    """How many parties wait, and how many are offered something, on all lists together."""

    waiting: int
    offered: int


class OfferEnds(NamedTuple):
    """Of how many parties the last offer ended in the last minutes, by how it did."""

    accepted: int
    declined: int
    lapsed: int


class WaitlistObserver:
    """Hears what happens on waitlists; does nothing with it unless it is told to."""

    def offered(self, seconds: float | None) -> None:
        """Something was offered, so long after it came back; None where it was there before."""

    def people(self, people: WaitlistCrowd, ends: OfferEnds) -> None:
        """So many are there now, and so many had been lately."""

    def alarms(self, lists: int) -> None:
        """So many lists have an alarm."""
