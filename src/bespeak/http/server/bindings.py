"""Where a key is bound: to some resources, or to a place of a vertical. Each call of such a key
says what it is about, and is let through only where all of that is the key's. This is the one
check; a call that does not say what it is about is closed to bound keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.cache import Cache
from bespeak.errors import InvalidRequest
from bespeak.http.server.errors import KeyBound
from bespeak.inventory.workspaces import DEFAULT
from bespeak.postgres.queries import load
from bespeak.verticals.installed import installed
from bespeak.verticals.vertical import Places, Vertical

if TYPE_CHECKING:
    from uuid import UUID

    from bespeak.http.server.keys import ApiKey
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.http.server", "bindings.sql")
_TRUST_SECONDS = 5.0
_CACHED_MAX = 10_000


class Subject(NamedTuple):
    """What a call is about: resources by their ids, and a hold or booking, a payment, a refund or
    an invoice by its id, which is then looked up for the resources of its hold; or all of a place,
    by the name of its vertical, a slash and its id."""

    resources: Sequence[str] = ()
    hold: str | None = None
    booking: str | None = None
    payment: str | None = None
    refund: str | None = None
    invoice: str | None = None
    place: str | None = None


class Bindings:
    """What is within the bounds of keys. Membership of a place is remembered for some seconds, as
    keys are."""

    def __init__(self, database: Database, verticals: Sequence[Vertical]) -> None:
        self._database = database
        self._places = _places(verticals)
        self._within: Cache[tuple[str, str], bool] = Cache(
            seconds=_TRUST_SECONDS, size_max=_CACHED_MAX
        )

    async def check(self, key: ApiKey, subject: Subject | None) -> None:
        """Raises KeyBound for what is about others, or about nothing in particular; InvalidId.
        What does not exist is left to the call, which says so."""
        if subject is None:
            raise KeyBound("a bound key cannot do this: it is about the whole installation")
        if subject.place is not None:
            if key.place != subject.place:
                raise KeyBound("a bound key sees all of its own place only")
            return
        resources = [*subject.resources, *await self._resources_of(subject)]
        others = set(resources) - set(key.resources or ())
        if key.place is not None:
            others = await self._outside(key.place, resources)
        if others:
            raise KeyBound(resource_id=min(others)[:60])

    async def within(self, place: str, resources: Sequence[str]) -> set[str]:
        """Which of these resources are in a place. Raises InvalidId."""
        return set(resources) - await self._outside(place, resources)

    async def _outside(self, place: str, resources: Sequence[str]) -> set[str]:
        vertical, _, place_id = place.partition("/")
        places = self._places.get(vertical)
        if places is None:  # the vertical was taken out of the installation
            return set(resources)
        unknown = [one for one in resources if self._within.peek((place, one)) is None]
        if unknown:
            await self._look(places, place, place_id, unknown)
        return {one for one in resources if self._within.peek((place, one)) is not True}

    async def _look(
        self, places: Places, place: str, place_id: str, resources: Sequence[str]
    ) -> None:
        for one in resources:
            ids.parse_resource(one)
        async with self._database.borrow() as connection:
            found = await places.resources_in(connection, place_id, resources)
        for one in resources:
            self._within.put((place, one), one in found)

    async def _resources_of(self, subject: Subject) -> list[str]:
        """The resources of the hold that this is of; none where there is no such thing."""
        found = _looked_up(subject)
        if found is None:
            return []
        name, number = found
        async with self._database.borrow() as connection:
            rows = await connection.fetch(_QUERIES[name], ids.home_of(number), number)
        return [ids.show_resource(number) for row in rows for number in row["resources"]]


async def check_place(connection: Connection, place: str, workspace: str | None) -> None:
    """Whether a key or operator of a workspace (None: there is only one) may be bound to it:
    catalogues are the default workspace's. Raises InvalidRequest."""
    vertical, _, place_id = place.partition("/")
    within = installed() if workspace in (None, DEFAULT) else ()
    places = _places(within).get(vertical)
    if places is None or not place_id or not await places.exists(connection, place_id):
        raise InvalidRequest(
            "no such place: the name of a vertical, a slash, and an id of it", field="place"
        )


def _places(verticals: Sequence[Vertical]) -> dict[str, Places]:
    return {one.name: one.places for one in verticals if one.places is not None}


def _looked_up(subject: Subject) -> tuple[str, UUID] | None:
    """Raises InvalidId."""
    named: Mapping[str, tuple[str, str | None]] = {
        ids.HOLD: ("of_hold", subject.hold),
        ids.BOOKING: ("of_hold", subject.booking),
        ids.PAYMENT: ("of_payment", subject.payment),
        ids.REFUND: ("of_refund", subject.refund),
        ids.INVOICE: ("of_invoice", subject.invoice),
    }
    for prefix, (name, text) in named.items():
        if text is not None:
            return name, ids.parse(prefix, text)
    return None
