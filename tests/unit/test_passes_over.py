"""What a process knows of passes that are over: no more than it may, and those that matter most."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bespeak.admission.passes_over import PassesOver, PassName

NOW = datetime(2030, 1, 1, 9, tzinfo=UTC)


def named(number: int, at: datetime = NOW) -> PassName:
    return PassName.given(number.to_bytes(16), at)


def row(number: int, until: timedelta, *, is_inside: bool = False) -> dict[str, object]:
    subject = number.to_bytes(16)
    told = {"subject": subject, "given_at": NOW, "until": NOW + until, "is_inside": is_inside}
    return told


def test_what_was_given_until_then_is_over_and_what_comes_later_is_not() -> None:
    over = PassesOver()
    over.take([row(1, timedelta(minutes=5))], NOW)  # type: ignore[list-item]
    assert over.has(named(1))
    assert over.has(named(1, NOW - timedelta(seconds=5)))
    assert not over.has(named(1, NOW + timedelta(microseconds=1)))
    assert not over.has(named(2))


def test_of_who_is_inside_again_only_what_was_before_is_over() -> None:
    over = PassesOver()
    over.take([row(1, timedelta(minutes=5), is_inside=True)], NOW)  # type: ignore[list-item]
    assert not over.has(named(1))
    assert over.has(named(1, NOW - timedelta(microseconds=1)))


def test_it_is_bounded_and_keeps_what_would_be_good_longest() -> None:
    over = PassesOver(most=10)
    rows = [row(number, timedelta(minutes=number)) for number in range(1, 101)]
    over.take(rows, NOW)  # type: ignore[arg-type]
    assert len(over) == 10
    assert over.has(named(91))
    assert not over.has(named(90))


def test_what_is_over_by_its_own_time_is_forgotten() -> None:
    over = PassesOver()
    rows = [row(1, timedelta(minutes=1)), row(2, timedelta(minutes=10))]
    over.take(rows, NOW)  # type: ignore[arg-type]
    over.take([], NOW + timedelta(minutes=2))
    assert len(over) == 1
    assert over.has(named(2))
