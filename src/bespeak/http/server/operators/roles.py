"""Roles: named sets of scopes for the people at the console. What a role may is judged by its
scopes alone, where those of a key are.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from bespeak.http.server.scopes import ANY_SCOPE, KeyScope

# Of the whole installation: who is bound to some resources has none of these.
_UNBOUND = frozenset((KeyScope.ADMIN, KeyScope.PERSONAL_DATA))


class OperatorRole(StrEnum):
    """What an operator is there for."""

    OWNER = "owner"
    MANAGER = "manager"
    SELLER = "seller"
    DOOR = "door"
    VIEWER = "viewer"


ROLE_SCOPES: Mapping[OperatorRole, frozenset[KeyScope]] = {
    OperatorRole.OWNER: ANY_SCOPE,
    OperatorRole.MANAGER: ANY_SCOPE - {KeyScope.ADMIN},
    OperatorRole.SELLER: frozenset(
        (KeyScope.READ, KeyScope.SELL, KeyScope.CHECK_IN, KeyScope.REFUND)
    ),
    OperatorRole.DOOR: frozenset((KeyScope.READ, KeyScope.CHECK_IN)),
    OperatorRole.VIEWER: frozenset((KeyScope.READ,)),
}
_ORDER = tuple(KeyScope)


def scopes_of(role: OperatorRole, *, is_bound: bool) -> list[KeyScope]:
    """What an operator with this role may, in the order of the scopes."""
    scopes = ROLE_SCOPES[role] - _UNBOUND if is_bound else ROLE_SCOPES[role]
    return sorted(scopes, key=_ORDER.index)
