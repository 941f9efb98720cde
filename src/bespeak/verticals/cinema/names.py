"""References and ids: what a thing is called elsewhere, and the id that is made from that."""

from __future__ import annotations

import hashlib
import re
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.errors import InvalidId
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA

CITY = "cty"
CINEMA = "cin"
SCREEN = "scr"
FILM = "flm"

_DIGITS = 12
_ID = re.compile(rf"(?:{CITY}|{CINEMA}|{SCREEN}|{FILM})_[{ids.ALPHABET}]{{{_DIGITS}}}")

REF_LENGTH_MAX = 300

Ref = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=REF_LENGTH_MAX,
        pattern=NAME_PATTERN,
        extra_json_schema=NAME_SCHEMA,
    ),
]


def id_pattern(prefix: str) -> str:
    return f"^{prefix}_[0-9a-hjkmnp-tv-z]{{{_DIGITS}}}$"


def id_of(prefix: str, ref: str) -> str:
    """The id of the thing that is called so: always the same, so that nothing is made twice."""
    number = int.from_bytes(hashlib.blake2b(ref.encode(), digest_size=8).digest(), "big") >> 4
    digits = "".join(ids.ALPHABET[number >> shift & 31] for shift in range(55, -1, -5))
    return f"{prefix}_{digits}"


def named_id(prefix: str, name: str) -> str:
    """The id that a reference or an id names."""
    return name if _ID.fullmatch(name) and name.startswith(prefix) else id_of(prefix, name)


def check_id(prefix: str, text: str) -> str:
    """The id, if it is one of this kind. Raises InvalidId."""
    if not (text.startswith(f"{prefix}_") and _ID.fullmatch(text)):
        raise InvalidId(f"not an id that begins with {prefix}_: {text[:60]!r}", kind=prefix)
    return text


def ref_of(*names: str) -> str:
    """The reference of a thing that was given none: its names, from the outermost to its own."""
    return "/".join(" ".join(name.casefold().split()) for name in names)[:REF_LENGTH_MAX]


def fingerprint(said: msgspec.Struct) -> bytes:
    """Stands for all that was said of a thing: where there are no translations, as it did before
    there could be any."""
    fields = msgspec.to_builtins(said)
    if not fields.get("translations"):
        fields.pop("translations", None)
    return hashlib.sha256(msgspec.json.encode(fields)).digest()
