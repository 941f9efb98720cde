"""`bespeak import` and `bespeak export`: what goes in comes out, and what is wrong is said with its
code, its field and its place.
"""

import asyncio
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

import bespeak
from bespeak import Line, NewResource, Resource
from bespeak.cli import main
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.registry import parse_plan
from bespeak.inventory.shapes.seats.room_maker import make_room
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan
from bespeak.inventory.timeline.hours import WeeklyHours
from tests.harness.icalendar_files import calendar, days
from tests.harness.shows import PLAN, book

WEEKLY = (WeeklyHours("09:00", "12:30", ("mon", "wed")),)
PRACTICE = TimesPlan(
    slot_minutes=30, weekly=WEEKLY, price=2500, providers=(Provider("rao"), Provider("sen", ()))
)
ROOM = NightsPlan(rooms=("101",))


@dataclass
class Ended:
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str


class Commands:
    """Runs commands on a database, from a folder of its own."""

    def __init__(
        self, database_url: str, folder: Path, captured: pytest.CaptureFixture[str]
    ) -> None:
        self.folder = folder
        self._database_url = database_url
        self._captured = captured

    async def __call__(self, *arguments: str) -> Ended:
        words = [*arguments, "--database-url", self._database_url]
        with pytest.raises(SystemExit) as ended:
            await asyncio.to_thread(main, words)
        printed = self._captured.readouterr()
        assert "Traceback" not in printed.err
        return Ended(int(ended.value.code or 0), printed.out, printed.err)

    def file(self, name: str, content: bytes | str) -> str:
        """A file in the folder."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def read(self, path: str) -> bytes:
        """What a command has written."""
        return Path(path).read_bytes()


@pytest.fixture
def run(database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    """Runs a command."""
    return Commands(database_url, tmp_path, capsys)


@pytest.fixture
async def room(engine: bespeak.Engine) -> Resource:
    """A room, night by night."""
    return await engine.create_resource(NewResource(name="Room", plan=ROOM))


def as_json(plan: object) -> bytes:
    return msgspec.json.encode(plan)


@pytest.mark.parametrize("plan", [PLAN, make_room("theatre", 300)], ids=["show", "theatre"])
async def test_a_seat_map_that_was_exported_is_the_same_again(
    run: Commands, engine: bespeak.Engine, plan: bespeak.SeatsPlan
) -> None:
    made = await run("import", "seatmap", run.file("hall.json", as_json(plan)), "--name", "Hall")
    assert (made.status, made.err) == (0, "")
    first = await engine.get_resource(made.out.strip())
    assert (first.name, first.plan) == ("Hall", plan)
    output = str(run.folder / "again.json")
    assert (await run("export", "seatmap", first.id, "--output", output)).out == ""
    assert parse_plan(run.read(output)) == plan
    again = await run("import", "seatmap", output, "--name", "Twin", "--json")
    assert parse_plan(json.dumps(json.loads(again.out)["plan"])) == plan


async def test_a_seat_map_in_csv(run: Commands, engine: bespeak.Engine) -> None:
    seats = "section,row,seat,category,price\nStalls,A,1,premium,4500\nStalls,A,2,premium,4500\n"
    made = await run("import", "seatmap", run.file("hall.csv", seats), "--name", "Hall")
    resource_id = made.out.strip()
    written = await run("export", "seatmap", resource_id, "--format", "csv")
    again = await run("import", "seatmap", run.file("again.csv", written.out), "--name", "Twin")
    plans = [(await engine.get_resource(one.out.strip())).plan for one in (made, again)]
    assert plans[0] == plans[1]


async def test_the_map_of_a_resource_is_changed(run: Commands, engine: bespeak.Engine) -> None:
    show = await engine.create_resource(NewResource(name="Show", plan=PLAN))
    smaller = run.file("map.json", b'{"type":"seats","pools":[{"unit":"floor","capacity":9}]}')
    changed = await run("import", "seatmap", smaller, "--resource", show.id)
    assert (changed.status, changed.out.strip()) == (0, show.id)
    assert (await engine.get_resource(show.id)).version == 2
    await book(engine, [Line(show.id, "floor", 2)])
    seats = run.file("seats.csv", "section,row,seat\nStalls,A,1\n")
    refused = await run("import", "seatmap", seats, "--resource", show.id)
    assert refused.status == 1
    assert refused.err.startswith("bespeak: resource_in_use: ")


@pytest.mark.parametrize("file_format", ["json", "csv"])
async def test_a_schedule_that_was_exported_is_the_same_again(
    run: Commands, engine: bespeak.Engine, file_format: str
) -> None:
    file = run.file("practice.json", as_json(PRACTICE))
    made = await run("import", "schedule", file, "--name", "Dr Rao", "--time-zone", "Asia/Kolkata")
    first = await engine.get_resource(made.out.strip())
    assert (first.plan, first.time_zone, first.kind) == (PRACTICE, "Asia/Kolkata", "session")
    output = str(run.folder / f"again.{file_format}")  # whose name says the format
    await run("export", "schedule", first.id, "--output", output)
    changed = await run("import", "schedule", output, "--resource", first.id)
    assert changed.out.strip() == first.id
    again = await engine.get_resource(first.id)
    assert (again.plan, again.time_zone, again.version) == (PRACTICE, "Asia/Kolkata", 2)


async def test_a_calendar_goes_in_and_out(
    run: Commands, engine: bespeak.Engine, room: Resource
) -> None:
    today = engine.clock.now().date()
    start, middle, end = (f"{today.replace(year=today.year + 1, day=day)}" for day in (5, 8, 11))
    file = run.file("air bnb (1).ics", calendar(days("a", start, middle)))
    done = await run("import", "calendar", file, "--resource", room.id)
    assert (done.status, done.err) == (0, "")
    assert done.out == "created 1, moved 0, lifted 0, unchanged 0, conflicts 0\n"
    (block,) = (await engine.list_blocks(room.id)).items
    assert block.source == "ics:air-bnb-1:a"
    told = await run("export", "calendar", room.id, "--details")
    assert "SUMMARY:Blocked: 101\r\n" in told.out
    without = await run("export", "calendar", room.id, "--without", "air-bnb-1")
    assert "VEVENT" not in without.out
    twin = await engine.create_resource(NewResource(name="Twin", plan=ROOM))
    exported = run.file("room.ics", told.out.encode())
    again = await run("import", "calendar", exported, "--resource", twin.id, "--json")
    assert json.loads(again.out)["created"] == 1
    await book(engine, [Line(room.id, "101", from_=middle, to=end)])
    file = run.file("air bnb (1).ics", calendar(days("a", start, end)))
    conflict = await run("import", "calendar", file, "--resource", room.id, "--unit", "101")
    assert (conflict.status, conflict.out) == (
        1, "created 0, moved 0, lifted 0, unchanged 0, conflicts 1\n",
    )  # fmt: skip
    assert conflict.err == f"bespeak: {start} to {end} (a): 101 is booked\n"


async def test_standard_input_is_a_file_too(
    run: Commands, engine: bespeak.Engine, room: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    def comes(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))

    comes(b"section;row;seat\nStalls;A;1\n")
    made = await run("import", "seatmap", "-", "--name", "Hall")
    comes(as_json((await engine.get_resource(made.out.strip())).plan))
    assert (await run("import", "seatmap", "-", "--name", "Twin")).status == 0
    comes(calendar())
    nameless = await run("import", "calendar", "-", "--resource", room.id)
    assert nameless.err.startswith("bespeak: invalid_request (name): ")
    comes(calendar())
    done = await run("import", "calendar", "-", "--resource", room.id, "--name", "x")
    assert done.out.startswith("created 0")


WRONG: list[tuple[list[str], str | bytes, str]] = [
    (["import", "seatmap", "FILE.csv", "--name", "x"], "section,row,seat\nA,A,1\nA,A,1\n",
     "invalid_request (plan): line 3, column `seat`"),
    (["import", "seatmap", "FILE.csv", "--name", "x"], b"\xff", "invalid_request (FILE): "),
    (["import", "seatmap", "FILE.json", "--name", "x"], "{", "invalid_request (plan): "),
    (["import", "seatmap", "FILE.json", "--name", "x"], as_json(PRACTICE),
     "invalid_request (FILE): "),
    (["import", "seatmap", "FILE.json"], as_json(PLAN), "invalid_request (--name): "),
    (["import", "seatmap", "FILE.json", "--name", "x", "--resource", "y"], as_json(PLAN),
     "invalid_request (--name): "),
    (["import", "seatmap", "FILE.json", "--resource", "y"], as_json(PLAN), "invalid_id: "),
    (["import", "seatmap", "FILE.json", "--resource", "res_00000001"], as_json(PLAN),
     "resource_not_found: "),
    (["import", "seatmap", "FILE.json", "--name", ""], as_json(PLAN), "invalid_request (name): "),
    (["import", "seatmap", "FILE.x", "--name", "x", "--format", "csv"], as_json(PLAN),
     "invalid_request (plan): line 1"),
    (["import", "schedule", "FILE.json", "--name", "x"], as_json(PLAN), "invalid_request (FILE): "),
    (["import", "schedule", "FILE.csv", "--name", "x"], "days,from,to\nmon,09:00,10:00\n",
     "invalid_request (plan): line 1, column `slot_minutes`"),
    (["import", "schedule", "FILE.json", "--name", "x", "--time-zone", "Mars"], as_json(PRACTICE),
     "invalid_request (time_zone): "),
    (["import", "calendar", "FILE.ics", "--resource", "ROOM"], "<html>",
     "invalid_request (calendar): calendar: line 1"),
    (["import", "calendar", "FILE.ics", "--resource", "ROOM"], calendar("UID:a\nDTSTART:x"),
     "invalid_request (calendar): calendar: line 4, event 'a'"),
    (["import", "calendar", "FILE.ics", "--resource", "ROOM", "--name", "a:b"], calendar(),
     "invalid_request (name): "),
    (["export", "seatmap", "ROOM"], "", "invalid_request (resource): "),
    (["export", "schedule", "ROOM"], "", "invalid_request (resource): "),
    (["export", "seatmap", "res_00000001"], "", "resource_not_found: "),
    (["export", "nonsense", "x"], "", "invalid_request (NAME): "),
    (["export", "cinema", "popcorn"], "", "invalid_request (KIND): "),
    (["export", "calendar", "nonsense"], "", "invalid_id: "),
    (["export", "calendar", "ROOM", "--output", "FOLDER/none/x.ics"], "",
     "invalid_request (--output): "),
    (["import", "seatmap", "FOLDER/none.json", "--name", "x"], "", "invalid_request (FILE): "),
    (["import", "calendar", "FOLDER", "--resource", "ROOM", "--name", "x"], "",
     "invalid_request (FILE): "),
]  # fmt: skip


@pytest.mark.parametrize(("words", "content", "said"), WRONG, ids=range(len(WRONG)))
async def test_what_is_wrong_is_one_sentence_with_code_and_field(
    run: Commands, room: Resource, words: list[str], content: str | bytes, said: str
) -> None:
    arguments = [
        run.file(word, content)
        if word.startswith("FILE.")
        else word.replace("ROOM", room.id).replace("FOLDER", str(run.folder))
        for word in words
    ]
    ended = await run(*arguments)
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith(f"bespeak: {said}"), ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["import", "seatmap"],
        ["import", "calendar", "x.ics"],
        ["import", "seatmap", "x", "--format", "xml"],
        ["import", "calendar", "x.ics", "--resource", "y", "--quantity", "many"],
        ["export", "nonsense", "x"],
    ],
)
async def test_arguments_that_make_no_sense_are_refused(run: Commands, words: list[str]) -> None:
    ended = await run(*words)
    assert ended.status != 0


@pytest.mark.parametrize("kind", ["seatmap", "schedule", "calendar"])
@pytest.mark.parametrize("verb", ["import", "export"])
def test_the_help_teaches_by_example(
    verb: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([verb, kind, "--help"])
    text = capsys.readouterr().out
    assert "For example:" in text
    assert f"bespeak {verb} {kind}" in text
