"""One game of a PGN file: read by chess.pgn (xiangqi's dialect: by its words), with an account of every token.

Each token is a move, an annotation of one, a check of the text (numbers, results), or the reason of a refusal. A move
is refused if chess.pgn does not read it as written.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TextIO, cast

import chess
import chess.pgn

from services.games.files.game_file import GameFile, Places, StatedFact, StatedResult, Unreadable, choose
from services.games.files.pgn.pgn_games import BrokenOff, PgnGame, games
from services.games.files.pgn.pgn_movetext import Movetext
from services.games.files.pgn.pgn_tokens import RESULTS, Token
from services.games.rules.boards.xiangqi import fen
from shared.core.language.messages import say
from shared.core.terms import Side

_SAN = re.compile(
    r"(?:[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkNBRQK])?|O-O(?:-O)?|0-0(?:-0)?|--|Z0)[+#]{0,2}", re.ASCII
)


class _Lines:
    """A file for chess.pgn in which each line is one token."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self.at = -1
        self.begun = False
        """Whether chess.pgn has set up a first position."""

    def readline(self) -> str:
        self.at += 1
        return self._lines[self.at] if self.at < len(self._lines) else ""


class _Stopped(Exception):
    """An error found by chess.pgn, which reports only the kind of the error."""


class _Account(chess.pgn.BaseVisitor[list[int]]):
    """A visitor that records the lines in which chess.pgn read a move. It stops at the first error."""

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
    """Return whether chess.pgn rejects a move of the ``body``, and remove the moves after it.

    Raises `Unreadable` for a fault in a variation or an invalid FEN.
    """
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
            raise Unreadable(say("invalid FEN"), body.setup.spot) from None
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


WINNERS: dict[str, Side | None] = {"1-0": "white", "0-1": "black", "1/2-1/2": None}
UNDECIDED = "*"
_DRAWS = ("1/2", "½-½", "½")
_UNKNOWN = ("", "?", "-", "????.??.??")
_USED = ("Result", "FEN", "SetUp", "Variant", "Game")
_FACTS = (
    "Event", "Round", "White", "Red", "Black", "WhiteTeam", "RedTeam", "BlackTeam", "Regulations", "TimeControl"
)  # fmt: skip
_FORFEITS = ("forfeit", "rules infraction", "unplayed")
"""Values of Termination for a game that was decided without a move (PGN 9.8.1)."""
_START = chess.STARTING_FEN.split()


_OF_960 = ("chess960", "fischerandom", "fischerrandom", "chess 960", "fischer random chess")


@dataclass(frozen=True, slots=True)
class PgnDialect:
    """A game's dialect of PGN.

    ``games``: the valid values of its tags Game and Variant. ``start``: returns whether the relevant fields of a FEN
    are those of the usual first position. ``by_chess``: chess.pgn reads the dialect.
    """

    name: str
    games: frozenset[str]
    start: Callable[[list[str]], bool]
    by_chess: bool = False


CHESS = PgnDialect(
    "chess",
    frozenset({"", "chess", "standard", "normal", "orthodox", "from position", *_OF_960}),
    lambda fields: fields[:4] == _START[: min(4, max(2, len(fields)))],
    by_chess=True,
)
XIANGQI = PgnDialect(
    "xiangqi",
    frozenset({"", "chinese chess", "xiangqi", "cchess"}),
    lambda fields: fields[:1] == fen.START.split()[:1] and (len(fields) < 2 or fields[1] in ("w", "r")),
)


