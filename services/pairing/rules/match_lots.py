"""Lots that decide a match which stayed drawn (000-B 9: 以抽签方式分出胜负)."""

from services.pairing.rules.commands import DrawLots
from services.pairing.rules.formats.seeded_draw import drawn_order
from shared.core.events import Decision, LotDrawn
from shared.core.formats import FORMATS
from shared.core.matches import extra_due, matches
from shared.core.stages import stage_now
from shared.core.terms import Refusal
from shared.core.tournament import Tournament


def draw(t: Tournament, c: DrawLots) -> Decision | Refusal:
    """Whose ticket comes first has won the match.

    Refusals: ``no-lots`` where a match may stay drawn or no seed is given, ``unknown-match``, ``match-decided``,
    ``match-unfinished`` while it has games to come.
    """
    now = stage_now(t)
    if not FORMATS[now.format].winner_needed:
        return Refusal("rule", "no-lots", f"in the format {now.format} a match may end drawn", "000-B 9")
    if c.seed < 1:
        return Refusal("invalid", "no-lots", "lots are drawn from a seed of at least 1", where="seed")
    match = matches(t).get(c.match)
    if match is None:
        return Refusal("unknown", "unknown-match", f"no match {c.match} has been paired", where="match")
    if match.over:
        return Refusal("rule", "match-decided", f"{match.winner or 'nobody'} has won match {c.match}", where="match")
    if match.open or extra_due(t, match):
        return Refusal("rule", "match-unfinished", f"match {c.match} has games to come", "000-B 9", where="match")
    winner = drawn_order(c.seed, sorted((match.first, match.second)))[0]
    return Decision((LotDrawn(c.match, winner, c.seed),))
