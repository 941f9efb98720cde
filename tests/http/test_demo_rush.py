"""The crowd that a visitor of the demo lets loose: one at a time, and never for ever, whatever
becomes of the process that runs it.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from bespeak import Resource
from bespeak.demo import rushes as demo_rushes
from bespeak.demo.errors import RushRunning
from bespeak.demo.rushes import DemoRush, DemoRushes, RushOrder
from bespeak.http.server.keys import create_key
from tests.harness.clock import Clock
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, problem, until
from tests.http.conftest import OpenApi
from tests.http.waiting import room_for

REPORT = (
    '{"arrived": 9, "granted": 5, "refused": 4, "confirmed": 3, "released": 1, "declined": 1,'
    ' "errors": 0, "double_sold": 0, "seconds": 0.5}'
)
VERDICT = REPORT.replace("}", ', "sold_out": true}').replace("9", "12")
SAYS = f"print('''{REPORT}''', flush=True)\n"
ENDS = f"print('''{VERDICT}''', flush=True)\n"
LISTENS = "import sys; sys.stdin.read()\n"

Rushes = Callable[..., DemoRushes]


@pytest.fixture
async def rushes(api: Api, tmp_path: Path) -> AsyncIterator[Rushes]:
    """Makes workers whose crowd is a program of some lines. All are closed after the test."""
    async with AsyncExitStack() as stack:

        def make(
            program: str, silent_seconds: float = 60, beat_seconds: float = 600, **seconds: float
        ) -> DemoRushes:
            file = tmp_path / f"crowd-{len(list(tmp_path.iterdir()))}.py"
            file.write_text(program)
            made = DemoRushes(
                api.service.engine.database,
                create_key,
                command=(sys.executable, str(file)),
                silent_seconds=silent_seconds,
                beat_seconds=beat_seconds,
                **seconds,
            )
            stack.push_async_callback(made.close)
            return made

        yield make


def crowd_to(show: Resource) -> RushOrder:
    return RushOrder("http://127.0.0.1:9", show.id, 20, 5.0)


def stands(worker: DemoRushes, **wanted: object) -> Callable[[], Awaitable[bool]]:
    """Whether the rush stands so."""

    async def look() -> bool:
        now = await worker.now()
        return all(getattr(now, name) == value for name, value in wanted.items())

    return look


async def rush_keys(api: Api) -> int:
    found = await api.connection.fetchval(
        "select count(*) from bespeak.api_key where name = 'demo rush'"
    )
    return int(found)


async def test_before_the_first_there_is_nothing(rushes: Rushes) -> None:
    assert await rushes(SAYS).now() == DemoRush(
        id=None, state="idle", resource_id=None, waiting_room_id=None, buyers=0, arrived=0,
        joined=0, let_in=0, granted=0, refused=0, confirmed=0, released=0, declined=0, cancelled=0,
        double_sold=0, seconds=0.0, started_at=None, error=None,
    )  # fmt: skip


async def test_every_worker_sees_how_it_goes_and_only_one_runs(
    rushes: Rushes, make_show: MakeShow, api: Api
) -> None:
    show = await make_show()
    one, other = rushes(SAYS + LISTENS + ENDS), rushes(SAYS)
    begun = await one.begin(crowd_to(show))
    assert (begun.state, begun.resource_id, begun.buyers) == ("running", show.id, 20)
    await until(stands(other, state="running", granted=5, refused=4, confirmed=3, arrived=9))
    for worker in (one, other):
        with pytest.raises(RushRunning):
            await worker.begin(crowd_to(show))
    assert await rush_keys(api) == 1
    await one.close()
    assert (await other.now()).error == "interrupted"
    assert await rush_keys(api) == 0, "its key is good for nothing any more"


async def test_of_many_who_begin_at_once_one_does(
    rushes: Rushes, make_show: MakeShow, api: Api
) -> None:
    show = await make_show()
    workers = [rushes(SAYS + LISTENS) for _ in range(6)]
    begun = await asyncio.gather(
        *[worker.begin(crowd_to(show)) for worker in workers], return_exceptions=True
    )
    assert sum(isinstance(each, DemoRush) for each in begun) == 1
    assert sum(isinstance(each, RushRunning) for each in begun) == 5
    assert await rush_keys(api) == 1


async def test_its_verdict_ends_it_and_another_may_begin(
    rushes: Rushes, make_show: MakeShow, api: Api
) -> None:
    worker = rushes(SAYS + ENDS)
    for _ in range(2):
        await worker.begin(crowd_to(await make_show()))
        await until(stands(worker, state="done", error=None, arrived=12, granted=5))
    assert await rush_keys(api) == 0


@pytest.mark.parametrize(
    "program",
    [
        "",
        "raise SystemExit(1)",
        "print('nonsense')",
        "print('{}')",
        SAYS,  # without a verdict
        SAYS + "raise SystemExit('no such show')",
        "print('x' * 3_000_000)",
    ],
)
async def test_a_crowd_that_makes_no_sense_has_failed(
    program: str, rushes: Rushes, make_show: MakeShow, api: Api
) -> None:
    worker = rushes(program)
    await worker.begin(crowd_to(await make_show()))
    await until(stands(worker, state="done", error="failed"))
    assert await rush_keys(api) == 0


async def test_a_crowd_that_does_not_listen_is_ended_with_its_worker(
    rushes: Rushes, make_show: MakeShow, tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    deaf = (
        "import os, pathlib, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"pathlib.Path({str(note)!r}).write_text(str(os.getpid()))\n"
        f"{SAYS}time.sleep(600)\n"
    )
    worker = rushes(deaf)
    await worker.begin(crowd_to(await make_show()))
    await until(stands(worker, arrived=9))
    await worker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)
    assert (await worker.now()).error == "interrupted"


async def test_one_whose_worker_says_nothing_any_more_is_over(
    rushes: Rushes, make_show: MakeShow, moved_clock: Clock, api: Api
) -> None:
    show = await make_show()
    killed, other = rushes(LISTENS, 10), rushes(SAYS + LISTENS, 10)
    await killed.begin(crowd_to(show))
    await moved_clock.advance(9)
    assert (await other.now()).state == "running"
    await moved_clock.advance(2)
    now = await other.now()
    assert (now.state, now.error) == ("done", "interrupted")
    second = await other.begin(crowd_to(show))
    await until(stands(killed, id=second.id, arrived=9))
    assert await rush_keys(api) == 1, "the key of the one that was given up is gone"
    await killed.close()  # which was only slow, and comes too late
    assert (await other.now()).state == "running"


async def test_a_crowd_that_is_slow_to_start_is_not_given_up(
    rushes: Rushes, make_show: MakeShow, moved_clock: Clock
) -> None:
    slow, other = rushes(LISTENS, 10, beat_seconds=0.02), rushes(SAYS, 10)
    begun = await slow.begin(crowd_to(await make_show()))
    for times in (1, 2, 3):
        await moved_clock.advance(9)
        # The worker says that it is there, though the crowd has not said a word.
        await until(heard_after(other, 9 * times))
    now = await other.now()
    assert (now.id, now.state) == (begun.id, "running")


def heard_after(worker: DemoRushes, seconds: float) -> Callable[[], Awaitable[bool]]:
    """Whether the rush was heard of when it had run so long."""

    async def look() -> bool:
        now = await worker.now()
        return now.state == "running" and now.seconds >= seconds

    return look


async def test_only_the_demo_has_it(api: Api, make_show: MakeShow) -> None:
    show = await make_show()
    asked = {"resource_id": show.id}
    problem(await api.ask("POST", "/v1/demo/rush", asked, key="ak"), "demo_only")
    problem(await api.ask("GET", "/v1/demo/rush", key="ak"), "demo_only")


async def test_a_browser_may_begin_one_without_a_token_but_not_without_end(
    open_api: OpenApi, make_show: MakeShow
) -> None:
    show = await make_show()
    demo = await open_api(demo=True)
    demo.service.demo_rushes._command = (sys.executable, "-c", SAYS + LISTENS)
    asked = {"resource_id": show.id, "buyers": 7, "seconds": 30}
    begun = document(await demo.ask("POST", "/v1/demo/rush", asked, key="pk"), 202)
    assert (begun["state"], begun["buyers"]) == ("running", 7)
    problem(await demo.ask("POST", "/v1/demo/rush", asked, key="pk"), "rush_running")
    seen = document(await demo.ask("GET", "/v1/demo/rush", key="pk"), 200)
    assert seen["id"] == begun["id"]
    for _ in range(58):
        await demo.ask("POST", "/v1/demo/rush", asked, key="pk")
    problem(await demo.ask("POST", "/v1/demo/rush", asked, key="pk"), "rate_limited")


async def test_money_is_play_money_only(open_api: OpenApi, make_show: MakeShow) -> None:
    show = await make_show(payment="required")
    demo = await open_api(demo=True)
    asked = {"resource_id": show.id}
    answer = await demo.ask("POST", "/v1/demo/rush", asked, key="pk")
    problem(answer, "invalid_request", field="resource_id")


@pytest.mark.parametrize(
    ("field", "value"),
    [("buyers", 0), ("buyers", 2001), ("buyers", "all"), ("seconds", 1), ("seconds", 121)],
)
async def test_a_crowd_has_bounds(
    field: str, value: object, open_api: OpenApi, make_show: MakeShow
) -> None:
    demo = await open_api(demo=True)
    asked = {"resource_id": (await make_show()).id, field: value}
    problem(
        await demo.ask("POST", "/v1/demo/rush", asked, key="pk"), "invalid_request", field=field
    )


def queueing(show: Resource, room: Json) -> RushOrder:
    return replace(crowd_to(show), waiting_room_id=str(room["id"]))


async def test_the_patience_with_a_crowd_begins_anew_until_the_opening(
    rushes: Rushes, make_show: MakeShow, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has come early, and is not sent home before the sale."""
    begun: list[object] = []

    def begin(patience: object) -> None:
        begun.append(patience)

    monkeypatch.setattr(demo_rushes._Patience, "begin", begin)
    show = await make_show()
    room = await room_for(api, show, opens_in=3600)
    await rushes(SAYS + LISTENS, beat_seconds=0.02).begin(queueing(show, room))

    async def beats(count: int) -> None:
        """Waits until the worker has said so many times that it is there."""
        for _ in range(count):
            last = await api.connection.fetchval("select reported_at from demo.rush")

            async def has_beaten(last: object = last) -> bool:
                found = await api.connection.fetchval("select reported_at from demo.rush")
                return bool(found != last)

            await until(has_beaten)

    await beats(3)
    assert len(begun) >= 2
    path = f"/v1/waiting-rooms/{room['id']}"
    document(await api.ask("PATCH", path, {"state": "open"}, key="ak"), 200)
    await beats(2)  # the first may have been on its way
    counted = len(begun)
    await beats(3)
    assert len(begun) == counted, "from now on it runs out"


