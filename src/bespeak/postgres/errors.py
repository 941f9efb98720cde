"""The error that only a database with standbys has, a branch of the one tree in bespeak.errors."""

from __future__ import annotations

from bespeak.errors import Unavailable


class DatabaseReadOnly(Unavailable):
    """The database takes no writes: it is a standby that nobody has promoted yet. Nothing was done;
    repeating the request finds the primary as soon as there is one."""

    code = "database_read_only"
    title = "The database is a standby"
