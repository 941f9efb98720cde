"""An index of a great many listings, made up without a database: towns all over the earth, each as
dense as those of `search`, six nights of ten taken for a year, with all that a search knows of a
listing. The same each time, but for the day of today.
"""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.pricing.rules import Fee, Pricing
from bespeak.verticals.stays.search.cells import CellColumns, EarthPoint, SortedCells
from bespeak.verticals.stays.search.columns import WORD, WORDS, ColumnArrays, amenity_bits
from bespeak.verticals.stays.search.index import StaysIndex
from bespeak.verticals.stays.search.listing import HouseOfListing, IndexedListing
from bespeak.verticals.stays.search.listing_rows import SortedRows
from bespeak.verticals.stays.search.records import ListingRecord, frame_of
from bespeak.verticals.stays.search.sale_group import group_key
from bespeak.verticals.stays.search.shared_codes import SharedCodes
from bespeak.verticals.stays.search.stay_totals import ListingCharges
from bespeak.verticals.stays.search.towns import town_key
from bespeak.verticals.stays.words import AMENITIES, PROPERTY_KINDS, Amenity

_TOWN_LISTINGS = 100_000 / 60
_BLOCK_TOWNS = 60
_CALENDARS, _WISHES, _PLANS = 4096, 1024, 200
_DEGREE = 10**7
_PART = 50_000
_SUMMARY = "A quiet place near the water, two minutes from the market, with a view of the hills."
_BEDS = '[{"kind":"double","count":1},{"kind":"cot","count":2}]'
_FEES = '{"fees":[{"name":"Cleaning","amount":1500}],"taxes":[]}'

_Whole = NDArray[np.int64]


def towns_of(count: int) -> list[EarthPoint]:
    """The towns of so many listings."""
    chance = np.random.default_rng(14)
    towns = max(_BLOCK_TOWNS, round(count / _TOWN_LISTINGS))
    lats, lons = chance.uniform(-45, 62, towns), chance.uniform(-179, 179, towns)
    return [EarthPoint(*one) for one in zip(lats.tolist(), lons.tolist(), strict=True)]


def large_index(count: int) -> StaysIndex:
    """So many listings, in the order of their numbers: what is found is found once it is sorted."""
    return _MadeUp(count).index()


@dataclass(frozen=True)
class _Choices:
    """Which of a few things each listing has."""

    towns: _Whole
    wishes: _Whole
    plans: _Whole


