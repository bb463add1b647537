"""A score sheet in the form that other programs read: PGN for chess and xiangqi, SGF for the games of stones."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from services.games.files import pgn, sgf
from services.games.notations import MoveStyle
from services.games.responses import GameView, names
from services.games.rules.boards.port.position import SIDES
from services.games.rules.boards.registry import PLACING_STEPS, Variant
from services.games.rules.play.sheet import SheetEntry, Statement
from shared.core.events import ClaimMade, MovePlayed, OfferMade, StepTaken
from shared.core.terms import Side
from shared.core.tournament import Tournament
from shared.desk.desk import Desk

PGN, SGF = "application/x-chess-pgn", "application/x-go-sgf"


def write(desk: Desk, one: GameView, variant: Variant, style: MoveStyle) -> bytes:
    """The sheet of a game of this variant in the form that `FORMATS` has for it; names that are not at hand are ``?``."""
    return FORMATS[variant.name].write(desk, one, variant, style)


def _chess(desk: Desk, one: GameView, variant: Variant, style: MoveStyle) -> bytes:
    headers = _headers(desk, one, variant, "White", "Black")
    return pgn.write_chess(one.sheet.moves, headers, _result(one, variant), one.day, variant.position).encode()


def _xiangqi(desk: Desk, one: GameView, variant: Variant, style: MoveStyle) -> bytes:
    moves, iccs = one.sheet.moves, style.notation in (None, "iccs")
    texts = style.moves(variant, (m.move for m in moves))
    headers = _headers(desk, one, variant, "Red", "Black")
    result = _result(one, variant)
    return pgn.write_xiangqi(moves, texts, headers, result, one.day, iccs, variant.position).encode()


def _headers(desk: Desk, one: GameView, variant: Variant, white: str, black: str) -> dict[str, str]:
    t, g = one.view.tournament, one.game
    players = _players(desk, one, variant)
    event = {"Event": t.announced.name, "Site": "?", "Round": f"{g.round}.{g.board}"}
    event["Regulations"] = t.regulations.title
    return event | {white: players["white"], black: players["black"]}


def _players(desk: Desk, one: GameView, variant: Variant) -> dict[Side, str]:
    """Who has the pieces of each colour, on whichever seat; ``?`` for a name that was erased or is not at hand."""
    players, position = names(desk, one.view.tournament, (one.game.white, one.game.black)), one.sheet.position(variant)
    return {colour: players.get(one.game.player(position.holder(colour)), "?") for colour in SIDES}


def _result(one: GameView, variant: Variant) -> str:
    """One of PGN's three results, White's pieces first; what else the marks say is none of them."""
    setting, t = one.view.tournament.setting(one.game), one.view.tournament
    if setting is None:
        return pgn.UNDECIDED
    value = _values(t)
    points = {"white": value.get(setting.white.points, -1), "black": value.get(setting.black.points, -1)}
    position = one.sheet.position(variant)
    return pgn.RESULTS.get((points[position.holder("white")], points[position.holder("black")]), pgn.UNDECIDED)


def _values(t: Tournament) -> Mapping[int, int]:
    points = t.regulations.points
    return {points.win: 2, points.draw: 1, points.loss: 0}


def _sgf(desk: Desk, one: GameView, variant: Variant, dialect: sgf.Dialect) -> bytes:
    t, g = one.view.tournament, one.game
    players = _players(desk, one, variant)
    headers = {"EV": t.announced.name, "RO": f"{g.round}.{g.board}", "PB": players["black"], "PW": players["white"]}
    headers["GC"] = f"Regulations: {t.regulations.title}"
    if one.day is not None:
        headers["DT"] = one.day.isoformat()
    winners: dict[str, Side | None] = {"1-0": "white", "0-1": "black", "1/2-1/2": None}
    result = _result(one, variant)
    if result in winners:
        headers["RE"] = sgf.result(winners[result])
    return sgf.write(stones(one.sheet.entries), dialect, headers, _notes(one.sheet.entries))


def stones(lines: Iterable[SheetEntry]) -> tuple[sgf.SgfMove, ...]:
    """The stones and passes that the lines put on the board, in turn; the fifth stone that was kept is a step's, and
    a turn that was lost is a pass."""
    places = []
    for line in lines:
        if isinstance(line, MovePlayed):
            places.append(sgf.SgfMove(line.move, line.clock))
        elif isinstance(line, StepTaken) and line.step in PLACING_STEPS:
            places.append(sgf.SgfMove(line.values[0] if line.values else "PASS"))
    return tuple(places)


def _notes(lines: Iterable[SheetEntry]) -> dict[int, list[str]]:
    """What else the sheet holds, by the number of stones before it: SGF has it as comments."""
    notes: dict[int, list[str]] = {}
    count = 0
    for line in lines:
        if isinstance(line, MovePlayed) or (isinstance(line, StepTaken) and line.step in PLACING_STEPS):
            count += 1
        else:
            notes.setdefault(count, []).append(_note(line))
    return notes


def _note(line: StepTaken | Statement) -> str:
    match line:
        case StepTaken():
            return f"{line.side}: {' '.join((line.step, *line.values))}"
        case OfferMade():
            return f"{line.side}: draw {line.offer}"
        case ClaimMade():
            return f"{line.side or 'arbiter'}: claim {' '.join((line.claim, line.move or '')).strip()}"
    return f"{line.claim} is {'' if line.upheld else 'not '}upheld"


@dataclass(frozen=True, slots=True)
class FileFormat:
    """The form that a game's sheet has as a file: its media type, the ending of its name, and what writes it. ``dialect``:
    of SGF, by the game's rules; None for PGN."""

    media: str
    ending: str
    write: Callable[[Desk, GameView, Variant, MoveStyle], bytes]
    dialect: Callable[[Any], sgf.Dialect] | None = None


def _stones_format(dialect: Callable[[Any], sgf.Dialect]) -> FileFormat:
    def write(desk: Desk, one: GameView, variant: Variant, style: MoveStyle) -> bytes:
        of_game = dialect(variant.rules)
        return _sgf(
            desk, one, variant, of_game if variant.position is None else of_game.from_position(variant.position)
        )

    return FileFormat(SGF, "sgf", write, dialect)


FORMATS: dict[str, FileFormat] = {
    "chess": FileFormat(PGN, "pgn", _chess),
    "xiangqi": FileFormat(PGN, "pgn", _xiangqi),
    "go": _stones_format(sgf.go),
    "renju": _stones_format(sgf.fives),
    "gomoku": _stones_format(sgf.fives),
    "prediction": _stones_format(sgf.fives),
}
"""By the game's name. A game without a row is told as JSON and as its lines, and kept as no file."""


def format_of(variant: Variant | None) -> FileFormat | None:
    """The form of a game's file; None where it has none."""
    return None if variant is None else FORMATS.get(variant.name)
