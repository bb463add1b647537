"""Printed names of the shipped rulesets, so that users need not know the names of files."""

from shared.core.language.messages import Message, say
from shared.core.rulebook.regulations import Regulations

SET_NAMES: dict[str, Message] = {
    "campus": say("Campus event, all its games"),
    "campus-chess": say("Campus event: chess"),
    "campus-go": say("Campus event: Go"),
    "campus-wuziqi": say("Campus event: gomoku with forbidden moves"),
    "campus-xiangqi": say("Campus event: xiangqi"),
    "fide-2024": say("FIDE 2024 and 2025: chess"),
    "fide-2026": say("FIDE 2026: chess"),
    "friendly-go": say("Board Game Rules: Go"),
    "friendly-wuziqi": say("Board Game Rules: gomoku with forbidden moves"),
    "friendly-xiangqi": say("Board Game Rules: xiangqi"),
    "go-campus": say("Campus event: Go with sudden death"),
    "gomoku-campus": say("Campus event: gomoku without forbidden moves"),
    "gomoku-free": say("Gomoku without forbidden moves, by its own rules alone"),
    "gomoku-online": say("Gomoku on the network"),
    "prediction": say("Prediction gomoku"),
    "renju": say("Renju with a swap and two offers"),
    "renju-agreed": say("Renju with agreed openings"),
    "renju-room": say("Renju as in online rooms, without swap and offers"),
    "xiangqi-1999": say("Xiangqi Competition Rules 1999"),
    "xiangqi-folk": say("Xiangqi as it is played at home"),
}
"""By the name of each set."""


def set_name(one: Regulations) -> Message:
    """Return the printed name of a ruleset with its own name, or only its own name if it is not shipped."""
    called = SET_NAMES.get(one.name)
    return say("{name}", name=one.name) if called is None else say("{called} ({name})", called=called, name=one.name)
