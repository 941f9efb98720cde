"""The commands as their users have them: real processes, killed in every way, and nothing of them
left behind; and the crowd that sells a show out.
"""

import json
import os
import signal
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import psutil
import pytest

from bespeak import NewResource, Resource
from bespeak.cli.supervision.supervisor import free_port
from bespeak.ids import parse_resource
from bespeak.postgres.queries import load
from tests.harness.database import Connection
from tests.harness.loaded_demo import FEW_LISTINGS, copy_loaded_demo
from tests.http.running import END_SECONDS_MAX, Server, command, eventually, gone, running


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A demo that the tests share; each leaves it healthy."""
    data = copy_loaded_demo(tmp_path_factory.mktemp("demo") / "data")
    with running(data, "demo", "--data", str(data)) as server:
        yield server


def test_the_ready_line_says_all_and_the_server_answers_by_then(demo: Server) -> None:
    assert demo.healthy()
    assert set(demo.ready) == {"url", "database_url", "keys", "resources", "samples", "premiere"}
    assert {kind: key[:3] for kind, key in demo.keys.items()} == {
        "pk": "pk_", "sk": "sk_", "ak": "ak_",
    }  # fmt: skip
    assert all(set(each) == {"id", "name", "kind", "plan"} for each in demo.resources)
    premiere = demo.ready["premiere"]
    assert isinstance(premiere, dict)
    assert set(premiere) == {"id", "name", "waiting_room_id", "opens_at"}


def test_the_first_show_of_the_demo_has_300_seats(demo: Server) -> None:
    first = demo.resources[0]["id"]
    shown = demo.call("GET", f"/v1/resources/{first}/availability")
    assert isinstance(shown, dict)
    assert shown["units_total"] == 300


def test_the_demo_has_a_resource_of_each_shape_that_answers(demo: Server) -> None:
    samples = demo.ready["samples"]
    assert isinstance(samples, list)
    shapes = {"seats", "nights", "times", "tickets", "pools", "legs", "moments"}
    assert {each["shape"] for each in samples} == shapes
    for each in samples:
        assert set(each) == {"shape", "id", "name", "kind", "guide"}
        shown = demo.call("GET", f"/v1/resources/{each['id']}/availability")
        assert isinstance(shown, dict)
        assert shown["type"] == each["shape"]


def test_what_the_demo_keeps_of_its_keys_is_private(demo: Server) -> None:
    state = Path(demo.environment["XDG_STATE_HOME"]) / "bespeak" / "servers.json"
    for file in (demo.data / "keys.json", state):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert demo.keys["sk"] in state.read_text()


def test_a_second_server_on_the_same_folder_is_refused(demo: Server) -> None:
    ended = command(demo, "demo", "--data", str(demo.data), "--port", "0")
    assert ended.returncode == 1
    assert str(demo.process.pid) in ended.stderr
    assert demo.healthy()


def fresh_show(demo: Server, like: str) -> str:
    """Another show like this one, that nobody has touched."""
    found = demo.call("GET", f"/v1/resources/{like}")
    assert isinstance(found, dict)
    known = {field.encode_name for field in msgspec.structs.fields(NewResource)}
    new = {name: value for name, value in found.items() if name in known}
    made = demo.call("POST", "/v1/resources", new, kind="ak")
    assert isinstance(made, dict)
    return str(made["id"])


def test_a_rush_sells_a_show_out_and_nothing_twice(demo: Server) -> None:
    ended = command(demo, "rush", "--buyers", "2000", "--decline", "0.2", "--json")
    assert ended.returncode == 0, ended.stderr
    verdict = json.loads(ended.stdout.splitlines()[-1])
    assert verdict["resource_id"] == demo.resources[0]["id"], "the show that the demo says to try"
    assert verdict["double_sold"] == verdict["errors"] == verdict["lost"] == 0
    assert verdict["paid"] == verdict["captured"] > 0
    assert verdict["unpaid"] == 0
    assert verdict["declined"] > 0
    assert (verdict["sold"], verdict["held"], verdict["free"]) == (300, 0, 0)
    assert verdict["sold_out"]
    assert verdict["granted"] == verdict["confirmed"] + verdict["released"]
    assert verdict["refused"] > 0, "a rush in which nobody was too late shows nothing"
    # The next one finds another show by itself, and a show that is named stays named.
    again = json.loads(command(demo, "rush", "--buyers", "20", "--json").stdout)
    assert again["resource_id"] != verdict["resource_id"]
    named = ["--resource", verdict["resource_id"], "--url", demo.url]
    late = json.loads(command(demo, "rush", *named, "--buyers", "5", "--json").stdout)
    assert (late["granted"], late["sold_out"], late["sold"]) == (0, True, 300)


def test_a_rush_on_a_standing_area_fills_it_and_no_more(demo: Server) -> None:
    plan = {"type": "seats", "pools": [{"unit": "floor", "capacity": 101}]}
    made = demo.call("POST", "/v1/resources", {"name": "Floor", "plan": plan}, kind="ak")
    assert isinstance(made, dict)
    ended = command(demo, "rush", "--resource", made["id"], "--buyers", "300", "--json")
    verdict = json.loads(ended.stdout)
    assert ended.returncode == 0, ended.stderr
    assert verdict["sold_out"]
    shown = demo.call("GET", f"/v1/resources/{made['id']}/availability")
    assert isinstance(shown, dict)
    assert shown["pools"]["floor"] == {"capacity": 101, "available": 0}


def test_a_rush_at_a_pace_takes_its_time(demo: Server) -> None:
    plan = {"type": "seats", "sections": [{"name": "S", "rows": [{"name": "A", "seats": 40}]}]}
    made = demo.call("POST", "/v1/resources", {"name": "Row", "plan": plan}, kind="ak")
    assert isinstance(made, dict)
    named = ["--resource", made["id"], "--buyers", "12", "--pace", "6"]
    verdict = json.loads(command(demo, "rush", *named, "--json").stdout)
    assert (verdict["arrived"], verdict["errors"]) == (12, 0)
    assert verdict["seconds"] >= 11 / 6, "the last of twelve comes when eleven others have come"


def rush_now(demo: Server) -> dict[str, object]:
    now = demo.call("GET", "/v1/demo/rush", kind="pk")
    assert isinstance(now, dict)
    return now


def crowds(demo: Server) -> list[psutil.Process]:
    """The processes of crowds that the demo's workers run."""
    found = []
    for each in psutil.Process(demo.process.pid).children(recursive=True):
        with suppress(psutil.Error):  # one that has ended has no command line any more
            if "rush" in each.cmdline():
                found.append(each)
    return found


