"""Who makes a call: by the key in `Authorization`, or, where an operator is logged in at the
console, by the cookie of that session. A cookie alone changes nothing: whatever is not a read also
needs the session's CSRF token, and comes from the console's own pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bespeak.http.server.asgi import AsgiScope, query_value
from bespeak.http.server.call import ANONYMOUS, Caller
from bespeak.http.server.cookies import CONSOLE, cookie, set_cookie
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.errors import KeyKindWrong, KeyMissing, MissingScope
from bespeak.http.server.keys import PREFIXES, ApiKey, KeyKind
from bespeak.http.server.origins import check_same_origin, is_https
from bespeak.http.server.service import Service
from bespeak.inventory.workspaces import DEFAULT

_KINDS = {
    KeyKind.PUBLISHABLE: "a publishable key",
    KeyKind.SECRET: "a secret key",
    KeyKind.ADMIN: "an admin key",
    KeyKind.RESTRICTED: "a restricted key",
}
_READS = ("GET", "HEAD")
_SECRETS = tuple(f"{PREFIXES[kind]}_" for kind in KeyKind if kind is not KeyKind.PUBLISHABLE)


async def authenticate(
    endpoint: Endpoint,
    service: Service,
    headers: Mapping[bytes, str],
    scope: AsgiScope,
) -> Caller:
    """The caller of an endpoint. Raises KeyMissing, KeyUnknown, KeyExpired, KeyKindWrong,
    MissingScope, RateLimited, ShopperTokenInvalid, BookingLinkInvalid, WaitlistLinkInvalid,
    InvalidId, ConsoleSessionInvalid, CsrfTokenInvalid, OriginNotAllowed, StepUpRequired."""
    if not endpoint.kinds:
        return ANONYMOUS
    scheme, _, text = headers.get(b"authorization", "").partition(" ")
    if b"authorization" not in headers:
        if endpoint.key_in_query:
            key = _key_in_query(scope)
            if key is not None:
                return await _by_key(endpoint, service, headers, scope, key)
        https = is_https(service.engine.settings.public_url, scope["scheme"])
        token = cookie(headers, CONSOLE, is_https=https)
        if token is not None:
            return await _by_session(endpoint, service, headers, scope, token)
    if scheme.lower() != "bearer" or not text:
        raise KeyMissing(f"this call takes {_told_kinds(sorted(endpoint.kinds))}")
    return await _by_key(endpoint, service, headers, scope, text.strip())


async def _by_key(
    endpoint: Endpoint,
    service: Service,
    headers: Mapping[bytes, str],
    scope: AsgiScope,
    text: str,
) -> Caller:
    """The caller with this key. Raises KeyUnknown, KeyExpired, KeyKindWrong, MissingScope,
    RateLimited, ShopperTokenInvalid, BookingLinkInvalid, WaitlistLinkInvalid, InvalidId."""
    find = service.keys.find_for_memory if endpoint.from_memory else service.keys.find
    key = await find(text)
    _check_rights(endpoint, service, key)
    if key.kind is not KeyKind.PUBLISHABLE:
        await service.limits.count_key(key.kind, key.id)
        bound = key if key.is_bound else None
        return Caller(key.kind, None, False, key.id, key.scopes, bound, key.workspace)
    link = headers.get(b"bespeak-booking-link") if endpoint.booking_link_opens else None
    if link is not None:
        # By address: whoever has the link must not use up what its guest may ask.
        await service.limits.count_address(service.client_addresses.of(scope).prefix)
        opened = await service.booking_links.open(link, scope["path_params"])
        return Caller(key.kind, opened.owner, workspace=key.workspace, booking_link=opened)
    entry_link = headers.get(b"bespeak-waitlist-link") if endpoint.waitlist_link_opens else None
    if entry_link is not None:
        return await _by_waitlist_link(service, scope, key, entry_link)
    token = headers.get(b"bespeak-shopper")
    shopper = None
    if token is not None or endpoint.needs_shopper:
        shopper = service.tokens.owner_of(token, key.workspace)
    if endpoint.opens_stream:
        await service.limits.count_stream(service.client_addresses.of(scope).prefix)
    elif shopper is not None:
        # An owner of another workspace may have the same name.
        named = shopper if key.workspace == DEFAULT else f"{key.workspace}\n{shopper}"
        await service.limits.count_shopper(named)
    else:
        await service.limits.count_address(service.client_addresses.of(scope).prefix)
    return Caller(key.kind, shopper, workspace=key.workspace)


async def _by_waitlist_link(service: Service, scope: AsgiScope, key: ApiKey, token: str) -> Caller:
    """Who came by the link of an entry. A call whose path names nothing is judged by its body, once
    that is read. Raises RateLimited, WaitlistLinkInvalid, InvalidId."""
    # By address, as with the link of a booking.
    await service.limits.count_address(service.client_addresses.of(scope).prefix)
    names = scope["path_params"]
    link = await service.waitlist_links.open(token, key.workspace, names.get("payment_id"))
    link.check_path(names)
    return Caller(key.kind, link.owner, workspace=key.workspace, waitlist_link=link)


def _check_rights(endpoint: Endpoint, service: Service, key: ApiKey) -> None:
    """Whether a key may call an endpoint at all. Raises KeyKindWrong, MissingScope, which the audit
    log tells of; but not of browsers' keys, which everybody has."""
    if key.kind in endpoint.kinds:
        return
    kinds = sorted(endpoint.kinds)
    error: KeyKindWrong | MissingScope = KeyKindWrong(
        f"this call takes {_told_kinds(kinds)}; this is {_told_kinds([key.kind])}", kinds=kinds
    )
    if key.kind is KeyKind.RESTRICTED:
        enough = all if endpoint.needs_all_scopes else any
        if endpoint.scopes and enough(scope in key.scopes for scope in endpoint.scopes):
            return
        scopes, needs_all = sorted(endpoint.scopes), endpoint.needs_all_scopes
        named = (" and " if needs_all else " or ").join(f"`{scope}`" for scope in scopes)
        error = MissingScope(
            f"this call takes a key with the scope {named or '`admin`'}; this one has "
            + (", ".join(f"`{scope}`" for scope in sorted(key.scopes)) or "none"),
            scopes=scopes,
            needs_all=needs_all,
        )
    if key.kind is not KeyKind.PUBLISHABLE:
        service.audit_log.count_refusal(key.id, endpoint.operation_id, error.code)
    raise error


