"""`bespeak queue verify` and `check`: anybody computes the draws again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from bespeak.admission.place_keys import draw_of, seed_hash, show_key
from bespeak.admission.queue_tokens import QueueToken, QueueTokens
from bespeak.cli.queue import check, verify
from bespeak.errors import InvalidRequest

SEED, ROOM, VALUE = bytes(range(32)), "wrm_0123456789ab", "event 5 before 2026-12-01T08:00:00Z"
TOKENS = QueueTokens(b"nobody needs to know")
SUBJECT = TOKENS.subject_of(ROOM, "ada")
TOKEN = TOKENS.make(ROOM, QueueToken(0, 1_800_000_000_000_000, SUBJECT))


def run(told_hash: str, seed: str = SEED.hex()) -> int:
    return verify(
        seed=seed, seed_hash=told_hash, public_value=VALUE, room=ROOM, token=TOKEN, as_json=True
    )


def test_the_draw_follows_from_what_was_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(seed_hash(SEED).upper()) == 0
    told = msgspec.json.decode(capsys.readouterr().out)
    assert told["place_key"] == show_key(draw_of(SEED, VALUE, ROOM, SUBJECT))
    assert told["is_promised_seed"] is True
    assert 0 <= told["before_share"] < 1


def test_another_seed_than_the_promised_one_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(seed_hash(b"another")) == 1
    assert msgspec.json.decode(capsys.readouterr().out)["is_promised_seed"] is False


def test_what_is_no_seed_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        run(seed_hash(SEED), "no seed")


ROOM_LINE = {
    "line": "room",
    "id": ROOM,
    "name": "Premiere",
    "state": "open",
    "early_order": "shuffle",
    "early_opens_at": "2026-12-01T07:00:00Z",
    "opens_at": "2026-12-01T08:00:00Z",
    "opened_at": "2026-12-01T08:00:00Z",
    "seed_hash": seed_hash(SEED),
    "seed": SEED.hex(),
    "public_value": VALUE,
    "as_of": "2026-12-01T09:00:00Z",
}
FRONT_LINE = {"line": "front", "queue": "general", "at": "2026-12-01T08:00:03Z", "front": "7" * 16}
PASS_LINE = {
    "line": "pass",
    "queue": "general",
    "subject": SUBJECT.hex(),
    "place_key": show_key(draw_of(SEED, VALUE, ROOM, SUBJECT)),
    "given_at": "2026-12-01T08:00:05Z",
    "expires_at": "2026-12-01T08:10:05Z",
    "ended_at": None,
    "ended_as": None,
}


def written(folder: Path, *lines: Mapping[str, object]) -> str:
    file = folder / "audit.jsonl"
    file.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return str(file)


def test_an_audit_is_checked_from_its_file_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(written(tmp_path, ROOM_LINE, FRONT_LINE, PASS_LINE), as_json=True) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    assert (found["passes"], found["drawn"], found["wrong_draws"]) == (1, 1, 0)


def test_an_audit_that_does_not_agree_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    early = PASS_LINE | {"given_at": "2026-12-01T08:00:01Z"}
    assert check(written(tmp_path, ROOM_LINE, FRONT_LINE, early)) == 1
    assert "1 were let in before their turn" in capsys.readouterr().out


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest):
        check(str(tmp_path / "none.jsonl"))
