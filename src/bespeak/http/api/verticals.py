"""The calls of the verticals as endpoints below `/v1/{name}`: authenticated, limited, decoded and
documented as all others are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import wraps
from typing import Never

import msgspec

from bespeak.engine import Engine
from bespeak.http.server import scopes
from bespeak.http.server.answer_headers import INERT_POLICY
from bespeak.http.server.answers import REPLAYED, Answer, JsonAnswer, PackableAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import (
    ANYONE,
    BROWSERS,
    NOT_MODIFIED,
    OPERATORS,
    SERVERS,
    Endpoint,
    Handler,
    HandlerForm,
)
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.languages import VARIES, answered_in
from bespeak.http.server.packing import VARY, is_text
from bespeak.http.server.scopes import KeyScope
from bespeak.http.server.subjects import About, by_name, by_path, by_place
from bespeak.http.server.tags import Tag
from bespeak.http.server.visitor_engine import VisitorEngine
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.workspaces import DEFAULT
from bespeak.verticals.errors import VerticalBroken
from bespeak.verticals.vertical import (
    ROOT_NOUNS,
    Document,
    KeyKindName,
    Vertical,
    VerticalCall,
    VerticalCaller,
    VerticalRequest,
    Who,
)

_KINDS: Mapping[Who, frozenset[KeyKind]] = {
    "anyone": ANYONE,
    "browsers": BROWSERS,
    "servers": SERVERS,
    "operators": OPERATORS,
}
KIND_NAMES: Mapping[KeyKind | None, KeyKindName] = {
    KeyKind.PUBLISHABLE: "publishable",
    KeyKind.SECRET: "secret",
    KeyKind.ADMIN: "admin",
    KeyKind.RESTRICTED: "restricted",
}
_ANY_NAME = "^[^/]{1,200}$"
# What a vertical hands out may be drawn from names that people gave: whatever it is, it runs
# nothing and loads nothing, even when it is opened by itself.
_INERT = (
    (b"content-security-policy", INERT_POLICY + b"; sandbox"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


def endpoints(verticals: Sequence[Vertical]) -> list[Endpoint]:
    """The endpoints of these verticals. Raises VerticalBroken for a call that does not say what it
    takes, is not below its vertical's path, or is there twice."""
    found: dict[tuple[str, str], Endpoint] = {}
    for vertical in verticals:
        for one in _of_one(vertical):
            if (one.method, one.path) in found:
                raise _broken(vertical, one, "another vertical has this path")
            found[one.method, one.path] = one
    return list(found.values())


def _of_one(vertical: Vertical) -> list[Endpoint]:
    found = [_endpoint(vertical, call, path_of(vertical, call)) for call in vertical.calls]
    calls = Counter((one.method, one.path) for one in found)
    operations = Counter(one.operation_id for one in found)
    for call, one in zip(vertical.calls, found, strict=True):
        try:
            HandlerForm.of(one.handler)
        except (TypeError, NameError) as error:
            raise _broken(vertical, one, str(error)) from error
        if call.at_root and call.path.split("/")[1] not in ROOT_NOUNS:
            raise _broken(vertical, one, "its path stands below that of its vertical")
        if not call.path.startswith("/"):
            raise _broken(vertical, one, "its path does not begin with /")
        if calls[one.method, one.path] > 1 or operations[one.operation_id] > 1:
            raise _broken(vertical, one, "its path or its handler is there twice")
    return found


def path_of(vertical: Vertical, call: VerticalCall) -> str:
    """The path of a call."""
    return f"/v1{call.path}" if call.at_root else f"/v1/{vertical.name}{call.path}"


def _broken(vertical: Vertical, endpoint: Endpoint, why: str) -> VerticalBroken:
    call = f"{endpoint.method} {endpoint.path}"
    return VerticalBroken(
        f"the vertical {vertical.name} cannot be used: {call}: {why}", vertical=vertical.name
    )


