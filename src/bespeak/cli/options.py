"""Options that several commands share, and where things are kept when no option says so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

Json = Annotated[bool, Parameter(name="--json", negative="")]
_APPLICATION = "bespeak"


@Parameter(name="*")
@dataclass(frozen=True)
class DatabaseChoice:
    """Which database a command works on."""

    database_url: Annotated[str | None, Parameter(env_var="BESPEAK_DATABASE_URL")] = None
    """PostgreSQL 15 or newer. Without it, the embedded one in the data folder is used."""

    data: Annotated[Path | None, Parameter(env_var="BESPEAK_DATA_DIR")] = None
    """The folder of the embedded database; by default one in the user's own data folder."""

    def folder(self) -> Path:
        return (self.data or default_data_dir("server")).expanduser().resolve()


def default_data_dir(name: str) -> Path:
    import platformdirs

    return platformdirs.user_data_path(_APPLICATION) / name


def state_file() -> Path:
    """Where the servers that run on this machine are noted."""
    import platformdirs

    return platformdirs.user_state_path(_APPLICATION) / "servers.json"
