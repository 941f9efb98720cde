"""Nights beside the columns of a mapped snapshot: they are as if they were written into these,
whose pages stay as they are, shared; and they do not grow for ever.
"""

import random
from datetime import UTC, date, datetime

import pytest

from bespeak.inventory.arrays import np
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.verticals.stays.search import index as index_of
from bespeak.verticals.stays.search import night_changes
from bespeak.verticals.stays.search.columns import WORDS
from bespeak.verticals.stays.search.index import StaysIndex
from bespeak.verticals.stays.search.night_changes import NightChanges
from bespeak.verticals.stays.search.snapshot import sorted_anew
from tests.unit.test_stay_index import _listing

_ROWS = 60
_TODAY = datetime.now(UTC).date().toordinal()


@pytest.mark.parametrize("recent", [0, 3, 1000])
def test_words_are_as_if_they_were_written(monkeypatch: pytest.MonkeyPatch, recent: int) -> None:
    monkeypatch.setattr(night_changes, "_RECENT_MAX", recent)
    chance = random.Random(recent)
    columns = [np.arange(_ROWS, dtype=np.uint64) << np.uint64(place) for place in range(WORDS)]
    written = [column.copy() for column in columns]
    changes, touched = NightChanges(_ROWS), set()
    for _ in range(400):
        row, place = chance.randrange(_ROWS), chance.randrange(WORDS)
        word = chance.choice((0, chance.getrandbits(64), (1 << 64) - 1))
        changes.put(row, place, word)
        written[place][row] = word
        touched.add((row, place))
        rows = np.array(chance.choices(range(_ROWS), k=chance.randrange(9)), dtype=np.int64)
        words = columns[place][rows]
        changes.lay_over(words, rows, place)
        assert words.tolist() == written[place][rows].tolist()
    for row in range(_ROWS):
        for place in range(WORDS):
            known = int(written[place][row]) if (row, place) in touched else None
            assert changes.get(row, place) == known
    assert len(touched) <= len(changes) <= len(touched) + recent + 1


async def test_bookings_leave_the_pages_of_a_snapshot_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of all kinds of listings. Past a bound the index is to be sorted anew, and has nothing beside
    its columns then."""
    chance, first = random.Random(7), _TODAY - 2
    plans = [NightsPlan(rooms=("a",)), NightsPlan(rooms=("a", "b")), NightsPlan(count=1)]
    plain = StaysIndex(first)
    for number in range(1, _ROWS):
        plain.put(_listing(number, chance.choice(plans), chance))
    mapped = await sorted_anew(plain, first)
    columns = mapped.rows.columns
    before = [column.copy() for column in columns.arrays.nights]
    monkeypatch.setattr(index_of, "_BESIDE_MAX", 40)
    while not mapped.is_loose:
        number, night = chance.randrange(1, _ROWS), date.fromordinal(_TODAY + chance.randrange(300))
        unit = f"{chance.choice(('a@', 'b@', ''))}{night}"
        is_taken = chance.random() < 0.8
        for index in (plain, mapped):
            index.mark(number, unit, is_taken=is_taken, drawn=int(is_taken))
    for column, was in zip(columns.arrays.nights, before, strict=True):
        assert (column == was).all()
    assert len(columns.changes) > 40
    anew = await sorted_anew(mapped, first)
    assert not anew.is_loose
    assert len(anew.rows.columns.changes) == 0
    for number in range(1, _ROWS):
        assert _taken(mapped, number) == _taken(plain, number) == _taken(anew, number)


def _taken(index: StaysIndex, number: int) -> int:
    row = index.rows.numbers.get(number)
    assert row is not None
    return index.rows.columns.near_bits(row)
