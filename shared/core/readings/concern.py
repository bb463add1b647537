"""Whom a line of the log concerns: the games and players that it names, itself or by a ruling, a finding, an appeal or a team."""

from collections.abc import Iterable
from dataclasses import dataclass

from shared.core.events import Data, LotDrawn, PairingUpheld, PairingWithdrawn, RoundPaired
from shared.core.rounds.matches import matches, members_of
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import GameId, PlayerId, RulingId

PAIRINGS = (RoundPaired, PairingWithdrawn, PairingUpheld)
PLAYERS = ("player", "accused", "by")
"""The fields of events that hold a player."""
SEVERAL = ("players", "members")
RULINGS = ("ruling", "annuls")
"""Those that hold the id of a ruling or an annulment."""


@dataclass(frozen=True, slots=True)
class Concern:
    """Games and players; ``pairings``: what is paired at all. Two lines of which each concerns others may be written in any
    order."""

    games: frozenset[GameId] = frozenset()
    players: frozenset[PlayerId] = frozenset()
    pairings: bool = False

    def __or__(self, other: "Concern") -> "Concern":
        return Concern(self.games | other.games, self.players | other.players, self.pairings or other.pairings)

    def meets(self, other: "Concern") -> bool:
        """Whether both name one game or one player, or are about what is paired."""
        return bool(self.games & other.games or self.players & other.players or (self.pairings and other.pairings))


def concern(games: Iterable[GameId] = (), players: Iterable[PlayerId] = ()) -> Concern:
    """These games and players."""
    return Concern(frozenset(games), frozenset(players))


def parted(t: Tournament, sides: Iterable[int]) -> Concern:
    """What is decided of who share a place or a drawn match, players or teams: they and their games, and what is paired."""
    return of_sides(t, sides) | Concern(pairings=True)


def of_sides(t: Tournament, sides: Iterable[int]) -> Concern:
    """Players, or the members of teams, and their games."""
    players = {member for side in sides for member in members_of(t, side)}
    games = (id for id, game in t.games.items() if game.white in players or game.black in players)
    return concern(games, players)


def sides_of_match(t: Tournament, number: int) -> tuple[int, ...]:
    """Who meets in a match; nobody where none has this number."""
    match = matches(t).get(number)
    return () if match is None else (match.first, match.second)


def concern_of(t: TournamentState, data: Data) -> Concern:
    """What a line of the log names; nothing for one that speaks of a round or of the whole tournament."""
    game = getattr(data, "game", None)
    players = [getattr(data, name, None) for name in PLAYERS]
    named = concern(
        [game] if game in t.games else (),
        [*(player for player in players if player), *(p for name in SEVERAL for p in getattr(data, name, ()))],
    )
    if isinstance(data, PAIRINGS):
        named |= Concern(pairings=True)
    if isinstance(data, LotDrawn) and isinstance(t, Tournament):
        named |= of_sides(t, data.order or sides_of_match(t, data.match))
    for name in RULINGS:
        named |= _of_ruling(t, getattr(data, name, None))
    finding = t.findings.get(getattr(data, "finding", None) or "")
    if finding is not None:
        named |= concern([finding.event.game], [finding.event.player])
    appeal = t.appeals.get(getattr(data, "appeal", None) or "")
    if appeal is not None:
        named |= concern(players=[appeal.event.by]) | _of_ruling(t, appeal.event.ruling)
    return named


def _of_ruling(t: TournamentState, id: RulingId | None) -> Concern:
    """The game and the player of a ruling, or of the ruling that an annulment takes away."""
    if id is None:
        return Concern()
    ruling, annulment = t.rulings.get(id), t.annulments.get(id)
    if ruling is not None:
        event = ruling.event
        return concern([] if event.game is None else [event.game], [] if event.player is None else [event.player])
    return Concern() if annulment is None else _of_ruling(t, annulment.event.annuls)
