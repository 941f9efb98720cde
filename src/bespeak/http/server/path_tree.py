"""Which of many paths a request is for. Their segments are a tree: to find a path takes as many
steps as it has segments, and not a comparison with each path of the API.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

_Target = TypeVar("_Target")


class FoundPath(NamedTuple, Generic[_Target]):
    """What is at a path, and the values of its parameters by their names."""

    target: _Target
    parameters: dict[str, str]


class _Node(Generic[_Target]):
    """A point of the tree: the segments that follow by name, those that may be anything (with what
    they end with), and the path that ends here, with the names of its parameters."""

    __slots__ = ("by_name", "by_suffix", "names", "target")

    def __init__(self) -> None:
        self.by_name: dict[str, _Node[_Target]] = {}
        self.by_suffix: dict[str, _Node[_Target]] = {}
        self.names: Sequence[str] = ()
        self.target: _Target | None = None


class PathTree(Generic[_Target]):
    """Paths like `/v1/bookings/{booking_id}/tickets/{index}.svg`. A parameter is a segment that is
    not empty, or what stands before the fixed end of one. A named segment goes before a parameter,
    and a parameter with an end before one without."""

    def __init__(self, targets: Mapping[str, _Target]) -> None:
        self.targets = tuple(targets.values())
        self._root: _Node[_Target] = _Node()
        for path, target in targets.items():
            self._add(path, target)

    def find(self, path: str) -> FoundPath[_Target] | None:
        """What is at a path."""
        values: list[str] = []
        node = _descend(self._root, path.split("/"), 0, values)
        if node is None or node.target is None:
            return None
        return FoundPath(node.target, dict(zip(node.names, values, strict=True)))

    def _add(self, path: str, target: _Target) -> None:
        node, names = self._root, []
        for segment in path.split("/"):
            if segment.startswith("{"):
                name, _, suffix = segment[1:].partition("}")
                names.append(name)
                node = _after_parameter(node, suffix)
            else:
                node = node.by_name.setdefault(segment, _Node())
        node.target, node.names = target, names


def _after_parameter(node: _Node[_Target], suffix: str) -> _Node[_Target]:
    """The node after a parameter, made where it is new. The longest ends are tried first: `.svg`
    before none."""
    if suffix not in node.by_suffix:
        node.by_suffix[suffix] = _Node()
        node.by_suffix = dict(sorted(node.by_suffix.items(), key=lambda one: -len(one[0])))
    return node.by_suffix[suffix]


def _descend(
    node: _Node[_Target], segments: Sequence[str], at: int, values: list[str]
) -> _Node[_Target] | None:
    """The node where a path ends, and on the way there the values of its parameters."""
    if at == len(segments):
        return None if node.target is None else node
    segment = segments[at]
    named = node.by_name.get(segment)
    if named is not None:
        found = _descend(named, segments, at + 1, values)
        if found is not None:
            return found
    for suffix, after in node.by_suffix.items():
        value = segment.removesuffix(suffix)
        if not value or (suffix and value == segment):
            continue
        values.append(value)
        found = _descend(after, segments, at + 1, values)
        if found is not None:
            return found
        values.pop()
    return None
