"""Solving a proof of work, as a page does."""

import hashlib
from itertools import count
from typing import cast

Json = dict[str, object]


def solved(problem: Json) -> str:
    """The answer to the challenge of a problem document."""
    challenge = cast("Json", problem["challenge"])
    token, bits = str(challenge["token"]), int(str(challenge["bits"]))
    numbers = [_number(f"{token}:{part}:", bits) for part in range(int(str(challenge["parts"])))]
    return f"{token}:{'.'.join(map(str, numbers))}"


def _number(begin: str, bits: int) -> int:
    for number in count():
        digest = hashlib.sha256(f"{begin}{number}".encode()).digest()
        if int.from_bytes(digest, "big") >> (256 - bits) == 0:
            return number
    raise AssertionError
