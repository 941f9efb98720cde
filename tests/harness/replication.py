"""Real primaries and standbys of PostgreSQL on the loopback, from Debian's packages (the embedded
server has no pg_basebackup). A primary can be killed as a machine dies, and a standby promoted.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal, NamedTuple

import psutil

DATABASE = "office"
_ROOT = Path("/usr/lib/postgresql")
# What a test kills comes back from the page cache, so that fsync would only cost time.
_QUICK = ("fsync=off", "full_page_writes=off")


def programs() -> Path:
    """The folder of PostgreSQL's programs. AssertionError where they are not installed."""
    found = sorted(_ROOT.glob("*/bin/pg_basebackup"), key=lambda path: int(path.parts[-3]))
    assert found, "PostgreSQL is missing: run scripts/install-package as `make test-services` does"
    return found[-1].parent


class Node:
    """One PostgreSQL server, primary or standby, in a folder and on a port of its own."""

    def __init__(self, folder: Path, options: tuple[str, ...] = _QUICK) -> None:
        self.folder = folder
        self.port = _free_port()
        self._options = options
        self._source = ""

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{DATABASE}"

    def initialize(self) -> None:
        """Makes the files of a new cluster."""
        self._run("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8",
                  "--locale=C.UTF-8", f"--pgdata={self.folder}", "--no-sync")  # fmt: skip
        with (self.folder / "postgresql.conf").open("a") as file:
            file.write("wal_level=replica\nmax_wal_senders=8\nwal_keep_size=256MB\n")
            file.write("hot_standby=on\nmax_connections=150\nshared_buffers=64MB\n")

    def start(self) -> None:
        settings = [
            f"port={self.port}", "listen_addresses=127.0.0.1",
            f"unix_socket_directories={self.folder}", *self._options,
        ]  # fmt: skip
        self._control("start", "--options", " ".join(f"-c {one}" for one in settings))

    def stop(self, mode: str = "immediate") -> None:
        self._control("stop", f"--mode={mode}")

    def kill(self) -> None:
        """kill -9 of all its processes at once, as a machine that loses its power."""
        postmaster = psutil.Process(int((self.folder / "postmaster.pid").read_text().split()[0]))
        everyone = [postmaster, *postmaster.children(recursive=True)]
        for process in everyone:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
        for process in everyone:
            while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                time.sleep(0.005)
        # Where nobody buries the dead, they would look as if they still kept these.
        for lock in ("postmaster.pid", f".s.PGSQL.{self.port}", f".s.PGSQL.{self.port}.lock"):
            (self.folder / lock).unlink(missing_ok=True)

    @property
    def is_running(self) -> bool:
        return (self.folder / "postmaster.pid").exists()

    def promote(self) -> None:
        """Makes a primary of a standby, and waits until it takes writes."""
        self._control("promote")

    def standby(self, folder: Path, *, name: str = "standby") -> "Node":
        """A standby of this primary, streaming, and not started yet."""
        made = Node(folder, self._options)
        source = f"host=127.0.0.1 port={self.port} user=postgres application_name={name}"
        self._run("pg_basebackup", "--checkpoint=fast", "--wal-method=stream", "--no-sync",
                  "--write-recovery-conf", f"--pgdata={folder}", f"--dbname={source}")  # fmt: skip
        return made

    def sql(self, statement: str, database: str = DATABASE) -> str:
        """What psql prints of a statement, bare."""
        return self._run(
            "psql", "--no-psqlrc", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
            f"--dbname=postgresql://postgres@127.0.0.1:{self.port}/{database}",
            f"--command={statement}",
        ).strip()  # fmt: skip

    def wait_for_standby(
        self, name: str = "standby", *, has: Literal["replay", "flush"] = "replay"
    ) -> None:
        """Waits until a standby has confirmed all that there is: replayed it, or only kept it."""
        self.sql(
            "do $$ begin while not exists (select from pg_stat_replication where application_name"
            f" = '{name}' and state = 'streaming' and {has}_lsn >= pg_current_wal_flush_lsn())"
            " loop perform pg_sleep(0.01), pg_stat_clear_snapshot(); end loop; end $$",
        )

    def stop_following(self) -> None:
        """A standby gets no more of the primary's log, as when the network between them is cut."""
        self._source = self.sql("show primary_conninfo")
        self.sql("alter system set primary_conninfo = ''")
        self.sql("select pg_reload_conf()")
        self.sql(
            "do $$ begin while exists (select from pg_stat_wal_receiver) loop"
            " perform pg_sleep(0.01), pg_stat_clear_snapshot(); end loop; end $$"
        )

    def follow_again(self) -> None:
        """After `stop_following`."""
        source = self._source.replace("'", "''")
        self.sql(f"alter system set primary_conninfo = '{source}'")
        self.sql("select pg_reload_conf()")

    def wait_for_commits_of(self, name: str = "standby", level: str = "on") -> None:
        """From now on a commit is answered when the standby has confirmed it."""
        self.sql(f"alter system set synchronous_commit = '{level}'")
        self.sql(f"alter system set synchronous_standby_names = '{name}'")
        self.sql("select pg_reload_conf()")
        self.sql(
            "do $$ begin while not exists (select from pg_stat_replication where sync_state ="
            " 'sync') loop perform pg_sleep(0.01), pg_stat_clear_snapshot(); end loop; end $$",
        )

    def _last_words(self) -> str:
        log = self.folder / "server.log"
        return log.read_text()[-2000:] if log.exists() else "it wrote no log"

    def _control(self, action: str, *options: str) -> None:
        # Where its output is a pipe, the server that it starts would keep that open.
        with (self.folder.parent / f"{self.folder.name}.log").open("a+") as log:
            self._run("pg_ctl", f"--pgdata={self.folder}", "--wait", "--timeout=60", action,
                      f"--log={self.folder}/server.log", *options, log=log.fileno())  # fmt: skip

    def _run(self, program: str, *options: str, log: int | None = None) -> str:
        command = [str(programs() / program), *options]
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(
            command, stdout=subprocess.PIPE if log is None else log, stderr=subprocess.STDOUT,
            cwd=self.folder.parent, check=False, text=True, timeout=90,
        )  # fmt: skip
        assert done.returncode == 0, f"{program} failed: {done.stdout or self._last_words()}"
        return done.stdout or ""


class Pair(NamedTuple):
    """A primary and its standby."""

    primary: Node
    standby: Node

    @property
    def url(self) -> str:
        """The URL by which a client finds whichever of them is the primary."""
        return multi_host(self.primary, self.standby)


@contextmanager
def folder_for_nodes(parent: Path) -> Iterator[Path]:
    """A folder in which PostgreSQL's own user may make folders; gone afterwards, with all that
    still runs in it."""
    folder = parent / "nodes"
    folder.mkdir()
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
        for above in (parent, *parent.parents):
            if above.stat().st_uid == 0 and not above.stat().st_mode & 0o001:
                above.chmod(above.stat().st_mode | 0o011)
    try:
        yield folder
    finally:
        for pid_file in folder.glob("*/postmaster.pid"):
            Node(pid_file.parent).kill()
        shutil.rmtree(folder, ignore_errors=True)


def copy_of(node: Node, folder: Path) -> Node:
    """Another node with the files of one that does not run."""
    subprocess.run(["cp", "-a", "--reflink=auto", node.folder, folder], check=True)
    return Node(folder)


def multi_host(*nodes: Node) -> str:
    """The URL by which a client finds whichever of them is the primary."""
    hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
    return f"postgresql://postgres@{hosts}/{DATABASE}"


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port: int = probe.getsockname()[1]
    return port
