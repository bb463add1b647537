"""The games and players that an event concerns, named by itself or through a ruling, a finding, an appeal or a team."""

from collections.abc import Iterable
from dataclasses import dataclass

from shared.core.events import Data, LotDrawn, PairingUpheld, PairingWithdrawn, RoundPaired
from shared.core.rounds.matches import matches, members_of
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import GameId, PlayerId, RulingId

PAIRINGS = (RoundPaired, PairingWithdrawn, PairingUpheld)
PLAYERS = ("player", "accused", "by")
"""The fields of events that contain a player."""
SEVERAL = ("players", "members")
RULINGS = ("ruling", "annuls")
"""The fields of events that contain the ID of a ruling or an annulment."""


@dataclass(frozen=True, slots=True)
class Concern:
    """The games and players that an event or a decision concerns. ``pairings``: whether it also concerns the pairings.

    Two events without a game, player or pairing in common may be written in any order.
    """

    games: frozenset[GameId] = frozenset()
    players: frozenset[PlayerId] = frozenset()
    pairings: bool = False

    def __or__(self, other: "Concern") -> "Concern":
        return Concern(self.games | other.games, self.players | other.players, self.pairings or other.pairings)

    def meets(self, other: "Concern") -> bool:
        """Return whether both contain the same game or player, or are about pairings."""
        return bool(self.games & other.games or self.players & other.players or (self.pairings and other.pairings))


def concern(games: Iterable[GameId] = (), players: Iterable[PlayerId] = ()) -> Concern:
    """Return a `Concern` with these games and players."""
    return Concern(frozenset(games), frozenset(players))


def concern_of_tied_sides(t: Tournament, sides: Iterable[int]) -> Concern:
    """Return what a decision between sides that share a place or a drawn match concerns: the sides, their games and pairings."""
    return concern_of_sides(t, sides) | Concern(pairings=True)


def concern_of_sides(t: Tournament, sides: Iterable[int]) -> Concern:
    """Return what a decision about these sides concerns: the players, or the members of the teams, and their games."""
    players = {member for side in sides for member in members_of(t, side)}
    games = (id for id, game in t.games.items() if game.white in players or game.black in players)
    return concern(games, players)


def sides_of_match(t: Tournament, number: int) -> tuple[int, ...]:
    """Return the sides of a match, or an empty tuple if the number is unknown."""
    match = matches(t).get(number)
    return () if match is None else (match.first, match.second)


def concern_of(t: TournamentState, data: Data) -> Concern:
    """Return the games, players and pairings that an event concerns. It is empty if it concerns the whole tournament."""
    game = getattr(data, "game", None)
    players = [getattr(data, name, None) for name in PLAYERS]
    result = concern(
        [game] if game in t.games else (),
        [*(player for player in players if player), *(p for name in SEVERAL for p in getattr(data, name, ()))],
    )
    if isinstance(data, PAIRINGS):
        result |= Concern(pairings=True)
    if isinstance(data, LotDrawn) and isinstance(t, Tournament):
        result |= concern_of_sides(t, data.order or sides_of_match(t, data.match))
    for name in RULINGS:
        result |= _concern_of_ruling(t, getattr(data, name, None))
    finding = t.findings.get(getattr(data, "finding", None) or "")
    if finding is not None:
        result |= concern([finding.event.game], [finding.event.player])
    appeal = t.appeals.get(getattr(data, "appeal", None) or "")
    if appeal is not None:
        result |= concern(players=[appeal.event.by]) | _concern_of_ruling(t, appeal.event.ruling)
    return result


def _concern_of_ruling(t: TournamentState, id: RulingId | None) -> Concern:
    """Return the game and the player that a ruling concerns. For an annulment, return those of the annulled ruling."""
    if id is None:
        return Concern()
    ruling, annulment = t.rulings.get(id), t.annulments.get(id)
    if ruling is not None:
        event = ruling.event
        return concern([] if event.game is None else [event.game], [] if event.player is None else [event.player])
    return Concern() if annulment is None else _concern_of_ruling(t, annulment.event.annuls)
