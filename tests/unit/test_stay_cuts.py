"""An index goes on while another thread writes what it was: the file has what there was at one time
of all that nobody changed meanwhile, and who is told of the rest ends with what the index has.
"""

import asyncio
import copy
import random
import threading
from dataclasses import fields
from datetime import UTC, datetime
from typing import BinaryIO

import pytest

from bespeak.verticals.stays.search import snapshot
from bespeak.verticals.stays.search.array_file import ArrayWriter
from bespeak.verticals.stays.search.columns import WORDS
from bespeak.verticals.stays.search.index import StaysIndex
from bespeak.verticals.stays.search.listing import FIRST_NIGHT, IndexedListing
from bespeak.verticals.stays.search.listing_rows import RowsCut
from bespeak.verticals.stays.search.packing import write_rows
from bespeak.verticals.stays.search.snapshot import SnapshotHead, sorted_anew
from tests.unit.test_stay_index import _listing, _plans, _units

_TODAY = datetime.now(UTC).date().toordinal()
# So that some nights are further ahead than columns reach.
_AGO = (2, 64 * WORDS - 20)


def _told(index: StaysIndex) -> dict[int, dict[str, object]]:
    """All that an index knows; of nights, those from its first on in which something is taken."""
    return {one.number: _one_told(one, index.first_night) for one in index.listings()}


def _one_told(one: IndexedListing, first: int) -> dict[str, object]:
    said = {each.name: getattr(one, each.name) for each in fields(one) if each.name != "_rules"}
    drawn = {day: count for day, count in one.drawn.items() if day >= first}
    taken = {room: bits >> first - FIRST_NIGHT for room, bits in one.taken.items()}
    taken = {room: bits for room, bits in taken.items() if bits}
    return said | {"taken": taken, "drawn": drawn, "full": one.full >> first - FIRST_NIGHT}


def _change(
    index: StaysIndex, listings: dict[int, IndexedListing], chance: random.Random
) -> tuple[int, list[tuple[str, bool, int]] | None]:
    """Changes something of a listing, or gives it up for another. Answers its number and which
    units stand how, or None: it is to be read whole."""
    number = chance.choice([*listings])
    plans = [one.plan for one in listings.values()]
    match chance.randrange(4):
        case 0:
            listings[number] = _listing(number, chance.choice(plans), chance)
            index.put(listings[number])
            return number, None
        case 1:
            index.drop(number)
            del listings[number]
            new = max(listings) + 1
            listings[new] = _listing(new, chance.choice(plans), chance)
            index.put(listings[new])
            return new, None
    units = [
        (unit, chance.random() < 0.5, chance.randrange(4))
        for unit in _units(listings[number], chance)
    ]
    for unit, taken, drawn in units:
        index.mark(number, unit, is_taken=taken, drawn=drawn)
        listings[number].mark(unit, is_taken=taken, drawn=drawn)
    return number, units


