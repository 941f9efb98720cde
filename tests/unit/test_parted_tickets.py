"""The tickets and the calendar file of a stay that is in one room after the other."""

import json
from datetime import date

import icalendar
import msgspec
import pytest

from bespeak.reservations.lines import BookedLine, LaterUnit
from bespeak.ticketing.calendars import write_booking_calendar
from bespeak.ticketing.wording import wording_for
from tests.harness.shapes import ROOMS
from tests.harness.ticketing import pages_of
from tests.unit.test_ticket_documents import BRITISH, booking, line, page, pdf, stock, tickets


def parted(*later: tuple[str, str], to: str = "2030-01-13") -> BookedLine:
    """A stay that begins in 101 on the tenth, and is in others from these days on."""
    there = tuple(LaterUnit(unit, first) for unit, first in later)
    return msgspec.structs.replace(line("101", None, "2030-01-10", to), later=there)


def test_each_room_is_named_with_its_nights() -> None:
    """On the ticket, in the words for it, and in the calendar file; the stay is one."""
    of, one = stock(ROOMS), parted(("103", "2030-01-11"), ("101", "2030-01-12"))
    found = page(of, one)
    assert (found.unit_name, found.unit) == ("Room", "")
    assert [(room.name, room.nights) for room in found.rooms] == [
        ("101", "Thu, 10 Jan 2030 to Fri, 11 Jan 2030"),
        ("103", "Fri, 11 Jan 2030 to Sat, 12 Jan 2030"),
        ("101", "Sat, 12 Jan 2030 to Sun, 13 Jan 2030"),
    ]
    assert found.when == "Thu, 10 Jan 2030 to Sun, 13 Jan 2030"
    label = "; ".join(f"{room.name}, {room.nights}" for room in found.rooms)
    (ticket,) = tickets(booking(one), of)
    assert ticket.label == label
    told = json.loads(msgspec.json.encode(ticket))
    assert (told["unit"], told["later"]) == (
        "101",
        [{"unit": "103", "from": "2030-01-11"}, {"unit": "101", "from": "2030-01-12"}],
    )
    (whole,) = tickets(booking(line("101", None, "2030-01-10", "2030-01-13")), of)
    assert b"later" not in msgspec.json.encode(whole)
    content = write_booking_calendar(booking(one), {of.resource.id: of}, BRITISH)
    (event,) = icalendar.Calendar.from_ical(content).walk("VEVENT")
    assert str(event["DESCRIPTION"]).splitlines()[0] == label
    assert b"DTSTART;VALUE=DATE:20300110" in content and b"DTEND;VALUE=DATE:20300113" in content


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_stay_in_many_rooms_is_a_page(language: str) -> None:
    """With the longest names, in another room each night: the last find no room, and are said to be
    more."""
    names = ("101", "W" * 60)
    later = [(names[day % 2], str(date(2030, 1, 10 + day))) for day in range(1, 20)]
    of, one, wording = stock(ROOMS), parted(*later, to="2030-01-30"), wording_for(language)
    assert pages_of(pdf(of, one, wording=wording)) == 1
    found = page(of, one, wording=wording).rooms
    assert (len(found), found[-1].name, found[-1].nights) == (17, "…", "")
