"""A channel of live news without a database: rounds, resuming, and what the slow are told. In any
interleaving of events, looks and viewers that come back elsewhere, all end with one picture."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bespeak.feed import live_channel
from bespeak.feed.cursors import FeedPlace, parse_live_cursor
from bespeak.feed.live_channel import Channel, ChannelEvent, ChannelState, ViewerUpdate
from bespeak.feed.live_news import LiveChange, LiveSnapshot, LiveStale
from bespeak.states import UnitState
from tests.harness.seeds import examples
from tests.harness.watching import Known

AT = datetime(2030, 1, 1, tzinfo=UTC)
EPOCH = 5
SEATS = ("A1", "A2", "A3", "A4")
FLOOR = 5
STATES = {
    "held": UnitState.HELD,
    "confirmed": UnitState.BOOKED,
    "blocked": UnitState.BLOCKED,
    "released": UnitState.FREE,
    "expired": UnitState.FREE,
    "cancelled": UnitState.FREE,
    "unblocked": UnitState.FREE,
}


def scene(
    horizon: int,
    taken: dict[str, UnitState] | None = None,
    drawn: int = 0,
    *,
    version: int = 1,
    is_map: bool = True,
) -> ChannelState:
    return ChannelState(
        version=version,
        published=True,
        epoch=EPOCH,
        horizon=horizon,
        at=AT,
        seats=frozenset(SEATS) if is_map else None,
        capacities={"floor": FLOOR} if is_map else {},
        taken=taken or {},
        drawn={"floor": drawn},
    )


def channel(of: ChannelState | None = None) -> Channel:
    return Channel(1, "res_00000001", of or scene(10))


def seen(horizon: int, epoch: int = EPOCH) -> FeedPlace:
    return FeedPlace(epoch, horizon)


def event(kind: str, *units: str, horizon: int = 10) -> ChannelEvent:
    return ChannelEvent(kind, units, [None] * len(units), horizon)


def only(news: ViewerUpdate | None) -> LiveChange:
    assert news is not None
    (message,) = news.messages
    assert isinstance(message, LiveChange)
    return message


def test_a_new_viewer_gets_the_picture_and_then_what_changes() -> None:
    made = channel(scene(10, {"A1": UnitState.BOOKED, "quota": UnitState.HELD}, drawn=2))
    first = made.news(None)
    assert first is not None
    (snapshot,) = first.messages
    assert isinstance(snapshot, LiveSnapshot)
    assert snapshot.taken == {"A1": UnitState.BOOKED}
    assert msgspec.to_builtins(snapshot.pools) == {"floor": {"capacity": 5, "available": 3}}
    assert (snapshot.units_total, snapshot.units_free, snapshot.cursor) == (4, 3, "5-a-live")
    assert made.news(first.place) is None
    assert made.apply([event("held", "A2"), event("held", "A3")], 20)
    assert made.apply([event("released", "A3", horizon=20)], 30)
    change = only(made.news(first.place))
    assert change.units == {"A2": "held", "A3": "free"}
    assert (change.units_free, change.cursor) == (2, "5-1e-live")


def test_all_who_are_at_one_round_share_what_they_are_told() -> None:
    made = channel()
    made.apply([event("held", "A2")], 20)
    assert made.news(made.round - 1) is made.news(made.round - 1)
    assert made.news(None) is made.news(None)


def test_what_is_no_state_of_a_unit_is_no_news() -> None:
    made = channel()
    for kind in ("extended", "payment_begun", "checked_in", "created", "unheard_of"):
        assert not made.apply([event(kind, "A1")], 20)
    assert not made.apply([event("held", "owner:asha", "code:FAN", "elsewhere")], 30)
    assert made.horizon == 30


def test_of_other_plans_the_names_are_told_but_no_secrets() -> None:
    made = channel(scene(10, is_map=False))
    first = made.news(None)
    assert first is not None
    assert msgspec.json.decode(msgspec.json.encode(first.messages[0])) == {
        "cursor": "5-a-live",
        "resource_id": "res_00000001",
        "resource_version": 1,
        "at": "2030-01-01T00:00:00Z",
        "units_free": None,
    }
    happened = ChannelEvent("held", ("2030-01-01", "code:FAN", "owner:asha"), (1, 1, 1), 10)
    assert made.apply([happened], 20)
    change = only(made.news(first.place))
    assert (change.units, change.pools, change.units_free) == ({"2030-01-01": None}, {}, None)


def test_the_end_of_a_lapsed_hold_touches_every_pool() -> None:
    made = channel()
    assert made.touched_pools([event("expired")]) == {"floor"}
    assert made.touched_pools([event("released", "A1")]) == set()
    assert made.touched_pools([ChannelEvent("held", ("floor",), (2,), 10)]) == {"floor"}
    made.apply([event("expired")], 20, {"floor": 9})
    assert msgspec.to_builtins(only(made.news(made.round - 1)).pools) == {
        "floor": {"capacity": 5, "available": 0}
    }


def test_who_is_far_behind_gets_the_picture_but_who_comes_back_what_it_missed() -> None:
    made = channel()
    start = made.round
    for number in range(live_channel.BEHIND_MAX + 1):
        made.apply([event("held" if number % 2 else "released", "A1")], 11 + number)
    slow = made.news(start)
    assert slow is not None
    assert slow.catches_up
    assert isinstance(slow.messages[0], LiveSnapshot)
    assert made.place(seen(10)) == start
    assert only(made.news(start, resumes=True)).units == {"A1": "free"}
    assert only(made.news(start + 1)).units == {"A1": "free"}


def test_memory_is_bounded_and_says_what_it_does_not_have() -> None:
    made = channel()
    for number in range(live_channel.ROUNDS_MAX + 50):
        made.apply([event("held", "A1")], 11 + number)
    assert made.place(seen(10)) is None
    assert made.place(seen(11 + 49)) is not None
    news = made.news(made.round - live_channel.ROUNDS_MAX - 1, resumes=True)
    assert news is not None
    assert isinstance(news.messages[0], LiveSnapshot)


def test_a_changed_resource_is_told_to_all_who_saw_it_before() -> None:
    made = channel()
    before = made.round
    made.apply([event("held", "A1")], 20)
    made.reset(scene(30, version=2), stale=True)
    for news in (made.news(before), made.news(before + 1), made.news(None, lost=True)):
        assert news is not None
        stale, snapshot = news.messages
        assert isinstance(stale, LiveStale)
        assert stale.resource_version == 2
        assert isinstance(snapshot, LiveSnapshot)
        assert news.place == made.round
    fresh = made.news(None)
    assert fresh is not None
    assert isinstance(fresh.messages[0], LiveSnapshot)
    assert made.place(seen(20)) is None
    made.reset(scene(40, version=2), stale=False)
    silent = made.news(fresh.place)
    assert silent is not None
    assert [type(one) for one in silent.messages] == [LiveSnapshot]


def test_it_reaches_back_beyond_its_beginning() -> None:
    made = channel(scene(10, {"A1": UnitState.HELD}))
    assert made.place(seen(4)) is None
    made.reach_back([event("held", "A1", horizon=5), event("released", "A2", horizon=7)], 4)
    assert only(made.news(made.place(seen(4)), resumes=True)).units == {"A1": "held", "A2": "free"}
    assert only(made.news(made.place(seen(6)), resumes=True)).units == {"A2": "free"}
    assert made.place(seen(3)) is None
    assert made.place(seen(8)) == made.place(seen(10)) == made.round
    assert made.place(seen(8, EPOCH + 1)) is None, "of another life"


def test_it_reaches_back_only_as_far_as_it_may() -> None:
    made = channel()
    many = [event("held", "A1", horizon=number) for number in range(live_channel.ROUNDS_MAX + 10)]
    made.reset(scene(5000), stale=False)
    made.reach_back(many, 0)
    assert made.place(seen(9)) is None
    assert made.place(seen(10)) is not None


# What follows is a model of two processes with a channel each, and viewers that go from one to the
# other. A process reads a picture that may be ahead of the horizon that it is shown for.


@dataclass
class Log:
    """The database: events in the order of the feed, and the state that they make."""

    events: list[ChannelEvent] = field(default_factory=list)
    moment: int = 10

    def happen(self, kind: str, unit: str) -> None:
        quantity = 1 if unit == "floor" else None
        self.moment += 1
        self.events.append(ChannelEvent(kind, (unit,), (quantity,), self.moment - 1))

    def state(self) -> tuple[dict[str, UnitState], int]:
        taken: dict[str, UnitState] = {}
        drawn = 0
        for one in self.events:
            (unit,) = one.units
            if unit == "floor":
                drawn += {UnitState.HELD: 1, UnitState.FREE: -1}.get(STATES[one.kind], 0)
            elif STATES[one.kind] is UnitState.FREE:
                taken.pop(unit, None)
            else:
                taken[unit] = STATES[one.kind]
        return taken, min(FLOOR, max(0, drawn))

    def between(self, since: int, until: int) -> list[ChannelEvent]:
        return [one for one in self.events if since <= one.horizon < until]


@dataclass
class Watching:
    """A viewer, at a channel or between two."""

    known: Known = field(default_factory=Known)
    at: Channel | None = None
    place: int | None = None
    resumes: bool = False
    lost: bool = False

    def come(self, to: Channel, log: Log) -> None:
        self.at, self.place, self.resumes, self.lost = to, None, False, False
        if self.known.cursor is None:
            return
        place = parse_live_cursor(self.known.cursor)
        assert place is not None
        horizon = place.horizon
        if horizon > to.horizon:
            look(to, log, horizon)
        elif horizon < to.covered_from:
            to.reach_back(log.between(horizon, to.covered_from), horizon)
        self.place = to.place(place)
        self.resumes, self.lost = self.place is not None, self.place is None

    def listen(self) -> None:
        if self.at is None:
            return
        news = self.at.news(self.place, resumes=self.resumes, lost=self.lost)
        if news is not None:
            self.place, self.resumes, self.lost = news.place, False, False
            for message in news.messages:
                self.known.hear(message)


def opened(log: Log, behind: int) -> Channel:
    taken, drawn = log.state()
    return channel(scene(max(10, log.moment - behind), taken, drawn))


def look(of: Channel, log: Log, until: int) -> None:
    if until <= of.horizon:
        return
    happened = log.between(of.horizon, until)
    touched = of.touched_pools(happened)
    of.apply(happened, until, dict.fromkeys(touched, log.state()[1]))


STEP = st.one_of(
    st.tuples(
        st.just("happen"), st.sampled_from(sorted(STATES)), st.sampled_from([*SEATS, "floor"])
    ),
    st.tuples(st.just("look"), st.integers(0, 1), st.integers(0, 3)),
    st.tuples(st.just("open"), st.integers(0, 1), st.integers(0, 4)),
    st.tuples(st.just("come"), st.integers(0, 2), st.integers(0, 1)),
    st.tuples(st.just("leave"), st.integers(0, 2), st.just(0)),
    st.tuples(st.just("listen"), st.integers(0, 2), st.just(0)),
)


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(STEP, min_size=25, max_size=80))
def test_whoever_watches_in_whatever_order_ends_with_the_truth(
    steps: list[tuple[str, object, object]],
) -> None:
    log = Log()
    processes = [opened(log, 0), opened(log, 0)]
    viewers = [Watching() for _ in range(3)]
    for name, one, two in steps:
        if name == "happen":
            log.happen(str(one), str(two))
            continue
        assert isinstance(one, int)
        assert isinstance(two, int)
        if name == "look":
            look(processes[one], log, max(processes[one].horizon, log.moment - two))
        elif name == "open":  # the process is another one from now on; its viewers are cut off
            for viewer in viewers:
                viewer.at = None if viewer.at is processes[one] else viewer.at
            processes[one] = opened(log, two)
        elif name == "come":
            viewers[one].come(processes[two], log)
        elif name == "leave":
            viewers[one].at = None
        else:
            viewers[one].listen()
    taken, drawn = log.state()
    for process in processes:
        look(process, log, log.moment)
    for viewer in viewers:
        if viewer.at is None:
            viewer.come(processes[0], log)
        viewer.listen()
        assert viewer.known.taken == taken
        assert viewer.known.pools == {"floor": FLOOR - drawn}
        assert viewer.known.free == len(SEATS) - len(taken)
