"""The port to formats, and the table of those at hand."""

from collections.abc import Callable

from services.pairing.rules.commands import GACRUX, RUSTWORKX, TABLES
from services.pairing.rules.formats.groups import groups
from services.pairing.rules.formats.knockout import knockout
from services.pairing.rules.formats.model import Asked, Plan
from services.pairing.rules.formats.multi_game_matches import continuing
from services.pairing.rules.formats.round_robin import round_robin
from services.pairing.rules.formats.swiss import by_points, swiss
from shared.core.events import Engine
from shared.core.terms import Format, Refusal
from shared.core.tournament import Tournament

FORMATS: dict[Format, Callable[[Tournament, int, Asked], Plan | Refusal]] = {
    "swiss": swiss,
    "round_robin": round_robin,
    "double_round_robin": round_robin,
    "groups": groups,
    "knockout": knockout,
    "double_knockout": knockout,
    "match": knockout,
}
"""What is not here is paired by hand."""


def planned(t: Tournament, round: int, asked: Asked) -> Plan | Refusal:
    """Who meets whom in ``round``: matches that are not over go on before the format has its say.

    Refusals: ``no-engine`` for a format paired by hand, ``match-drawn``, and the format's own.
    """
    on = continuing(t, round)
    if on is not None:
        return on
    follow = FORMATS.get(t.announced.format)
    if follow is None:
        detail = f"the format {t.announced.format} is paired by hand: name the boards and a reason"
        return Refusal("rule", "no-engine", detail, where="boards")
    return follow(t, round, asked)


def engine_at_hand(t: Tournament) -> Engine:
    """The engine that pairs this competition here, with its version."""
    if t.announced.format != "swiss":
        return TABLES
    return RUSTWORKX if by_points(t) else GACRUX
