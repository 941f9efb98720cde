"""What a command changes stands in the audit log, as what a call of the API changes does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bespeak.actors import CLI, acting_as
from bespeak.errors import BespeakError
from bespeak.http.server.audit_log import add_entry

if TYPE_CHECKING:
    from bespeak.engine import Engine


@asynccontextmanager
async def audited(engine: Engine, action: str, subject: str) -> AsyncIterator[None]:
    """Writes an action down before it is done within the block; if then it is not, another entry
    says why. The command is who acts."""
    async with engine.database.borrow() as connection:
        await add_entry(connection, CLI, action, subject=subject)
    try:
        with acting_as(CLI):
            yield
    except BespeakError as error:
        async with engine.database.borrow() as connection:
            await add_entry(connection, CLI, action, "refused", subject=subject, code=error.code)
        raise
