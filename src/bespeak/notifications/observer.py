"""What notifications tell whoever counts: how deliveries and mails end, and how late they are."""

from __future__ import annotations


class NotificationObserver:
    """Hears what notifications do; does nothing with it unless it is told to."""

    def delivery(self, outcome: str, count: int) -> None:
        """So many deliveries were `delivered`, `retried` or `failed`."""

    def mail(self, outcome: str) -> None:
        """A mail was `sent`, `retried`, `failed` or `dropped`."""

    def lag(self, seconds: float) -> None:
        """The oldest event that was not read yet happened so long ago."""

    def disabled(self, because: str) -> None:
        """An endpoint was disabled: it is `gone`, or was `failing` for days."""
