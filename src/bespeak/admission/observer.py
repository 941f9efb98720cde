"""What letting people in tells whoever counts. The metrics override it, so that waiting rooms know
nothing of metrics.
"""

from __future__ import annotations

from typing import NamedTuple


class RoomCrowd(NamedTuple):
    """How many wait, were called and may still come, and are inside, in all rooms together."""

    waiting: int
    called: int
    inside: int


class AdmissionObserver:
    """Hears what happens in waiting rooms; does nothing with it unless it is told to."""

    def called(self, places: int) -> None:
        """The fronts have moved over so many places."""

    def ended(self, outcome: str, passes: int) -> None:
        """So many passes ended, as `bought` or `lapsed`."""

    def people(self, people: RoomCrowd) -> None:
        """So many are there now."""

    def alarms(self, rooms: int) -> None:
        """So many rooms have an alarm."""
