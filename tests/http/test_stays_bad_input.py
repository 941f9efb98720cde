"""What a search of stays is asked wrongly is told with the parameter and what it may be."""

import pytest

from bespeak.verticals.stays.queries import RADIUS_METRES_MAX, STAY_ROOMS_MAX, WINDOW_DAYS_MAX
from tests.http.api import Api, problem
from tests.http.stays import MAP, SEARCH

pytestmark = pytest.mark.asyncio(loop_scope="module")
HERE = "lat=53.55&lon=9.97"


@pytest.mark.parametrize("path", [SEARCH, MAP])
@pytest.mark.parametrize(
    ("query", "field", "bound"),
    [
        ("lat=91&lon=0", "lat", "<= 90"),
        ("lat=0&lon=-181", "lon", ">= -180"),
        (f"{HERE}&guests=0", "guests", ">= 1"),
        (f"{HERE}&guests=500", "guests", "<= 50"),
        (f"{HERE}&rooms=51", "rooms", f"<= {STAY_ROOMS_MAX}"),
        (f"{HERE}&radius=40000000", "radius", f"<= {RADIUS_METRES_MAX}"),
        (f"{HERE}&radius=99", "radius", ">= 100"),
        (f"{HERE}&nights=400", "nights", f"<= {WINDOW_DAYS_MAX}"),
        (f"{HERE}&rating_min=11", "rating_min", "<= 10"),
        (f"{HERE}&text={'x' * 10_000}", "text", "<= 60"),
        (f"{HERE}&guest=2", "guest", "did you mean `guests`?"),
        (f"{HERE}&guests=1&guests=2", "guests", "twice"),
        ("lat=nan&lon=0", "lat", ">= -90"),
    ],
)
async def test_what_is_out_of_its_bounds_is_named_with_the_bound(
    module_api: Api, path: str, query: str, field: str, bound: str
) -> None:
    answer = await module_api.ask("GET", f"{path}?{query}", key="pk")
    found = problem(answer, "invalid_request", field=field)
    assert bound in str(found["detail"])
    assert len(answer.content) < 1000
