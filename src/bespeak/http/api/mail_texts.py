"""What a merchant writes in the mails to buyers: the texts, how a mail looks with them, and a
mail to try them.
"""

from __future__ import annotations

from email.message import EmailMessage
from typing import Annotated, cast, get_args
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak import ids, locales
from bespeak.errors import BookingNotFound, InvalidId, InvalidRequest, VersionMismatch
from bespeak.http.server import tags
from bespeak.http.server.answers import WholeList
from bespeak.http.server.budgets.mails import trying_test_mail
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.errors import BudgetSpent
from bespeak.http.server.scopes import MANAGE
from bespeak.http.server.versions import VersionQuery
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.plans import Plan
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.shapes.legs.plan import LegsPlan
from bespeak.merchants.profile import Email, Language
from bespeak.money import Money
from bespeak.notifications.errors import (
    MailNotSent,
    MailTextInvalid,
    MailTextNotFound,
    OutboxClosed,
)
from bespeak.notifications.mail.line_words import MailResource
from bespeak.notifications.mail.message import compose, our_subject
from bespeak.notifications.mail.notices import compose_notice
from bespeak.notifications.mail.outbox import has_outbox
from bespeak.notifications.mail.previews import (
    MailPreview,
    ShownBooking,
    preview_of,
    previewed,
    sample_booking,
    sample_notice,
)
from bespeak.notifications.mail.sender import MailRefused, MailServerAway
from bespeak.notifications.mail.shops_parts import ShopsPart, has_pages
from bespeak.notifications.mail.texts import (
    OURS,
    KeptText,
    MailKind,
    MailText,
    check_text,
    is_notice,
    placeholders_of,
)
from bespeak.notifications.mail.writing import FromAddress, UnusableContact
from bespeak.postgres.versions import NOTHING, SeenVersion
from bespeak.ticketing.occasions import location_of

ENDPOINTS, endpoint = endpoint_table(tags.MERCHANT)
_KINDS: tuple[MailKind, ...] = get_args(MailKind)
SHOWN_TO = "buyer@example.org"
"""Who is written to in a preview."""
_RETRY_SECONDS = 30
_UTC, _EUROS = "UTC", "EUR"
_PATH = "/v1/mail-texts/{kind}/{language}"


