"""The tickets as documents: whatever a name says, a page each, and no name is a command."""

import xml.etree.ElementTree as ET
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from bespeak import Booking, ids
from bespeak.inventory.resources import NewResource, ReadyResource, Resource, ready_resource
from bespeak.money import Money
from bespeak.reservations.lines import BookedLine
from bespeak.states import BookingState
from bespeak.ticketing import documents
from bespeak.ticketing.calendars import write_booking_calendar
from bespeak.ticketing.documents import PdfPage, printable, write_pdf
from bespeak.ticketing.keys import TicketKeys, new_key
from bespeak.ticketing.occasions import Occasion, written
from bespeak.ticketing.qr_codes import svg_of
from bespeak.ticketing.tickets import Maker, Ticket, Use, count_of, places_of
from tests.harness.clock import START
from tests.harness.seeds import examples
from tests.harness.shapes import CLINIC, FESTIVAL, ROOM_TYPE, ROOMS, THEATRE, TRAIN, Shape
from tests.harness.ticketing import pages_of

KEYS = TicketKeys({1: new_key()})
NUMBER = 7


def stock(shape: Shape, **fields: object) -> ReadyResource:
    """A resource of a sample, as it is read from the database."""
    new: NewResource = shape.new(**fields)
    known = {field.name: getattr(new, field.name) for field in msgspec.structs.fields(NewResource)}
    known |= {
        "id": ids.show_resource(NUMBER),
        "price": Money(700, "EUR"),
        "version": 1,
        "created_at": START,
        "updated_at": START,
    }
    return ready_resource(Resource(**known))


def line(
    unit: str | None,
    quantity: int | None = None,
    from_: str | UnsetType = UNSET,
    to: str | UnsetType = UNSET,
    cancelled: int = 0,
) -> BookedLine:
    return BookedLine(ids.show_resource(NUMBER), unit, quantity, cancelled, from_=from_, to=to)


def booking(*lines: BookedLine) -> Booking:
    return Booking(
        id=ids.show(ids.BOOKING, ids.IdMaker().new(NUMBER)),
        hold_id="hold_",
        state=BookingState.CONFIRMED,
        owner="asha",
        lines=list(lines),
        amount=Money(0, "EUR"),
        confirmed_at=START,
    )


def tickets(made: Booking, of: ReadyResource, uses: dict[int, Use] | None = None) -> list[Ticket]:
    return Maker(made, {of.resource.id: of}, uses or {}, KEYS).page(0, 100).items


def pdf(of: ReadyResource, *lines: BookedLine) -> bytes:
    made = booking(*lines)
    return write_pdf(made, {of.resource.id: of}, tickets(made, of))


STRANGE = {
    "scripts": "محمود درويش हिन्दी ไทย שלום Ελληνικά Привет ქართული Հայերեն",
    "no font has it": "東京の夜 \U0001f3ad \ue000",
    "markup": '#import "/etc/passwd" *bold* _it_ $x$ @ref <label> `raw` \\ // /* ] } )',
    "html": "<script>alert(1)</script>&amp;\"'",
    "long": "X" * 200,
    "wide": "\N{FULLWIDTH LATIN CAPITAL LETTER W}" * 200,
    "turned": "\u202egnirts\u2066 desrever",
    "joined": "e" + "\u0301" * 199,
    "spaces": " ",
    "lines": "a\u2028b\u2029c\u0085d",
}


@pytest.mark.parametrize("name", STRANGE.values(), ids=STRANGE.keys())
def test_a_strange_name_is_a_page(name: str) -> None:
    of = stock(FESTIVAL, name=name[:200], attributes={"location": name})
    content = pdf(of, line(name[:200], 1))
    assert pages_of(content) == 1
    assert b"/JavaScript" not in content and b"/OpenAction" not in content


@settings(max_examples=examples(25), deadline=None)
@given(st.text(st.characters(codec="utf-8", categories=("L", "M", "N", "P", "S", "Z", "Cf"))))
def test_whatever_a_name_says(name: str) -> None:
    of = stock(FESTIVAL, name=(name or "x")[:200])
    assert pages_of(pdf(of, line(name[:200] or "x", 1))) == 1


def test_a_page_for_each_ticket_and_the_same_bytes_again() -> None:
    of = stock(THEATRE, name="Dream")
    made = booking(line("A1"), line("A2"), line("floor", 3))
    stocks = {of.resource.id: of}
    content = write_pdf(made, stocks, tickets(made, of))
    assert pages_of(content) == 5
    assert write_pdf(made, stocks, tickets(made, of)) == content


def test_it_can_be_read_aloud() -> None:
    """Tagged, with a language and with words for the picture."""
    content = pdf(stock(THEATRE), line("A1"))
    assert b"/Marked true" in content and b"/Lang" in content and b"/StructTreeRoot" in content


def page(of: ReadyResource, one: BookedLine, used: Use | None = None) -> PdfPage:
    made = booking(one)
    (ticket, *_) = tickets(made, of, {} if used is None else {1: used})
    return documents._page(made, of, ticket)


