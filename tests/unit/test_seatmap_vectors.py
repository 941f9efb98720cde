"""The seat map of the web is tested against what the engine makes of the same plans; this says when
the file between the two is out of date.
"""

from pathlib import Path

from tests.harness.seat_vectors import vectors

FILE = Path(__file__).resolve().parents[2] / "web/src/seatmap/vectors.json"


def test_the_vectors_are_current() -> None:
    assert FILE.read_text() == vectors(), "run scripts/seatmap-vectors"
