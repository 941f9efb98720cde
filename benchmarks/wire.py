"""HTTP/1.1 as bytes: makes requests and reads the two headers that the load client needs.

Kept free of objects and dictionaries, because the client shares the cores with the server.
"""

from collections.abc import Mapping

RETRY_SECONDS_DEFAULT = 1.0


class Requests:
    """Makes the bytes of one kind of request; only key and body differ from call to call."""

    def __init__(
        self,
        method: str,
        path: str,
        *,
        bearer: str = "",
        host: str = "bench",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
        if bearer:
            head += f"Authorization: Bearer {bearer}\r\n"
        self._bare = head.encode() + b"Content-Type: application/json\r\nContent-Length: "
        self._keyed = head.encode() + b"Content-Type: application/json\r\nIdempotency-Key: "

    def make(self, body: bytes = b"", key: str | None = None) -> bytes:
        """One request, ready to write."""
        if key is None:
            return b"%b%d\r\n\r\n%b" % (self._bare, len(body), body)
        return b"%b%b\r\nContent-Length: %d\r\n\r\n%b" % (
            self._keyed, key.encode(), len(body), body,
        )  # fmt: skip


def content_length(data: bytes, head: int) -> int:
    """Length of the body. Servers here write lower-case names; others take the slow way."""
    value = _header(data, head, b"content-length: ")
    if value is None:
        if data.find(b"chunked", 0, head) >= 0:
            raise ValueError("the load client reads answers with a Content-Length only")
        return 0
    return int(value)


def retry_seconds(data: bytes, head: int) -> float:
    """What `Retry-After` asks for; the form with a date counts as a second."""
    value = _header(data, head, b"retry-after: ")
    try:
        return float(value) if value else RETRY_SECONDS_DEFAULT
    except ValueError:
        return RETRY_SECONDS_DEFAULT


def _header(data: bytes, head: int, name: bytes) -> bytes | None:
    at = data.find(name, 0, head)
    if at < 0:
        data = data[:head].lower()
        at = data.find(name)
        if at < 0:
            return None
    end = data.find(b"\r", at, head)
    return data[at + len(name) : end if end >= 0 else head]
