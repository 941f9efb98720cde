"""The tickets as documents: whatever a name says, a page each, and no name is a command."""

import string
import xml.etree.ElementTree as ET
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from zoneinfo import ZoneInfo

import icalendar
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType
from PIL import Image

from bespeak import Booking, ids, locales
from bespeak.inventory.resources import NewResource, ReadyResource, Resource, ready_resource
from bespeak.merchants.letterheads import Letterhead
from bespeak.merchants.logos import Logo
from bespeak.money import Money
from bespeak.reservations.lines import BookedLine
from bespeak.states import BookingState
from bespeak.ticketing import documents
from bespeak.ticketing.calendars import write_booking_calendar
from bespeak.ticketing.documents import PdfPage, write_pdf
from bespeak.ticketing.keys import TicketKeys, new_key
from bespeak.ticketing.margins import Margin
from bespeak.ticketing.occasions import Occasion
from bespeak.ticketing.qr_codes import svg_of
from bespeak.ticketing.tickets import Maker, Ticket, Use, count_of, places_of
from bespeak.ticketing.typesetting import printable
from bespeak.ticketing.wording import Wording, wording_for
from bespeak.translations import Translation
from tests.harness.clock import START
from tests.harness.seeds import examples
from tests.harness.shapes import (
    CLINIC,
    FESTIVAL,
    PRACTICE,
    ROOM_TYPE,
    ROOMS,
    THEATRE,
    TRAIN,
    Shape,
)
from tests.harness.ticketing import pages_of

KEYS = TicketKeys({1: new_key()})
NUMBER = 7
BRITISH = wording_for("en-GB")


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
    rate: str | UnsetType = UNSET,
) -> BookedLine:
    number = ids.show_resource(NUMBER)
    return BookedLine(number, unit, quantity, cancelled, from_=from_, to=to, rate=rate)


def booking(*lines: BookedLine) -> Booking:
    return Booking(
        id=ids.show(ids.BOOKING, ids.IdMaker().new(NUMBER)),
        hold_id="hold_",
        code="7K3M-Q2XD",
        state=BookingState.CONFIRMED,
        owner="asha",
        lines=list(lines),
        amount=Money(0, "EUR"),
        confirmed_at=START,
    )


def tickets(
    made: Booking,
    of: ReadyResource,
    uses: dict[int, Use] | None = None,
    wording: Wording = BRITISH,
) -> list[Ticket]:
    return Maker(made, {of.resource.id: of}, uses or {}, KEYS, wording).page(0, 100).items


def pdf(of: ReadyResource, *lines: BookedLine, wording: Wording = BRITISH) -> bytes:
    made = booking(*lines)
    return write_pdf(made, {of.resource.id: of}, tickets(made, of, wording=wording), wording)


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


def png(width: int, height: int) -> bytes:
    written = BytesIO()
    Image.new("RGB", (width, height), "green").save(written, "PNG")
    return written.getvalue()


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("size", [(640, 320), (640, 1), (1, 320)])
def test_whoever_sells_a_ticket_stays_a_page(size: tuple[int, int], language: str) -> None:
    """All of it as long as it may be."""
    of = stock(FESTIVAL, name="x" * 200, attributes={"location": "y" * 300})
    head = Letterhead(
        name="W" * 80,
        logo=Logo("0" * 32, png(*size), *size),
        email=f"{'d' * 240}@b.example",
        phone="+49 30 1234-0",
        address=("Am Ufer 3",) * 30,
        imprint=f"https://b.example/{'x' * 480}",
        terms=f"https://b.example/{'x' * 480}",
    )
    made, wording = booking(line("floor", 1)), wording_for(language)
    margin = Margin(head, "Full refund until then; " * 20)
    content = write_pdf(
        made, {of.resource.id: of}, tickets(made, of, wording=wording), wording, margin
    )
    assert pages_of(content) == 1


def test_the_calendar_names_who_sells_and_what_cancelling_gives_back() -> None:
    of = stock(THEATRE, starts_at=START + timedelta(days=1))
    made = booking(line("A1"))
    head = Letterhead(name='Lantern "X"', email="desk@b.example", terms="https://b.example/terms")
    content = write_booking_calendar(made, {of.resource.id: of}, BRITISH, Margin(head, "No refund"))
    (event,) = icalendar.Calendar.from_ical(content).walk("VEVENT")
    assert str(event["ORGANIZER"]) == "mailto:desk@b.example"
    assert "Lantern" in event["ORGANIZER"].params["CN"]
    told = str(event["DESCRIPTION"])
    assert "If you cancel: No refund\nTerms: https://b.example/terms\nLantern" in told


