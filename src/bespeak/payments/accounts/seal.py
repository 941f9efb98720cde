"""Keys of accounts are sealed by a key of the installation's signing secret, each for one account,
one mode and one purpose: what is sealed for another opens nothing. It needs the extra `server`, so
it is imported where there is an account, and not before.
"""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from bespeak.payments.providers.stripe import NAME

if TYPE_CHECKING:
    from bespeak.payments.accounts.account import KeptAccount

_NONCE_BYTES = 12


class AccountKeys(NamedTuple):
    """The keys of an account, open."""

    secret_key: str
    webhook_secret: str

    def __repr__(self) -> str:
        return "AccountKeys()"


class AccountSeal:
    """Seals the keys of an account, and opens them again for the same account alone."""

    def __init__(self, secret: bytes) -> None:
        self._cipher = AESGCM(hmac.digest(secret, b"bespeak provider account", "sha256"))

    def sealed(self, text: str, purpose: str, account_id: str, *, is_live: bool) -> bytes:
        """What is kept of a key or secret."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        bound = _bound_to(purpose, account_id, is_live=is_live)
        return nonce + self._cipher.encrypt(nonce, text.encode(), bound)

    def opened(self, kept: KeptAccount) -> AccountKeys | None:
        """The keys; None where they were sealed by another secret."""
        try:
            return AccountKeys(
                self._open(kept.secret_key, "secret_key", kept),
                self._open(kept.webhook_secret, "webhook_secret", kept),
            )
        except (InvalidTag, ValueError):
            return None

    def _open(self, kept: bytes, purpose: str, account: KeptAccount) -> str:
        nonce, content = kept[:_NONCE_BYTES], kept[_NONCE_BYTES:]
        bound = _bound_to(purpose, account.account_id, is_live=account.is_live)
        return self._cipher.decrypt(nonce, content, bound).decode()


def _bound_to(purpose: str, account_id: str, *, is_live: bool) -> bytes:
    return msgspec.json.encode([NAME, purpose, account_id, is_live])
