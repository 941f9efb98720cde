"""Rules about SQL: size, a purpose for each function, checks and composites by name."""

import re
from collections.abc import Iterator

from tests.style.tree import Offence, SourceFile

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 80
COLUMNS_MAX = 110

_FUNCTION = re.compile(r"create (?:or replace )?(?:function|view) (?:\w+\.)?(\w+)")
_UNNAMED_CHECK = re.compile(r"    check \(")
_BY_UNIT = re.compile(r"order by [^;)]*?\b(?P<unit>(?<!')(?:\w+\.)?unit\b(?! collate \"C\"))")
_TABLES = ("c.unit", "p.unit", "d.unit")
_TELLING = re.compile(r"insert into bespeak\.(?:kept_)?event \((?P<columns>[^)]*)\)")
_BY_POSITION = re.compile(r"\brow\s*\(")


def check_size(file: SourceFile) -> list[Offence]:
    found = [
        Offence(file.path, number, f"{len(line)} columns; at most {COLUMNS_MAX}")
        for number, line in enumerate(file.lines, start=1)
        if len(line) > COLUMNS_MAX
    ]
    if len(file.lines) > FILE_LINES_MAX:
        message = f"{len(file.lines)} lines; a file has at most {FILE_LINES_MAX}: a file for a verb"
        found.append(Offence(file.path, FILE_LINES_MAX + 1, message))
    return found


def check_event_actors(file: SourceFile) -> list[Offence]:
    """Every event says who did it: null only where that is not known."""
    text = "\n".join(file.lines)
    return [
        Offence(file.path, text.count("\n", 0, told.start()) + 1, "an event without its actor")
        for told in _TELLING.finditer(text)
        if "actor" not in re.findall(r"\w+", told["columns"])
    ]


def check_functions(file: SourceFile) -> list[Offence]:
    """A function has a comment above it that says its purpose, and is short enough to be read."""
    found = []
    for name, first, last in _functions(file):
        if last - first + 1 > FUNCTION_LINES_MAX:
            message = f"{name} has {last - first + 1} lines; at most {FUNCTION_LINES_MAX}"
            found.append(Offence(file.path, first, message))
        if first == 1 or not file.lines[first - 2].startswith("-- "):
            found.append(Offence(file.path, first, f"{name} has no comment that says its purpose"))
    return found


def _functions(file: SourceFile) -> Iterator[tuple[str, int, int]]:
    """Name, first and last line of each function, which ends with its `$$;`, and of each view."""
    name, first, quoted = "", 0, False
    for number, line in enumerate(file.lines, start=1):
        begins = _FUNCTION.match(line)
        if begins is not None:
            name, first, quoted = begins[1], number, False
        if name:
            quoted ^= line.count("$$") % 2 == 1
            if not quoted and line.endswith(";"):
                yield name, first, number
                name = ""


def check_named_checks(file: SourceFile) -> list[Offence]:
    """PostgreSQL names the check of a column after it, and that of a table `resource_check3`."""
    return [
        Offence(file.path, number, "a check of the whole table has a name: `constraint ... check`")
        for number, line in enumerate(file.lines, start=1)
        if _UNNAMED_CHECK.match(line)
    ]


def check_composites(file: SourceFile) -> list[Offence]:
    """One column more, and whatever was built by position is shifted without a word."""
    return [
        Offence(file.path, number, "a composite is built by the names of its fields")
        for number, line in enumerate(file.lines, start=1)
        if _BY_POSITION.search(line) and not line.lstrip().startswith("--")
    ]


def check_unit_order(file: SourceFile) -> list[Offence]:
    """Units are locked in the order of the primary keys, which is that of "C". A unit out of an
    array sorts as the database does, unless it says so."""
    return [
        Offence(file.path, number, 'sorts by unit without collate "C": not the order of the keys')
        for number, line in enumerate(file.lines, start=1)
        if (found := _BY_UNIT.search(line)) is not None and found["unit"] not in _TABLES
    ]
