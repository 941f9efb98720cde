"""What guests hold, booked and wasted, as one worker counts it: against a recount of everything."""

import random
from collections import Counter
from uuid import UUID

from bespeak.http.server.budgets import policy
from bespeak.http.server.budgets.counts import CountKey, Counts
from bespeak.http.server.budgets.guest_holds import (
    GRACE_UNITS,
    REMEMBERED_SECONDS,
    GuestHold,
    GuestHolds,
    Outcome,
)
from bespeak.http.server.budgets.policy import Asked, Budget, Step, judge

HALL = 7


def hold(
    number: int, prefix: str | None = "a", units: int = 2, at: float = 0.0, resource: int = HALL
) -> GuestHold:
    return GuestHold(UUID(int=number), resource, prefix, f"g{number}", units, at, at + 600)


def test_the_counts_are_those_of_a_recount() -> None:
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    holds, now = GuestHolds(), 0.0
    model: dict[UUID, tuple[GuestHold, Outcome | None, float]] = {}
    for number in range(2000):
        now += rng.random() * 20
        made = hold(number, rng.choice("abc"), rng.randint(1, 4), now, rng.choice((1, 2)))
        holds.add(made)
        model[made.hold_id] = (made, None, now)
        for hold_id in rng.sample(list(model), min(3, len(model))):
            kind: Outcome = rng.choice(("booked", "wasted"))
            for part in holds.end(hold_id, kind, now):
                model[hold_id] = (part, part.outcome, now)
        holds.forget(now)
        if number % 100 == 0:
            for hold_id, (_, outcome, at) in list(model.items()):
                if outcome is not None and at <= now - REMEMBERED_SECONDS:
                    del model[hold_id]
            rows = list(model.values())
            for prefix in "abc":
                units: Counter[Outcome | None] = Counter()
                for row, outcome, _ in rows:
                    units[outcome] += row.units if row.prefix == prefix else 0
                assert holds.held_by_prefix[prefix] == units[None], seed
                assert holds.booked_by_prefix[prefix] == units["booked"], seed
                assert holds.wasted_by_prefix[prefix] == units["wasted"], seed
            assert len(holds) == len(rows), seed
            for resource in (1, 2):
                again = {
                    (row.prefix, row.resource) for row, outcome, _ in rows if outcome == "wasted"
                }
                assert holds.held_again_of[resource] == sum(
                    row.units
                    for row, outcome, _ in rows
                    if outcome is None
                    and row.resource == resource
                    and (row.prefix, resource) in again
                ), seed


def test_what_is_forgotten_leaves_nothing_behind() -> None:
    """Else a flood of addresses would stay in the memory for good."""
    holds = GuestHolds()
    for number in range(100):
        holds.add(hold(number, f"p{number}"))
        holds.end(UUID(int=number), ("booked", "wasted", "released")[number % 3], 700)
    holds.forget(700 + REMEMBERED_SECONDS)
    left = {name: value for name, value in vars(holds).items() if name != "_due" and value}
    assert left == {}
    assert holds.due(10_000, 1000) == []


def test_an_end_counts_once_and_from_whomever_it_is_learned() -> None:
    holds = GuestHolds()
    holds.add(hold(1))
    learned = hold(1)
    learned.outcome = "booked"
    holds.add(learned)
    assert holds.end(UUID(int=1), "wasted", 700) == []
    assert (holds.booked_by_prefix["a"], holds.held_by_prefix["a"]) == (2, 0)
    # A worker that learns of a hold only when it is over counts its end as well.
    late = hold(2)
    late.outcome = "wasted"
    holds.add(late)
    assert (holds.wasted_by_prefix["a"], holds.held_by_guest["g2"]) == (2, 0)


def test_a_hold_is_due_when_its_time_is_over_and_again_when_extended() -> None:
    holds = GuestHolds()
    holds.add(hold(1))
    assert holds.due(599, 10) == []
    assert holds.due(600, 10) == [UUID(int=1)]
    holds.extend(UUID(int=1), 900)
    assert holds.due(899, 10) == []
    assert holds.due(900, 10) == [UUID(int=1)]
    holds.ask_again([UUID(int=1)], 901)
    assert holds.due(902, 10) == [UUID(int=1)]


def test_who_lets_go_soon_has_only_changed_their_mind_but_not_for_ever() -> None:
    holds = GuestHolds()
    for number in range(100):
        holds.add(hold(number, units=1))
        holds.end(UUID(int=number), "wasted", 30)
    assert holds.wasted_by_prefix["a"] == 100 - GRACE_UNITS
    holds.add(hold(1000, "b"))
    holds.end(UUID(int=1000), "wasted", 61)
    assert holds.wasted_by_prefix["b"] == 2


def asks(units: int, prefix: str | None = "a", total: int | None = 300) -> Asked:
    return Asked(prefix, "g", {HALL: units}, {HALL: total})


def found(asked: Asked, holds: GuestHolds, now: float = 0.0) -> tuple[Budget, Step] | None:
    finding = judge(asked, holds, now)
    return None if finding is None else (finding.budget, finding.step)


def test_the_steps_of_an_address() -> None:
    holds = GuestHolds()
    assert found(asks(12), holds) is None
    assert found(asks(13), holds) == (Budget.ADDRESS_SHARE, Step.CHALLENGE)
    # A big house has more to share; what goes on with time has no shares.
    assert found(asks(30, total=1000), holds) is None
    assert found(asks(30, total=None), holds) is None
    # Nobody is judged by an address that is not known.
    assert found(asks(30, prefix=None), holds) is None
    assert found(asks(31, prefix=None), holds) == (Budget.GUEST_UNITS, Step.REFUSED)
    for number in range(19):
        holds.add(hold(number))
    assert found(asks(2), holds) == (Budget.ADDRESS_SHARE, Step.CHALLENGE)
    assert found(asks(3), holds) == (Budget.ADDRESS_SHARE, Step.REFUSED)
    assert found(asks(12, prefix="b"), holds) is None


