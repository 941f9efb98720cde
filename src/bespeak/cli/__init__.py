"""The command `bespeak`. Each command is a module of its own that is imported when it is used, so
that help comes at once; whatever goes wrong ends as one sentence on standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import asyncpg
from cyclopts import App

from bespeak import __version__
from bespeak.actors import CLI, acting_as
from bespeak.errors import BespeakError

_HELP = """Hold, pay, confirm, and never sell the same thing twice.

Start here:

    bespeak demo --open           a box office with a week of shows in it, in your browser
    bespeak rush --pace 15        a crowd buys: watch the seat map, and no seat is sold twice

Without a database URL, Bespeak starts a PostgreSQL of its own in a folder. For yours:

    export BESPEAK_DATABASE_URL=postgresql://bespeak@db.example/bespeak
    bespeak migrate
    bespeak serve --workers 4

`bespeak COMMAND --help` explains each command, with examples.
"""

app = App(name="bespeak", help=_HELP, help_format="markdown", version=__version__)
for _name in (
    "demo",
    "serve",
    "worker",
    "search",
    "relay",
    "migrate",
    "rush",
    "listen",
    "trigger",
    "doctor",
    "reconcile",
    "archive",
    "cancel",
    "erase",
):
    app.command(f"bespeak.cli.{_name}:{_name}", name=_name)
app.command("bespeak.cli.keys:app", name="keys")
app.command("bespeak.cli.workspaces:app", name="workspaces")
app.command("bespeak.cli.operators:app", name="operators")
app.command("bespeak.cli.prices:app", name="prices")
app.command("bespeak.cli.queue:app", name="queue")
app.command("bespeak.cli.waitlist:app", name="waitlist")
app.command("bespeak.cli.imports:app", name="import")
app.command("bespeak.cli.exports:app", name="export")


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and ends the process with its status."""
    asked = list(sys.argv[1:] if arguments is None else arguments)
    if not asked or asked[0].startswith("-"):
        for name in (*app,):  # the list of commands says what each is for, and none is heavy
            app[name]
    try:
        with acting_as(CLI):
            status = app(asked)
    except BespeakError as error:
        field = error.data.get("field")
        where = f" ({field})" if field else ""
        print(f"bespeak: {error.code}{where}: {error.detail}", file=sys.stderr)
        sys.exit(1)
    except asyncpg.PostgresError as error:
        print(f"bespeak: the database refused: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Who read our output went away, as `head` does. Nothing can be told to it any more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)