class MailTextView(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of a kind of mail in a language. `text` is what the merchant writes (null: nothing,
    all is ours), `our_subject` what stands where they write none, and `placeholders` are the names
    that their texts may have in braces. `version` is another after each change; 0: all is ours."""

    kind: MailKind
    language: Language
    version: int
    text: MailText | None
    our_subject: str
    placeholders: list[str]


class MailTextList(WholeList[MailTextView], frozen=True):
    """All kinds of mails, each in every language."""


class SetMailText(MailText, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a merchant writes in a kind of mail, whole. `version`, if given, must be the present one
    (0: all is ours)."""

    version: SeenVersion | UnsetType = UNSET


class PreviewMail(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to show: these texts instead of those that are saved, about this booking instead of a
    sample. Mails to who waits are about no booking."""

    text: MailText | None = None
    booking_id: Annotated[str, Meta(max_length=100)] | None = None


class TryMail(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """To whom a mail goes for trying, with which texts and about which booking, as of a preview."""

    email: Email
    text: MailText | None = None
    booking_id: Annotated[str, Meta(max_length=100)] | None = None


class SentMail(msgspec.Struct, frozen=True):
    """The mail that was sent, and to whom."""

    id: str
    email: str


@endpoint(
    "GET",
    "/v1/mail-texts",
    "List the texts of mails",
    kinds=OPERATORS,
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
)
async def list_mail_texts(call: Call[None, None]) -> MailTextList:
    """Lists what the merchant writes in each kind of mail and each language."""
    texts = await call.service.mail_texts.kept(call.caller.workspace)
    return MailTextList(
        [
            _view(kind, language, texts.get((kind, language)))
            for kind in _KINDS
            for language in _languages()
        ]
    )


@endpoint(
    "PUT",
    _PATH,
    "Set the texts of a mail",
    kinds=OPERATORS,
    errors=(MailTextNotFound, MailTextInvalid, VersionMismatch),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def set_mail_text(call: Call[None, SetMailText]) -> MailTextView:
    """Sets what the merchant writes in a kind of mail, in one language. Mails that leave from
    now on have it, within seconds."""
    kind, language = _named(call)
    said = call.body
    text = MailText(subject=said.subject, introduction=said.introduction, closing=said.closing)
    kept = await call.service.mail_texts.set(
        call.caller.workspace, kind, language, text, said.version
    )
    return _view(kind, language, kept)


@endpoint(
    "DELETE",
    _PATH,
    "Go back to our texts of a mail",
    kinds=OPERATORS,
    errors=(MailTextNotFound, VersionMismatch),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def remove_mail_text(call: Call[VersionQuery, None]) -> MailTextView:
    """Takes away what the merchant writes. Repeated, it changes nothing."""
    kind, language = _named(call)
    seen = call.query.version
    await call.service.mail_texts.remove(call.caller.workspace, kind, language, seen)
    return _view(kind, language, None)


@endpoint(
    "POST",
    f"{_PATH}/preview",
    "Show how a mail looks",
    kinds=OPERATORS,
    errors=(MailTextNotFound, MailTextInvalid, InvalidId, BookingNotFound),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
)
async def preview_mail_text(call: Call[None, PreviewMail]) -> MailPreview:
    """Composes a mail as it would leave, with the texts of the body or those that are saved.
    Nothing is sent or kept, and nothing of a buyer is shown."""
    sender = await call.service.mail_ways.sender()
    _, mail = await _composed(call, sender, SHOWN_TO)
    return preview_of(mail)


@endpoint(
    "POST",
    f"{_PATH}/test",
    "Send a mail to try it",
    kinds=OPERATORS,
    errors=(
        MailTextNotFound,
        MailTextInvalid,
        InvalidId,
        BookingNotFound,
        BudgetSpent,
        MailNotSent,
        OutboxClosed,
    ),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def send_test_mail(call: Call[None, TryMail]) -> SentMail:
    """Sends the mail of a preview to an address, at once and not again; what the mail server
    says is answered. An address gets ten an hour at most, and who asks may send twenty."""
    body, ways = call.body, call.service.mail_ways
    if not (await ways.sends() or has_outbox(call.engine.settings)):
        raise OutboxClosed
    sender = await ways.sender()
    try:
        mail_id, mail = await _composed(call, sender, body.email)
    except UnusableContact as error:
        raise MailNotSent(reason=str(error), retry_after_seconds=_RETRY_SECONDS) from error
    with trying_test_mail(call.service.budgets, call.caller.actor, body.email):
        try:
            async with (await ways.now()).route.opened() as send:
                await send(mail)
        except (MailRefused, MailServerAway) as error:
            raise MailNotSent(
                reason=str(error)[:300], retry_after_seconds=_RETRY_SECONDS
            ) from error
    return SentMail(str(mail_id), body.email)


async def _composed(
    call: Call[None, PreviewMail] | Call[None, TryMail], sender: FromAddress, email: str
) -> tuple[UUID, EmailMessage]:
    """The mail of the path, and its id. Raises MailTextNotFound, MailTextInvalid, InvalidId,
    InvalidRequest, BookingNotFound, UnusableContact."""
    kind, language = _named(call)
    workspace, text, booking_id = call.caller.workspace, call.body.text, call.body.booking_id
    if text is None:
        texts = await call.service.mail_texts.of(workspace, seconds=0.0)
        text = texts.get((kind, language), OURS)
    check_text(kind, text)
    if is_notice(kind) and booking_id is not None:
        raise InvalidRequest("mails of this kind are about no booking", field="booking_id")
    profile = (await call.service.merchants.of(workspace)).profile
    now = call.engine.clock.now()
    shown = (
        sample_booking(language, now, profile.time_zone or _UTC, profile.currency or _EUROS)
        if booking_id is None
        else await _shown(call, booking_id)
    )
    letterhead = await call.service.letterheads.of(workspace)
    shop = call.engine.settings.public_url.rstrip("/")
    if is_notice(kind):
        # As in the mails themselves: who waits has a page in the default workspace's shop alone.
        has_page = call.engine.settings.box_office and has_pages(workspace)
        part = ShopsPart(letterhead, text, f"{shop}/#sample" if has_page else None)
        notice = sample_notice(kind, language, shown, email=email, part=part, at=now)
        return notice.mail_id, compose_notice(notice, sender)
    matter = previewed(
        kind,
        language,
        shown,
        email=email,
        text=text,
        letterhead=letterhead,
        link=f"{shop}/bookings",
        at=now,
    )
    return matter.mail_id, compose(matter, sender)


async def _shown(call: Call[None, object], booking_id: str) -> ShownBooking:
    """What a preview shows of a booking of the caller's workspace. Raises InvalidId,
    BookingNotFound."""
    number = ids.parse(ids.BOOKING, booking_id)
    if await call.others([ids.home_of(number)]):
        raise BookingNotFound(booking_id=booking_id)
    booking = await call.engine.get_booking(booking_id)
    numbers = {ids.parse_resource(line.resource_id) for line in booking.lines}
    ready = await call.engine.ready_resources.get_many(sorted(numbers), None)
    things = {one.resource.id: mail_resource(one) for one in ready.values()}
    amount = Money(booking.amount.amount, booking.amount.currency)
    return ShownBooking(code=booking.code, lines=booking.lines, things=things, amount=amount)


def mail_resource(ready: ReadyResource) -> MailResource:
    """A resource as a preview has it."""
    resource = ready.resource
    starts_at = None if resource.starts_at is None else resource.starts_at.isoformat()
    return MailResource(
        resource.name,
        resource.time_zone,
        starts_at,
        resource.translations,
        venue=location_of(ready),
        stops=_stops_of(ready.resource.plan),
    )


def _stops_of(plan: Plan) -> dict[str, str]:
    """The names of the stops of a run, by their codes."""
    if not isinstance(plan, LegsPlan):
        return {}
    return {stop.code: stop.name or stop.code for stop in plan.stops}


def _named(call: Call[object, object]) -> tuple[MailKind, Language]:
    """The kind of mail and the language of a path. Raises MailTextNotFound."""
    kind, language = call.path["kind"], call.path["language"]
    if kind not in _KINDS or language not in locales.LANGUAGES:
        raise MailTextNotFound(kinds=list(_KINDS), languages=list(locales.LANGUAGES))
    return kind, cast("Language", language)


def _languages() -> list[Language]:
    return [cast("Language", one) for one in locales.LANGUAGES]


def _view(kind: MailKind, language: Language, kept: KeptText | None) -> MailTextView:
    return MailTextView(
        kind=kind,
        language=language,
        version=NOTHING if kept is None else kept.version,
        text=None if kept is None else kept.text,
        our_subject=our_subject(kind, language),
        placeholders=list(placeholders_of(kind)),
    )
