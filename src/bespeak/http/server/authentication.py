"""Who makes a call: by the key in `Authorization`, or, where an operator is logged in at the
console, by the cookie of that session. A cookie alone changes nothing: whatever is not a read also
needs the session's CSRF token, and comes from the console's own pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast
from urllib.parse import parse_qsl

from bespeak.http.server.call import ANONYMOUS, Caller
from bespeak.http.server.cookies import CONSOLE, cookie
from bespeak.http.server.errors import KeyKindWrong, KeyMissing
from bespeak.http.server.keys import PREFIXES, ApiKey, KeyKind
from bespeak.http.server.origins import check_same_origin

if TYPE_CHECKING:
    from bespeak.http.server.endpoint import Endpoint
    from bespeak.http.server.service import Service

_READS = ("GET", "HEAD")
_SECRETS = tuple(f"{PREFIXES[kind]}_" for kind in (KeyKind.SECRET, KeyKind.ADMIN))


async def authenticate(
    endpoint: Endpoint,
    service: Service,
    headers: Mapping[bytes, str],
    scope: Mapping[str, object],
) -> Caller:
    """The caller of an endpoint. Raises KeyMissing, KeyUnknown, KeyKindWrong, RateLimited,
    ShopperTokenInvalid, ConsoleSessionInvalid, CsrfTokenInvalid, OriginNotAllowed."""
    if not endpoint.kinds:
        return ANONYMOUS
    scheme, _, text = headers.get(b"authorization", "").partition(" ")
    if b"authorization" not in headers:
        if endpoint.key_in_query:
            key = _key_in_query(scope)
            if key is not None:
                return await by_key(endpoint, service, headers, scope, key)
        token = cookie(headers, CONSOLE)
        if token is not None:
            return await _by_session(endpoint, service, headers, scope, token)
    if scheme.lower() != "bearer" or not text:
        raise KeyMissing
    return await by_key(endpoint, service, headers, scope, text.strip())


async def by_key(
    endpoint: Endpoint,
    service: Service,
    headers: Mapping[bytes, str],
    scope: Mapping[str, object],
    text: str,
) -> Caller:
    """The caller with this key. Raises KeyUnknown, KeyKindWrong, RateLimited,
    ShopperTokenInvalid."""
    key = await service.keys.find(text)
    _check_kind(endpoint, key)
    if key.kind is not KeyKind.PUBLISHABLE:
        await service.limits.count(key.kind, key.id)
        return Caller(key.kind, None)
    token = headers.get(b"bespeak-shopper")
    shopper = None
    if token is not None or endpoint.needs_shopper:
        shopper = service.tokens.owner_of(token)
    await service.limits.count(key.kind, shopper or address_of(scope))
    return Caller(key.kind, shopper)


def _key_in_query(scope: Mapping[str, object]) -> str | None:
    """The key in a URL. URLs are kept in logs and histories: only keys that are no secret may be
    there. Raises KeyKindWrong."""
    query = cast("bytes", scope["query_string"]).decode("latin-1")
    key = dict(parse_qsl(query, keep_blank_values=True)).get("key")
    if key is not None and key.startswith(_SECRETS):
        raise KeyKindWrong("only a browser key may be in a URL", kinds=[KeyKind.PUBLISHABLE])
    return key


def address_of(scope: Mapping[str, object]) -> str:
    """The network address of the client."""
    client = cast("tuple[str, int] | None", scope.get("client"))
    return client[0] if client else "unknown"


async def _by_session(
    endpoint: Endpoint,
    service: Service,
    headers: Mapping[bytes, str],
    scope: Mapping[str, object],
    token: str,
) -> Caller:
    session = await service.consoles.find(token)
    check_same_origin(headers, service.engine.settings.public_url)
    if scope["method"] not in _READS:
        session.check_csrf(headers.get(b"bespeak-csrf"))
    _check_kind(endpoint, session.key)
    await service.limits.count(session.key.kind, session.key.id)
    return Caller(session.key.kind, None, by_cookie=True)


def _check_kind(endpoint: Endpoint, key: ApiKey) -> None:
    if key.kind not in endpoint.kinds:
        raise KeyKindWrong(kinds=sorted(endpoint.kinds))