def test_a_visitor_lets_a_crowd_loose_and_it_sells_a_show_out(demo: Server) -> None:
    asked = {"resource_id": fresh_show(demo, str(demo.resources[0]["id"])), "seconds": 2}
    begun = demo.call("POST", "/v1/demo/rush", asked, kind="pk")
    assert isinstance(begun, dict)
    assert (begun["state"], begun["resource_id"]) == ("running", asked["resource_id"])
    with pytest.raises(AssertionError, match="rush_running"):
        demo.call("POST", "/v1/demo/rush", asked, kind="pk")
    arguments = eventually(lambda: crowds(demo), 20)[0].cmdline()
    assert not [each for each in arguments if each.startswith(("sk_", "ak_"))]
    eventually(lambda: rush_now(demo)["state"] == "done", 90)
    ended = rush_now(demo)
    assert (ended["id"], ended["error"], ended["double_sold"]) == (begun["id"], None, 0)
    counted = demo.call("GET", f"/v1/resources/{asked['resource_id']}/audit")
    assert isinstance(counted, dict)
    assert (counted["sold"], counted["free"]) == (300, 0)
    eventually(lambda: not crowds(demo), 20)


def test_a_crowd_ends_with_the_worker_that_runs_it(demo: Server) -> None:
    asked = {"resource_id": fresh_show(demo, str(demo.resources[0]["id"])), "seconds": 120}
    demo.call("POST", "/v1/demo/rush", asked, kind="pk")
    crowd = eventually(lambda: crowds(demo), 20)[0]
    worker = crowd.parent()
    assert worker is not None
    assert worker.pid != demo.process.pid
    worker.kill()
    assert gone([crowd], END_SECONDS_MAX)

    def over() -> bool:
        try:
            return rush_now(demo)["error"] == "interrupted"
        except OSError:
            return False  # it asked the worker that was killed

    eventually(over, 20)
    demo.call("POST", "/v1/demo/rush", asked, kind="pk")
    assert rush_now(demo)["state"] == "running"


