"""The listings of a process, by where they are: which of them a search finds. Columns say what they
are and when they are free, the rules of their plans whether that is sold and what it costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.queries import StaysOrder
from bespeak.verticals.stays.search.candidates import (
    CLOSER_LOOKED_MAX,
    CandidateStays,
    cheapest_of,
    looked_max,
    nearest,
    parts_of_days,
)
from bespeak.verticals.stays.search.cells import Near
from bespeak.verticals.stays.search.columns import WORD
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.listing_rows import ListingRows, SortedRows
from bespeak.verticals.stays.search.markers import MapColumns
from bespeak.verticals.stays.search.orders import by_rating, by_recommendation
from bespeak.verticals.stays.search.polygons import EarthPolygon
from bespeak.verticals.stays.search.stay_cost import cheapest
from bespeak.verticals.stays.search.towns_of_rows import TownsOfRows
from bespeak.verticals.stays.search.wanted import Found, Wanted

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts, Flags, Numbers
    from bespeak.verticals.stays.search.cells import Rows


_LOOSE_MIN, _LOOSE_SHARE = 2000, 50
_MARKED_MAX = 5000
# Words of nights beside the columns, which are 32 MB; before that there is a newer snapshot, where
# one can be written.
_BESIDE_MAX = 2_000_000


class FoundListings(NamedTuple):
    """What was found, side by side: the rows, how many metres each is away, what the stay costs,
    and the day of arrival (None: no dates are wanted). `near` is where was looked, and `suited` the
    rows there that are what is wanted, whatever the dates. `more`: there is more than was looked
    at."""

    rows: Rows
    metres: Counts
    prices: Counts
    arrivals: Counts | None
    near: Near
    suited: Rows
    more: bool = False


class FoundFacets(NamedTuple):
    """How many of what was found are of each kind, have each amenity, and are rated so well."""

    kinds: dict[str, int]
    amenities: dict[str, int]
    ratings: dict[str, int]


class PageAsked(NamedTuple):
    """A page of what was found: behind which value and number, in which order."""

    after: tuple[int, int] | None
    limit: int
    order: StaysOrder


class StaysIndex:
    """The listings, by number and by place; `first_night` is the first that may be wanted."""

    def __init__(self, first_night: int, kept: SortedRows | None = None) -> None:
        self.first_night = first_night
        self.rows = ListingRows(first_night, kept)
        self._columns = self.rows.columns
        self._groups, self._charges = self.rows.groups, self.rows.charges
        self._cells = self.rows.cells
        self.towns = TownsOfRows(self.rows)

    def __len__(self) -> int:
        return len(self.rows.numbers)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.rows.numbers.get(number) is not None

    @property
    def is_loose(self) -> bool:
        """Whether much of it is in no order, and in the memory of this process alone."""
        is_much = self.rows.loose > max(_LOOSE_MIN, len(self) // _LOOSE_SHARE)
        return is_much or len(self._columns.changes) > _BESIDE_MAX

    @property
    def is_worn(self) -> bool:
        """Whether so much was noted that a newer snapshot would save memory."""
        return self.is_loose or self.rows.marked > _MARKED_MAX

    def listings(self) -> Iterator[IndexedListing]:
        """All listings, in no order; nothing may change meanwhile."""
        return self.rows.all()

    def put(self, listing: IndexedListing) -> None:
        """Adds a listing, or takes it anew."""
        self.towns.forget()
        self.rows.put(listing)

    def drop(self, number: int) -> None:
        """Forgets a listing, if it is known."""
        self.towns.forget()
        self.rows.drop(number)

    def mark(self, number: int, unit: str, *, is_taken: bool, drawn: int) -> None:
        """Notes how a unit of a listing stands, if it is known."""
        self.rows.mark(number, unit, is_taken=is_taken, drawn=drawn)

    def rating_of(self, number: int) -> tuple[int, int] | None:
        """What guests are known to think of a listing's property, and how many; None: it is not
        known."""
        row = self.rows.numbers.get(number)
        if row is None:
            return None
        house = self.rows.shown(row).house
        return house.rating, house.ratings

    def near(self, wanted: Wanted) -> Near:
        """The rows of the area that is wanted; of too many those nearest to its middle."""
        area, most = wanted.area, looked_max(wanted)
        if isinstance(area, EarthPolygon):
            return self._cells.nearest(area.box, most, area.has)
        return self._cells.nearest(area, most)

    def find(self, wanted: Wanted, near: Near | None = None) -> FoundListings:
        """All that can be had as it is wanted, in no order; of all rows of the area, or of those
        of them that are called as it is wanted."""
        near = self.near(wanted) if near is None else near
        if wanted.words:
            called = self.rows.called_so(near.rows, wanted)
            near = Near(near.rows[called], near.metres[called], near.more)
        return self._found(wanted, near)

    def count(self, wanted: Wanted, near: Near) -> int:
        """How many of these rows, which are called as it is wanted, can be had so."""
        return len(self._found(wanted, near).rows)

    def too_small(self, near: Near, wanted: Wanted) -> int | None:
        """How many of the guests the largest room of these rows holds, where some of the listings
        do not hold all of them in so many rooms."""
        if self._columns.hold(near.rows, wanted).all():
            return None
        return self._columns.most_guests(near.rows, wanted)

    def counts(self, wanted: Wanted, suited: Rows, starts: Sequence[int]) -> list[int]:
        """In how many of these rows, which are what is wanted but for the dates, a stay can be had
        on each of these days, with the flexibility that is wanted; of at most 40 days in all."""
        flexible = wanted.flexible
        begun = sorted({day + by for day in starts for by in range(-flexible, flexible + 1)})
        stays = self._stays(wanted, suited, begun)
        if not flexible:
            days = np.bincount(stays.arrivals - begun[0], minlength=begun[-1] - begun[0] + 1)
            return [int(days[start - begun[0]]) for start in starts]
        near_by = (stays.places[np.abs(stays.arrivals - start) <= flexible] for start in starts)
        return [len(set(places.tolist())) for places in near_by]

    def page(self, found: FoundListings, wanted: Wanted, page: PageAsked) -> list[Found]:
        """What was found behind a place in the order: at most so many, the first first."""
        values = self._values(found, page.order)
        numbers = self._columns.arrays.numbers[found.rows]
        places = None
        if page.after is not None:
            value, number = page.after
            behind = (values > value) | ((values == value) & (numbers > number))
            places = behind.nonzero()[0]
            values, numbers = values[places], numbers[places]
        if len(values) > 4 * page.limit:  # to find the first is quicker than to order all
            first = values <= np.partition(values, page.limit - 1)[page.limit - 1]
            kept = first.nonzero()[0]
            places = kept if places is None else places[kept]
            values, numbers = values[kept], numbers[kept]
        order = np.lexsort((numbers, values))[: page.limit]
        places = order if places is None else places[order]
        return [
            one._replace(value=value)
            for one, value in zip(
                self._shown(found, wanted, places), values[order].tolist(), strict=True
            )
        ]

    def _values(self, found: FoundListings, order: StaysOrder) -> Counts:
        """By what is ordered, the least first."""
        if order == "price":
            return found.prices
        if order == "rating":
            return by_rating(*self._columns.ratings(found.rows))
        if order == "recommended":
            return by_recommendation(found.prices, found.metres, *self._columns.ratings(found.rows))
        return found.metres

    def on_map(self, found: FoundListings) -> MapColumns:
        """What was found as a map puts it together."""
        return MapColumns(
            self._cells.degrees_of(found.rows),
            self._columns.arrays.numbers[found.rows].astype(np.int64),
            found.prices,
            self._groups.currencies(self._columns.groups(found.rows)),
        )

    def are_one_house(self, found: FoundListings, places: Sequence[int]) -> bool:
        """Whether what was found at these places is all of one property."""
        first, *others = found.rows[places].tolist()
        house = self.rows.house(first)
        return all(self.rows.house(row) == house for row in others)

    def at_places(self, found: FoundListings, places: Sequence[int]) -> list[Found]:
        """What was found at some places. How many rooms are free is not looked at."""
        days: list[int | None] = [None] * len(places)
        if found.arrivals is not None:
            days = found.arrivals[places].tolist()
        listings = (self.rows.shown(row) for row in found.rows[places].tolist())
        prices, metres = found.prices[places].tolist(), found.metres[places].tolist()
        return list(map(Found, listings, metres, days, [None] * len(places), prices))

    def _shown(self, found: FoundListings, wanted: Wanted, places: Rows) -> list[Found]:
        """What was found at some places, as it is shown."""
        rows, prices = found.rows[places].tolist(), found.prices[places].tolist()
        metres, shown = found.metres[places].tolist(), [self.rows.shown(row) for row in rows]
        if found.arrivals is None:
            nothing = [None] * len(rows)
            return list(map(Found, shown, metres, nothing, nothing, prices))
        arrivals, nights = found.arrivals[places].tolist(), wanted.nights
        free = [
            self.rows.rooms_of_found(row, arrival, nights)
            for row, arrival in zip(rows, arrivals, strict=True)
        ]
        rates = [
            cheapest(one, wanted, arrival).rate if one.plan.rates else None
            for one, arrival in zip(shown, arrivals, strict=True)
        ]
        return list(map(Found, shown, metres, arrivals, free, prices, rates))

    def _found(self, wanted: Wanted, near: Near) -> FoundListings:
        good = self._suited(wanted, near.rows)
        rows, metres = near.rows[good], near.metres[good]
        if wanted.arrival is None:
            return self._found_undated(wanted, near, rows, metres)
        arrivals = wanted.arrivals
        parts = [self._stays(wanted, rows, some, metres) for some in parts_of_days(arrivals)]
        stays = parts[0] if len(arrivals) == 1 else cheapest_of(parts)
        places, more = stays.places, near.more or stays.more
        away = _rounded(metres[places])
        return FoundListings(rows[places], away, stays.prices, stays.arrivals, near, rows, more)

    def _found_undated(
        self, wanted: Wanted, near: Near, suited: Rows, metres: Numbers
    ) -> FoundListings:
        rows = suited
        own = self._own_prices(rows)
        prices = self._groups.usual_prices(self._columns.groups(rows), own)
        if wanted.price_max is not None:
            good = prices <= wanted.price_max
            rows, metres, prices = rows[good], metres[good], prices[good]
        return FoundListings(rows, _rounded(metres), prices, None, near, suited, near.more)

    def suited(self, wanted: Wanted) -> Rows:
        """The rows of the area that are what is wanted, whatever the dates."""
        near = self.near(wanted)
        return near.rows[self._suited(wanted, near.rows)]

    def _suited(self, wanted: Wanted, rows: Rows) -> Flags:
        """Which of the rows are what is wanted, whatever the dates."""
        good = self._columns.suit(rows, wanted)
        good &= self._groups.shared(self._columns.groups(rows), wanted)
        return good

    def _stays(
        self, wanted: Wanted, rows: Rows, arrivals: Sequence[int], metres: Numbers | None = None
    ) -> CandidateStays:
        """The stays in these rows that can be had and begin on one of these days. Those of a row
        are behind each other."""
        columns = self._columns
        if len(arrivals) == 1:
            places = columns.are_free(rows, arrivals[0], wanted.nights).nonzero()[0]
            days = np.full(len(places), arrivals[0], dtype=np.int64)
        else:
            days = np.array(arrivals, dtype=np.int64)
            begin = columns.may_begin(rows, arrivals, wanted.nights)
            bits = begin[:, None] >> (days - min(arrivals)).astype(np.uint64) & np.uint64(1)
            places, turns = bits.nonzero()
            days = days[turns]
        stays = CandidateStays(places, days, places)
        if len(arrivals) > 1 and wanted.nights + max(arrivals) - min(arrivals) > WORD:
            stays = stays.only(self._free_all_through(wanted, rows, stays))
        there, groups = rows[stays.places], self._columns.groups(rows[stays.places])
        away = None if metres is None else metres[stays.places]
        terms = self._groups.terms(groups, wanted, stays.arrivals)
        own, charges = self._own_prices(there), columns.arrays.charges[there].astype(np.int64)
        prices, unsaid = self._charges.totals(terms, own, charges, wanted)
        good = terms.sold
        if wanted.price_max_in_all is not None:
            good &= unsaid | (prices <= wanted.price_max_in_all)
        # Where one room is to be free through all of the stay, or several are, or a fee is rounded
        # for each room, columns do not say all.
        unsure = good if wanted.rooms > 1 else good & ~self._groups.are_plain(groups)
        closer = good & (unsaid | unsure)
        looked = nearest(closer, away, CLOSER_LOOKED_MAX)
        good &= looked | ~closer
        for place in (looked & unsure).nonzero()[0].tolist():
            free = self.rows.free_rooms(
                int(there[place]), int(stays.arrivals[place]), wanted.nights
            )
            good[place] = free >= wanted.rooms
        self._price_closer(wanted, stays._replace(places=there, prices=prices), good, unsaid)
        more = looked is not closer
        return stays._replace(prices=prices, more=more).only(good)

    def _price_closer(
        self, wanted: Wanted, stays: CandidateStays, good: Flags, unsaid: Flags
    ) -> None:
        """Says what these stays cost, of which `places` are the rows, one by one; and that they
        are not good after all where that is too much."""
        for place in (good & unsaid).nonzero()[0].tolist():
            listing = self.rows.shown(int(stays.places[place]))
            amount = cheapest(listing, wanted, int(stays.arrivals[place])).amount
            stays.prices[place] = amount
            if wanted.price_max_in_all is not None:
                good[place] = amount <= wanted.price_max_in_all

    def _free_all_through(self, wanted: Wanted, rows: Rows, stays: CandidateStays) -> Flags:
        """Which of these stays are free in all of their nights, and not in the first alone."""
        good = np.zeros(len(stays.places), dtype=bool)
        for arrival in set(stays.arrivals.tolist()):
            of_day = (stays.arrivals == arrival).nonzero()[0]
            there = rows[stays.places[of_day]]
            good[of_day] = self._columns.are_free(there, arrival, wanted.nights)
        return good

    def _own_prices(self, rows: Rows) -> Counts:
        prices: Counts = self._columns.arrays.own_prices[rows].astype(np.int64)
        return prices

    def counted(self, found: FoundListings) -> FoundFacets:
        """How many of what was found are of each kind, have each amenity, and are so well rated."""
        columns, rows = self._columns, found.rows
        if not len(rows):
            return FoundFacets({}, {}, {})
        return FoundFacets(
            columns.counted_kinds(rows),
            columns.counted_amenities(rows),
            columns.counted_ratings(rows),
        )

    def usual_currency(self, workspace: str, near: Near) -> str | None:
        """The currency of most listings of a workspace in these rows, or anywhere where there are
        none."""
        there = np.bincount(self._columns.groups(near.rows))
        found = self._groups.usual_currency(workspace, there.tolist())
        if found is None:
            return self._groups.usual_currency(workspace, self._groups.codes.counts)
        return found


def _rounded(metres: Numbers) -> Counts:
    rounded: Counts = np.rint(metres).astype(np.int64)
    return rounded
