"""Placing as the committer knows it: the statement that a batch goes to, and what each request of
it locks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bespeak.postgres.queries import load
from bespeak.reservations.committer import Arguments, BatchEntry, Verb
from bespeak.reservations.request import HoldRequestRow

_QUERIES = load("bespeak.reservations", "verbs.sql")


def _place_arguments(batch: Sequence[BatchEntry[HoldRequestRow]]) -> Arguments:
    versions = {pair for entry in batch for pair in entry.versions}
    return (
        batch[0].versions[0][0],
        [entry.request for entry in batch],
        [number for number, _ in versions],
        [version for _, version in versions],
    )


def _units(request: HoldRequestRow) -> Iterable[tuple[int, str | None]]:
    """What a request locks, its limits too; the counter of numbers as a null unit."""
    return zip(request.resources, request.units, strict=True)


PLACE = Verb(
    "place",
    _QUERIES["place_holds"],
    _place_arguments,
    things=_units,
    text_as_json=_QUERIES["place_holds_as_json"],
)
PLACE_BEHIND = Verb(
    "place",
    _QUERIES["place_holds"],
    _place_arguments,
    things=_units,
    part_max=16,  # a single hold waits for so many of batches at most, some milliseconds
)
