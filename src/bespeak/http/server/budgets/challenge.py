"""Challenges: what a page solves before it may go on where a budget says so. Our own is a proof of
work: some seconds of a script's time for each hold, less than one of a person's, and nothing to
see, hear or click. Another can be installed: `Challenge` is the seam.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

import msgspec

from bespeak.errors import InvalidSetting
from bespeak.settings import Settings
from bespeak.signed_tokens import TokenInvalid, TokenSigner

PROOF_OF_WORK = "proof_of_work"
GROUP = "bespeak.challenges"
"""The entry points by which packages bring challenges of their own."""
ANSWER_LENGTH_MAX = 4096
_SECONDS = 120
_PARTS = 8
_BITS = 12
_NUMBER_DIGITS_MAX = 12
_GENERATION_SECONDS = 60
_BITS_OF_GENERATION = 26


class ChallengeView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is to be solved. Of a proof of work: for each part, from 0, a whole number such that the
    SHA-256 of `token:part:number` begins with so many zero bits; the answer is the token and the
    numbers, with full stops between the numbers: `token:12.7.300`. Of another kind, `site_key` and
    what its own documentation says."""

    kind: str
    token: str
    parts: int = 0
    bits: int = 0
    site_key: str = ""


class Challenge(Protocol):
    """A kind of challenge. `subject` is who must solve it; an answer is good once, for them."""

    def ask(self, subject: str) -> ChallengeView:
        """A new challenge."""

    async def passes(self, answer: str, subject: str) -> bool:
        """Whether this answers a challenge of this subject, for the first time. An answer that
        cannot be judged now, as its service is away, passes or not as the kind decides."""


class UsedNumbers:
    """Which random numbers were used that are good until a time. A number is two bits of eight
    megabytes for each minute: where thousands join a second nobody is told no as a list is full.
    Of numbers that nobody used, one in some ten thousand then seems used, and is asked for anew."""

    def __init__(self) -> None:
        self._generations: dict[int, bytearray] = {}

    def use(self, number: int, ends_at: int, now: float) -> bool:
        """Uses a number of 64 bits; answers whether it was not used before."""
        for ended in [one for one in self._generations if (one + 1) * _GENERATION_SECONDS <= now]:
            del self._generations[ended]
        generation = ends_at // _GENERATION_SECONDS
        bits = self._generations.get(generation)
        if bits is None:
            bits = self._generations[generation] = bytearray((1 << _BITS_OF_GENERATION) // 8)
        is_new = False
        for place in (number, number >> 32):
            index, bit = divmod(place % (1 << _BITS_OF_GENERATION), 8)
            is_new = is_new or not bits[index] >> bit & 1
            bits[index] |= 1 << bit
        return is_new


class ProofOfWork:
    """Work that takes a page less than a second, in eight equal parts so that it never takes much
    longer than usual. Nothing is kept of a challenge until it is answered."""

    def __init__(self, secret: bytes) -> None:
        key = hmac.digest(secret, b"bespeak challenge", "sha256")
        self._signer = TokenSigner(key, "sub", "jti", "exp")
        self._used = UsedNumbers()

    def ask(self, subject: str) -> ChallengeView:
        ends = int(time.time()) + _SECONDS
        token = self._signer.make(sub=subject, jti=secrets.token_hex(8), exp=ends)
        return ChallengeView(PROOF_OF_WORK, token, _PARTS, _BITS)

    async def passes(self, answer: str, subject: str) -> bool:
        """Each worker keeps the answers that it took: elsewhere one is good once more."""
        token, _, text = answer.rpartition(":")
        numbers = text.split(".")
        if len(numbers) != _PARTS or not all(map(_is_number, numbers)):
            return False
        try:
            claims = self._signer.read(token)
        except TokenInvalid:
            return False
        now = time.time()
        if claims["sub"] != subject or int(claims["exp"]) <= now:
            return False
        if not all(_is_solved(token, part, number) for part, number in enumerate(numbers)):
            return False
        return self._used.use(int(str(claims["jti"]), 16), int(claims["exp"]), now)


def open_challenge(settings: Settings, secret: bytes) -> Challenge:
    """The challenge of the setting BESPEAK_CHALLENGE. Raises InvalidSetting."""
    if settings.challenge == PROOF_OF_WORK:
        return ProofOfWork(secret)
    for point in entry_points(group=GROUP):
        if point.name == settings.challenge:
            return _made(point)
    raise InvalidSetting(
        f"BESPEAK_CHALLENGE: no installed package has a challenge {settings.challenge[:60]!r}",
        variable="BESPEAK_CHALLENGE",
    )


def _made(point: EntryPoint) -> Challenge:
    """Raises InvalidSetting."""
    try:
        made: Challenge = point.load()()
    except Exception as error:  # whatever a package of others may raise
        raise InvalidSetting(
            f"BESPEAK_CHALLENGE: {point.value} cannot be made: {type(error).__name__}: {error}",
            variable="BESPEAK_CHALLENGE",
        ) from error
    return made


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _NUMBER_DIGITS_MAX


def _is_solved(token: str, part: int, number: str) -> bool:
    digest = hashlib.sha256(f"{token}:{part}:{number}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> (32 - _BITS) == 0
