"""Translations in spreadsheets: a column `title:de` says what the title of its line
is called in German. What no column speaks of stays as it is kept; an empty cell takes a translation
away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.translations import LanguageName, Translation, check_translations
from bespeak.verticals.errors import CatalogueInvalid
from bespeak.verticals.sheet_kinds import SheetKind

Texts = Mapping[str, tuple[str, ...]]
"""The texts of a thing by the columns that they stand in; most columns have one."""


class WordColumn(NamedTuple):
    """A column of translations: its name in small letters, the column that it translates, the
    language as it was typed, and whether there are several texts in a cell."""

    name: str
    field: str
    language: str
    is_list: bool = False


def says_language(column: str) -> bool:
    return ":" in column


def read_word_columns(kind: SheetKind, columns: Iterable[str]) -> tuple[WordColumn, ...]:
    """The columns of translations of a sheet. Raises CatalogueInvalid with the column's place."""
    found: list[WordColumn] = []
    spelled: dict[str, str] = {}
    for column in columns:
        field, language = (part.strip() for part in column.split(":", 1))
        if field.lower() not in kind.translated:
            choices = ", ".join(kind.translated)
            raise _wrong(column, f"in a sheet of {kind.name}, translated are {choices}")
        if not _is_language(language):
            raise _wrong(
                column, f"{language[:40]!r} is no language; write a tag such as de or pt-BR"
            )
        own = WordColumn(
            column.lower(),
            field.lower(),
            spelled.setdefault(language.lower(), language),
            field.lower() in kind.translated_lists,
        )
        if any((one.field, one.language) == (own.field, own.language) for one in found):
            raise _wrong(column, "it comes twice")
        try:
            check_translations([Translation(one, {}) for one in spelled], "the sheet")
        except InvalidRequest as error:
            raise _wrong(column, error.detail) from error
        found.append(own)
    return tuple(found)


def said_words(
    columns: Sequence[WordColumn],
    cells: Mapping[str, str],
    texts: Texts,
    stored: Sequence[Translation],
) -> tuple[Translation, ...]:
    """The translations of a thing after a line of a sheet, whose cells are by column. Raises
    InvalidRequest with the column as its field."""
    own = [column for column in columns if column.field in texts]
    names = {one.language.lower(): one.language for one in stored}
    words = {one.language.lower(): dict(one.words) for one in stored}
    for column in own:
        names.setdefault(column.language.lower(), column.language)
        kept = words.setdefault(column.language.lower(), {})
        for text in texts[column.field]:
            kept.pop(text, None)
    for (language, text), word in _given(own, cells, texts).items():
        words[language][text] = word
    # In an order of their own, so that the same said twice is the same.
    found = tuple(
        Translation(names[language], dict(sorted(said.items())))
        for language, said in words.items()
        if said
    )
    if own:
        check_translations(found, own[-1].name)
    return found


def said_once(text: str | None) -> tuple[str, ...]:
    """A text as those of its column, which are none where it is empty."""
    return (text,) if text else ()


def same_words(one: Sequence[Translation], other: Sequence[Translation]) -> bool:
    """Whether two translations say the same, in whatever order."""
    return _by_language(one) == _by_language(other)


def _by_language(translations: Sequence[Translation]) -> dict[str, dict[str, str]]:
    return {one.language.lower(): one.words for one in translations}


def _given(
    columns: Sequence[WordColumn], cells: Mapping[str, str], texts: Texts
) -> dict[tuple[str, str], str]:
    """What each text is called, by language and text, where a cell says it."""
    given: dict[tuple[str, str], str] = {}
    for column in columns:
        for text, word in _pairs(column, cells.get(column.name, ""), texts[column.field]):
            if given.setdefault((column.language.lower(), text), word) != word:
                raise InvalidRequest(
                    f"another column says otherwise what {text[:60]!r} is called", field=column.name
                )
    return given


def _pairs(column: WordColumn, cell: str, texts: tuple[str, ...]) -> list[tuple[str, str]]:
    """The texts of a column with what a cell calls them. Raises InvalidRequest."""
    words = _parts(column, cell, len(texts))
    if len(words) != len(texts):
        raise InvalidRequest(
            f"translated are {len(words)}, but the column {column.field} has {len(texts)}",
            field=column.name,
        )
    return [
        (text, _checked(column, text, word))
        for text, word in zip(texts, words, strict=True)
        if word
    ]


def _parts(column: WordColumn, cell: str, count: int) -> list[str]:
    """The translations that a cell has: of a list as many as it has parts, some of them empty."""
    if not cell.strip():
        return [""] * count
    if not column.is_list:
        return [cell.strip()]
    delimiter = ";" if ";" in cell or count == 1 else ","
    parts = [part.strip() for part in cell.split(delimiter)]
    while len(parts) > count and not parts[-1]:
        parts.pop()
    return parts


def _checked(column: WordColumn, text: str, word: str) -> str:
    said = {"language": column.language, "words": {text: word}}
    try:
        return msgspec.convert(said, Translation).words[text]
    except msgspec.ValidationError as error:
        raise InvalidRequest(str(error).partition(" - at `")[0], field=column.name) from error


def _is_language(tag: str) -> bool:
    try:
        msgspec.convert(tag, LanguageName)
    except msgspec.ValidationError:
        return False
    return True


def _wrong(column: str, words: str) -> CatalogueInvalid:
    where = f"line 1, column {column[:40]}"
    return CatalogueInvalid(f"{where}: {words}", where=where)
