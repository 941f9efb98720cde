"""Comparing what a page says that a command prints with what it printed: without white space, with
`…` for anything, and with ids, times and counters that differ at each run made alike.
"""

import re

_ALIKE = (
    (r"\b(hold|bkg|blk|pay|ref|key|whe|cal)_[0-9a-hjkmnp-tv-z]{16,26}\b", r"\1_ID"),
    (r"\bres_[0-9a-hjkmnp-tv-z]{8}\b", "res_ID"),
    (r"\b(pk|sk|ak)_[0-9a-hjkmnp-tv-z]{32}\b", r"\1_KEY"),
    (r"\bmsg_[0-9a-hjkmnp-tv-z]{29}\b", "msg_ID"),
    (r"\beyJ[\w-]+\.[\w-]+\.[\w-]+", "TOKEN"),
    (r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "UUID"),
    # Pages count their dates from today. A time to the minute is of a plan, and stays as it is.
    (r"\b\d{4}-\d\d-\d\d(T\d\d:\d\d(?::00)?(?:Z|[+-]\d\d:\d\d))(?![\d:.])", r"DATE\1"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::\d\d)?)?", "TIME"),
    (r"\b\d{4}-\d\d-\d\d\b", "DATE"),
    (r"\b1\d{9}(?:\.\d+)?\b", "EPOCH"),
    (r'("expires_in_ms": ?)\d+', r"\1N"),
    (r'("seconds_max": ?)\d+', r"\1N"),
    (r'("request_id": ?")\w+', r"\1N"),
    (r'("version": ?")[\d.]+', r"\1N"),
    (r'"[0-9a-f]+-[0-9a-f]+"', '"CURSOR"'),
    (r'"[0-9a-f]{24}"', '"TAG"'),
    (r"(?i)(x-request-id: ?)\w+", r"\1N"),
    (r"-{3,}", "-"),
)


def alike(text: str) -> str:
    """The text without what differs from run to run, and without white space."""
    for pattern, replacement in _ALIKE:
        text = re.sub(pattern, replacement, text)
    return re.sub(r"\s+", "", text)


def matches(expected: str, printed: str) -> bool:
    """Whether a page's output may stand for what was printed."""
    parts = [re.escape(alike(part)) for part in expected.split("…")]
    return re.fullmatch(".*?".join(parts), alike(printed), re.DOTALL) is not None
