"""A server whose settings cannot be: it says which one, once, and ends before it has workers."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("BESPEAK_CORS_ORIGINS", "shop.example"),
        ("BESPEAK_MAP_TILES", "https://tiles.example/{z}"),
        ("BESPEAK_RATE_LIMIT_ADDRESS", "often"),
        ("BESPEAK_TRUSTED_PROXIES", "10.0.0.0/99"),
    ],
)
def test_a_wrong_setting_is_told_once_before_there_are_workers(
    database_url: str, variable: str, text: str
) -> None:
    command = [sys.executable, "-m", "bespeak", "serve", "--database-url", database_url]
    ended = subprocess.run(
        [*command, "--port", "0"], env={**os.environ, variable: text},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 1
    told = [line for line in ended.stderr.splitlines() if variable in line]
    assert len(told) == 1, ended.stderr
    assert told[0].startswith(f"bespeak: invalid_setting: {variable}")
    assert "Traceback" not in ended.stderr
