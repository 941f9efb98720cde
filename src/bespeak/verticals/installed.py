"""Which verticals there are: the folders beside this module, each with its `VERTICAL`, and what
other packages offer as entry points of the group `bespeak.verticals`. One that is broken keeps a
server from starting, but not an operator from asking what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from typing import TYPE_CHECKING, NamedTuple

from bespeak import verticals
from bespeak.admission.owners import erase_owner, export_of_owner
from bespeak.postgres.migrate import Source
from bespeak.verticals.errors import VerticalBroken
from bespeak.verticals.vertical import SEAM, OwnerRecords, Vertical
from bespeak.waitlists.owners import erase_entries, export_entries

if TYPE_CHECKING:
    from bespeak.background import BackgroundWork
    from bespeak.engine import Engine

GROUP = "bespeak.verticals"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
# Schemas that are there, and what stands after /v1/ in paths of the API: a test compares.
_TAKEN = frozenset((
    "bespeak", "public", "information_schema", "accounts", "advice", "audit", "audit_log",
    "availability", "blocks", "bookings", "box_office", "budgets", "calendar_links", "calendars",
    "check_ins", "console", "demo", "desk", "docs", "erasures", "events", "holds", "internal",
    "invoices", "keys", "legal", "listings", "live", "mail_reminders", "mail_server", "mail_texts",
    "merchant", "metrics", "openapi", "operator_account", "operator_logins", "operators", "outbox",
    "overview", "payment_provider", "payments", "personal_data", "preview", "previews", "quotes",
    "refunds", "reports", "resources", "sandbox", "search", "seat_maps", "shopper_tokens", "start",
    "ticket_keys", "tickets", "waiting_rooms", "waitlist_entries", "waitlists", "webhook_endpoints",
    "webhooks", "workspaces",
))  # fmt: skip
_RESERVED_PREFIX = "pg_"
_TOLD_MAX = 300


class Verticals(NamedTuple):
    """What is installed: what can be used, ours first, each sort by name; and why the rest
    cannot."""

    usable: tuple[Vertical, ...]
    broken: tuple[VerticalBroken, ...]


def installed() -> tuple[Vertical, ...]:
    """All verticals. Raises VerticalBroken if one of them cannot be used."""
    found = look()
    if found.broken:
        raise found.broken[0]
    return found.usable


@cache
def look() -> Verticals:
    """What is installed, whatever is wrong with it."""
    usable: dict[str, Vertical] = {}
    broken: list[VerticalBroken] = []
    for entry in _offers():
        origin = _origin(entry)
        try:
            vertical = checked(_loaded(entry, origin), origin)
            if vertical.name in usable:
                raise _broken(origin, f"there is another vertical with the name {vertical.name!r}")
            usable[vertical.name] = vertical
        except VerticalBroken as error:
            broken.append(error)
    return Verticals(tuple(usable.values()), tuple(broken))


def checked(offered: object, origin: str) -> Vertical:
    """What was offered, if it is a vertical of this seam with a name that can stand in paths and in
    SQL and is nobody else's. Raises VerticalBroken."""
    if not isinstance(offered, Vertical):
        raise _broken(origin, "it is no vertical")
    if offered.seam != SEAM:
        raise _broken(origin, f"it is written for version {offered.seam} of the seam, not {SEAM}")
    if not _NAME.fullmatch(offered.name):
        raise _broken(origin, f"{offered.name[:60]!r} is no name for a vertical")
    if offered.name in _TAKEN or offered.name.startswith(_RESERVED_PREFIX):
        raise _broken(origin, f"the name {offered.name!r} is taken")
    return offered


def migration_sources() -> list[Source]:
    """The migrations of all verticals, as `migrate` and `require_migrated` take them. Raises
    VerticalBroken."""
    return sources_of(installed())


def sources_of(some: tuple[Vertical, ...]) -> list[Source]:
    """The migrations of these verticals."""
    return [
        Source(vertical.name, vertical.migrations)
        for vertical in some
        if vertical.migrations is not None
    ]


def owner_records() -> dict[str, OwnerRecords]:
    """What services and verticals keep of owners, by the names of those that do."""
    return {
        "waiting_rooms": OwnerRecords(export_of_owner, erase_owner),
        "waitlists": OwnerRecords(export_entries, erase_entries),
    } | {
        vertical.name: vertical.owner_records
        for vertical in installed()
        if vertical.owner_records is not None
    }


def background_works(engine: Engine) -> list[BackgroundWork]:
    """The background work of all verticals. Raises VerticalBroken."""
    return [
        work
        for vertical in installed()
        if vertical.works is not None
        for work in vertical.works(engine)
    ]


def _offers() -> Iterator[EntryPoint]:
    for module in sorted(iter_modules(verticals.__path__), key=lambda one: one.name):
        if module.ispkg:
            value = f"{verticals.__name__}.{module.name}:VERTICAL"
            yield EntryPoint(module.name, value, GROUP)
    yield from sorted(entry_points(group=GROUP), key=lambda one: one.name)


def _origin(entry: EntryPoint) -> str:
    """The entry point, and the package that has it."""
    package = "" if entry.dist is None else f" of {entry.dist.name} {entry.dist.version}"
    return f"{entry.value}{package}"


def _loaded(entry: EntryPoint, origin: str) -> object:
    try:
        return entry.load()
    except Exception as error:  # whatever the code of others raises
        told = " ".join(str(error).split())[:_TOLD_MAX]
        raise _broken(origin, f"{type(error).__name__}: {told}") from error


def _broken(origin: str, why: str) -> VerticalBroken:
    return VerticalBroken(f"the vertical {origin} cannot be used: {why}", vertical=origin)
