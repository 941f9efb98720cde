"""Keys of accounts are sealed by a key of the installation's signing secret, each for one account,
one mode and one purpose: what is sealed for another opens nothing. It needs the extra `server`, so
it is imported where there is an account, and not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak.payments.providers.stripe import NAME
from bespeak.secret_box import SecretBox

if TYPE_CHECKING:
    from bespeak.payments.accounts.account import KeptAccount


class AccountKeys(NamedTuple):
    """The keys of an account, open."""

    secret_key: str
    webhook_secret: str

    def __repr__(self) -> str:
        return "AccountKeys()"


class AccountSeal:
    """Seals the keys of an account, and opens them again for the same account alone."""

    def __init__(self, secret: bytes) -> None:
        self._box = SecretBox(secret, b"bespeak provider account")

    def sealed(self, text: str, purpose: str, account_id: str, *, is_live: bool) -> bytes:
        """What is kept of a key or secret."""
        return self._box.seal(text.encode(), _bound_to(purpose, account_id, is_live=is_live))

    def opened(self, kept: KeptAccount) -> AccountKeys | None:
        """The keys; None where they were sealed by another secret."""
        secret_key = self._open(kept.secret_key, "secret_key", kept)
        webhook_secret = self._open(kept.webhook_secret, "webhook_secret", kept)
        if secret_key is None or webhook_secret is None:
            return None
        return AccountKeys(secret_key, webhook_secret)

    def _open(self, sealed: bytes, purpose: str, account: KeptAccount) -> str | None:
        bound = _bound_to(purpose, account.account_id, is_live=account.is_live)
        opened = self._box.open(sealed, bound)
        return None if opened is None else opened.decode()


def _bound_to(purpose: str, account_id: str, *, is_live: bool) -> bytes:
    return msgspec.json.encode([NAME, purpose, account_id, is_live])
