"""Taking a file of a vertical: all of it or nothing, the same again without effect, and every fault
named by its place, not only the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from bespeak.errors import BespeakError, InvalidRequest
from bespeak.verticals.errors import CatalogueInvalid
from bespeak.verticals.vertical import ImportProblem, ImportReport

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

PROBLEMS_MAX = 100
_Form = TypeVar("_Form")
_Put: TypeAlias = "Callable[..., Awaitable[Put]]"

Place: TypeAlias = "Callable[[str, int, str | None], str]"
"""Where a part of a document stands in its file, by its kind, its number and the field."""


class Put(NamedTuple):
    """The id of what was said, and what became of it."""

    id: str
    outcome: Literal["created", "updated", "unchanged"]


class ImportQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether an import is only to say what it would do."""

    check: bool = False


class ImportRefused(Exception):
    """Ends the transaction: there were problems, or it was only to be tried."""


class ImportWork:
    """One import under way."""

    def __init__(self, engine: Engine, connection: Connection, place: Place) -> None:
        self.engine = engine
        self.connection = connection
        self.place = place
        self.problems: list[ImportProblem] = []
        self.counts: dict[str, Counter[str]] = {
            outcome: Counter() for outcome in ("created", "updated", "unchanged")
        }

    def fault(self, kind: str, index: int, error: BespeakError) -> None:
        """Notes what is wrong with one part."""
        field = error.data.get("field")
        where = self.place(kind, index, field if isinstance(field, str) else None)
        self.problems.append(ImportProblem(where, error.code, error.detail))

    async def put_all(self, kind: str, said: Sequence[msgspec.Struct], put: _Put) -> None:
        """Things of a kind, one by one."""
        for index, one in enumerate(said):
            if len(self.problems) >= PROBLEMS_MAX:
                return
            try:
                async with self.connection.transaction():
                    done = await put(self.connection, one)
            except BespeakError as error:
                self.fault(kind, index, error)
            else:
                self.counts[done.outcome][kind] += 1

    def report(self, kinds: Sequence[str], *, applied: bool) -> ImportReport:
        """What was done, of each of these kinds of things."""
        if self.problems:
            return refused_report(kinds, self.problems)
        none = dict.fromkeys(kinds, 0)
        counts = {outcome: {**none, **found} for outcome, found in self.counts.items()}
        return ImportReport(
            applied=applied,
            created=counts["created"],
            updated=counts["updated"],
            unchanged=counts["unchanged"],
            problems=[],
        )


def refused_report(kinds: Sequence[str], problems: Sequence[ImportProblem]) -> ImportReport:
    """The report of what was not done, for these problems."""
    none = dict.fromkeys(kinds, 0)
    return ImportReport(
        applied=False,
        created=none,
        updated=none,
        unchanged=none,
        problems=list(problems[:PROBLEMS_MAX]),
    )


def json_place(kind: str, index: int, field: str | None) -> str:
    """The place in a JSON document: `shows[6].film`."""
    return f"{kind}[{index}]{f'.{field}' if field else ''}"


def read_document(text: str, form: type[_Form]) -> _Form:
    """A document in JSON. Raises CatalogueInvalid with its place."""
    try:
        return msgspec.json.decode(text.encode(), type=form)
    except msgspec.ValidationError as error:
        words, _, place = str(error).partition(" - at `$")
        where = place.rstrip("`").lstrip(".") or "the document"
        raise CatalogueInvalid(f"{where}: {words}", where=where) from error
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise CatalogueInvalid(f"this is not JSON: {error}", where="the document") from error


def made_part(form: type[_Form], said: Mapping[str, object], *, strict: bool = True) -> _Form:
    """What was made in Python, judged as what is read is; if not `strict`, numbers may be texts.
    Raises InvalidRequest with its field."""
    try:
        return msgspec.convert(msgspec.to_builtins(said), form, strict=strict)
    except msgspec.ValidationError as error:
        words, _, place = str(error).partition(" - at `$.")
        raise InvalidRequest(words, field=place.rstrip("`").partition("[")[0] or None) from error
