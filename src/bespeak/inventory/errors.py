"""The errors that only resources have, branches of the one tree in bespeak.errors."""

from __future__ import annotations

from bespeak.errors import InvalidRequest, Refused


class PaymentRuleNeeded(InvalidRequest):
    """What was free is to have a price, and nobody says how it is paid (`choices`)."""

    code = "payment_rule_needed"
    title = "Say how this is paid"


class ResourceCalledOff(Refused):
    """The resource was called off before. A change does not open it again; reopening it does."""

    code = "resource_called_off"
    title = "This resource was called off before"


class ResourceNotReady(Refused):
    """It cannot be published, because something essential is missing (`missing`: what)."""

    code = "resource_not_ready"
    title = "Something essential is missing"


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


class WorkspaceExists(Refused):
    """There is a workspace of this name already."""

    code = "workspace_exists"
    title = "There is a workspace of this name already"


class UnitNotMovable(Refused):
    """What is booked of this unit cannot be moved there; `reason` says why: `not_exact` (a pool, a
    number, a room of a type), `other_category` (where categories are counted), `given_back` (the
    booking had that unit before, and it is in its record as cancelled), `no_nights` (only some
    nights were asked for of what is no stay)."""

    code = "unit_not_movable"
    title = "This cannot be moved to that unit"
