"""The browsers' keys in a file, so that a process which starts while the database is away knows
them. Everybody has these keys, for they stand in the pages of shops; even so only hashes are kept.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
import structlog

from bespeak.http.server.keys import ApiKey

_log = structlog.get_logger()
_KEYS = msgspec.msgpack.Decoder(dict[bytes, ApiKey])


class BrowserKeyFile:
    """The file of one database's keys in a folder, which only its user can read. `mark` parts it
    from those of other databases."""

    def __init__(self, folder: Path, mark: str) -> None:
        self.path = folder / f"keys-{mark}.msgpack"
        self._written: Mapping[bytes, ApiKey] = {}

    def read(self) -> dict[bytes, ApiKey]:
        """The keys by their hashes; none where there is no file that can be used."""
        try:
            return _KEYS.decode(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:  # msgspec's errors are such
            _log.warning("browser keys not read", path=str(self.path), error=str(error))
            return {}

    def write(self, keys: Mapping[bytes, ApiKey]) -> None:
        """Puts these keys in the place of what was written before, in one step."""
        if keys == self._written:
            return
        draft = self.path.with_suffix(f".{os.getpid()}.new")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(opened, "wb") as file:
                file.write(msgspec.msgpack.encode(keys))
            draft.replace(self.path)
            self._written = keys
        except OSError as error:
            _log.warning("browser keys not written", path=str(self.path), error=str(error))
