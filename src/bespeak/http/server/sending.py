"""What is sent of an answer: its head, with the id of the request, and its body."""

from __future__ import annotations

import re
import secrets

from bespeak.http.server.answers import Answer, StreamAnswer
from bespeak.http.server.asgi import AsgiScope, Send

_REQUEST_ID = re.compile(rb"[0-9A-Za-z._-]{1,64}")
_BODILESS = (204, 304)


class RequestIds:
    """The ids of a process's requests: those that clients send, or ones of our own."""

    def __init__(self) -> None:
        self._prefix = secrets.token_hex(6)
        self._count = 0

    def of(self, scope: AsgiScope) -> str:
        """The id of a request."""
        for name, value in scope["headers"]:
            if name == b"x-request-id" and _REQUEST_ID.fullmatch(value):
                return value.decode("ascii")
        self._count += 1
        return f"{self._prefix}{self._count:x}"


def head_of(answer: Answer, request_id: str) -> dict[str, object]:
    """The first message of an answer."""
    headers = [(b"x-request-id", request_id.encode()), *answer.headers]
    if answer.status not in _BODILESS:  # whose headers would speak of the body that is not sent
        headers.append((b"content-type", answer.content_type))
        if not isinstance(answer, StreamAnswer):
            headers.append((b"content-length", str(len(answer.body)).encode()))
    return {"type": "http.response.start", "status": answer.status, "headers": headers}


async def send_answer(send: Send, answer: Answer, request_id: str, *, is_head: bool) -> None:
    """Sends an answer whole."""
    await send(head_of(answer, request_id))
    await send({"type": "http.response.body", "body": b"" if is_head else answer.body})
