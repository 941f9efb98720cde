"""The headers that every answer has, whatever answers: what a browser that opens it by itself may
do with it, and who may keep it. What an answer says of these itself goes before.
"""

from __future__ import annotations

from bespeak.http.server.asgi import Headers

# For data: a browser that shows it runs nothing of it, loads nothing, and puts it in no frame.
INERT_POLICY = (
    b"default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    b"frame-ancestors 'none'"
)
_ALWAYS: Headers = (
    (b"content-security-policy", INERT_POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)
_HSTS = b"max-age=31536000"  # a year


class AnswerHeaders:
    """The headers of a server. That all hosts below its own speak https too (`hsts_subdomains`) is
    not known here: it is for who has the domain to say."""

    def __init__(self, *, hsts_subdomains: bool) -> None:
        hsts = _HSTS + b"; includeSubDomains" * hsts_subdomains
        self._https: Headers = (*_ALWAYS, (b"strict-transport-security", hsts))

    def missing(self, own: Headers, *, is_https: bool) -> Headers:
        """What is added to an answer that has these headers of its own."""
        always = self._https if is_https else _ALWAYS
        if not own:
            return always
        named = {name for name, _ in own}
        return [header for header in always if header[0] not in named]
