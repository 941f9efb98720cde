"""What verticals take as texts, pages and cursors, with their bounds."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA

LINES_PATTERN = r"^[^\x00-\x09\x0b-\x1f\x7f]*\Z"
LINES_SCHEMA: dict[str, object] = {
    "pattern": r"^[^\x00-\x09\x0b-\x1f\x7f]*$",
    "description": "text without control characters but line breaks",
    "examples": ["An evening with four hands.\n\nWith an interval."],
}

Line = Annotated[str, Meta(max_length=300, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)]
City = Annotated[str, Meta(max_length=100, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)]
Lines = Annotated[str, Meta(max_length=2000, pattern=LINES_PATTERN, extra_json_schema=LINES_SCHEMA)]
Description = Annotated[
    str, Meta(max_length=8000, pattern=LINES_PATTERN, extra_json_schema=LINES_SCHEMA)
]
PageLimit = Annotated[int, Meta(ge=1, le=100)]
Cursor = Annotated[str, Meta(min_length=1, max_length=800)]
Search = Annotated[str, Meta(max_length=100, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)]