def test_a_page_for_each_ticket_and_the_same_bytes_again() -> None:
    of = stock(THEATRE, name="Dream")
    made = booking(line("A1"), line("A2"), line("floor", 3))
    stocks = {of.resource.id: of}
    content = write_pdf(made, stocks, tickets(made, of), BRITISH)
    assert pages_of(content) == 5
    assert write_pdf(made, stocks, tickets(made, of), BRITISH) == content


def test_it_can_be_read_aloud() -> None:
    """Tagged, with a language and with words for the picture."""
    content = pdf(stock(THEATRE), line("A1"))
    assert b"/Marked true" in content and b"/Lang" in content and b"/StructTreeRoot" in content


def page(
    of: ReadyResource, one: BookedLine, used: Use | None = None, wording: Wording = BRITISH
) -> PdfPage:
    made = booking(one)
    (ticket, *_) = tickets(made, of, {} if used is None else {1: used})
    return documents._page(made, of, ticket, wording)


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
    assert found.when == "Fri, 5 Jul 2030, 20:00 to Sat, 6 Jul 2030, 00:30"
    assert (found.zone, found.location, found.number) == (
        "Central European Summer Time",
        "Palais",
        "1 of 1",
    )
    assert found.used == ""
    assert page(of, line("C1"), Use(START, "North")).used == "Tue, 1 Jan 2030, 13:00, North"
    assert page(of, line("C1"), Use(START, None)).used == "Tue, 1 Jan 2030, 13:00"


