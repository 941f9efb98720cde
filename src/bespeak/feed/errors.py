"""Errors of the feed."""

from __future__ import annotations

from bespeak.errors import Refused


class CursorOfAnotherLife(Refused):
    """The feed goes on from before this place: its server was restored, or another took over, and
    what came next is not what the cursor's reader was told. `cursor` is where both still agree,
    null where nobody can say."""

    code = "cursor_of_another_life"
    status = 410
    sqlstate = "BS080"
    title = "The feed has gone on from before this cursor"


class CursorExpired(Refused):
    """Events that come behind this cursor are deleted: it was not used for longer than events are
    kept. `cursor` is from where on there are all; what was before, a snapshot tells."""

    code = "cursor_expired"
    status = 410
    sqlstate = "BS081"
    title = "Events behind this cursor are not kept any more"
