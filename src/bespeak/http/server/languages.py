"""In which language a call is answered, where its answer has words that people read: that of `lang`
in the query, else the one that Accept-Language prefers. Only the most preferred counts: the texts
themselves are in a language too, which nobody has to name, and a second choice would hide them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, TypeAlias

from msgspec import Meta

from bespeak.http.server.asgi import Headers
from bespeak.http.server.call import Caller
from bespeak.http.server.scopes import KeyScope

_TAG = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*", re.ASCII)
_TAG_LENGTH_MAX = 35
_HEADER_LENGTH_MAX = 1000

LanguageTag: TypeAlias = Annotated[
    str,
    Meta(
        max_length=_TAG_LENGTH_MAX,
        pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\Z",
        extra_json_schema={
            "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
            "examples": ["de-AT"],
        },
        description="The language of the answer's words, as a BCP 47 tag; without it, the one that "
        "Accept-Language prefers.",
    ),
]
VARIES: Headers = ((b"vary", b"accept-language"),)


def language_of(headers: Mapping[bytes, str], lang: str | None) -> str | None:
    """The language of the answer to a call; None where nobody says."""
    return preferred(headers.get(b"accept-language", "")) if lang is None else lang


def answered_in(caller: Caller, headers: Mapping[bytes, str], lang: str | None) -> str | None:
    """The language of an answer that has texts of merchants. Who manages them is answered the
    whole, with all languages, unless `lang` names one: a browser sends Accept-Language by
    itself."""
    if lang is None and KeyScope.MANAGE in caller.scopes:
        return None
    return language_of(headers, lang)


def language_headers(language: str | None, *, is_translated: bool) -> Headers:
    """What caches need to know of an answer in a language. Which one the texts are in that nobody
    translated, is not known."""
    if language is None or not is_translated:
        return VARIES
    return (*VARIES, (b"content-language", language.encode()))


def preferred(header: str) -> str | None:
    """The language that an Accept-Language header (RFC 9110) prefers: the first of those with the
    highest weight. What is no tag is passed over."""
    best, best_weight = None, 0.0
    for part in header[:_HEADER_LENGTH_MAX].split(","):
        named, *parameters = part.split(";")
        tag, weight = named.strip(), _weight(parameters)
        if weight > best_weight and len(tag) <= _TAG_LENGTH_MAX and _TAG.fullmatch(tag):
            best, best_weight = tag, weight
    return best


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0
