"""Where the houses of a city stand: most about its middle and in its districts, those who want
quiet outside. At a coast they keep to the side of the land, as far as two bearings can say it.
"""

from __future__ import annotations

import math
import random
from functools import cache
from typing import NamedTuple

from bespeak.verticals.stays.demo.lists import SEED, DemoTown
from bespeak.verticals.stays.words import PropertyKind

_METRES_PER_DEGREE = 111_195.0
_DISTRICTS = (5, 8)
_DISTRICT_METRES = (1500.0, 7000.0)
_DISTRICT_SPREAD = (350.0, 900.0)
_MIDDLE_SHARE, _MIDDLE_SPREAD = 0.45, 1100.0
OUTSIDE: frozenset[PropertyKind] = frozenset(("cabin", "campsite"))
_OUTSIDE_METRES = (7000.0, 20_000.0)
# Who is nearer to the middle than this is in the old town, whose shore nobody looks at.
_ASHORE_METRES = 400.0


class MapPoint(NamedTuple):
    """A place in degrees, to about a metre."""

    lat: float
    lon: float


class District(NamedTuple):
    """A part of a city: its middle as metres to the east and north of the city's, how far it
    spreads, and how much of the city is there."""

    east: float
    north: float
    spread: float
    weight: float


def place_of_house(town: DemoTown, kind: PropertyKind, dice: random.Random) -> MapPoint:
    """Where a house of this kind stands."""
    while True:
        if kind in OUTSIDE:
            east, north = _polar(dice.uniform(0, 360), dice.uniform(*_OUTSIDE_METRES))
        elif dice.random() < _MIDDLE_SHARE:
            east, north = dice.gauss(0, _MIDDLE_SPREAD), dice.gauss(0, _MIDDLE_SPREAD)
        else:
            parts = _districts(town)
            part = dice.choices(parts, [one.weight for one in parts])[0]
            east = dice.gauss(part.east, part.spread)
            north = dice.gauss(part.north, part.spread)
        if _is_land(town, east, north):
            return _point(town, east, north)


@cache
def _districts(town: DemoTown) -> tuple[District, ...]:
    """The same for a city whenever it is asked for."""
    dice = random.Random(f"{SEED} {town.name}")
    found: list[District] = []
    wanted = dice.randint(*_DISTRICTS)
    while len(found) < wanted:
        east, north = _polar(dice.uniform(0, 360), dice.uniform(*_DISTRICT_METRES))
        if _is_land(town, east, north):
            spread = dice.uniform(*_DISTRICT_SPREAD)
            found.append(District(east, north, spread, dice.uniform(0.4, 1.6)))
    return tuple(found)


def _is_land(town: DemoTown, east: float, north: float) -> bool:
    if town.land is None or math.hypot(east, north) < _ASHORE_METRES:
        return True
    start, stop = town.land
    bearing = math.degrees(math.atan2(east, north)) % 360
    return (bearing - start) % 360 <= (stop - start) % 360


def _polar(bearing: float, metres: float) -> tuple[float, float]:
    angle = math.radians(bearing)
    return metres * math.sin(angle), metres * math.cos(angle)


def _point(town: DemoTown, east: float, north: float) -> MapPoint:
    lat = town.lat + north / _METRES_PER_DEGREE
    lon = town.lon + east / _METRES_PER_DEGREE / math.cos(math.radians(town.lat))
    return MapPoint(round(lat, 5), round((lon + 180) % 360 - 180, 5))  # beyond 180 it is west
