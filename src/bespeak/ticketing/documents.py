"""The tickets of a booking as a PDF, one page each, typeset by Typst from the template beside this
file. Names may be in any script that a font has: FiraGO, which comes along, has Latin, Greek,
Cyrillic, Arabic, Hebrew, Devanagari, Thai, Georgian and Armenian, and the fonts of the machine that
it runs on come after it. A character that no font has is printed as an empty box.
"""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
import typst
from pymupdf_fonts import FiraGO_Bold, FiraGO_Regular  # type: ignore[import-untyped]

from bespeak.inventory.resources import ReadyResource
from bespeak.reservations.holds import Booking
from bespeak.ticketing.occasions import location_of, occasion_of, written
from bespeak.ticketing.qr_codes import svg_of
from bespeak.ticketing.tickets import Ticket, count_of, range_of

_TEMPLATE = "tickets.typ"
_UNBROKEN = re.compile(r"\S{25,}")
_UNBROKEN_MAX = 24
_BREAK = "\N{ZERO WIDTH SPACE}"
# What turns the direction of all that follows, so that one text could be read as another.
_TURNS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_UNIT_NAMES = {
    "seats": "Seat",
    "nights": "Room",
    "times": "With",
    "tickets": "Number",
    "legs": "Seat",
}
_lock = threading.Lock()


class PdfPage(msgspec.Struct, frozen=True):
    """What stands on a page. Empty is what there is nothing to say of."""

    kind: str
    name: str
    when: str
    zone: str
    location: str
    section: str
    unit_name: str
    unit: str
    range: str
    number: str
    reference: str
    used: str
    qr: str


def write_pdf(
    booking: Booking, ready_resources: Mapping[str, ReadyResource], tickets: Sequence[Ticket]
) -> bytes:
    """The tickets, which must have their codes, as a PDF. It is tagged, so that it can be read
    aloud. The same tickets make the same bytes, on one machine."""
    pages = [_page(booking, ready_resources[ticket.resource_id], ticket) for ticket in tickets]
    inputs = {
        "tickets": msgspec.json.encode(pages).decode(),
        "title": f"Tickets of {booking.id}",
    }
    with _lock:  # a compiler is for one document at a time
        made = _compiler().compile(_template(), format="pdf", sys_inputs=inputs, timestamp=0)
    if not isinstance(made, bytes):
        raise TypeError("a PDF is one file")
    return made


def _page(booking: Booking, ready: ReadyResource, ticket: Ticket) -> PdfPage:
    line = booking.lines[ticket.line]
    occasion = occasion_of(ready, line)
    kind = ready.resource.plan.__struct_config__.tag
    reference = f"{booking.id}-{ticket.index}"
    return PdfPage(
        kind=printable(ready.resource.kind),
        name=printable(ready.resource.name),
        when=written(occasion, ready.zone),
        zone="" if occasion.starts_at is None else ready.zone.key,
        location=printable(location_of(ready)),
        section="" if line.unit is None else printable(ready.plan.section_of(line.unit)),
        unit_name=_UNIT_NAMES.get(str(kind), "Admits to"),
        unit=printable(line.unit or ""),
        range=printable(range_of(ready, line)) if kind == "legs" else "",
        number=f"{ticket.index} of {count_of(booking)}",
        reference=reference,
        used=_used(ticket, ready),
        qr=svg_of(ticket.code or "").decode(),
    )


def _used(ticket: Ticket, ready: ReadyResource) -> str:
    if ticket.checked_in_at is None:
        return ""
    moment = f"{ticket.checked_in_at.astimezone(ready.zone):%Y-%m-%d, %H:%M}"
    return moment if ticket.gate is None else f"{moment}, {printable(ticket.gate)}"


def printable(text: str) -> str:
    """The text without what turns its direction, and with places to break where there are none."""
    return _UNBROKEN.sub(_broken, text.translate(_TURNS))


def _broken(found: re.Match[str]) -> str:
    run = found.group()
    starts = range(0, len(run), _UNBROKEN_MAX)
    return _BREAK.join(run[start : start + _UNBROKEN_MAX] for start in starts)


@cache
def _template() -> bytes:
    return resources.files("bespeak.ticketing").joinpath(_TEMPLATE).read_bytes()


@cache
def _compiler() -> typst.Compiler:
    return typst.Compiler(font_paths=_fonts(), ignore_system_fonts=True)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where the fonts lie while this process lives: Typst takes them from files."""
    return tempfile.TemporaryDirectory(prefix="bespeak-fonts-")


def _fonts() -> typst.Fonts:
    folder = Path(_folder().name)
    for font in (FiraGO_Regular, FiraGO_Bold):
        content: bytes = font.fontbuffer
        (folder / f"{font.__name__.rpartition('.')[2]}.ttf").write_bytes(content)
    return typst.Fonts(
        include_system_fonts=True, include_embedded_fonts=False, font_paths=[str(folder)]
    )
