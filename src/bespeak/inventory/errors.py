"""The errors that only resources have, branches of the one tree in bespeak.errors."""

from __future__ import annotations

from bespeak.errors import Refused


class ResourceCalledOff(Refused):
    """The resource was called off before. A change does not open it again; reopening it does."""

    code = "resource_called_off"
    title = "This resource was called off before"
