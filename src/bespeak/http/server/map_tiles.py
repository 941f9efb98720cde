"""The tiles of an operator's own choice under the map of stays: where a browser gets them, and
whose they are. Without them the map has the outline of the land that comes with the pages, and asks
nobody else.
"""

from __future__ import annotations

import re

import msgspec

from bespeak.errors import InvalidSetting
from bespeak.settings import Settings

_URL = "BESPEAK_MAP_TILES"
_CREDIT = "BESPEAK_MAP_TILES_CREDIT"
_PLACES = ("{z}", "{x}", "{y}")
# Two slashes of either kind begin with another server's name, to a browser.
_OF_THIS_SERVER = re.compile(r"/(?![/\\])")
# An origin is named in a header, beside others: it has nothing in it that parts them.
_ELSEWHERE = re.compile(r"(https?://(?:[\w.-]+|\[[0-9a-f:]+\])(?::[0-9]{1,5})?)/", re.ASCII | re.I)


class MapTiles(msgspec.Struct, frozen=True):
    """Square pictures of a map in Web Mercator, as most map servers have them: the address of one
    by `{z}`, `{x}` and `{y}`, and whom the map names as their source."""

    url: str
    credit: str

    @property
    def origin(self) -> str | None:
        """Where they are, as a Content-Security-Policy names it; None: on this server."""
        found = _ELSEWHERE.match(self.url)
        return None if found is None else found[1].lower()


def map_tiles_of(settings: Settings) -> MapTiles | None:
    """The tiles that the settings name, or None. Raises InvalidSetting."""
    url, credit = settings.map_tiles.strip(), settings.map_tiles_credit.strip()
    if not url:
        return None
    if re.search(r"[^!-~]", url) or not (_ELSEWHERE.match(url) or _OF_THIS_SERVER.match(url)):
        raise _refused(_URL, "is as https://tiles.example/{z}/{x}/{y}.png, or /tiles/{z}/{x}/{y}")
    if any(url.count(place) != 1 for place in _PLACES):
        raise _refused(_URL, "has {z}, {x} and {y} in it, each once")
    if not credit:
        raise _refused(_CREDIT, "says whose tiles they are, which the map shows")
    return MapTiles(url, credit)


def _refused(variable: str, told: str) -> InvalidSetting:
    return InvalidSetting(f"{variable} {told}", variable=variable)
