"""Encrypts what others gave us in confidence, before it is kept: keys of accounts, a password, the
secret of an authenticator app. Its key comes from the signing secret of the installation, one for
each purpose. It needs the extra `server`.
"""

from __future__ import annotations

import hmac
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE_BYTES = 12


class SecretBox:
    """Seals contents by AES-GCM, each bound to what it belongs to, and opens them for that alone:
    what is copied to another row opens nothing there. `purpose` never changes, or what was sealed
    is lost."""

    def __init__(self, secret: bytes, purpose: bytes) -> None:
        self._cipher = AESGCM(hmac.digest(secret, purpose, "sha256"))

    def seal(self, content: bytes, bound_to: bytes) -> bytes:
        """The sealed content, each time another."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, content, bound_to)

    def open(self, sealed: bytes, bound_to: bytes) -> bytes | None:
        """The content; None where it was sealed by another secret, for another purpose, or bound to
        something else."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], bound_to)
        except (InvalidTag, ValueError):
            return None
