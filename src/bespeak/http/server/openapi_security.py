"""Who may make a call, as the OpenAPI document says it: a scheme for each kind of key, and for what
may stand beside a key or in its place.
"""

from __future__ import annotations

from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.keys import PREFIXES, KeyKind
from bespeak.http.server.openapi_names import Json
from bespeak.http.server.scopes import ANY_SCOPE

_MAY = {
    KeyKind.PUBLISHABLE: "for browsers; it is no secret",
    KeyKind.SECRET: "for servers",
    KeyKind.ADMIN: "for the operator",
    KeyKind.RESTRICTED: "with the scopes that it was made with",
}
_SHOPPER = "shopper"
_KEY_IN_QUERY = "publishable_in_query"
_LINK = "calendar_link"
_BOOKING_LINK = "booking_link"
_WAITLIST_LINK = "waitlist_link"


def security_schemes() -> dict[str, Json]:
    """The schemes, by the names under which calls ask for them."""
    return {
        **{
            kind.value: {
                "type": "http",
                "scheme": "bearer",
                "description": f"A key that begins with {PREFIXES[kind]}_, {_MAY[kind]}",
            }
            for kind in KeyKind
        },
        _SHOPPER: {
            "type": "apiKey",
            "in": "header",
            "name": "Bespeak-Shopper",
            "description": "A shopper token, minted with an sk_ key: the caller is its owner",
        },
        _KEY_IN_QUERY: {
            "type": "apiKey",
            "in": "query",
            "name": "key",
            "description": "A pk_ key, for those that cannot send headers",
        },
        _BOOKING_LINK: {
            "type": "apiKey",
            "in": "header",
            "name": "Bespeak-Booking-Link",
            "description": "The token of a booking's link, for that booking alone, the holds that"
            " change it, and how to get to what was booked of them",
        },
        _WAITLIST_LINK: {
            "type": "apiKey",
            "in": "header",
            "name": "Bespeak-Waitlist-Link",
            "description": "The token of the link to an entry of a waitlist, for that entry, the"
            " holds that it was offered, and how to get to what was booked of them",
        },
        _LINK: {
            "type": "apiKey",
            "in": "query",
            "name": "token",
            "description": "The token of a calendar link, in place of a key",
        },
    }


def _restricted(endpoint: Endpoint) -> list[Json]:
    """Which scopes open it: each of them alone, or all of them together."""
    scopes = sorted(scope.value for scope in endpoint.scopes)
    if not scopes:
        return []
    if endpoint.scopes == ANY_SCOPE:
        return [{KeyKind.RESTRICTED.value: []}]
    if endpoint.needs_all_scopes:
        return [{KeyKind.RESTRICTED.value: scopes}]
    return [{KeyKind.RESTRICTED.value: [scope]} for scope in scopes]


def security_of(endpoint: Endpoint) -> list[Json]:
    """The ways in which a call may be made; none where no key is needed."""
    found: list[Json] = []
    for kind in (kind for kind in KeyKind if kind in endpoint.kinds):
        if kind is not KeyKind.PUBLISHABLE:
            found.append({kind.value: []})
            continue
        if not endpoint.needs_shopper:
            found.append({kind.value: []})
        if endpoint.key_in_query:
            found.append({_KEY_IN_QUERY: []})
        found.append({kind.value: [], _SHOPPER: []})
        if endpoint.booking_link_opens:
            found.append({kind.value: [], _BOOKING_LINK: []})
        if endpoint.waitlist_link_opens:
            found.append({kind.value: [], _WAITLIST_LINK: []})
    found += _restricted(endpoint)
    if endpoint.link_opens:
        found.append({_LINK: []})
    return found
