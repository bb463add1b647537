"""The account of a game's moves: chess.pgn reads one token a line, and what it passes over or takes otherwise is told."""

import re
from collections.abc import Sequence
from typing import TextIO, cast

import chess
import chess.pgn

from services.games.files.game_file import Places, Unreadable
from services.games.files.pgn.pgn_movetext import Movetext
from services.games.files.pgn.pgn_tokens import Token
from shared.core.language.messages import say

_SAN = re.compile(
    r"(?:[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkNBRQK])?|O-O(?:-O)?|0-0(?:-0)?|--|Z0)[+#]{0,2}", re.ASCII
)


class _Lines:
    """A file for chess.pgn in which each line is one token."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self.at = -1
        self.begun = False
        """Whether there is a first position."""

    def readline(self) -> str:
        self.at += 1
        return self._lines[self.at] if self.at < len(self._lines) else ""


class _Stopped(Exception):
    """chess.pgn found an error, of which nothing but its kind is told."""


class _Account(chess.pgn.BaseVisitor[list[int]]):
    """Which lines chess.pgn has read a move in; it stops at its first error."""

    def __init__(self, lines: _Lines) -> None:
        self._lines, self._moved = lines, list[int]()
        lines.begun = False

    def visit_board(self, board: chess.Board) -> None:
        self._lines.begun = True

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self._moved.append(self._lines.at)

    def handle_error(self, error: Exception) -> None:
        raise _Stopped from error

    def result(self) -> list[int]:
        return self._moved


def replayed(body: Movetext, places: Places) -> bool:
    """Whether the last of the ``body``'s moves is one that chess.pgn does not take: those behind it are taken away. A fault in
    a variation is refused."""
    head = [f'[FEN "{body.setup.value}"]\n', "\n"] if body.setup is not None else []
    for word, _ in body.words:
        if word.kind == "word" and not _SAN.fullmatch(word.text):
            return _not_taken(word, body, places)
    lines = _Lines([*head, *(f"{word.text}\n" for word, _ in body.words)])
    try:
        moved = chess.pgn.read_game(cast(TextIO, lines), Visitor=lambda: _Account(lines))
    except _Stopped:
        at = max(lines.at - len(head), 0)
        if not lines.begun and body.setup is not None:
            raise Unreadable(say("FEN sets up no position"), body.setup.spot) from None
        return _not_taken(body.words[at][0], body, places)
    expected = [n for n, (word, _) in enumerate(body.words, len(head)) if word.kind == "word"]
    for n, place in enumerate(expected):
        if moved is None or n >= len(moved) or moved[n] != place:
            return _not_taken(body.words[place - len(head)][0], body, places)
    return False


def _not_taken(word: Token, body: Movetext, places: Places) -> bool:
    spot = places.of(word.at)
    for n, move in enumerate(body.moves):
        if move.spot == spot:
            del body.moves[n + 1 :]
            return True
    raise Unreadable(say("{move} cannot be played in this variation", move=word.text[:20]), spot)
