"""The page of a waiting room for a browser without JavaScript: its forms join a queue, with an
invitation code or without, and by refresh it says where one stands. The queue token is kept in a
cookie that no script reads. A code comes in a body, and is in no address afterwards.
"""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from babel import Locale

from bespeak import locales
from bespeak.admission.board import RoomOnBoard
from bespeak.admission.errors import QueueTokenInvalid, WaitingRoomNotFound
from bespeak.admission.forms import QueueName
from bespeak.admission.invite_codes import TYPED_MAX
from bespeak.admission.queue_tokens import QueueToken
from bespeak.admission.told import PlaceNow, phase_of, place_now
from bespeak.admission.turn_mails import MailTo, withdraw_mail
from bespeak.errors import BespeakError, InvalidRequest
from bespeak.http.api.box_office import check_open
from bespeak.http.api.queue_joins import (
    AskedJoin,
    join_queue,
    leave_queue,
    time_to_join,
    write_when_near,
)
from bespeak.http.api.waiting_page_html import (
    EMAIL_MAX,
    STYLE_HASH,
    Asks,
    WaitingPage,
    ended_page,
    waiting_page,
)
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer
from bespeak.http.server.asgi import Headers
from bespeak.http.server.call import Call
from bespeak.http.server.cookies import GUEST, cookie, place_of, set_cookie
from bespeak.http.server.endpoint import ANYONE, endpoint_table
from bespeak.http.server.errors import (
    BoxOfficeClosed,
    BudgetSpent,
    ChallengeRequired,
    OriginNotAllowed,
    RateLimited,
)
from bespeak.http.server.form_bodies import FORM_TYPE, form_fields
from bespeak.http.server.languages import LanguageTag, preferred
from bespeak.inventory.workspaces import DEFAULT
from bespeak.reservations.contact import EmailAddress

