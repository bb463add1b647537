"""The results of the hall as people write them: 1 – 0, ½ – ½, and + : − by forfeit; and in words, by the winner's colour."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from shared.core.language.decimals import decimal
from shared.core.language.messages import Message, MessageFact, say
from shared.core.readings.colours import Colours
from shared.core.readings.vocabulary import win_words
from shared.core.state.outcomes import NOTATION, TYPED, UNPLAYED, Share
from shared.core.terms import Mark, Side

_SIGNS = {Share.WIN: "1", Share.DRAW: "½", Share.LOSS: "0", Share.WALKOVER: "+", Share.FORFEIT: "−"}
_WINS = (Share.WIN, Share.WALKOVER)
_KEYS = {value: key for key, value in TYPED.items()}


class ResultWords(NamedTuple):
    """A result as the hall reports it: its notation, the key that types it (none for what only a decision gives), and the marks
    as people write them, White's seat first.

    ``played``: at the board, not by forfeit. ``words``: the winner by its colour, White wins 白胜."""

    value: str
    key: str
    marks: str
    played: bool
    words: Message


def results_of(colours: Colours, values: Iterable[str] = tuple(TYPED.values())) -> tuple[ResultWords, ...]:
    """Return results as a form of a board offers them, by default all that can be typed. Raises KeyError for another."""
    return tuple(_result(colours, value) for value in values)


def _result(colours: Colours, value: str) -> ResultWords:
    white, black = NOTATION[value]
    played = white not in UNPLAYED
    shown = written(_SIGNS[white], _SIGNS[black], played)
    return ResultWords(value, _KEYS.get(value, ""), shown, played, result_called(colours, value))


def result_called(colours: Colours, value: str, players: Mapping[Side, MessageFact] | None = None) -> Message:
    """Return a result in words by its notation: White wins, draw, Black wins by forfeit. Raises KeyError for another.

    If the colours were not recorded, the winner is named by its entry of ``players``, else by its column.
    """
    white, black = NOTATION[value]
    winner: Side | None = "white" if white in _WINS else "black" if black in _WINS else None
    if winner is not None:
        if players is None or colours.black is not None:
            won = win_words(colours, winner)
        else:
            won = say("{player} wins", player=players[winner])
        return say("{won} by forfeit", won=won) if white in UNPLAYED else won
    return {Share.DRAW: say("draw"), Share.LOSS: say("both lose"), Share.FORFEIT: say("both absent")}[white]


def written(white: str, black: str, played: bool) -> str:
    """Two marks beside each other, with a dash where the game was played and a colon where it was not."""
    return f"{white} {'–' if played else ':'} {black}"


def points(half_points: int) -> str:
    """Return half-points as people write them: 2.5."""
    return decimal(half_points / 2)


def marks(white: Mark, black: Mark) -> str:
    """A result as people write it: 1 – 0, ½ – ½, and + : − by forfeit."""
    return written(mark_sign(white), mark_sign(black), white.played or black.played)


def mark_sign(mark: Mark) -> str:
    """Return one side's result of a game: 1, ½, 0, or + and − by forfeit."""
    if mark.played:
        return "½" if mark.points == 1 else points(mark.points)
    return "+" if mark.points > 0 else "−"
