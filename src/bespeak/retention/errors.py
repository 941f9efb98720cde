"""The errors of retention: branches of the one tree."""

from bespeak.errors import Unavailable


class ArchiveUnavailable(Unavailable):
    """The archive cannot be written, so nothing is deleted."""

    code = "archive_unavailable"
    title = "The archive cannot be written"
