"""What an installation may lack: libraries that only some uses need, and that an extra of the
package brings (`pip install "bespeak[choice]"`). They are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


class MissingExtra(ImportError):
    """What was asked for needs a library that an extra of Bespeak brings, which is not installed.
    `extra` is its name."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(
            f'this needs {library}, which is not installed: pip install "bespeak[{extra}]"',
            name=library,
        )
        self.extra = extra


def has(library: str) -> bool:
    """Whether a library is installed. It is not imported."""
    return find_spec(library.partition(".")[0]) is not None


def require(library: str, extra: str) -> None:
    """Raises MissingExtra where a library is not installed."""
    if not has(library):
        raise MissingExtra(library, extra)


class LazyModule(ModuleType):
    """A library in the place of an import: it is imported when something of it is first used.
    Using it raises MissingExtra where it is not installed."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(library)
        self._extra = extra

    def __getattr__(self, name: str) -> object:
        require(self.__name__, self._extra)
        found = getattr(import_module(self.__name__), name)
        # From now on it is an attribute like any other, and costs what an import would.
        setattr(self, name, found)
        return found