def read(text: str, dialect: PgnDialect, number: int | None = None) -> GameFile:
    """Return the game of a text, or the one with this number (from 1) if it contains several. Raises `Unreadable`."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    places = Places(text)
    try:
        game = choose(games(text, places), number, lambda game: places.of(game.at))
    except BrokenOff as fault:
        if number in (None, fault.number):
            _read_up_to(fault, dialect, places)
        raise
    return read_game(game, dialect, places)


def _read_up_to(fault: BrokenOff, dialect: PgnDialect, places: Places) -> None:
    """Read the game in which the tokens of a file end by a fault. Raises `Unreadable` for a fault before that place."""
    if fault.game.moved:  # its tags are complete
        file = read_game(fault.game, dialect, places)
        fault.before, fault.setup = file.moves, file.setup


def read_game(game: PgnGame, dialect: PgnDialect, places: Places) -> GameFile:
    """Return one game of a file. Raises `Unreadable`."""
    setup = _setup(game, dialect, places)
    body = Movetext(places, setup)
    try:
        return _file_of(game, body, dialect, places)
    except Unreadable as fault:
        fault.before, fault.setup = tuple(body.moves), setup
        raise


def _file_of(game: PgnGame, body: Movetext, dialect: PgnDialect, places: Places) -> GameFile:
    for token in game.body:
        body.take(token)
    illegal = dialect.by_chess and replayed(body, places)
    tags = [[name, tag.text] for name, tag in game.tags.items() if name not in _USED and tag.text not in _UNKNOWN]
    kept: dict[str, object] = {"tags": tags} if tags else {}
    if not illegal:
        kept |= {"plies": {str(ply): items for ply, items in body.items.items()}} if body.items else {}
    kept |= {"footer": game.footer} if game.footer else {}
    facts = [StatedFact(n, game.tags[n].text, places.of(game.tags[n].at)) for n in _FACTS if n in game.tags]
    termination = game.tags.get("Termination")
    forfeit = not body.moves and termination is not None and termination.text.strip().lower() in _FORFEITS
    result = None if illegal else _result(game, places)
    return GameFile(tuple(body.moves), result, body.setup, facts, kept, illegal, places.of(game.at), forfeit)


# ---------------------------------------------------------------- tags


def _setup(game: PgnGame, dialect: PgnDialect, places: Places) -> StatedFact | None:
    """Return the position set up by the tags, or None for the usual one. Raises `Unreadable`."""
    for name in ("Game", "Variant"):
        tag = game.tags.get(name)
        if tag is not None and tag.text.strip().lower() not in dialect.games:
            why = say(
                "the tag {name} is {value}, but the game must be {game}",
                name=name,
                value=repr(tag.text[:40]),
                game=dialect.name,
            )
            raise Unreadable(why, places.of(tag.at))
    tag, told = game.tags.get("FEN"), game.tags.get("SetUp")
    variant = game.tags.get("Variant")
    of_960 = variant is not None and variant.text.strip().lower() in _OF_960
    if of_960 and tag is None and variant is not None:
        raise Unreadable(say("chess960 requires a FEN"), places.of(variant.at))
    if tag is None:
        if told is not None and told.text.strip() not in ("0", *_UNKNOWN):
            raise Unreadable(say("SetUp is 1, but the FEN tag is missing"), places.of(told.at))
        return None
    if of_960:
        try:
            return StatedFact("FEN", chess.Board(tag.text, chess960=True).shredder_fen(), places.of(tag.at))
        except ValueError:
            raise Unreadable(say("invalid FEN"), places.of(tag.at)) from None
    if dialect.start(tag.text.split()):
        return None
    return StatedFact("FEN", tag.text, places.of(tag.at))


def _result(game: PgnGame, places: Places) -> StatedResult | None:
    """Return the result from the tag and the end of the moves, or None if the game is undecided.

    Raises `Unreadable` if they differ.
    """
    tag, end = game.tags.get("Result"), game.result
    said = None if tag is None else "1/2-1/2" if tag.text in _DRAWS else tag.text
    if tag is not None and said not in (*RESULTS, *_UNKNOWN):
        why = say("Result must be one of {results}, not {value}", results=RESULTS, value=repr(tag.text[:20]))
        raise Unreadable(why, places.of(tag.at))
    if tag is not None and end is not None and said not in (end.text, UNDECIDED, *_UNKNOWN):
        line = places.of(tag.at).line
        why = say(
            "the moves end with {end}, but the tag Result in line {line} is {said}",
            end=end.text,
            line=line,
            said=tag.text,
        )
        raise Unreadable(why, places.of(end.at))
    stated = end if end is not None else tag
    text = end.text if end is not None else said
    if stated is None or text is None or text not in WINNERS:
        return None
    return StatedResult(WINNERS[text], text, places.of(stated.at))
