"""The cookies of the box office: the guest's, which keeps a visitor the same owner for a year;
those of their places in waiting rooms, where no JavaScript keeps them; the console's, which keeps
an operator logged in; and, where there is a replica, how far what a page wrote has gone, so that it
reads that again. None is readable by scripts; over https they have the `__Host-` prefix, so that no
other host, nor plain http, can set or see them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from http.cookies import SimpleCookie
from typing import NamedTuple

_SECURE_PREFIX = "__Host-"
_LENGTH_MAX = 4096
_ROOMS_MAX = 50
_ROOM = re.compile(r"[0-9A-Za-z_]{1,40}")
_VALUE = re.compile(r"[0-9A-Za-z._-]+")


class CookieKind(NamedTuple):
    """A cookie by its name, how long it is kept, and from where it is sent."""

    name: str
    seconds: int
    same_site: str


GUEST = CookieKind("bespeak_guest", 365 * 86_400, "Lax")
PLACE = CookieKind("bespeak_place_", 30 * 86_400, "Lax")
"""Without the id of the room, with which each has a name of its own."""
WRITTEN = CookieKind("bespeak_written", 60, "Strict")
SIGN_IN = CookieKind("bespeak_sign_in", 30 * 86_400, "Strict")
CONSOLE = CookieKind("bespeak_console", 12 * 3600, "Strict")


def cookie(
    headers: Mapping[bytes, str], kind: CookieKind, *, is_https: bool | None = None
) -> str | None:
    """The value of a cookie that came with a request. Over https only the name counts that nobody
    but this host over https can have set: another host of the domain, and whoever sits on the way
    of plain http, could set the other, and make a visitor somebody else. None: either name, for
    what says nothing of who somebody is."""
    raw = headers.get(b"cookie")
    if raw is None or kind.name not in raw:
        return None
    found: dict[str, str] = {}
    for part in raw.split(";"):
        name, _, value = part.strip().partition("=")
        if len(value) <= _LENGTH_MAX and _VALUE.fullmatch(value):
            found.setdefault(name, value)
    secure, plain = found.get(_SECURE_PREFIX + kind.name), found.get(kind.name)
    if is_https is None:
        return plain if secure is None else secure
    return secure if is_https else plain


def set_cookie(kind: CookieKind, value: str, *, is_https: bool) -> tuple[bytes, bytes]:
    """The header that gives a browser this cookie; without a value it takes it away."""
    name = (_SECURE_PREFIX if is_https else "") + kind.name
    made: SimpleCookie = SimpleCookie({name: value})
    morsel = made[name]
    morsel["path"] = "/"
    morsel["max-age"] = str(kind.seconds if value else 0)
    morsel["httponly"] = True
    morsel["samesite"] = kind.same_site
    morsel["secure"] = is_https
    return b"set-cookie", morsel.OutputString().encode("ascii")


def taken_away(kind: CookieKind, *, is_https: bool) -> list[tuple[bytes, bytes]]:
    """The headers by which a browser forgets a cookie: over https also one of the plain name, which
    may be there from before."""
    both = [set_cookie(kind, "", is_https=is_https)]
    return [*both, set_cookie(kind, "", is_https=False)] if is_https else both


def place_of(room_id: str) -> CookieKind:
    """The cookie of a place in one waiting room."""
    return PLACE._replace(name=PLACE.name + room_id)


def places_taken_away(headers: Mapping[bytes, str], *, is_https: bool) -> list[tuple[bytes, bytes]]:
    """The headers by which a browser forgets the places that it has told of."""
    names = (part.strip().partition("=")[0] for part in headers.get(b"cookie", "").split(";"))
    rooms = {name.removeprefix(_SECURE_PREFIX).removeprefix(PLACE.name): name for name in names}
    known = [room for room, name in rooms.items() if PLACE.name in name and _ROOM.fullmatch(room)]
    return [
        header
        for room in known[:_ROOMS_MAX]
        for header in taken_away(place_of(room), is_https=is_https)
    ]
