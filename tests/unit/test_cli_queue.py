"""`bespeak queue verify`: anybody computes a draw again."""

from __future__ import annotations

import msgspec
import pytest

from bespeak.admission.place_keys import draw_of, seed_hash, show_key
from bespeak.admission.queue_tokens import QueueToken, QueueTokens
from bespeak.cli.queue import verify
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
