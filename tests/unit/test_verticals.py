"""The seam of the verticals: how they are found, and how a call becomes an endpoint."""

import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Literal, Never, cast

import msgspec
import pytest

from bespeak import InvalidRequest, NotOwner
from bespeak.http.api.verticals import endpoints
from bespeak.http.endpoints import ALL_ENDPOINTS, ENDPOINTS
from bespeak.http.server.answers import Answer, PackableAnswer
from bespeak.http.server.call import ANONYMOUS, Call
from bespeak.http.server.endpoint import ANYONE, BROWSERS, OPERATORS, SERVERS, Endpoint
from bespeak.http.server.openapi import openapi
from bespeak.verticals.errors import VerticalBroken
from bespeak.verticals.installed import checked, installed, look, migration_sources
from bespeak.verticals.vertical import (
    Document,
    Vertical,
    VerticalCall,
    VerticalCaller,
    VerticalRequest,
    Who,
)


class Wall(msgspec.Struct, frozen=True):
    """A wall to climb."""

    name: str


class WallQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which wall."""

    name: str = "North"


async def get_wall(request: VerticalRequest[WallQuestion, None]) -> Wall:
    """Reads a wall."""
    return Wall(f"{request.path['wall_id']} {request.query.name}")


async def get_map(_: VerticalRequest[None, None]) -> Document:
    """The map of a wall."""
    return Document(b"<svg/>", "image/svg+xml", "v1", 60)


def gym(who: Who = "browsers") -> Vertical:
    return Vertical(
        name="gym",
        title="Gym",
        calls=[
            VerticalCall("GET", "/walls/{wall_id}", get_wall, "Read a wall", who,
                         patterns={"wall_id": "^w[0-9]$"}),
            VerticalCall("GET", "/walls/{wall_id}/map", get_map, "Map", "anyone",
                         media_type="image/svg+xml"),
        ],
    )  # fmt: skip


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that offers what the test writes into it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    information = tmp_path / "offering-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: offering\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[bespeak.verticals]\nx = offering:VERTICAL\n")
    look.cache_clear()
    yield tmp_path / "offering.py"
    sys.modules.pop("offering", None)
    look.cache_clear()


OURS = ["appointments", "cinema", "programme", "stays"]
FOUND = "from bespeak.verticals.vertical import Vertical\nVERTICAL = Vertical('{}', 'Title')\n"


def test_ours_is_found_with_its_migrations() -> None:
    names = [vertical.name for vertical in installed()]
    assert names == [*OURS, *[one.name for one in entry_points(group="bespeak.verticals")]]
    source = next(one for one in migration_sources() if one.vertical == "cinema")
    assert [one.vertical for one in migration_sources()] == OURS
    assert any(file.name == "0001_catalog.sql" for file in source.folder.iterdir())


def test_another_package_may_offer_one(package: Path) -> None:
    package.write_text(FOUND.format("gym"))
    assert [vertical.name for vertical in installed()] == [*OURS, "gym"]
    assert [source.vertical for source in migration_sources()] == OURS  # it has none


@pytest.mark.parametrize(
    "name", ["cinema", "bespeak", "demo", "holds", "pg_gym", "Gym", "", "a b", "x" * 41, "gym\n"]
)
def test_a_name_that_is_anothers_or_none_is_refused(package: Path, name: str) -> None:
    package.write_text(FOUND.format(name.replace("\n", "\\n")))
    with pytest.raises(VerticalBroken, match="name"):
        installed()
    assert [vertical.name for vertical in look().usable] == OURS


def test_what_is_no_vertical_is_refused(package: Path) -> None:
    package.write_text("VERTICAL = 'cinema'\n")
    with pytest.raises(VerticalBroken, match=r"offering:VERTICAL of offering 1\.0"):
        installed()
    with pytest.raises(VerticalBroken):
        checked(object(), "here")


def test_no_vertical_takes_the_paths_of_the_api() -> None:
    """Each word after /v1/ that is ours, in the words that a vertical may have as a name."""
    ours = {one.path.split("/")[2] for one in ALL_ENDPOINTS if one.path.startswith("/v1/")}
    ours = {word.partition(".")[0].replace("-", "_") for word in ours}
    for name in ours - {vertical.name for vertical in installed()} - {"openapi_internal"}:
        with pytest.raises(VerticalBroken, match="taken"):
            checked(Vertical(name, "Mine"), "here")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import a_package_that_is_not_there\n", "ModuleNotFoundError: No module named"),
        ("VERTICAL = 1 / 0\n", "ZeroDivisionError"),
        ("def broken(:\n", "SyntaxError"),
        ("", "AttributeError"),
        (FOUND.replace("'Title'", "'Title', sauna=True").format("gym"), "unexpected keyword"),
        (FOUND.replace("'Title'", "'Title', seam=2").format("gym"), "version 2 of the seam, not 1"),
        ("raise RuntimeError('over\\nmany lines ' * 100)\n", "RuntimeError: over many lines"),
    ],
)
def test_a_broken_one_is_named_in_one_line(package: Path, text: str, why: str) -> None:
    package.write_text(text)
    (error,) = look().broken
    assert why in error.detail and "offering:VERTICAL of offering 1.0" in error.detail
    assert "\n" not in error.detail and len(error.detail) < 500
    with pytest.raises(VerticalBroken):
        migration_sources()


def test_a_call_becomes_an_endpoint_below_the_name() -> None:
    wall, plan = endpoints([gym()])
    assert (wall.method, wall.path) == ("GET", "/v1/gym/walls/{wall_id}")
    assert (wall.tag.name, wall.operation_id) == ("Gym", "gym_get_wall")
    assert plan.kinds == ANYONE
    for who, kinds in (("browsers", BROWSERS), ("servers", SERVERS), ("operators", OPERATORS)):
        assert endpoints([gym(who)])[0].kinds == kinds  # type: ignore[arg-type]


def test_its_document_has_its_tag_its_patterns_and_its_schema() -> None:
    made = openapi(endpoints([gym()]))
    text = msgspec.json.decode(msgspec.json.encode(made))
    operation = text["paths"]["/v1/gym/walls/{wall_id}"]["get"]
    assert operation["operationId"] == "gym_get_wall"
    assert operation["description"] == "Reads a wall."
    assert operation["tags"] == ["Gym"]
    assert operation["parameters"][0]["schema"] == {"type": "string", "pattern": "^w[0-9]$"}
    assert "Wall" in text["components"]["schemas"]
    ways = [set(way) for way in operation["security"]]
    assert ways == [
        {"publishable"},
        {"publishable", "shopper"},
        {"secret"},
        {"admin"},
        {"restricted"},
    ]


class _Budgets:
    are_on = False


class _WaitingRooms:
    are_at_work = False


class _Service:
    engine = guests_engine = object()
    budgets = _Budgets()
    waiting_rooms = _WaitingRooms()


def call(headers: dict[bytes, str], query: WallQuestion | None = None) -> Call[Never, Never]:
    path = {"wall_id": "w1"}
    made = Call(_Service(), {}, headers, path, ANONYMOUS, query, None)  # type: ignore[arg-type]
    return cast("Call[Never, Never]", made)


async def answered(endpoint: Endpoint, headers: dict[bytes, str]) -> Answer:
    answer = await endpoint.handler(call(headers))
    assert isinstance(answer, Answer)
    return answer


async def test_a_struct_is_answered_as_json() -> None:
    wall, _ = endpoints([gym()])
    assert (wall.query, wall.body, wall.answer) == (WallQuestion, None, Wall)
    answer = await wall.handler(call({}, WallQuestion("East")))
    assert isinstance(answer, PackableAnswer)
    assert msgspec.json.decode(answer.body, type=Wall) == Wall("w1 East")
    # Another language has other words at the same address.
    assert (b"vary", b"accept-language") in answer.headers


def asked(caller: VerticalCaller) -> VerticalRequest[None, None]:
    return VerticalRequest(object(), {}, None, None, caller)  # type: ignore[arg-type]


def test_a_request_says_whom_its_caller_acts_for() -> None:
    shopper = asked(VerticalCaller("publishable", "asha"))
    assert (shopper.placing_owner(), shopper.placing_owner("asha")) == ("asha", "asha")
    assert shopper.acting_owner() == "asha"
    with pytest.raises(NotOwner):
        shopper.placing_owner("ravi")

    server = asked(VerticalCaller("secret"))
    assert (server.placing_owner("ravi"), server.acting_owner()) == ("ravi", None)
    assert asked(VerticalCaller("secret", None, "ravi")).acting_owner() == "ravi"
    with pytest.raises(InvalidRequest):
        server.placing_owner()


@pytest.mark.parametrize("kind", ["publishable", None])
def test_who_has_no_token_acts_for_nobody(kind: Literal["publishable"] | None) -> None:
    """Though its call forgot to ask for one: a browser's key is no secret."""
    nobody = asked(VerticalCaller(kind, None, "ravi"))
    with pytest.raises(NotOwner):
        nobody.placing_owner("ravi")
    with pytest.raises(NotOwner):
        nobody.acting_owner()


