"""Preview links: who has one sees a draft, and nothing else; it sells nothing, and ends."""

import time

import pytest

from bespeak import Resource
from bespeak.http.server.preview_links import PREVIEW_SECONDS
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, problem


@pytest.fixture
async def draft(make_show: MakeShow) -> Resource:
    return await make_show(published=False)


async def link(api: Api, resource: Resource) -> Json:
    path = f"/v1/resources/{resource.id}/preview-links"
    return document(await api.ask("POST", path, key="ak"), 201)


async def test_a_link_shows_the_draft_to_whoever_has_it(api: Api, draft: Resource) -> None:
    made = await link(api, draft)
    assert made["path"] == f"/preview#{made['token']}"
    asked = {"token": made["token"]}
    seen = document(await api.ask("POST", "/v1/previews", asked, key="pk"), 200)
    assert seen["resource"]["id"] == draft.id  # type: ignore[index]
    assert seen["resource"]["published"] is False  # type: ignore[index]


async def test_it_opens_nothing_else_and_sells_nothing(api: Api, draft: Resource) -> None:
    token = str((await link(api, draft))["token"])
    path = f"/v1/resources/{draft.id}"
    problem(await api.ask("GET", path, key="pk", Bespeak_Shopper=token), "shopper_token_invalid")
    problem(await api.ask("GET", path, key="pk"), "resource_not_found")
    body = {"lines": [{"resource_id": draft.id, "unit": "A1"}]}
    mine = {"key": "pk", "Bespeak_Shopper": api.token()}
    problem(await api.ask("POST", "/v1/holds", body, **mine), "resource_not_found")
    assert await api.holds() == []


async def test_a_token_of_another_purpose_shows_nothing(
    api: Api, draft: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = str((await link(api, draft))["token"])
    for token in (api.token(), good[:-2], "x"):
        asked = {"token": token}
        problem(await api.ask("POST", "/v1/previews", asked, key="pk"), "preview_link_invalid")
    later = time.time() + PREVIEW_SECONDS + 1
    monkeypatch.setattr(time, "time", lambda: later)
    asked = {"token": good}
    problem(await api.ask("POST", "/v1/previews", asked, key="pk"), "preview_link_invalid")


async def test_only_who_manages_makes_one(api: Api, draft: Resource) -> None:
    path = f"/v1/resources/{draft.id}/preview-links"
    problem(await api.ask("POST", path, key="sk"), "key_kind_wrong")
    seller = await api.restricted("sell", "read")
    problem(await api.ask("POST", path, key=seller), "missing_scope")
    nobody = "/v1/resources/res_00000000/preview-links"
    problem(await api.ask("POST", nobody, key="ak"), "resource_not_found")


async def test_codes_stay_with_those_who_sell(api: Api, make_show: MakeShow) -> None:
    from bespeak import PriceCode, Pricing

    pricing = Pricing(codes=(PriceCode(code="SECRET", capacity=9, basis_points=1000),))
    made = await link(api, await make_show(published=False, pricing=pricing))
    answer = await api.ask("POST", "/v1/previews", {"token": made["token"]}, key="pk")
    assert document(answer, 200) and b"SECRET" not in answer.content