class _MadeUp:
    def __init__(self, count: int) -> None:
        self._count = count
        self._chance = chance = np.random.default_rng(count)
        self._first = dt.datetime.now(dt.UTC).date().toordinal() - 2
        self._towns = towns_of(count)
        self._wishes = chance.random((_WISHES, len(AMENITIES))) < 0.3
        wished, planned = (chance.integers(0, most, count) for most in (_WISHES, _PLANS))
        self._chosen = _Choices(self._of_towns(), wished, planned)
        spread = chance.normal(0, (0.03, 0.045), (count, 2))
        degrees = np.array(self._towns)[self._chosen.towns] + spread
        self._degrees = np.rint(degrees * _DEGREE).astype(np.int32)
        self._groups, self._charges = SharedCodes(), ListingCharges()
        self._named = SharedCodes()

    def index(self) -> StaysIndex:
        arrays = self._arrays()
        records, starts = self._frames(arrays)
        kept = SortedRows(
            arrays=arrays,
            places=CellColumns(self._ball(), self._degrees),
            cells=SortedCells(np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64)),
            order=np.arange(self._count, dtype=np.uint32),
            records=records,
            starts=starts,
            groups=self._groups.kept(),
            charges=self._charges.codes.kept(),
            towns=self._named.kept(),
        )
        return StaysIndex(self._first, kept)

    def _of_towns(self) -> _Whole:
        """The town of each listing: of each sixty the first have the most."""
        count, towns = self._count, len(self._towns)
        block = self._chance.integers(0, max(1, towns // _BLOCK_TOWNS), count) * _BLOCK_TOWNS
        within = (self._chance.exponential(1 / 6, count) * _BLOCK_TOWNS).astype(np.int64)
        return np.minimum(block + np.minimum(within, _BLOCK_TOWNS - 1), towns - 1)

    def _arrays(self) -> ColumnArrays:
        count, chance, arrays = self._count, self._chance, ColumnArrays()
        arrays.numbers = np.arange(1, count + 1, dtype=np.uint32)
        arrays.own_prices = chance.integers(4000, 30_000, count).astype(np.uint16)
        arrays.least_prices = arrays.own_prices // 2
        arrays.guests = chance.integers(1, 7, count).astype(np.uint8)
        arrays.cots = np.zeros(count, dtype=np.uint8)
        arrays.kinds = chance.integers(0, len(PROPERTY_KINDS), count).astype(np.uint8)
        bits = np.array([amenity_bits(one) for one in self._amenities()], dtype=np.uint32)
        arrays.amenities = bits[self._chosen.wishes]
        arrays.far = np.zeros(count, dtype=bool)
        calendars = self._calendars()
        years = chance.integers(0, _CALENDARS, count)
        arrays.nights = [calendars[:, word][years] for word in range(WORDS)]
        fees = Pricing(fees=(Fee(name="Cleaning", amount=1500),))
        sold = [_sample(_plan(number, self._first), None) for number in range(_PLANS)]
        groups = np.array([self._groups.join(group_key(one))[0] for one in sold], dtype=np.uint8)
        arrays.groups = groups[self._chosen.plans]
        arrays.charges = np.full(count, self._charges.join(fees), dtype=np.uint8)
        named = [_sample(sold[0].plan, town) for town in range(len(self._towns))]
        towns = np.array([self._named.join(town_key(one))[0] for one in named], dtype=np.uint16)
        arrays.towns = towns[self._chosen.towns]
        for codes, of in (
            (self._groups, arrays.groups),
            (self._charges.codes, arrays.charges),
            (self._named, arrays.towns),
        ):
            codes.counts[:] = np.bincount(of, minlength=len(codes.keys)).tolist()
        arrays.ratings = chance.integers(60, 101, count).astype(np.uint8)
        arrays.rated = chance.integers(1, 3000, count).astype(np.uint16)
        return arrays

    def _amenities(self) -> list[tuple[Amenity, ...]]:
        return [
            tuple(word for word, has in zip(AMENITIES, row, strict=True) if has)
            for row in self._wishes.tolist()
        ]

    def _calendars(self) -> NDArray[np.uint64]:
        """Years of taken nights, as bits: stays of one to seven nights, with gaps between."""
        found = np.zeros((_CALENDARS, WORDS), dtype=np.uint64)
        for row in found:
            day, bits = int(self._chance.integers(4)), 0
            while day < 365:
                length = int(self._chance.integers(1, 8))
                bits |= ((1 << length) - 1) << day
                day += length + (0, 1, 2, 3, 7)[int(self._chance.integers(5))]
            row[:] = [bits >> WORD * at & (1 << WORD) - 1 for at in range(WORDS)]
        return found

    def _ball(self) -> NDArray[np.int32]:
        lat, lon = np.radians(self._degrees.T / _DEGREE)
        ball = np.empty((self._count, 3), dtype=np.int32)
        for axis, part in enumerate((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon))):
            ball[:, axis] = np.rint(part * ((1 << 31) - 1))
        ball[:, 2] = np.rint(np.sin(lat) * ((1 << 31) - 1))
        return ball

    def _frames(self, arrays: ColumnArrays) -> tuple[memoryview, _Whole]:
        lengths, parts = np.zeros(self._count + 1, dtype=np.int64), bytearray()
        for first in range(0, self._count, _PART):
            some = list(self._frames_of(arrays, slice(first, first + _PART)))
            lengths[first + 1 : first + 1 + len(some)] = [len(frame) for frame in some]
            parts += b"".join(some)
        return memoryview(parts), np.cumsum(lengths)

    def _frames_of(self, arrays: ColumnArrays, rows: slice) -> Iterator[bytes]:
        amenities, chosen = self._amenities(), self._chosen
        columns = (arrays.numbers, arrays.own_prices, arrays.guests, arrays.kinds)
        rated = (arrays.ratings, arrays.rated)
        choices = (self._degrees, chosen.wishes, chosen.towns)
        values = (one[rows].tolist() for one in (*columns, *choices, *rated))
        for number, price, guests, kind, degrees, wish, town, *said in zip(*values, strict=True):
            city, point = f"Town {town}", EarthPoint(degrees[0] / _DEGREE, degrees[1] / _DEGREE)
            house = HouseOfListing(
                f"prp_{number:012}", f"House {number}", PROPERTY_KINDS[kind], 3, city, "DE", point,
                frozenset(), f" house {number} town {town} stadt", *said,
            )  # fmt: skip
            yield frame_of(
                ListingRecord(
                    number=number, house=house, name=f"Listing {number}", summary=_SUMMARY,
                    guests=guests, cots=0, beds=_BEDS, amenities=amenities[wish], price=price,
                    words=(("de", ((city, f"Stadt {town}"),)),), called=f" listing {number}",
                    charges=_FEES, picture=None,
                ),
                b"",
            )  # fmt: skip


def _plan(number: int, first: int) -> NightsPlan:
    start = dt.date.fromordinal(first + number)
    rule = NightRule(from_=start, to=start + dt.timedelta(days=9), price=5000 + 100 * number)
    return NightsPlan(rooms=("house",), min_nights=1 + number % 3, rules=(rule,))


def _sample(plan: NightsPlan, town: int | None) -> IndexedListing:
    """A listing with such a plan, in such a town."""
    city = "" if town is None else f"Town {town}"
    house = HouseOfListing("", "", "house", 3, city, "DE", EarthPoint(0, 0), frozenset(), "")
    return IndexedListing(
        number=1, workspace="default", house=house, name="", summary="", guests=2, cots=0, beds=[],
        amenities=frozenset(), plan=plan, price=5000, currency="EUR", zone=ZoneInfo("UTC"),
        published=True, is_open=True, opens_at=None, closes_at=None, translations=(), called="",
    )  # fmt: skip
