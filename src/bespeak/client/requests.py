"""What a verb sends, and how its answer is read: a description that both clients carry out, the one
with `await` and the one without.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Generic, TypeVar
from uuid import uuid4

import msgspec

from bespeak.admission.told import PASS_LENGTH_MAX
from bespeak.errors import InvalidRequest
from bespeak.reservations.hold_batches import WantedHold
from bespeak.reservations.request import KEY_LENGTH_MAX, OWNER_LENGTH_MAX, check_text

LINK_LENGTH_MAX = 1000
"""A link to an entry of a waitlist, as a mail has it, is shorter."""
Answer_co = TypeVar("Answer_co", covariant=True)


class MintedToken(msgspec.Struct, frozen=True):
    """What lets a browser hold for an owner, with a `pk_` key, until it expires."""

    token: str
    owner: str
    expires_at: datetime


@dataclass(frozen=True)
class ApiRequest(Generic[Answer_co]):
    """A call of the API, and what reads the body of its answer. `key` makes a repeat answer as the
    first did; a request with neither key nor `safe` is not repeated when its answer was lost.
    `hold_id` is of the hold that it is about, beyond whose end nothing is tried."""

    method: str
    path: str
    decode: Callable[[bytes], Answer_co]
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[bytes, bytes] = field(default_factory=dict)
    body: bytes | None = None
    key: str | None = None
    safe: bool = False
    hold_id: str | None = None


def read(
    path: str, answer: type[Answer_co], *, owner: str | None = None, **query: object
) -> ApiRequest[Answer_co]:
    """A request that changes nothing."""
    told = {name.rstrip("_"): str(value) for name, value in query.items() if value is not None}
    return ApiRequest("GET", path, decoder(answer), query=told, headers=_headers(owner), safe=True)


def ask(
    path: str,
    answer: type[Answer_co],
    body: object,
    *,
    owner: str | None = None,
    waiting_pass: str | None = None,
) -> ApiRequest[Answer_co]:
    """One that changes nothing either, and has more to say than fits into a path."""
    told = msgspec.json.encode(body)
    return ApiRequest(
        "POST", path, decoder(answer), body=told, headers=_headers(owner, waiting_pass), safe=True
    )


def again(
    method: str,
    path: str,
    answer: type[Answer_co],
    body: object = None,
    *,
    owner: str | None = None,
    **query: str,
) -> ApiRequest[Answer_co]:
    """One that changes something, and nothing more when it is sent again: it needs no key."""
    told = None if body is None else msgspec.json.encode(body)
    return ApiRequest(
        method, path, decoder(answer), query=query, headers=_headers(owner), body=told, safe=True
    )


def once(
    method: str,
    path: str,
    answer: type[Answer_co],
    body: object = None,
    *,
    owner: str | None = None,
) -> ApiRequest[Answer_co]:
    """One that changes something, for which the server takes no key: after an answer that was lost
    it is not sent again."""
    return replace(write(method, path, answer, body, owner=owner), key=None)


def write(
    method: str,
    path: str,
    answer: type[Answer_co],
    body: object = None,
    *,
    owner: str | None = None,
    key: str | None = None,
    hold_id: str | None = None,
    waiting_pass: str | None = None,
) -> ApiRequest[Answer_co]:
    """A request that changes something, under a key of its own if none is given. Raises
    InvalidRequest."""
    if key is not None:
        check_text(key, "idempotency_key", KEY_LENGTH_MAX)
    return ApiRequest(
        method,
        path,
        decoder(answer),
        headers=_headers(owner, waiting_pass),
        body=None if body is None else msgspec.json.encode(body),
        key=key or uuid4().hex,
        hold_id=hold_id,
    )


def decoder(answer: type[Answer_co]) -> Callable[[bytes], Answer_co]:
    """What reads a body as a struct."""
    return partial(msgspec.json.decode, type=answer)


def nothing(_: bytes) -> None:
    """What is read of an answer that has no body."""


def given(**values: object) -> dict[str, object]:
    """Those of the values that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def wanted_body(wanted: WantedHold) -> dict[str, object]:
    """One hold of a batch, as a call names it."""
    return given(
        owner=wanted.owner,
        lines=list(wanted.lines),
        hold_seconds=wanted.hold_seconds,
        partial="best" if wanted.partial else None,
        idempotency_key=wanted.idempotency_key,
    )


def part(text: str, name: str) -> str:
    """An id as a part of a path. Raises InvalidRequest for what is none."""
    if not isinstance(text, str) or not text.replace("_", "").isalnum() or not text.isascii():
        raise InvalidRequest(f"{name} is an id", field=name)
    return text


def of_resource(resource_id: str) -> str:
    """The path of a resource. Raises InvalidRequest."""
    return f"/v1/resources/{part(resource_id, 'resource_id')}"


def of_room(waiting_room_id: str) -> str:
    """The path of a waiting room. Raises InvalidRequest."""
    return f"/v1/waiting-rooms/{part(waiting_room_id, 'waiting_room_id')}"


def _headers(owner: str | None, waiting_pass: str | None = None) -> dict[bytes, bytes]:
    found = dict[bytes, bytes]()
    if owner is not None:
        check_text(owner, "owner", OWNER_LENGTH_MAX)
        found[b"bespeak-owner"] = owner.encode()
    if waiting_pass is not None:
        check_text(waiting_pass, "waiting_pass", PASS_LENGTH_MAX)
        found[b"bespeak-pass"] = waiting_pass.encode()
    return found