async def test_patience_that_begins_anew_ends_later_and_not_without_end() -> None:
    async with asyncio.timeout(60) as timeout:
        first = timeout.when() or 0
        demo_rushes._Patience(timeout, 60, 5).begin()
        assert first <= (timeout.when() or 0) <= first + 5
        bounded = demo_rushes._Patience(timeout, 60, 0)
        bounded.begin()
        latest = timeout.when()
        await asyncio.sleep(0)
        bounded.begin()
        assert timeout.when() == latest, "nobody waits for it for ever"


async def test_a_crowd_does_not_wait_for_ever_for_an_opening(
    rushes: Rushes, make_show: MakeShow, api: Api
) -> None:
    show = await make_show()
    room = await room_for(api, show, opens_in=3600)
    worker = rushes(SAYS + LISTENS, beat_seconds=0.02, seconds_max=0.1, early_seconds_max=0.2)
    await worker.begin(queueing(show, room))
    await until(stands(worker, state="done", error="failed"))


async def test_a_crowd_that_waits_for_nothing_is_ended_in_time(
    rushes: Rushes, make_show: MakeShow, api: Api
) -> None:
    show = await make_show()
    room = await room_for(api, show)
    path = f"/v1/waiting-rooms/{room['id']}"
    document(await api.ask("PATCH", path, {"state": "open"}, key="ak"), 200)
    for order in (crowd_to(show), queueing(show, room)):
        worker = rushes(SAYS + LISTENS, beat_seconds=0.02, seconds_max=0.3)
        await worker.begin(order)
        await until(stands(worker, state="done", error="failed"))
