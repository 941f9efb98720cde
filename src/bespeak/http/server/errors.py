"""The errors that only the HTTP API has: about bodies, paths, keys and rates. They are branches of
the one tree in bespeak.errors and reach the client the same way, as problem documents.
"""

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


class BodyTooSlow(InvalidRequest):
    """The body did not arrive in time; nothing was done."""

    code = "body_too_slow"
    status = 408
    retryable = True
    title = "The body did not arrive in time"


class DeadlinePassed(Unavailable):
    """The request was not answered in time. What was asked may or may not be done: repeating it
    with its idempotency key tells."""

    code = "deadline_passed"
    title = "The request took too long"


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


class KeyExpired(NotPermitted):
    """The API key was good until `expires_at`; make another one."""

    code = "key_expired"
    status = 401
    title = "This API key has expired"


class MissingScope(NotPermitted):
    """The key is good, but has none of the scopes that let it do this: `scopes` lists them. Where
    `needs_all` is true, it takes all of them."""

    code = "missing_scope"
    title = "This key lacks the scope for this"


class KeyBound(NotPermitted):
    """The key is bound to some resources, and this is about others, or about the whole
    installation; `resource_id` is the first of the others."""

    code = "key_bound"
    title = "This key is bound to other resources"


class NotInWorkspace(Refused):
    """The call is about the whole installation, which keys of the workspace `default` look after;
    the key is of another workspace."""

    code = "not_in_workspace"
    status = 404
    title = "There is no such call in this workspace"


class KeyNotFound(Refused):
    """No API key has this id."""

    code = "key_not_found"
    status = 404
    title = "There is no key with this id"


class PreviewLinkInvalid(NotPermitted):
    """The token of a preview is forged, or over."""

    code = "preview_link_invalid"
    status = 401
    title = "This link to a preview is not, or not any more, a good one"


class ShopperTokenInvalid(NotPermitted):
    """The shopper token is missing, forged or no longer valid."""

    code = "shopper_token_invalid"
    status = 401
    title = "A valid shopper token is needed with a pk_ key"


class OriginNotAllowed(NotPermitted):
    """The request comes from another site's page; this is for the server's own pages only."""

    code = "origin_not_allowed"
    title = "Only this server's own pages may ask for this"


class ConsoleSessionInvalid(NotPermitted):
    """There is no session at the console, or it is over: log in again."""

    code = "console_session_invalid"
    status = 401
    title = "Log in at the console"


class CsrfTokenInvalid(NotPermitted):
    """The session's CSRF token is missing or wrong; `GET /v1/console/session` tells it."""

    code = "csrf_token_invalid"
    title = "The header Bespeak-CSRF must have the session's token"


class BoxOfficeClosed(NotPermitted):
    """The box office is switched off, or its key was revoked; `because` says which. An operator
    makes a new key with `POST /v1/box-office/key`."""

    code = "box_office_closed"
    title = "The box office is closed"


class DemoOnly(Refused):
    """This is for servers that are for trying only."""

    code = "demo_only"
    status = 404
    title = "Only the demo has this"


class CalendarLinkInvalid(NotPermitted):
    """The token of a calendar link is forged, over, revoked, or of another resource."""

    code = "calendar_link_invalid"
    status = 401
    title = "This link to a calendar is not, or not any more, a good one"


class SignInCodeWrong(NotPermitted):
    """The code is not that of the mail that this browser asked for; `tries_left` says how often
    another may be tried."""

    code = "sign_in_code_wrong"
    title = "This is not the code of the mail that this browser asked for"


class SignInOver(NotPermitted):
    """This browser has asked for no code, or the code was used, is over, or was tried too often."""

    code = "sign_in_over"
    title = "There is no code that this browser could use: ask for another"


class NotSignedIn(NotPermitted):
    """Nobody is signed in with this browser, or not any more."""

    code = "not_signed_in"
    status = 401
    title = "Nobody is signed in with this browser"


class CalendarLinkNotFound(Refused):
    """The resource has no calendar link with this id, or not any more."""

    code = "calendar_link_not_found"
    status = 404
    title = "There is no calendar link with this id"


class CalendarLinksFull(Refused):
    """The resource has as many good calendar links as it may have: `limit`."""

    code = "calendar_links_full"
    title = "There are as many links to this calendar as there may be"


class TooManyStreams(Unavailable):
    """This address follows as many resources as one may; `limit` says how many."""

    code = "too_many_streams"
    status = 429
    title = "Too many live streams from this address"


class BudgetSpent(Unavailable):
    """A guest, or all who come from one address, kept or tried more than they may; `budget` says of
    what, `limit` how much that is."""

    code = "budget_spent"
    status = 429
    title = "Too much is kept or tried without a booking"


class ChallengeRequired(NotPermitted):
    """What one address asks for is unusual: the page must solve `challenge` and repeat the request
    with its answer in Bespeak-Challenge; `budget` says why."""

    code = "challenge_required"
    title = "A challenge must be solved first"


class RateLimited(Unavailable):
    """The caller sends more requests than its limit."""

    code = "rate_limited"
    status = 429
    title = "Too many requests"
