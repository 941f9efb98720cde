"""The groups of calls in the OpenAPI documents. Those of the public one may be relied on; internal
ones are for the pages of this server, and may change with them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tag:
    """A group of calls, and what they are for."""

    name: str
    description: str
    is_internal: bool = False


HOLDS = Tag("Holds", "Take units for some minutes: all of them, or none.")
BOOKINGS = Tag("Bookings", "Confirm holds, with their payment, and give bookings back.")
PAYMENTS = Tag("Payments", "How payments and refunds stand, and what providers tell of them.")
WAITLISTS = Tag("Waitlists", "Wait for what is sold out, and be offered what comes back.")
QUOTES = Tag("Quotes", "What lines would cost.")
AVAILABILITY = Tag("Availability", "What is free, and why the rest is not.")
RESOURCES = Tag("Resources", "What is sold: plans, prices, blocks, calling off.")
LIVE = Tag("Live", "What happens to a resource, as it happens.")
CALENDARS = Tag("Calendars", "Resources as iCalendar files, and blocks from them.")
TICKETS = Tag("Tickets", "Tickets of bookings, and who came in with them.")
INVOICES = Tag("Invoices", "Invoices and credit notes, and who they are for.")
WAITING_ROOMS = Tag("Waiting rooms", "The queue before a sale, and the pass for whose turn it is.")
MERCHANT = Tag("Merchant", "Who sells: name, logo, colour, legal texts.")
WEBHOOKS = Tag("Webhooks", "Where events are sent, and what became of each.")
EVENTS = Tag("Events", "The feed of every change, from cursor to cursor.")
PERSONAL_DATA = Tag("Personal data", "What is known of an owner, and its erasure.")
KEYS = Tag("Keys", "Keys of the API, and tokens with which shoppers speak for themselves.")
OPERATORS = Tag("Operators", "The people at the console, and what they may.")
INSTALLATION = Tag("Installation", "Whether the server is there and can work, and its metrics.")
SANDBOX = Tag("Sandbox", "Payments for trying, where the sandbox is set up.")

BOX_OFFICE = Tag("Box office", "What the pages of the shop ask for.", is_internal=True)
CONSOLE = Tag("Console", "What the pages of the console ask for.", is_internal=True)
EDITOR = Tag("Editor", "What the editor of seat maps asks for.", is_internal=True)
DEMO = Tag("Demo", "Only the demo has this.", is_internal=True)
PAGES = Tag("Pages", "Pages for people, and these documents.", is_internal=True)
# What a call has until its table says which.
UNTAGGED = Tag("Untagged", "In no group.", is_internal=True)
