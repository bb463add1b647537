"""Scores and tie-breaks as tables of chess and xiangqi have them: 4, 4.5, 37.25. The ½ is the mark of a drawn game alone.

Standard library only.
"""

MINUS = "\N{MINUS SIGN}"


def decimal(value: float | None) -> str:
    """A value as people write it; a dash where it is undefined."""
    if value is None:
        return "–"
    return f"{MINUS if value < 0 else ''}{abs(value):.10g}"
