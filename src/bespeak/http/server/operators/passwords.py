"""Passwords, kept as Argon2id. A hash takes 64 MiB and a good part of a second, so it is made on a
thread of its own, one at a time for each worker, and only so many may wait for theirs.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, TypeVarTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from bespeak.errors import InvalidRequest, Overloaded
from bespeak.http.server.operators.errors import PasswordTooEasy

PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX = 12, 200
# Who tries passwords against stolen hashes has made so many guesses before this one.
_GUESSES_MIN = 10**8
# How a password begins is judged: of 72 characters full of signs that stand for letters, the
# library takes seconds, in which nobody else's password is compared; of these, half a second.
_JUDGED_MAX = 24
_OUR_WORDS = ("bespeak", "console", "operator")
_WAITING_MAX = 10
_Value = TypeVar("_Value")
_Arguments = TypeVarTuple("_Arguments")


class Passwords:
    """Makes and compares hashes."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="passwords")
        self._waiting = 0
        self._nobodys: str | None = None

    async def hash(self, password: str, about: Sequence[str] = ()) -> str:
        """What is kept of a password; it must not be made of what is known `about` its operator.
        Raises InvalidRequest, PasswordTooEasy, Overloaded."""
        check_password(password)
        return await self._run(self._judge_and_hash, password, about)

    async def matches(self, kept: str | None, password: str) -> bool:
        """Whether it is this password. It takes as long where there is none to compare with.
        Raises Overloaded."""
        if not 1 <= len(password) <= PASSWORD_LENGTH_MAX:
            return False
        is_right = await self._run(self._verify, kept, _plain(password))
        return is_right and kept is not None

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _judge_and_hash(self, password: str, about: Sequence[str]) -> str:
        # With its lists of leaked passwords it is loaded by who sets one.
        from zxcvbn import zxcvbn  # noqa: PLC0415

        words = [part for text in (*about, *_OUR_WORDS) for part in (text, *_parts(text))]
        if zxcvbn(password[:_JUDGED_MAX], user_inputs=words)["guesses"] < _GUESSES_MIN:
            raise PasswordTooEasy(field="password")
        return self._hasher.hash(_plain(password))

    def _verify(self, kept: str | None, password: bytes) -> bool:
        if kept is None:
            if self._nobodys is None:
                self._nobodys = self._hasher.hash("the password of nobody")
            kept = self._nobodys
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[*_Arguments], _Value], *arguments: *_Arguments) -> _Value:
        if self._waiting >= _WAITING_MAX:
            raise Overloaded("too many passwords are being checked", retry_after_seconds=2)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, work, *arguments)
        finally:
            self._waiting -= 1


def check_password(password: str) -> None:
    """Raises InvalidRequest."""
    if not PASSWORD_LENGTH_MIN <= len(password) <= PASSWORD_LENGTH_MAX:
        raise InvalidRequest(
            f"a password has {PASSWORD_LENGTH_MIN} to {PASSWORD_LENGTH_MAX} characters",
            field="password",
        )
    if len(set(password)) < PASSWORD_LENGTH_MIN // 3:
        raise InvalidRequest("a password has more different characters", field="password")


def _parts(text: str) -> list[str]:
    """The words of a name or an address."""
    return [part for part in re.split(r"[^\w]+", text) if len(part) > 2]


def _plain(password: str) -> bytes:
    # The same letters may be typed as different characters on another keyboard.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
