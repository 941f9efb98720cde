"""The errors that only resources have, branches of the one tree in bespeak.errors."""

from __future__ import annotations

from bespeak.errors import Refused


class ResourceCalledOff(Refused):
    """The resource was called off before. A change does not open it again; reopening it does."""

    code = "resource_called_off"
    title = "This resource was called off before"


class BlockNotFound(Refused):
    """No block has this id."""

    code = "block_not_found"
    status = 404
    sqlstate = "BS040"
    title = "There is no block with this id"


class NotBlocked(Refused):
    """The block does not have these units (any more)."""

    code = "not_blocked"
    sqlstate = "BS041"
    title = "The block does not have these units"
