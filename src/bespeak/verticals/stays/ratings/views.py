"""What a guest says of a stay, and what is answered of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.verticals.fields import LINES_PATTERN, LINES_SCHEMA, Cursor, PageLimit

COMMENT_MAX = 1000
_SCHEMA: dict[str, object] = {**LINES_SCHEMA, "examples": ["Quiet, and the breakfast was good."]}
Comment = Annotated[
    str, Meta(max_length=COMMENT_MAX, pattern=LINES_PATTERN, extra_json_schema=_SCHEMA)
]


class GiveRating(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a guest thinks of a stay, from 1 to 10, and in words, which others may read."""

    rating: Annotated[int, Meta(ge=1, le=10)]
    comment: Comment = ""


class HideComment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the comment of a rating is hidden from guests. Its figure counts either way."""

    hidden: bool


class RatingsQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which page."""

    after: Cursor | None = None
    limit: PageLimit = 20


class StayRating(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the guest of a booking thinks of a property. It can be changed until
    `changeable_until`; a `hidden` comment is not shown to others."""

    booking_id: str
    property_id: str
    rating: int
    comment: str
    rated_at: datetime
    changeable_until: datetime
    hidden: bool = False
    replayed: bool = False


class GuestComment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a guest wrote. Of which booking, and whether it is hidden, those are told who sell."""

    rating: int
    comment: str
    rated_at: datetime
    booking_id: str | None = None
    hidden: bool = False


class GuestComments(msgspec.Struct, frozen=True):
    """A page of comments, the latest first."""

    items: list[GuestComment]
    next: str | None
