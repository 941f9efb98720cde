"""The command line without a server: help, clear errors, notes about servers, locks."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bespeak.cli import checks, main, servers
from bespeak.cli.databases import FolderInUse, sole_keeper
from bespeak.cli.servers import RunningServer
from bespeak.cli.supervision import supervisor
from bespeak.cli.supervision.supervisor import (
    PortInUse,
    ServeOptions,
    check_port,
    free_port,
    url_of,
)

COMMANDS = [
    "archive",
    "cancel",
    "demo",
    "doctor",
    "keys",
    "migrate",
    "reconcile",
    "rush",
    "search",
    "serve",
    "worker",
]


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0)


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    text = capsys.readouterr().out
    assert all(f" {command} " in text for command in COMMANDS)


@pytest.mark.parametrize("command", [*COMMANDS, "keys create", "keys list", "keys revoke"])
def test_the_help_of_a_command_teaches_by_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*command.split(), "--help") == 0
    text = capsys.readouterr().out
    assert "For example:" in text
    assert f"bespeak {command}" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["serve", "--port", "70000"],
        ["serve", "--workers", "0"],
        ["rush", "--buyers", "none"],
        ["rush", "--confirm", "1.5"],
        ["keys", "create", "nonsense", "name"],
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) != 0
    assert "Traceback" not in "".join(capsys.readouterr())


NOWHERE = ["--database-url", "postgresql://nobody@127.0.0.1:1/nothing"]


@pytest.mark.parametrize("command", [["migrate"], ["keys", "list"], ["serve", "--port", "0"]])
def test_a_database_that_is_not_there_is_one_clear_sentence(command: list[str]) -> None:
    # In a process of its own: `serve` takes signals and standard output for itself.
    ended = subprocess.run(
        [sys.executable, "-m", "bespeak", *command, *NOWHERE],
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith("bespeak: database_unavailable: no connection to the database")
    assert ended.stderr.count("\n") == 1


def test_the_doctor_fails_where_there_is_no_database(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("doctor", *NOWHERE) == 1
    assert "failed" in capsys.readouterr().out


def test_a_rush_without_a_key_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("BESPEAK_KEY", raising=False)
    assert run("rush", "--url", "http://127.0.0.1:1") == 1
    assert "BESPEAK_KEY" in capsys.readouterr().err


def server(url: str, pid: int | None = None) -> RunningServer:
    return RunningServer(url, pid or os.getpid(), {"sk": f"sk of {url}"})


def test_servers_are_noted_found_and_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "state" / "servers.json"
    one, two = server("http://127.0.0.1:8000"), server("http://127.0.0.1:8001")
    servers.remember(one, file)
    assert servers.find(None, file) == one
    servers.remember(two, file)
    assert servers.find(None, file) is None, "of two servers none is the one"
    assert servers.find("http://localhost:8001/", file) == two
    servers.forget(one, file)
    assert servers.find(one.url, file) is None
    assert servers.find(None, file) == two


def test_only_the_user_can_read_the_notes(tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    servers.remember(server("http://127.0.0.1:8000"), file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_server_that_took_the_place_of_another_is_not_forgotten_with_it(tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    old, new = server("http://127.0.0.1:8000", pid=1), server("http://127.0.0.1:8000")
    servers.remember(old, file)
    servers.remember(new, file)
    servers.forget(old, file)
    assert servers.find(new.url, file) == new


def test_notes_of_killed_servers_go_and_a_broken_file_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    file.write_text("not json")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    servers.remember(server("http://127.0.0.1:8000", gone.pid), file)
    assert servers.find(None, file) is None
    servers.remember(server("http://127.0.0.1:8001"), file)
    assert servers.find("http://127.0.0.1:8000", file) is None


def test_one_process_keeps_a_folder_and_the_next_is_told_which(tmp_path: Path) -> None:
    with sole_keeper(tmp_path):
        second = sole_keeper(tmp_path)
        with pytest.raises(FolderInUse, match=str(os.getpid())):
            second.__enter__()
    with sole_keeper(tmp_path):
        assert (tmp_path / "server.lock").read_text() == str(os.getpid())


def test_a_port_that_is_taken_is_said_at_once() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        with pytest.raises(PortInUse, match="--port"):
            check_port("127.0.0.1", taken.getsockname()[1])
    check_port("127.0.0.1", free_port("127.0.0.1"))


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),  # noqa: S104
        ("::", "http://[::1]:80"),
        ("tickets.example", "http://tickets.example:80"),
    ],
)
def test_the_url_is_one_that_this_machine_reaches(host: str, url: str) -> None:
    assert url_of(host, 80) == url


@pytest.mark.parametrize(
    ("environment", "verdict"),
    [
        ({}, "ok"),
        ({"BESPEAK_LANES": "2", "PATH": "x"}, "ok"),
        ({"BESPEAK_KEY": "sk_", "BESPEAK_TEST_SEED": "1"}, "ok"),
        ({"BESPEAK_LANEZ": "2"}, "warning"),
        ({"BESPEAK_LANES": "many"}, "failed"),
        ({"BESPEAK_PAYMENT_PROVIDERS": "sandbox"}, "failed"),
        ({"BESPEAK_PAYMENT_PROVIDERS": "sandbox", "BESPEAK_DEMO": "true"}, "ok"),
        (
            {"BESPEAK_PAYMENT_PROVIDERS": "sandbox", "BESPEAK_ALLOW_PRETEND_MONEY": "true"},
            "warning",
        ),
    ],
)
def test_the_doctor_reads_the_settings(environment: dict[str, str], verdict: str) -> None:
    assert checks.settings(environment).verdict == verdict


@pytest.mark.parametrize("demo", ["true", "false"])
def test_the_doctor_says_when_pretend_money_is_beside_real(demo: str) -> None:
    found = checks.settings(
        {
            "BESPEAK_PAYMENT_PROVIDERS": "stripe, sandbox",
            "BESPEAK_ALLOW_PRETEND_MONEY": "true",
            "BESPEAK_DEMO": demo,
        }
    )
    assert (found.verdict, "beside stripe" in found.seen) == ("warning", True)


def test_the_leaders_lock_is_nobody_elses() -> None:
    # Another statement with this number would wait for as long as a background worker lives.
    root = Path(checks.__file__).parents[1]
    numbers = {
        file.name: set(re.findall(r"advisory\w*lock\w*\((\d+)\)", file.read_text()))
        for file in root.rglob("*.sql")
    }
    mine = numbers.pop("leader.sql")
    assert len(mine) == 1
    assert not mine & set().union(*numbers.values())


@pytest.mark.parametrize("elsewhere", [None, "/somewhere/else"])
def test_a_demo_keeps_what_its_search_has_read_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, elsewhere: str | None
) -> None:
    """Unless the settings say where."""
    monkeypatch.delenv("BESPEAK_SEARCH_SNAPSHOTS", raising=False)
    if elsewhere is not None:
        monkeypatch.setenv("BESPEAK_SEARCH_SNAPSHOTS", elsewhere)
    asked: list[ServeOptions] = []

    def serve(options: ServeOptions, *_: object) -> int:
        asked.append(options)
        return 0

    monkeypatch.setattr(supervisor, "serve", serve)
    assert run("demo", "--data", str(tmp_path), "--port", "0") == 0
    (one,) = asked
    assert one.settings.search_snapshots == (elsewhere or str(tmp_path / "search"))
