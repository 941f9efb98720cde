"""Which worker of a run takes which of the servers that were named for it."""

import pytest

from tests.harness.database import given_server


@pytest.mark.parametrize(
    ("urls", "worker", "taken"),
    [
        ("", "gw", None),
        ("", "gw1", None),
        ("a", "gw", ("a", "given-0")),
        ("a", "gw1", ("a", "given-0")),
        ("a b", "gw", ("a", "given-0")),
        ("a b", "gw0", ("a", "given-0")),
        ("a b", "gw1", ("b", "given-1")),
        ("a b", "gw2", ("a", "given-0")),
    ],
)
def test_each_worker_has_a_server_of_its_own_while_there_are_enough(
    urls: str, worker: str, taken: tuple[str, str] | None
) -> None:
    assert given_server(urls, worker) == taken
