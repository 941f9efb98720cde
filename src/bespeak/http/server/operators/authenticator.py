"""The authenticator app (TOTP) and the recovery codes. Its secret is encrypted where it is kept; a
code is good once; and of wrong ones only so many are looked at, whichever process they come to.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, NamedTuple

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from bespeak import ids
from bespeak.http.server.errors import RateLimited
from bespeak.postgres.queries import load
from bespeak.secret_box import SecretBox

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.http.server.operators", "authenticator.sql")
_ISSUER = "Bespeak"
_SECRET_BYTES = 20
_DIGITS = 6
_STEP_SECONDS = 30
# How many steps the clock of a telephone may be wrong.
_STEPS_AROUND = 1
_WRONG_MAX = 10
_WRONG_MINUTES = 15
_RECOVERY_CODES = 10
_RECOVERY_DIGITS = 16


class NewAuthenticator(NamedTuple):
    """A secret that waits for its first code: as text to type, and as what the QR code says."""

    secret: str
    uri: str


class Authenticators:
    """The apps of operators."""

    def __init__(self, secret: bytes) -> None:
        self._box = SecretBox(secret, b"bespeak operator totp")

    async def begin(self, connection: Connection, operator_id: str, login: str) -> NewAuthenticator:
        """A new secret; it counts from its first code on, and what was there before until then."""
        secret = secrets.token_bytes(_SECRET_BYTES)
        sealed = self._box.seal(secret, operator_id.encode())
        await connection.execute(_QUERIES["begin"], operator_id, sealed)
        uri = _totp(secret).get_provisioning_uri(login, _ISSUER)
        return NewAuthenticator(base64.b32encode(secret).decode(), uri)

    async def finish(self, connection: Connection, operator_id: str, code: str) -> list[str] | None:
        """Takes the secret that waits, if the code is its; answers new recovery codes, which are
        kept nowhere. None: the code is wrong. In a transaction of the caller's. Raises
        RateLimited."""
        if not await connection.fetchval(_QUERIES["is_pending"], operator_id):
            return None
        row = await self._try(connection, operator_id)
        pending = self._opened(operator_id, row["totp_pending"])
        step = None if pending is None else _step_of(pending, code, row["now_seconds"])
        if step is None:
            return None
        await connection.execute(_QUERIES["finish"], operator_id, step)
        codes = [_recovery_code() for _ in range(_RECOVERY_CODES)]
        hashes = [_hash(one) for one in codes]
        await connection.execute(_QUERIES["forget_codes"], operator_id)
        await connection.execute(_QUERIES["add_codes"], operator_id, hashes)
        return codes

    async def remove(self, connection: Connection, operator_id: str) -> None:
        """Takes the app and the recovery codes away."""
        await connection.execute(_QUERIES["remove"], operator_id)
        await connection.execute(_QUERIES["forget_codes"], operator_id)

    async def take(self, connection: Connection, operator_id: str, code: str) -> bool:
        """Whether it is the app's code of now, or a recovery code, and was not used before; it is
        used then. What it counts must be committed, whatever it says. Raises RateLimited."""
        row = await self._try(connection, operator_id)
        typed = "".join(code.split()).lower()
        if len(typed) != _DIGITS:
            used = await connection.fetchval(_QUERIES["use_code"], operator_id, _hash(typed))
            if used is not None:
                await connection.execute(_QUERIES["was_right"], operator_id)
            return used is not None
        secret = self._opened(operator_id, row["totp_secret"])
        step = None if secret is None else _step_of(secret, typed, row["now_seconds"])
        if step is None:
            return False
        return await connection.fetchval(_QUERIES["use_step"], operator_id, step) is not None

    async def _try(self, connection: Connection, operator_id: str) -> dict[str, object]:
        """Counts a code before it is looked at, so that a hundred at once are no more than a
        hundred one by one. Raises RateLimited."""
        row = await connection.fetchrow(_QUERIES["try"], operator_id, _WRONG_MAX, _WRONG_MINUTES)
        if row is None:
            raise RateLimited(
                "too many wrong codes",
                retry_after_seconds=_WRONG_MINUTES * 60,
                limit=f"{_WRONG_MAX} per {_WRONG_MINUTES} minutes",
            )
        return dict(row)

    def _opened(self, operator_id: str, sealed: object) -> bytes | None:
        """None where there is none, or where it was sealed with another installation's secret."""
        if not isinstance(sealed, bytes):
            return None
        return self._box.open(sealed, operator_id.encode())


def _totp(secret: bytes) -> TOTP:
    # The algorithm that every app knows; HMAC does not lean on what SHA-1 has lost.
    return TOTP(secret, _DIGITS, SHA1(), _STEP_SECONDS)  # noqa: S303


def _step_of(secret: bytes, code: str, now: object) -> int | None:
    """Of which step a code is; None where it is of none near now."""
    if not isinstance(now, int | float):
        raise TypeError("the database tells the time in seconds")
    totp, current = _totp(secret), int(now) // _STEP_SECONDS
    found = None
    for step in range(current - _STEPS_AROUND, current + _STEPS_AROUND + 1):
        if hmac.compare_digest(totp.generate(step * _STEP_SECONDS), code.encode()):
            found = step
    return found


def _recovery_code() -> str:
    digits = ids.random_digits(_RECOVERY_DIGITS)
    return "-".join(digits[at : at + 4] for at in range(0, _RECOVERY_DIGITS, 4))


def _hash(code: str) -> bytes:
    # A recovery code has 80 random bits, so a plain fast hash keeps it.
    return hashlib.sha256(code.replace("-", "").encode()).digest()
