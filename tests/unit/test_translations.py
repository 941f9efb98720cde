"""What merchants' texts are called in other languages: which is shown, and what is refused."""

import msgspec
import pytest

from bespeak.errors import InvalidRequest
from bespeak.translations import (
    LETTERS_MAX,
    Translation,
    Translations,
    check_translations,
    merged,
    words_in,
)

GERMAN = Translation("de", {"Stalls": "Parkett", "Circle": "Rang"})
AUSTRIAN = Translation("de-AT", {"Circle": "Balkon"})
ARABIC = Translation("ar", {"Stalls": "الصالة"})
ALL = (GERMAN, AUSTRIAN, ARABIC)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", {"Stalls": "Parkett", "Circle": "Rang"}),
        ("de-CH", {"Stalls": "Parkett", "Circle": "Rang"}),
        ("de-at", {"Stalls": "Parkett", "Circle": "Balkon"}),
        ("DE-AT-x-wien", {"Stalls": "Parkett", "Circle": "Balkon"}),
        ("ar-EG", {"Stalls": "الصالة"}),
        ("en", {}),
        ("d", {}),
        (None, {}),
    ],
)
def test_the_tag_itself_then_its_language_then_the_text(
    language: str | None, words: dict[str, str]
) -> None:
    assert words_in(language, ALL) == words


def test_a_resource_wins_over_its_plan() -> None:
    plan = (Translation("de-AT", {"Stalls": "Saal"}), Translation("de", {"Bar": "Theke"}))
    assert words_in("de-AT", plan, (GERMAN,)) == {
        "Stalls": "Parkett",
        "Circle": "Rang",
        "Bar": "Theke",
    }
    both = {one.language: one.words for one in merged(plan, (GERMAN, AUSTRIAN))}
    assert both["de"] == {"Bar": "Theke", "Stalls": "Parkett", "Circle": "Rang"}
    assert both["de-AT"] == {"Stalls": "Saal", "Circle": "Balkon"}


def test_equal_translations_have_equal_hashes() -> None:
    """Compiled plans are kept by what they say."""
    again = Translation("de", {"Circle": "Rang", "Stalls": "Parkett"})
    assert again == GERMAN and hash(again) == hash(GERMAN)
    assert hash(AUSTRIAN) != hash(GERMAN)


@pytest.mark.parametrize(
    "wrong",
    [
        b'[{"language":"","words":{}}]',
        b'[{"language":"de_DE","words":{}}]',
        b'[{"language":"de\\n","words":{}}]',
        b'[{"language":"de","words":{"":"x"}}]',
        b'[{"language":"de","words":{"x":""}}]',
        b'[{"language":"de","words":{"x":"a\\u0000"}}]',
        b'[{"language":"de","words":{"x":"a\\rATTENDEE:mailto:eve@x"}}]',
        b'[{"language":"de","words":{"x":1}}]',
        b'[{"language":"de","texts":{}}]',
        b'{"de":{"x":"y"}}',
        b"[" + b",".join(b'{"language":"a%d","words":{}}' % n for n in range(21)) + b"]",
    ],
)
def test_what_is_no_translation_is_refused(wrong: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(wrong, type=Translations)


def test_a_language_comes_once_and_all_of_it_is_bounded() -> None:
    check_translations(ALL)
    with pytest.raises(InvalidRequest, match="comes twice"):
        check_translations((GERMAN, Translation("DE", {})))
    long = {f"{n:04}": "x" * 3996 for n in range(LETTERS_MAX // 4000)}
    check_translations((Translation("de", long),))
    with pytest.raises(InvalidRequest, match="the limit is"):
        check_translations((Translation("de", {**long, "a": "b"}),))
