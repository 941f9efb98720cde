"""What is told of a value that does not decode: words, an example, the field, the likely name."""

import re
from typing import Annotated

import msgspec
import pytest
from msgspec import Meta

from bespeak.decoding import explain, patterns_of
from bespeak.http.endpoints import ALL_ENDPOINTS
from bespeak.inventory.resources import NewResource
from bespeak.lines import Line

CODE = Annotated[str, Meta(pattern="^[A-Z]{3}$", description="three letters", examples=["EUR"])]
WORDLESS = Annotated[str, Meta(pattern="^x$")]


class Cat(msgspec.Struct, tag="cat", forbid_unknown_fields=True):
    whiskers: int


class Dog(msgspec.Struct, tag="dog", forbid_unknown_fields=True):
    leash: CODE | None = None


class Home(msgspec.Struct, forbid_unknown_fields=True):
    pets: list[Cat | Dog] = []
    codes: dict[str, CODE] = {}
    first: tuple[CODE, int] | None = None
    plain: WORDLESS | None = None
    within: "Home | None" = None


CASES = {
    '{"pet": []}': ("there is no field `pet`; did you mean `pets`?", "pet"),
    '{"zzzz": []}': ("there is no field `zzzz`", "zzzz"),
    '{"pets": [{"type": "cat"}]}': (
        "the field `whiskers` is missing - at `$.pets[0]`",
        "pets[0]",
    ),
    '{"pets": [{"type": "dog", "leesh": "A"}]}': (
        "there is no field `leesh`; did you mean `leash`?",
        "pets[0].leesh",
    ),
    '{"pets": [{"type": "dog", "leash": "A"}]}': (
        "expected three letters, as `EUR` - at `$.pets[0].leash`",
        "pets[0].leash",
    ),
    '{"codes": {"a": "b"}}': ("expected three letters, as `EUR` - at `$.codes[...]`", "codes[...]"),
    '{"first": ["x", 1]}': ("expected three letters, as `EUR` - at `$.first[0]`", "first[0]"),
    '{"plain": "y"}': ("has a form that is not allowed here - at `$.plain`", "plain"),
    '{"within": {"within": {"codes": 3}}}': (
        "Expected `object`, got `int` - at `$.within.within.codes`",
        "within.within.codes",
    ),
    "[]": ("Expected `object`, got `array`", ""),
}


@pytest.mark.parametrize("text", CASES)
def test_it_says_what_is_wrong_and_where(text: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(text, type=Home)
    assert explain(caught.value, Home) == CASES[text]


def test_names_that_a_resource_and_a_line_know_are_found() -> None:
    for body, expected, meant in (
        ({"resource": "res_00000001"}, Line, "resource_id"),
        ({"name": "x", "start_at": "2030-01-01T10:00:00Z"}, NewResource, "starts_at"),
    ):
        with pytest.raises(msgspec.ValidationError) as caught:
            msgspec.convert(body, expected)
        assert f"did you mean `{meant}`?" in explain(caught.value, expected).detail


def test_what_was_sent_is_told_within_bounds() -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(b'{"%s": 1}' % (b"`x.[" * 5000), type=Home)
    detail, field = explain(caught.value, Home)
    assert len(detail) < 200
    assert len(field) < 200


def test_each_pattern_of_the_api_has_words_and_an_example() -> None:
    found = 0
    for endpoint in ALL_ENDPOINTS:
        for expected in (endpoint.body, endpoint.query):
            if expected is None:
                continue
            for pattern, about in patterns_of(expected):
                found += 1
                place = f"{endpoint.method} {endpoint.path}: {pattern}"
                words, examples = about.get("description"), about.get("examples")
                assert isinstance(words, str), place
                assert isinstance(examples, list), place
                assert all(re.search(pattern, one) for one in examples), place
    assert found > 50, "the walk finds them"
