"""Texts for line-based files, without line breaks and without terminal commands."""

import unicodedata


def single_line(text: str) -> str:
    """Return the words of a text separated by one space. Control characters and line ends (Unicode Cc, Zl, Zp) separate words."""
    return " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text).split())