def test_a_rush_with_a_key_that_is_none_says_so(demo: Server) -> None:
    ended = command(demo, "rush", "--url", demo.url, "--key", "sk_nonsense")
    assert ended.returncode == 1
    assert "401" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_the_doctor_finds_a_running_demo_well(demo: Server) -> None:
    ended = command(demo, "doctor", "--data", str(demo.data), "--json")
    findings = {each["check"]: each["verdict"] for each in json.loads(ended.stdout)}
    assert ended.returncode == 0, ended.stdout
    assert set(findings.values()) == {"ok"}
    assert {"version", "durability", "schema", "audit", "feed", "worker", "clock"} <= set(findings)


def test_keys_are_made_listed_used_and_revoked(demo: Server) -> None:
    at = ["--data", str(demo.data)]
    made = json.loads(command(demo, "keys", "create", "sk", "box office", *at, "--json").stdout)
    listed = command(demo, "keys", "list", *at, "--json").stdout
    assert made["id"] in listed
    assert made["key"] not in listed
    rush = ["rush", "--url", demo.url, "--buyers", "3", "--key"]
    assert command(demo, *rush, made["key"]).returncode == 0
    assert command(demo, "keys", "revoke", made["id"], *at).returncode == 0
    assert command(demo, "keys", "revoke", "key_nonsense", *at).returncode == 1
    eventually(lambda: command(demo, *rush, made["key"]).returncode == 1, 30)


def test_a_background_worker_that_is_killed_is_replaced_and_leads(demo: Server) -> None:
    before = eventually(demo.worker, 20)
    before.kill()

    def replaced() -> psutil.Process | None:
        now = demo.worker()
        return now if now is not None and now.pid != before.pid else None

    eventually(replaced, 20)
    doctor = ["doctor", "--data", str(demo.data), "--json"]

    def leads() -> bool:
        findings = json.loads(command(demo, *doctor).stdout)
        return bool(findings[-1]["check"] == "worker" and findings[-1]["verdict"] == "ok")

    eventually(leads, 20)


def test_a_database_that_is_killed_comes_back_with_what_was_answered(demo: Server) -> None:
    show = demo.resources[0]["id"]
    assert isinstance(show, str)
    show = fresh_show(demo, show)
    lines = [{"resource_id": show, "unit": "A1"}]
    hold = demo.call("POST", "/v1/holds", {"owner": "asha", "lines": lines})
    assert isinstance(hold, dict)
    before = demo.postgres()
    before.kill()
    # Its sessions live on for a moment and even answer; a new server is what is waited for.
    eventually(lambda: demo.has_other_postgres(before.pid), 40)

    def answers() -> object:
        try:
            return demo.call("GET", f"/v1/holds/{hold['id']}")
        except (AssertionError, OSError):
            return None

    found = eventually(answers, 30)
    assert isinstance(found, dict)
    assert (found["id"], found["state"]) == (hold["id"], "held")
    assert demo.process.poll() is None
    paid = {"hold_id": hold["id"], "payment_token": "tok_success"}
    booking = demo.call("POST", "/v1/bookings", paid)
    assert isinstance(booking, dict)
    assert booking["state"] == "confirmed"


def test_a_hold_expires_within_a_second_of_its_time(demo: Server) -> None:
    plan = {"type": "seats", "sections": [{"name": "S", "rows": [{"name": "A", "seats": 2}]}]}
    new = {"name": "Short", "plan": plan, "hold_seconds": 1}
    show = demo.call("POST", "/v1/resources", new, kind="ak")
    assert isinstance(show, dict)
    lines = [{"resource_id": show["id"], "unit": "A1"}]
    demo.call("POST", "/v1/holds", {"owner": "asha", "lines": lines})

    def expired() -> bool:
        page = demo.call("GET", f"/v1/events?resource_id={show['id']}")
        return '"expired"' in json.dumps(page)

    eventually(expired, 30)  # within a second, on a machine that has time


