"""A vertical that is broken, in a package that is really installed: what starts with it says so in
one line, and what needs it not does its work.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from bespeak import __version__

Run: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]
WHY = "the vertical sauna:VERTICAL of sauna 2.0 cannot be used: ModuleNotFoundError"


@pytest.fixture
def run(tmp_path: Path, database_url: str) -> Run:
    """Runs a command on a migrated database, beside a vertical that cannot be imported."""
    information = tmp_path / "sauna-2.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: sauna\nVersion: 2.0\n")
    (information / "entry_points.txt").write_text("[bespeak.verticals]\nx = sauna:VERTICAL\n")
    (tmp_path / "sauna.py").write_text("import a_package_that_is_not_there\n")
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "BESPEAK_DATABASE_URL": database_url,
    }

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "bespeak", *arguments],
            env=environment, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    return command


@pytest.mark.parametrize(
    "command", [("serve", "--port", "0"), ("worker",), ("migrate",), ("import", "sauna", "x.json")]
)
def test_nothing_starts_with_it(run: Run, command: tuple[str, ...]) -> None:
    ended = run(*command)
    assert ended.returncode == 1
    assert f"bespeak: vertical_broken: {WHY}" in ended.stderr
    assert "Traceback" not in ended.stderr and ended.stderr.count("\n") == 1


CALLS = """
from bespeak.verticals import Vertical, VerticalCall

async def heat(request):
    "Heats."

VERTICAL = Vertical("sauna", "Sauna", [VerticalCall("POST", "/heat", heat, "Heat")])
"""


def test_a_call_that_does_not_say_what_it_takes_is_found(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sauna.py").write_text(CALLS)
    why = "the vertical sauna cannot be used: POST /v1/sauna/heat: heat takes one Call[Query, Body]"
    ended = run("serve", "--port", "0")
    assert ended.returncode == 1
    assert ended.stderr == f"bespeak: vertical_broken: {why}\n"
    findings = json.loads(run("doctor", "--json").stdout)
    assert why in [one["seen"] for one in findings if one["verdict"] == "failed"]


def test_what_is_wrong_can_be_asked(run: Run) -> None:
    version = run("--version")
    assert (version.returncode, version.stdout.strip()) == (0, __version__)

    checked = run("migrate", "--check")
    assert checked.returncode == 1
    assert checked.stdout.startswith(f"broken: {WHY}") and checked.stderr == ""

    looked = run("doctor", "--json")
    findings = {one["check"]: one for one in json.loads(looked.stdout)}
    assert looked.returncode == 1
    assert findings["verticals"]["verdict"] == "failed"
    assert findings["verticals"]["seen"].startswith(WHY)
    assert findings["schema"]["verdict"] == "ok"
