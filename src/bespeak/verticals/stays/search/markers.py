"""What was found as markers of a map: what lies close together at its zoom is one. The cells in
which they are put together are fixed on the map of the world, so that the same is told wherever its
window is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.listings import LISTINGS_MAX

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts, Flags, Numbers
    from bespeak.verticals.stays.search.cells import Rows

MARKERS_MAX = 200
_TILE_PIXELS, _CELL_PIXELS = 256, 60
# Web Mercator is a square: it ends here, short of the poles.
_LAT_MAX = 85.051129
_PLACES = 6
_FAR = (1 << 63) - 1
# Of 32 bits each is moved to twice its place: the bits of two numbers come to lie in turn.
_SPREAD = (
    (16, 0x0000FFFF0000FFFF),
    (8, 0x00FF00FF00FF00FF),
    (4, 0x0F0F0F0F0F0F0F0F),
    (2, 0x3333333333333333),
    (1, 0x5555555555555555),
)


class MapColumns(NamedTuple):
    """What was found, side by side: latitudes and longitudes in degrees, the numbers of the
    listings, what stays cost, and in which currencies, as numbers in the order of their names."""

    degrees: Numbers
    numbers: Counts
    prices: Counts
    currencies: Counts


class Cluster(NamedTuple):
    """What lies in a cell: the middle of it, how many, the place of the cheapest of them in the
    currency that most of them have, and whether all are of one property."""

    lat: float
    lon: float
    listings: int
    cheapest: int
    is_one_house: bool


def clusters_of(
    found: MapColumns, zoom: int, is_one_house: Callable[[list[int]], bool]
) -> tuple[list[Cluster], int]:
    """From north to south and from west to east; and the zoom at which so few are left, where
    the one that was asked for has too many. Of which places all are of one property is asked only
    where all lie at one point."""
    if not len(found.numbers):
        return [], zoom
    lats, easts = found.degrees[:, 0], _easts(found)
    codes = _codes(lats, easts, zoom)
    # What lies in a cell lies side by side, and so in each larger one. By number: sums of the same
    # come out the same.
    order = np.lexsort((found.numbers, codes))
    starts, fewer = _starts(codes[order], zoom)
    ends = np.append(starts[1:], len(order))
    lats, easts, counts = lats[order], easts[order], ends - starts
    middles = [np.add.reduceat(some, starts) / counts for some in (lats, easts)]
    cheapest = order[_cheapest(found, order, starts, counts)]
    # A property has one place, and never so many listings.
    may_be_one = (counts <= LISTINGS_MAX) & _are_same(lats, starts) & _are_same(easts, starts)
    shown = [one.tolist() for one in (*middles, counts, cheapest, may_be_one, starts, ends)]
    clusters = [
        Cluster(
            round(lat, _PLACES),
            round(east - 180, _PLACES),
            count,
            place,
            count == 1 or (may and is_one_house(order[first:end].tolist())),
        )
        for lat, east, count, place, may, first, end in zip(*shown, strict=True)
    ]
    rows, columns = _cells(lats[starts], easts[starts], fewer)
    return [clusters[place] for place in np.lexsort((columns, rows)).tolist()], fewer


def _easts(found: MapColumns) -> Numbers:
    easts: Numbers = (found.degrees[:, 1] + 180) % 360
    return easts


def _starts(codes: Counts, zoom: int) -> tuple[Rows, int]:
    """Where each cell begins, of codes in order, at the first zoom with few enough cells."""
    for fewer in range(zoom, -1, -1):
        differs = np.ones(len(codes), dtype=bool)
        differs[1:] = codes[1:] != codes[:-1]
        if fewer == 0 or np.count_nonzero(differs) <= MARKERS_MAX:
            break
        codes = codes >> 2  # a cell has four of the next zoom
    return differs.nonzero()[0], fewer


def _codes(lats: Numbers, easts: Numbers, zoom: int) -> Counts:
    """The cell of each point as one number, so that cells in a larger one are behind each other."""
    rows, columns = _cells(lats, easts, zoom)
    return (_spread(rows) << 1) | _spread(columns)


def _spread(numbers: Counts) -> Counts:
    for shift, mask in _SPREAD:
        numbers = (numbers | numbers << shift) & mask
    return numbers


def _cells(lats: Numbers, easts: Numbers, zoom: int) -> tuple[Counts, Counts]:
    """The rows and columns of cells in Web Mercator."""
    side = _TILE_PIXELS * 2**zoom / _CELL_PIXELS
    radians = np.radians(np.clip(lats, -_LAT_MAX, _LAT_MAX))
    down = 0.5 - np.arctanh(np.sin(radians)) / (2 * np.pi)
    rows = np.floor(np.clip(down, 0, 1) * side).astype(np.int64)
    columns = np.floor(easts / 360 * side).astype(np.int64)
    return rows, columns


def _cheapest(found: MapColumns, order: Rows, starts: Rows, counts: Counts) -> Rows:
    """The cheapest of each cell in the currency of most; of equal ones that with the least number,
    of currencies the first by name."""
    currencies, prices, numbers = (
        some[order] for some in (found.currencies, found.prices, found.numbers)
    )
    cells = np.repeat(np.arange(len(starts)), counts)
    width = int(currencies.max()) + 1
    sold = np.bincount(cells * width + currencies, minlength=len(starts) * width)
    usual = sold.reshape(-1, width).argmax(axis=1)
    prices = np.where(currencies == usual[cells], prices, _FAR)
    least = prices == np.minimum.reduceat(prices, starts)[cells]
    least &= currencies == usual[cells]
    numbers = np.where(least, numbers, _FAR)
    first: Rows = (numbers == np.minimum.reduceat(numbers, starts)[cells]).nonzero()[0]
    return first


def _are_same(values: Numbers, starts: Rows) -> Flags:
    same: Flags = np.minimum.reduceat(values, starts) == np.maximum.reduceat(values, starts)
    return same
