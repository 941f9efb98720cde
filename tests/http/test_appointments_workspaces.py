"""The teams of two workspaces, and teams in other languages."""

from collections.abc import AsyncIterator

import pytest

from bespeak.inventory.workspaces import DEFAULT
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.teams import PRACTICE, TEAMS, items, made_team
from tests.http.workspaces import ACME, OTHER, act_in, found_acme

WORDS = {
    "Practice": "Praxis",
    "Doctors by the park.": "Ärzte am Park.",
    "Ring twice.": "Zweimal klingeln.",
    "Köln": "Köln am Rhein",
    "Dr. Rao": "Frau Dr. Rao",
    "nurse": "Pflege",
    "Check-up": "Vorsorge",
    "With a letter.": "Mit Brief.",
}


@pytest.fixture
async def api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    async with opened(SETTINGS, database_url, connection) as found:
        await found_acme(found)
        yield found


async def test_neither_finds_nor_changes_what_is_the_others(api: Api) -> None:
    teams: dict[str, Json] = {}
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        teams[workspace] = await made_team(api, name=f"Of {workspace}")
    for workspace, own in teams.items():
        act_in(api, workspace)
        theirs = f"{TEAMS}/{teams[OTHER[workspace]]['id']}"
        for key in ("pk", "sk", "ak"):
            page = document(await api.ask("GET", TEAMS, key=key), 200)
            assert [one["id"] for one in items(page)] == [own["id"]]
            problem(await api.ask("GET", theirs, key=key), "team_not_found")
            days = await api.ask("GET", f"{theirs}/free-days?service=Talk", key=key)
            problem(days, "team_not_found")
        problem(await api.ask("GET", f"{theirs}/agenda"), "team_not_found")
        problem(await api.ask("PATCH", theirs, {"name": "Mine"}, key="ak"), "team_not_found")
    act_in(api, DEFAULT)
    path = f"{TEAMS}/{teams[DEFAULT]['id']}"
    assert document(await api.ask("GET", path, key="ak"), 200) == teams[DEFAULT]


async def test_a_key_of_one_workspace_is_no_key_of_another(api: Api) -> None:
    made = []
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        answer = await api.ask("POST", TEAMS, PRACTICE, key="ak", idempotency_key="one")
        made.append(document(answer, 201)["id"])
    assert len(set(made)) == 2


async def test_texts_are_answered_in_a_language(api: Api) -> None:
    act_in(api, DEFAULT)
    team = await made_team(api, translations=[{"language": "de", "words": WORDS}])
    assert items(team, "translations") == [{"language": "de", "words": WORDS}]
    path = f"{TEAMS}/{team['id']}"
    told = document(await api.ask("GET", f"{path}?lang=de-AT", key="pk"), 200)
    assert "translations" not in told
    for name in ("name", "summary", "description", "city"):
        assert told[name] == WORDS[str(team[name])]
    assert [(one["name"], one["title"]) for one in items(told, "providers")] == [
        ("dr-rao", "Frau Dr. Rao"),
        ("dr-lim", "Dr. Lim"),
        ("nurse", "Pflege"),
    ]
    service = items(told, "services")[0]
    assert (service["name"], service["title"]) == ("Check-up", "Vorsorge")
    assert service["description"] == "Mit Brief."
    for query in ("text=vorsorge", "city=K%C3%B6ln+am+Rhein", "text=pflege"):
        page = document(await api.ask("GET", f"{TEAMS}?{query}", key="pk"), 200)
        assert [one["id"] for one in items(page)] == [team["id"]], query
    resource = document(await api.ask("GET", f"/v1/resources/{team['id']}?lang=de"), 200)
    words = resource["words"]
    assert isinstance(words, dict) and resource["name"] == "Praxis"
    assert (words["dr-rao"], words["dr-lim"], words["Check-up"]) == (
        "Frau Dr. Rao",
        "Dr. Lim",
        "Vorsorge",
    )
    assert words["Practice, Parkweg 1, Köln"] == "Praxis, Parkweg 1, Köln am Rhein"


async def test_two_languages_of_one_name_are_refused(api: Api) -> None:
    act_in(api, DEFAULT)
    twice = [{"language": "de", "words": {}}, {"language": "DE", "words": {}}]
    answer = await api.ask("POST", TEAMS, PRACTICE | {"translations": twice}, key="ak")
    problem(answer, "invalid_request", field="translations")
