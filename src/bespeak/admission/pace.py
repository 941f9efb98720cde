"""How many are let in: arithmetic, without a look at anything. Where a waiting room knows what
is left to buy, nobody is let in for whom nothing is left; in any case no more than can be
served.
"""

from __future__ import annotations

from typing import NamedTuple

_TRUST = 20
"""How many cases a first guess counts for, until so many are known."""
_UNITS_GUESSED = 2.0
_HOLDING_GUESSED = 0.9
_BOUGHT_GUESSED = 0.8
_CAME_GUESSED = 1.0


class Inside(NamedTuple):
    """Who is inside: those who have a pass, and of them those who have nothing held yet; and how
    many are called and may still come."""

    with_pass: int
    without_hold: int
    called: int


class Stock(NamedTuple):
    """What is left of all that the room is for: units that are free, in holds, and in holds that
    end soon. None of `free`: there is always more."""

    free: int | None
    held: int
    held_until_soon: int


class Lately(NamedTuple):
    """What was seen lately: how many of those called came; passes that ended, and how many of
    them ever held something; holds that ended, how many of them were bought, and of how many
    units they were."""

    called: int = 0
    came: int = 0
    passes: int = 0
    passes_holding: int = 0
    holds: int = 0
    holds_bought: int = 0
    units: int = 0


class Chances(NamedTuple):
    """What is expected of one person: to come when called, to hold something; how many units;
    and that a hold is bought."""

    comes: float
    holds: float
    units: float
    buys: float

    @property
    def units_a_place(self) -> float:
        """How many units somebody who waits is expected to take."""
        return self.comes * self.holds * self.units

    @staticmethod
    def of(lately: Lately) -> Chances:
        """By what was seen, the more the more was seen."""
        return Chances(
            comes=_share(lately.came, lately.called, _CAME_GUESSED),
            holds=_share(lately.passes_holding, lately.passes, _HOLDING_GUESSED),
            units=(lately.units + _UNITS_GUESSED * _TRUST) / (lately.holds + _TRUST),
            buys=_share(lately.holds_bought, lately.holds, _BOUGHT_GUESSED),
        )


class PaceBounds(NamedTuple):
    """What an operator allows: so many inside at once, and so many let in now."""

    inside_max: int
    now_max: float


def is_sold_out(stock: Stock) -> bool:
    """Whether nothing is left, and nothing held that could come back."""
    return stock.free is not None and stock.free <= 0 and stock.held <= 0


def persons_wanted(
    inside: Inside, stock: Stock | None, chances: Chances, bounds: PaceBounds
) -> float:
    """How many more may come in now. With a stock: as many as will find something, by what is
    free and what is likely to come back soon, less what those inside will still take."""
    expected_inside = inside.with_pass + inside.called * chances.comes
    wanted = min(bounds.inside_max - expected_inside, bounds.now_max)
    if stock is not None and stock.free is not None:
        coming_back = stock.held_until_soon * (1 - chances.buys)
        each = chances.units * chances.holds
        spoken_for = (inside.without_hold + inside.called * chances.comes) * each
        found = (stock.free + coming_back - spoken_for) / each
        if stock.free > 0 and not spoken_for:
            found = max(found, 1.0)  # for the last units somebody comes alone
        wanted = min(wanted, found)
    return max(0.0, wanted)


def places_called(persons: float, chances: Chances) -> int:
    """Over how many places the front moves, so that so many persons come."""
    return int(persons / chances.comes + 1e-9)


def _share(good: int, all_of_them: int, guessed: float) -> float:
    """A share, never so near to nothing that one could not divide by it."""
    return max(0.05, min(1.0, (good + guessed * _TRUST) / (all_of_them + _TRUST)))
