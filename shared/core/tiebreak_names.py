"""The names of the tie-breaks of teams (C.07 11-13; 002-X 15): what may be announced, and what standings compute."""


def on(name: str, score: str) -> str:
    """A tie-break on one score of teams, ``MP`` or ``GP``: ``BH/C1`` on game points is ``BH:GP/C1``."""
    base, cut, modifier = name.partition("/")
    return f"{base}:{score}{cut}{modifier}"


SUMS = ("PS", "PS/C1", "KS", "BH", "BH/C1", "BH/C2", "BH/M1", "BH/M2", "FB", "SB", "SB/C1")
"""Of matches, on match points or on game points."""
COUNTS = ("WIN", "WON", "BPG", "BWG")
"""Of matches (MP) or of single games (GP)."""
EXTENDED = ("EMMSB", "EMGSB", "EGMSB", "EGGSB")
BY_RATING = ("ARO", "ARO/C1", "TPR", "PTP")

TEAM_TIEBREAKS: tuple[str, ...] = (
    *("PTS", "MPTS", "GPTS", "MPvGP"),
    *(n for name in (*SUMS, *COUNTS) for n in (name, on(name, "MP"), on(name, "GP"))),
    *("REP", "REP:MP"),
    *(n for name in EXTENDED for n in (name, f"{name}/C1")),
    *BY_RATING,
    *("BC", "TBR", "BBE", "DE", "DE:MP", "DE:GP", "DE/A", "EDE", "PO", "FOULS"),
)
"""Every name. Without a score it means match points, the first score of teams."""
