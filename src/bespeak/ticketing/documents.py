"""The tickets of a booking as a PDF, one page each, typeset from the template beside this file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from bespeak import locales
from bespeak.inventory.resources import ReadyResource
from bespeak.merchants.logos import Logo
from bespeak.reservations.holds import Booking
from bespeak.reservations.lines import BookedLine
from bespeak.ticketing.margins import BARE, Margin
from bespeak.ticketing.occasions import Occasion, location_of, occasion_of
from bespeak.ticketing.qr_codes import svg_of
from bespeak.ticketing.tickets import Ticket, count_of
from bespeak.ticketing.typesetting import printable, typeset
from bespeak.ticketing.wording import Wording

_TEMPLATE = "tickets.typ"
_WORDS = (
    *("section", "service", "stops", "ticket", "used", "notice"),
    *("if_cancelled", "terms", "imprint"),
)
_LOGO_HEIGHT, _LOGO_WIDTH = 16.0, 80.0
# So many find room beside the code.
_ROOMS_MAX = 16


class PdfMargin(msgspec.Struct, frozen=True):
    """What stands around every ticket. `logo` has the bytes of a PNG as numbers: JSON has no
    other way to carry them; its height is in millimetres."""

    name: str
    logo: list[int]
    logo_height: float
    reach: list[str]
    imprint: str
    terms: str
    refunds: str


class PdfRoom(msgspec.Struct, frozen=True):
    """A room of a stay that is in several, with the nights in it."""

    name: str
    nights: str


class PdfPage(msgspec.Struct, frozen=True):
    """What stands on a page. Empty is what there is nothing to say of. `rooms` are those of a stay
    that is in several; it has no `unit` then."""

    kind: str
    name: str
    when: str
    zone: str
    location: str
    section: str
    service: str
    unit_name: str
    unit: str
    rooms: list[PdfRoom]
    range: str
    number: str
    reference: str
    used: str
    picture: str
    qr: str


def write_pdf(
    booking: Booking,
    ready_resources: Mapping[str, ReadyResource],
    tickets: Sequence[Ticket],
    wording: Wording,
    margin: Margin = BARE,
) -> bytes:
    """The tickets, which must have their codes, as a PDF, with what stands around them.
    It is tagged, so that it can be read aloud. The same tickets make the same bytes, on one
    machine."""
    pages = [
        _page(booking, ready_resources[ticket.resource_id], ticket, wording) for ticket in tickets
    ]
    inputs = {
        "tickets": msgspec.json.encode(pages).decode(),
        "margin": msgspec.json.encode(_margin(margin)).decode(),
        "title": wording.said("title", booking=booking.code),
        "language": str(wording.locale.language),
        "words": msgspec.json.encode({name: wording.said(name) for name in _WORDS}).decode(),
    }
    return typeset("bespeak.ticketing", _TEMPLATE, inputs)


def _margin(margin: Margin) -> PdfMargin:
    of = margin.letterhead
    return PdfMargin(
        name=printable(of.name),
        logo=[] if of.logo is None else list(of.logo.content),
        logo_height=0.0 if of.logo is None else _height_of(of.logo),
        reach=[printable(one) for one in of.reach],
        imprint=printable(of.imprint),
        terms=printable(of.terms),
        refunds=printable(margin.refunds),
    )


def _height_of(logo: Logo) -> float:
    """As high as it may be, or less where it would be too wide."""
    return min(_LOGO_HEIGHT, _LOGO_WIDTH * logo.height / logo.width)


def _page(booking: Booking, ready: ReadyResource, ticket: Ticket, wording: Wording) -> PdfPage:
    line = booking.lines[ticket.line]
    occasion = occasion_of(ready, line)
    kind = ready.resource.plan.__struct_config__.tag
    reference = f"{booking.code} · {booking.id}-{ticket.index}"
    rooms = _rooms(ready, line, wording)
    return PdfPage(
        kind=printable(wording.kind(ready.resource.kind)),
        name=printable(wording.named(ready, ready.resource.name)),
        when=wording.when(occasion, ready.zone),
        zone=_zone_of(occasion, ready, wording),
        location=printable(wording.named(ready, location_of(ready))),
        section=""
        if line.unit is None
        else printable(wording.named(ready, ready.plan.section_of(line.unit))),
        service=printable(wording.service_of(ready, line)),
        unit_name=wording.unit(str(kind)),
        unit="" if rooms else printable(wording.named(ready, line.unit or "")),
        rooms=rooms,
        range=printable(wording.range_of(ready, line)) if kind == "legs" else "",
        number=wording.said("number", number=ticket.index, count=count_of(booking)),
        reference=reference,
        used=_used(ticket, ready, wording),
        picture=wording.said("qr", reference=reference),
        qr=svg_of(ticket.code or "").decode(),
    )


def _rooms(ready: ReadyResource, line: BookedLine, wording: Wording) -> list[PdfRoom]:
    """The rooms of a stay that is in several; an ellipsis stands for those that find no room."""
    rooms = wording.rooms_of(ready, line)
    shown = [PdfRoom(printable(one.room), one.nights) for one in rooms[:_ROOMS_MAX]]
    return shown if len(rooms) <= _ROOMS_MAX else [*shown, PdfRoom("…", "")]


def _zone_of(occasion: Occasion, ready: ReadyResource, wording: Wording) -> str:
    """What the clocks go by, where there is a time."""
    if occasion.starts_at is None:
        return ""
    return locales.zone_name(occasion.starts_at, ready.zone, wording.locale)


def _used(ticket: Ticket, ready: ReadyResource, wording: Wording) -> str:
    if ticket.checked_in_at is None:
        return ""
    moment = locales.moment(ticket.checked_in_at, ready.zone, wording.locale, "short")
    if ticket.gate is None:
        return moment
    return wording.said("between").join((moment, printable(ticket.gate)))
