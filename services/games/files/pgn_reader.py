"""One game of a PGN file: read by chess.pgn (xiangqi's dialect: by its words), with an account of every token.

Each token is a move, what is kept beside one, a check of what is read (numbers, results), or the reason of a refusal; a move
that chess.pgn reads otherwise than it stands there is refused.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TextIO, cast

import chess
import chess.pgn

from services.games.files.game_file import FileMove, GameFile, Spot, StatedFact, StatedResult, Unreadable
from services.games.files.pgn_games import PgnGame, games
from services.games.files.pgn_tokens import MARKS, RESULTS, Places, Token
from services.games.rules.boards.xiangqi import fen
from services.games.rules.play.moves import PLIES_AT_MOST
from shared.core.messages import say
from shared.core.terms import Seconds, Side

WINNERS: dict[str, Side | None] = {"1-0": "white", "0-1": "black", "1/2-1/2": None}
UNDECIDED = "*"
_DRAWS = ("1/2", "½-½", "½")
_UNKNOWN = ("", "?", "-")
_USED = ("Result", "FEN", "SetUp", "Variant", "Game")
_FACTS = ("Event", "Round", "White", "Red", "Black", "Regulations")
_SAN = re.compile(
    r"(?:[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkNBRQK])?|O-O(?:-O)?|0-0(?:-0)?|--|Z0)[+#]{0,2}", re.ASCII
)
_CLOCK = chess.pgn.CLOCK_REGEX
_START = chess.STARTING_FEN.split()


_OF_960 = ("chess960", "fischerandom", "fischerrandom", "chess 960", "fischer random chess")


@dataclass(frozen=True, slots=True)
class PgnDialect:
    """A game's dialect of PGN. ``games``: what its tags Game and Variant may say; ``start``: the fields of the FEN that it
    begins with, as many as count; ``by_chess``: chess.pgn reads it."""

    name: str
    games: frozenset[str]
    start: Callable[[list[str]], bool]
    by_chess: bool = False


def _chess_start(fields: list[str]) -> bool:
    return fields[:4] == _START[: min(4, max(2, len(fields)))]


def _xiangqi_start(fields: list[str]) -> bool:
    board = fen.START.split()[0]
    return fields[:1] == [board] and (len(fields) < 2 or fields[1] in ("w", "r"))


CHESS = PgnDialect(
    "chess",
    frozenset({"", "chess", "standard", "normal", "orthodox", "from position", *_OF_960}),
    _chess_start,
    by_chess=True,
)
XIANGQI = PgnDialect("xiangqi", frozenset({"", "chinese chess", "xiangqi", "cchess"}), _xiangqi_start)


def read(text: str, dialect: PgnDialect, number: int | None = None) -> GameFile:
    """The game of a text, or the one of this number (from 1) where it holds several. Raises `Unreadable`."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    places = Places(text)
    found = []
    for game in games(text, places):
        found.append(game)
        if number is None and len(found) > 1:
            first = next(iter([*game.tags.values(), *game.body]))
            raise Unreadable(say("a second game begins; a number says which of them is meant"), places.of(first.at))
    if not found:
        raise Unreadable(say("there is no game in it"))
    if number is not None and not 1 <= number <= len(found):
        raise Unreadable(say("there is no game {number} in it, but {count}", number=number, count=len(found)))
    return read_game(found[(number or 1) - 1], dialect, places)


def read_game(game: PgnGame, dialect: PgnDialect, places: Places) -> GameFile:
    """One game of a file. Raises `Unreadable`."""
    setup = _setup(game, dialect, places)
    body = _Body(places, setup)
    for token in game.body:
        body.take(token)
    illegal = dialect.by_chess and _replayed(game, body, places)
    tags = [[name, tag.text] for name, tag in game.tags.items() if name not in _USED and tag.text not in _UNKNOWN]
    kept: dict[str, object] = {"tags": tags} if tags else {}
    if not illegal:
        kept |= {"plies": {str(ply): items for ply, items in body.items.items()}} if body.items else {}
    kept |= {"footer": game.footer} if game.footer else {}
    facts = [StatedFact(n, game.tags[n].text, places.of(game.tags[n].at)) for n in _FACTS if n in game.tags]
    return GameFile(tuple(body.moves), _result(game, places), setup, facts, kept, illegal)


