"""Texts that merchants typed, with what they are called in other languages, as verticals keep them:
beside the texts, as JSON.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bespeak.postgres.json_text import json_text
from bespeak.translations import Translation, check_translations, merged, words_in


class _Stored(msgspec.Struct, frozen=True):
    """A translation as it is stored. It was checked before: to look at all its letters again takes
    longer than all else."""

    language: str
    words: dict[str, str]


_STORED: msgspec.json.Decoder[tuple[_Stored, ...]] = msgspec.json.Decoder(tuple[_Stored, ...])


class StoredTexts:
    """Texts in a language: `said(text)`. Without a language as they were typed."""

    def __init__(self, language: str | None, *stored: str) -> None:
        self._words = words_in(language, *(translations_of(one) for one in stored))

    def __call__(self, text: str) -> str:
        return self._words.get(text, text)

    def or_none(self, text: str | None) -> str | None:
        return None if text is None else self(text)


def translations_of(stored: str) -> tuple[Translation, ...]:
    """Translations as they are stored."""
    found = _STORED.decode(json_text(stored))
    return tuple(Translation(one.language, one.words) for one in found)


def whole_translations(stored: str, language: str | None) -> tuple[Translation, ...]:
    """The translations, for who did not ask for one language."""
    return merged(translations_of(stored)) if language is None else ()


def stored_translations(translations: Sequence[Translation]) -> str:
    """The translations of a thing as they are stored. Raises InvalidRequest."""
    check_translations(translations)
    return msgspec.json.encode(translations).decode()
