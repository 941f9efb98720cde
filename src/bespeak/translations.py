"""Texts of merchants in other languages. A text stands as it was typed, and is what a name is known
by: in requests, in units, in records. Beside it, a list says what it is called in each language, by
the text itself. So one form is enough for whatever has names, and nothing that was sold changes
with a translation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest

OUR_LANGUAGES = ("en", "de", "ar")
"""Those of our own words, as in pages and mails."""
LANGUAGES_MAX, WORDS_MAX, LETTERS_MAX = 20, 2000, 200_000
# A description may have lines; nothing else that controls how text is read.
_PATTERN = r"^[^\x00-\x08\x0b-\x1f\x7f]*\Z"
_SCHEMA: dict[str, object] = {"pattern": r"^[^\x00-\x08\x0b-\x1f\x7f]*$"}

LanguageName = Annotated[
    str,
    Meta(
        max_length=35,
        pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\Z",
        extra_json_schema={"pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"},
        description="a language by its BCP 47 tag",
        examples=["de-AT"],
    ),
]
TypedText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4000,
        pattern=_PATTERN,
        extra_json_schema=_SCHEMA,
        description="text without control characters but tabs and line breaks",
        examples=["Parkett"],
    ),
]


class Translation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What texts are called in a language (a BCP 47 tag): by each text as it was typed."""

    language: LanguageName
    words: Annotated[dict[TypedText, TypedText], Meta(max_length=WORDS_MAX)]

    def __hash__(self) -> int:
        """Plans are kept by their values, and a dictionary has no hash of its own."""
        return hash((self.language, frozenset(self.words.items())))


Translations: TypeAlias = Annotated[tuple[Translation, ...], Meta(max_length=LANGUAGES_MAX)]


def check_translations(translations: Sequence[Translation], field: str = "translations") -> None:
    """Raises InvalidRequest where a language comes twice, or all of it is too much."""
    if len(translations) > LANGUAGES_MAX:
        raise InvalidRequest(f"{field}: there are more than {LANGUAGES_MAX} languages", field=field)
    seen: set[str] = set()
    letters = 0
    for translation in translations:
        language = translation.language.lower()
        if language in seen:
            raise InvalidRequest(
                f"{field}: the language {translation.language!r} comes twice", field=field
            )
        seen.add(language)
        letters += sum(len(text) + len(said) for text, said in translation.words.items())
    if letters > LETTERS_MAX:
        raise InvalidRequest(
            f"{field}: {letters} letters in all; the limit is {LETTERS_MAX}", field=field
        )


def words_in(language: str | None, *translations: Sequence[Translation]) -> dict[str, str]:
    """What texts are called for who asks for a language: in the tag itself, in the same without its
    last part (and so on), else not: then the text stays as it was typed. Of several translations
    the later ones win."""
    found: dict[str, str] = {}
    if language is None:
        return found
    asked = _shortened(language.lower())
    for one in translations:
        by_language = {translation.language.lower(): translation for translation in one}
        for tag in reversed(asked):  # the longest last, so that it wins
            if tag in by_language:
                found.update(by_language[tag].words)
    return found


def merged(*translations: Sequence[Translation]) -> tuple[Translation, ...]:
    """Translations as one; the later ones win."""
    names: dict[str, str] = {}
    words: dict[str, dict[str, str]] = {}
    for one in translations:
        for translation in one:
            language = names.setdefault(translation.language.lower(), translation.language)
            words.setdefault(language, {}).update(translation.words)
    return tuple(Translation(language, said) for language, said in words.items())


def _shortened(tag: str) -> list[str]:
    """`zh-hant-tw`, `zh-hant`, `zh` (RFC 4647, lookup)."""
    parts = tag.split("-")
    return ["-".join(parts[:count]) for count in range(len(parts), 0, -1)]
