"""A small model of intervals: who has what of which track, from where until where. It knows nothing
of claims, and is the measure for those who keep them.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import hypothesis.strategies as st
from hypothesis.strategies import SearchStrategy

from bespeak import Line, UnitState
from tests.harness.histories import Past
from tests.harness.shapes import of, plan_of

OWNER_LIMIT = 5
ROOMS, TYPE, TRAIN, COURTS, NUMBERS = range(5)
PLANS = (
    plan_of({"type": "nights", "rooms": ["101", "102"]}),
    plan_of({"type": "nights", "count": 3}),
    plan_of(
        {
            "type": "legs",
            "stops": [{"code": code} for code in "ABCDE"],
            "sections": [{"name": "Coach", "rows": [{"name": "S", "seats": 2}]}],
            "pools": [{"unit": "unreserved", "capacity": 3}],
            "quotas": [{"name": "long", "capacity": 1, "from": "B", "to": "D"}],
        }
    ),
    plan_of(
        {
            "type": "moments",
            "things": ["court-1", "court-2"],
            "raster_minutes": 30,
            "buffer_after_minutes": 30,
        }
    ),
    plan_of({"type": "tickets", "count": 4, "prefix": "T"}),
)
CAPACITY = {(TYPE, ""): 3, (TRAIN, "unreserved"): 3, (TRAIN, "quota"): 1}
DAY = datetime(2030, 1, 10, tzinfo=UTC)


class Span(NamedTuple):
    """So many of a track over an interval, for one of a line."""

    place: int
    track: str
    start: int
    stop: int


@dataclass
class Part:
    """A line as it is shown, what it takes of which intervals, and how much of it is left."""

    line: Line
    spans: list[Span]
    left: int = 1


@dataclass
class Holding:
    """What the model knows of a hold, booking or block: what it has and until when."""

    owner: str | None
    parts: list[Part]
    state: UnitState
    until: float | None
    cap: float = 0.0
    over: bool = False


class Model(Past[Holding]):
    """The rules of the business in the simplest words."""

    def taken(self, place: int, track: str, point: int) -> int:
        """How many of a track are taken at a point."""
        return sum(
            part.left
            for one in self.live()
            for part in one.parts
            for span in part.spans
            if (span.place, span.track) == (place, track) and span.start <= point < span.stop
        )

    def states(self, place: int, track: str, start: int, stop: int) -> set[UnitState]:
        """In which states an exclusive track is taken, anywhere on an interval."""
        return {
            one.state
            for one in self.live()
            for part in one.parts
            for span in part.spans
            if part.left
            and (span.place, span.track) == (place, track)
            and span.start < stop
            and start < span.stop
        }

    def owned(self, place: int, owner: str) -> int:
        return sum(
            part.left
            for one in self.live()
            for part in one.parts
            if one.owner == owner and part.spans[0].place == place
        )

    def fits(self, owner: str | None, parts: list[Part]) -> bool:
        spans = [(span, part.left) for part in parts for span in part.spans]
        for span, _ in spans:
            capacity = CAPACITY.get((span.place, span.track), 1)
            for point in range(span.start, span.stop):
                asked = sum(
                    count
                    for other, count in spans
                    if other[:2] == span[:2] and other.start <= point < other.stop
                )
                if self.taken(span.place, span.track, point) + asked > capacity:
                    return False
        if owner is None:
            return True
        places = {part.spans[0].place: 0 for part in parts}
        for part in parts:
            places[part.spans[0].place] += part.left
        return all(self.owned(place, owner) + n <= OWNER_LIMIT for place, n in places.items())

    def numbers(self, count: int, named: set[int]) -> list[int]:
        """The lowest numbers that are free and that nobody names."""
        free = [n for n in range(1, 5) if n not in named and not self.taken(NUMBERS, "", n)]
        return free[:count]


class Wish(NamedTuple):
    """What somebody asks for: of a resource, a track of it, an interval, how many."""

    place: int
    track: str
    start: int
    length: int
    quantity: int


def night(point: int) -> str:
    return (DAY + timedelta(days=point)).date().isoformat()


def time(point: int) -> str:
    return (DAY + timedelta(hours=10, minutes=30 * point)).isoformat()


def line_of(wish: Wish) -> Line:
    """The line, which a hold shows as it was asked for."""
    start, stop = wish.start, wish.start + wish.length
    match wish.place:
        case 0:
            return of(wish.track, None, night(start), night(stop))
        case 1:
            return of(None, wish.quantity, night(start), night(stop))
        case 2:
            quantity = wish.quantity if wish.track == "unreserved" else None
            return of(wish.track, quantity, "ABCDE"[start], "ABCDE"[min(4, stop)])
        case 3:
            return of(wish.track, None, time(start), time(stop))
    return of(f"T{start}")


def part_of(wish: Wish, *, is_block: bool = False) -> Part:
    """What the model makes of a wish."""
    place, track, start = wish.place, wish.track, wish.start
    stop = start + wish.length
    counted = (place, track) in CAPACITY
    if place == TRAIN:
        stop = min(4, stop)
    spans = [Span(place, track, start, stop)]
    if is_block:
        pass
    elif place == COURTS:
        spans = [Span(place, track, start, stop + 1)]
    elif place == TRAIN and not counted and max(start, 1) < min(stop, 3):
        spans.append(Span(TRAIN, "quota", max(start, 1), min(stop, 3)))
    return Part(line_of(wish), spans, wish.quantity if counted else 1)


_starts, _lengths, _one = st.integers(0, 3), st.integers(1, 3), st.just(1)
WISHES: tuple[SearchStrategy[Wish], ...] = (
    st.builds(Wish, st.just(ROOMS), st.sampled_from(["101", "102"]), _starts, _lengths, _one),
    st.builds(Wish, st.just(TYPE), st.just(""), _starts, _lengths, st.integers(1, 3)),
    st.one_of(
        st.builds(Wish, st.just(TRAIN), st.sampled_from(["S1", "S2"]), _starts, _lengths, _one),
        st.builds(
            Wish, st.just(TRAIN), st.just("unreserved"), _starts, _lengths, st.integers(1, 3)
        ),
    ),
    st.builds(
        Wish, st.just(COURTS), st.sampled_from(["court-1", "court-2"]), _starts, _lengths, _one
    ),
    st.builds(Wish, st.just(NUMBERS), st.just(""), st.integers(1, 4), _one, _one),
)