async def test_a_document_is_answered_so_that_nothing_in_it_runs() -> None:
    _, plan = endpoints([gym()])
    answer = await answered(plan, {})
    headers = dict(answer.headers)
    assert (answer.status, answer.body, answer.content_type) == (200, b"<svg/>", b"image/svg+xml")
    assert headers[b"etag"] == b'W/"v1"'  # the same, packed or not
    assert headers[b"cache-control"] == b"public, max-age=60"
    assert b"default-src 'none'" in headers[b"content-security-policy"]
    assert b"sandbox" in headers[b"content-security-policy"]
    assert headers[b"x-content-type-options"] == b"nosniff"
    for tag in ('"v1"', 'W/"v1"', '"v0", "v1"', "*"):
        again = await answered(plan, {b"if-none-match": tag})
        assert (again.status, again.body) == (304, b"")
    assert (await answered(plan, {b"if-none-match": '"v2"'})).status == 200


class Problem(msgspec.Struct, frozen=True):
    """What is the matter with a wall."""

    hold: str


class Booking(msgspec.Struct, frozen=True):
    """A wall for an evening."""

    problems: list[Problem] = []


async def get_booking(_: VerticalRequest[None, None]) -> Booking:
    """Reads a booking of a wall."""
    return Booking()


def test_its_structs_may_have_names_that_ours_have() -> None:
    """Those of the API stay what they are; an installed package changes no client's types."""
    call = VerticalCall("GET", "/booking", get_booking, "Read")
    bare = openapi(ENDPOINTS)
    made = openapi([*ENDPOINTS, *endpoints([Vertical("gym", "Gym", [call])])])
    text = msgspec.json.encode(made).decode()
    before, after = (one["components"]["schemas"] for one in (bare, made))  # type: ignore[index]
    assert {name: after[name] for name in before} == before
    mine = set(after) - set(before)
    assert len(mine) == 2 and all(name.endswith(("Booking", "Problem")) for name in mine), mine
    assert all(f'"#/components/schemas/{name}"' in text for name in mine)
    assert not [name for name in after if "." in name]


def test_a_handler_that_does_not_say_what_it_takes_is_refused() -> None:
    async def guess(_: object) -> Wall:
        return Wall("North")

    call = VerticalCall("GET", "/walls", guess, "Guess")
    with pytest.raises(VerticalBroken, match="guess"):
        endpoints([Vertical("gym", "Gym", [call])])


def test_a_call_that_is_there_twice_is_refused() -> None:
    once = VerticalCall("GET", "/walls", get_wall, "Read")
    elsewhere = VerticalCall("GET", "/map", get_map, "Map", media_type="image/svg+xml")
    for again in (
        VerticalCall("GET", "/walls", get_map, "Map", media_type="image/svg+xml"),
        VerticalCall("GET", "/other-walls", get_wall, "Read"),
    ):
        with pytest.raises(VerticalBroken, match="twice"):
            endpoints([Vertical("gym", "Gym", [once, again])])
    assert len(endpoints([Vertical("gym", "Gym", [once, elsewhere])])) == 2