# ---------------------------------------------------------------- tags


def _setup(game: PgnGame, dialect: PgnDialect, places: Places) -> StatedFact | None:
    """The position set up by the tags; None for the usual one."""
    for name in ("Game", "Variant"):
        tag = game.tags.get(name)
        if tag is not None and tag.text.strip().lower() not in dialect.games:
            why = say(
                "{name} is {value}, another game than {game}", name=name, value=repr(tag.text[:40]), game=dialect.name
            )
            raise Unreadable(why, places.of(tag.at))
    tag, told = game.tags.get("FEN"), game.tags.get("SetUp")
    variant = game.tags.get("Variant")
    of_960 = variant is not None and variant.text.strip().lower() in _OF_960
    if of_960 and tag is None and variant is not None:
        raise Unreadable(say("chess960 begins from a FEN, and there is none"), places.of(variant.at))
    if tag is None:
        if told is not None and told.text.strip() not in ("0", *_UNKNOWN):
            raise Unreadable(say("SetUp says that FEN sets up a position, and there is no FEN"), places.of(told.at))
        return None
    if of_960:
        try:
            return StatedFact("FEN", chess.Board(tag.text, chess960=True).shredder_fen(), places.of(tag.at))
        except ValueError:
            raise Unreadable(say("FEN sets up no position"), places.of(tag.at)) from None
    if dialect.start(tag.text.split()):
        return None
    return StatedFact("FEN", tag.text, places.of(tag.at))


def _result(game: PgnGame, places: Places) -> StatedResult | None:
    """What tag and end of the moves say together; None for a game that goes on."""
    tag, end = game.tags.get("Result"), game.result
    said = None if tag is None else "1/2-1/2" if tag.text in _DRAWS else tag.text
    if tag is not None and said not in (*RESULTS, *_UNKNOWN):
        why = say("Result is one of {results}, not {value}", results=RESULTS, value=repr(tag.text[:20]))
        raise Unreadable(why, places.of(tag.at))
    if tag is not None and end is not None and said not in (end.text, *_UNKNOWN):
        line = places.of(tag.at).line
        why = say(
            "the game ends with {end}, and line {line} says Result {said}", end=end.text, line=line, said=tag.text
        )
        raise Unreadable(why, places.of(end.at))
    stated = end if end is not None else tag
    text = end.text if end is not None else said
    if stated is None or text is None or text not in WINNERS:
        return None
    return StatedResult(WINNERS[text], text, places.of(stated.at))


# ---------------------------------------------------------------- moves, and what stands beside them


