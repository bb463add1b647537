"""The row of an event's description: its sentence, and whom and which rounds it speaks of. Nothing is decided by it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from shared.core.events import Data
from shared.core.messages import Message, MessageFact, say
from shared.core.terms import GameId, PlayerId
from shared.core.tournament import TournamentState

D = TypeVar("D", bound=Data)
Call = Callable[[PlayerId], MessageFact]
"""A player's name."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Players (by id) and rounds that a line speaks of."""

    players: frozenset[PlayerId] = frozenset()
    rounds: frozenset[int] = frozenset()

    def __or__(self, other: "Mentions") -> "Mentions":
        return Mentions(self.players | other.players, self.rounds | other.rounds)


@dataclass(frozen=True, slots=True)
class EventDescription(Generic[D]):
    """The description of an event type, as readers are given it.

    ``sentence(t, data, call)`` is a line as a message; ``mentions(t, data)`` is what the log is filtered by: what a line
    only names (a game, a ruling, a finding) is looked up in the tournament.
    """

    data: type[D]
    sentence: Callable[[TournamentState, D, Call], Message]
    mentions: Callable[[TournamentState, D], Mentions]


def of(*players: PlayerId, rounds: Iterable[int] = ()) -> Mentions:
    """These players and rounds."""
    return Mentions(frozenset(players), frozenset(rounds))


def nobody(t: TournamentState, d: Data) -> Mentions:
    """The mentions of a line of the whole tournament: nobody."""
    return Mentions()


def of_game(t: TournamentState, id: GameId | None) -> Mentions:
    """A game's players and its round."""
    game = t.games.get(id) if id is not None else None
    return Mentions() if game is None else of(game.white, game.black, rounds=(game.round,))


def game_words(t: TournamentState, id: GameId, call: Call) -> Message:
    """A game by its round, board and players."""
    game = t.games.get(id)
    if game is None:
        return say("Game {game}", game=id)
    return say(
        "Round {round}, board {board}, {white} – {black}",
        round=game.round,
        board=game.board,
        white=call(game.white),
        black=call(game.black),
    )
