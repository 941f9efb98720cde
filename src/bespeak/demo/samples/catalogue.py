"""The samples in the order in which they are shown, one or two of each shape, with the page of the
documentation that says how to sell such a thing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bespeak.demo.samples import clinic, drivers, festival, lodging, railway, theatre
from bespeak.inventory.resources import NewResource


@dataclass(frozen=True)
class Sample:
    """A resource that the demo shows: the name by which it is found again, the shape of its plan,
    and what makes it for the time at which it is loaded."""

    key: str
    shape: str
    make: Callable[[datetime], NewResource]

    @property
    def guide(self) -> str:
        return f"docs/guides/shapes/{self.shape}.md"


SAMPLES = (
    Sample("theatre", "seats", theatre.evening),
    Sample("hotel", "nights", lodging.hotel),
    Sample("cottage", "nights", lodging.cottage),
    Sample("clinic", "times", clinic.clinic),
    Sample("walk-in", "tickets", clinic.walk_in),
    Sample("festival", "pools", festival.festival),
    Sample("train", "legs", railway.run),
    Sample("drivers", "moments", drivers.car_pool),
)
