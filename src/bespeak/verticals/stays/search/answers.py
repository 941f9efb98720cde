"""Answers of the search: what was found in order, and a page of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.money import Money
from bespeak.translations import words_in
from bespeak.verticals.stays import views
from bespeak.verticals.stays.catalogue import StaysReader
from bespeak.verticals.stays.queries import MapQuestion, PlacesQuestion, SearchQuestion
from bespeak.verticals.stays.search.asking import wanted_of
from bespeak.verticals.stays.search.following import StaysSearcher
from bespeak.verticals.stays.search.gazetteer_keeper import GazetteerKeeper
from bespeak.verticals.stays.search.index import PageAsked
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.markers import Cluster, clusters_of
from bespeak.verticals.stays.search.near_towns import NEAR_METRES, NearTown, places_called
from bespeak.verticals.stays.search.nearly import nearly
from bespeak.verticals.stays.search.page_cursors import read_place, show_place
from bespeak.verticals.stays.search.region import region_of
from bespeak.verticals.stays.search.snapshot import SnapshotFile
from bespeak.verticals.stays.search.towns import Town
from bespeak.verticals.stays.search.towns_of_rows import TownsAsked, TownsWhose
from bespeak.verticals.stays.search.wanted import Found, Wanted
from bespeak.verticals.stays.shown import rating_of
from bespeak.verticals.stays.words import AMENITIES, Amenity

if TYPE_CHECKING:
    from bespeak.engine import Engine

_CACHED_MAX = 10_000
# These orders compare prices, which they can in one currency only.
_PRICED = frozenset(("price", "recommended"))


async def search(engine: Engine, reader: StaysReader, asked: SearchQuestion) -> views.SearchAnswer:
    """A page of what can be had. Raises InvalidStay, InvalidRequest, InvalidCursor,
    OutsideRegion, SearchNotReady."""
    wanted = wanted_of(asked, reader, engine.clock.now())
    place = read_place(asked)
    if place is not None:
        wanted = replace(wanted, currency=place.currency)
    searcher = _searcher(engine)
    searcher.check_covers(wanted.area)
    await searcher.ready()
    with searcher.answering() as index:
        near = index.near(wanted)
        if wanted.currency is None and (asked.price_max is not None or asked.sort in _PRICED):
            usual = index.usual_currency(reader.workspace, near)
            wanted = replace(wanted, currency=usual)
        matches = index.find(wanted, near)
        # One more than is shown says whether there is a next page.
        after = None if place is None else (place.value, place.number)
        some = index.page(matches, wanted, PageAsked(after, asked.limit + 1, asked.sort))
        page, facets = some[: asked.limit], index.counted(matches)
        return views.SearchAnswer(
            items=[_shown(one, wanted, reader.language) for one in page],
            next=show_place(page[-1], wanted.currency, asked) if len(some) > len(page) else None,
            found=len(matches.rows),
            more=matches.more,
            facets=views.StayFacets(
                _counted(facets.kinds),
                _counted(facets.amenities),
                [views.StayFacet(value, count) for value, count in facets.ratings.items()],
            ),
            nearly=nearly(index, wanted, matches, searcher.region) if after is None else [],
            currency=wanted.currency,
            as_of=searcher.as_of,
            stale=searcher.is_stale,
        )


async def markers(engine: Engine, reader: StaysReader, asked: MapQuestion) -> views.StaysMap:
    """All that can be had, as markers of a map. Raises InvalidStay, InvalidRequest,
    OutsideRegion, SearchNotReady."""
    wanted = wanted_of(asked, reader, engine.clock.now())
    searcher = _searcher(engine)
    searcher.check_covers(wanted.area)
    await searcher.ready()
    with searcher.answering() as index:
        near = index.near(wanted)
        if wanted.currency is None and asked.price_max is not None:
            usual = index.usual_currency(reader.workspace, near)
            wanted = replace(wanted, currency=usual)
        found = index.find(wanted, near)
        is_one = partial(index.are_one_house, found)
        clusters, zoom = clusters_of(index.on_map(found), asked.zoom, is_one)
        shown = index.at_places(found, [one.cheapest for one in clusters])
        return views.StaysMap(
            items=[
                _shown_marker(one, cheapest, wanted, reader.language)
                for one, cheapest in zip(clusters, shown, strict=True)
            ],
            found=len(found.rows),
            more=found.more,
            zoom=zoom,
            currency=wanted.currency,
            as_of=searcher.as_of,
            stale=searcher.is_stale,
        )


async def places(engine: Engine, reader: StaysReader, asked: PlacesQuestion) -> views.StayPlaces:
    """Towns with listings, all over the earth, and others that are near some. Raises OutsideRegion,
    SearchNotReady."""
    searcher, gazetteer = _searcher(engine), _gazetteer(engine).now()
    searcher.check_covers(None)
    await searcher.ready()
    whose = TownsWhose(reader.workspace, reader.published_only)
    wanted = TownsAsked(whose, asked.search, asked.limit)
    with searcher.answering() as index:
        found = places_called(index, gazetteer, wanted, engine.clock.now())
        towns = [_shown_town(town, reader.language) for town in found.towns]
        return views.StayPlaces(towns + [_shown_near(one) for one in found.near])


async def recall(engine: Engine) -> bool:
    """Reads the listings; whether what is known is of now. Raises SearchNotReady."""
    searcher = _searcher(engine)
    await searcher.ready()
    return not searcher.is_stale


def prepare(engine: Engine) -> None:
    """Begins to read the listings, if nobody has searched yet: that takes some seconds."""
    _searcher(engine)


def _shown_town(town: Town, language: str | None) -> views.StayPlace:
    city = words_in(language, town.called).get(town.key.city, town.key.city)
    middle = town.middle
    return views.StayPlace(city, town.key.country, middle.lat, middle.lon, town.listings)


def _shown_near(one: NearTown) -> views.StayPlace:
    (_, name, country, point), radius = one.town, NEAR_METRES
    return views.StayPlace(name, country, point.lat, point.lon, one.listings, "gazetteer", radius)


def _gazetteer(engine: Engine) -> GazetteerKeeper:
    return engine.parts.companions.get(GazetteerKeeper, partial(_gazetteer_kept, engine))


def _gazetteer_kept(engine: Engine) -> GazetteerKeeper:
    folder = engine.settings.search_snapshots
    kept = None if folder is None else Path(folder)
    return GazetteerKeeper(kept, is_wanted=engine.settings.gazetteer)


def _searcher(engine: Engine) -> StaysSearcher:
    return engine.parts.companions.get(StaysSearcher, partial(_opened, engine))


def _opened(engine: Engine) -> StaysSearcher:
    folder, mark = engine.settings.search_snapshots, engine.settings.database_mark
    region = region_of(engine.settings.search_region)
    part = mark if region is None else f"{mark}-{region.mark}"
    kept = None if folder is None else SnapshotFile(Path(folder), part)
    return StaysSearcher(engine.database, kept, region)


def _counted(counts: dict[str, int]) -> list[views.StayFacet]:
    """The most frequent first."""
    return [
        views.StayFacet(value, counts[value])
        for value in sorted(counts, key=lambda v: (-counts[v], v))
    ]


@lru_cache(maxsize=_CACHED_MAX)
def _both(own: frozenset[Amenity], of_house: frozenset[Amenity]) -> list[Amenity]:
    """The amenities of a listing and its property, in their order."""
    return [word for word in AMENITIES if word in own or word in of_house]


def _shown(one: Found, wanted: Wanted, language: str | None) -> views.FoundListing:
    listing, house = one.listing, one.listing.house
    words = words_in(language, listing.translations)
    return views.FoundListing(
        id=ids.show_resource(listing.number),
        name=words.get(listing.name, listing.name),
        property=_shown_house(listing, language),
        distance_metres=one.metres,
        guests=listing.guests,
        beds=listing.beds,
        amenities=_both(listing.amenities, house.amenities),
        summary=words.get(listing.summary, listing.summary),
        rooms=wanted.rooms,
        price_per_night=_night_price(one, wanted),
        price=None if wanted.arrival is None else Money(one.price, listing.currency),
        rate=one.rate,
        start=_day(one.arrival),
        end=_day(one.arrival, wanted.nights),
        nights=wanted.nights or None,
        free=one.free,
        picture=_shown_picture(listing, language),
    )


def _shown_marker(
    cluster: Cluster, one: Found, wanted: Wanted, language: str | None
) -> views.StayMarker:
    marker = views.StayMarker(
        lat=cluster.lat,
        lon=cluster.lon,
        count=cluster.listings,
        price_per_night=_night_price(one, wanted),
        start=_day(one.arrival),
        end=_day(one.arrival, wanted.nights),
    )
    if not cluster.is_one_house:
        return marker
    listing = one.listing
    name = words_in(language, listing.translations).get(listing.name, listing.name)
    return msgspec.structs.replace(
        marker,
        id=ids.show_resource(listing.number),
        name=name,
        property=_shown_house(listing, language),
        picture=_shown_picture(listing, language),
    )


def _shown_picture(listing: IndexedListing, language: str | None) -> views.StayPicture | None:
    if listing.picture is None:
        return None
    digest, width, height, text = listing.picture
    words = words_in(language, listing.translations)
    return views.stay_picture(digest, width, height, words.get(text, text))


def _shown_house(listing: IndexedListing, language: str | None) -> views.FoundProperty:
    house, words = listing.house, words_in(language, listing.translations)
    return views.FoundProperty(
        id=house.property_id,
        name=words.get(house.name, house.name),
        kind=house.kind,
        stars=house.stars,
        city=words.get(house.city, house.city),
        country=house.country,
        lat=house.point.lat,
        lon=house.point.lon,
        rating=rating_of(house.rating),
        ratings=house.ratings,
    )


def _night_price(one: Found, wanted: Wanted) -> Money:
    """What one room costs a night on average."""
    room_nights = 1 if wanted.arrival is None else wanted.nights * wanted.rooms
    return Money(round(one.price / room_nights), one.listing.currency)


def _day(arrival: int | None, nights: int = 0) -> date | None:
    return None if arrival is None else date.fromordinal(arrival + nights)
