"""Acceleration: virtual points used when pairing a Dutch Swiss (C.04.7)."""

from collections import Counter

from services.pairing.rules.commands import GiveVirtualPoints
from services.pairing.rules.formats.swiss import pairs_by_points
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.rounds.stages import stage_now
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def give(t: Tournament, c: GiveVirtualPoints) -> Decision | Refusal:
    """Decide all virtual points from here on. They replace those of an earlier command.

    Refusals: ``not-accelerated``, ``unknown-player``, ``rounds-reversed``, ``points-twice``.
    """
    if stage_now(t).format != "swiss" or pairs_by_points(t.regulations, t.announced.conditions):
        detail = say("only a Swiss by the Dutch system is accelerated by virtual points")
        return Refusal("rule", "not-accelerated", detail, "C.04.7", where="given")
    unknown = sorted({v.player for v in c.event.given if v.player not in t.players})
    if unknown:
        named = tuple(unknown)
        return Refusal("unknown", "unknown-player", say("not entered: {named}", named=named), where="given")
    reversed_ = next((v for v in c.event.given if v.last < v.first), None)
    if reversed_ is not None:
        detail = say("invalid range of rounds: {first} to {last}", first=reversed_.first, last=reversed_.last)
        return Refusal("invalid", "rounds-reversed", detail, where="given")
    times = Counter((v.player, round) for v in c.event.given for round in range(v.first, v.last + 1))
    twice = next((one for one, count in times.items() if count > 1), None)
    if twice is not None:
        detail = say("player {player} is given points twice in round {round}", player=twice[0], round=twice[1])
        return Refusal("invalid", "points-twice", detail, where="given")
    return Decision((c.event,))
