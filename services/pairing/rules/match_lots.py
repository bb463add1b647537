"""Lots that decide a drawn match (000-B 9: 以抽签方式分出胜负), or a place that may not be shared."""

from services.pairing.rules import play_off
from services.pairing.rules.commands import DrawLots
from shared.core.events import Decision, LotDrawn
from shared.core.language.messages import say, term
from shared.core.rounds.matches import extra_due, matches, teams_meet
from shared.core.rounds.stages import drawn_order, stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import LOTS_CODE
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def draw(t: Tournament, c: DrawLots) -> Decision | Refusal:
    """Decide by lot the winner of a match, or the order of sides that share a place.

    The side drawn first wins the match. Refusals: ``no-lots`` if the seed is missing, if the format allows drawn matches,
    or if the regulations do not decide shared places by lot; ``unknown-match``, ``match-decided``, ``match-unfinished``
    while the match has games to come; ``not-equals``, and those of `play_off.refuse_early`.
    """
    if not c.match:
        return _draw_places(t, c)
    now = stage_now(t)
    if not FORMATS[now.format].winner_needed:
        detail = say(
            "in the format {format} a match may end drawn, so a lot or an extra game cannot decide it",
            format=term(now.format),
        )
        return Refusal("rule", "no-lots", detail, "000-B 9")
    if c.seed < 1:
        return _refuse_seed()
    match = matches(t).get(c.match)
    if match is None:
        detail = say("match {match} has not been paired", match=c.match)
        return Refusal("unknown", "unknown-match", detail, where="match")
    if match.over:
        detail = say(
            "match {match} is already decided; its winner is {winner}",
            winner=match.winner or say("nobody"),
            match=c.match,
        )
        return Refusal("rule", "match-decided", detail, where="match")
    if match.open or extra_due(t, match):
        detail = say("match {match} is not over: games must still be played or reported", match=c.match)
        return Refusal("rule", "match-unfinished", detail, "000-B 9", where="match")
    winner = drawn_order(c.seed, sorted((match.first, match.second)))[0]
    return Decision((LotDrawn(c.match, winner, c.seed),))


def _draw_places(t: Tournament, c: DrawLots) -> Decision | Refusal:
    """Decide by lot the order of players or teams that share a place, if lots are a tie-break or required (002-X 15.6).

    Refusals: ``no-lots``, ``not-equals``, and those of `play_off.refuse_early`.
    """
    ranking = t.regulations.ranking
    announced = t.announced.tiebreaks or ranking.order(t.announced.format, "teams" if teams_meet(t) else "players")
    if LOTS_CODE not in ranking.with_play_off_or_lots(announced):
        detail = say(
            "this tournament does not decide shared places by lot: its tie-breaks do not include {code}, and its ruleset "
            "requires no lot for first places",
            code=LOTS_CODE,
        )
        return Refusal("rule", "no-lots", detail, play_off.ARTICLE, "equals")
    if c.seed < 1:
        return _refuse_seed()
    sides = set(t.teams) if teams_meet(t) else set(map(int, t.players))
    if len(set(c.equals)) != len(c.equals) or len(c.equals) < 2 or not sides.issuperset(c.equals):
        detail = say("a lot must be between two or more players or teams of this tournament, each listed once")
        return Refusal("invalid", "not-equals", detail, play_off.ARTICLE, "equals")
    order = drawn_order(c.seed, sorted(c.equals))
    return play_off.refuse_early(t) or Decision((LotDrawn(0, order[0], c.seed, order),))


def _refuse_seed() -> Refusal:
    return Refusal("invalid", "no-lots", say("seed must be at least 1"), where="seed")
