"""Scopes: what a key may do. Each endpoint says which of them let a key in; the kinds of keys that
were there before, sk_ and ak_, are presets of them. An admin scope is all of them.
"""

from __future__ import annotations

from enum import StrEnum


class KeyScope(StrEnum):
    """A right that a key or an operator has."""

    READ = "read"
    SELL = "sell"
    CHECK_IN = "check_in"
    REFUND = "refund"
    PERSONAL_DATA = "personal_data"
    MANAGE = "manage"
    ADMIN = "admin"


ANY_SCOPE = frozenset(KeyScope)
"""What a browser may read without a token, every key may."""
READ = frozenset((KeyScope.READ,))
SELL = frozenset((KeyScope.SELL,))
CHECK_IN = frozenset((KeyScope.CHECK_IN,))
REFUND = frozenset((KeyScope.REFUND,))
PERSONAL_DATA = frozenset((KeyScope.PERSONAL_DATA,))
MANAGE = frozenset((KeyScope.MANAGE,))
ADMIN = frozenset((KeyScope.ADMIN,))

SECRET_SCOPES = READ | SELL | CHECK_IN | REFUND | PERSONAL_DATA
"""What an sk_ key may."""


def with_implied(scopes: frozenset[KeyScope]) -> frozenset[KeyScope]:
    """All that somebody with these scopes may: `admin` is all of them."""
    return ANY_SCOPE if KeyScope.ADMIN in scopes else scopes
