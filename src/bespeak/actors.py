"""Who is at work: the actor that every write hands on to the event it makes. It belongs to the task
that asks, and to those that task begins, so no verb has to be told. Background work names itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from bespeak.errors import InvalidRequest

ACTOR_LENGTH_MAX = 64
SHOPPER = "shopper"
"""A shopper for itself, whoever that is: the events never name the owner by this."""
SYSTEM = "system"
"""The background work, by itself. What lapses is ended by `sweeper`, which SQL says."""
CLI = "cli"
PROVIDER = "provider:{}"
"""A payment provider, by its name, that told something by itself."""

_acting: ContextVar[str | None] = ContextVar("acting", default=None)
acting = _acting.get
"""The actor at work; None where nobody said who it is."""


@contextmanager
def acting_as(actor: str) -> Iterator[None]:
    """Writes within the block are this actor's. Raises InvalidRequest for what is no short text."""
    if (
        not isinstance(actor, str)
        or not 1 <= len(actor) <= ACTOR_LENGTH_MAX
        or not actor.isprintable()
    ):
        raise InvalidRequest(
            f"actor has 1 to {ACTOR_LENGTH_MAX} characters and no control characters",
            field="actor",
        )
    token = _acting.set(actor)
    try:
        yield
    finally:
        _acting.reset(token)


act_as = _acting.set
"""The same for the rest of a task, or up to `act_no_more` with what this answers: of a name that is
known to be good."""
act_no_more = _acting.reset