def test_what_stands_on_a_page() -> None:
    of = stock(
        THEATRE,
        name="Dream",
        time_zone="Europe/Paris",
        starts_at=datetime(2030, 7, 5, 18, 0, tzinfo=UTC),
        ends_at=datetime(2030, 7, 5, 22, 30, tzinfo=UTC),
        attributes={"venue": "Palais"},
    )
    found = page(of, line("C1"))
    assert (found.name, found.section, found.unit_name, found.unit) == (
        "Dream",
        "Circle",
        "Seat",
        "C1",
    )
    assert found.when == "Fri 5 Jul 2030, 20:00 to Sat 6 Jul 2030, 00:30"
    assert (found.zone, found.location, found.number) == ("Europe/Paris", "Palais", "1 of 1")
    assert found.used == ""
    assert page(of, line("C1"), Use(START, "North")).used == "2030-01-01, 13:00, North"
    assert page(of, line("C1"), Use(START, None)).used == "2030-01-01, 13:00"


@pytest.mark.parametrize(
    ("shape", "one", "when", "range_", "label"),
    [
        (
            ROOMS,
            line("101", None, "2030-01-10", "2030-01-13"),
            "Thu 10 Jan 2030 to Sun 13 Jan 2030",
            "",
            "101, Thu 10 Jan 2030 to Sun 13 Jan 2030",
        ),
        (
            ROOM_TYPE,
            line(None, 2, "2030-01-10", "2030-01-11"),
            "Thu 10 Jan 2030 to Fri 11 Jan 2030",
            "",
            "Thu 10 Jan 2030 to Fri 11 Jan 2030, 1 of 2",
        ),
        (
            CLINIC,
            line("dr-rao", None, "2030-01-02T09:00:00+05:30"),
            "Wed 2 Jan 2030, 09:00",
            "",
            "dr-rao, Wed 2 Jan 2030, 09:00",
        ),
        (
            TRAIN,
            line("S1", None, "A", "C"),
            "Sat 5 Jan 2030, 08:00 to 10:00",
            "A to C",
            "Coach 1, S1, A to C",
        ),
        (FESTIVAL, line("standing", 3), "", "", "standing, 1 of 3"),
        (THEATRE, line("floor", 1), "", "", "floor"),
    ],
    ids=lambda one: str(one) if isinstance(one, Shape) else "",
)
def test_when_and_what_it_is_for(
    shape: Shape, one: BookedLine, when: str, range_: str, label: str
) -> None:
    of = stock(shape)
    found = page(of, one)
    assert (found.when, found.range) == (when, range_)
    assert tickets(booking(one), of)[0].label == label


def test_times_are_those_of_the_place() -> None:
    """In the night in which the clocks go back, an hour later is shown as the same hour."""
    zone = ZoneInfo("Europe/Paris")
    start = datetime(2030, 10, 27, 0, 30, tzinfo=UTC)
    occasion = Occasion(start, start + timedelta(hours=1))
    assert written(occasion, zone) == "Sun 27 Oct 2030, 02:30 to 02:30"
    assert written(Occasion(start, start), zone) == "Sun 27 Oct 2030, 02:30"
    assert written(Occasion(), zone) == ""
    assert written(Occasion(date(2030, 1, 1)), zone) == "Tue 1 Jan 2030"


def test_printable_text() -> None:
    assert printable("\u202eabc\u2069") == "abc"
    assert printable("short words stay as they are") == "short words stay as they are"
    broken = printable("X" * 60)
    assert broken.replace("\u200b", "") == "X" * 60
    assert max(map(len, broken.split("\u200b"))) == 24


def test_a_qr_code_is_an_inert_picture() -> None:
    code = tickets(booking(line("A1")), stock(THEATRE))[0].code
    root = ET.fromstring(svg_of(code or "", 'x"><script>alert(1)</script>'))  # noqa: S314 (our own)
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert names == {"svg", "title", "path"}
    side = float(root.attrib["viewBox"].split()[2])
    assert side == 57 + 2 * 4  # version 10 and the quiet zone


def brute_force(lines: list[tuple[int, int]], used: set[int]) -> set[int]:
    """The cancelled tickets, one after the other: the last that is neither used nor cancelled."""
    gone: set[int] = set()
    first = 1
    for quantity, cancelled in lines:
        for _ in range(cancelled):
            left = [i for i in range(first, first + quantity) if i not in used | gone]
            gone |= set(left[-1:])
        first += quantity
    return gone


@given(
    st.lists(
        st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
        min_size=1,
        max_size=4,
    ),
    st.sets(st.integers(1, 20)),
    st.integers(0, 21),
    st.integers(1, 21),
)
def test_which_tickets_are_cancelled(
    lines: list[tuple[int, int]], used: set[int], after: int, limit: int
) -> None:
    made = booking(*(line("floor", quantity, cancelled=gone) for quantity, gone in lines))
    count = count_of(made)
    uses = {index: Use(START, None) for index in used if index <= count}
    gone = brute_force(lines, set(uses))
    found = places_of(made, uses, after, limit)
    assert list(found) == list(range(after + 1, min(count, after + limit) + 1))
    assert {i for i, place in found.items() if place.is_cancelled and i not in uses} == gone & set(
        found
    )


def test_a_calendar_takes_no_orders_from_a_name() -> None:
    attributes = {"starts_at": "2030-02-01T20:00:00Z", "location": "x\r\nATTENDEE:mailto:eve@x"}
    of = stock(FESTIVAL, name="A\u2028END:VEVENT", attributes=attributes)
    text = write_booking_calendar(booking(line("standing", 1)), {of.resource.id: of}).decode()
    names = [row.split(":")[0].split(";")[0] for row in text.replace("\r\n ", "").split("\r\n")]
    assert "ATTENDEE" not in names
    assert names.count("END") == 2
