"""Sessions of the pool are not reset when they come back: nothing that we say to the database
outlives its transaction, but where a connection is somebody's own.
"""

import re

import pytest

from tests.style.tree import ROOT

# What stays with a session: a setting that is not of the transaction, a lock, a channel, a table.
STAYS = re.compile(
    r"""\bpg_(?:try_)?advisory_lock(?:_shared)?\s*\(
    |\bset_config\((?:[^()]|\([^()]*\))*,\s*false\s*\)
    |\badd_(?:listener|log_listener)\(
    |\bexecute\(\s*f?"(?:set\s+(?!local\b|constraints\b)|listen\b)
    |^--\sname:\s\w+\n(?:--.*\n)*(?:set\s+(?!local\b|constraints\b)|listen\b)
    |\bcreate\s+(?:temp|temporary)\b|\bwith\s+hold\b""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
OWN = {
    # The life that a session is in, which ends with its server.
    "src/bespeak/postgres/sql/feed/epochs.sql": 1,
    # Connections of their own.
    "src/bespeak/cli/supervision/leader.sql": 1,
    "src/bespeak/relay/relay.sql": 2,
    "src/bespeak/feed/feed.sql": 1,
    "src/bespeak/feed/live.sql": 1,
    "src/bespeak/feed/follower.py": 1,
}


def test_nothing_stays_with_a_session_of_the_pool() -> None:
    found = {}
    for path in sorted((ROOT / "src/bespeak").rglob("*")):
        if path.suffix not in (".py", ".sql") or path.name == "schema.sql":
            continue
        count = len(STAYS.findall(path.read_text()))
        if count:
            found[path.relative_to(ROOT).as_posix()] = count
    assert found == OWN


@pytest.mark.parametrize(
    "text",
    [
        "select pg_advisory_lock(7)",
        "perform set_config('bespeak.epoch', v_last.epoch::text, false);",
        'await connection.execute("set search_path = x")',
        "-- name: quiet\n-- Why.\nset synchronous_commit = off",
        "create temp table t (a int)",
        "await connection.add_listener(_CHANNEL, wake)",
    ],
)
def test_it_sees_what_stays(text: str) -> None:
    assert STAYS.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "select pg_advisory_xact_lock(7)",
        "perform set_config('bespeak.epoch', v_last.epoch::text, true);",
        'await connection.execute("set local search_path = x")',
        "update bespeak.hold\nset state = 'held', version = 1\nwhere hold_id = $1",
    ],
)
def test_it_lets_pass_what_ends(text: str) -> None:
    assert not STAYS.search(text)
