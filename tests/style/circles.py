"""Circles of modules that import each other, imports in functions and for types alone included. In
a circle no module can be read, tested or moved without the others.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence

from tests.style.tree import SourceFile


def circles(files: Sequence[SourceFile]) -> list[list[str]]:
    """Every set of modules of which each leads to all others, by name."""
    modules = {_name(file): file for file in files if file.is_package_source}
    graph = {name: set(_imports(file, modules)) - {name} for name, file in modules.items()}
    reached = {name: _reached(name, graph) for name in graph}
    found: list[list[str]] = []
    for name in sorted(graph):
        if name in reached[name] and not any(name in circle for circle in found):
            found.append(sorted(one for one in reached[name] if name in reached[one]))
    return found


def _name(file: SourceFile) -> str:
    parts = [part.removesuffix(".py") for part in file.parts[1:]]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(file: SourceFile, modules: Mapping[str, SourceFile]) -> Iterator[str]:
    for node in file.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name in modules:
                    yield name
                elif node.module in modules:
                    yield node.module


def _reached(start: str, graph: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        for name in graph[todo.pop()] - found:
            found.add(name)
            todo.append(name)
    return found