@pytest.mark.parametrize("seed", range(6))
async def test_what_is_written_is_of_one_time(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, first = random.Random(seed), _TODAY - _AGO[seed % 2]
    plans, index = _plans(chance), StaysIndex(first)
    listings = {number: _listing(number, chance.choice(plans), chance) for number in range(1, 200)}
    for one in listings.values():
        index.put(one)
    began, goes_on = threading.Event(), threading.Event()

    def write_later(writer: ArrayWriter, rows: RowsCut, first_night: int) -> None:
        began.set()
        assert goes_on.wait(30)
        write_rows(writer, rows, first_night)

    monkeypatch.setattr(snapshot, "write_rows", write_later)
    for turn in range(6):
        before, known = copy.deepcopy(_told(index)), set(listings)
        began.clear()
        goes_on.clear()
        task = asyncio.create_task(sorted_anew(index, first + min(turn, 1)))
        await asyncio.to_thread(began.wait, 30)
        changes = [_change(index, listings, chance) for _ in range(120)]
        goes_on.set()
        anew = await task
        changed = {number for number, _ in changes} | known - set(listings)
        left = {number: said for number, said in before.items() if number not in changed}
        written = _told(anew)
        if turn == 0:  # from later on, nights that are over are not told
            assert left == {number: written[number] for number in left}
        assert len(anew) == len(before)
        _tell(anew, listings, changes, known)
        assert sorted(_told(anew)) == sorted(listings)
        expected = {one.number: _one_told(one, anew.first_night) for one in listings.values()}
        assert _told(anew) == expected
        of_index = {one.number: _one_told(one, first) for one in listings.values()}
        assert _told(index) == of_index
        for each in (index, anew):
            assert sum(each.rows.groups.codes.counts) == len(listings)
        if turn % 2:  # the next one is of a file itself
            index, first = anew, anew.first_night


def _tell(
    index: StaysIndex,
    listings: dict[int, IndexedListing],
    changes: list[tuple[int, list[tuple[str, bool, int]] | None]],
    known: set[int],
) -> None:
    """Tells an index of changes as the feed would: what was made or changed is read whole as it
    stands now, and a unit as well."""
    for number in known - set(listings):
        index.drop(number)
    for number, units in changes:
        if number not in listings:
            continue
        if units is None:
            index.put(listings[number])
            continue
        for unit, taken, drawn in units:
            index.mark(number, unit, is_taken=taken, drawn=drawn)


async def test_who_gives_up_waiting_does_not_free_what_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The thread goes on, and so what it reads stays."""
    chance, first = random.Random(1), _TODAY - 2
    plans, index = _plans(chance), StaysIndex(first)
    for number in range(1, 20):
        index.put(_listing(number, chance.choice(plans), chance))
    began, goes_on, written = threading.Event(), threading.Event(), threading.Event()

    def write_later(writer: ArrayWriter, rows: RowsCut, first_night: int) -> None:
        began.set()
        assert goes_on.wait(30)
        write_rows(writer, rows, first_night)
        written.set()

    monkeypatch.setattr(snapshot, "write_rows", write_later)
    task = asyncio.create_task(sorted_anew(index, first))
    await asyncio.to_thread(began.wait, 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    for number in range(1, 20):
        index.put(_listing(number, chance.choice(plans), chance))
    end = index.rows.numbers.end
    assert end == 2 * 19, "no row is given again while it is read"
    goes_on.set()
    assert await asyncio.to_thread(written.wait, 30), "all that it reads was there"
    while index.rows.is_cut:  # noqa: ASYNC110 (the thread ends by itself)
        await asyncio.sleep(0.01)
    for number in range(1, 20):
        index.put(_listing(number, chance.choice(plans), chance))
    assert index.rows.numbers.end == end


async def test_a_cut_that_fails_keeps_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    chance, index = random.Random(1), StaysIndex(_TODAY - 2)
    plans = _plans(chance)

    def broken() -> object:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(index.rows.frames, "cut", broken)
        with pytest.raises(MemoryError):
            await sorted_anew(index, _TODAY - 2)
    assert not index.rows.is_cut
    for _ in range(2):
        index.put(_listing(1, chance.choice(plans), chance))
    assert index.rows.numbers.end == 1, "a row is given again"


async def test_a_disk_that_spoils_what_is_made_is_no_fault_of_the_index(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance, index = random.Random(1), StaysIndex(_TODAY - 2)
    index.put(_listing(1, chance.choice(_plans(chance)), chance))
    write = snapshot._write_rows

    def spoil(file: BinaryIO, rows: RowsCut, head: SnapshotHead) -> None:
        write(file, rows, head)
        file.seek(5000)
        file.write(b"spoilt")
        file.flush()

    monkeypatch.setattr(snapshot, "_write_rows", spoil)
    with pytest.raises(OSError, match="damaged"):
        await sorted_anew(index, _TODAY - 2)
