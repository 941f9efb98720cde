"""iCalendar files for tests: the lines of events, and a whole calendar of them."""

from datetime import date


def calendar(*events: str, zones: str = "") -> bytes:
    """A file with these events, each its lines joined by line breaks."""
    text = "".join(f"BEGIN:VEVENT\n{event}\nEND:VEVENT\n" for event in events)
    whole = f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//test//EN\n{zones}{text}END:VCALENDAR\n"
    return whole.replace("\n", "\r\n").encode()


def event(uid: str, start: str, end: str | None = None, *more: str) -> str:
    """An event of times: `start` and `end` are what follows the property's name."""
    lines = [f"UID:{uid}", f"DTSTART{start}"]
    if end is not None:
        lines.append(f"DTEND{end}")
    return "\n".join([*lines, *more])


def days(uid: str, start: str, end: str, *more: str) -> str:
    """An event of all day, from a date until before another, written as 2030-01-02."""
    first, past = (f";VALUE=DATE:{date.fromisoformat(text):%Y%m%d}" for text in (start, end))
    return event(uid, first, past, *more)
