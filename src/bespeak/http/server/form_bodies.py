"""The forms of pages that work without scripts: their fields, as a browser sends them."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from bespeak.errors import InvalidRequest

FORM_TYPE = "application/x-www-form-urlencoded"
_FIELDS_MAX = 10


def form_fields(headers: Mapping[bytes, str], body: bytes, needed: str) -> dict[str, str]:
    """The fields of a form that was sent, of which one is `needed`. Raises InvalidRequest for what
    is no form."""
    media_type = headers.get(b"content-type", FORM_TYPE).partition(";")[0].strip().lower()
    if media_type != FORM_TYPE:
        raise InvalidRequest(f"the form is sent as {FORM_TYPE}", field=needed)
    try:
        return dict(parse_qsl(body.decode(), max_num_fields=_FIELDS_MAX))
    except ValueError as error:  # UnicodeDecodeError is one too
        raise InvalidRequest("this is no form", field=needed) from error
