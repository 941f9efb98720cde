"""Text that a spreadsheet would take for a formula, as a guest may call themselves, is written with
an apostrophe before it, by which it is shown as the text that it is.
"""

# What begins a formula, and what some programs drop before they look for one.
_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def begins_formula(text: str) -> bool:
    """Whether a spreadsheet may take a cell for a formula."""
    return text.lstrip(" ").startswith(_BEGINS)


def guarded(text: str) -> str:
    """A cell that is no formula, and that `unguarded` reads as it was: what has an apostrophe
    before a formula already gets another."""
    return f"'{text}" if begins_formula(text.lstrip("'")) else text


def unguarded(cell: str) -> str:
    """The text of a cell that may have been guarded."""
    is_guarded = cell.startswith("'") and begins_formula(cell.lstrip("'"))
    return cell[1:] if is_guarded else cell
