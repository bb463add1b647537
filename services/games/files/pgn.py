"""Score sheets as PGN: chess's own, and the dialect of xiangqi, whose moves stand in ICCS or in Chinese."""

import io
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import chess
import chess.pgn

from services.games.rules.boards.chess import set_up
from services.games.rules.boards.xiangqi import fen
from services.games.rules.play.moves import PLIES_AT_MOST
from shared.core.events import MovePlayed
from shared.core.single_line import single_line
from shared.core.terms import Seconds

RESULTS = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2"}
UNDECIDED = "*"

_TOKENS = re.compile(r"\{([^}]*)\}?|([()])|(;[^\n]*|\$\d+)|[^\s{}();]+|\}")
_TAG = re.compile(r'\[\w+\s+"')
_NUMBERS = re.compile(r"(?:\d+\.+)*\.*")
_STARTS = (fen.START.split()[:1], chess.STARTING_FEN.split()[:1])
_LINE = 79
"""Characters in a line of movetext at most (PGN 4.3)."""


class UnreadablePgn(ValueError):
    """A file that holds no game that a score sheet can: says what, and where."""


@dataclass(frozen=True, slots=True)
class PgnMove:
    """A move as it stands in the file, and the mover's seconds left where a comment tells them."""

    move: str
    clock: Seconds | None = None


# ---------------------------------------------------------------- writing


def write_chess(
    moves: Iterable[MovePlayed], headers: Mapping[str, str], result: str, day: date | None, start: str | None = None
) -> str:
    """The moves in SAN, each with its clock reading, under the seven tags and ``headers``; SetUp and FEN where the game
    began from a position ``start``."""
    game = chess.pgn.Game()
    if start is not None:
        game.setup(set_up.board_of(start))
    for name, value in _tags(headers, result, day).items():
        game.headers[name] = _quote(value)
    node: chess.pgn.GameNode = game
    for move in moves:
        node = node.add_variation(chess.Move.from_uci(move.move))
        if move.clock is not None:
            node.set_clock(move.clock)
    return f"{game}\n"


def write_xiangqi(
    moves: Sequence[MovePlayed],
    texts: Sequence[str],
    headers: Mapping[str, str],
    result: str,
    day: date | None,
    iccs: bool,
    start: str | None = None,
) -> str:
    """The moves as ``texts`` have them, each with its clock reading, under the tags; Format tells ICCS from Chinese, FEN the
    position ``start`` that the game began from."""
    tags = {"Game": "Chinese Chess"} | _tags(headers, result, day)
    tags["Format"] = "ICCS" if iccs else "Chinese"
    tags |= {} if start is None else {"SetUp": "1", "FEN": start}
    words = []
    board, number = fen.read(start or fen.START)
    first = 2 * (number - 1) + board.turn
    for n, (move, text) in enumerate(zip(moves, texts, strict=True), first):
        words += [f"{n // 2 + 1}." if n % 2 == 0 else f"{n // 2 + 1}..."] * (n % 2 == 0 or n == first)
        words.append(f"{text[:2]}-{text[2:]}".upper() if iccs else text)
        if move.clock is not None:
            words.append(f"{{{_clk(move.clock)}}}")
    lines = textwrap.wrap(" ".join([*words, result]), _LINE, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*(f'[{name} "{_quote(value)}"]' for name, value in tags.items()), "", *lines, ""])


def _tags(headers: Mapping[str, str], result: str, day: date | None) -> dict[str, str]:
    dated = {"Date": day.strftime("%Y.%m.%d") if day else "????.??.??"}
    first = {"Event": headers["Event"], "Site": headers["Site"]}
    return first | dated | dict(headers) | {"Result": result}


def _clk(clock: Seconds) -> str:
    return f"[%clk {clock // 3600}:{clock // 60 % 60:02}:{clock % 60:02}]"


def _quote(value: str) -> str:
    """A tag's value as the standard has it (8.1.1): backslash and quote escaped, on one line."""
    return single_line(value).replace("\\", "\\\\").replace('"', '\\"')


# ---------------------------------------------------------------- reading


def read(text: str) -> tuple[PgnMove, ...]:
    """The main line of the one game in a file, of either dialect; whether its moves are legal is not asked.

    Every word of the movetext is taken for a move that is nothing else, so that none is passed over. Raises `UnreadablePgn`.
    """
    stream = io.StringIO(text.removeprefix("\ufeff"))
    headers = chess.pgn.read_headers(stream)
    if headers is None:
        raise UnreadablePgn("there is no game in it")
    if chess.pgn.read_headers(stream) is not None:
        raise UnreadablePgn("there is more than one game in it")
    if headers.get("FEN", fen.START).split()[:1] not in _STARTS:
        raise UnreadablePgn("FEN sets up a position, which no score sheet has")
    return tuple(_moves(text))


def _moves(text: str) -> list[PgnMove]:
    moves: list[PgnMove] = []
    depth = 0
    lines = (
        line for line in text.removeprefix("\ufeff").splitlines() if not _TAG.match(line) and not line.startswith("%")
    )
    for match in _TOKENS.finditer("\n".join(lines)):
        token, comment, bracket = match[0], match[1], match[2]
        if bracket:
            depth += 1 if bracket == "(" else -1
            if depth < 0:
                raise UnreadablePgn(f"after move {len(moves)}: a variation ends that did not begin")
        elif token[0] in "{}" and not (token[0] == "{" and token.endswith("}")):
            raise UnreadablePgn(f"after move {len(moves)}: a comment has one end only")
        elif comment is not None and not depth and moves:
            clock = _read_clock(comment)
            moves[-1] = moves[-1] if clock is None else PgnMove(moves[-1].move, clock)
        elif comment is None and not depth and not match[3]:
            moves += _move(token)
            if len(moves) > PLIES_AT_MOST:
                raise UnreadablePgn(f"a game has at most {PLIES_AT_MOST} moves of either side")
    if depth:
        raise UnreadablePgn("a variation is left open")
    return moves


def _move(token: str) -> list[PgnMove]:
    """The move in a word: without its number and marks, nothing for a result."""
    numbers = _NUMBERS.match(token)
    word = token[numbers.end() if numbers else 0 :].rstrip("!?")
    return [] if not word or word in (*RESULTS.values(), UNDECIDED) else [PgnMove(word)]


def _read_clock(comment: str) -> Seconds | None:
    if "[%clk" not in comment:
        return None
    reading = chess.pgn.Game().add_variation(chess.Move.null(), comment=comment).clock()
    return None if reading is None else Seconds(int(reading))