@pytest.mark.parametrize(
    ("shape", "one", "when", "range_", "label"),
    [
        (
            ROOMS,
            line("101", None, "2030-01-10", "2030-01-13"),
            "Thu, 10 Jan 2030 to Sun, 13 Jan 2030",
            "",
            "101, Thu, 10 Jan 2030 to Sun, 13 Jan 2030",
        ),
        (
            ROOM_TYPE,
            line(None, 2, "2030-01-10", "2030-01-11"),
            "Thu, 10 Jan 2030 to Fri, 11 Jan 2030",
            "",
            "Thu, 10 Jan 2030 to Fri, 11 Jan 2030, 1 of 2",
        ),
        (
            CLINIC,
            line("dr-rao", None, "2030-01-02T09:00:00+05:30"),
            "Wed, 2 Jan 2030, 09:00",
            "",
            "dr-rao, Wed, 2 Jan 2030, 09:00",
        ),
        (
            TRAIN,
            line("S1", None, "A", "C"),
            "Sat, 5 Jan 2030, 08:00 to 10:00",
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


def test_an_appointment_names_its_service_in_the_language_of_who_has_it() -> None:
    words = (Translation("de", {"First": "Erstgespräch", "dr-rao": "Dr. Rao"}),)
    of = stock(PRACTICE, translations=words)
    one = line("dr-rao", None, "2030-01-02T09:00:00+01:00", rate="First")
    found = page(of, one, wording=wording_for("de"))
    assert (found.service, found.unit_name, found.unit) == ("Erstgespräch", "Bei", "Dr. Rao")
    (ticket,) = tickets(booking(one), of)
    assert ticket.label == "First, dr-rao, Wed, 2 Jan 2030, 09:00"
    room = line("101", None, "2030-01-10", "2030-01-11", rate="Not refundable")
    assert page(stock(ROOMS), room).service == ""


def test_an_appointment_with_long_names_is_a_page() -> None:
    of = stock(PRACTICE, name="x" * 100)
    one = line("W" * 100, None, "2030-01-02T09:00:00+01:00", rate="W" * 100)
    assert pages_of(pdf(of, one)) == 1


def test_places_of_a_class_are_told_with_their_service() -> None:
    one = line("dr-rao", 3, "2030-01-02T09:00:00+01:00", "2030-01-02T10:00:00+01:00", rate="First")
    of = stock(PRACTICE)
    content = write_booking_calendar(booking(one), {of.resource.id: of}, BRITISH)
    (event,) = icalendar.Calendar.from_ical(content).walk("VEVENT")
    assert str(event["DESCRIPTION"]).startswith("3 \N{MULTIPLICATION SIGN} First, dr-rao\n")


def test_times_are_those_of_the_place() -> None:
    """In the night in which the clocks go back, an hour later is shown as the same hour."""
    zone = ZoneInfo("Europe/Paris")
    start = datetime(2030, 10, 27, 0, 30, tzinfo=UTC)
    occasion = Occasion(start, start + timedelta(hours=1))
    assert BRITISH.when(occasion, zone) == "Sun, 27 Oct 2030, 02:30 to 02:30"
    assert BRITISH.when(Occasion(start, start), zone) == "Sun, 27 Oct 2030, 02:30"
    assert BRITISH.when(Occasion(), zone) == ""
    assert BRITISH.when(Occasion(date(2030, 1, 1)), zone) == "Tue, 1 Jan 2030"


@pytest.mark.parametrize(
    ("tag", "when", "number", "unit", "used"),
    [
        (
            "en-US",
            "Fri, Jul 5, 2030, 8:00 PM to Sat, Jul 6, 2030, 12:30 AM",
            "1 of 1",
            "Seat",
            "Used",
        ),
        (
            "de",
            "Fr., 5. Juli 2030, 20:00 bis Sa., 6. Juli 2030, 00:30",
            "1 von 1",
            "Platz",
            "Benutzt",
        ),
        (
            "ar-EG",
            "من الجمعة، 5 يوليو 2030، 8:00 م إلى السبت، 6 يوليو 2030، 12:30 ص",
            "1 من 1",
            "المقعد",
            "استُخدمت",
        ),
    ],
)
def test_a_ticket_speaks_the_language_of_who_has_it(
    tag: str, when: str, number: str, unit: str, used: str
) -> None:
    of = stock(
        THEATRE,
        time_zone="Europe/Paris",
        starts_at=datetime(2030, 7, 5, 18, 0, tzinfo=UTC),
        ends_at=datetime(2030, 7, 5, 22, 30, tzinfo=UTC),
    )
    wording = wording_for(tag)
    found = page(of, line("C1"), wording=wording)
    assert found.when.replace("\u202f", " ") == when
    assert (found.number, found.unit_name, wording.said("used")) == (number, unit, used)
    assert pages_of(pdf(of, line("C1"), wording=wording)) == 1
    label = tickets(booking(line("floor", 3)), of, wording=wording)[1].label
    assert label == wording.said("between").join(("floor", number.replace("1", "{}").format(2, 3)))


def test_the_words_of_tickets_are_the_same_in_all_languages() -> None:
    def shape(table: locales.Words) -> dict[str, object]:
        return {
            name: shape(one)
            if isinstance(one, dict)
            else sorted(field for _, field, _, _ in string.Formatter().parse(str(one)) if field)
            for name, one in table.items()
        }

    said = {one: shape(locales.words("bespeak.ticketing", one)) for one in locales.LANGUAGES}
    assert said["de"] == said["en"] and said["ar"] == said["en"]


def test_a_calendar_says_where_it_is() -> None:
    attributes: dict[str, object] = {"venue": "Palais", "latitude": 48.8566, "longitude": 2.3522}
    of = stock(THEATRE, starts_at=START, attributes=attributes)
    text = write_booking_calendar(booking(line("C1")), {of.resource.id: of}, BRITISH).decode()
    assert "LOCATION:Palais\r\n" in text and "GEO:48.8566;2.3522\r\n" in text
    for wrong in ({"latitude": 91, "longitude": 0}, {"latitude": "48"}, {"longitude": True}):
        of = stock(THEATRE, starts_at=START, attributes=wrong)
        assert b"GEO" not in write_booking_calendar(
            booking(line("C1")), {of.resource.id: of}, BRITISH
        )


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
    text = write_booking_calendar(
        booking(line("standing", 1)), {of.resource.id: of}, BRITISH
    ).decode()
    names = [row.split(":")[0].split(";")[0] for row in text.replace("\r\n ", "").split("\r\n")]
    assert "ATTENDEE" not in names
    assert names.count("END") == 2
