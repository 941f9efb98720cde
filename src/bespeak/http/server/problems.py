"""Errors as problem documents (RFC 9457): a stable code, whether a retry may help, the request's id
and the data that a client needs. One function for every error there is.
"""

from __future__ import annotations

import msgspec

from bespeak.errors import BespeakError
from bespeak.http.server.answers import JsonAnswer

_CONTENT_TYPE = b"application/problem+json"
_AUTHENTICATE = ((b"www-authenticate", b'Bearer realm="bespeak"'),)
_UNAUTHORIZED = 401
_TOO_SLOW = 408
_WAITING = (429, 503)
_RETRY_SECONDS = 5  # where nothing better is known


class Problem(msgspec.Struct, kw_only=True):
    """A problem document. Beside these fields it has the data of its `code`: `conflicts` (what is
    in the way), `alternatives`, `retry_after_seconds`. One whose code a client does not know is
    taken by its `status`."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    retryable: bool
    request_id: str


def problem_document(error: BespeakError, request_id: str) -> dict[str, object]:
    """What is said of an error, where it is the answer or a part of one."""
    document: dict[str, object] = {
        "type": f"/docs#{error.code}",
        "title": error.title,
        "status": error.status,
        "code": error.code,
        "detail": error.detail,
        "retryable": error.retryable,
        "request_id": request_id,
        **{name: value for name, value in error.data.items() if value is not None},
    }
    if error.status in _WAITING:
        document.setdefault("retry_after_seconds", _RETRY_SECONDS)
    return document


def problem_answer(error: BespeakError, request_id: str) -> JsonAnswer[object]:
    document = problem_document(error, request_id)
    headers: list[tuple[bytes, bytes]] = []
    if error.status in _WAITING:
        headers.append((b"retry-after", str(document["retry_after_seconds"]).encode()))
    if error.status == _UNAUTHORIZED:
        headers.extend(_AUTHENTICATE)
    if error.status == _TOO_SLOW:
        # What still comes of the request must not be taken for the next one.
        headers.append((b"connection", b"close"))
    methods = error.data.get("methods")
    if isinstance(methods, list):
        headers.append((b"allow", ", ".join(methods).encode()))
    return JsonAnswer(error.status, document, headers=headers, content_type=_CONTENT_TYPE)