def test_what_is_booked_earns_more() -> None:
    holds = GuestHolds()
    for number in range(10):
        holds.add(hold(number))
        holds.end(UUID(int=number), "booked", 100)
    assert found(asks(12 + policy.EARNED.challenge * 20 - 22), holds) is None
    assert found(asks(30), holds) is None


def test_what_is_kept_for_nothing_comes_to_more_and_more() -> None:
    holds = GuestHolds()
    steps = []
    for number in range(60):
        step = found(asks(1), holds)
        if step is not None and step[1] not in steps:
            steps.append(step[1])
        holds.add(hold(number))
        holds.end(UUID(int=number), "wasted", 100.0 + number)
    assert steps == [Step.SHORTER, Step.CHALLENGE, Step.REFUSED]
    finding = judge(asks(1), holds, 200)
    assert finding is not None
    # It says when it will be less again, and then it is.
    later = 200 + finding.retry_after_seconds
    holds.forget(later)
    assert found(asks(1), holds, later) == (Budget.WASTED, Step.CHALLENGE)


def test_many_addresses_together() -> None:
    """Each within its own budget: while most of a house is kept for nothing, all but those who
    have booked are asked for a challenge."""
    holds = GuestHolds()
    for number in range(50):
        holds.add(hold(number, f"p{number}"))
        holds.end(UUID(int=number), "wasted", 100)
    assert found(asks(2, "new"), holds) == (Budget.RESOURCE_WASTED, Step.CHALLENGE)
    holds.add(hold(1000, "buyer"))
    holds.end(UUID(int=1000), "booked", 100)
    assert found(asks(2, "buyer"), holds) is None
    for number in range(2000, 2020):
        holds.add(hold(number, f"q{number}"))
        holds.end(UUID(int=number), "booked", 100)
    assert found(asks(2, "new"), holds) is None, "it sells, so it is no siege"


def test_counts_of_an_hour() -> None:
    counts = Counts()
    for _ in range(3):
        counts.add("guests", "a", 3700)
    assert counts.spent("guests", "a", 3700) == 3
    taken = counts.take_own()
    assert counts.spent("guests", "a", 3700) == 3
    counts.learn(CountKey("guests", "a", 3600), 10)
    counts.add("guests", "a", 3700)
    assert counts.spent("guests", "a", 3700) == 11
    assert counts.spent("guests", "a", 7200) == 0
    counts.forget(7200)
    assert (counts._told, counts._own) == ({}, {})
    counts = Counts()
    counts.add("guests", "a", 0)
    counts.give_back(counts.take_own())
    assert counts.spent("guests", "a", 0) == 1 and sum(taken.values()) == 3


def test_who_comes_again_to_what_is_hoarded_waits_longer_each_time() -> None:
    """Only while it is hoarded, only of that resource, and never who buys."""
    holds, now = GuestHolds(), 1000.0
    for number in range(10):
        holds.add(hold(number, f"h{number}", 10))
    for number in range(10):
        holds.end(UUID(int=number), "wasted", now)
    assert hoarded(holds, "new", 6, now) == (Budget.RESOURCE_WASTED, Step.CHALLENGE, 0)
    assert hoarded(holds, "new", 7, now) == (Budget.PARTY, Step.REFUSED, 60)
    assert judge(Asked("h1", "g", {HALL + 1: 2}, {HALL + 1: 300}), holds, now) is None
    for times, pause in enumerate((120, 240, 480, 960, 1920, 1920), start=10):
        assert hoarded(holds, "h1", 1, now + 1) == (Budget.PAUSE, Step.REFUSED, pause)
        now += pause
        assert hoarded(holds, "h1", 1, now) == (Budget.RESOURCE_WASTED, Step.CHALLENGE, 0)
        holds.forget(now)
        keep_hoarded(holds, now)
        made = hold(1000 + times, "h1", 1, now)
        holds.add(made)
        now += 180
        holds.end(made.hold_id, "wasted", now)
    # All who come again hold a fifth of what is left, together: 60 of 300.
    now += 1921
    keep_hoarded(holds, now)
    for number in range(10):
        holds.add(hold(3000 + number, f"x{number}", 6, now))
        holds.end(UUID(int=3000 + number), "wasted", now + 90)
        holds.add(hold(4000 + number, f"x{number}", 6, now + 300))
    assert holds.held_again_of[HALL] == 60
    assert hoarded(holds, "h1", 1, now + 400) == (Budget.HELD_AGAIN, Step.REFUSED, 60)
    # One who has booked as much as a third of what they wasted has shown that they buy.
    holds.add(hold(5000, "h1", 2, now))
    holds.end(UUID(int=5000), "booked", now)
    assert hoarded(holds, "h1", 6, now + 400) is None


def hoarded(
    holds: GuestHolds, prefix: str, units: int, now: float
) -> tuple[Budget, Step, int] | None:
    found = judge(Asked(prefix, "g", {HALL: units}, {HALL: 300}), holds, now)
    return None if found is None else (found.budget, found.step, found.retry_after_seconds)


def keep_hoarded(holds: GuestHolds, now: float) -> None:
    """Others go on wasting it."""
    number = 100_000 + int(now)
    holds.add(hold(number, f"other{number}", 90, now - 90))
    holds.end(UUID(int=number), "wasted", now)
