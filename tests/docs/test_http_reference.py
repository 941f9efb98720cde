"""Every call of the API is documented as it is: keys, status, body, query, errors."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest

from bespeak.feed.timeline import Timeline
from bespeak.http.api.booking_lists import BookingView
from bespeak.http.api.box_office import BoxOfficeSession
from bespeak.http.api.console import ConsoleSessionView
from bespeak.http.api.holds import HoldView
from bespeak.http.api.merchants import MerchantView
from bespeak.http.endpoints import ALL_ENDPOINTS
from bespeak.http.server.asgi import KNOWN_HEADERS
from bespeak.http.server.audit_log import AuditEntry
from bespeak.http.server.endpoint import BROWSERS, Endpoint
from bespeak.http.server.keys import PREFIXES, ApiKey
from bespeak.http.server.scopes import ANY_SCOPE
from bespeak.inventory.audit import Audit
from bespeak.inventory.blocks import Block
from bespeak.inventory.shapes.seats.availability import SeatsAvailability
from bespeak.notifications.webhooks.deliveries import WebhookDelivery
from bespeak.notifications.webhooks.endpoints import WebhookEndpoint
from bespeak.overview.figures import Overview
from bespeak.overview.resource_lists import ResourceFigures
from bespeak.payments.payment import Payment
from bespeak.payments.refunds.call_off import CalledOff
from bespeak.payments.refunds.owed import RefundQuote
from bespeak.payments.refunds.record import Refund
from bespeak.verticals.appointments import views as appointments
from bespeak.verticals.cinema import views as cinema
from bespeak.verticals.installed import installed
from bespeak.verticals.programme import views as programme
from bespeak.verticals.stays import views as stays
from bespeak.verticals.stays.ratings.views import GuestComment, StayRating
from bespeak.verticals.vertical import ImportReport
from tests.docs.pages import DOCS, code, rows, sections

PAGE = DOCS / "reference" / "http.md"
CALLS = ALL_ENDPOINTS
# The calls of each vertical have a page of their own.
PAGES = {one.title: DOCS / "reference" / f"{one.name}.md" for one in installed()}
SECTIONS = {title: text for page in (PAGE, *PAGES.values()) for title, text in sections(page)}
VIEWS: dict[str, type[msgspec.Struct]] = {
    "Refund": Refund,
    "Refund quote": RefundQuote,
    "Calling off": CalledOff,
    "Hold": HoldView,
    "Booking": BookingView,
    "Payment": Payment,
    "Availability": SeatsAvailability,
    "Audit": Audit,
    "Timeline": Timeline,
    "Block": Block,
    "Key": ApiKey,
    "Merchant": MerchantView,
    "Audit entry": AuditEntry,
    "Guest session": BoxOfficeSession,
    "Console session": ConsoleSessionView,
    "Overview": Overview,
    "Resource figures": ResourceFigures,
    "Webhook endpoint": WebhookEndpoint,
    "Webhook delivery": WebhookDelivery,
    "City": cinema.City,
    "Film": cinema.Film,
    "Show": cinema.Show,
    "Cinema": cinema.Cinema,
    "Screen": cinema.Screen,
    "Report": ImportReport,
    "Venue": programme.Venue,
    "Hall": programme.Hall,
    "Production": programme.Production,
    "Performance": programme.Performance,
    "Team": appointments.Team,
    "Free days": appointments.FreeDays,
    "Agenda": appointments.Agenda,
    "Appointment": appointments.Appointment,
    "Property": stays.Property,
    "Listing": stays.Listing,
    "Calendar": stays.Calendar,
    "Search answer": stays.SearchAnswer,
    "Found listing": stays.FoundListing,
    "Found property": stays.FoundProperty,
    "Facets": stays.StayFacets,
    "Town": stays.StayPlace,
    "Rating": StayRating,
    "Comment": GuestComment,
}
WORDS = {"key_..."}  # what stands between backquotes without being a field


def name(endpoint: Endpoint) -> str:
    return f"{endpoint.method} {endpoint.path}"


def page_of(endpoint: Endpoint) -> Path:
    return PAGES.get(endpoint.tag.name, PAGE)


def test_every_call_is_documented_and_no_other() -> None:
    for page in (PAGE, *PAGES.values()):
        titles = (title for title, _ in sections(page))
        documented = {title.strip("`") for title in titles if re.match(r"`[A-Z]+ /", title)}
        assert documented == {name(endpoint) for endpoint in CALLS if page_of(endpoint) == page}


def scopes_told(endpoint: Endpoint) -> set[str]:
    """The scopes that its documentation lists: where any will do, none."""
    return set() if endpoint.scopes == ANY_SCOPE else set(endpoint.scopes)


@pytest.mark.parametrize("endpoint", CALLS, ids=name)
def test_a_call_is_documented_as_it_is(endpoint: Endpoint) -> None:
    text = SECTIONS[f"`{name(endpoint)}`"]
    said = dict(re.findall(r"^- (Keys|Scopes|Answers|Errors): (.*)$", text, re.MULTILINE))

    kinds = {f"{PREFIXES[kind]}_" for kind in endpoint.kinds}
    assert set(code(said["Keys"])) == kinds
    assert ("shopper token" in said["Keys"]) == endpoint.needs_shopper
    assert set(code(said.get("Scopes", ""))) == scopes_told(endpoint)
    assert (said.get("Scopes") == "any") == (endpoint.scopes == ANY_SCOPE)
    assert (" and " in said.get("Scopes", "")) == endpoint.needs_all_scopes
    assert said["Answers"].startswith(f"{endpoint.status},")
    for status, _ in endpoint.other_statuses:
        assert str(status) in said["Answers"]
    assert set(code(said.get("Errors", ""))) == {error.code for error in endpoint.errors}
    assert ("- Repeatable with `Idempotency-Key`" in text) == endpoint.repeatable


@pytest.mark.parametrize("endpoint", CALLS, ids=name)
def test_the_fields_of_a_call_are_documented(endpoint: Endpoint) -> None:
    text = SECTIONS[f"`{name(endpoint)}`"]
    for kind, struct in (("body", endpoint.body), ("query", endpoint.query)):
        assert _fields(text, f"{kind} field") == _of(struct)


def _of(struct: type[msgspec.Struct] | None) -> dict[str, bool]:
    """The fields of a struct, and whether they are needed."""
    if struct is None:
        return {}
    return {field.encode_name: field.required for field in msgspec.structs.fields(struct)}


def _fields(text: str, head: str) -> dict[str, bool]:
    found: dict[str, bool] = {}
    inside = False
    for cells in rows(text):
        if cells[0].endswith("field"):
            inside = cells[0] == head
        elif inside:
            found[code(cells[0])[0]] = "(needed)" in cells[0]
    return found


@pytest.mark.parametrize("title", VIEWS)
def test_an_answer_is_documented_as_it_is(title: str) -> None:
    text = SECTIONS[title]
    named = set(code("\n".join(row[0] for row in rows(text)[1:])) or code(text))
    shown = set(VIEWS[title].__struct_encode_fields__) - {"replayed"}  # which is told in a header
    if (tag := VIEWS[title].__struct_config__.tag_field) is not None:
        shown.add(tag)
    assert named & shown == shown
    assert named - shown <= WORDS


OF_INSTALLATION = (
    "the call is about the [whole installation](../guides/workspaces.md), and the key is of a "
    "workspace"
)


OF_LINK = (
    "a [link](../guides/box-office.md#links-in-mails) of the booking may stand for a shopper token"
)
OF_WAITLIST_LINK = (
    "a [link](../guides/waitlist.md#links-in-mails) to an entry of a waitlist may stand for a "
    "shopper token"
)
OF_GUESSES = (
    "a guest may, and it names a hold, a booking, a payment or a refund, which may be another's"
)
OF_ELEMENTS = (
    "the same, and the key is not that of its elements ([of many](#post-v1holdsbatch) an item "
    "answers it)"
)
BY_DECLARATION: Mapping[str, Callable[[Endpoint], bool]] = {
    OF_INSTALLATION: lambda endpoint: endpoint.is_of_installation,
    "a key is needed": lambda endpoint: bool(endpoint.kinds),
    "a key is needed, and it is no `GET`": lambda endpoint: (
        bool(endpoint.kinds) and endpoint.method != "GET"
    ),
    "keys of some kind may not": lambda endpoint: (
        bool(endpoint.kinds) and endpoint.kinds != BROWSERS
    ),
    "a `pk_` key may, and a shopper token is needed or was sent": lambda endpoint: (
        endpoint.kinds == BROWSERS
    ),
    OF_LINK: lambda endpoint: endpoint.booking_link_opens,
    OF_WAITLIST_LINK: lambda endpoint: endpoint.waitlist_link_opens,
    "the call takes a proof, and an operator makes it": lambda endpoint: endpoint.needs_proof,
    OF_GUESSES: lambda endpoint: endpoint.can_be_guessed,
    "there is a body": lambda endpoint: endpoint.body is not None,
    "the body is read as it came": lambda endpoint: endpoint.takes_raw,
    "there is a query": lambda endpoint: endpoint.query is not None,
    "the call is repeatable and has an `Idempotency-Key`": lambda endpoint: endpoint.repeatable,
    OF_ELEMENTS: lambda endpoint: endpoint.repeatable and not endpoint.repeats_elements,
}


def test_the_common_errors_are_documented() -> None:
    said = {row[0]: set(code(row[1])) for row in rows(SECTIONS["Errors that any call may answer"])}
    for endpoint in CALLS:
        expected = {error.code for error in endpoint.errors} | said["always"]
        for words, applies in BY_DECLARATION.items():
            if applies(endpoint):
                expected |= said[words]
        assert {error.code for error in endpoint.all_errors()} == expected, name(endpoint)


def test_the_headers_that_are_read_are_documented() -> None:
    documented = {code(row[0])[0].lower() for row in rows(SECTIONS["Headers"])[1:]}
    read = {header.decode() for header in KNOWN_HEADERS}
    assert read - {"content-type", "content-length"} <= documented
