"""Cursors of the feed, of streams and of lists: what they say; none is taken for another."""

import pytest

from bespeak.errors import InvalidCursor
from bespeak.feed.cursors import (
    START,
    FeedPlace,
    check_feed_cursor,
    parse_live_cursor,
    show_live_cursor,
)
from bespeak.pages import before_position


def test_a_stream_cursor_says_its_life_and_its_horizon() -> None:
    place = FeedPlace(0x1_1A2B3C4D, 0x5C1)
    assert show_live_cursor(place) == "11a2b3c4d-5c1-live"
    assert parse_live_cursor("11a2b3c4d-5c1-live") == place


@pytest.mark.parametrize("cursor", [START, "11a2b3c4d-5c1"])
def test_a_cursor_of_the_feed_is_for_the_database_to_read(cursor: str) -> None:
    check_feed_cursor(cursor)
    assert parse_live_cursor(cursor) is None


def test_a_stream_cursor_is_none_of_the_feed() -> None:
    with pytest.raises(InvalidCursor):
        check_feed_cursor("11a2b3c4d-5c1-live")


@pytest.mark.parametrize(
    "cursor", ["", "x", "1-", "-1", "1-2-3", "1-2-live-live", "1-2-live\n", "1" * 17 + "-1-live"]
)
def test_what_is_none_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidCursor):
        parse_live_cursor(cursor)


def test_a_page_of_positions_begins_before_its_cursor() -> None:
    assert before_position("17") == 17
    assert before_position(None) == (1 << 63) - 1


@pytest.mark.parametrize(
    "cursor", ["", "0", "017", "-1", "1\n", "\u0661", "1" * 19, "11a2b3c4d-5c1"]
)
def test_what_is_no_position_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidCursor):
        before_position(cursor)
