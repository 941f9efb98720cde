"""What a mail has of the shop that it comes from: the letterhead, what the merchant writes in mails
of its kind, and a link to a page of the shop. It is looked up when the mail leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bespeak import locales
from bespeak.inventory.workspaces import DEFAULT
from bespeak.merchants.letterheads import EMPTY, Letterhead, Letterheads
from bespeak.notifications.mail.texts import OURS, AnyMailKind, MailText, MailTexts


class ShopsPart(NamedTuple):
    """What a mail has of its shop. `text` is in the language of the mail."""

    letterhead: Letterhead = EMPTY
    text: MailText = OURS
    link: str | None = None


class ShopsParts:
    """What shops say, as a process knows it: seconds old at most. Without letterheads and texts
    all is ours."""

    def __init__(
        self, letterheads: Letterheads | None = None, texts: MailTexts | None = None
    ) -> None:
        self._letterheads = letterheads
        self._texts = texts

    async def of(
        self,
        workspace: str | None,
        kind: AnyMailKind,
        locale: str | None,
        link: Callable[[], str] | None = None,
    ) -> ShopsPart:
        """What a mail to who reads this language has of a workspace (None: the default one).
        `link` is None where nobody has such pages. Raises DatabaseUnavailable."""
        letterhead, text = EMPTY, OURS
        if self._letterheads is not None:
            letterhead = await self._letterheads.of(workspace)
        if self._texts is not None:
            texts = await self._texts.of(workspace)
            text = texts.get((kind, locales.language_for(locale)), OURS)
        if link is None or not has_pages(workspace):
            return ShopsPart(letterhead, text)
        return ShopsPart(letterhead, text, link())


def has_pages(workspace: str | None) -> bool:
    """Whether the shop's pages are of this workspace (None: the default one, whose they are)."""
    return (workspace or DEFAULT) == DEFAULT
