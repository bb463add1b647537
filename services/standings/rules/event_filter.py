"""Whom and which rounds a line speaks of: by this the log is filtered. Nothing is decided by it."""

from dataclasses import dataclass

from shared.core import events as ev
from shared.core.events import Data
from shared.core.terms import GameId, PlayerId, RulingId
from shared.core.tournament import Tournament


@dataclass(frozen=True, slots=True)
class Mentions:
    """Players (by id) and rounds."""

    players: frozenset[PlayerId] = frozenset()
    rounds: frozenset[int] = frozenset()


_NOTHING = Mentions()


def mentions(t: Tournament, data: Data) -> Mentions:
    """What a line speaks of; what it only names (a game, a ruling, a finding) is looked up in ``t``."""
    match data:
        case ev.RoundPaired():
            seated = {p for b in data.boards for p in (b.white, b.black)} | {b.player for b in data.byes}
            return Mentions(frozenset(seated), frozenset({data.round}))
        case ev.TeamEntered():
            return Mentions(frozenset(data.members))
        case ev.LineupHandedIn():
            return Mentions(frozenset(data.players), frozenset({data.round}))
        case ev.PairsForbidden():
            return Mentions(frozenset(p for pair in data.pairs for p in pair))
        case ev.PairingWithdrawn() | ev.StandingsPublished():
            return Mentions(rounds=frozenset({data.round}))
        case ev.StartingNumbersAssigned():
            return Mentions(frozenset(n.player for n in data.numbers))
        case ev.RulingMade():
            return _joined(Mentions(frozenset({data.player}), frozenset({data.round})), _game(t, data.game))
        case ev.RulingAnnulled():
            return _ruling(t, data.annuls)
        case ev.AppealLodged():
            return _joined(Mentions(frozenset({data.by})), _ruling(t, data.ruling))
        case ev.AppealDecided():
            appeal = t.appeals.get(data.appeal)
            return _NOTHING if appeal is None else mentions(t, appeal.lodged)
        case ev.FindingAnswered():
            finding = t.findings.get(data.finding)
            return _NOTHING if finding is None else mentions(t, finding.made)
    player: PlayerId | None = getattr(data, "player", None)
    round: int | None = getattr(data, "round", None)
    direct = Mentions(frozenset(() if player is None else (player,)), frozenset(() if round is None else (round,)))
    return _joined(direct, _game(t, getattr(data, "game", None)))


def _game(t: Tournament, id: GameId | None) -> Mentions:
    game = t.games.get(id) if id is not None else None
    return _NOTHING if game is None else Mentions(frozenset({game.white, game.black}), frozenset({game.round}))


def _ruling(t: Tournament, id: RulingId) -> Mentions:
    """A ruling's, or that of the ruling which an annulment took away."""
    ruling, annulment = t.rulings.get(id), t.annulments.get(id)
    if ruling is not None:
        return mentions(t, ruling.made)
    return _NOTHING if annulment is None else _ruling(t, annulment.made.annuls)


def _joined(one: Mentions, other: Mentions) -> Mentions:
    return Mentions(one.players | other.players, one.rounds | other.rounds)
