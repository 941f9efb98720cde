"""What may be asked of teams, as the queries of the calls."""

from __future__ import annotations

from datetime import date

import msgspec

from bespeak.inventory.fields import Name
from bespeak.lines import Quantity
from bespeak.translations import LanguageName
from bespeak.verticals.fields import City, Cursor, PageLimit, Search

DAYS_MAX = 62
"""The most dates of one question for free ones."""
DAYS_SHOWN = 31
_Date = date  # the name of a field too


class TeamsQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which teams: all, or those in a city (as it is called in any language), with all these words
    in their name, town, services or providers."""

    text: Search = ""
    city: City | None = None
    cursor: Cursor | None = None
    limit: PageLimit = 50
    lang: LanguageName | None = None


class TeamQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In which language the texts are."""

    lang: LanguageName | None = None


class FreeDaysQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}
):
    """For which service, by a provider or by anyone, for how many places of one time, and which
    dates: from one until before another by the clocks of the team (absent: from today, 31 of
    them)."""

    service: Name | None = None
    provider: Name | None = None
    from_: date | None = None
    to: date | None = None
    quantity: Quantity = 1


class AgendaQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which date, by the clocks of the team (absent: today)."""

    date: _Date | None = None
