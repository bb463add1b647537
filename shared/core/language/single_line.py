"""A text in a file of lines: no break in it, and no command for a terminal."""

import unicodedata


def single_line(text: str) -> str:
    """The words of a text with one space between them; what steers a terminal or ends a line (Unicode Cc, Zl, Zp) parts them."""
    return " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text).split())
