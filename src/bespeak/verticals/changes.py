"""Changes of what an operator said before: the fields that a change names, over those that were."""

from __future__ import annotations

from typing import TypeVar

import msgspec

_Said = TypeVar("_Said", bound=msgspec.Struct)


def with_changes(said: _Said, change: msgspec.Struct) -> _Said:
    """What was said, with the fields that the change names."""
    given = {
        field: value
        for field in said.__struct_fields__
        if (value := getattr(change, field, msgspec.UNSET)) is not msgspec.UNSET
    }
    return msgspec.structs.replace(said, **given)
