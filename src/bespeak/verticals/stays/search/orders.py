"""In which order what was found is shown: each order gives a listing one whole number, the least
first, which stands in the cursor of a page.

The order `recommended` is by what a stay costs as guests may feel it: a point of the rating more is
worth a quarter of the price, a kilometre farther costs 5 %. Few ratings say little: each property
begins with some ratings that are neither good nor bad.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts
    from bespeak.verticals.stays.search.columns import Ratings

RATING_USUAL, RATINGS_USUAL = 75, 20
"""With what a property begins: so many tenths, of so many guests."""
_POINT, _KILOMETRE = 1.25, 1.05
_METRES_MAX = 100_000
_RATED_BITS = 30
# A price beyond it is as dear as it gets: what is felt of it stays a whole number.
_FELT_MAX = float(1 << 60)


def by_rating(ratings: Ratings, rated: Counts) -> Counts:
    """The best rated first, of equal ones that which more guests rated."""
    values: Counts = -((ratings.astype(np.int64) << _RATED_BITS) + rated)
    return values


def by_recommendation(prices: Counts, metres: Counts, ratings: Ratings, rated: Counts) -> Counts:
    """What is felt of a price: price x 1.25^(7.5 - rating) x 1.05^kilometres, where the rating is
    that of 20 guests who gave 7.5 and of all who rated. Beyond 100 km it is no farther."""
    points = ratings.astype(np.float64) * rated + RATING_USUAL * RATINGS_USUAL
    weighted = points / (rated + RATINGS_USUAL) / 10
    away = np.minimum(metres, _METRES_MAX) / 1000
    felt = prices * _POINT ** (RATING_USUAL / 10 - weighted) * _KILOMETRE**away
    values: Counts = np.rint(np.minimum(felt, _FELT_MAX)).astype(np.int64)
    return values
