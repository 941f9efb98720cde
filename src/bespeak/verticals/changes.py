"""Changes of what an operator said before: the fields that a change names, over those that were;
what a vertical's resource takes over of them; and the transaction that both are written in.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

import msgspec

from bespeak.inventory.resources import NewResource, ResourceChange

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

# What of every resource is as its row of the vertical says it.
_OF_ALL = (
    *("name", "plan", "hold_seconds", "hold_seconds_max", "owner_limit", "price", "pricing"),
    *("attributes", "translations", "questions"),
)
_Said = TypeVar("_Said", bound=msgspec.Struct)


def with_changes(said: _Said, change: msgspec.Struct) -> _Said:
    """What was said, with the fields that the change names."""
    given = {
        field: value
        for field in said.__struct_fields__
        if (value := getattr(change, field, msgspec.UNSET)) is not msgspec.UNSET
    }
    return msgspec.structs.replace(said, **given)


def resource_change(
    resource: NewResource, own: ResourceChange, more: Sequence[str] = ()
) -> ResourceChange:
    """A change with the fields of how the resource would be made now (`more` of them where its
    vertical says these too), beside those of the change itself."""
    fields = {field: getattr(resource, field) for field in (*_OF_ALL, *more)}
    return msgspec.structs.replace(own, **fields)


@asynccontextmanager
async def writing(engine: Engine) -> AsyncIterator[Connection]:
    """A connection in a transaction of its own: a resource and its row, or neither."""
    async with engine.database.borrow() as connection, connection.transaction():
        yield connection
