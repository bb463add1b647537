"""The difference between two states of one tournament in their records, so that little has to be recomputed."""

from collections.abc import Iterable
from itertools import compress, islice
from operator import is_not

from services.standings.rules.records import Field, field_of_scores
from services.standings.rules.stage_records import ordinary_rounds
from shared.core.readings.scoring import RoundScore, Score, adjustments, round_scores, scores_of_game
from shared.core.rulebook.formats import FORMATS
from shared.core.state.entities import Bye, Game
from shared.core.state.tournament import Tournament
from shared.core.terms import GameId, PlayerId


def changed_scores(field: Field, now: Tournament) -> dict[PlayerId, Score] | None:
    """Return the new score of each player whose score may differ between ``field`` and the state ``now``.

    If any ruling changed, every player with a ruling is included, even if the points are the same. Returns None if anything
    other than results and rulings changed: the whole table must then be computed.
    """
    was = field.tournament
    if _needs_replay(was, now) or was.pairings != now.pairings or was.byes != now.byes:
        return None
    games, ruled = _affected_games(was, now)
    if any(game.round > field.rounds for game in games):
        return None
    records = _updated_rounds(field, now, games)
    penal = adjustments(now, field.last if field.last < now.rounds_paired() else None)
    return {
        p: Score(p, tuple(records.get(p, field.scores[p].rounds)), penal.get(p, ()))
        for p in sorted(records.keys() | ruled)
    }


def later_field(field: Field, now: Tournament, after_round: int | None) -> Field | None:
    """Return the field of a later state of the same log, based on ``field``, or None if too much changed.

    ``after_round``: rounds to include (None: all), at least those of ``field``. Only changed records are recomputed.
    None is returned if more changed than results, rulings and later rounds.
    """
    was, rounds, paired = field.tournament, field.rounds, now.rounds_paired()
    last = paired if after_round is None else min(after_round, paired)
    if now.seq < was.seq or not rounds == field.last <= last <= ordinary_rounds(now) or _needs_replay(was, now):
        return None
    known, added = now.pairings[: len(was.pairings)], now.pairings[len(was.pairings) :]
    if known != was.pairings or any(p.event.round <= rounds for p in added):
        return None
    if len(now.reported) < len(was.reported):  # Not a continuation: ``was`` contains unconfirmed own events.
        return None
    if _byes_until(was, rounds) != _byes_until(now, rounds):
        return None
    games, _ = _affected_games(was, now)
    records = _updated_rounds(field, now, [game for game in games if game.round <= rounds])
    further = [round_scores(now, number) for number in range(rounds + 1, last + 1)]
    penal = adjustments(now, last if last < paired else None)
    scores = {
        p: Score(p, (*records.get(p, s.rounds), *[seats[p] for seats in further]), penal.get(p, ()))
        for p, s in field.scores.items()
    }
    return field_of_scores(now, last, field.points, field.round_robin, scores, field.unrated)


def _affected_games(was: Tournament, now: Tournament) -> tuple[list[Game], set[PlayerId]]:
    """Return the games in force whose result may differ between two states, and the players whose rulings may.

    If no ruling changed, these are only games whose own data changed, and no players.
    """
    games = _changed_games(was, now)
    ruled: set[PlayerId] = set()
    if _rulings_key(was) != _rulings_key(now):
        removed = was.removals.keys() | now.removals.keys()
        games |= {g.game for t in (was, now) for g in t.games.values() if g.rulings or {g.white, g.black} & removed}
        ruled = {r.event.player for t in (was, now) for r in t.rulings.values() if r.event.player is not None}
    standing = (now.games[id] for id in sorted(games))
    return [game for game in standing if game.pairing not in now.withdrawn_pairings], ruled


def _updated_rounds(field: Field, now: Tournament, games: Iterable[Game]) -> dict[PlayerId, list[RoundScore]]:
    """Return the rounds of all players of these games, in which the games have their results of the state ``now``."""
    records: dict[PlayerId, list[RoundScore]] = {}
    for game in games:
        for player, r in zip((game.white, game.black), scores_of_game(now, game), strict=True):
            records.setdefault(player, list(field.scores[player].rounds))[game.round - 1] = r
    return records


def _byes_until(t: Tournament, round: int) -> dict[tuple[PlayerId, int], Bye]:
    return {place: bye for place, bye in t.byes.items() if place[1] <= round}


def _needs_replay(was: Tournament, now: Tournament) -> bool:
    """Return whether a table must be computed completely.

    That is so in a competition with stages or finals, and if entries, regulations or lots changed.
    """
    return (
        FORMATS[was.announced.format].finals
        or bool(was.regulations.stages)
        or was.announced != now.announced
        # Equal but not identical regulations were loaded again, and so was everything else.
        or was.regulations is not now.regulations
        or was.players != now.players
        or was.place_lots != now.place_lots
        or was.suppressed != now.suppressed
    )


def _rulings_key(t: Tournament) -> tuple[object, ...]:
    """Return a key that differs between two states if rulings, or what can put a ruling out of force, differ.

    These are annulments, corrections of arrivals and breaks, checks of facts, and withdrawn findings.
    """
    withdrawn = [id for id, finding in t.findings.items() if finding.withdrawn is not None]
    return t.rulings, t.annulments, t.corrections, t.facts_checks, withdrawn


def _changed_games(was: Tournament, now: Tournament) -> set[GameId]:
    """Return the games whose data changed between two states of one replay of the log.

    Compared by identity: unchanged objects are shared, and both states list games in the same order.
    """
    reported, games = now.reported, now.games
    return {
        *compress(reported, map(is_not, reported.values(), was.reported.values())),
        *islice(reported, len(was.reported), None),
        *compress(games, map(is_not, games.values(), was.games.values())),
    }
