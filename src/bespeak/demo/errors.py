"""What the demo may refuse: branches of the one tree in `bespeak.errors`."""

from bespeak.errors import Refused


class RushRunning(Refused):
    """A rush is running; there is one at a time."""

    code = "rush_running"
    retryable = True
    title = "A rush is running"
