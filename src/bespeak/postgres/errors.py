"""Errors about connections and where they are used, branches of the one tree in bespeak.errors."""

from __future__ import annotations

from bespeak.errors import BespeakError, InvalidRequest, Unavailable


class DatabaseReadOnly(Unavailable):
    """The database takes no writes: it is a standby that nobody has promoted yet. Nothing was done;
    repeating the request finds the primary as soon as there is one."""

    code = "database_read_only"
    title = "The database is a standby"


class NoTransaction(InvalidRequest):
    """The caller's connection is in no transaction: what the verb does would commit by itself."""

    code = "no_transaction"
    title = "The connection is in no transaction"


class WrongEventLoop(BespeakError):
    """The engine was opened in another event loop, which may have ended (`asyncio.run` makes one
    each time): open one in this loop, or use `bespeak.connect_sync` where loops come and go.
    Nothing was done."""

    code = "wrong_event_loop"
    title = "The engine belongs to another event loop; open one in this"


class ForkedEngine(BespeakError):
    """The engine was opened before the process was forked, and its connections are the parent's:
    open one in the child. Nothing was done."""

    code = "forked_engine"
    title = "The engine belongs to the parent process; open one in this"


class DatabaseTooNew(BespeakError):
    """The database was made by a newer program; this one does not touch it."""

    code = "database_too_new"
    title = "The database is newer than this program"


class DatabaseNotMigrated(BespeakError):
    """The database lacks migrations that this program needs: run `bespeak migrate`."""

    code = "database_not_migrated"
    title = "The database needs `bespeak migrate`"