def test_sigterm_ends_it_with_status_0_and_a_restart_finds_all_as_it_was(tmp_path: Path) -> None:
    data = copy_loaded_demo(tmp_path / "data")
    with running(data, "demo", "--data", str(data)) as first:
        tree = first.tree()
        assert len(tree) > 5
        first.stop()
        assert first.process.returncode == 0
        assert gone(tree, END_SECONDS_MAX)
        state = tmp_path / "state" / "bespeak" / "servers.json"
        assert json.loads(state.read_text()) == []
    with running(data, "demo", "--data", str(data)) as second:
        assert second.keys == first.keys
        # Shows begin meanwhile, so that the list of the next ones may have moved on.
        later = {one["id"]: one for one in second.resources}
        kept = [one for one in first.resources if one["id"] in later]
        assert len(kept) > len(first.resources) / 2
        assert [later[one["id"]] for one in kept] == kept
        assert second.process.stdout is not None
        second.stop()
        assert second.process.stdout.read() == "", "one line and no more"


@pytest.mark.parametrize("seconds", [0.4, 0.7, 1.0, 1.5])
def test_sigterm_during_the_start_leaves_nothing_behind(tmp_path: Path, seconds: float) -> None:
    data = tmp_path / "data"
    process = subprocess.Popen(
        [sys.executable, "-m", "bespeak", "demo", "--port", "0", "--data", str(data)],
        env={**os.environ, **FEW_LISTINGS, "XDG_STATE_HOME": str(tmp_path)},
        stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        # What is not up yet cannot take a signal: the folder is there once it can.
        eventually(lambda: data.exists() or None, 20)
        time.sleep(seconds - 0.4)
        process.terminate()
        assert process.wait(END_SECONDS_MAX) == 0
    finally:
        process.kill()
        process.wait()
    left = [each for each in psutil.process_iter(["cmdline"]) if _mentions(each, data)]
    assert gone(left, END_SECONDS_MAX)


def test_a_server_that_is_killed_takes_everything_along(tmp_path: Path) -> None:
    data = copy_loaded_demo(tmp_path / "data")
    with running(data, "demo", "--data", str(data)) as server:
        tree = server.tree()
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
        assert gone(tree, END_SECONDS_MAX)


def test_a_demo_that_ends_while_it_loads_goes_on_at_the_next_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    _end_while_it_loads(data, signal.SIGTERM)
    _end_while_it_loads(data, signal.SIGKILL)  # what is left of it
    with running(data, "demo", "--data", str(data)) as again:
        assert len(again.resources) > 20
        shown = again.call("GET", f"/v1/resources/{again.resources[0]['id']}/availability")
        assert isinstance(shown, dict)
        assert shown["units_total"] == 300
        eventually(lambda: is_well(again), 30)


def _end_while_it_loads(data: Path, number: signal.Signals) -> None:
    port = free_port("127.0.0.1")
    terminal, end_of_process = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "bespeak", "demo", "--port", str(port), "--data", str(data)],
        env={**os.environ, **FEW_LISTINGS, "XDG_STATE_HOME": str(data.parent)},
        stdout=subprocess.PIPE, stderr=end_of_process, start_new_session=True,
    )  # fmt: skip
    os.close(end_of_process)
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    os.set_blocking(terminal, False)
    try:
        eventually(lambda: sells_something(port, data), 120)
        said = ""

        def is_open() -> bool:  # what was sold before is sold a moment earlier
            nonlocal said
            with suppress(BlockingIOError):
                said += os.read(terminal, 100_000).decode()
            return "open at" in said

        eventually(is_open, 20)
        assert not process.stdout.read(), "it is announced when all is loaded"
        steps = ("starting PostgreSQL", "preparing the database", "starting the server", "open at")
        places = [said.find(step) for step in steps]
        assert -1 < places[0] < places[1] < places[2] < places[3], said
        process.send_signal(number)
        process.wait(END_SECONDS_MAX)
        assert number == signal.SIGKILL or process.returncode == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        os.close(terminal)
    left = [each for each in psutil.process_iter(["cmdline"]) if _mentions(each, data)]
    assert gone(left, END_SECONDS_MAX)


