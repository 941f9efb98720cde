"""Waiting in line by the client, at a room that a test makes up: how often it looks and asks, and
that it goes on through absences, draws that not every process has heard of, and openings that are
taken back. The clock goes on only while somebody sleeps.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx
import pytest

import bespeak
from bespeak.client import Client, InLine

ROOM = "wrm_3k7m9p2q5r8t"
WHEN = "2030-01-01T12:00:00Z"


@dataclass
class Look:
    """How the room stands at one look, and what the process that is asked for places knows."""

    phase: str = "open"
    seed: str | None = "5f"
    front: str = "00"
    called: int = 0
    place_key: str | None = "10"
    place: int | None = 17
    is_away: bool = False
    gives: bool = True


@dataclass
class FakeRoom:
    """Answers one look after the other, the last for ever."""

    looks: list[Look]
    asked: Counter[str] = field(default_factory=Counter)
    pauses: list[float] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        what = request.url.path.rpartition("/")[2]
        self.asked[what] += 1
        if what == "now" and self.asked["now"] > 1 and len(self.looks) > 1:
            del self.looks[0]
        look = self.looks[0]
        if look.is_away:
            return problem(503, "overloaded", retryable=True)
        match what:
            case "now":
                return httpx.Response(200, json=now(look))
            case "place":
                return httpx.Response(200, json=place(look))
            case "queue-tokens":
                return httpx.Response(201, json={"queue_token": "t", "place": place(look)})
        if look.phase == "ended":
            return problem(409, "waiting_room_closed")
        if look.front <= str(look.place_key) or not look.gives:
            return problem(409, "not_your_turn", retryable=True)
        given = {
            "pass": "p",
            "expires_at": WHEN,
            "expires_in_ms": 1,
            "resources": [],
            "units_max": None,
        }
        return httpx.Response(201, json=given)


def problem(status: int, code: str, *, retryable: bool = False) -> httpx.Response:
    said = {"status": status, "code": code, "title": "T", "detail": "d", "retryable": retryable}
    return httpx.Response(status, content=json.dumps(said))


def now(look: Look) -> dict[str, object]:
    queue = {
        "name": "general", "invited": False, "joined": 20, "called": look.called, "waiting": 1,
        "a_minute": 0, "front": look.front, "lost_before": "00",
    }  # fmt: skip
    return {
        "id": ROOM, "name": "n", "phase": look.phase, "early_opens_at": WHEN, "opens_at": WHEN,
        "early_order": "shuffle", "early_joined": 0, "grace_seconds": 120, "pass_seconds": 600,
        "units_max": None, "units_left": None, "categories": [], "chance_steps": [],
        "message": None, "draining": False, "payments": "well", "resources": [],
        "queues": [queue], "seed_hash": "h", "seed": look.seed, "public_value": None,
        "taken_back": [],
        "as_of": WHEN, "poll_seconds": 5 if look.phase == "early" else 2,
    }  # fmt: skip


def place(look: Look) -> dict[str, object]:
    is_drawn = look.place_key is not None
    called = is_drawn and str(look.place_key) < look.front
    return {
        "turn": "called" if called else "waiting" if is_drawn else "early", "queue": "general",
        "place_key": look.place_key, "place": look.place if is_drawn else None,
        "ahead": max(0, (look.place or 1) - 1 - look.called) if is_drawn else None,
        "minutes": None, "chance": None, "chances": [], "joined_at": WHEN,
    }  # fmt: skip


EARLY = {"phase": "early", "seed": None, "place_key": None}


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    clock, slept = [1000.0], list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    yield slept


async def waited(room: FakeRoom, seconds: float = 600) -> list[InLine]:
    transport = httpx.MockTransport(room)
    async with Client("http://bespeak.test", "sk_test", transport=transport, timeout=1) as client:
        return [one async for one in client.wait_in_line(ROOM, owner="asha", seconds=seconds)]


async def test_it_asks_no_more_than_it_needs(pauses: list[float]) -> None:
    looks = [Look(**EARLY) for _ in range(3)]  # type: ignore[arg-type]
    looks += [Look(front="01", called=1) for _ in range(3)] + [Look(front="11", called=17)]
    room = FakeRoom(looks)
    found = await waited(room)
    assert [one.given is not None for one in found] == [False] * 7 + [True]
    # The place is asked for after the draw, and as the front has come by.
    assert room.asked == {"queue-tokens": 1, "now": 7, "place": 2, "passes": 1}
    assert all(5 <= one <= 6.5 for one in pauses[:3])
    assert all(2 <= one <= 2.6 for one in pauses[3:])
    assert len({round(one / 2, 6) for one in pauses[3:]}) == 1


async def test_it_looks_again_as_half_of_those_ahead_have_gone(pauses: list[float]) -> None:
    fronts = [(f"0{n}", n) for n in (1, 5, 9)] + [("11", 17)]
    room = FakeRoom([Look(front=front, called=called) for front, called in fronts])
    await waited(room)
    assert room.asked["place"] == 3  # at first, once half have gone, and when it is called


async def test_whoever_is_the_next_asks_each_time_to_be_counted(pauses: list[float]) -> None:
    nobody_came = [Look(front="0f", called=16)] * 4
    room = FakeRoom([*nobody_came, Look(phase="paused", front="0f", called=16), Look(front="11")])
    await waited(room)
    assert room.asked["place"] == 5  # not while nobody is let in


async def test_a_process_that_has_not_heard_of_the_draw_is_asked_again(
    pauses: list[float],
) -> None:
    room = FakeRoom(
        [Look(front="11", place_key=None), Look(front="11", place_key=None), Look(front="11")]
    )
    found = await waited(room)
    assert found[-1].given is not None
    assert (room.asked["place"], room.asked["passes"]) == (3, 1)


async def test_an_opening_that_is_taken_back_takes_the_place_back(pauses: list[float]) -> None:
    looks = [Look(front="01"), Look(**EARLY), Look(seed="6a", front="11", place_key="20")]  # type: ignore[arg-type]
    room = FakeRoom([*looks, Look(seed="6a", front="21", place_key="20")])
    found = await waited(room)
    # By the place of the first draw it would have been let in at the third look.
    assert [one.place.place_key for one in found] == ["10", None, "20", "20", "20"]
    assert room.asked["passes"] == 1


async def test_it_goes_on_through_absences_and_refusals(pauses: list[float]) -> None:
    room = FakeRoom(
        [Look(front="01"), Look(is_away=True), Look(front="11", gives=False), Look(front="11")]
    )
    room.looks[1:1] = [Look(is_away=True)] * 30
    found = await waited(room)
    assert found[-1].given is not None
    assert room.asked["passes"] == 2


async def test_it_ends_with_the_time_for_it(pauses: list[float]) -> None:
    room = FakeRoom([Look(front="01")])
    with pytest.raises(bespeak.NotYourTurn):
        await waited(room, seconds=30)
    assert sum(pauses) == pytest.approx(30)
    assert room.asked["passes"] == 1


async def test_it_ends_with_the_time_for_it_also_where_nobody_answers(
    pauses: list[float],
) -> None:
    room = FakeRoom([Look(front="01"), Look(is_away=True)])
    with pytest.raises(bespeak.Unavailable):
        await waited(room, seconds=30)
    assert 30 <= sum(pauses) < 33


async def test_of_a_room_that_has_ended_the_server_says_it(pauses: list[float]) -> None:
    room = FakeRoom([Look(front="01"), Look(phase="ended", front="01")])
    with pytest.raises(bespeak.WaitingRoomClosed):
        await waited(room)
