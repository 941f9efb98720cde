"""When the background work of retention looks again: soon after each turn, whether rows went or
not, and after a rest when there was nothing to do.
"""

from typing import TYPE_CHECKING, cast

import pytest

from bespeak.background import PAUSE_SECONDS_MAX
from bespeak.retention.archive import Archive
from bespeak.retention.worker import Retention
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool


class Turns:
    """A kind of row whose turns answer these counts, and then nothing."""

    what = "things"

    def __init__(self, *counts: int) -> None:
        self.counts = list(counts)

    async def take(self, pool: "Pool", archive: Archive | None) -> int | None:
        return self.counts.pop(0) if self.counts else None


@pytest.mark.parametrize("gone", [0, 5])
async def test_it_goes_on_after_a_turn_and_rests_after_none(gone: int) -> None:
    # A stretch of the feed in which nothing goes (only bookings) must not take a minute each.
    work = Retention(cast("Pool", None), Settings())
    work._kinds = (Turns(gone),)
    assert await work.look() < PAUSE_SECONDS_MAX
    assert await work.look() == PAUSE_SECONDS_MAX
