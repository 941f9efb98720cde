"""The claims that the lines of a request come to, and what a hold then shows where its lines are
more than its claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET

from bespeak.errors import DuplicateLine, InvalidRequest
from bespeak.inventory.plans import CLAIMS_MAX, LineClaims
from bespeak.lines import Line
from bespeak.reservations.lines import Shown, ShownLine
from bespeak.reservations.memory import Unit

_DRAWN_MAX = 2**31 - 1


class Claim(NamedTuple):
    """One claim of a request: a unit, or so many of a pool."""

    unit: Unit
    quantity: int | None
    capacity: int | None


def merged_claims(
    numbers: Sequence[int], all_claims: Sequence[LineClaims]
) -> tuple[list[Claim], Sequence[list[tuple[int, int]]]]:
    """The claims of all lines, each pool once with what all lines draw of it; and which of them
    each line means, nothing where each line is one claim."""
    plain = _single_claims(numbers, all_claims)
    if plain is not None:
        return plain, ()
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
    all_claims: Sequence[LineClaims],
    claims: Sequence[Claim],
    claims_of_lines: Sequence[Sequence[tuple[int, int]]],
    missing: Sequence[Line],
) -> Shown | None:
    """The lines with what each means, and what is missing of them; nothing if each is simply its
    one claim, or a number, and nothing is missing."""
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
            drawn = [(claim, 1) for claim, _ in mine if claims[claim].quantity is not None]
            numbers = [one for one in mine if claims[one[0]].quantity is None]
            shown += [ShownLine(number_line, [one, *drawn], 1) for one in numbers]
            is_plain = is_plain and not drawn
            continue
        (_, name), quantity, _ = claims[mine[0][0]]
        same = len(mine) == 1 and name == line.unit and quantity == line.quantity
        is_plain = is_plain and same and line.is_plain
        shown.append(ShownLine(line, list(mine), line_claims.weight))
    return None if is_plain and not missing else Shown(shown, list(missing))
