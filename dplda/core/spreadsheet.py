"""Text that a spreadsheet would take for a formula."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def harmless(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet would compute it instead of showing it."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
