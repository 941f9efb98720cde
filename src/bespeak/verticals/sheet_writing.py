"""Writing spreadsheets that are read again as they were, with a column for each language of each
text. What no sheet can say is refused.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from bespeak.errors import InvalidRequest
from bespeak.formulas import guarded
from bespeak.translations import Translation, check_translations
from bespeak.verticals.sheet_kinds import SheetKind
from bespeak.verticals.sheet_words import Texts


def write_sheet(
    kind: SheetKind, lines: Sequence[Mapping[str, str]], languages: Iterable[str]
) -> str:
    """A sheet of such lines: all columns of its kind, and those of languages that say something."""
    columns = dict.fromkeys(kind.line.__struct_fields__)
    used = {column for line in lines for column in line}
    every = (f"{field}:{language}" for language in languages for field in kind.translated)
    columns |= dict.fromkeys(column for column in every if column in used)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(columns), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def languages_of(all_translations: Iterable[Sequence[Translation]]) -> dict[str, str]:
    """The languages of several things, as each is spelled first, by its tag in small letters.
    Raises InvalidRequest where they are too many."""
    found: dict[str, str] = {}
    for translations in all_translations:
        for translation in translations:
            found.setdefault(translation.language.lower(), translation.language)
    check_translations([Translation(language, {}) for language in found], "the sheet")
    return found


class CellWriter:
    """Writes the cells of the line of one thing; `name` is what a person calls it."""

    def __init__(self, kind: SheetKind, name: str) -> None:
        self.kind = kind
        self.name = name

    def cell(self, column: str, text: str) -> str:
        """A cell with a text, which no spreadsheet takes for a formula. Raises InvalidRequest for
        what would be read otherwise."""
        if text != text.strip():
            raise self._unsayable(column, "it begins or ends with a space")
        if "\r" in text:
            raise self._unsayable(column, "it has a carriage return")
        return guarded(text)

    def list(self, column: str, parts: Sequence[str]) -> str:
        """Several in a cell; a semicolon at the end says of one with a comma that it is one. Raises
        InvalidRequest."""
        if any(";" in part for part in parts):
            raise self._unsayable(column, "a semicolon parts the cell")
        for part in parts:
            self.cell(column, part)
        cell = "; ".join(parts)
        return guarded(f"{cell};" if len(parts) == 1 and "," in cell else cell)

    def words(
        self,
        texts: Texts,
        translations: Sequence[Translation],
        languages: Mapping[str, str],
    ) -> dict[str, str]:
        """The cells of translations, where there are any. Raises InvalidRequest."""
        cells: dict[str, str] = {}
        for translation in translations:
            for field, own in texts.items():
                if any(text in translation.words for text in own):
                    column = f"{field}:{languages[translation.language.lower()]}"
                    said = [translation.words.get(text, "") for text in own]
                    is_list = field in self.kind.translated_lists
                    cells[column] = (
                        self.list(column, said) if is_list else self.cell(column, said[0])
                    )
        return cells

    def _unsayable(self, column: str, why: str) -> InvalidRequest:
        return InvalidRequest(
            f"a sheet cannot say the {column} of {self.name[:60]!r}: {why}", field=column
        )