def _endpoint(vertical: Vertical, call: VerticalCall, path: str) -> Endpoint:
    return Endpoint(
        _handler(call),
        call.method,
        path,
        call.summary,
        status=call.status,
        kinds=_KINDS[call.who],
        scopes=_scopes(call),
        audited=call.who == "operators" and call.method != "GET",
        reach=_reach(call),
        about=_about(vertical, call),
        answers=call.media_type,
        errors=call.errors,
        other_statuses=() if call.media_type is None else (NOT_MODIFIED,),
        takes_document=call.takes_document,
        repeatable=call.repeatable,
        from_memory=call.from_memory,
        needs_shopper=call.needs_shopper,
        booking_link_opens=call.booking_link_opens,
        tag=Tag(vertical.title, f"The calls of the vertical `{vertical.name}`."),
        operation=f"{vertical.name}_{call.handler.__name__}",
        patterns={
            name: call.patterns.get(name, _ANY_NAME) for name in re.findall(r"{(\w+)}", path)
        },
    )


def _about(vertical: Vertical, call: VerticalCall) -> About:
    """What it is about, for bound keys."""
    if call.place is not None:
        return by_place(vertical.name, call.place)
    return by_path if call.resource is None else by_name(call.resource)


def _reach(call: VerticalCall) -> Reach:
    """How it stays within the workspace of its key, or that it does not."""
    if call.resource is not None or "{booking_id}" in call.path:
        return Reach.IDS
    return Reach.WORKSPACE if call.workspaces else Reach.INSTALLATION


def _scopes(call: VerticalCall) -> frozenset[KeyScope]:
    """Which scopes let a restricted key in."""
    if call.who == "anyone":
        return frozenset()
    if call.scope is not None:
        return frozenset((KeyScope(call.scope),))
    if call.who == "operators":
        return scopes.MANAGE
    if call.who == "browsers" and call.method == "GET" and not call.needs_shopper:
        return scopes.ANY_SCOPE
    return scopes.READ if call.method == "GET" else scopes.SELL


def _handler(vertical_call: VerticalCall) -> Handler:
    """The handler as the table of endpoints wants it, with its own name and annotations."""

    @wraps(vertical_call.handler)
    async def handle(call: Call[Never, Never]) -> object:
        by = call.caller
        language = answered_in(by, call.headers, getattr(call.query, "lang", None))
        request = VerticalRequest(
            _engine_of(call),
            call.path,
            call.query,
            call.body,
            VerticalCaller(KIND_NAMES.get(by.kind), by.shopper, call.asserted_owner),
            call.idempotency_key,
            language,
            by.workspace or DEFAULT,
        )
        content = await vertical_call.handler(request)
        if isinstance(content, Document):
            return _document(call, content)
        if vertical_call.repeatable and getattr(content, "replayed", False) is True:
            told = msgspec.structs.replace(content, replayed=False)
            return JsonAnswer(vertical_call.status, told, headers=REPLAYED)
        if vertical_call.method == "GET":  # it may have texts in the language that was asked for
            if vertical_call.from_memory:  # to pack it would take longer than to find it
                return JsonAnswer(vertical_call.status, content, headers=VARIES)
            body = msgspec.json.encode(content)
            return PackableAnswer(vertical_call.status, body, headers=(*VARIES, *VARY))
        return content

    return handle


def _engine_of(call: Call[object, object]) -> Engine:
    """The engine for a handler: where a guest calls, one that judges by the guest's budgets and
    wants to see the pass of a waiting room."""
    service = call.service
    if not service.budgets.are_on and not service.waiting_rooms.are_at_work:
        return call.engine
    visitor = call.visitor(call.caller.shopper or call.client_address.prefix)
    return (
        call.engine
        if visitor is None
        else VisitorEngine(call.engine, call.service, visitor, call.headers.get(b"bespeak-pass"))
    )


def _document(call: Call[object, object], document: Document) -> Answer:
    age = f", max-age={document.max_age}" if document.max_age else ""
    etag = f'"{document.etag}"'
    media_type = document.media_type.encode()
    headers = (
        (b"etag", f"W/{etag}".encode()),  # of what it says, packed or not
        (b"cache-control", f"public{age or ', no-cache'}".encode()),
        *(VARY if is_text(media_type) else ()),
        *_INERT,
    )
    if call.has_etag(etag):
        return Answer(304, headers=headers)
    return PackableAnswer(200, document.body, headers=headers, content_type=media_type)
