"""How the calls about the mail server refuse."""

from pathlib import Path

from bespeak.http.server.budgets import policy
from tests.http.api import Json, Request
from tests.http.operating import operator
from tests.http.refused_outbox import open_outbox
from tests.http.scenarios import Stage, refuses

AT = "/v1/mail-server"
SERVER: Json = {
    "host": "mail.lantern.example",
    "port": 587,
    "encryption": "starttls",
    "sender": "Box office <box@lantern.example>",
}
TRIAL: Json = {"email": "desk@lantern.example"}
PUT, DELETE, TEST = f"PUT {AT}", f"DELETE {AT}", f"POST {AT}/test"
_CALLS = {
    PUT: Request("PUT", AT, SERVER, "ak"),
    DELETE: Request("DELETE", AT, None, "ak"),
    TEST: Request("POST", f"{AT}/test", {**TRIAL, "server": SERVER}, "ak"),
}


def _refused(name: str, asked: Request) -> None:
    @refuses(name, "mail_server_fixed", fixed_by="environment")
    async def where_the_environment_says_it(stage: Stage) -> Request:
        open_outbox(stage, Path("/dev/null/outbox"))
        return asked

    @refuses(name, "step_up_required", ways=[])
    async def long_after_the_last_proof(stage: Stage) -> Request:
        asha = await operator(stage.api, f"mailer-{asked.method.lower()}")
        return Request(asked.method, asked.path, asked.body, None, asha.headers)


for _name, _asked in _CALLS.items():
    _refused(_name, _asked)


@refuses(PUT, "mail_server_invalid", field="encryption")
async def a_server_elsewhere_without_encryption(stage: Stage) -> Request:
    return Request("PUT", AT, {**SERVER, "encryption": "none"}, "ak")


@refuses(PUT, "version_mismatch", version=0)
async def a_server_of_a_version_that_there_is_not(stage: Stage) -> Request:
    return Request("PUT", AT, {**SERVER, "version": 7}, "ak")


@refuses(DELETE, "version_mismatch")
async def a_server_that_was_not_seen_is_to_be_taken_away(stage: Stage) -> Request:
    await stage.api.send(Request("PUT", AT, SERVER, "ak"))
    stage.stack.push_async_callback(stage.api.send, Request("DELETE", AT, None, "ak"))
    return Request("DELETE", f"{AT}?version=0", None, "ak")


@refuses(TEST, "mail_server_invalid", field="host")
async def a_trial_of_what_is_no_host(stage: Stage) -> Request:
    return Request("POST", f"{AT}/test", {**TRIAL, "server": {**SERVER, "host": "a b"}}, "ak")


@refuses(TEST, "mail_server_missing")
async def a_trial_where_none_is_set(stage: Stage) -> Request:
    return Request("POST", f"{AT}/test", TRIAL, "ak")


@refuses(TEST, "budget_spent", budget="mails")
async def a_trial_to_an_address_that_got_enough(stage: Stage) -> Request:
    stage.monkeypatch.setattr(stage.api.service.budgets, "mode", "on")
    stage.monkeypatch.setattr(policy, "MAILS_OF_RECIPIENT", 0)
    return Request("POST", f"{AT}/test", {**TRIAL, "server": SERVER}, "ak")
