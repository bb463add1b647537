"""The row of an event's description: its sentence, and whom and which rounds it speaks of. Nothing is decided by it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from services.standings.descriptions.words import article, filled
from shared.core.events import Data
from shared.core.language.messages import Message, MessageFact, say
from shared.core.state.tournament import TournamentState
from shared.core.terms import GameId, PlayerId, RulingId
from shared.web.result_words import marks

D = TypeVar("D", bound=Data)
Call = Callable[[PlayerId], MessageFact]
"""A player's name."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Players (by id), rounds, boards (as round and number; round 0: every round) and rulings that an event is about."""

    players: frozenset[PlayerId] = frozenset()
    rounds: frozenset[int] = frozenset()
    boards: frozenset[tuple[int, int]] = frozenset()
    rulings: frozenset[RulingId] = frozenset()

    def __or__(self, other: "Mentions") -> "Mentions":
        return Mentions(
            self.players | other.players,
            self.rounds | other.rounds,
            self.boards | other.boards,
            self.rulings | other.rulings,
        )


def of(
    *players: PlayerId,
    rounds: Iterable[int] = (),
    boards: Iterable[tuple[int, int]] = (),
    rulings: Iterable[RulingId] = (),
) -> Mentions:
    """Return mentions of these players, rounds, boards and rulings."""
    return Mentions(frozenset(players), frozenset(rounds), frozenset(boards), frozenset(rulings))


def of_game(t: TournamentState, id: GameId | None) -> Mentions:
    """Return a game's players, its round and its board."""
    game = t.games.get(id) if id is not None else None
    if game is None:
        return Mentions()
    return of(game.white, game.black, rounds=(game.round,), boards=((game.round, game.board),))


def game_words(t: TournamentState, id: GameId, call: Call) -> Message:
    """Return a game by its round, board and players."""
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


def of_members(t: TournamentState, d: Any) -> Mentions:
    """Return the player, the round, the game and the rulings among the members of an event."""
    player, round, ruling = getattr(d, "player", None), getattr(d, "round", None), getattr(d, "ruling", None)
    own = of(
        *() if player is None else (player,),
        rounds=() if round is None else (round,),
        rulings=(*(() if ruling is None else (ruling,)), *getattr(d, "because", ())),
    )
    return own | of_game(t, getattr(d, "game", None))


@dataclass(frozen=True, slots=True)
class EventDescription(Generic[D]):
    """The description of an event type, as readers are given it.

    ``title`` is what the type is called in a list. ``sentence`` is a line as a message, or ``sentence(t, data, call)``;
    its placeholders without a fact are filled by `sentence_of`. ``mentions(t, data)`` is what the log is filtered by:
    what a line only names (a game, a ruling, a finding) is looked up in the tournament.
    """

    data: type[D]
    title: Message
    sentence: Message | Callable[[TournamentState, D, Call], Message]
    mentions: Callable[[TournamentState, D], Mentions] = of_members

    def sentence_of(self, t: TournamentState, d: D, call: Call) -> Message:
        """Return a line as a message: its game, player, article and marks in words, and other members as they are."""
        found = self.sentence if isinstance(self.sentence, Message) else self.sentence(t, d, call)
        return filled(found, lambda name: _fact(t, d, call, name))


def _fact(t: TournamentState, d: Any, call: Call, name: str) -> MessageFact:
    match name:
        case "game":
            return game_words(t, d.game, call)
        case "player":
            return call(d.player)
        case "article":
            return article(d.article)
        case "marks":
            return marks(d.white, d.black)
    fact: MessageFact = getattr(d, name)
    return fact
