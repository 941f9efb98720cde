"""A challenge of another package, as the guide shows it: asked for, answered, away, and broken."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from aiohttp import web

from bespeak import Resource
from bespeak.errors import InvalidSetting
from bespeak.http.server.budgets.challenge import open_challenge
from bespeak.settings import Settings
from tests.docs.pages import DOCS, blocks
from tests.http.api import Api, document, problem
from tests.http.conftest import OpenApi
from tests.http.test_budgets import ON, asking, hall, knows

__all__ = ["hall"]

GUIDE = DOCS / "guides/challenges.md"
BROKEN = (
    "\n\nclass Broken(Turnstile):\n    async def passes(self, answer, subject):\n        1 / 0\n"
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package of the guide, installed."""
    (code,) = (block.text for block in blocks(GUIDE) if block.language == "python")
    (tmp_path / "bespeak_turnstile.py").write_text(code + BROKEN)
    information = tmp_path / "bespeak_turnstile-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: x\nVersion: 1.0\n")
    named = {"turnstile": "Turnstile", "broken": "Broken", "gone": "Gone"}
    points = "".join(f"{name} = bespeak_turnstile:{value}\n" for name, value in named.items())
    (information / "entry_points.txt").write_text(f"[bespeak.challenges]\n{points}")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("TURNSTILE_SITE_KEY", "site")
    monkeypatch.setenv("TURNSTILE_SECRET", "secret")
    yield tmp_path


class Service:
    """The service at the other end: an answer is good once."""

    def __init__(self) -> None:
        self.good = {"yes-1", "yes-2"}
        self.forms: list[dict[str, str]] = []

    async def verify(self, request: web.Request) -> web.Response:
        form = {name: str(value) for name, value in (await request.post()).items()}
        self.forms.append(form)
        is_good = form["response"] in self.good
        self.good.discard(form["response"])
        return web.json_response({"success": is_good})


@pytest.fixture
async def service(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    made = Service()
    app = web.Application()
    app.router.add_post("/verify", made.verify)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    monkeypatch.setenv("TURNSTILE_VERIFY", f"http://127.0.0.1:{port}/verify")
    yield made
    await runner.cleanup()


async def hoarding(api: Api, hall: Resource) -> None:
    """Has this address hold its share, so that the next hold asks for a challenge."""
    await knows(api, hall)
    for number in range(6):
        document(await api.send(asking(api, hall, 2, f"g{number}")), 201)


@pytest.mark.usefixtures("package")
async def test_another_challenge_is_asked_for_and_judged_by_its_service(
    open_api: OpenApi, hall: Resource, service: Service
) -> None:
    api = await open_api(**ON, challenge="turnstile")
    await hoarding(api, hall)
    wanted = asking(api, hall, 1, "g7")
    told = problem(await api.send(wanted), "challenge_required")
    assert told["challenge"] == {"kind": "turnstile", "token": "", "site_key": "site"}
    for answer, code in (("no", 403), ("yes-1", 201), ("yes-1", 403), ("x" * 5000, 403)):
        answered = asking(api, hall, 1, f"g-{answer[:9]}", Bespeak_Challenge=answer)
        assert (await api.send(answered)).status_code == code, answer[:9]
    assert {form["secret"] for form in service.forms} == {"secret"}
    assert len(service.forms) == 3, "what is too long is not passed on"


@pytest.mark.usefixtures("package")
async def test_a_service_that_is_away_stops_no_sale(
    open_api: OpenApi, hall: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TURNSTILE_VERIFY", "http://127.0.0.1:9/verify")
    api = await open_api(**ON, challenge="turnstile")
    await hoarding(api, hall)
    document(await api.send(asking(api, hall, 1, "g7", Bespeak_Challenge="yes-1")), 201)


@pytest.mark.usefixtures("package")
async def test_a_challenge_that_breaks_is_asked_for_again(
    open_api: OpenApi, hall: Resource
) -> None:
    api = await open_api(**ON, challenge="broken")
    await hoarding(api, hall)
    answered = asking(api, hall, 1, "g7", Bespeak_Challenge="yes-1")
    problem(await api.send(answered), "challenge_required")


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("name", "why"), [("absent", "no installed package"), ("gone", "cannot be made")]
)
def test_a_challenge_that_cannot_be_made_is_named(name: str, why: str) -> None:
    with pytest.raises(InvalidSetting, match=why):
        open_challenge(Settings(challenge=name), b"x" * 32)


@pytest.mark.usefixtures("package")
def test_what_the_package_lacks_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TURNSTILE_SECRET")
    with pytest.raises(InvalidSetting, match="TURNSTILE_SECRET"):
        open_challenge(Settings(challenge="turnstile"), b"x" * 32)
