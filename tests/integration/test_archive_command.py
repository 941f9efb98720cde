"""`bespeak archive`, as a user has it."""

import os
import subprocess
import sys
from pathlib import Path

import bespeak
from bespeak import Resource
from tests.harness.database import Connection, feed_settled
from tests.harness.shows import seats, take


def command(url: str, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    others = {name: text for name, text in os.environ.items() if not name.startswith("BESPEAK_")}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "bespeak", "archive", *arguments],
        env={**others, **settings, "BESPEAK_DATABASE_URL": url},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


async def test_it_writes_what_goes_and_says_how_much(
    engine: bespeak.Engine,
    show: Resource,
    database_url: str,
    connection: Connection,
    tmp_path: Path,
) -> None:
    hold = await take(engine, seats(show, "A1"), idempotency_key="k-1")
    await engine.release_hold(hold.id)
    await connection.execute("update bespeak.event set at = at - interval '31 days'")
    await connection.execute("update bespeak.hold set ended_at = ended_at - interval '31 days'")
    await feed_settled(connection)
    assert "BESPEAK_ARCHIVE_DIR" in command(database_url).stderr, "it needs a folder"
    ended = command(database_url, "--to", str(tmp_path / "one"))
    assert (ended.stdout, ended.returncode) == ("holds: 1 deleted\n", 0), ended.stderr
    assert len(list((tmp_path / "one" / "holds").glob("*.jsonl.gz"))) == 1
    again = command(database_url, "--json", BESPEAK_ARCHIVE_DIR=str(tmp_path))
    assert (again.stdout, again.returncode) == ("{}\n", 0)