@dataclass(slots=True)
class _Body:
    """What a game's tokens come to, one by one: its moves, the items beside each (by the moves before them), the words of
    all lines with what chess.pgn is to read of them."""

    places: Places
    setup: StatedFact | None
    moves: list[FileMove] = field(default_factory=list)
    items: dict[int, list[str]] = field(default_factory=dict)
    words: list[tuple[Token, bool]] = field(default_factory=list)
    _open: list[int] = field(default_factory=list)
    _variation: list[str] = field(default_factory=list)
    _first_number: int | None = None

    def take(self, token: Token) -> None:
        if token.kind in ("open", "close"):
            self._bracket(token)
        elif self._open:
            self._in_variation(token)
        elif token.kind == "word":
            self._move(token)
        elif token.kind == "number":
            self._number(token)
        elif token.kind == "comment":
            self._comment(token)
        elif token.kind in ("nag", "marks"):
            self._mark(token)
        elif token.kind != "result":
            self._keep(token.text if token.kind == "escape" else f";{token.text}")

    def _keep(self, item: str) -> None:
        self.items.setdefault(len(self.moves), []).append(item)

    def _bracket(self, token: Token) -> None:
        spot = self.places.of(token.at)
        if token.kind == "open":
            if not (self._open[-1] if self._open else self.moves):
                raise Unreadable(say("a variation stands before the first move"), spot)
            self._open.append(0)
            self._variation.append("(")
            self.words.append((token, False))
            return
        if not self._open.pop():
            raise Unreadable(say("a variation has no move"), spot)
        self._variation.append(")")
        self.words.append((token, False))
        if not self._open:
            self._keep(" ".join(self._variation))
            self._variation = []

    def _in_variation(self, token: Token) -> None:
        if token.kind == "word":
            self._open[-1] += 1
            self.words.append((token, False))
        self._variation.append(_raw(token))

    def _move(self, token: Token) -> None:
        if len(self.moves) == PLIES_AT_MOST:
            why = say("a game has at most {most} moves of either side", most=PLIES_AT_MOST)
            raise Unreadable(why, self.places.of(token.at))
        self.words.append((token, True))
        self.moves.append(FileMove(token.text, None, self.places.of(token.at)))

    def _number(self, token: Token) -> None:
        """The number of a move is as many as were made before it; where a position is set up it may count from 1 or on."""
        digits = token.text.rstrip(". \t")
        second = self.setup is not None and self.setup.value.split()[1:2] == ["b"]
        full, half = divmod(len(self.moves) + second, 2)
        if not digits:
            return
        if self._first_number is None:
            self._first_number = int(digits[:9]) - full if self.setup is not None else 1
        if len(digits) > 6 or int(digits) != self._first_number + full:
            due = self._first_number + full
            raise Unreadable(
                say("the move is numbered {digits}, and {due} is due", digits=digits[:9], due=due), self._at(token)
            )
        if not half and token.text.count(".") > 1:
            why = say("{number} is a number of the second side, and the first is to move", number=token.text)
            raise Unreadable(why, self._at(token))

    def _mark(self, token: Token) -> None:
        if not self.moves:
            raise Unreadable(say("a mark stands before the first move"), self._at(token))
        number = MARKS[token.text] if token.kind == "marks" else int(token.text[1:])
        if number > 255:
            raise Unreadable(say("a mark is $ and a number up to 255"), self._at(token))
        self._keep(f"${number}")

    def _comment(self, token: Token) -> None:
        text, reading = _split_clock(token.text)
        if reading is not None and self.moves:
            last = self.moves[-1]
            if last.clock is not None and last.clock != reading:
                why = say("the clock shows {second} seconds here, and {first} before", second=reading, first=last.clock)
                raise Unreadable(why, self._at(token))
            self.moves[-1] = last._replace(clock=reading)
        else:
            text = token.text
        if text.strip() or reading is None:
            self._keep(f"{{{text}}}")

    def _at(self, token: Token) -> Spot:
        return self.places.of(token.at)


def _split_clock(comment: str) -> tuple[str, Seconds | None]:
    """A comment without its clock reading, and the reading in whole seconds. One with parts of a second stays in it too."""
    match = _CLOCK.search(comment) if "[%clk" in comment else None
    if match is None:
        return comment, None
    seconds = match["seconds"]
    whole = Seconds(int(match["hours"]) * 3600 + int(match["minutes"]) * 60 + int(seconds.partition(".")[0]))
    if seconds.partition(".")[2].strip("0") or _CLOCK.search(comment, match.end()):
        return comment, whole
    return (comment[: match.start()] + " " + comment[match.end() :]).strip(), whole


def _raw(token: Token) -> str:
    match token.kind:
        case "comment":
            return f"{{{token.text}}}"
        case "rest":
            return f"{{{token.text}}}" if "}" not in token.text else f";{token.text}\n"
        case "marks":
            return f"${MARKS[token.text]}"
        case "escape":
            return f"\n{token.text}\n"
    return token.text


# ---------------------------------------------------------------- chess.pgn


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


def _replayed(game: PgnGame, body: _Body, places: Places) -> bool:
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


def _not_taken(word: Token, body: _Body, places: Places) -> bool:
    spot = places.of(word.at)
    for n, move in enumerate(body.moves):
        if move.spot == spot:
            del body.moves[n + 1 :]
            return True
    raise Unreadable(say("{move} cannot be played in this variation", move=word.text[:20]), spot)
