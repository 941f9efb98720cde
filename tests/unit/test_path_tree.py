"""Paths are found in the tree as Starlette's own patterns find them, one after the other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from starlette.routing import compile_path

from bespeak.http.endpoints import ALL_ENDPOINTS
from bespeak.http.server.path_tree import PathTree

# What is named before what may be anything, as an application of Starlette would list them.
_PATHS = sorted(
    dict.fromkeys(endpoint.path for endpoint in ALL_ENDPOINTS),
    key=lambda path: ["{" in part for part in path.split("/")],
)
_API = PathTree({path: path for path in _PATHS})
_SEGMENTS = sorted({part for path in _PATHS for part in path.split("/") if "{" not in part})
_WRITTEN = st.sampled_from([*_SEGMENTS, "", "res_0000002a", "1", "1.svg", ".svg", "a.svg.svg"])


def test_a_path_is_found_with_its_parameters() -> None:
    tree = PathTree({"/holds/{hold_id}": 1, "/holds/{hold_id}/lines/{number}": 2})
    assert tree.find("/holds/hld_1") == (1, {"hold_id": "hld_1"})
    assert tree.find("/holds/hld_1/lines/7") == (2, {"hold_id": "hld_1", "number": "7"})


def test_paths_of_one_shape_may_name_their_parameters_otherwise() -> None:
    tree = PathTree({"/a/{one}": 1, "/a/{other}/b": 2})
    assert tree.find("/a/x") == (1, {"one": "x"})
    assert tree.find("/a/x/b") == (2, {"other": "x"})


def test_what_is_named_goes_first_and_does_not_hide_what_may_be_anything() -> None:
    tree = PathTree({"/a/{any}/b": 1, "/a/now": 2})
    assert tree.find("/a/now") == (2, {})
    assert tree.find("/a/now/b") == (1, {"any": "now"})
    assert tree.find("/a/now/c") is None


def test_a_parameter_with_an_end_goes_first_wherever_it_was_declared() -> None:
    tree = PathTree({"/t/{index}": 1, "/t/{index}.svg": 2})
    assert tree.find("/t/3.svg") == (2, {"index": "3"})
    assert tree.find("/t/3") == (1, {"index": "3"})
    assert tree.find("/t/.svg") == (1, {"index": ".svg"})


def test_no_parameter_is_empty_and_no_path_ends_early_or_late() -> None:
    tree = PathTree({"/a/{any}": 1})
    assert [tree.find(path) for path in ("", "/", "/a", "/a/", "/a/x/", "a/x", "//a/x")] == [
        None
    ] * 7


def test_each_path_of_the_api_is_found() -> None:
    for path in _PATHS:
        found = _API.find(path.replace("{", "x").replace("}", ""))
        assert found is not None, path
        assert found.target == path


@given(st.lists(_WRITTEN, max_size=8).map(lambda parts: "/" + "/".join(parts)))
def test_the_api_is_found_as_by_patterns(asked: str) -> None:
    assert _API.find(asked) == _by_patterns(asked)


@given(st.sampled_from(_PATHS), st.data())
def test_what_looks_like_a_path_of_the_api_is_found_as_by_patterns(
    path: str, data: st.DataObject
) -> None:
    parts = [data.draw(_WRITTEN) if "{" in part else part for part in path.split("/")]
    assert _API.find("/".join(parts)) == _by_patterns("/".join(parts))


def _by_patterns(asked: str) -> tuple[str, dict[str, str]] | None:
    for path in _PATHS:
        pattern, _, _ = compile_path(path)
        matched = pattern.match(asked)
        if matched is not None:
            return path, matched.groupdict()
    return None
