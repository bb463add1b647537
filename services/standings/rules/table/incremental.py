"""The difference of two states of one tournament, as far as records go: so little is reckoned anew."""

from itertools import compress, islice
from operator import is_not

from services.standings.rules.table.records import Field
from shared.core.formats import FORMATS
from shared.core.scoring import RoundScore, Score, adjustments, sides
from shared.core.terms import GameId, PlayerId
from shared.core.tournament import Tournament


def changed_scores(field: Field, now: Tournament) -> dict[PlayerId, Score] | None:
    """The records that are others now than in ``field``; None where more than results and rulings changed.

    Whoever was ruled on is among them, whether or not that gave or took points.
    """
    was = field.tournament
    if _needs_replay(was, now):
        return None
    games = _changed_games(was, now)
    ruled: set[PlayerId] = set()
    if _ruled_otherwise(was, now):
        games |= {g.game for g in now.games.values() if g.rulings} | {g.game for g in was.games.values() if g.rulings}
        ruled = {r.event.player for t in (was, now) for r in t.rulings.values() if r.event.player is not None}
    records: dict[PlayerId, list[RoundScore]] = {}
    for id in sorted(games):
        game = now.games[id]
        if game.pairing in now.withdrawn_pairings:
            continue
        if game.round > field.rounds:
            return None
        for player, r in zip((game.white, game.black), sides(now, game), strict=True):
            records.setdefault(player, list(field.scores[player].rounds))[game.round - 1] = r
    penal = adjustments(now, field.last if field.last < now.rounds_paired() else None)
    return {
        p: Score(p, tuple(records.get(p, field.scores[p].rounds)), penal.get(p, ()))
        for p in sorted(records.keys() | ruled)
    }


def _needs_replay(was: Tournament, now: Tournament) -> bool:
    """Whether the two differ in anything but what was said of games, and rulings (or stages make it hard to tell)."""
    return (
        FORMATS[was.announced.format].finals
        or bool(was.regulations.stages)
        or was.announced != now.announced
        # Regulations that are equal but not the same were read anew, and so was all the rest.
        or was.regulations is not now.regulations
        or was.pairings != now.pairings
        or was.players != now.players
        or was.byes != now.byes
        or was.place_lots != now.place_lots
        or was.suppressed != now.suppressed
    )


def _ruled_otherwise(was: Tournament, now: Tournament) -> bool:
    """Whether rulings were made, or what they rest on was taken away."""
    return (was.rulings, was.annulments, was.corrections) != (now.rulings, now.annulments, now.corrections)


def _changed_games(was: Tournament, now: Tournament) -> set[GameId]:
    """Games of which something else is said now, in two folds of one reading of the log.

    Compared by identity: what was not told again is shared, and both name games in the same order.
    """
    reported, games = now.reported, now.games
    return {
        *compress(reported, map(is_not, reported.values(), was.reported.values())),
        *islice(reported, len(was.reported), None),
        *compress(games, map(is_not, games.values(), was.games.values())),
    }
