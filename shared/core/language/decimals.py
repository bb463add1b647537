"""Scores and tie-breaks in the style of chess and xiangqi tables: 4, 4.5, 37.25. The ½ is only used for a drawn game.

Standard library only.
"""

MINUS = "\N{MINUS SIGN}"


def decimal(value: float | None) -> str:
    """Return a value as people write it, or a dash if it is undefined."""
    if value is None:
        return "–"
    return f"{MINUS if value < 0 else ''}{abs(value):.10g}"
