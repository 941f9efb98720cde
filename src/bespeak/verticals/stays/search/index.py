"""The listings of a process, by where they are: which of them a search finds. Columns say what they
are and when they are free, the rules of their plans whether that is sold and what it costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.queries import StaysOrder
from bespeak.verticals.stays.search.cells import Near
from bespeak.verticals.stays.search.columns import WORD
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.listing_rows import ListingRows, SortedRows
from bespeak.verticals.stays.search.orders import by_rating, by_recommendation
from bespeak.verticals.stays.search.polygons import EarthArea, EarthPolygon
from bespeak.verticals.stays.search.stay_cost import cheapest
from bespeak.verticals.stays.search.towns import (
    CodedTown,
    Town,
    chosen_towns,
    counted_towns,
)
from bespeak.verticals.stays.search.wanted import Found, Wanted

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts, Flags, Numbers
    from bespeak.verticals.stays.search.cells import Rows


# So many days in a row are looked at in one word of nights, with a month behind the last of them.
_SPAN_DAYS = 32
_LOOSE_MIN, _LOOSE_SHARE = 2000, 50
_MARKED_MAX = 5000
# Words of nights beside the columns, which are 32 MB; before that there is a newer snapshot, where
# one can be written.
_BESIDE_MAX = 2_000_000


class FoundListings(NamedTuple):
    """What was found, side by side: the rows, how many metres each is away, what the stay costs,
    and the day of arrival (None: no dates are wanted). `near` is where was looked, and `suited` the
    rows there that are what is wanted, whatever the dates."""

    rows: Rows
    metres: Counts
    prices: Counts
    arrivals: Counts | None
    near: Near
    suited: Rows


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


class _Stays(NamedTuple):
    """Stays, side by side: the places of their rows among those that were asked, the days of
    arrival, and what they cost."""

    places: Rows
    arrivals: Counts
    prices: Counts

    def only(self, good: Flags | Rows) -> _Stays:
        """Some of them, in the order of places where these are given."""
        return _Stays(self.places[good], self.arrivals[good], self.prices[good])


class StaysIndex:
    """The listings, by number and by place; `first_night` is the first that may be wanted."""

    def __init__(self, first_night: int, kept: SortedRows | None = None) -> None:
        self.first_night = first_night
        self.rows = ListingRows(first_night, kept)
        self._columns = self.rows.columns
        self._groups, self._charges = self.rows.groups, self.rows.charges
        self._cells = self.rows.cells
        self._towns: dict[bool, list[CodedTown]] = {}

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
        self._towns.clear()
        self.rows.put(listing)

    def drop(self, number: int) -> None:
        """Forgets a listing, if it is known."""
        self._towns.clear()
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

    def within(self, area: EarthArea) -> Near:
        """The rows of an area."""
        if isinstance(area, EarthPolygon):
            return self._cells.box(area.box, area.has)
        return self._cells.within(area)

    def find(self, wanted: Wanted) -> FoundListings:
        """All that can be had as it is wanted, in no order."""
        near = self.within(wanted.area)
        return self._found(wanted, near)

    def count(self, wanted: Wanted, near: Near) -> int:
        """How many of these rows can be had as it is wanted."""
        return len(self._found(wanted, near).rows)

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

    def whole(self, found: FoundListings) -> list[Found]:
        """All that was found, in no order. How many rooms are free is not looked at."""
        count = len(found.rows)
        days: list[int | None] = [None] * count
        if found.arrivals is not None:
            days = found.arrivals.tolist()
        listings = (self.rows.shown(row) for row in found.rows.tolist())
        prices, metres = found.prices.tolist(), found.metres.tolist()
        nothing = [None] * count
        return list(map(Found, listings, metres, days, nothing, prices))

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
        stays = _joined([self._stays(wanted, rows, some) for some in _parts(arrivals)])
        if len(arrivals) > 1:
            stays = _cheapest(stays)
        places = stays.places
        away = _rounded(metres[places])
        return FoundListings(rows[places], away, stays.prices, stays.arrivals, near, rows)

    def _found_undated(
        self, wanted: Wanted, near: Near, suited: Rows, metres: Numbers
    ) -> FoundListings:
        rows = suited
        own = self._own_prices(rows)
        prices = self._groups.usual_prices(self._columns.groups(rows), own)
        if wanted.price_max is not None:
            good = prices <= wanted.price_max
            rows, metres, prices = rows[good], metres[good], prices[good]
        return FoundListings(rows, _rounded(metres), prices, None, near, suited)

    def _suited(self, wanted: Wanted, rows: Rows) -> Flags:
        """Which of the rows are what is wanted, whatever the dates."""
        good = self._columns.suit(rows, wanted)
        good &= self._groups.shared(self._columns.groups(rows), wanted)
        if wanted.words:
            places = good.nonzero()[0]
            good[places] = self.rows.are_called(rows[places].tolist(), wanted.words)
        return good

    def _stays(self, wanted: Wanted, rows: Rows, arrivals: Sequence[int]) -> _Stays:
        """The stays in these rows that can be had and begin on one of these days."""
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
        stays = _Stays(places, days, places)
        if len(arrivals) > 1 and wanted.nights + max(arrivals) - min(arrivals) > WORD:
            stays = stays.only(self._free_all_through(wanted, rows, stays))
        there = rows[stays.places]
        good, prices = self._priced(wanted, there, stays.arrivals)
        if wanted.price_max_in_all is not None:
            good &= prices <= wanted.price_max_in_all
        self._look_closer(wanted, there, stays.arrivals, good)
        return stays._replace(prices=prices).only(good)

    def _priced(self, wanted: Wanted, rows: Rows, arrivals: Counts) -> tuple[Flags, Counts]:
        """Which of these stays are sold, and what they cost in all at their cheapest rates."""
        columns = self._columns
        terms = self._groups.terms(columns.groups(rows), wanted, arrivals)
        own, charges = self._own_prices(rows), columns.arrays.charges[rows].astype(np.int64)
        prices, unsaid = self._charges.totals(terms, own, charges, wanted)
        for place in unsaid.nonzero()[0].tolist():
            listing = self.rows.shown(int(rows[place]))
            prices[place] = cheapest(listing, wanted, int(arrivals[place])).amount
        return terms.sold, prices

    def _free_all_through(self, wanted: Wanted, rows: Rows, stays: _Stays) -> Flags:
        """Which of these stays are free in all of their nights, and not in the first alone."""
        good = np.zeros(len(stays.places), dtype=bool)
        for arrival in set(stays.arrivals.tolist()):
            of_day = (stays.arrivals == arrival).nonzero()[0]
            there = rows[stays.places[of_day]]
            good[of_day] = self._columns.are_free(there, arrival, wanted.nights)
        return good

    def _look_closer(self, wanted: Wanted, rows: Rows, arrivals: Counts, good: Flags) -> None:
        """Takes out what is not free after all: where one room is to be free through all of the
        stay, or several are."""
        if wanted.rooms > 1:
            unsure = good
        else:
            unsure = good & ~self._groups.are_plain(self._columns.groups(rows))
        for place in unsure.nonzero()[0].tolist():
            free = self.rows.free_rooms(int(rows[place]), int(arrivals[place]), wanted.nights)
            good[place] = free >= wanted.rooms

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

    def usual_currency(self, workspace: str, area: EarthArea) -> str | None:
        """The currency of most listings of a workspace there, or anywhere where there are none."""
        there = np.bincount(self._columns.groups(self.within(area).rows))
        found = self._groups.usual_currency(workspace, there.tolist())
        if found is None:
            return self._groups.usual_currency(workspace, self._groups.codes.counts)
        return found

    def towns(self, workspace: str, text: str, *, published_only: bool, limit: int) -> list[Town]:
        """Towns that begin like the text, or nearly so where none does; those with the most
        listings first, at most so many."""
        if published_only not in self._towns:
            self._towns[published_only] = self._counted_towns(published_only=published_only)
        of_workspace = {
            one.town.key: one
            for one in self._towns[published_only]
            if one.town.key.workspace == workspace
        }
        chosen = chosen_towns([one.town for one in of_workspace.values()], text)[:limit]
        if not chosen:
            return []
        rows = self._shown_rows(published_only=published_only)
        towns = self._columns.arrays.towns[rows]
        return [
            town._replace(
                middle=self._cells.middle_of(rows[np.isin(towns, of_workspace[town.key].codes)])
            )
            for town in chosen
        ]

    def _counted_towns(self, *, published_only: bool) -> list[CodedTown]:
        rows, keys = self._shown_rows(published_only=published_only), self.rows.towns.keys
        counts = np.bincount(self._columns.arrays.towns[rows], minlength=len(keys))
        return counted_towns(keys, counts.tolist())

    def _shown_rows(self, *, published_only: bool) -> Rows:
        rows = self.rows.live()
        if not published_only:
            return rows
        return rows[self._groups.published()[self._columns.arrays.groups[rows]]]


def _rounded(metres: Numbers) -> Counts:
    rounded: Counts = np.rint(metres).astype(np.int64)
    return rounded


def _parts(days: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The days in as many parts as it takes to look at them in one go. Only those of a window are
    so many, and they are in order."""
    if not days or max(days) - min(days) < _SPAN_DAYS:
        return [days]
    parts: dict[int, list[int]] = {}
    for day in days:
        parts.setdefault((day - days[0]) // _SPAN_DAYS, []).append(day)
    return [tuple(part) for part in parts.values()]


def _joined(parts: Sequence[_Stays]) -> _Stays:
    """Stays behind each other."""
    if len(parts) == 1:
        return parts[0]
    return _Stays(*(np.concatenate(of_parts) for of_parts in zip(*parts, strict=True)))


def _cheapest(stays: _Stays) -> _Stays:
    """Of each row the cheapest stay; of equal ones the first."""
    order = np.lexsort((np.arange(len(stays.places)), stays.prices, stays.places))
    places = stays.places[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = places[1:] != places[:-1]
    return stays.only(order[is_first])