def is_well(demo: Server) -> bool:
    """Whether the doctor finds nothing, once the background worker leads."""
    checked = json.loads(command(demo, "doctor", "--data", str(demo.data), "--json").stdout)
    return {each["verdict"] for each in checked} == {"ok"}


def sells_something(port: int, data: Path) -> bool:
    """Whether a demo that is being loaded answers, with something to sell."""
    try:
        key = json.loads((data / "keys.json").read_text())["sk"]["text"]
        url = f"http://127.0.0.1:{port}"
        asked = urllib.request.Request(  # noqa: S310 - our own server
            f"{url}/v1/resources?limit=1", headers={"Authorization": f"Bearer {key}"}
        )
        with urllib.request.urlopen(asked, timeout=10) as answer:  # noqa: S310
            return bool(json.loads(answer.read())["items"])
    except (OSError, ValueError):
        return False  # it is on its way up


def test_serve_on_a_database_of_ones_own_wants_it_migrated(
    demo: Server, tmp_path: Path, empty_database_url: str
) -> None:
    own = ["--database-url", empty_database_url]
    refused = command(demo, "serve", *own, "--port", "0", "--json")
    assert refused.returncode == 1
    assert "bespeak migrate" in refused.stderr
    assert command(demo, "migrate", "--check", *own).returncode == 1
    first = command(demo, "migrate", *own)
    assert first.returncode == 0
    assert first.stdout.startswith("applied 0001 ")
    assert command(demo, "migrate", *own).stdout.startswith("nothing to apply")
    assert command(demo, "migrate", "--check", *own).returncode == 0
    with running(tmp_path / "none", "serve", BESPEAK_DATABASE_URL=empty_database_url) as server:
        assert server.ready["database_url"] == empty_database_url
        assert server.resources == []
        assert server.healthy()
        server.stop()
        assert server.process.returncode == 0


async def test_a_database_of_a_newer_program_is_refused(
    demo: Server, database_url: str, connection: Connection
) -> None:
    await connection.execute(
        "insert into bespeak.migration (number, name, checksum) values (9999, 'later', 'x')"
    )
    for asked in (["migrate"], ["migrate", "--check"], ["serve", "--port", "0"], ["keys", "list"]):
        ended = command(demo, *asked, "--database-url", database_url)
        assert ended.returncode == 1
        assert "9999" in ended.stderr
        assert "Traceback" not in ended.stderr


async def test_the_doctor_sees_what_is_wrong(
    demo: Server, database_url: str, connection: Connection, show: Resource
) -> None:
    number = parse_resource(show.id)
    # A claim of no hold; a program of ours without a worker (this connection), and then one that
    # leads and numbers no event. A writer that the feed waits for would need ten seconds: see the
    # SQL.
    await connection.execute(
        "insert into bespeak.claim (resource_id, unit, hold_id, expires_at)"
        " values ($1, 'A1', bespeak.new_id($1), 'infinity')",
        number,
    )
    await connection.execute("update bespeak.event set at = at - interval '1 minute'")
    await connection.execute("set application_name = 'bespeak'")
    verdicts = _verdicts(demo, database_url)
    assert verdicts["audit"] == verdicts["worker"] == "failed"
    assert verdicts["schema"] == verdicts["connection"] == verdicts["feed"] == "ok"
    assert await connection.fetchval(load("bespeak.cli.supervision", "leader.sql")["try_lead"])
    verdicts = _verdicts(demo, database_url)
    assert (verdicts["worker"], verdicts["feed"]) == ("ok", "failed")


def _verdicts(demo: Server, database_url: str) -> dict[str, str]:
    ended = command(demo, "doctor", "--database-url", database_url, "--json")
    assert ended.returncode == 1
    return {each["check"]: each["verdict"] for each in json.loads(ended.stdout)}


def _mentions(process: psutil.Process, data: Path) -> bool:
    return any(str(data) in part for part in process.info["cmdline"] or [])
