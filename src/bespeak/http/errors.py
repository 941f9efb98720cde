"""The errors that only the HTTP API has: about bodies, paths, keys and rates. They are branches of
the one tree in bespeak.errors and reach the client the same way, as problem documents.
"""

from __future__ import annotations

from bespeak.errors import InvalidRequest, NotPermitted, Refused, Unavailable


class InvalidJson(InvalidRequest):
    """The body is not JSON."""

    code = "invalid_json"
    status = 400
    title = "The body is not valid JSON"


class UnsupportedMediaType(InvalidRequest):
    """The body is declared to be something other than JSON."""

    code = "unsupported_media_type"
    status = 415
    title = "Bodies are application/json"


class BodyTooLarge(InvalidRequest):
    """The body is larger than the server takes; `limit_bytes` says how much."""

    code = "body_too_large"
    status = 413
    title = "The body is too large"


class PathNotFound(InvalidRequest):
    """No endpoint has this path."""

    code = "path_not_found"
    status = 404
    title = "There is nothing at this path"


class MethodNotAllowed(InvalidRequest):
    """The path exists, the method does not."""

    code = "method_not_allowed"
    status = 405
    title = "This path does not have this method"


class KeyMissing(NotPermitted):
    """The request has no API key."""

    code = "key_missing"
    status = 401
    title = "An API key is needed: Authorization: Bearer sk_..."


class KeyUnknown(NotPermitted):
    """The API key is not one of this installation, or was revoked."""

    code = "key_unknown"
    status = 401
    title = "This API key is not known"


class KeyKindWrong(NotPermitted):
    """The key is good, but its kind may not do this; `kinds` lists those that may."""

    code = "key_kind_wrong"
    title = "A key of this kind may not do this"


class KeyNotFound(Refused):
    """No API key has this id."""

    code = "key_not_found"
    status = 404
    title = "There is no key with this id"


class ShopperTokenInvalid(NotPermitted):
    """The shopper token is missing, forged or no longer valid."""

    code = "shopper_token_invalid"
    status = 401
    title = "A valid shopper token is needed with a pk_ key"


class CalendarLinkInvalid(NotPermitted):
    """The token of a calendar link is forged, over, or of another resource."""

    code = "calendar_link_invalid"
    status = 401
    title = "This link to a calendar is not, or not any more, a good one"


class RateLimited(Unavailable):
    """The caller sends more requests than its limit."""

    code = "rate_limited"
    status = 429
    title = "Too many requests"
