"""What all pages of lists have in common, for programs that read any list to its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

Item_co = TypeVar("Item_co", covariant=True)


class Page(Protocol[Item_co]):
    """A page of a list; `next` is the cursor of the one after, None at the end."""

    @property
    def items(self) -> Sequence[Item_co]: ...

    @property
    def next(self) -> str | None: ...