def _told_kinds(kinds: Sequence[KeyKind]) -> str:
    return " or ".join(f"{_KINDS[kind]} ({PREFIXES[kind]}_...)" for kind in kinds) or "no key"


def _key_in_query(scope: AsgiScope) -> str | None:
    """The key in a URL. URLs are kept in logs and histories: only keys that are no secret may be
    there. Raises KeyKindWrong."""
    key = query_value(scope, "key")
    if key is not None and key.startswith(_SECRETS):
        raise KeyKindWrong("only a browser key may be in a URL", kinds=[KeyKind.PUBLISHABLE])
    return key


async def _by_session(
    endpoint: Endpoint,
    service: Service,
    headers: Mapping[bytes, str],
    scope: AsgiScope,
    token: str,
) -> Caller:
    session = await service.consoles.find(token)
    check_same_origin(headers, service.engine.settings.public_url)
    if scope["method"] not in _READS:
        session.check_csrf(headers.get(b"bespeak-csrf"))
    key = session.key
    _check_rights(endpoint, service, key)
    await service.limits.count_key(key.kind, key.id)
    if endpoint.needs_proof and session.operator is not None:
        await service.operators.check_proof(session.operator)
    bound = key if key.is_bound else None
    rights = (key.scopes, bound, key.workspace)
    kept = None
    if session.renewed is not None:
        https = is_https(service.engine.settings.public_url, scope["scheme"])
        kept = set_cookie(CONSOLE, session.renewed, is_https=https)
    return Caller(key.kind, None, True, key.id, *rights, operator=session.operator, cookie=kept)