PAGES, page = endpoint_table(tags.PAGES)
_PATH = "/waiting/{waiting_room_id}/plain"
_HTML = b"text/html; charset=utf-8"
_NOT_FOUND = 404
_SEE_OTHER = 303
_SERVER_ERROR = 500
_US = 1_000_000
_SECURITY: Headers = (
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'sha256-" + STYLE_HASH.encode() + b"'; "
        b"form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    # With none at all, browsers would not say that a form comes from here.
    (b"referrer-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
_NO_ROOM = ((_NOT_FOUND, "There is no such waiting room"),)


class PlainQuery(msgspec.Struct, frozen=True):
    """In which language, in which queue, and whether who has a place is to enter a code or an
    address, or asked whether to leave. A link may have more, as what somebody counts visitors
    by."""

    lang: LanguageTag | None = None
    queue: QueueName | None = None
    enter: Asks | None = None


@page(
    "GET",
    _PATH,
    "The waiting room without JavaScript",
    answers="text/html",
    kinds=ANYONE,
    errors=(BoxOfficeClosed, InvalidRequest),
    other_statuses=_NO_ROOM,
)
async def plain_waiting_page(call: Call[PlainQuery, None]) -> Answer:
    """The page of a waiting room for browsers without JavaScript."""
    check_open(call)
    query = call.query
    locale = _locale(call, query.lang)
    room = _room(call)
    if room is None:
        return _answer(_NOT_FOUND, ended_page(locale))
    shown = _shown(call, room, locale, query.queue)._replace(asks=query.enter)
    if room.draining or shown.stage not in ("join", "lost"):
        return _answer(200, waiting_page(shown))
    try:
        # A guest from now on: whose answer to a press is lost, presses again as the same one.
        guest = await _guest_cookie(call)
    except (BudgetSpent, ChallengeRequired, RateLimited):
        return _answer(200, waiting_page(shown._replace(error="too_many")))
    return _answer(200, waiting_page(shown), guest)


@page(
    "POST",
    _PATH,
    "Join a queue without JavaScript",
    answers="text/html",
    status=303,
    kinds=ANYONE,
    raw_type=FORM_TYPE,
    own_pages_only=True,
    errors=(BoxOfficeClosed, InvalidRequest, OriginNotAllowed),
    other_statuses=(
        *_NO_ROOM,
        (400, "The press was not understood, as the page says"),
        (409, "The press was refused, as the page says"),
        (429, "Too many press, as the page says"),
    ),
)
async def join_by_form(call: Call[None, bytes]) -> Answer:
    """What the forms of the page do: `act=join`, `act=code` with the `code`, `act=leave`, and
    `act=mail` with the `email`, or `act=no-mail`."""
    check_open(call)
    fields = form_fields(call.headers, call.body, "act")
    locale = _locale(call, fields.get("lang"))
    room = _room(call)
    if room is None:
        return _answer(_NOT_FOUND, ended_page(locale))
    shown = _shown(call, room, locale, fields.get("queue"))
    shown = shown._replace(asks="code" if "enter" in fields else None)
    if fields.get("act") == "leave":
        return await _left(call, shown)
    if fields.get("act") in ("mail", "no-mail"):
        asked = fields.get("email", "") if fields["act"] == "mail" else None
        return await _mailed(call, shown, asked)
    code = None
    if fields.get("act") == "code":
        code = fields.get("code", "").strip()[: TYPED_MAX + 1]
    elif shown.place is not None and shown.place.turn != "lost":
        return _seen(shown)  # pressed twice, or sent again: the place stays
    shown = shown._replace(typed=code or "")
    if code == "":
        return _refused(shown, "code_missing", 400)
    owner = call.service.guests.owner_of(cookie(call.headers, GUEST, is_https=call.is_https))
    try:
        now_us = time_to_join(call, room)
        if owner is None:
            return _refused(shown, "cookies", 400, await _guest_cookie(call))
        queue = shown.open_queue if code is None else None
        token = await join_queue(call, AskedJoin(room, owner, queue, code, True), now_us)
    except BespeakError as error:
        if error.status >= _SERVER_ERROR:
            raise
        return _refused(shown, error.code, error.status)
    made = call.service.waiting_rooms.tokens.make(room.room_id, token)
    kept = set_cookie(place_of(room.room_id), made, is_https=call.is_https)
    return _seen(shown, kept)


def _locale(call: Call[object, object], lang: str | None) -> Locale:
    return locales.locale_for(lang, preferred(call.headers.get(b"accept-language", "")))


def _room(call: Call[object, object]) -> RoomOnBoard | None:
    """The room, if it is one of the shop's."""
    try:
        return call.service.waiting_rooms.room(call.path["waiting_room_id"], DEFAULT)
    except WaitingRoomNotFound:
        return None


def _shown(
    call: Call[object, object], room: RoomOnBoard, locale: Locale, queue: str | None
) -> WaitingPage:
    """How it stands for whoever asks, by the cookie that keeps their place."""
    now = datetime.fromtimestamp(call.service.waiting_rooms.board.clock.now_us() / _US, UTC)
    named = None if queue is None else room.queue_named(queue)
    token, place = _place(call, room)
    return WaitingPage(
        room=room,
        phase=phase_of(room, now),
        now=now,
        locale=locale,
        place=place,
        token=token,
        queue=None if named is None else named.name,
    )


def _place(
    call: Call[object, object], room: RoomOnBoard
) -> tuple[str, PlaceNow] | tuple[None, None]:
    """The token that a browser keeps for a room, and its place."""
    rooms = call.service.waiting_rooms
    text = cookie(call.headers, place_of(room.room_id), is_https=call.is_https)
    if text is None:
        return None, None
    try:
        token: QueueToken = rooms.tokens.read(room.room_id, text)
    except QueueTokenInvalid:
        return None, None
    rooms.board.count_again(room, token)
    return text, place_now(room, token)


async def _guest_cookie(call: Call[object, object]) -> tuple[bytes, bytes] | None:
    """What makes who comes a guest; None: they are one. Raises RateLimited, BudgetSpent,
    ChallengeRequired."""
    service = call.service
    if service.guests.owner_of(cookie(call.headers, GUEST, is_https=call.is_https)) is not None:
        return None
    await service.limits.count_guest_session(call.client_address.prefix)
    owner = service.guests.new_owner()
    await service.budgets.admit_guest(call.visitor(owner))
    return set_cookie(GUEST, service.guests.token(owner), is_https=call.is_https)


async def _left(call: Call[object, object], shown: WaitingPage) -> Answer:
    """Gives the place up, which a browser then keeps no more."""
    if shown.token is not None:
        rooms, room = call.service.waiting_rooms, shown.room
        # Whoever is inside has come in by the page with JavaScript, and leaves there.
        await leave_queue(call, room, rooms.tokens.read(room.room_id, shown.token), "")
    return _seen(shown, set_cookie(place_of(shown.room.room_id), "", is_https=call.is_https))


async def _mailed(call: Call[object, object], shown: WaitingPage, email: str | None) -> Answer:
    """Has who waits written to at an address, or (None) not any more."""
    rooms, room = call.service.waiting_rooms, shown.room
    if shown.token is None:
        return _seen(shown)  # the place is gone, as the page says
    token = rooms.tokens.read(room.room_id, shown.token)
    if email is None:
        async with call.engine.database.borrow() as connection:
            await withdraw_mail(connection, room.room_id, token)
        return _seen(shown)
    typed = email.strip()[: EMAIL_MAX + 1]
    owner = call.service.guests.owner_of(cookie(call.headers, GUEST, is_https=call.is_https))
    shown = shown._replace(asks="mail", typed=typed)
    try:
        if owner is None:
            return _refused(shown, "cookies", 400, await _guest_cookie(call))
        msgspec.convert(typed, EmailAddress)
        address = rooms.tokens.address_of(room.room_id, typed)
        to = MailTo(owner, typed, str(shown.locale.language), address)
        told = await write_when_near(call, room, token, to, is_guest=True)
    except msgspec.ValidationError:
        return _refused(shown, "email", 400)
    except BespeakError as error:
        if error.status >= _SERVER_ERROR:
            raise
        return _refused(shown, error.code, error.status)
    return _seen(shown, enter="mailed" if told.state == "wanted" else "sent")


def _seen(
    shown: WaitingPage, kept: tuple[bytes, bytes] | None = None, *, enter: str | None = None
) -> Answer:
    """Leads to the page itself, whose address has no more than the language in it, and what was
    done."""
    done = "" if enter is None else f"&enter={enter}"
    there = f"plain?lang={shown.locale.language}{done}".encode()
    headers = [(b"location", there), (b"cache-control", b"no-store")]
    return Answer(
        _SEE_OTHER, headers=headers if kept is None else [*headers, kept], content_type=_HTML
    )


def _refused(
    shown: WaitingPage, error: str, status: int, kept: tuple[bytes, bytes] | None = None
) -> Answer:
    """The page again, with what was typed and what is wrong with it."""
    return _answer(status, waiting_page(shown._replace(error=error)), kept)


def _answer(status: int, body: bytes, kept: tuple[bytes, bytes] | None = None) -> Answer:
    headers = _SECURITY if kept is None else (*_SECURITY, kept)
    return Answer(status, body, headers=headers, content_type=_HTML)
