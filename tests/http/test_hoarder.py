"""A script with a thousand identities tries to keep a show of 300 places from its buyers."""

from collections.abc import Sequence
from typing import Protocol

import pytest

from benchmarks.hoarding import EVERYBODY_AT_HOME, HONEST, MINUTES, SEATS, Course, Crowd, play
from bespeak.http.server.budgets import challenge
from tests.harness.clock import Clock
from tests.harness.database import session
from tests.harness.shows import MakeShow
from tests.http.conftest import OpenApi
from tests.http.hoarded import HALL, HOLD_SECONDS, HOLD_SECONDS_MAX, HoardedOffice


class Play(Protocol):
    """Plays the course of a hoarder behind so many addresses, or without one."""

    async def __call__(
        self,
        addresses: int,
        budgets: str,
        crowds: Sequence[Crowd] = EVERYBODY_AT_HOME,
        minutes: int = MINUTES,
    ) -> Course: ...


@pytest.fixture
async def playing(
    open_api: OpenApi,
    make_show: MakeShow,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> Play:
    monkeypatch.setattr(challenge, "_BITS", 1)  # what the work takes is not what is tried here

    async def play_it(
        addresses: int,
        budgets: str,
        crowds: Sequence[Crowd] = EVERYBODY_AT_HOME,
        minutes: int = MINUTES,
    ) -> Course:
        api = await open_api(budgets=budgets, trusted_proxies="127.0.0.1")
        show = await make_show(
            plan=HALL, hold_seconds=HOLD_SECONDS, hold_seconds_max=HOLD_SECONDS_MAX
        )
        async with session(database_url) as own:
            clock = Clock(own)
            await clock.set(clock.now)
            clock.shared_with(api.service.engine)
            return await play(
                HoardedOffice(api, clock, show), addresses, crowds=crowds, minutes=minutes
            )

    return play_it


@pytest.mark.parametrize(("addresses", "budgets"), [(10, "off"), (10, "on"), (100, "on")], ids=str)
async def test_a_hoarder_behind_many_addresses_keeps_nobody_from_buying(
    playing: Play, addresses: int, budgets: str
) -> None:
    """With the budgets off, as the control, it keeps nearly all of it."""
    course = await playing(addresses, budgets, minutes=MINUTES if budgets == "on" else 10)
    if budgets == "off":
        assert course.bought <= SEATS // 10, course
        assert min(course.hoarded) >= SEATS * 9 // 10, course
    else:
        assert course.bought >= SEATS * 95 // 100, course


@pytest.mark.parametrize("name", HONEST)
async def test_nobody_honest_is_refused(playing: Play, name: str) -> None:
    """A family, a school and an office behind one address, and a hot on-sale of which 40 in a
    hundred give up: they are asked for challenges at most, and buy as without budgets."""
    course = await playing(0, "on", HONEST[name])
    assert course.told_buyers["budget_spent"] == 0, course
    assert course.told_buyers["challenge_required"] == 0, "who was asked has solved it"
    assert course.bought == (await playing(0, "off", HONEST[name])).bought
