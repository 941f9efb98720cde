"""The claims that the lines of a request come to, and what a hold then shows where its lines are
more than its claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET

from bespeak.errors import DuplicateLine, InvalidRequest
from bespeak.inventory.plans import CLAIMS_MAX, LineClaims, Need
from bespeak.lines import Line
from bespeak.reservations.lines import Shown, ShownLine
from bespeak.reservations.memory import Unit

_DRAWN_MAX = 2**31 - 1
_RANGE_MAX = 366
# A range has its claims in order, one of each: shared, because a collector of garbage counts them.
_ONE_EACH = [(index, 1) for index in range(_RANGE_MAX)]


class Claim(NamedTuple):
    """One claim of a request: a unit, or so many of a pool."""

    unit: Unit
    quantity: int | None
    capacity: int | None


class MergedClaims(NamedTuple):
    """The claims of all lines of a request side by side: units, quantities (None: an exclusive
    unit) and capacities; and of each line which of them it means, and how many of each. Nothing
    where each line is one claim."""

    units: list[Unit]
    quantities: list[int | None]
    capacities: list[int | None]
    of_lines: Sequence[list[tuple[int, int]]]


def merged_claims(numbers: Sequence[int], all_claims: Sequence[LineClaims]) -> MergedClaims:
    """The claims of all lines, each pool once with what all lines draw of it."""
    if len(all_claims) == 1:
        merged = _range_claims(numbers[0], all_claims[0].needs)
        if merged is not None:
            return merged
    plain = _single_claims(numbers, all_claims)
    claims, of_lines = _each_once(numbers, all_claims) if plain is None else (plain, ())
    return MergedClaims(
        [claim.unit for claim in claims],
        [claim.quantity for claim in claims],
        [claim.capacity for claim in claims],
        of_lines,
    )


def _range_claims(number: int, needs: Sequence[Need]) -> MergedClaims | None:
    """The claims of one line that is a range of exclusive units, as a stay in a room is. None: it
    is another, or something is wrong with it, and `_each_once` says what."""
    count = len(needs)
    if not 1 < count <= _RANGE_MAX:
        return None
    names = [name for name, quantity, _ in needs if quantity is None and name]
    if len(set(names)) < count:
        return None
    units = [(number, name) for name in names]
    return MergedClaims(units, [None] * count, [None] * count, [_ONE_EACH[:count]])


def _each_once(
    numbers: Sequence[int], all_claims: Sequence[LineClaims]
) -> tuple[list[Claim], list[list[tuple[int, int]]]]:
    """The claims where some line is more than one, and which of them each line means."""
    claims: list[Claim] = []
    indices: dict[Unit, int] = {}
    claims_of_lines: list[list[tuple[int, int]]] = []
    for number, line_claims in zip(numbers, all_claims, strict=True):
        mine: list[tuple[int, int]] = []
        for name, quantity, capacity in line_claims.needs:
            unit = (number, name)
            # Numbers (without a name yet) are each a claim of their own.
            index = indices.get(unit) if name else None
            if index is None:
                index = indices[unit] = len(claims)
                claims.append(Claim(unit, quantity, capacity))
            elif quantity is None or name == line_claims.line.unit:
                raise DuplicateLine(units=[name])
            else:
                claims[index] = _more(claims[index], quantity)
            mine.append((index, quantity or 1))
        claims_of_lines.append(mine)
    if len(claims) > CLAIMS_MAX:
        raise InvalidRequest(
            f"the lines mean {len(claims)} claims, more than {CLAIMS_MAX}", field="lines"
        )
    return claims, claims_of_lines


def _single_claims(numbers: Sequence[int], all_claims: Sequence[LineClaims]) -> list[Claim] | None:
    """The claims of lines that each are one claim, or None when some line is more."""
    claims: list[Claim] = []
    for number, line_claims in zip(numbers, all_claims, strict=True):
        line, needs = line_claims.line, line_claims.needs
        if len(needs) != 1 or not line.is_plain:
            return None
        name, quantity, capacity = needs[0]
        if name != line.unit or quantity != line.quantity:
            return None
        claims.append(Claim((number, name), quantity, capacity))
    if len({claim.unit for claim in claims}) < len(claims):
        raise DuplicateLine(units=[claim.unit[1] for claim in claims])
    return claims


def _more(claim: Claim, quantity: int) -> Claim:
    """The claim with more drawn of it. Raises InvalidRequest."""
    drawn = (claim.quantity or 0) + quantity
    if drawn > _DRAWN_MAX:
        raise InvalidRequest(f"more than {_DRAWN_MAX} of {claim.unit[1]!r}", field="lines")
    return claim._replace(quantity=drawn)


def shown_of_claims(
    all_claims: Sequence[LineClaims], claims: MergedClaims, missing: Sequence[Line]
) -> Shown | None:
    """The lines with what each means, and what is missing of them; nothing if each is simply its
    one claim, or a number, and nothing is missing."""
    units, quantities, _, claims_of_lines = claims
    if not claims_of_lines and not missing:
        return None
    shown: list[ShownLine] = []
    is_plain = True
    for index, line_claims in enumerate(all_claims):
        line = line_claims.line
        mine = claims_of_lines[index] if claims_of_lines else [(index, line.quantity or 1)]
        if line.next is not UNSET:
            # Numbers are given out by the database: each is a line of its own, and draws one of
            # the code, if there is one.
            number_line = Line(line.resource_id, next=1, code=line.code)
            drawn = [(claim, 1) for claim, _ in mine if quantities[claim] is not None]
            numbers = [one for one in mine if quantities[one[0]] is None]
            shown += [ShownLine(number_line, [one, *drawn], 1) for one in numbers]
            is_plain = is_plain and not drawn
            continue
        first = mine[0][0]
        same = len(mine) == 1 and (units[first][1], quantities[first]) == (line.unit, line.quantity)
        is_plain = is_plain and same and line.is_plain
        shown.append(ShownLine(line, list(mine), line_claims.weight))
    return None if is_plain and not missing else Shown(shown, list(missing))
