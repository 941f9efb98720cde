"""What calls are about, for keys that are bound to some resources: read from the path, the query or
the body, as the endpoint declares it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Never, TypeAlias

from bespeak.http.server.bindings import Subject
from bespeak.http.server.call import Call

# None where a call is about the whole installation.
About: TypeAlias = Callable[[Call[Never, Never]], Subject | None]


def by_path(call: Call[Never, Never]) -> Subject | None:
    """What the path names, if it names anything that is of a resource."""
    path = call.path
    if "resource_id" in path:
        return Subject((path["resource_id"],))
    named = {
        name: path[f"{name}_id"]
        for name in ("hold", "booking", "payment", "refund", "invoice")
        if f"{name}_id" in path
    }
    return Subject(**named) if named else None


def by_name(name: str) -> About:
    """The resource that the path has by this name."""
    return lambda call: Subject((call.path[name],))


def by_place(vertical: str, name: str) -> About:
    """The place of a vertical that the path has by this name: all that is in it."""
    return lambda call: Subject(place=f"{vertical}/{call.path[name]}")


def within_bounds(call: Call[Never, Never]) -> Subject:
    """Nothing that could be out of bounds: the handler lists what is within them."""
    return Subject()


def by_query(call: Call[Never, Never]) -> Subject | None:
    """The resource that the query names; without one it is about all of them."""
    resource_id = getattr(call.query, "resource_id", None)
    return None if resource_id is None else Subject((resource_id,))
