"""Rules about any file: names, places, loose ends, and traces of one machine."""

import re

from tests.style.tree import Offence, SourceFile

# Names that say nothing about the business, so that anything may be thrown into them.
EMPTY_NAMES = {"util", "utils", "common", "helper", "helpers", "misc", "model", "models"}

# The engine's SQL travels with the package; the rivals' SQL stands beside the rivals.
SQL_PLACES = ("src/bespeak/", "benchmarks/comparators/")

# The verticals that are folders of ours: nothing outside a folder knows its name.
VERTICALS = ("cinema",)

_VERTICAL = re.compile("|".join(VERTICALS), re.IGNORECASE)
_LOOSE_END = re.compile(r"\b(?:TO[D]O|FIX[M]E|XX[X])\b")
_MACHINE_PATH = re.compile(
    r"(?<![\w.])/(?:work|root)/|/tmp/(?:[p]robe|[t]eam)\b|(?<![\w.])/home/\w"
)
_DOWNLOAD = re.compile(
    r"\b(?:pypi\.org|pythonhosted\.org|npm[j]s\b|yarnpkg\.com|debian\.org|ubuntu\.com|crates\.io"
    r"|docker\.io|ghcr\.io|quay\.io|githubusercontent\.com|unpkg\.com|jsdelivr\.net"
    r"|cdnjs\.cloudflare\.com|proxy\.golang\.org)"
    r"|--(?:extra-)?index[-]url|--find[-]links|--trusted[-]host"
)
_BLOCK = re.compile(r"--\s*name:\s*(\S*)")
_PURPOSE = re.compile(r"--\s*(?!name:)\S+")
_PINNED = re.compile(r"[A-Za-z0-9][\w.-]*==[\w.!+]+(?:\s*;.+)? \\")
_HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


def check_names(file: SourceFile) -> list[Offence]:
    return [
        Offence(file.path, 1, f"`{part}` says nothing: name it after what it holds")
        for part in file.parts
        if part.split(".")[0].lower() in EMPTY_NAMES
    ]


def check_loose_ends(file: SourceFile) -> list[Offence]:
    return _matching(file, _LOOSE_END, "a loose end: do it, or open an issue")


def check_verticals_unnamed(file: SourceFile) -> list[Offence]:
    return _matching(file, _VERTICAL, "names a vertical: find it by its description instead")


def check_machine_paths(file: SourceFile) -> list[Offence]:
    return _matching(file, _MACHINE_PATH, "a path of one machine")


def check_download_hosts(file: SourceFile) -> list[Offence]:
    return _matching(file, _DOWNLOAD, "names where packages come from: that is the user's setting")


def _matching(file: SourceFile, pattern: re.Pattern[str], message: str) -> list[Offence]:
    return [
        Offence(file.path, number, f"{message}: {found.group()!r}")
        for number, line in enumerate(file.lines, start=1)
        if (found := pattern.search(line))
    ]


def check_sql_place(file: SourceFile) -> list[Offence]:
    if file.path.startswith(SQL_PLACES):
        return []
    return [Offence(file.path, 1, f"SQL files live below {' or '.join(SQL_PLACES)}")]


def check_sql_purpose(file: SourceFile) -> list[Offence]:
    """`-- name: place_hold` is followed by `-- ` and what the block is for; names do not repeat."""
    offences = []
    seen: set[str] = set()
    for number, line in enumerate(file.lines, start=1):
        block = _BLOCK.match(line)
        if block is None:
            continue
        name = block.group(1)
        following = file.lines[number] if number < len(file.lines) else ""
        if not name or name in seen:
            offences.append(Offence(file.path, number, f"block {name!r} has no name of its own"))
        if not _PURPOSE.match(following):
            offences.append(Offence(file.path, number + 1, f"block {name!r} has no purpose line"))
        seen.add(name)
    return offences


def check_lock(file: SourceFile) -> list[Offence]:
    return [
        Offence(file.path, number, f"not an exact version with its hashes: {line!r}")
        for number, line in enumerate(file.lines, start=1)
        if line and line[0] != "#" and not (_PINNED.fullmatch(line) or _HASH.fullmatch(line))
    ]
