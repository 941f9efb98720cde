"""The ages of children, as a question has them: numbers with commas."""

from __future__ import annotations

from bespeak.errors import InvalidRequest
from bespeak.lines import ADULT_AGE


def read_ages(text: str, guests: int) -> tuple[int, ...]:
    """The ages of the children among so many guests, the oldest first. Raises InvalidRequest."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if any(not part.isascii() or not part.isdigit() or int(part) >= ADULT_AGE for part in parts):
        raise InvalidRequest(f"ages are from 0 to {ADULT_AGE - 1}, with commas", field="ages")
    if len(parts) > guests:
        raise InvalidRequest("there are more `ages` than `guests`", field="ages")
    return tuple(sorted(map(int, parts), reverse=True))
