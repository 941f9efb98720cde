"""No page of the console shows English to an operator who reads German or Arabic: each is opened in
all languages, and whatever text is the same as on the English page must be a name that somebody
typed, or be known to be the same.
"""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import buy, fresh_show, log_in
from tests.browser.programme import (
    Programme,
    days_on,
    make_date,
    make_event,
    make_programme,
)
from tests.browser.three_languages import ThreeLanguages

SAME_IN_GERMAN = {
    *(
        "Name",
        "Status",
        "Import",
        "Scanner",
        "Shows",
        "Logo",
        "Website",
        "Codes",
        "Tickets",
        "Live",
    ),
    *("Mails", "Show", "Webhooks", "Party", "Admin", "ak"),
    *("Hotel", "Hostel", "Team"),
    *("Jan", "Feb", "Apr", "Aug", "Nov"),
}
# The name of the key, and what the test's shows are: data that reads like a word of the program.
NAMES = ("demo", "show", "stalls", "circle", "Fee", "https")
# What other tests of the same office have typed: owners, categories, windows. As whole texts, so
# that the same words in a sentence of the program are still seen.
TYPED_ELSEWHERE = {
    *("first", "accessible", "front", "premium", "recliner", "desktop", "phone", "asha", "bela")
}
MENU = (
    *("", "/start", "/shows", "/bookings", "/work", "/reports", "/programme", "/programme/venues"),
    *(
        "/stays",
        "/appointments",
        "/appointments/new",
        "/waiting-rooms",
        "/waitlists",
        "/shop-settings",
        "/mails",
        "/outbox",
        "/keys",
    ),
    "/payment-provider",
)
WORDS = [
    {"language": "de", "words": {"Fee": "Gebühr"}},
    {"language": "ar", "words": {"Fee": "رسوم"}},
]


def english_in(reader: ThreeLanguages) -> list[str]:
    """The texts that were not translated, with their pages, but for what other tests have typed."""
    return [one for one in reader.untranslated if one.rpartition(": ")[2] not in TYPED_ELSEWHERE]


def make_team(office: Office) -> str:
    """A draft of a team; its id."""
    body = {
        "name": "Zzyx",
        "time_zone": "Europe/Berlin",
        "currency": "EUR",
        "weekly": [{"from": "09:00", "to": "17:00"}],
        "providers": [{"name": "Yyzt"}],
        "services": [{"name": "Qwvx", "minutes": 30}],
    }
    return str(office.call("POST", "/v1/appointments/teams", body)["id"])


@pytest.fixture(scope="module")
def programme(office: Office) -> Programme:
    return make_programme(office)


async def reader_of(open_page: OpenPage, office: Office) -> ThreeLanguages:
    """An operator who has logged in once, and reads three languages."""
    page = await open_page()
    await log_in(page, office)
    reader = await ThreeLanguages.of(page, open_page, SAME_IN_GERMAN)
    reader.listen()
    return reader


async def test_no_page_of_the_menu_shows_english(open_page: OpenPage, office: Office) -> None:
    reader = await reader_of(open_page, office)
    for path in MENU:
        await reader.look(f"/console{path}", NAMES)
    await reader.look("/console/nowhere", NAMES, exists=False)
    assert english_in(reader) == []


async def test_no_page_of_something_shows_english(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    event = make_event(office, "Zzyx", series="Qwvx", performers=["Yyzt"])
    fee = {"fees": [{"name": "Fee", "amount": 50}]}
    date = make_date(
        office, programme, event, "seated", days_on(50), pricing=fee, translations=WORDS
    )
    show = fresh_show(office)
    booking = buy(office, show, ["A1", "A2"])
    team = make_team(office)
    waitlist = office.call("POST", "/v1/waitlists", {"resource_ids": [show]})
    reader = await reader_of(open_page, office)
    for path in (
        f"/programme/events/{event}",
        f"/programme/dates/{date}",
        f"/programme/events/{event}/new-date",
        f"/programme/halls/{programme.halls['seated']}",
        f"/shows/{show}",
        f"/bookings/{booking}",
        f"/appointments/{team}",
        f"/appointments/{team}/agenda",
        f"/waitlists/{waitlist['id']}",
        f"/waiting-rooms/new?resource={show}",
    ):
        await reader.look(f"/console{path}", NAMES)
    assert english_in(reader) == []
