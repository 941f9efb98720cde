"""What retention tells whoever counts: how much of what was deleted."""

from __future__ import annotations


class RetentionObserver:
    """Hears what is deleted; does nothing with it unless it is told to."""

    def gone(self, what: str, count: int) -> None:
        """So many rows were deleted: `holds`, `keys`, `answers`, `erased_keys`, `mails` or
        `events`."""
