"""Holds the arguments of the public verbs to their types, so that a wrong one is an InvalidRequest
which names it, and never an error from deep inside, or a request that spoils a batch. What a value
means is checked where it is used. And ends a verb when its `timeout` is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from inspect import signature
from types import NoneType, UnionType
from typing import (
    Any,  # any: an argument may be anything, that is the point
    Literal,
    ParamSpec,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from bespeak.errors import InvalidCursor, InvalidRequest
from bespeak.timeouts import in_time

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")
_Hint: TypeAlias = Any  # any: a type as `typing` has it
_Test: TypeAlias = Callable[[object], bool]

PAGE_MAX = 1000
_WHOLE_MAX = 2**63 - 1
_UNCHECKED = ("self", "connection")


def checked(verb: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
    """The verb, which raises InvalidRequest for an argument of a wrong type. It never sees its
    `timeout`, which is seen to here."""
    names = tuple(signature(verb).parameters)
    tests: dict[str, _Test] = {}

    @wraps(verb)
    def call(*arguments: Parameters.args, **named: Parameters.kwargs) -> Answer:
        if not tests:  # at the first call: hints name what may be imported late
            hints = get_type_hints(verb)
            tests.update({name: _test(hints.get(name)) for name in names})
            tests.update(dict.fromkeys(_UNCHECKED, _any))
        if len(arguments) > 1:
            for name, value in zip(names[1:], arguments[1:], strict=False):
                if not tests[name](value):
                    raise _refusal(verb, name, value)
        for name, value in named.items():
            # A name that the verb does not have is for Python to refuse.
            if not tests.get(name, _any)(value):
                raise _refusal(verb, name, value)
        if "timeout" in named:
            ending: Any = in_time  # any: it answers what the verb answers
            answer: Answer = ending(verb, arguments, named, takes_key="idempotency_key" in names)
            return answer
        return verb(*arguments, **named)

    return call


def _refusal(verb: Callable[..., object], name: str, value: object) -> InvalidRequest:
    hint = get_type_hints(verb)[name]
    if isinstance(value, str) and _test(hint)(""):
        if name == "after":
            return InvalidCursor(field=name)
        return InvalidRequest(f"{name} has characters that no text may have", field=name)
    told = type(value).__name__
    return InvalidRequest(f"{name} is {_shown(hint)}, not this {told}", field=name)


def _test(hint: _Hint) -> _Test:
    """Tells whether a value is of a type. Made once for each argument: it is asked on the way of
    every hold."""
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    origin: object = get_origin(hint)
    parts = get_args(hint)
    if isinstance(hint, type) and origin is None:
        return lambda value: isinstance(value, hint)
    if origin in (Union, UnionType):
        tests = [_test(part) for part in parts]
        if len(tests) == 2 and parts[1] is NoneType:
            return lambda value: value is None or tests[0](value)
        return lambda value: any(test(value) for test in tests)
    if origin is Literal:
        return lambda value: isinstance(value, str) and value in parts
    if origin in (Sequence, list) and isinstance(parts[0], type):
        return partial(_is_list, parts[0], list if origin is list else Sequence)
    if origin is type:
        return lambda value: isinstance(value, type)
    return _any


def _any(_: object) -> bool:
    return True


def _is_text(value: object) -> bool:
    return type(value) is str and (value.isprintable() or _is_storable(value))


def _is_whole(value: object) -> bool:
    return type(value) is int and -_WHOLE_MAX <= value <= _WHOLE_MAX


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


_SIMPLE: dict[object, _Test] = {str: _is_text, int: _is_whole, float: _is_number}


def _is_list(item: type, kind: type, value: object) -> bool:
    if type(value) is not list and (not isinstance(value, kind) or isinstance(value, str | bytes)):
        return False
    for one in value:  # type: ignore[attr-defined]  # it is a list or a sequence by now
        if type(one) is not item and not isinstance(one, item):
            return False
    return item is not str or all(map(_is_text, value))  # type: ignore[call-overload]


def _is_storable(text: str) -> bool:
    """Whether PostgreSQL takes it: no zero byte, no half of a pair."""
    return "\x00" not in text and text.encode(errors="ignore").decode() == text


def _shown(hint: _Hint) -> str:
    if hint in (None, NoneType):
        return "None"
    origin: object = get_origin(hint)
    if origin in (Union, UnionType):
        return " or ".join(_shown(part) for part in get_args(hint))
    return str(getattr(hint, "__name__", hint)) if origin is None else str(hint)


def check_limit(limit: int) -> None:
    """Holds the length of a page to its bounds. Raises InvalidRequest."""
    if not 1 <= limit <= PAGE_MAX:
        raise InvalidRequest(f"a page has 1 to {PAGE_MAX} items", field="limit")
