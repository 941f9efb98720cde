"""Whom a caller acts for: a shopper for itself, a server for whom it names. One rule for the calls
of the API and for those of verticals.
"""

from __future__ import annotations

from bespeak.errors import InvalidRequest, NotOwner


def owner_to_act_as(shopper: str | None, asserted: str | None) -> str | None:
    """Whose hold or booking a call may touch: the shopper's own; for a server the owner that it
    asserts, or anyone's (None)."""
    return asserted if shopper is None else shopper


def owner_to_place_for(shopper: str | None, named: str | None) -> str:
    """For whom a hold is placed. Raises NotOwner, InvalidRequest."""
    if shopper is not None:
        if named not in (None, shopper):
            raise NotOwner("a shopper token holds for its own subject only")
        return shopper
    if named is None:
        raise InvalidRequest("a server says for whom it holds: owner", field="owner")
    return named
