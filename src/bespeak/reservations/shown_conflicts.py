"""Telling refusals as people know things: conflicts of claims become ranges of rooms, providers and
seats, and errors of a line say which line.
"""

from __future__ import annotations

from collections.abc import Mapping

from bespeak import ids
from bespeak.errors import BespeakError
from bespeak.inventory.conflicts import Conflict, told
from bespeak.inventory.resources import ReadyResource


def tell_conflicts(refusal: BespeakError, ready_resources: Mapping[int, ReadyResource]) -> None:
    """Puts the conflicts of a refusal in terms of its resources' plans."""
    conflicts = refusal.data.get("conflicts")
    if not isinstance(conflicts, list):
        return
    by_resource: dict[str, list[Conflict]] = {}
    for conflict in conflicts:
        by_resource.setdefault(conflict.resource_id, []).append(conflict)
    shown: list[Conflict] = []
    for resource_id, some in by_resource.items():
        ready = ready_resources.get(ids.parse_resource(resource_id))
        shown += some if ready is None else told(some, ready)
    refusal.data["conflicts"] = shown


def tell_line(error: BespeakError, place: int) -> None:
    """Says which line of the request an error is about, by its place from 0."""
    field = error.data.get("field")
    if isinstance(field, str) and field.startswith("lines"):
        error.data["field"] = f"lines[{place}]{field[len('lines') :]}"
    error.data["line"] = place
