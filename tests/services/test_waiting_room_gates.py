"""A waiting room in front of another shop, by the programs and the nginx block of the guide as they
stand there: who has a good pass comes through, and nobody else.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
import pytest_asyncio

from bespeak import NewWaitingRoom, WaitingRoom, WaitingRoomNotFound
from bespeak.admission.passes import RESOURCES_NAMED_MAX
from bespeak.client import Client
from bespeak.http.server.keys import create_key
from tests.docs.pages import blocks
from tests.harness import database
from tests.harness.shows import new_show
from tests.http.running import running
from tests.services.conftest import ROOT, free_port
from tests.services.test_proxies import wait_for_port

GUIDE = ROOT / "docs/guides/waiting-room.md"
_KNOWN_SECONDS_MAX = 30
SHORT = """
    update bespeak.waiting_pass set expires_at = now() + interval '8 seconds' where room_id = $1
"""
RUN = """
const [url, passes, room, shopper, resource, back] = process.argv.slice(2);
const now = Date.now;
Date.now = () => now() - Number(back) * 1000;
const keys = await keysOf(url);
const good = [];
for (const pass of JSON.parse(passes)) good.push(await mayBuy(keys, pass, room, shopper, resource));
console.log(JSON.stringify(good));
"""
# Sessions of the shop, each by the name of its shopper.
SERVE = """
import sys
url, room, port = sys.argv[1:]
sessions = {"of-asha": "asha", "of-ben": "ben"}
serve_gate(keys_of(url), room, lambda session: sessions.get(session, ""), int(port))
"""


def shown(language: str, what: str) -> str:
    """The one block of the guide in a language that has this in it."""
    (found,) = (b.text for b in blocks(GUIDE) if b.language == language and what in b.text)
    return found + "\n"


class Passes(NamedTuple):
    """Passes of asha: a good one for a show, one of a room with so many that it names none, one
    of another room, and one of a third that is over, with the show of that."""

    url: str
    room: str
    show: str
    good: str
    big_room: str
    big: str
    elsewhere: str
    third: str
    third_show: str
    over: str

    @property
    def forged(self) -> list[str]:
        head, body, signature = self.good.split(".")
        _, other_body, _ = self.elsewhere.split(".")
        none = "eyJhbGciOiJub25lIn0"  # {"alg":"none"}
        return [
            f"{head}.{other_body}.{signature}",
            f"{head}.{body}.{signature[:-8]}AAAAAAAA",
            f"{head}.{body}.",
            f"{head}.{body}",
            f"{none}.{body}.",
            f"{none}.{body}.{signature}",
            "",
            "x",
            "....",
        ]


async def come_in(client: Client, room: WaitingRoom) -> tuple[str, str]:
    """The pass of asha, who waits until it is given, and her queue token."""
    async for look in client.wait_in_line(room.id, owner="asha"):
        if look.given is not None:
            return look.given.pass_, look.queue_token
    raise AssertionError("the line has an end")


async def made(client: Client, shows: int = 1) -> WaitingRoom:
    new = NewWaitingRoom(
        name="Premiere",
        resources=tuple([(await client.create_resource(new_show())).id for _ in range(shows)]),
        opens_at=datetime.now(UTC),
        pace="rate",
        a_minute=6000,
    )
    room = await client.make_waiting_room(new)
    async with asyncio.timeout(_KNOWN_SECONDS_MAX):
        while True:  # the one worker looks once a second
            try:
                await client.waiting_room_now(room.id)
            except WaitingRoomNotFound:
                await asyncio.sleep(0.05)
            else:
                return room


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def passes(server: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Passes]:
    folder = tmp_path_factory.mktemp("gates")
    async with database.fresh_database(server) as url, database.session(url) as session:
        key, _ = await create_key(session, "admin", "tests")
        variables = {"BESPEAK_DATABASE_URL": url}
        with running(folder / "data", "serve", "--workers", "1", **variables) as serving:
            async with Client(serving.url, key) as client:
                room, other, third = [await made(client) for _ in range(3)]
                big = await made(client, RESOURCES_NAMED_MAX + 1)
                good, _ = await come_in(client, room)
                unnamed, _ = await come_in(client, big)
                elsewhere, _ = await come_in(client, other)
                _, token = await come_in(client, third)
                # The shortest that a pass can be made to last is a minute.
                await session.execute(SHORT, third.id)
                over = await client.ask_pass(third.id, token, owner="asha")
                left = over.expires_at - datetime.now(UTC)
                await asyncio.sleep(left.total_seconds() + 1)  # tokens count whole seconds
                yield Passes(
                    *(serving.url, room.id, room.resources[0], good, big.id, unnamed),
                    *(elsewhere, third.id, third.resources[0], over.pass_),
                )


def checked(
    passes: Passes, given: list[str], room: str, shopper: str, resource: str = "", back: int = 0
) -> list[bool]:
    """What the TypeScript of the guide says of passes where a show is sold (of itself that of the
    good pass), by a clock that is so many seconds late."""
    program = shown("ts", "export async function mayBuy") + RUN
    node, arguments = ROOT / ".venv/bin/node", [passes.url, json.dumps(given), room, shopper]
    arguments.append(resource or passes.show)
    done = subprocess.run(
        [node, "--input-type=module-typescript", "-", *arguments, str(back)],
        input=program, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: list[bool] = json.loads(done.stdout)
    return found


def test_typescript_judges_a_pass_as_the_guide_says(passes: Passes) -> None:
    good, room = passes.good, passes.room
    assert checked(passes, [good, passes.elsewhere], room, "asha") == [True, False]
    assert checked(passes, [good], room, "ben") == [False]
    assert checked(passes, [good], room, "asha", passes.third_show) == [False]
    for resource in (passes.show, passes.third_show):
        assert checked(passes, [passes.big, good], passes.big_room, "asha", resource) == [
            True,
            False,
        ]
    assert checked(passes, [passes.elsewhere], "wrm_000000000000", "asha") == [False]
    assert not any(checked(passes, passes.forged, room, "asha"))


def test_typescript_knows_when_a_pass_is_over(passes: Passes) -> None:
    over = ([passes.over], passes.third, "asha", passes.third_show)
    assert checked(passes, *over) == [False]
    assert checked(passes, *over, back=600) == [True]


@contextmanager
def nginx(folder: Path, gate: int, show: str) -> Iterator[str]:
    """nginx with the block of the guide in a shop; only the port of the gate and the show that is
    sold there are others."""
    block = shown("nginx", "auth_request")
    for shown_there, ours in (("127.0.0.1:9000", f"127.0.0.1:{gate}"), ("res_0000002a", show)):
        assert block.count(shown_there) == 1
        block = block.replace(shown_there, ours)
    (folder / "shop/checkout").mkdir(parents=True)
    (folder / "shop/checkout/index.html").write_text("pay here")
    port = free_port()
    user = "user root;\n" if os.geteuid() == 0 else ""  # its own may not enter the folder
    (folder / "nginx.conf").write_text(
        f"{user}pid {folder}/nginx.pid;\nerror_log stderr crit;\nevents {{}}\nhttp {{\n"
        f"access_log off;\nserver {{\nlisten 127.0.0.1:{port};\nroot {folder}/shop;\n"
        f"{block}}}\n}}\n"
    )
    command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    with subprocess.Popen([*command, "-g", "daemon off;"]) as process:
        try:
            wait_for_port(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)


@contextmanager
def small_server(url: str, room: str, port: int) -> Iterator[None]:
    """The small server of the guide, which is asked by nginx."""
    program = shown("python", "def may_buy") + shown("python", "def serve_gate") + SERVE
    command = [sys.executable, "-c", program, url, room, str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for_port(port)
            yield
        finally:
            process.kill()
            process.wait(20)


def led_away(answer: httpx.Response) -> bool:
    """Whether somebody is led to the waiting room, and sees nothing of what is behind it."""
    (address,) = re.findall(r"=302 (\S+);", shown("nginx", "auth_request"))
    if answer.status_code != 302:
        return False
    assert answer.headers["location"] == address
    assert "pay here" not in answer.text
    return True


def test_nginx_lets_by_who_has_a_good_pass(passes: Passes, tmp_path: Path) -> None:
    gate = free_port()
    with nginx(tmp_path, gate, passes.show) as shop:

        def goes(given: str | None, session: str = "of-asha", **more: str) -> httpx.Response:
            cookies = f"session={session}" + ("" if given is None else f"; pass={given}")
            return httpx.get(f"{shop}/checkout/", headers={"cookie": cookies, **more})

        away = goes(passes.good)
        assert (away.status_code, "pay here" in away.text) == (500, False), "the gate is not there"
        with small_server(passes.url, passes.room, gate):
            paid = goes(passes.good)
            assert (paid.status_code, paid.text) == (200, "pay here")
            assert led_away(goes(passes.good, session="of-ben")), "it is another shopper's"
            assert led_away(goes(passes.good, session="of-nobody"))
            assert led_away(goes(passes.elsewhere)), "it is another waiting room's"
            assert goes(passes.good, **{"sold-there": passes.third_show}).status_code == 200
            assert led_away(goes(None))
            for forged in passes.forged:
                assert led_away(goes(forged)), forged
            assert led_away(httpx.get(f"{shop}/checkout/")), "without a cookie"
            assert led_away(httpx.post(f"{shop}/checkout/", content=b"x" * 1000))
            assert httpx.get(f"{shop}/may-buy").status_code == 404, "it is internal"
            assert goes(passes.good).status_code == 200


def test_nginx_leads_away_whose_pass_is_over(passes: Passes, tmp_path: Path) -> None:
    gate = free_port()
    served = nginx(tmp_path, gate, passes.third_show)
    with served as shop, small_server(passes.url, passes.third, gate):
        cookies = {"cookie": f"session=of-asha; pass={passes.over}"}
        assert led_away(httpx.get(f"{shop}/checkout/", headers=cookies))


def test_nginx_leads_away_whose_pass_is_for_another_show(passes: Passes, tmp_path: Path) -> None:
    gate = free_port()
    with nginx(tmp_path, gate, passes.third_show) as shop:
        cookies = f"session=of-asha; pass={passes.good}"
        with small_server(passes.url, passes.room, gate):
            for more in ({}, {"sold-there": passes.show}):  # what a browser says counts for nothing
                assert led_away(httpx.get(f"{shop}/checkout/", headers={"cookie": cookies, **more}))


def test_nginx_lets_by_who_has_a_pass_for_all_of_a_big_room(passes: Passes, tmp_path: Path) -> None:
    gate = free_port()
    served = nginx(tmp_path, gate, passes.show)
    with served as shop, small_server(passes.url, passes.big_room, gate):
        cookies = {"cookie": f"session=of-asha; pass={passes.big}"}
        assert httpx.get(f"{shop}/checkout/", headers=cookies).text == "pay here"
