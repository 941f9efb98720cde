"""What a vertical may import: `bespeak` and `bespeak.verticals`. Our own is held to it too, but for
a list that may only get shorter.
"""

import ast
from importlib import import_module
from pathlib import Path
from types import FunctionType

import bespeak
from bespeak import verticals

# What stands on a floor below has these from where they are at home, not from `bespeak`.
ALLOWED = [bespeak, verticals]
STILL_DEEPER = {
    "ADULT_AGE",
    "ALL",
    "AnyPlan",
    "BookingCode",
    "BufferMinutes",
    "CalendarNight",
    "CancellationOverride",
    "Category",
    "CellWriter",
    "CheckInTime",
    "CheckoutQuestion",
    "City",
    "Companion",
    "CompiledTimes",
    "Country",
    "Counts",
    "Currency",
    "CurrencyNeeded",
    "Cursor",
    "DEFAULT",
    "DIGEST_LENGTH",
    "Database",
    "Description",
    "DrawnPicture",
    "EVENTS_MAX",
    "EventKind",
    "Exceptions",
    "FAULTS",
    "FIRST_DATE",
    "Flags",
    "HoldSeconds",
    "HoldSecondsMax",
    "Holidays",
    "ImportQuestion",
    "ImportRefused",
    "ImportWork",
    "InvalidSetting",
    "KEY_LENGTH_MAX",
    "LANGUAGES_MAX",
    "LINES_PATTERN",
    "LINES_SCHEMA",
    "LanguageName",
    "Lines",
    "MEDIA_TYPE",
    "Meals",
    "NAME_PATTERN",
    "NAME_SCHEMA",
    "Name",
    "NightRate",
    "NightRules",
    "NoticeMinutes",
    "Numbered",
    "Numbers",
    "OUR_LANGUAGES",
    "OwnerLimit",
    "PRICE",
    "PROBLEMS_MAX",
    "PageLimit",
    "Party",
    "PaymentRule",
    "PictureInvalid",
    "PictureNotFound",
    "Place",
    "PriceAmount",
    "Priced",
    "PricedStay",
    "Provider",
    "Put",
    "Questions",
    "Raster",
    "Reason",
    "STAY_MAX",
    "SaleContext",
    "SaleDay",
    "Search",
    "SetPicture",
    "Sheet",
    "SheetKind",
    "SlotCapacity",
    "SlotMinutes",
    "SpecialDays",
    "Stage",
    "Stay",
    "StayDiscount",
    "StayGuests",
    "StayPrices",
    "StoredTexts",
    "Texts",
    "TimeZone",
    "TimesRate",
    "Translations",
    "Url",
    "WEEKDAYS",
    "Weekday",
    "Weekly",
    "WeeklyHours",
    "amount_of",
    "as_decimal",
    "check_currency",
    "check_pricing",
    "check_resource",
    "check_text",
    "check_time_zone",
    "check_translations",
    "compile_plan",
    "compile_seats",
    "complete_until",
    "date_of",
    "day_start",
    "decimals_of",
    "draw_picture",
    "get_many",
    "held_lines",
    "ids",
    "is_away",
    "json_place",
    "json_text",
    "languages_of",
    "listed",
    "locales",
    "lock_plan",
    "made_before",
    "made_part",
    "make_quote",
    "make_room",
    "merged",
    "np",
    "of_rooms",
    "place_of",
    "prefix",
    "read",
    "read_cursor",
    "read_document",
    "read_feed_snapshot",
    "read_merchant",
    "read_moment",
    "read_sheet_of",
    "refused_report",
    "remember",
    "resource_change",
    "said_once",
    "said_words",
    "same_words",
    "search_patterns",
    "searchable",
    "show_cursor",
    "show_date",
    "stored_translations",
    "tell_changed",
    "translations_of",
    "usual_currency",
    "whole_translations",
    "with_changes",
    "with_party",
    "words_in",
    "write_sheet",
    "writing",
}


def imported(folder: Path, package: str) -> dict[str, object]:
    """What the modules of a package import of ours from outside of it, by name."""
    found: dict[str, object] = {}
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bespeak"):
                assert node.module is not None
                if node.module == package or node.module.startswith(f"{package}."):
                    continue
                home = import_module(node.module)
                for alias in node.names:
                    found[alias.name] = getattr(home, alias.name, None)
    return found


def test_our_own_verticals_import_what_is_stable() -> None:
    stable = {name for surface in ALLOWED for name in surface.__all__}
    # Functions may stand under another name. Not types with limits: two that say the same are one.
    offered = [getattr(surface, name) for surface in ALLOWED for name in surface.__all__]
    functions = {id(value) for value in offered if isinstance(value, FunctionType)}
    folder = Path(verticals.__file__).parent
    deeper: set[str] = set()
    for own in folder.iterdir():
        if (own / "__init__.py").is_file():
            found = imported(own, f"bespeak.verticals.{own.name}")
            deeper |= {
                name
                for name, value in found.items()
                if id(value) not in functions and name not in stable
            }
    assert deeper == STILL_DEEPER


def test_the_surface_is_whole() -> None:
    for name in verticals.__all__:
        assert getattr(verticals, name) is not None
    from bespeak import BookingCancelled, BookingNotExchangeable, BookingNotFound
    from bespeak.admission.errors import PassInvalid, PassRequired
    from bespeak.http.api.holds import ENDPOINTS
    from bespeak.http.server.errors import BudgetSpent, ChallengeRequired

    (place,) = (one for one in ENDPOINTS if one.operation_id == "place_hold")
    of_guests = {BudgetSpent, ChallengeRequired, PassInvalid, PassRequired}
    of_changes = {BookingCancelled, BookingNotExchangeable, BookingNotFound}
    assert set(place.errors) == {*verticals.PLACING, *of_guests, *of_changes}
