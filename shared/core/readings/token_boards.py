"""The limits of tokens to boards: of an arbiter's that is restricted to some, and of a device that is appointed to some."""

from collections.abc import Iterator
from typing import NamedTuple

from shared.core import events as ev
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.state.tournament import TournamentState
from shared.core.terms import Actor, GameId, Refusal, Role
from shared.core.values.bounds import HIGHEST

NARROWED_ROLE: Role = "arbiter"
"""The role whose token may be restricted to some boards of a tournament: the arbiter's, for a tablet in the venue."""
NOTED = (ev.ResultReported, ev.ArrivalNoted, ev.RulingMade)
"""The events that an arbiter writes at a board. A correction is left to the tournament office."""


class Boards(NamedTuple):
    """Boards ``first`` to ``last``, both included."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"

    def has(self, board: int) -> bool:
        """Return whether a board is included."""
        return self.first <= board <= self.last


def boards_of(value: object) -> Boards | None:
    """Return the range of boards in a pair of numbers, or None if the value is not such a pair."""
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(type(one) is int for one in value):
        return None
    boards = Boards(*value)
    return boards if 1 <= boards.first <= boards.last <= HIGHEST else None


def parse_boards(text: str) -> Boards | None:
    """Return the boards of an input such as ``5-8`` or ``5``, or None if it is invalid."""
    first, _, last = (part.strip() for part in text.replace("–", "-").partition("-"))
    numbers = [int(one) for one in (first, last or first) if one.isascii() and one.isdigit() and len(one) <= 16]
    return boards_of(numbers)


def restrict_to_boards(boards: Boards | None, t: TournamentState, outcome: Decision | Refusal) -> Decision | Refusal:
    """Return the outcome, or a refusal if it is not a result, an arrival or a ruling at ``boards`` (None: no limit)."""
    if boards is None or isinstance(outcome, Refusal):
        return outcome
    if outcome.lines or not outcome.events or not all(isinstance(data, NOTED) for data in outcome.events):
        detail = say("this session may only report results, arrivals and fouls at boards {boards}", boards=str(boards))
        return Refusal("authority", "session-narrowed", detail)
    for data in outcome.events:
        numbers = set(_boards(t, data))
        if not numbers or not all(map(boards.has, numbers)):
            other = tuple(sorted(numbers))
            detail = say(
                "this session is limited to boards {boards}, but the command is about board {other}",
                boards=str(boards),
                other=other,
            )
            return Refusal("authority", "session-narrowed", detail)
    return outcome


def _boards(t: TournamentState, data: ev.Data) -> Iterator[int]:
    """Yield the boards that an event is about: of its game, or where its player sits in its round."""
    game = getattr(data, "game", None)
    if game is not None:
        if game in t.games:
            yield t.games[game].board
        return
    player, number = getattr(data, "player", None), getattr(data, "round", None)
    for one in t.games.values():
        if player is not None and one.round == number and player in (one.white, one.black):
            yield one.board


def refuse_other_board(t: TournamentState, actor: Actor, game: GameId | None) -> Refusal | None:
    """Return the refusal ``other-board`` for a device that is appointed to other boards than that of the game, or None."""
    official = t.officials.get(actor.name)
    played = None if official is None or game is None else t.games.get(game)
    if official is None or played is None or not official.boards or played.board in official.boards:
        return None
    detail = say(
        "{name} may record board {named}, not board {board} (event {seq})",
        name=actor.name,
        named=tuple(official.boards),
        board=played.board,
        seq=official.seq,
    )
    return Refusal("authority", "other-board", detail, where="game")
