"""A Python client that `openapi-python-client` makes from the document of a running server: it is
made without a warning, can be imported, and holds a seat.
"""

import importlib
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.harness import database
from tests.http.running import Server, running

GENERATOR = Path(sys.executable).parent / "openapi-python-client"
PACKAGE = "made_client"
# It knows no media types of pictures and papers: they are taken as bytes.
CONFIG = """
post_hooks: []
content_type_overrides:
  application/pdf: application/octet-stream
  image/png: application/octet-stream
  image/svg+xml: application/octet-stream
  image/webp: application/octet-stream
"""


@pytest.fixture
async def serving(tmp_path: Path, server: str) -> AsyncIterator[Server]:
    """A server on a database of its own."""
    async with database.fresh_database(server) as url:
        with running(tmp_path, "serve", "--workers", "1", BESPEAK_DATABASE_URL=url) as made:
            yield made


@pytest.fixture
def client(
    serving: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ModuleType]:
    """The client that is made from its document."""
    document, config = tmp_path / "openapi.json", tmp_path / "config.yaml"
    with urllib.request.urlopen(f"{serving.url}/v1/openapi.json", timeout=10) as answer:  # noqa: S310
        document.write_bytes(answer.read())
    config.write_text(CONFIG)
    subprocess.run(
        [GENERATOR, "generate", "--path", document, "--config", config, "--meta", "none",
         "--output-path", tmp_path / PACKAGE, "--fail-on-warning"],
        check=True,
    )  # fmt: skip
    monkeypatch.syspath_prepend(str(tmp_path))
    for path in (tmp_path / PACKAGE / "api").rglob("*.py"):
        importlib.import_module(".".join(path.relative_to(tmp_path).with_suffix("").parts))
    yield importlib.import_module(PACKAGE)
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def called(name: str) -> ModuleType:
    """The module of a call."""
    return importlib.import_module(f"{PACKAGE}.api.{name}")


def test_it_holds_a_seat_and_reads_a_refusal(client: ModuleType, serving: Server) -> None:
    models = importlib.import_module(f"{PACKAGE}.models")
    operator, shop = (
        client.AuthenticatedClient(
            base_url=serving.url, token=serving.keys[kind], raise_on_unexpected_status=True
        )
        for kind in ("ak", "sk")
    )
    plan = models.PoolsPlan.from_dict(
        {"type": "pools", "pools": [{"unit": "places", "capacity": 1}]}
    )
    made = called("resources.create_resource").sync(
        client=operator, body=models.NewResource(name="Talk", kind="talk", plan=plan)
    )
    assert isinstance(made, models.Resource)

    line = models.Line(resource_id=made.id, unit="places", quantity=1)
    place = called("holds.place_hold").sync
    body = models.PlaceHold(owner="asha", lines=[line])
    hold = place(client=shop, body=body, idempotency_key="once")
    assert isinstance(hold, models.HoldView)
    again = place(client=shop, body=body, idempotency_key="once")
    assert again.id == hold.id
    read = called("holds.get_hold").sync(hold.id, client=shop)
    assert (read.id, read.owner, read.lines) == (hold.id, "asha", hold.lines)

    refused = place(client=shop, body=models.PlaceHold(owner="ravi", lines=[line]))
    assert isinstance(refused, models.SoldOutProblem)
    assert [one.available for one in refused.conflicts] == [0]
    unknown = called("holds.get_hold").sync(f"hold_{'0' * 26}", client=shop)
    assert isinstance(unknown, models.HoldNotFoundProblem)

    seen = called("availability.get_availability").sync(made.id, client=shop)
    assert isinstance(seen, models.PoolsAvailability)
    assert seen.pools["places"].available == 0
