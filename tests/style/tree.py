"""The files that the house style speaks about: what git tracks, and what it would track.

Every rule takes a `SourceFile` and answers with `Offence`s, so a rule can be shown an invented
file as easily as a real one.
"""

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class SourceFile:
    """A file by its path below the root of the repository, with its text (empty if binary)."""

    path: str
    text: str

    @property
    def parts(self) -> tuple[str, ...]:
        return PurePosixPath(self.path).parts

    @property
    def is_python(self) -> bool:
        return self.path.endswith(".py")

    @property
    def is_package_source(self) -> bool:
        """Python that ships to users, which the strictest rules are for."""
        return self.is_python and self.path.startswith("src/bespeak/")

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, filename=self.path)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree; a walk through it costs more than most rules."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def docstrings(self) -> frozenset[int]:
        """The ids of the nodes that are text standing alone: docstrings and their like."""
        alone = (node.value for node in self.nodes if isinstance(node, ast.Expr))
        return frozenset(id(value) for value in alone if isinstance(value, ast.Constant))


@dataclass(frozen=True)
class Offence:
    """Where a file breaks a rule, and what to do about it."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


def tracked_files() -> list[SourceFile]:
    """Every file that is tracked, or neither tracked nor ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    names = sorted(set(filter(None, listed.split("\0"))))
    return list(_read(names))


def _read(names: list[str]) -> Iterator[SourceFile]:
    for name in names:
        path = ROOT / name
        if path.is_file():  # a file that was deleted and not yet committed is still listed
            content = path.read_bytes()
            text = "" if b"\0" in content else content.decode("utf-8", errors="replace")
            yield SourceFile(name, text)
