"""A PostgreSQL server of Debian's packages, for contestants that need its extensions: PostGIS. Its
data stand in a temporary directory; it is stopped and deleted at the end.
"""

import asyncio
import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg

from benchmarks.services import (
    ROOT,
    START_SECONDS_MAX,
    ServiceError,
    free_port,
    process,
)

# It only answers: what it may cache decides, and not how it writes.
_SETTINGS = (
    "shared_buffers=1GB",
    "effective_cache_size=6GB",
    "random_page_cost=1.1",
    "jit=off",
    "log_min_messages=fatal",
)


@contextlib.asynccontextmanager
async def postgis_server() -> AsyncIterator[str]:
    """The address of a database that has PostGIS, installed first from the system's packages where
    that is allowed."""
    bin_folder = _installed()
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    home = Path(tempfile.mkdtemp(prefix="bespeak-bench-"))
    try:
        if as_user:
            shutil.chown(home, "postgres")
        data, port = home / "data", free_port()
        subprocess.run(  # noqa: ASYNC221 - before anything is measured
            [*as_user, bin_folder / "initdb", "-D", data, "-U", "postgres", "-A", "trust"],
            check=True,
            cwd=home,
            stdout=subprocess.DEVNULL,
        )
        settings = (
            f"port={port}",
            "listen_addresses=127.0.0.1",
            f"unix_socket_directories={home}",
            *_SETTINGS,
        )
        options = [part for setting in settings for part in ("-c", setting)]
        command = [*as_user, str(bin_folder / "postgres"), "-D", str(data), *options]
        async with process(command, output=subprocess.DEVNULL) as child:
            url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
            await _with_postgis(url, child)
            yield url
    finally:
        shutil.rmtree(home, ignore_errors=True)


async def _with_postgis(url: str, child: "subprocess.Popen[bytes]") -> None:
    deadline = time.perf_counter() + START_SECONDS_MAX
    while time.perf_counter() < deadline:
        if child.poll() is not None:
            raise ServiceError(f"PostgreSQL ended with status {child.returncode}")
        with contextlib.suppress(OSError, asyncpg.PostgresError):
            connection = await asyncpg.connect(url)
            try:
                await connection.execute("create extension postgis")
            finally:
                await connection.close()
            return
        await asyncio.sleep(0.1)
    raise ServiceError("PostgreSQL with PostGIS does not answer")


def _installed() -> Path:
    """The folder of the programs of the newest server that has PostGIS."""
    versions = Path("/usr/share/postgresql")
    found = sorted(versions.glob("*/extension/postgis.control"))
    if not found:
        there = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        version = there[-1].parts[-3] if there else "15"
        package = f"postgresql-{version}-postgis-3"
        script = ROOT / "scripts" / "install-package"
        subprocess.run(
            [script, package, str(versions / "*" / "extension" / "postgis.control")], check=False
        )
        found = sorted(versions.glob("*/extension/postgis.control"))
    if not found:
        raise ServiceError("PostGIS is not installed, and its comparator needs it")
    return Path("/usr/lib/postgresql") / found[-1].parts[-3] / "bin"
