"""What the demo prints for a person once it is open: where the shop and the console are, how to let
a crowd loose, and the calls to paste into another terminal.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from rich.text import Text

    from bespeak.cli.supervision.supervisor import Ready

_PROGRAM = "bespeak"
_PACE = 15
_ANY_PAIR = ("F7", "F8")


def guide(ready: Ready, folder: Path, is_terminal: bool) -> str:
    """What to try, where and with which keys; in colours where it is read on a terminal. Lines are
    never broken, so that each can be pasted."""
    from rich.console import Console

    written = StringIO()
    console = Console(
        file=written, force_terminal=is_terminal, highlight=False, soft_wrap=True, emoji=False
    )
    for part in _parts(ready, folder):
        console.print(part)
    return written.getvalue().rstrip("\n") + "\n"


def _parts(ready: Ready, folder: Path) -> tuple[Text, ...]:
    return (
        _places(ready, folder),
        _premiere(ready),
        _crowd(ready),
        _calls(ready),
        _samples(ready),
    )


def _places(ready: Ready, folder: Path) -> Text:
    """Where to go with a browser."""
    from rich.text import Text

    told = ", ".join(ready.told) or f"{len(ready.samples)} resources"
    rows = [
        ("Shop", f"{ready.url}/", "pay with a test card, no money moves"),
        ("Console", f"{ready.url}/console", f"log in with {ready.keys['ak']}"),
        ("API", f"{ready.url}/docs", "every call"),
    ]
    wide = max(len(url) for _, url, _ in rows)
    text = Text.assemble(("Bespeak is open", "bold green"), f": {told}\n")
    text.append(f"Kept in {folder}; Ctrl-C stops it.\n\n", "dim")
    for name, url, what in rows:
        text.append(f"  {name:8} ", "bold")
        text.append(f"{url:{wide}}", "cyan")
        text.append(f"  {what}\n")
    return text


def _premiere(ready: Ready) -> Text:
    """What to queue for, until when, and who queues too."""
    from rich.text import Text

    premiere = ready.premiere
    if premiere is None:
        return Text("")
    left = max(0, round(premiere.opens_at.timestamp() - time.time()))
    text = Text()
    if premiere.is_another:
        text.append("The last premiere is over, so there is another one.\n", "dim")
    return text + Text.assemble(
        (f"The premiere opens in {left // 60}:{left % 60:02}", "bold"),
        f', "{premiere.name}": queue for it, then send a crowd that queues behind you:\n\n',
        (f"  {ready.url}/waiting/{premiere.waiting_room_id}\n", "cyan"),
        f"  {_program()} rush --url {ready.url} --resource {premiere.resource_id} --waiting-room\n",
    )


def _crowd(ready: Ready) -> Text:
    from rich.text import Text

    if not ready.resources:
        return Text("")
    show = ready.resources[0]
    return Text.assemble(
        ("Simulate a rush", "bold"),
        f' on "{show.name}", and watch its seat map:\n\n',
        (f"  {ready.url}/shows/{show.id}\n", "cyan"),
        f"  {_program()} rush --url {ready.url} --resource {show.id} --pace {_PACE}\n",
    )


def _calls(ready: Ready) -> Text:
    """The same purchase by the API, as lines to paste into another terminal."""
    from rich.text import Text

    if not ready.resources:
        return Text("")
    show = ready.resources[0]
    url = ready.url
    lines = [{"resource_id": show.id, "unit": seat} for seat in ready.suggestion or _ANY_PAIR]
    hold = msgspec.json.encode({"owner": "asha", "lines": lines}).decode()
    pay = '{"hold_id":"hold_...","payment_token":"tok_success"}'
    authorization = '-H "Authorization: Bearer $SK"'
    headers = f'{authorization} -H "Content-Type: application/json"'
    text = Text.assemble(("Buy with curl", "bold"), ", in another terminal:\n\n")
    for name, value, what in (
        ("URL", url, ""),
        ("PK", ready.keys["pk"], "for browsers"),
        ("SK", ready.keys["sk"], "for servers"),
        ("AK", ready.keys["ak"], "for the operator"),
        ("SHOW", show.id, ""),
        ("DATABASE_URL", shlex.quote(ready.database_url), "for psql"),
    ):
        text.append(f"  export {name}={value}")
        text.append(f"  # {what}\n" if what else "\n", "dim")
    for what, command in (
        (
            f"hold two seats, for {_minutes(show.hold_seconds)}",
            f"curl -s {url}/v1/holds {headers} \\\n    -d '{hold}'",
        ),
        (
            "pay for them, with the id of your hold; it becomes a booking",
            f"curl -s {url}/v1/bookings {headers} \\\n    -d '{pay}'",
        ),
        (
            "see what is taken",
            f"curl -s {url}/v1/resources/{show.id}/availability {authorization}",
        ),
    ):
        text.append(f"\n  # {what}\n", "dim")
        text.append(f"  {command}\n")
    return text


def _samples(ready: Ready) -> Text:
    """A line for each sample: its shape, its id, its page, its name."""
    from rich.text import Text

    text = Text.assemble(("One or two of each shape", "bold"), ", and the page about it:\n\n")
    for sample in ready.samples:
        text.append(f"  {sample.shape:8} ", "bold")
        text.append(f"{sample.resource.id}  {sample.guide:29}  {sample.resource.name}\n")
    return text


def _minutes(seconds: int) -> str:
    return f"{seconds // 60} minutes" if seconds % 60 == 0 else f"{seconds} seconds"


def _program() -> str:
    """How to call this program from here: by its name where that is found, else by its place."""
    if shutil.which(_PROGRAM) is not None:
        return _PROGRAM
    program = Path(sys.argv[0])
    if program.name != _PROGRAM or not program.exists():
        return f"{shlex.quote(sys.executable)} -m {_PROGRAM}"
    return shlex.quote(os.path.relpath(program))
