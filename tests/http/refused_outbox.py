"""How the calls about the outbox refuse."""

from pathlib import Path

import msgspec

from bespeak.notifications.mail.ways import ChosenWays
from tests.http.api import Request
from tests.http.scenarios import Stage, refuses

ALL = "/v1/outbox"
NO_MAIL = "00000000-0000-7000-8000-000000000000"
PATHS = {
    f"GET {ALL}": ALL,
    f"GET {ALL}/{{mail_id}}": f"{ALL}/{NO_MAIL}",
    f"GET {ALL}/{{mail_id}}/html": f"{ALL}/{NO_MAIL}/html",
    f"GET {ALL}/{{mail_id}}/attachments/{{index}}": f"{ALL}/{NO_MAIL}/attachments/1",
}


def open_outbox(stage: Stage, folder: Path | None) -> None:
    """Gives the server an outbox, or none, for as long as the test lasts."""
    engine = stage.api.service.engine
    named = None if folder is None else str(folder)
    settings = msgspec.structs.replace(engine.settings, mail_outbox=named)
    ways = ChosenWays(engine.database, settings, Path(named or "."))
    # First: what it was is made of the settings when it is read for the first time.
    stage.monkeypatch.setattr(stage.api.service, "mail_ways", ways)
    stage.monkeypatch.setattr(engine, "settings", settings)


def _refused(name: str, path: str) -> None:
    @refuses(name, "outbox_closed")
    async def where_mails_are_sent(stage: Stage, path: str = path) -> Request:
        open_outbox(stage, None)
        return Request("GET", path, None, "ak")

    if path != ALL:

        @refuses(name, "mail_not_found")
        async def a_mail_that_was_never_written(stage: Stage, path: str = path) -> Request:
            open_outbox(stage, Path("/nowhere"))
            return Request("GET", path, None, "ak")


for _name, _path in PATHS.items():
    _refused(_name, _path)


@refuses(f"GET {ALL}", "invalid_cursor", after=NO_MAIL)
async def a_page_after_no_mail(stage: Stage) -> Request:
    open_outbox(stage, Path("/nowhere"))
    return Request("GET", f"{ALL}?after={NO_MAIL}", None, "ak")


@refuses(f"GET {ALL}", "invalid_request", field="limit")
async def a_page_of_too_many(stage: Stage) -> Request:
    return Request("GET", f"{ALL}?limit=101", None, "ak")
