"""Waitlists as operators keep them: set up, changed, read and ended. The base of the verbs of those
who wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args
from uuid import UUID, uuid4

import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.actors import acting
from bespeak.arguments import checked
from bespeak.errors import (
    InvalidRequest,
    ResourceNotFound,
    VersionMismatch,
)
from bespeak.inventory.resources import ReadyResource
from bespeak.postgres.queries import load
from bespeak.reservations.judgement import resource_in
from bespeak.waitlists.errors import (
    ResourceHasWaitlist,
    WaitlistClosed,
    WaitlistNotFound,
)
from bespeak.waitlists.outlook import Outlook, Sources, look_out
from bespeak.waitlists.waitlist import NewWaitlist, Waitlist, WaitlistChange, waitlist_of

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection
    from bespeak.reservations.verbs import Reservations

_LISTS = load("bespeak.waitlists", "waitlists.sql")
LISTED_MAX = 200


class OperatorsWaitlists:
    """What an operator does with waitlists."""

    def __init__(self, engine: Reservations) -> None:
        self._engine = engine
        self._database = engine.database

    @checked
    async def create(
        self, new: NewWaitlist, *, workspace: str | None = None, timeout: float | None = None
    ) -> Waitlist:
        """Sets a waitlist up. Its resources are of one workspace. Raises InvalidRequest,
        ResourceNotFound, ResourceHasWaitlist."""
        check_struct(new, "waitlist")
        numbers = [ids.parse_resource(one) for one in new.resource_ids]
        if len(set(numbers)) != len(numbers):
            raise InvalidRequest("a resource comes twice", field="resource_ids")
        ready = await self._ready(numbers)
        within = {one.resource.workspace for one in ready.values()}
        if len(within) > 1:
            raise InvalidRequest("the resources are of one workspace", field="resource_ids")
        if workspace is not None and within != {workspace}:
            raise ResourceNotFound(resource_id=new.resource_ids[0])
        made = uuid4()
        async with self._database.borrow() as connection, connection.transaction():
            await connection.execute(_LISTS["create"], made, within.pop(), *_settings(new))
            added = await connection.fetch(_LISTS["add_resources"], made, sorted(numbers))
            if len(added) < len(numbers):
                own = {row["resource_id"] for row in added}
                others = [ids.show_resource(one) for one in numbers if one not in own]
                raise ResourceHasWaitlist(resource_ids=others)
            return await self._list(connection, made, workspace)

    @checked
    async def update(
        self,
        waitlist_id: str,
        change: WaitlistChange,
        *,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> Waitlist:
        """Changes settings of a waitlist; who waits keeps place and lot. Raises WaitlistNotFound,
        WaitlistClosed where it has ended, VersionMismatch."""
        check_struct(change, "waitlist")
        number = ids.parse(ids.WAITLIST, waitlist_id)
        async with self._database.borrow() as connection, connection.transaction():
            await connection.execute(_LISTS["lock"], number)
            before = await self._list(connection, number, workspace)
            if change.version not in (UNSET, before.version):
                raise VersionMismatch(version=before.version)
            changed = _changed(before, change)
            state = before.state if change.state is UNSET else change.state
            row = await connection.fetchrow(_LISTS["update"], number, state, *_settings(changed))
            if row is None:
                raise WaitlistClosed("the waitlist has ended")
            return await self._list(connection, number, workspace)

    @checked
    async def end(
        self, waitlist_id: str, *, workspace: str | None = None, timeout: float | None = None
    ) -> Waitlist:
        """Ends a waitlist for good: nobody waits any more, nothing is kept. What is offered stays
        good. Repeated, it changes nothing. Raises WaitlistNotFound."""
        number = ids.parse(ids.WAITLIST, waitlist_id)
        async with self._database.borrow() as connection, connection.transaction():
            await connection.execute(_LISTS["lock"], number)
            await self._list(connection, number, workspace)
            await connection.execute(_LISTS["end"], number, acting())
            return await self._list(connection, number, workspace)

    @checked
    async def get(
        self, waitlist_id: str, *, workspace: str | None = None, timeout: float | None = None
    ) -> Waitlist:
        """Reads a waitlist. Raises WaitlistNotFound."""
        number = ids.parse(ids.WAITLIST, waitlist_id)
        async with self._database.borrow() as connection:
            return await self._list(connection, number, workspace)

    @checked
    async def of_resource(
        self, resource_id: str, *, published_only: bool = False, timeout: float | None = None
    ) -> Waitlist:
        """The waitlist that a resource is of. Raises ResourceNotFound, WaitlistNotFound."""
        number = ids.parse_resource(resource_id)
        await self._ready([number], published_only=published_only)
        async with self._database.borrow() as connection:
            found = await connection.fetchval(_LISTS["of_resource"], number)
            if found is None:
                raise WaitlistNotFound(resource_id=resource_id)
            return await self._list(connection, found, None)

    @checked
    async def list_all(
        self, *, workspace: str | None = None, timeout: float | None = None
    ) -> list[Waitlist]:
        """The newest waitlists, at most 200, of a workspace or of all."""
        async with self._database.borrow() as connection:
            rows = await connection.fetch(_LISTS["list"], workspace, LISTED_MAX)
        return [waitlist_of(row) for row in rows]

    @checked
    async def outlook(
        self,
        waitlist_id: str,
        *,
        of: Sources = "holds",
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> Outlook:
        """What would be freed by what: for the holds of a list's resources that end first, or the
        newest blocks or bookings, which parties the matcher would serve if it were gone. It
        changes nothing, and lends the list for up to two seconds. Raises WaitlistNotFound,
        InvalidRequest."""
        if of not in get_args(Sources):
            raise InvalidRequest("there is nothing of this kind", field="of")
        number = ids.parse(ids.WAITLIST, waitlist_id)
        async with self._database.borrow() as connection:
            return await look_out(self._engine, connection, number, of, workspace)

    async def _ready(
        self, numbers: list[int], *, published_only: bool = False
    ) -> dict[int, ReadyResource]:
        found = await self._engine.ready_resources.get_many(numbers, None)
        for number in numbers:
            resource_in(found, number, published_only=published_only)
        return found

    async def _list(self, connection: Connection, number: UUID, workspace: str | None) -> Waitlist:
        row = await connection.fetchrow(_LISTS["get"], number, workspace)
        if row is None:
            raise WaitlistNotFound(waitlist_id=ids.show(ids.WAITLIST, number))
        return waitlist_of(row)


def check_struct(value: msgspec.Struct, field: str) -> None:
    """Holds what was made in Python to the limits that decoding enforces for the API. Raises
    InvalidRequest."""
    try:
        msgspec.convert(msgspec.to_builtins(value), type(value))
    except (msgspec.ValidationError, TypeError) as error:
        raise InvalidRequest(f"{field}: {error}"[:300], field=field) from error


def _settings(new: NewWaitlist) -> tuple[object, ...]:
    """The settings, as the statements that write them take them."""
    return (
        new.policy,
        new.window,
        new.passes_max,
        new.decide_seconds,
        new.owner_entries_max,
        new.entries_max,
        new.party_max,
        new.freed_goes_to,
        new.exchange,
    )


def _changed(before: Waitlist, change: WaitlistChange) -> NewWaitlist:
    """The settings as they are to be."""
    fields = [name for name in NewWaitlist.__struct_fields__ if name != "resource_ids"]
    values = {name: getattr(before, name) for name in fields}
    values |= {name: getattr(change, name) for name in fields if getattr(change, name) is not UNSET}
    return NewWaitlist(resource_ids=tuple(before.resource_ids), **values)
