"""Guests of a stay: how many, which of them are children, and how they are dealt out to its rooms.
However a stay is dealt out, what its guests cost stays the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from bespeak.lines import Line

COT_UNDER = 3
"""A child below this age can sleep in a cot: it needs no place among the guests of a room then."""


class Party(NamedTuple):
    """So many guests, with the ages of the children among them, the oldest first."""

    guests: int
    ages: tuple[int, ...] = ()

    @property
    def small(self) -> int:
        """How many of them can sleep in a cot."""
        return sum(age < COT_UNDER for age in self.ages)

    def in_beds(self, cots: int) -> int:
        """How many of them there are beside those who sleep in so many cots."""
        return self.guests - min(self.small, cots)

    def dealt(self, rooms: int) -> list[Party]:
        """The guests of each room: one after the other, adults first and then the oldest children.
        So each room has as many of them as another, or one more."""
        everyone = [*[None] * (self.guests - len(self.ages)), *self.ages]
        return [_of(everyone[room::rooms]) for room in range(rooms)]


def party_of(line: Line) -> Party | None:
    """The guests of a line, where it says how many."""
    if line.guests is UNSET:
        return None
    ages = () if line.ages is UNSET else tuple(sorted(line.ages, reverse=True))
    return Party(line.guests, ages)


def with_party(line: Line, party: Party | None) -> Line:
    """The line with these guests, and no others."""
    guests = UNSET if party is None else party.guests
    ages = party.ages if party is not None and party.ages else UNSET
    if line.guests == guests and line.ages == ages:
        return line
    return msgspec.structs.replace(line, guests=guests, ages=ages)


def of_rooms(line: Line, first: int, count: int) -> Line:
    """So many of a line's rooms from this one on, with their guests."""
    party = party_of(line)
    if party is not None:
        party = _together(party.dealt(line.quantity or 1)[first : first + count])
    return with_party(msgspec.structs.replace(line, quantity=count), party)


def _of(everyone: Sequence[int | None]) -> Party:
    return Party(len(everyone), tuple(age for age in everyone if age is not None))


def _together(parties: Sequence[Party]) -> Party:
    ages = sorted((age for party in parties for age in party.ages), reverse=True)
    return Party(sum(party.guests for party in parties), tuple(ages))
