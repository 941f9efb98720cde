"""A crowd that queues: `bespeak rush --waiting-room` against a real server, and the demo's button,
which starts the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import cast

import pytest

from tests.harness.loaded_demo import copy_loaded_demo
from tests.http.running import Server, command, eventually, running

Json = dict[str, object]
SMALL = {"type": "seats", "sections": [{"name": "S", "rows": [{"name": "A", "seats": 8}]}]}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A demo that the tests share."""
    data = copy_loaded_demo(tmp_path_factory.mktemp("demo") / "data")
    with running(data, "demo", "--data", str(data)) as server:
        yield server


def asked(demo: Server, method: str, path: str, body: object = None, kind: str = "ak") -> Json:
    return cast("Json", demo.call(method, path, body, kind=kind))


def behind_a_room(demo: Server, **fields: object) -> tuple[str, str]:
    """A show of eight seats, and the waiting room before it that is open."""
    show = str(asked(demo, "POST", "/v1/resources", {"name": "Row", "plan": SMALL})["id"])
    new = {
        **{"name": "Row", "resources": [show], "opens_at": datetime.now(UTC).isoformat()},
        **{"early_order": "first_come", "inside_max": 4, "grace_seconds": 10},
        **fields,
    }
    return show, str(asked(demo, "POST", "/v1/waiting-rooms", new)["id"])


def rushed(demo: Server, *arguments: str) -> Json:
    """The verdict of a crowd that queues."""
    ended = command(demo, "rush", "--waiting-room", *arguments, "--json", seconds=240)
    assert ended.returncode == 0, ended.stderr
    return cast("Json", json.loads(ended.stdout.splitlines()[-1]))


def test_a_crowd_queues_for_the_premiere_and_sells_it_out(demo: Server) -> None:
    premiere = cast("dict[str, str]", demo.ready["premiere"])
    room = f"/v1/waiting-rooms/{premiere['waiting_room_id']}"
    # Who has left and is called holds the others up for as short as may be.
    change = {"state": "open", "grace_seconds": 10, "a_minute": 1000}
    assert asked(demo, "PATCH", room, change)["state"] == "open"
    verdict = rushed(demo, "--resource", premiere["id"], "--buyers", "120", "--impatient", "0.05")
    queue = cast("dict[str, float]", verdict["queue"])
    assert verdict["double_sold"] == verdict["errors"] == verdict["lost"] == 0
    assert verdict["sold_out"]
    assert (verdict["sold"], verdict["free"]) == (64, 0)
    assert verdict["paid"] == verdict["captured"] != 0
    assert queue["before_turn"] == queue["lost_passes"] == 0
    assert queue["turned_away"] > 0, "some tried to get by"
    assert queue["bought"] == verdict["confirmed"]
    assert queue["let_in"] < queue["joined"] == 120, "more than find something are not let in"
    outside = queue["joined"] - queue["let_in"]
    assert queue["gave_up"] + queue["too_late"] == outside
    assert queue["sold_out_seconds"] > 0
    counted = asked(demo, "GET", room)
    assert (counted["let_in"], counted["sold_out"]) == (queue["let_in"], True)


def test_the_button_sends_a_crowd_that_queues_and_some_cancel_for_the_waitlist(
    demo: Server,
) -> None:
    show, room = behind_a_room(demo)
    waitlist = asked(demo, "POST", "/v1/waitlists", {"resource_ids": [show]})
    eventually(lambda: _knows(demo, room), 30)
    wanted = {"resource_id": show, "buyers": 60, "seconds": 2}
    begun = asked(demo, "POST", "/v1/demo/rush", wanted, kind="pk")
    assert (begun["waiting_room_id"], begun["resource_id"]) == (room, show)
    eventually(lambda: asked(demo, "GET", f"/v1/resources/{show}/audit")["sold"] == 8, 120)
    wish = {"wish": {"party": 1, "places": [{"resource_id": show}]}, "owner": "asha"}
    entry = asked(demo, "POST", f"/v1/waitlists/{waitlist['id']}/entries", wish, kind="sk")
    path = f"/v1/waitlist-entries/{entry['id']}"
    eventually(lambda: asked(demo, "GET", path)["state"] == "offered", 60)
    eventually(lambda: rush_now(demo)["state"] == "done", 60)
    ended = rush_now(demo)
    assert (ended["cancelled"], ended["double_sold"], ended["error"]) == (1, 0, None)
    assert ended["joined"] == 60
    assert 0 < int(str(ended["confirmed"])) <= int(str(ended["let_in"])) < 60


def _knows(demo: Server, room: str) -> bool:
    """Whether both workers know of a room: each looks once a second, and calls come to either."""
    for _ in range(12):
        try:
            asked(demo, "GET", f"/v1/waiting-rooms/{room}/now", kind="pk")
        except AssertionError:
            return False
    return True


def rush_now(demo: Server) -> Json:
    return asked(demo, "GET", "/v1/demo/rush", kind="pk")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--resource", "res_00000000"), "there is no waiting room before"),
        (("--buyers", "20001"), "20,000 can wait at most"),
    ],
)
def test_a_crowd_that_cannot_queue_says_why(
    demo: Server, arguments: tuple[str, ...], said: str
) -> None:
    ended = command(demo, "rush", "--waiting-room", *arguments)
    assert ended.returncode == 1
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
