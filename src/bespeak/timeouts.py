"""Ends a verb whose `timeout` is over. What was asked is then still on its way and may have its
effect, so the error carries the key by which a repeat is told what came of it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import wraps
from inspect import signature
from math import isfinite
from typing import (
    Any,  # any: the arguments of any verb
    ParamSpec,
    TypeVar,
)

from bespeak.errors import DatabaseUnavailable, InvalidRequest

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


def timed(verb: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
    """The verb, which never sees its `timeout`: that is seen to here. `checked` does so as well."""
    takes_key = "idempotency_key" in signature(verb).parameters

    @wraps(verb)
    def call(*arguments: Parameters.args, **named: Parameters.kwargs) -> Answer:
        if "timeout" not in named:
            return verb(*arguments, **named)
        ending: Any = in_time  # any: it answers what the verb answers
        answer: Answer = ending(verb, arguments, named, takes_key=takes_key)
        return answer

    return call


async def in_time(
    verb: Callable[..., Awaitable[Answer]],
    arguments: Sequence[Any],  # any: see above
    named: Mapping[str, Any],  # any: see above
    *,
    takes_key: bool,
) -> Answer:
    """What the verb answers within `named["timeout"]` seconds. One that takes an idempotency key is
    given one, if it has none. Raises DatabaseUnavailable when the time is over, InvalidRequest for
    what is no time."""
    named = dict(named)
    seconds: float | None = named.pop("timeout")
    if seconds is None:
        return await verb(*arguments, **named)
    if type(seconds) not in (int, float) or not (isfinite(seconds) and seconds > 0):
        raise InvalidRequest("timeout is a number of seconds above 0", field="timeout")
    if takes_key and named.get("idempotency_key") is None:
        named["idempotency_key"] = f"once:{secrets.token_hex(8)}"
    try:
        async with asyncio.timeout(seconds) as limit:
            return await verb(*arguments, **named)
    except TimeoutError as error:
        if not limit.expired():
            raise
        late = DatabaseUnavailable(f"there was no answer within {seconds:g} seconds")
        late.idempotency_key = named.get("idempotency_key")
        raise late from error
