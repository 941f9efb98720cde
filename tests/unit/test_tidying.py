"""What a background worker gives back to the system."""

import weakref

import pytest

from bespeak.cli.supervision import tidying
from bespeak.cli.supervision.tidying import Tidying


class Thing:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.itself = self


async def test_what_nobody_has_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    given_back: list[int] = []
    monkeypatch.setattr(tidying, "_trim", given_back.append)
    seen = weakref.ref(Thing())
    assert await Tidying().look() > 0
    assert seen() is None
    assert given_back == [0]


async def test_a_system_without_it_is_no_hindrance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "_trim", None)
    assert await Tidying().look() > 0
