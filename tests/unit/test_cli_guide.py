"""What the demo prints for a person: everything to go to, and every line as it is pasted."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bespeak.cli.guide import guide
from bespeak.cli.supervision.supervisor import Ready
from bespeak.inventory.resources import Resource
from bespeak.inventory.shapes.seats.plan import Row, SeatsPlan, Section
from bespeak.money import Money

NOW = datetime(2026, 11, 21, tzinfo=UTC)
SHOW = Resource(
    id="res_00000001", name="A name of [bold]brackets[/bold] :smile: " + "and words " * 20,
    kind="show", state="open", plan=SeatsPlan((Section("S", (Row("A", 6),)),)), time_zone="UTC",
    opens_at=None, closes_at=None, starts_at=None, ends_at=None, hold_seconds=90,
    hold_seconds_max=90, owner_limit=None, payment="required", payment_seconds=900,
    published=True,
        late_payment="same_units", price=Money(0, "EUR"), pricing=None, attributes={}, version=1,
    created_at=NOW, updated_at=NOW,
)  # fmt: skip
KEYS = {"pk": "pk_" + "1" * 32, "sk": "sk_" + "2" * 32, "ak": "ak_" + "3" * 32}
URL = "http://127.0.0.1:8000"


def ready(*shows: Resource) -> Ready:
    return Ready(
        url=URL, keys=KEYS, resources=list(shows), suggestion=["A3", "A4"], told=["9 shows"]
    )


def test_it_says_where_all_is_and_with_which_keys() -> None:
    text = guide(ready(SHOW), Path("/data"), is_terminal=False)
    assert "\x1b" not in text
    assert "9 shows" in text
    for place in (f"{URL}/ ", f"{URL}/console", f"{URL}/docs", f"{URL}/shows/{SHOW.id}"):
        assert place in text
    for key in KEYS.values():
        assert key in text
    assert SHOW.name in text, "as it is called, whatever that may mean to who draws it"


def test_what_is_pasted_is_in_one_piece() -> None:
    lines = guide(ready(SHOW), Path("/data"), is_terminal=False).splitlines()
    hold = (
        '{"owner":"asha","lines":[{"resource_id":"res_00000001","unit":"A3"},'
        '{"resource_id":"res_00000001","unit":"A4"}]}'
    )
    assert f"    -d '{hold}'" in lines
    assert """    -d '{"hold_id":"hold_...","payment_token":"tok_success"}'""" in lines
    assert "  # hold two seats, for 90 seconds" in lines
    rush = next(line for line in lines if " rush --url " in line)
    assert rush.endswith(f"rush --url {URL} --resource {SHOW.id} --pace 15")


def test_on_a_terminal_it_has_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    text = guide(ready(SHOW), Path("/data"), is_terminal=True)
    assert "\x1b[" in text


def test_without_anything_to_sell_it_still_says_where_to_go() -> None:
    text = guide(ready(), Path("/data"), is_terminal=False)
    assert f"{URL}/console" in text
    assert "curl" not in text
