"""What was found as markers of a map: what lies close together at its zoom is one. The cells in
which they are put together are fixed on the map of the world, so that the same is told wherever its
window is.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bespeak.inventory.arrays import Numbers
    from bespeak.verticals.stays.search.cells import Rows
    from bespeak.verticals.stays.search.wanted import Found

MARKERS_MAX = 200
_TILE_PIXELS, _CELL_PIXELS = 256, 60
# Web Mercator is a square: it ends here, short of the poles.
_LAT_MAX = 85.051129
_COLUMN_BITS = 26
_PLACES = 6


class Cluster(NamedTuple):
    """What lies in a cell: the middle of it, how many, the cheapest of them in the currency that
    most of them have, and whether all are of one property."""

    lat: float
    lon: float
    listings: int
    cheapest: Found
    is_one_house: bool


def clusters_of(found: Sequence[Found], zoom: int) -> tuple[list[Cluster], int]:
    """From north to south and from west to east; and the zoom at which so few are left, where
    the one that was asked for has too many."""
    if not found:
        return [], zoom
    # By number: sums of the same come out the same.
    ordered = sorted(found, key=lambda one: one.listing.number)
    points = np.array([one.listing.house.point for one in ordered], dtype=np.float64)
    lats, easts = points[:, 0], (points[:, 1] + 180) % 360
    for fewer in range(zoom, -1, -1):
        cells, place = np.unique(_cells(lats, easts, fewer), return_inverse=True)
        if len(cells) <= MARKERS_MAX:
            break
    counts = np.bincount(place)
    middle = np.stack([np.bincount(place, weights=some) / counts for some in (lats, easts)], axis=1)
    groups: list[list[Found]] = [[] for _ in cells]
    for group, one in zip(place.tolist(), ordered, strict=True):
        groups[group].append(one)
    return [
        _cluster(lat, east, of) for (lat, east), of in zip(middle.tolist(), groups, strict=True)
    ], fewer


def _cells(lats: Numbers, easts: Numbers, zoom: int) -> Rows:
    """The cell of each point in Web Mercator, as one number."""
    side = _TILE_PIXELS * 2**zoom / _CELL_PIXELS
    radians = np.radians(np.clip(lats, -_LAT_MAX, _LAT_MAX))
    down = 0.5 - np.arctanh(np.sin(radians)) / (2 * np.pi)
    rows = np.floor(np.clip(down, 0, 1) * side).astype(np.int64)
    columns = np.floor(easts / 360 * side).astype(np.int64)
    cells: Rows = (rows << _COLUMN_BITS) | columns
    return cells


def _cluster(lat: float, east: float, of: Sequence[Found]) -> Cluster:
    sold = Counter(one.listing.currency for one in of)
    usual = min(sold, key=lambda currency: (-sold[currency], currency))
    cheapest = min(
        (one for one in of if one.listing.currency == usual),
        key=lambda one: (one.price, one.listing.number),
    )
    is_one = len({one.listing.house.property_id for one in of}) == 1
    return Cluster(round(lat, _PLACES), round(east - 180, _PLACES), len(of), cheapest, is_one)
