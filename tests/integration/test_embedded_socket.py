"""The embedded server asks for no password, so no other account of the machine may reach it."""

import os
import pwd
import shutil
import socket
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bespeak.errors import DatabaseUnavailable
from bespeak.postgres.embedded import EmbeddedServer


@pytest.fixture
def socket_path(tmp_path: Path) -> Iterator[Path]:
    """The socket of a server whose data folder has too long a path for one."""
    server = EmbeddedServer(tmp_path / ("long" * 25), 32)
    try:
        host, port = (
            parse_qs(urlsplit(server.start()).query)[name][0] for name in ("host", "port")
        )
        assert len(host) < 100 and "longlong" not in host
        yield Path(host) / f".s.PGSQL.{port}"
    finally:
        server.stop()


def is_let_in(path: Path, user: str | None = None) -> bool:
    """Whether an account (None: our own) reaches the server."""
    child = os.fork()
    if child == 0:
        # Nothing of the test's may run in here, whatever happens.
        with suppress(BaseException):
            if user is not None:
                os.setgroups([])
                os.setuid(pwd.getpwnam(user).pw_uid)
            try:
                socket.socket(socket.AF_UNIX).connect(str(path))
            except PermissionError:
                os._exit(13)
            os._exit(0)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, 13), "it failed for another reason"
    return code == 0


def test_only_its_own_account_reaches_the_server(socket_path: Path) -> None:
    assert stat.S_IMODE(socket_path.stat().st_mode) == 0o700
    assert stat.S_IMODE(socket_path.parent.stat().st_mode) == 0o700
    assert is_let_in(socket_path)


def test_another_account_does_not(socket_path: Path) -> None:
    if os.geteuid() != 0:
        return  # only root can be somebody else; the modes are looked at above
    # Its path must be open to all, or this test would show nothing.
    for folder in socket_path.parent.parents:
        assert folder.stat().st_mode & stat.S_IXOTH
    assert not is_let_in(socket_path, "nobody")
    socket_path.parent.chmod(0o777)
    assert not is_let_in(socket_path, "nobody"), "the folder alone keeps them out"
    # The control: somebody else does reach what is left open, as it was before.
    socket_path.chmod(0o777)
    assert is_let_in(socket_path, "nobody")


def test_a_folder_of_somebody_else_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who owns the folder above could put a socket of theirs in the place of the server's."""
    if os.geteuid() != 0:
        return
    squatted = Path("/tmp") / f"squatted-{os.getpid()}"
    squatted.mkdir()
    shutil.chown(squatted, "nobody")
    monkeypatch.setattr("bespeak.postgres.embedded.PostgresServer.runtime_path", squatted)
    server = EmbeddedServer(tmp_path / ("long" * 25), 32)
    try:
        with pytest.raises(DatabaseUnavailable, match="another account"):
            server.start()
        assert not server.is_running()
        assert not list(squatted.rglob(".s.PGSQL*"))
    finally:
        server.stop()
        shutil.rmtree(squatted)
